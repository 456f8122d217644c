"""What the coach needs from each game: evaluations of positions, best moves, and the luck of deals.

Each game has one file with its analyser; the rest of the coach is the same for all games.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Literal, Protocol, TypeAlias

from msgspec import Struct

from tessella.coach.report import Probabilities
from tessella.core.game import Move, Rng, Seat

AnyState: TypeAlias = Any
"""A state of the game that the analyser was made for."""
AnyDeal: TypeAlias = Any


class Evaluation(Struct, frozen=True):
    """The evaluation of a position: each seat's win probability and lead in points, and the error of a probability."""

    probabilities: Probabilities
    leads: tuple[float, ...]
    noise: float = 0.0


class DealEvaluation(Struct, frozen=True):
    """The evaluation after a deal, compared with the mean over other deals that might have come."""

    after: Evaluation
    before: Probabilities
    luck: Probabilities
    samples: int
    noise: float


class Analyser(Protocol):
    """An analyser of one game with a fixed budget. The same random numbers give the same results."""

    @property
    def method(self) -> Literal["search"]:
        """How positions are evaluated."""
        ...

    @property
    def nodes(self) -> int:
        """How many positions it searches, or games it imagines, to evaluate one position."""
        ...

    def round_of(self, state: AnyState, /) -> int:
        """Return the round of a position, from 1; a deal belongs to the round that it opens."""
        ...

    def best(self, state: AnyState, seat: Seat, rng: Rng, /) -> Move:
        """Return the best move of a seat, using only what the seat may know."""
        ...

    def evaluate(self, state: AnyState, move: Move, rng: Rng, /) -> Evaluation:
        """Return the evaluation after a move, using only what the mover may know."""
        ...

    def same(self, state: AnyState, move: Move, other: Move, /) -> bool:
        """Return whether two moves are equivalent."""
        ...

    def line(self, state: AnyState, move: Move, rng: Rng, /) -> tuple[str, ...]:
        """Return the principal variation that starts with a move, in notation."""
        ...

    def deal(self, state: AnyState, deal: AnyDeal, rng: Rng, /) -> DealEvaluation:
        """Return how lucky a deal is, compared with others that might have come."""
        ...


UNKNOWN_ERROR = 0.25
"""Standard error assumed for a single sample of a probability."""


def mean(samples: Sequence[Evaluation]) -> Evaluation:
    """Return the mean of several evaluations of one position; its noise is the standard error."""
    by_seat = list(zip(*(sample.probabilities for sample in samples), strict=True))
    leads = tuple(map(fmean, zip(*(sample.leads for sample in samples), strict=True)))
    return Evaluation(tuple(map(fmean, by_seat)), leads, max(map(standard_error, by_seat)))


def standard_error(numbers: Sequence[float]) -> float:
    """Return the standard error of the mean of some probabilities."""
    return stdev(numbers) / sqrt(len(numbers)) if len(numbers) > 1 else UNKNOWN_ERROR


def win_shares(places: Sequence[int]) -> Probabilities:
    """Return each seat's share of the win, given the final places: tied winners share it.

    >>> win_shares((2, 1, 1))
    (0.0, 0.5, 0.5)
    """
    return tuple((place == 1) / places.count(1) for place in places)
