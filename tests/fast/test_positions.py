"""The compiled games answer for positions where random play does not go, and for dense finals of Azul Duel."""

from random import Random

import pytest

from tessella.core.game import Over
from tessella.games import GAMES, duel
from tests.oracles.compare import TITLES, Pair
from tests.oracles.policies import at_random
from tests.oracles.positions import POSITIONS, Position, dense_final, scarce_lid, scarce_supply
from tests.tiers import nightly

from .twins import TWINS, play_on

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
def test_dense_finals_are_scored_alike_compiled_and_plain():
    for seed in range(250):
        rng = Random(seed)
        play_on(duel, dense_final(rng), rng)


@pytest.mark.heavy
@pytest.mark.parametrize("finals", [500, *nightly(2_500), pytest.param(100_000, marks=pytest.mark.slow)])
def test_DU50_to_DU58_dense_finals_are_scored_alike_readable_compiled_and_by_the_oracle(finals):
    for seed in range(finals):
        require_final_alike(seed)


def require_final_alike(seed: int) -> None:
    """After the readable game and the oracle agree on every act, the compiled game makes the same ones."""
    rng = Random(seed)
    state = dense_final(rng)
    compiled = TWINS["duel"][0].from_state(state)
    pair = Pair.at_position(TITLES["duel"], state, f"dense final {seed}")
    pair.play(at_random, rng)
    for act in pair.acts:
        compiled.apply(compiled.from_move(duel.read_move(state, 0, act.partition(":")[2])))
    over = duel.turn(pair.state)
    assert isinstance(over, Over)
    assert compiled.to_state() == pair.state
    assert (compiled.scores(), compiled.places()) == (over.scores, over.places), pair.name
