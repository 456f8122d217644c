"""The nine laws over a thousand random games of every configuration of every game."""

from random import Random

import pytest

from tessella.core.game import AnyGame, Config
from tessella.core.laws import check_laws
from tessella.games import azul, blockers, duel

GAMES = 1_000
EVERY = 40

AZUL = [azul.Config(seats, wall) for seats in (2, 3, 4) for wall in ("coloured", "grey")]
BLOCKERS = [blockers.Config(seats, scoring) for seats in (2, 3, 4, 5) for scoring in ("blockers", "uptown")]
DUEL = [
    duel.Config(),
    duel.Config(faces=("colour_rows", "outer", "corners"), special_counts_as_colour=False),
    duel.Config(faces=("rows", "columns", "diagonals", "jokers")),
    duel.Config(faces=("colour_rows", "outer", "corners", "empty_specials")),
]
CASES: list[tuple[AnyGame, Config]] = [
    *((azul, config) for config in AZUL),
    *((blockers, config) for config in BLOCKERS),
    *((duel, config) for config in DUEL),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "config"), CASES, ids=str)
def test_a_thousand_games_keep_the_laws(game, config):
    for seed in range(GAMES):
        check_laws(game, config, Random(seed), every=EVERY)
