"""A table at a prompt or in a notebook: play by notation, undo, ask a bot.

>>> from tessella import research
>>> table = research.table("azul", players=2, seed=1)
>>> move = table.moves()[0]
>>> len(table.play(move).record().acts)
2
>>> len(table.undo().record().acts)
1
"""

from pathlib import Path
from random import Random
from typing import Any

from tessella.bots import Budget, bot
from tessella.core import link, record
from tessella.core.game import AnyGame, BadNotation, Config, Seat, Turn
from tessella.core.local import AnyTable, LocalTable
from tessella.core.notation import decode_text
from tessella.core.record import Record
from tessella.games import GAMES
from tessella.research.notebook.display import Choice, Choices, Position
from tessella.research.notebook.replay import Replay


class Table:
    """A game in progress; the table deals, and renders for the seat that is to move."""

    def __init__(self, game: AnyGame, config: Config, *, seed: int | None = None, names: tuple[str, ...] = ()) -> None:
        self.game = game
        self.config = config
        self._rng = Random(seed)  # noqa: S311
        fixed = None if seed is None else seed.to_bytes(32, "big")
        self._table: AnyTable = LocalTable(game, config, seed=fixed, names=names)
        self._names = names
        self._start = len(self._table.steps)

    @property
    def state(self) -> Any:  # noqa: ANN401
        """The full state."""
        return self._table.state

    @property
    def turn(self) -> Turn:
        """Whose turn it is, or the result."""
        return self._table.turn

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that may move now; none when the game is over."""
        return self._table.seats

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.seats

    def position(self, seat: Seat | None = None) -> Position:
        """Return the table as a seat sees it, or a spectator; what the last move changed is marked."""
        return Position(self.game, self.state, seat, self._names, self._before())

    def moves(self) -> Choices:
        """Return every legal move of every seat that may move now."""
        here = self._seen()
        return Choices([Choice(here, move) for move in self._table.moves])

    def play(self, move: Choice | str) -> "Table":
        """Make a move, and deal whatever follows; an illegal move raises and changes nothing."""
        self._table.play(str(move))
        return self

    def undo(self) -> "Table":
        """Take back the last move and the deals after it; the same deals would come again."""
        steps = self._table.steps
        if len(steps) == self._start:
            raise IndexError("no move has been made")
        while True:
            step = steps.pop()
            self._table.state = step.before
            if step.seat is not None:
                return self

    def ask(self, player: str, budget: Budget | None = None) -> Choice:
        """Return a bot's move here; it sees only the view of the seat to move."""
        here = self._seen()
        move = bot(self.game, player)(here.view, budget or Budget(), self._rng)
        return Choice(here, move)

    def finish(self, player: str, budget: Budget | None = None) -> "Table":
        """Let a bot play all seats to the end of the game."""
        while not self.over:
            self.play(self.ask(player, budget))
        return self

    def record(self) -> Record:
        """Return the record of the game so far."""
        return self._table.record()

    def replay(self, seat: Seat | None = None) -> Replay:
        """Return a replay of the game so far, as a seat saw it."""
        return Replay(self.game, self.record(), seat)

    def __repr__(self) -> str:
        return repr(self._seen())

    def _repr_html_(self) -> str:
        return self._seen().html()

    def _seen(self) -> Position:
        return self.position(next(iter(self.seats), None))

    def _before(self) -> Any:  # noqa: ANN401
        moved = [step for step in self._table.steps if step.seat is not None]
        return moved[-1].before if moved else None


def table(game: str, players: int | None = None, seed: int | None = None, **options: Any) -> Table:  # noqa: ANN401
    """Return a new table; the same seed deals the same game. Options are those of the game's `Config`.

    >>> table("azul", players=3, seed=7, wall="grey").config
    Config(seats=3, wall='grey')
    """
    known: AnyGame = GAMES[game]
    config: Config = known.Config(**({"seats": players} if players else {}), **options)
    return Table(known, config, seed=seed)


def position(game: str, text: str, seat: Seat | None = None) -> Position:
    """Parse the notation of a position."""
    known: AnyGame = GAMES[game]
    return Position(known, known.read_state(text), seat)


def replay(source: str | Path | Record, seat: Seat | None = None) -> Replay:
    """Return a replay of a game, given as a record, its text, its file, or the short form of a link."""
    found = source if isinstance(source, Record) else _read(source)
    name = found.rules.partition("/")[0]
    if name not in GAMES:
        raise BadNotation(f"unknown game {name!r}: expected {', '.join(GAMES)}")
    return Replay(GAMES[name], found, seat)


def _read(source: str | Path) -> Record:
    text = decode_text(source.read_bytes(), str(source)) if isinstance(source, Path) else source
    name = link.game_of(text)
    return link.expand(GAMES[name], text) if name in GAMES else record.read(text)
