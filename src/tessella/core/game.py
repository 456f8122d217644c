"""The game protocol: a game is a list of acts, and pure functions that say what each act does.

A game is a module (or any object) with the functions of `Game`. Chance is an act like any other: a
`Deal` is drawn once, recorded, and replayed from then on; no state ever holds a random generator.
"""

from collections.abc import Generator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Literal, Never, Protocol, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

Seat: TypeAlias = int
"""A chair at the table, clockwise from 0."""


class Rng(Protocol):
    """A source of random numbers: `random.Random`, or the fair dice of `core.dice`."""

    def randrange(self, stop: int, /) -> int:
        """Return a uniform number from 0 to stop − 1."""
        ...


class Public(Struct, frozen=True):
    """Base of everything that may leave the server; `core.wire` rejects anything else."""


class Chance(Public, frozen=True, tag="chance"):
    """No seat is to move: a deal comes next."""


class Choose(Public, frozen=True, tag="choose"):
    """These seats may move now; if there are several, the order in which they move must not matter."""

    seats: tuple[Seat, ...]


class Over(Public, frozen=True, tag="over"):
    """The game has ended. Place 1 won; tied seats share a place."""

    scores: tuple[int, ...]
    places: tuple[int, ...]


Turn: TypeAlias = Chance | Choose | Over


class Config(Public, frozen=True):
    """The public options of a game, agreed before it starts; each game adds its own.

    A value of the wrong type raises ValueError with the values that are allowed. A game that checks more in its own
    `__post_init__` calls this one first.
    """

    seats: int

    ADDED: ClassVar[Mapping[str, str]] = {}
    """Options that came after the first records, each with the value that a record without it means."""

    def __post_init__(self) -> None:
        for option, kind in option_types(type(self)).items():
            try:
                msgspec.convert(getattr(self, option), kind)
            except msgspec.ValidationError:
                given = getattr(self, option)
                raise ValueError(f"{option}={given!r}: expected {', '.join(option_values(kind))}") from None


class Move(Struct, frozen=True):
    """The smallest choice of one seat. Not public: a move may carry something only its owner knows."""

    seat: Seat


class Deal(Struct, frozen=True):
    """The outcome of chance. Not public: a deal may be meant for one seat only."""


class View(Public, frozen=True):
    """Everything one seat may know about the table; a spectator has seat None."""

    seat: Seat | None
    turn: Turn
    config: Config


class Preview(Public, frozen=True):
    """The effect of a move, before it is made.

    `points` is what the mover would gain by the move if the round (or the game) were scored now.
    """

    points: int


@cache
def option_types(kind: type[Config]) -> dict[str, Any]:
    """Return the type of each option, by its name."""
    hints = get_type_hints(kind)
    return {option: hints[option] for option in kind.__struct_fields__}


def option_values(kind: object) -> list[str]:
    """Return the values of an option of this type, as records write them.

    >>> option_values(bool | Literal["alone"])
    ['true', 'false', 'alone']
    """
    if kind is bool:
        return ["true", "false"]
    if get_origin(kind) is Literal:
        return [str(value) for value in get_args(kind)]
    if get_origin(kind) is tuple:
        return [f"any of {', '.join(option_values(get_args(kind)[0]))}"]
    return [value for part in get_args(kind) for value in option_values(part)] or ["a whole number"]


def require_seat(config: Config, seat: Seat | None) -> None:
    """Raise ValueError if the table has no such seat; None is a spectator."""
    if seat is not None and not 0 <= seat < config.seats:
        raise ValueError(f"there is no seat {seat}: expected 0 to {config.seats - 1}")


def not_an_act(act: Never) -> TypeError:
    """Return the error for what is no act of the game at all; type checkers prove that every act is handled before."""
    return TypeError(f"{type(act).__name__} is not an act of this game")


class BadNotation(ValueError):
    """The text is not a valid move, deal, position or record."""


class IllegalMove(ValueError):
    """The rules forbid the act. `rule` names the clause, `why` explains it to a person.

    `reason` is the sentence with its `{blanks}` open: translations are looked up by it.
    """

    def __init__(self, rule: str, reason: str, **blanks: str | int) -> None:
        why = reason.format(**blanks) if blanks else reason
        super().__init__(f"{why} ({rule})")
        self.rule = rule
        self.why = why
        self.reason = reason
        self.blanks = blanks


C = TypeVar("C", bound=Config)
S = TypeVar("S", bound=Struct)
M = TypeVar("M", bound=Move)
D = TypeVar("D", bound=Deal)
E = TypeVar("E", bound=Struct)
V = TypeVar("V", bound=View)
P_co = TypeVar("P_co", bound=Preview, covariant=True)
T = TypeVar("T")


class Game(Protocol[C, S, M, D, E, V, P_co]):
    """The protocol that every game implements, usually as a module."""

    @property
    def NAME(self) -> str:  # noqa: N802
        """The game's name in records, links and commands."""
        ...

    @property
    def EDITION(self) -> int:  # noqa: N802
        """The edition of the rules; raised whenever an old record would replay, or an old link expand, differently."""
        ...

    @property
    def Config(self) -> type[C]:  # noqa: N802
        """The options of a game."""
        ...

    def setup(self, config: C, /) -> S:
        """Return the initial state, before anything is drawn."""
        ...

    def turn(self, state: S, /) -> Turn:
        """Return whose turn it is: chance, some seats, or none because the game is over."""
        ...

    def legal_moves(self, state: S, seat: Seat, /) -> Sequence[M]:
        """Return every move the seat may make, in a fixed order that reveals nothing hidden.

        Raise ValueError if the table has no such seat.
        """
        ...

    def deal(self, state: S, rng: Rng, /) -> D:
        """Return a random deal; the only function of the rules that uses random numbers."""
        ...

    def apply(self, state: S, act: M | D, /) -> tuple[S, Sequence[E]]:
        """Return the state after the act and its events, or raise `IllegalMove`; the old state is unchanged.

        Raise TypeError for what is not an act of this game.
        """
        ...

    def view(self, state: S, seat: Seat | None, /) -> V:
        """Return what the seat may see, built field by field; None is a spectator."""
        ...

    def witness(self, event: E, seat: Seat | None, /) -> Public | None:
        """Return the event as the seat saw it, or None if the seat saw nothing."""
        ...

    def owner(self, act: M | D, /) -> Seat | None:
        """Return the only seat that may read the act while the game runs, or None if everybody may."""
        ...

    def imagine(self, view: V, rng: Rng, /) -> S:
        """Return a random full state consistent with the view, as likely as the seat must consider it."""
        ...

    def preview(self, state: S, move: M, /) -> P_co:
        """Return what a legal move would do now and, if scoring came next, to the score."""
        ...

    def inventory(self, state: S, /) -> Mapping[str, int]:
        """Return counts of all components, wherever they lie; they never change."""
        ...

    def longest(self, config: C, /) -> int:
        """Return an upper bound on the number of acts in a game."""
        ...

    def write_move(self, state: S, move: M, /) -> str:
        """Return the notation of a move."""
        ...

    def read_move(self, state: S, seat: Seat, text: str, /) -> M:
        """Parse a move, legal or not; raise `BadNotation` if it is not a move. Never returns a deal."""
        ...

    def write_deal(self, state: S, deal: D, /) -> str:
        """Return the notation of a deal, with everything it contains."""
        ...

    def read_deal(self, state: S, text: str, /) -> D:
        """Parse a deal; raise `BadNotation` if it is not one."""
        ...

    def write_state(self, state: S, /) -> str:
        """Return the notation of a whole position, in one line."""
        ...

    def read_state(self, text: str, /) -> S:
        """Parse a position; raise `BadNotation` if it could not occur on a table."""
        ...


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any, Any, Any]
"""A game picked by name at run time, whose types the caller does not know."""

Steps: TypeAlias = Generator[E, None, T]
"""A rule as a generator: it yields events in the order a spectator would see them, and returns the result."""


def collect(steps: Generator[E, None, T]) -> tuple[T, list[E]]:
    """Run a rule to its end; return its result and every event it yielded."""
    events: list[E] = []
    while True:
        try:
            events.append(next(steps))
        except StopIteration as exc:
            return exc.value, events


def places(ranks: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the place of each rank (greater is better); equal ranks share a place.

    >>> places([(30, 1), (41, 0), (30, 1)])
    (2, 1, 2)
    """
    return tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
