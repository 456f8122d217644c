"""The nine laws over a thousand random games of every configuration of every game."""

from random import Random

import pytest

from tessella.core.game import AnyGame, Config
from tessella.core.laws import check_laws
from tessella.games import azul, blockers, duel

from .azul import positions as azul_positions
from .blockers import positions as blockers_positions

GAMES = 1_000
EVERY = 40

DUEL = [
    duel.Config(),
    duel.Config(faces=("colour_rows", "outer", "corners"), special_counts_as_colour=False),
    duel.Config(faces=("rows", "columns", "diagonals", "jokers")),
    duel.Config(faces=("colour_rows", "outer", "corners", "empty_specials")),
]
CASES: list[tuple[AnyGame, Config]] = [
    *((azul, config) for config in azul_positions.CONFIGS),
    *((blockers, config) for config in blockers_positions.CONFIGS),
    *((duel, config) for config in DUEL),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "config"), CASES, ids=str)
def test_a_thousand_games_keep_the_laws(game, config):
    for seed in range(GAMES):
        check_laws(game, config, Random(seed), every=EVERY)
