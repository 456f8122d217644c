"""Random play has a fingerprint: an engine that knows other rules, or deals otherwise, leaves another one."""

from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from tessella.core.game import Choose, Over
from tessella.games import azul
from tests.tiers import nightly

# Means over two-player games on the coloured wall in which everybody picks any legal move, each as likely as the
# others; and half of the last printed digit.
PUBLISHED = {
    "plies": (70.3, 0.05),
    "rounds": (6.60, 0.005),
    "legal moves": (23.15, 0.005),
    "score": (2.96, 0.005),
}


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize("games", [250, *nightly(1_000), pytest.param(5_000, marks=pytest.mark.slow)])
def test_random_play_has_the_published_fingerprint(games):
    rng = Random(20_170_711)
    measured = [fingerprint(rng) for _ in range(games)]
    plies = [game["plies"] for game in measured]
    for name, (published, half_digit) in PUBLISHED.items():
        mean, error = mean_per_ply(measured, plies) if name == "legal moves" else mean_per_game(measured, name)
        assert abs(mean - published) <= 3 * error + half_digit, f"{name}: {mean:.3f} ± {error:.3f}, not {published}"


def fingerprint(rng: Random) -> dict[str, float]:
    """What one random game shows."""
    plies = legal = 0
    state = azul.setup(azul.Config(2))
    while not isinstance(turn := azul.turn(state), Over):
        act: azul.Move | azul.Deal
        if isinstance(turn, Choose):
            moves = azul.legal_moves(state, turn.seats[0])
            act = rng.choice(moves)
            plies, legal = plies + 1, legal + len(moves)
        else:
            act = azul.deal(state, rng)
        state, _ = azul.apply(state, act)
    return {"plies": plies, "rounds": state.round, "legal moves": legal, "score": fmean(turn.scores)}


def mean_per_game(measured: list[dict[str, float]], name: str) -> tuple[float, float]:
    """A mean and its standard error. The two scores of a game count as one: they are not independent."""
    values = [game[name] for game in measured]
    return fmean(values), stdev(values) / sqrt(len(values))


def mean_per_ply(measured: list[dict[str, float]], plies: list[float]) -> tuple[float, float]:
    """A ratio of two sums, and its standard error."""
    mean = sum(game["legal moves"] for game in measured) / sum(plies)
    strays = [game["legal moves"] - mean * game["plies"] for game in measured]
    return mean, stdev(strays) / sqrt(len(strays)) / fmean(plies)
