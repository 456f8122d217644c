"""The move policy of Azul: what its weights stand for, and that it is the same compiled and plain."""

import pytest

from tessella.bots.azul import policy as policies
from tessella.bots.netfile import BrokenNet
from tessella.fast.azul import from_state
from tessella.fast.azul import policy as places
from tessella.fast.azul.alphabeta import AlphaBeta
from tests.fast.twins import PLAIN
from tests.games.azul.positions import CONFIGS, board, table

from .positions import any_policy, dealt

STATE = table(
    board(lines="-/b/-/-/-"),
    board(),
    factories="bbyy brrk",
    centre="mbb",
)
"""The first seat has a tile on its second line; five blue tiles are left, two of them in the centre."""
UNIT = 100


def scores(state=STATE, **weights):
    """Score every different take of the first seat with a few weights alone, by notation."""
    policy = [0] * places.WEIGHTS
    for place, weight in weights.items():
        policy[int(place[1:])] = weight
    fast = from_state(state)
    return {fast.write_move(move): score for move, score in AlphaBeta(policy=policy).scores(fast, 0)}


def with_weight(place):
    return {take: score for take, score in scores(**{f"w{place}": UNIT}).items() if score}


def test_a_line_has_a_weight_for_the_tiles_on_it_and_those_that_come():
    second_line_with_one = places.LINE + 5 * (1 + 1)
    assert with_weight(second_line_with_one) == {"2b2": UNIT}
    assert with_weight(second_line_with_one + 1) == {"1b2": UNIT, "cb2": UNIT}


def test_takes_to_the_floor_are_weighed_by_the_number_of_tiles():
    assert with_weight(places.FLOOR) == {"2b-": UNIT, "2k-": UNIT}
    assert with_weight(places.FLOOR + 1) == {"1b-": UNIT, "1y-": UNIT, "2r-": UNIT, "cb-": UNIT}


def test_a_round_weighs_lines_and_floor():
    of_second_round = places.ROUND + 6
    assert with_weight(of_second_round + 5) == {take: UNIT for take in scores() if take.endswith("-")}
    assert {take[-1] for take in with_weight(of_second_round + 3)} == {"4"}
    assert with_weight(places.ROUND) == {}


def test_full_and_unfinished_lines_are_weighed_by_the_value_of_their_space():
    """On an empty wall every space is worth a point."""
    assert set(with_weight(places.FULL + 1)) == {"1b2", "2b2", "cb2"}
    assert set(with_weight(places.FULL)) == {take for take in scores() if take.endswith("1")}
    assert with_weight(places.PART + 4)["2b5"] == pytest.approx(UNIT / 5, abs=UNIT / 32)  # rounded to 64ths


def test_the_penalty_and_the_marker():
    assert with_weight(places.PENALTY)["1b-"] == 2 * UNIT
    assert with_weight(places.PENALTY)["cb-"] == 4 * UNIT
    assert set(with_weight(places.MARKER)) == {take for take in scores() if take.startswith("c")}


def test_tiles_elsewhere_count_for_full_lines_unfinished_ones_and_the_floor():
    assert with_weight(places.ELSEWHERE)["2b2"] == 4 * UNIT
    assert with_weight(places.ELSEWHERE + 1)["2b4"] == 4 * UNIT
    assert with_weight(places.ELSEWHERE + 2)["2b-"] == 4 * UNIT
    assert "2k-" not in with_weight(places.ELSEWHERE + 2)


def test_a_line_that_cannot_be_finished_in_this_round():
    assert "2k3" in with_weight(places.NEVER)
    assert "2b4" not in with_weight(places.NEVER)
    assert with_weight(places.NEVER)["1y3"] == UNIT
    assert {take[-1] for take in with_weight(places.EARLY)} == {"3", "4", "5"}


@pytest.mark.parametrize("config", CONFIGS[:2], ids=str)
@pytest.mark.parametrize("seed", range(8))
def test_takes_have_the_same_scores_compiled_and_plain(config, seed):
    fast = dealt(config, 7 * seed)
    twin = PLAIN["azul.rules"].from_state(fast.to_state())
    for policy in (None, any_policy(seed)):
        plain = PLAIN["azul.alphabeta"].AlphaBeta(policy=policy)
        assert plain.scores(twin, twin.seat()) == AlphaBeta(policy=policy).scores(fast, fast.seat())


def test_a_file_holds_every_weight_and_no_other():
    policy = tuple(any_policy(1))
    file = policies.write(policy)
    assert policies.read(file) == policy
    for broken in (b"{", file.replace(b'"never"', b'"always"'), policies.write(policy[:-1])):
        with pytest.raises(BrokenNet):
            policies.read(broken)
    with pytest.raises(ValueError, match="128 weights"):
        AlphaBeta(policy=[1, 2])


def test_the_shipped_policy_prefers_full_lines_to_the_floor():
    fast = from_state(STATE)
    best = max(AlphaBeta(policy=policies.learned()).scores(fast, 0), key=lambda each: each[1])
    assert fast.write_move(best[0]) in {"1b2", "2b2", "cb2"}
