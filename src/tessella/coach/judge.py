"""What the coach must know of a game: who stands how, what would be best, and how lucky a deal was.

Each game has one file with its judge; everything else of the coach is the same for all games.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Literal, Protocol, TypeAlias

from msgspec import Struct

from tessella.coach.report import Shares
from tessella.core.game import Move, Rng, Seat

AnyState: TypeAlias = Any
"""A state of the game that the judge was made for."""
AnyDeal: TypeAlias = Any


class Judged(Struct, frozen=True):
    """How a position stands: each seat's share in the win and its lead in points, and how uncertain a share is."""

    shares: Shares
    leads: tuple[float, ...]
    noise: float = 0.0


class Dealt(Struct, frozen=True):
    """How a position stands after a deal, and how it stood on average after others that might have come."""

    after: Judged
    before: Shares
    luck: Shares
    samples: int
    noise: float


class Judge(Protocol):
    """A judge of one game, for one effort. The same random numbers give the same judgement."""

    @property
    def method(self) -> Literal["search"]:
        """How it judges: it reads on."""
        ...

    @property
    def nodes(self) -> int:
        """How many positions it reads, or games it imagines, to judge one position."""
        ...

    def round_of(self, state: AnyState, /) -> int:
        """The round, from 1, that a position belongs to; a deal belongs to the round that it opens."""
        ...

    def best(self, state: AnyState, seat: Seat, rng: Rng, /) -> Move:
        """The best move of a seat, as far as the seat may know."""
        ...

    def weigh(self, state: AnyState, move: Move, rng: Rng, /) -> Judged:
        """How the position stands after a move, as far as its maker may know."""
        ...

    def same(self, state: AnyState, move: Move, other: Move, /) -> bool:
        """Whether two moves come to the same."""
        ...

    def line(self, state: AnyState, move: Move, rng: Rng, /) -> tuple[str, ...]:
        """How play should go on with a move, in notation, as far as that can be foreseen."""
        ...

    def deal(self, state: AnyState, deal: AnyDeal, rng: Rng, /) -> Dealt:
        """How lucky a deal is, compared with what might have come."""
        ...


def mean(looks: Sequence[Judged]) -> Judged:
    """Several looks at one position, together; the more they differ, the greater the noise."""
    shares = tuple(map(fmean, zip(*(look.shares for look in looks), strict=True)))
    leads = tuple(map(fmean, zip(*(look.leads for look in looks), strict=True)))
    return Judged(shares, leads, max(map(error, zip(*(look.shares for look in looks), strict=True))))


def error(numbers: Sequence[float]) -> float:
    """The standard error of a mean; of a single number it is unknown and taken as a quarter of everything."""
    return stdev(numbers) / sqrt(len(numbers)) if len(numbers) > 1 else 0.25


def shares_of(places: Sequence[int]) -> Shares:
    """What the places at the end are of the win: those who tie share it.

    >>> shares_of((2, 1, 1))
    (0.0, 0.5, 0.5)
    """
    return tuple((place == 1) / places.count(1) for place in places)
