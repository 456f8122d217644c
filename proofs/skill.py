"""Strength by points needs fewer games than plain results, and says the same.

Two players of Azul about 100 Elo apart meet on equal deals with the seats swapped. How many games show who is
stronger is proportional to the variance of what is counted, divided by the square of its mean; games on one deal count
together. The strength by points is unbiased if the win share that follows from it is the one that was seen.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, variance

from proofs import Ask, Figure, Report
from tessella.arena.contest import Contest
from tessella.arena.play import Result, play
from tessella.arena.strength import Z, lead
from tessella.coach.skill import margins, win_probability
from tessella.core.record import write_rules
from tessella.games import azul
from tessella.progress import progress

PLAYERS = ("6@6000n", "6@2000n")
MOST_OF_PLAIN = 0.6
"""The goal: at most this fraction of the games that plain results need. It is missed: margins that are normally
distributed need 2/π = 0.64, and luck explains little more (docs/measurements/skill.md)."""
ENOUGH_DEALS = 500
"""With fewer deals the fraction is too uncertain to be judged."""
CERTAIN = NormalDist().inv_cdf(0.995)
"""A difference of this many standard errors is bias; chance alone shows one in a hundred runs."""


def prove(ask: Ask) -> Report:
    """Play `ask.size` deals, each twice, and compare plain results with points."""
    contest = Contest(write_rules(azul, azul.Config(2)), ask.seed, PLAYERS, 2 * ask.size)
    groups = [[play(fixture) for fixture in group] for group in progress(list(contest.groups()), "deals")]
    plain = [[_share(result) for result in group] for group in groups]
    points = [[_margin(result) for result in group] for group in groups]
    single = [[each] for group in plain for each in group]
    share = 0.5 + fmean(map(fmean, plain))
    ratio, bias = _needed(points) / _needed(single), _bias(plain, points)
    unsure = {} if ask.size >= ENOUGH_DEALS else {"of_plain": f"needs {ENOUGH_DEALS} deals"}
    return Report(
        (
            Figure("games", 2 * ask.size, at_least=1),
            Figure("elo", lead(share), note="by which the first player is stronger, from plain results"),
            Figure("plain_games", _needed(single), note="that show at 95 % who is stronger, by who won"),
            Figure("paired_games", _needed(plain), note="by who won, on equal deals"),
            Figure("point_games", _needed([[each] for group in points for each in group]), note="by points"),
            Figure("both_games", _needed(points), note="by points, on equal deals"),
            Figure("of_plain", ratio, at_most=None if unsure else MOST_OF_PLAIN, note="the last, of the first"),
            Figure("share", share, note="of the wins"),
            Figure("expected_share", win_probability(fmean(map(fmean, points))), note="from the points"),
            Figure("bias", abs(bias), at_most=CERTAIN, note="between the two, in standard errors"),
        ),
        not_judged=unsure,
    )


def _share(result: Result) -> float:
    return result.share(result.fixture.players.index(PLAYERS[0])) - 0.5


def _margin(result: Result) -> float:
    return margins("azul", result.scores)[result.fixture.players.index(PLAYERS[0])]


def _needed(groups: Sequence[Sequence[float]]) -> float:
    """Return the number of games after which the mean of what is counted differs from 0 at 95 %."""
    means = [fmean(group) for group in groups]
    return Z**2 * variance(means) / fmean(means) ** 2 * len(groups[0])


def _bias(plain: Sequence[Sequence[float]], points: Sequence[Sequence[float]]) -> float:
    """Return expected minus actual win share, in standard errors of their difference over the deals."""
    mean = fmean(map(fmean, points))
    slope = NormalDist().pdf(mean)
    expected = win_probability(mean) - 0.5
    apart = [slope * fmean(point) - fmean(win) for win, point in zip(plain, points, strict=True)]
    return (expected - fmean(map(fmean, plain))) / sqrt(variance(apart) / len(apart))
