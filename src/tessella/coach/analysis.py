"""What the coach needs from each game: evaluations of positions, best moves, and the luck of deals.

Each game has one file with its analyser; the rest of the coach is the same for all games.
"""

from collections.abc import Callable, Sequence
from math import hypot, sqrt
from statistics import fmean, stdev
from typing import Any, Literal, Protocol, TypeAlias

from msgspec import Struct

from tessella.coach.report import Probabilities
from tessella.core.game import Move, Rng, Seat

AnyState: TypeAlias = Any
"""A state of the game that the analyser was made for."""
AnyDeal: TypeAlias = Any


class Evaluation(Struct, frozen=True):
    """The evaluation of a position: each seat's win probability and lead in points, and the error of a probability.

    `proved` says that the result is certain if both play well: the game was searched to its end.
    """

    probabilities: Probabilities
    leads: tuple[float, ...]
    noise: float = 0.0
    proved: bool = False


class Expectation(Struct, frozen=True):
    """The evaluation after a move, with what its mover knows: the mean over what the deal after it may bring."""

    seat: Seat
    evaluation: Evaluation


class DealEvaluation(Struct, frozen=True):
    """The evaluation after a deal, compared with the mean over deals that might have come.

    `samples` is the number of other deals that were evaluated for it; 0 if the move before was evaluated instead.
    """

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

    def deal(self, state: AnyState, deal: AnyDeal, expected: Expectation | None, rng: Rng, /) -> DealEvaluation:
        """Return how lucky a deal is, compared with others that might have come.

        `expected` is the evaluation of the move right before the deal; None if there was none.
        """
        ...


UNKNOWN_ERROR = 0.25
"""Standard error assumed for a single sample of a probability."""


def mean(samples: Sequence[Evaluation]) -> Evaluation:
    """Return the mean of several evaluations of one position; its noise is the standard error."""
    by_seat = list(zip(*(sample.probabilities for sample in samples), strict=True))
    leads = tuple(map(fmean, zip(*(sample.leads for sample in samples), strict=True)))
    return Evaluation(tuple(map(fmean, by_seat)), leads, max(map(standard_error, by_seat)))


def average(one: Evaluation, other: Evaluation) -> Evaluation:
    """Return the mean of two independent evaluations of one position.

    >>> average(Evaluation((0.5, 0.5), (1.0, -1.0), 0.03), Evaluation((0.7, 0.3), (3.0, -3.0), 0.04)).noise
    0.025
    """
    leads = tuple(map(fmean, zip(one.leads, other.leads, strict=True)))
    probabilities = tuple(map(fmean, zip(one.probabilities, other.probabilities, strict=True)))
    return Evaluation(probabilities, leads, hypot(one.noise, other.noise) / 2)


def sample(evaluate: Callable[[], Evaluation], least: int, most: int, precision: float) -> list[Evaluation]:
    """Return samples of an evaluation: at least `least`, and more until their mean is precise or there are `most`."""
    found = [evaluate() for _ in range(least)]
    while len(found) < most and mean(found).noise > precision:
        found.append(evaluate())
    return found


def standard_error(numbers: Sequence[float]) -> float:
    """Return the standard error of the mean of some probabilities."""
    return stdev(numbers) / sqrt(len(numbers)) if len(numbers) > 1 else UNKNOWN_ERROR


def win_shares(places: Sequence[int]) -> Probabilities:
    """Return each seat's share of the win, given the final places: tied winners share it.

    >>> win_shares((2, 1, 1))
    (0.0, 0.5, 0.5)
    """
    return tuple((place == 1) / places.count(1) for place in places)
