"""The laws of every game, and what is never lost (core.laws; DU01, DU03, DU04)."""

from random import Random

import pytest

from tessella.core import laws
from tessella.core.game import Over
from tessella.games import duel
from tessella.games.duel.pieces import PLATES

from .positions import CONFIGS, random_acts

GAMES = 3
"""Games for each set of options; raise it for a longer look."""

BOX = duel.inventory(duel.setup(duel.Config()))


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize("number", range(len(CONFIGS)))
def test_random_games_keep_the_laws(number):
    for seed in range(GAMES):
        laws.check_laws(duel, CONFIGS[number], Random(100 * number + seed), every=4)


def test_DU03_every_piece_is_somewhere_after_every_act():
    assert set(BOX.values()) == {13, 9, 2}
    for config, rng in zip(CONFIGS, map(Random, range(8)), strict=True):
        for _, _, state, _ in random_acts(duel.setup(config), rng):
            assert duel.inventory(state) == BOX
            decided = [*state.open, *(back.face for back in (*state.stack, *state.hand) if not back.fresh)]
            assert len({*decided}) == len(decided)
            assert {*decided} <= {*PLATES}
        assert isinstance(duel.turn(state), Over)
