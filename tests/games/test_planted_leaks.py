"""Every planted leak is caught by the laws alone."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from tessella.core.game import Rng
from tessella.core.laws import BrokenLaw, any_kind, check_laws
from tessella.games import blockers, duel

from .planted_leaks import BLOCKERS, DUEL, LEAKS, Leak, load

MOST_GAMES = 60
"""How many random games the laws get to find a leak; most are found in the first."""


def check(game: Any, seed: int) -> None:
    """Check the laws in one game; in every other one of Azul Duel, players draw as many plates as they can."""
    config = game.Config(2 + seed % 2) if game.NAME == "blockers" else game.Config(free_draws="always")
    check_laws(game, config, Random(seed), every=2, choose=draw_on if seed % 2 and game.NAME == "duel" else any_kind)


def draw_on(moves: Sequence[Any], rng: Rng) -> Any:
    """Return a draw, if there is one, four times of five: then plates are known, returned and drawn again."""
    draws = [move for move in moves if type(move).__name__ == "Draw"]
    return draws[0] if draws and rng.randrange(5) else any_kind(moves, rng)


def broken_law(leak: Leak) -> int:
    """Return the law that random play finds broken, or 0."""
    game = load(leak)
    for seed in range(MOST_GAMES):
        try:
            check(game, seed)
        except BrokenLaw as exc:
            return exc.law
    return 0


def test_the_suite_is_large_enough():
    assert len({leak.name for leak in LEAKS}) == len(LEAKS) >= 25


@pytest.mark.heavy
@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.name)
def test_a_planted_leak_breaks_a_law(leak):
    assert broken_law(leak) in (4, 5, 8, 9)


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize("leaks", [BLOCKERS, DUEL], ids=["blockers", "duel"])
def test_a_game_that_is_loaded_without_a_leak_breaks_no_law(leaks):
    """The control: the loader itself changes nothing."""
    game = load(leaks[0]._replace(new=leaks[0].old))
    assert game not in (blockers, duel)
    check(game, 0)
