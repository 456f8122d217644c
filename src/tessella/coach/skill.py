"""Strength by points: how far apart players finish says more than who finished first.

A player's margin is their score less the mean of the others', in units of the spread that margins have between equals.
Each margin shows the difference of two strengths with an error of about 1. A Kalman filter keeps the best estimate
of each strength and its error; the difference of two strengths gives the chance of a win. On equal deals with the seats
swapped the luck of both games cancels out in the sum, so nothing special is done for them.

How much is gained is measured by `scripts/prove skill`. The luck of the deals that the coach finds is not subtracted:
it explains too little of the results (docs/measurements/skill.md).
"""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean
from typing import TypeVar

from msgspec import Struct

from tessella.core.game import Seat

T = TypeVar("T")

SPREADS = {
    ("azul", 2): 13.2,
    ("azul", 3): 17.2,
    ("azul", 4): 14.4,
    ("duel", 2): 21.5,
    ("blockers", 2): 2.1,
    ("blockers", 3): 1.35,
    ("blockers", 4): 1.47,
    ("blockers", 5): 1.23,
}
"""Standard deviation of a margin between equals, by game and number of seats."""
FEWEST_WIN = {"blockers"}
"""Games in which the fewest points win."""
MOST = 3.0
"""A margin of more spreads counts as this many: the loser of such a game often stopped trying."""
GIVEN_UP = 1.0
"""Giving up costs at least this many spreads."""
DRIFT = 0.002
"""How much the variance of a strength grows per game: people learn."""
POINTS_AT_START, POINTS_PER_SPREAD = 1500.0, 200 / NormalDist().inv_cdf(0.75)
"""How a strength is displayed: as with the other rating, a lead of 200 points wins three games of four."""


class Strength(Struct, frozen=True):
    """An estimated strength in spreads, 0 for an average player, and the variance of its error."""

    mean: float = 0.0
    variance: float = 1.0

    @property
    def points(self) -> int:
        """Return the strength as it is displayed.

        >>> Strength().points, Strength(0.6745).points
        (1500, 1700)
        """
        return round(POINTS_AT_START + POINTS_PER_SPREAD * self.mean)

    @property
    def error(self) -> int:
        """Return the standard error of `points`.

        >>> Strength().error
        297
        """
        return round(POINTS_PER_SPREAD * sqrt(self.variance))


def margins(title: str, scores: Sequence[int]) -> list[float]:
    """Return each seat's margin in spreads.

    >>> margins("duel", (83, 40))
    [2.0, -2.0]
    """
    spread = SPREADS[title, len(scores)] * (-1 if title in FEWEST_WIN else 1)
    raw = [(score - fmean(_others(scores, seat))) / spread for seat, score in enumerate(scores)]
    return [max(-MOST, min(MOST, margin)) for margin in raw]


def updated(strengths: Sequence[Strength], seen: Sequence[float]) -> list[Strength]:
    """Return the strengths after a game with these margins.

    >>> after = updated([Strength(), Strength()], [1.5, -1.5])
    >>> [round(strength.mean, 3) for strength in after], after[0].variance < 1
    ([0.5, -0.5], True)
    """
    return [_updated(strengths, seat, margin) for seat, margin in enumerate(seen)]


def _updated(strengths: Sequence[Strength], seat: Seat, margin: float) -> Strength:
    """Return one strength after a game: moved towards what was seen, the more the less certain it was."""
    own, others = strengths[seat], _others(strengths, seat)
    surprise = margin - (own.mean - fmean(other.mean for other in others))
    total = own.variance + sum(other.variance for other in others) / len(others) ** 2 + 1.0
    gain = own.variance / total
    return Strength(own.mean + gain * surprise, own.variance * (1 - gain) + DRIFT)


def win_probability(lead: float) -> float:
    """Return how likely the stronger of two players wins, given the difference of their strengths.

    >>> win_probability(0.0), round(win_probability(0.6745), 3)
    (0.5, 0.75)
    """
    return NormalDist().cdf(lead)


def _others(values: Sequence[T], seat: Seat) -> list[T]:
    return [value for other, value in enumerate(values) if other != seat]
