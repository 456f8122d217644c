"""Statistics of strength: confidence intervals, a sequential test, and Elo ratings for a whole ladder.

Games on the same deal are not independent, so everything here starts from groups: the results of all games
that were played on one deal, each player once in every seat.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations, product
from statistics import NormalDist, fmean, variance

from msgspec import Struct

Z = NormalDist().inv_cdf(0.975)
"""Half-width of a 95 % interval, in standard errors."""
MIN_VARIANCE_RATIO = 0.5
"""Paired games count for at most twice as many independent ones, however well pairing works in a sample."""
PRIOR_PAIRS = 1.0
"""Prior of the sequential test, in pairs; without it the test would be too confident after a few pairs that agree."""
ELO = 400 / math.log(10)
"""Elo points per unit of log-odds."""


class Interval(Struct, frozen=True):
    """A measured value and its 95 % confidence interval."""

    value: float
    low: float
    high: float


# One number and its interval


def wilson(share: float, games: float) -> Interval:
    """Return the Wilson interval of a win share over independent games; it stays within 0 to 1.

    >>> wilson(0.8, 10)
    Interval(value=0.8, low=0.4901624715, high=0.9433178485)
    """
    centre = share + Z**2 / (2 * games)
    reach = Z * math.sqrt(share * (1 - share) / games + (Z / (2 * games)) ** 2)
    low, high = ((centre + side * reach) / (1 + Z**2 / games) for side in (-1, 1))
    return Interval(share, max(0.0, round(low, 10)), min(1.0, round(high, 10)))


def share_of_groups(groups: Sequence[Sequence[float]]) -> Interval:
    """Return the win share over groups of games, with Wilson's interval for the effective number of games.

    A hundred pairs in which one side won both games count as a hundred games, not two hundred:

    >>> share_of_groups([(1, 1), (0, 0)] * 50).low == wilson(0.5, 99).low
    True
    """
    games = sum(map(len, groups))
    share = sum(map(sum, groups)) / games
    alone = share * (1 - share) / games
    if len(groups) < 2 or not alone:
        return wilson(share, games if len(groups) > 1 else 1)
    together = variance(fmean(group) for group in groups) / len(groups)
    return wilson(share, games / max(MIN_VARIANCE_RATIO, together / alone))


def mean_of_groups(values: Sequence[float]) -> Interval:
    """Return the mean of one value per group, with Student's interval.

    >>> mean_of_groups([1.0, 2.0, 3.0, 4.0, 5.0]).high
    4.96
    """
    mean = fmean(values)
    if len(values) < 2:
        return Interval(mean, -math.inf, math.inf)
    reach = _student(len(values) - 1) * math.sqrt(variance(values) / len(values))
    return Interval(mean, round(mean - reach, 2), round(mean + reach, 2))


def _student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t: from a table for few degrees of freedom, else by Cornish-Fisher.

    >>> [round(_student(freedom), 2) for freedom in (1, 4, 10, 100)]
    [12.71, 2.78, 2.23, 1.98]
    """
    table = (12.706, 4.303, 3.182, 2.776, 2.571)
    if freedom <= len(table):
        return table[freedom - 1]
    return Z + (Z**3 + Z) / (4 * freedom) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the percentile of some values, by the nearest-rank method.

    >>> percentile([3.0, 1.0, 2.0, 4.0], 50)
    2.0
    """
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)]


# Elo


def expected(elo: float) -> float:
    """Return the expected score for a lead of this many Elo points.

    >>> round(expected(100), 3)
    0.64
    """
    return 1 / (1 + math.exp(-elo / ELO))


def lead(share: float) -> float:
    """Return the lead in Elo points that a score stands for.

    >>> round(lead(0.75))
    191
    """
    return math.inf if share >= 1 else -math.inf if share <= 0 else ELO * math.log(share / (1 - share))


# The sequential test


class Sprt(Struct, frozen=True):
    """A sequential probability ratio test of `elo1` against `elo0`, with error rate `error` either way."""

    elo0: float
    elo1: float
    error: float = 0.05

    @property
    def bound(self) -> float:
        """The log-likelihood ratio that decides: its positive for `elo1`, its negative for `elo0`.

        >>> round(Sprt(0, 10).bound, 3)
        2.944
        """
        return math.log((1 - self.error) / self.error)

    def ratio(self, pairs: Sequence[float]) -> float:
        """Return the log-likelihood ratio of pairs of games, each with score 0, ¼, ½, ¾ or 1 (pentanomial model)."""
        counts = Counter(round(4 * pair) for pair in pairs)
        seen = [counts[quarter] + PRIOR_PAIRS / 5 for quarter in range(5)]
        return _pentanomial(seen, expected(self.elo0), expected(self.elo1))

    def verdict(self, pairs: Sequence[float]) -> str | None:
        """Return "elo1" or "elo0" if the test has decided, else None."""
        ratio = self.ratio(pairs)
        return "elo1" if ratio >= self.bound else "elo0" if ratio <= -self.bound else None


def _pentanomial(counts: Sequence[float], share0: float, share1: float) -> float:
    """Return the generalised log-likelihood ratio: the likeliest frequencies with one mean against the other."""
    total = sum(counts)
    observed = [count / total for count in counts]
    tilt0, tilt1 = (_tilt(observed, share) for share in (share0, share1))
    each = [
        math.log1p(tilt0 * (quarter / 4 - share0)) - math.log1p(tilt1 * (quarter / 4 - share1)) for quarter in range(5)
    ]
    return total * sum(frequency * gain for frequency, gain in zip(observed, each, strict=True))


def _tilt(observed: Sequence[float], share: float) -> float:
    """Return t for which the frequencies f / (1 + t (x - share)) have the mean share; found by bisection."""
    low, high = -1 / (1 - share), 1 / share
    for _ in range(60):
        tilt = (low + high) / 2
        parts = [quarter / 4 - share for quarter in range(5)]
        slope = sum(f * part / (1 + tilt * part) for f, part in zip(observed, parts, strict=True))
        low, high = (tilt, high) if slope > 0 else (low, tilt)
    return (low + high) / 2


# Ratings


def orders(players: Sequence[str], places: Sequence[int]) -> dict[tuple[str, ...], float]:
    """Return the finishing orders with their weights; a tie is split evenly over the possible orders.

    >>> orders(["a", "b", "c"], [2, 1, 2])
    {('b', 'a', 'c'): 0.5, ('b', 'c', 'a'): 0.5}
    """
    came_in = sorted(zip(places, players, strict=True))
    ranks = [[player for place, player in came_in if place == rank] for rank in sorted({*places})]
    ways = [sum(way, ()) for way in product(*(list(permutations(rank)) for rank in ranks))]
    return {way: count / len(ways) for way, count in Counter(ways).items()}


def elo(finishes: Iterable[Mapping[tuple[str, ...], float]], anchor: str, points: float = 1000) -> dict[str, Interval]:
    """Return maximum-likelihood Elo ratings (Plackett-Luce; for two players Bradley-Terry).

    Every two players that have met get one extra drawn game, so that all ratings are finite.

    >>> elo([{("b", "a"): 30.0, ("a", "b"): 10.0}], "a")["b"].value
    1185.2
    """
    weights: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for finish in finishes:
        for order, weight in finish.items():
            weights[order] += weight
    for met in {pair for order in weights for pair in permutations(set(order), 2)}:
        weights[met] += 0.5
    names = [anchor, *sorted({name for order in weights for name in order} - {anchor})]
    logs, spread = _likeliest(names, weights)
    return {
        name: Interval(*(round(points + ELO * (log + side * Z * error), 1) for side in (0, -1, 1)))
        for name, log, error in zip(names, logs, spread, strict=True)
    }


def _likeliest(names: Sequence[str], weights: Mapping[tuple[str, ...], float]) -> tuple[list[float], list[float]]:
    """Return the likeliest log strengths (Newton's method; the first stays 0) and their standard errors."""
    logs = [0.0] * len(names)
    for _ in range(100):
        slope, bend = _derivatives(names, logs, weights)
        step = _solve(bend, slope)
        shrink = min(1.0, 2 / max(map(abs, step), default=1.0)) if any(step) else 1.0
        logs = [0.0, *(log + shrink * change for log, change in zip(logs[1:], step, strict=True))]
        if max(map(abs, step), default=0.0) < 1e-9:
            break
    _, bend = _derivatives(names, logs, weights)
    units = [[float(row == column) for column in range(len(bend))] for row in range(len(bend))]
    return logs, [0.0, *(math.sqrt(_solve(bend, unit)[place]) for place, unit in enumerate(units))]


def _derivatives(
    names: Sequence[str], logs: Sequence[float], weights: Mapping[tuple[str, ...], float]
) -> tuple[list[float], list[list[float]]]:
    """Return gradient and negative Hessian of the log-likelihood, for all players but the first."""
    place = {name: number for number, name in enumerate(names)}
    slope = [0.0] * len(names)
    bend = [[0.0] * len(names) for _ in names]
    for order, weight in weights.items():
        for first in range(len(order) - 1):
            left = [place[name] for name in order[first:]]
            odds = [math.exp(logs[number]) for number in left]
            chances = [odd / sum(odds) for odd in odds]
            slope[left[0]] += weight
            for number, chance in zip(left, chances, strict=True):
                slope[number] -= weight * chance
                bend[number][number] += weight * chance
                for other, others in zip(left, chances, strict=True):
                    bend[number][other] -= weight * chance * others
    return slope[1:], [row[1:] for row in bend[1:]]


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a linear system by Gaussian elimination with partial pivoting."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead_row = rows[column]
        for row in range(size):
            if row != column:
                factor = rows[row][column] / lead_row[column]
                rows[row] = [value - factor * above for value, above in zip(rows[row], lead_row, strict=True)]
    return [rows[row][-1] / rows[row][row] for row in range(size)]
