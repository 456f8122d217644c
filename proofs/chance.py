"""How likely fair chance is to look like this: Pearson's chi-squared test with the standard library alone."""

from collections.abc import Iterable, Mapping
from math import exp, lgamma, log
from typing import Any, TypeAlias

Counts: TypeAlias = Mapping[Any, int]
Chances: TypeAlias = Mapping[Any, float]
"""The probability of each kind."""

LEAST_EXPECTED = 5.0
"""Rarer kinds are pooled: the test needs counts that are not tiny."""


def p_value(counted: Counts, chances: Chances) -> float:
    """Return how often fair chance would give counts at least as extreme.

    >>> round(p_value({"heads": 60, "tails": 40}, {"heads": 0.5, "tails": 0.5}), 4)
    0.0455
    >>> p_value({"edge": 1}, {"heads": 0.5, "tails": 0.5})
    0.0
    """
    if counted.keys() - chances.keys():
        return 0.0
    total = sum(counted.values())
    cells = list(_cells((counted.get(kind, 0), chance * total) for kind, chance in chances.items()))
    statistic = sum((seen - expected) ** 2 / expected for seen, expected in cells)
    return survival(statistic, len(cells) - 1)


def p_value_of_samples(counted: Counts, kinds: Iterable[object], taken: int) -> float:
    """Return the same for samples without replacement, from the number of times that each thing was taken.

    >>> p_value_of_samples({1: 50, 2: 50, 3: 50, 4: 50}, [1, 2, 3, 4], 2)
    1.0
    """
    all_kinds = list(kinds)
    size, samples = len(all_kinds), sum(counted.values()) / taken
    chance = taken / size
    spread = samples * chance * (1 - chance) * size / (size - 1)
    return survival(sum((counted.get(kind, 0) - samples * chance) ** 2 for kind in all_kinds) / spread, size - 1)


def _cells(cells: Iterable[tuple[int, float]]) -> Iterable[tuple[int, float]]:
    """Return observed and expected counts, with rare kinds pooled."""
    seen, expected = 0, 0.0
    for count, mean in sorted(cells, key=lambda cell: cell[1]):
        seen, expected = seen + count, expected + mean
        if expected >= LEAST_EXPECTED:
            yield seen, expected
            seen, expected = 0, 0.0


def survival(statistic: float, freedom: int) -> float:
    """Return the probability that a chi-squared variable with this many degrees of freedom is greater.

    >>> round(survival(3.841, 1), 3), round(survival(18.307, 10), 3), survival(0, 3)
    (0.05, 0.05, 1.0)
    """
    shape, x = freedom / 2, statistic / 2
    if x <= 0 or freedom < 1:
        return 1.0
    scale = exp(shape * log(x) - x - lgamma(shape))
    return 1 - scale * _series(shape, x) if x < shape + 1 else scale * _fraction(shape, x)


def _series(shape: float, x: float) -> float:
    """Return the lower incomplete gamma function, unscaled."""
    term = total = 1 / shape
    while term > total * 1e-16:
        shape += 1
        term *= x / shape
        total += term
    return total


def _fraction(shape: float, x: float) -> float:
    """Return the upper incomplete gamma function, unscaled, as a continued fraction (Lentz)."""
    below = x + 1 - shape
    ratio, over = 1 / below, 1e300
    total = ratio
    for step in range(1, 10_000):
        factor = step * (shape - step)
        below += 2
        ratio = 1 / (factor * ratio + below)
        over = below + factor / over
        total *= ratio * over
        if abs(ratio * over - 1) < 1e-15:
            break
    return total
