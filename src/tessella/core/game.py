"""What a game is: a list of acts, and pure functions that say what each act does.

A game is a module (or any object) that offers the functions of `Game`. Chance is an act like any other: a
`Deal` is drawn once, written down, and from then on replayed; no state ever holds a random generator.
"""

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from msgspec import Struct

Seat: TypeAlias = int
"""A chair at the table, clockwise from 0."""


class Rng(Protocol):
    """Where random numbers come from: `random.Random`, or the fair dice of `core.dice`."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to stop − 1, each as likely as the others."""
        ...


class Public(Struct, frozen=True):
    """What may leave the server. Everything else is refused by `core.wire`."""


class Chance(Public, frozen=True, tag="chance"):
    """Nobody chooses: the bag must be shaken."""


class Choose(Public, frozen=True, tag="choose"):
    """These seats may move now; if they are several, the order in which they do must not matter."""

    seats: tuple[Seat, ...]


class Over(Public, frozen=True, tag="over"):
    """The game has ended. Place 1 won; those who tie share a place."""

    scores: tuple[int, ...]
    places: tuple[int, ...]


Turn: TypeAlias = Chance | Choose | Over


class Config(Public, frozen=True):
    """What is agreed before the game, for all to see; each game adds its own options."""

    seats: int


class Move(Struct, frozen=True):
    """The smallest choice of one seat. Not public: a move may carry what only its owner knows."""

    seat: Seat


class Deal(Struct, frozen=True):
    """What chance decided. Not public: a deal may be meant for one seat only."""


class View(Public, frozen=True):
    """Everything one seat may know of the table; a spectator has seat None."""

    seat: Seat | None
    turn: Turn
    config: Config


class Preview(Public, frozen=True):
    """What a move would do, before it is made.

    `points` is what the mover would gain by the move if the round (or the game) were scored now.
    """

    points: int


class BadNotation(ValueError):
    """The text is not a move, deal, position or record at all."""


class IllegalMove(ValueError):
    """The rules forbid it. `rule` names the clause, `why` says it to a person."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(f"{why} ({rule})")
        self.rule = rule
        self.why = why


C = TypeVar("C", bound=Config)
S = TypeVar("S", bound=Struct)
M = TypeVar("M", bound=Move)
D = TypeVar("D", bound=Deal)
E = TypeVar("E", bound=Struct)
V = TypeVar("V", bound=View)
P_co = TypeVar("P_co", bound=Preview, covariant=True)
T = TypeVar("T")


class Game(Protocol[C, S, M, D, E, V, P_co]):
    """The protocol that every game speaks. Modules fit it as they are."""

    @property
    def NAME(self) -> str:  # noqa: N802
        """The game's name in records, links and commands."""
        ...

    @property
    def EDITION(self) -> int:  # noqa: N802
        """Raised whenever an old record would play out, or a short link unfold, differently."""
        ...

    @property
    def Config(self) -> type[C]:  # noqa: N802
        """The options of a game."""
        ...

    def setup(self, config: C, /) -> S:
        """Lay the table before anything is drawn."""
        ...

    def turn(self, state: S, /) -> Turn:
        """Say who is to act: chance, some seats, or nobody any more."""
        ...

    def legal_moves(self, state: S, seat: Seat, /) -> Sequence[M]:
        """List every move the seat may make, in a fixed order that tells nothing hidden."""
        ...

    def deal(self, state: S, rng: Rng, /) -> D:
        """Shake the bag: the only use of random numbers."""
        ...

    def apply(self, state: S, act: M | D, /) -> tuple[S, Sequence[E]]:
        """Give the state after the act and what happened, or raise `IllegalMove`; the old state stays as it was."""
        ...

    def view(self, state: S, seat: Seat | None, /) -> V:
        """Name, field by field, what the seat may see; None is a spectator."""
        ...

    def witness(self, event: E, seat: Seat | None, /) -> Public | None:
        """Give the event as the seat saw it, or None if the seat saw nothing."""
        ...

    def owner(self, act: M | D, /) -> Seat | None:
        """Name the only seat that may read the act while the game runs; None: everybody may."""
        ...

    def imagine(self, view: V, rng: Rng, /) -> S:
        """Give a full state that the seat could not tell from the true one, as likely as the seat must think it."""
        ...

    def preview(self, state: S, move: M, /) -> P_co:
        """Say what a legal move would do now and, if scoring came next, to the score."""
        ...

    def inventory(self, state: S, /) -> Mapping[str, int]:
        """Count what is in the box, wherever it lies; it never changes."""
        ...

    def longest(self, config: C, /) -> int:
        """Give a number of acts that no game exceeds."""
        ...

    def write_move(self, state: S, move: M, /) -> str:
        """Write a move as a person would."""
        ...

    def read_move(self, state: S, seat: Seat, text: str, /) -> M:
        """Read a move, legal or not; raise `BadNotation` if it is not a move. It can never be a deal."""
        ...

    def write_deal(self, state: S, deal: D, /) -> str:
        """Write a deal, complete."""
        ...

    def read_deal(self, state: S, text: str, /) -> D:
        """Read a deal; raise `BadNotation` if it is not one."""
        ...

    def write_state(self, state: S, /) -> str:
        """Write a whole position in one line."""
        ...

    def read_state(self, text: str, /) -> S:
        """Read a position; raise `BadNotation` if nobody could lay it out on a table."""
        ...


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any, Any, Any]
"""A game picked by name at run time: its types are known to itself only."""

Story: TypeAlias = Generator[E, None, T]
"""A rule that yields what happens, in the order a spectator would see it, and returns what has become."""


def tell(story: Generator[E, None, T]) -> tuple[T, list[E]]:
    """Hear a story to its end: what has become, and all that happened."""
    events: list[E] = []
    while True:
        try:
            events.append(next(story))
        except StopIteration as end:
            return end.value, events


def places(ranks: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Give each rank (greater is better) its place; equal ranks share one.

    >>> places([(30, 1), (41, 0), (30, 1)])
    (2, 1, 2)
    """
    return tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
