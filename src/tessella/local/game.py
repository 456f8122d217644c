"""One game at one device: people and bots at a table in this process, by the same messages as on a server.

The game never thinks and never waits. Whoever runs it passes on the messages of the people and, when a bot is to move,
asks the bot: here, in another process, or in a Web Worker. Nothing is stored: `saved` returns all that is needed to go
on later.
"""

import hmac
import time
from collections.abc import Callable, Iterable, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from tessella.bots import Budget, bot, names
from tessella.core import record
from tessella.core.dice import commitment, fresh_seed
from tessella.core.game import AnyGame, BadNotation, Seat, View, require_seat
from tessella.core.record import BotSeat, Record
from tessella.games import GAMES
from tessella.protocol.messages import (
    Ack,
    Command,
    EntryView,
    ErrorReply,
    FromClient,
    FromServer,
    Hello,
    Ping,
    Play,
    Pledge,
    Pong,
    Preview,
    PreviewReply,
    Reveal,
    Said,
    Say,
    TableView,
    Update,
)
from tessella.table import views
from tessella.table.branch import before_last_move, branch_of
from tessella.table.history import History, HistoryStep, fold_entry
from tessella.table.ids import fresh_id, rematch_id
from tessella.table.log import Branched, Entry, Opened
from tessella.table.replay import ReplayView, log_of, opened_of, replay_history
from tessella.table.requests import Request, decision
from tessella.table.table import Refused, Secret, Table

FULL = Budget()


class LocalPlayer(Struct, frozen=True):
    """A player at this device: a person, or a bot of some level."""

    name: str
    level: str = ""
    """The level of a bot; empty for a person."""


class BotTurn(Struct, frozen=True):
    """A move that a bot has to make: all that it needs to choose one, in this process or in another."""

    title: str
    seat: Seat
    level: str
    view: View
    number: int
    """The number of the table; the move is stale once the table has another."""
    rng_seed: int
    """The seed of the bot's random numbers; it follows from the seed of the game, which it does not reveal."""


class LocalGame:
    """A game at this device. Make one with `open_game` or `resume_game`.

    >>> game = open_game("azul", [LocalPlayer("Ann"), LocalPlayer("Greedy", "greedy")], id="example", seed=bytes(32))
    >>> update, ack = game.receive(0, Play("first-move", game.table.number, game.view(0).moves[0]))
    >>> ack
    Ack(key='first-move', number=4)
    >>> turn = game.bot_to_move()
    >>> game.play_bot(turn, choose_move(turn))
    Ack(key='bot-5-1', number=5)
    """

    def __init__(self, table: Table, seed: bytes, clock: Callable[[], float] = time.time) -> None:
        self.table = table
        self.steps: list[HistoryStep] = []
        """Every entry of the log after the first, with the game after it."""
        self.next_game: LocalGame | None = None
        """The rematch, once it has been asked for."""
        self._seed = seed
        self._secret = Secret(seed)
        self._clock = clock
        self._numbers: dict[tuple[Seat | None, str], int] = {}
        """The number of the entry of each request, by seat and key: a request that is sent twice counts once."""

    # What a viewer sends and sees; a viewer is a seat, or None for a spectator

    def receive(self, viewer: Seat | None, message: FromClient) -> list[FromServer]:
        """Handle a message and return the replies to its viewer; other viewers see the changes by their own `Hello`."""
        require_seat(self.table.config, viewer)
        match message:
            case Ping(n=n):
                return [Pong(n)]
            case Hello(have=have):
                return [self.update(viewer, have)]
            case Preview(move=move):
                return [self._preview(viewer, move)]
            case Say(phrase=phrase):
                return [] if viewer is None else [Said(viewer, phrase)]
            case Play() | Pledge() | Reveal() | Command():
                return self._request(viewer, message)

    def update(self, viewer: Seat | None, have: int = -1) -> Update:
        """Return the table as a viewer sees it and the entries after number `have`, none of them if it is negative."""
        missed = [step.applied for step in self.steps if step.applied.number > have >= 0]
        return Update(views.entry_views(self.table, viewer, missed), self.view(viewer))

    def view(self, viewer: Seat | None) -> TableView:
        """Return the table as a viewer sees it."""
        everybody = frozenset(range(len(self.table.seats)))
        public = views.spectator_view(self.table, self._clock(), everybody, 0)
        return views.seat_view(self.table, viewer, public)

    def entries(self, viewer: Seat | None, start: int = 1, before: int | None = None) -> tuple[EntryView, ...]:
        """Return the entries from number `start` on, and below `before`, as a viewer saw them."""
        end = self.table.number if before is None else before
        wanted = [step.applied for step in self.steps if start <= step.applied.number < end]
        return views.entry_views(self.table, viewer, wanted)

    def replay(self, viewer: Seat | None) -> ReplayView:
        """Return the finished game step by step, as a viewer saw it; raise `Refused` while it is in progress."""
        if not self.table.is_public:
            raise Refused("playing", "the game is in progress: its replay would show what is hidden")
        return replay_history(History(self.table, self.steps), viewer)

    def _preview(self, viewer: Seat | None, move: str) -> PreviewReply | ErrorReply:
        if viewer is None:
            return ErrorReply("", "seat", "you have no seat at this table")
        return views.preview_move(self.table.game, self.table.state, viewer, move)

    # Requests

    def _request(self, viewer: Seat | None, request: Request) -> list[FromServer]:
        have, key = self.table.number - 1, (viewer, request.key)
        if key in self._numbers:
            return [Ack(request.key, self._numbers[key])]
        try:
            number = self._carry_out(viewer, request)
        except Refused as exc:
            return [ErrorReply(request.key, exc.rule, exc.message)]
        self._numbers[key] = number
        return [self.update(viewer, have), Ack(request.key, number)]

    def _carry_out(self, viewer: Seat | None, request: Request) -> int:
        """Append the entry of a request and return its number. At one device no other player is asked for consent."""
        decide = decision(viewer, request)
        assert viewer is not None
        if self.table.seats[viewer].is_bot:
            raise Refused("bot", "a bot plays this seat")
        match request:
            case Command(action="pause" | "resume"):
                raise Refused("pause", "a game at one device needs no pause: it waits for the next move by itself")
            case Command(action="abort"):
                return self._append(self.table.abort(self._secret))
            case Command(action="rematch"):
                self.table.ask(viewer, "rematch")
                return self._open_rematch(fresh_seed())
            case Command(action="takeback"):
                self.table.ask(viewer, "takeback")
                return self._take_back(fresh_seed())
            case _:
                return self._append(decide(self.table, self._secret))

    def _append(self, entry: Entry, at: float | None = None) -> int:
        self.steps.append(fold_entry(self.table, entry, self._clock() if at is None else at))
        return self.table.number - 1

    def rematch(self, seed: bytes | None = None) -> "LocalGame":
        """Return the rematch, with everyone one seat further; open it unless it exists. Raise `Refused` if too early.

        Its seed must not follow from that of this game, which is known by now.
        """
        if self.next_game is None:
            self._open_rematch(seed or fresh_seed())
        assert self.next_game is not None
        return self.next_game

    def _open_rematch(self, seed: bytes) -> int:
        players = self._players
        return self._open_next(seed, [players[-1], *players[:-1]])

    def _take_back(self, seed: bytes) -> int:
        """End the game, and go on from before the last move of a person at this device."""
        branch = before_last_move(self.table, self.table.people)
        self._append(self.table.take_back())
        return self._open_next(seed, self._players, branch)

    @property
    def _players(self) -> list[LocalPlayer]:
        return [LocalPlayer(each.name, each.level if each.is_bot else "") for each in self.table.seats]

    def _open_next(self, seed: bytes, players: Sequence[LocalPlayer], branch: Branched | None = None) -> int:
        old = self.table
        number = self._append(old.follow(rematch_id(old.id)))
        opened = Opened(old.terms.rules, _promise(old.next_game, seed), before=old.id, branch=branch)
        self.next_game = LocalGame(Table(old.next_game, opened, self._clock()), seed, self._clock)
        self.next_game._seat(players)
        return number

    # Opening

    def _seat(self, players: Sequence[LocalPlayer]) -> None:
        for seat, player in enumerate(players):
            if player.level and player.level not in names(self.table.game):
                raise BadNotation(
                    f"{player.level!r} is not a bot for {self.table.game.NAME};"
                    f" choose from {', '.join(names(self.table.game))}"
                )
            self._append(self.table.sit(seat, f"seat {seat}", player.name, player.level))
        record.write(self.saved())  # raise now, not when the game is saved
        self._append(self.table.start(self._secret))

    def _fold(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._append(entry)

    # Bots

    def bot_to_move(self) -> BotTurn | None:
        """Return the move that a bot has to make now, or None if it is a person's turn or the game is over."""
        bots = self.table.bots_to_move()
        if not bots:
            return None
        (seat, level), table = bots[0], self.table
        view: View = table.game.view(table.state, seat)
        return BotTurn(table.game.NAME, seat, level, view, table.number, self._rng_seed(seat))

    def _rng_seed(self, seat: Seat) -> int:
        """Return a number that depends on the game's seed and on how many acts were made, and reveals neither."""
        what = f"bot {self.table.dice_id} {seat} {len(self.table.acts)}"
        return int.from_bytes(hmac.digest(self._seed, what.encode(), "sha256")[:8])

    def play_bot(self, turn: BotTurn, move: str) -> Ack | ErrorReply:
        """Make the move that a bot has chosen; it is refused if the table has moved on, because its player is back."""
        request = Play(f"bot-{turn.number}-{turn.seat}", turn.number, move)
        try:
            number = self._append(decision(turn.seat, request)(self.table, self._secret))
        except Refused as exc:
            return ErrorReply(request.key, exc.rule, exc.message)
        return Ack(request.key, number)

    # Records

    def record(self) -> Record:
        """Return the game so far, with everything that is hidden from some seat; with its seed once it is over."""
        bots = [BotSeat(seat, each.level) for seat, each in enumerate(self.table.seats) if each.is_bot or each.resigned]
        return replace(self.table.record(), bots=tuple(bots))

    def saved(self) -> Record:
        """Return the game with all that is needed to go on with it, its seed included: not for players to read."""
        return replace(self.record(), seed=self._seed)


def open_game(
    title: str,
    players: Sequence[LocalPlayer],
    options: Sequence[str] = (),
    *,
    id: str = "",
    seed: bytes | None = None,
    clock: Callable[[], float] = time.time,
) -> LocalGame:
    """Open a game, seat its players and deal; raise `BadNotation` if an option, a level or a name is not valid.

    `options` are written as in records, `wall=grey`. The same id, seed and moves of the people give the same record.
    """
    game, seed, id = _game_named(title), seed or fresh_seed(), id or fresh_id()
    rules = record.write_rules(game, record.read_options(game, [f"seats={len(players)}", *options]))
    return _open(Opened(rules, _promise(id, seed)), players, id, seed, clock)


def branch_game(
    whole: Record,
    acts: int,
    players: Sequence[LocalPlayer],
    *,
    id: str = "",
    seed: bytes | None = None,
    clock: Callable[[], float] = time.time,
) -> LocalGame:
    """Open a game that begins with the first acts of a record; raise `BadNotation` if it is over there.

    Its later deals come from its own dice.
    """
    game, seed, id = _game_named(whole.game), seed or fresh_seed(), id or fresh_id()
    branch = branch_of(game, whole, acts)
    if len(players) != (seats := record.read_rules(game, whole.rules).seats):
        raise BadNotation(f"the game has {seats} seats, not {len(players)}")
    return _open(Opened(whole.rules, _promise(id, seed), branch=branch), players, id, seed, clock)


def _open(
    opened: Opened, players: Sequence[LocalPlayer], id: str, seed: bytes, clock: Callable[[], float]
) -> LocalGame:
    game = LocalGame(Table(id, opened, clock()), seed, clock)
    game._seat(players)  # pyright: ignore[reportPrivateUsage]
    return game


def resume_game(saved: Record, clock: Callable[[], float] = time.time) -> LocalGame:
    """Return a saved game, to go on with it; raise `BadNotation` if it is over or was not saved by `saved`."""
    game = _game_named(saved.game)
    if saved.seal:
        raise BadNotation("this game is over")
    if not saved.seed:
        raise BadNotation(
            "this record has no seed to deal from: only a game that was saved by `tessella play --save` can go on"
        )
    unknown = [each.level for each in saved.bots if each.level not in names(game)]
    if unknown:
        raise BadNotation(f"{unknown[0]!r} is not a bot for {saved.game}; choose from {', '.join(names(game))}")
    record.verify(game, saved)
    resumed = LocalGame(Table(saved.id, opened_of(saved), clock()), saved.seed, clock)
    resumed._fold(log_of(game, saved))  # pyright: ignore[reportPrivateUsage]
    return resumed


def choose_move(turn: BotTurn, budget: Budget = FULL) -> str:
    """Return the move that a bot chooses, in notation."""
    game, rng = GAMES[turn.title], Random(turn.rng_seed)  # noqa: S311  the deals do not depend on it
    move = bot(game, turn.level)(turn.view, budget, rng)
    return game.write_move(game.imagine(turn.view, rng), move)


def play_bots(game: LocalGame, budget: Budget = FULL) -> int:
    """Let the bots move here and now until a person is to move or the game is over; return how many moves they made."""
    moves = 0
    while (turn := game.bot_to_move()) is not None:
        reply = game.play_bot(turn, choose_move(turn, budget))
        assert isinstance(reply, Ack), reply
        moves += 1
    return moves


def _game_named(title: str) -> AnyGame:
    if title not in GAMES:
        raise BadNotation(f"{title!r} is not a known game; choose from {', '.join(GAMES)}")
    return GAMES[title]


def _promise(game_id: str, seed: bytes) -> str:
    return commitment(game_id, seed).hex()
