"""The compiled games answer for positions where random play does not go, and for dense finals of Azul Duel."""

from random import Random

import pytest

from tessella.games import GAMES, duel
from tests.oracles.positions import POSITIONS, Position, dense_final, scarce_lid, scarce_supply
from tests.tiers import nightly

from .twins import play_on

LISTED = [position for positions in POSITIONS.values() for position in positions]


@pytest.mark.heavy
@pytest.mark.parametrize("position", LISTED, ids=lambda position: f"{position.game}, {position.name}")
def test_a_set_up_position_is_played_alike_to_the_end(position: Position):
    for seed in range(2):
        play_on(GAMES[position.game], position.state, Random(seed), position.acts)


@pytest.mark.heavy
@pytest.mark.parametrize(("game", "make"), [("azul", scarce_lid), ("duel", scarce_supply)], ids=["azul", "duel"])
def test_rounds_from_scarce_supplies_are_played_alike(game, make):
    for seed in range(25):
        rng = Random(seed)
        play_on(GAMES[game], make(rng), rng)


@pytest.mark.heavy
@pytest.mark.parametrize("finals", [250, *nightly(2_500), pytest.param(100_000, marks=pytest.mark.slow)])
def test_dense_finals_are_scored_alike(finals):
    for seed in range(finals):
        rng = Random(seed)
        play_on(duel, dense_final(rng), rng)
