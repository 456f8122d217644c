"""The laws of every game, and what is never lost (core.laws; DU01, DU03, DU04)."""

from random import Random

import pytest

from tessella.core import laws, record
from tessella.core import link as short
from tessella.core.game import Over
from tessella.core.local import LocalTable
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
        for _, _, state, _ in random_acts(config, rng):
            assert duel.inventory(state) == BOX
            decided = [*state.open, *(back.face for back in (*state.stack, *state.hand) if not back.fresh)]
            assert len({*decided}) == len(decided)
            assert {*decided} <= {*PLATES}
        assert isinstance(duel.turn(state), Over)


def test_a_game_fits_in_a_link():
    whole = laws.check_laws(duel, duel.Config(), Random(7), every=50)
    link = short.shorten(duel, whole)
    assert short.expand(duel, link).acts == whole.acts
    assert len(link) < 1200


def test_a_table_deals_by_itself_and_its_record_can_be_verified():
    table = LocalTable(duel, duel.Config(), seed=bytes(32))
    rng = Random(1)
    while not isinstance(table.turn, Over):
        table.play(rng.choice(table.moves))
    assert record.verify(duel, table.record()) > 20


def test_no_game_is_longer_than_its_bound():
    assert duel.longest(duel.Config()) < 1000
