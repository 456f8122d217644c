"""Our own bots as an engine: `tessella engine` answers the lines of a controller.

The engine thinks for at most a second, so it reads `stop` only after it has answered.
"""

from collections.abc import Iterable, Iterator
from random import Random

import msgspec

from tessella.bots import AnyView, Bot, Budget, bot, names
from tessella.coach.review import ANALYSERS
from tessella.core import link, wire
from tessella.core.game import AnyGame, BadNotation, Chance, Choose, Config, Move, Over, Seat, require_seat
from tessella.core.notation import quote
from tessella.core.record import read_rules, replay
from tessella.engine.messages import (
    VERSION,
    Answer,
    Author,
    Chosen,
    Command,
    Failed,
    Go,
    Hello,
    Info,
    Name,
    NewGame,
    Ok,
    Option,
    Quit,
    SetMoves,
    SetOption,
    SetPosition,
    SetRecord,
    SetView,
    Stop,
    Title,
    read_command,
    write_answer,
)
from tessella.games import GAMES
from tessella.protocol.views import view_type

MAX_SECONDS = 1.0
"""Longest thinking time, as that of the highest level."""
TIME_SHARE = 0.95
"""Share of the seconds that a bot gets: they are wall-clock time, of which reading and writing take some."""
WARM_UP = Budget(seconds=0.01, nodes=1)
INFO_NODES = 2_000
"""Positions that the coach searches for the value of a move."""
LEVELS = tuple(dict.fromkeys(name for game in GAMES.values() for name in names(game)))


class Speaker:
    """An engine that plays at a level of ours.

    >>> speaker = Speaker(level="1")
    >>> list(speaker.answer("new chess/1"))
    ["error 'chess/1' is not a game of this engine: expected azul/1, blockers/1, duel/1"]
    """

    def __init__(self, level: str = "5") -> None:
        self.is_running = True
        self._options = (
            Option("level", level, LEVELS),
            Option("seed", "random"),
            Option("info", "off", ("off", "on")),
        )
        self._values = {option.name: option.default for option in self._options}
        self._rng = Random()  # noqa: S311  bots need no secrets
        self._game: AnyGame | None = None
        self._config: Config | None = None
        self._view: AnyView | None = None

    def serve(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield the answers to the lines of a controller until it quits or its input ends."""
        for line in lines:
            yield from self.answer(line.rstrip("\r\n"))
            if not self.is_running:
                return

    def answer(self, line: str) -> Iterator[str]:
        """Yield the answers to one line."""
        try:
            yield from map(write_answer, self._answer(read_command(line)))
        except (BadNotation, ValueError) as exc:
            yield write_answer(Failed(str(exc) or type(exc).__name__))

    def _answer(self, command: Command) -> Iterator[Answer]:  # noqa: C901  one case per command
        match command:
            case Hello(version=version):
                yield from self._introduce(version)
            case SetOption(name=name, value=value):
                yield self._set_option(name, value)
            case NewGame(rules=rules):
                yield self._begin(rules)
            case SetView(json=json):
                yield self._set_view(json)
            case SetPosition(seat=seat, text=text):
                game, _ = self._current()
                yield self._look(game.read_state(text), seat)
            case SetRecord(link=text):
                yield self._set_record(text)
            case SetMoves():  # it knows the rules
                yield Ok()
            case Go(budget=budget):
                yield from self._go(budget)
            case Stop():
                pass
            case Quit():
                self.is_running = False

    def _introduce(self, version: int) -> Iterator[Answer]:
        if version != VERSION:
            raise BadNotation(f"version {version} is not spoken here: expected {VERSION}")
        yield Name(f"Tessella, level {self._values['level']}")
        yield Author("The Tessella project")
        yield from (Title(f"{game.NAME}/{game.EDITION}") for game in GAMES.values())
        yield from self._options
        yield Ok()

    def _set_option(self, name: str, value: str) -> Answer:
        offered = {option.name: option for option in self._options}
        if name not in offered:
            raise BadNotation(f"there is no option {quote(name)}: expected {', '.join(offered)}")
        if offered[name].values and value not in offered[name].values:
            raise BadNotation(f"{quote(value)} is no {name}: expected {', '.join(offered[name].values)}")
        self._values[name] = value
        return Ok()

    # The game and its position

    def _begin(self, rules: str) -> Answer:
        known = {f"{game.NAME}/{game.EDITION}": game for game in GAMES.values()}
        title = rules.partition(" ")[0]
        if title not in known:
            raise BadNotation(f"{quote(title)} is not a game of this engine: expected {', '.join(known)}")
        game = known[title]
        config: Config = read_rules(game, rules)
        self._config, self._game, self._view = config, game, None
        seed = self._values["seed"]
        self._rng = Random(None if seed == "random" else seed)  # noqa: S311
        self._warm_up(game, config)
        return Ok()

    def _warm_up(self, game: AnyGame, config: Config) -> None:
        """Make one move at the start, so that nets are loaded before the time counts."""
        rng, state = Random(0), game.setup(config)  # noqa: S311
        while isinstance(turn := game.turn(state), Chance):
            state, _ = game.apply(state, game.deal(state, rng))
        assert isinstance(turn, Choose)
        self._bot(game)(game.view(state, turn.seats[0]), WARM_UP, rng)

    def _current(self) -> tuple[AnyGame, Config]:
        if self._game is None or self._config is None:
            raise BadNotation("there is no game: send new first")
        return self._game, self._config

    def _set_view(self, json: str) -> Answer:
        game, _ = self._current()
        try:
            view = wire.decode(json, view_type(game))
        except msgspec.DecodeError as exc:
            raise BadNotation(f"this is not a view of {game.NAME}: {exc}") from None
        return self._use(view)

    def _set_record(self, text: str) -> Answer:
        name = link.game_of(text)
        if name not in GAMES:
            raise BadNotation(f"{quote(text)} is not the one-line form of a game of {', '.join(GAMES)}")
        game = GAMES[name]
        played = link.expand(game, text)
        self._begin(played.rules)
        last = [step.after for step in replay(game, played)]
        state = last[-1] if last else game.setup(read_rules(game, played.rules))
        turn = game.turn(state)
        return self._look(state, turn.seats[0] if isinstance(turn, Choose) else 0)

    def _look(self, state: object, seat: Seat) -> Answer:
        """Keep what the seat may know of a position, and nothing else."""
        game, _ = self._current()
        require_seat(game.view(state, None).config, seat)
        return self._use(game.view(state, seat))

    def _use(self, view: AnyView) -> Answer:
        if view.config != self._config:
            raise BadNotation("this is a game with other options: expected those of new")
        match view.turn:
            case Choose(seats=seats) if view.seat in seats:
                self._view = view
                return Ok()
            case Over():
                raise BadNotation("the game is over")
            case _:
                raise BadNotation(f"seat {view.seat} is not to move")

    # Thinking

    def _go(self, budget: Budget) -> Iterator[Answer]:
        game, _ = self._current()
        if self._view is None:
            raise BadNotation("there is no position: send view, position or record first")
        seconds = min(MAX_SECONDS, (budget.seconds or MAX_SECONDS) * TIME_SHARE)
        move: Move = self._bot(game)(self._view, Budget(seconds, budget.nodes), self._rng)
        state = game.imagine(self._view, self._rng)
        if self._values["info"] == "on":
            yield self._info(game, state, move)
        yield Chosen(game.write_move(state, move))

    def _bot(self, game: AnyGame) -> Bot:
        level = self._values["level"]
        if level not in names(game):
            raise BadNotation(f"there is no level {level} of {game.NAME}: expected {', '.join(names(game))}")
        return bot(game, level)

    def _info(self, game: AnyGame, state: object, move: Move) -> Answer:
        """Return the coach's value of a move and the line that it expects."""
        assert self._config is not None
        analyser = ANALYSERS[game.NAME](self._config.seats, Budget(nodes=INFO_NODES))
        found = analyser.evaluate(state, move, self._rng)
        line = analyser.line(state, move, self._rng)
        return Info(nodes=analyser.nodes, value=found.probabilities[move.seat], line=line)
