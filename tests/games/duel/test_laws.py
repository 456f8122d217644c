"""The laws of every game, and what is never lost (core.laws; DU01, DU03, DU04)."""

from random import Random

import pytest

from tessella.core import laws
from tessella.core.game import Over
from tessella.games import duel
from tessella.games.duel.pieces import PLATES
from tests.games.playing import MANY_GAMES

from .positions import CONFIGS, random_acts

BOX = duel.inventory(duel.setup(duel.Config()))


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize(("games", "every"), [(3, 4), MANY_GAMES])
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_random_games_keep_the_laws(config, games, every):
    for seed in range(games):
        laws.check_laws(duel, config, Random(f"{config} {seed}"), every=every)


def test_DU03_every_piece_is_somewhere_after_every_act():
    assert set(BOX.values()) == {13, 9, 2}
    for config, rng in zip(CONFIGS, map(Random, range(8)), strict=True):
        for _, _, state, _ in random_acts(duel.setup(config), rng):
            assert duel.inventory(state) == BOX
            decided = [*state.open, *(back.face for back in (*state.stack, *state.hand) if not back.fresh)]
            assert len({*decided}) == len(decided)
            assert {*decided} <= {*PLATES}
        assert isinstance(duel.turn(state), Over)
