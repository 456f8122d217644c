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


SECOND_LINE_WITH_ONE = places.LINE + 5 * (1 + 1)
OF_SECOND_ROUND = places.ROUND + 6


@pytest.mark.parametrize(
    ("place", "takes"),
    [
        pytest.param(SECOND_LINE_WITH_ONE, {"2b2": UNIT}, id="a line, one tile on it and one that comes"),
        pytest.param(SECOND_LINE_WITH_ONE + 1, {"1b2": UNIT, "cb2": UNIT}, id="two that come"),
        pytest.param(places.FLOOR, {"2b-": UNIT, "2k-": UNIT}, id="one tile to the floor"),
        pytest.param(places.FLOOR + 1, dict.fromkeys(("1b-", "1y-", "2r-", "cb-"), UNIT), id="two to the floor"),
        pytest.param(places.ROUND, {}, id="the first round"),
        pytest.param(
            OF_SECOND_ROUND + 5, {take: UNIT for take in scores() if take.endswith("-")}, id="the floor in round 2"
        ),
        pytest.param(places.FULL + 1, {"1b2": UNIT, "2b2": UNIT, "cb2": UNIT}, id="a full second line"),
        pytest.param(places.FULL, {take: UNIT for take in scores() if take.endswith("1")}, id="a full first line"),
        pytest.param(places.MARKER, {take: UNIT for take in scores() if take.startswith("c")}, id="the marker"),
    ],
)
def test_a_weight_counts_for_some_takes_only(place, takes):
    assert with_weight(place) == takes


@pytest.mark.parametrize(
    ("place", "take", "times"),
    [
        pytest.param(places.PART + 4, "2b5", 1 / 5, id="an unfinished line"),
        pytest.param(places.PENALTY, "1b-", 2, id="the penalty"),
        pytest.param(places.PENALTY, "cb-", 4, id="with the marker"),
        pytest.param(places.ELSEWHERE, "2b2", 4, id="tiles elsewhere for a full line"),
        pytest.param(places.ELSEWHERE + 1, "2b4", 4, id="for an unfinished one"),
        pytest.param(places.ELSEWHERE + 2, "2b-", 4, id="for the floor"),
        pytest.param(places.ELSEWHERE + 2, "2k-", 0, id="none elsewhere"),
        pytest.param(places.NEVER, "1y3", 1, id="a line that cannot be finished in this round"),
        pytest.param(places.NEVER, "2b4", 0, id="one that can"),
    ],
)
def test_a_weight_counts_so_many_times(place, take, times):
    assert with_weight(place).get(take, 0) == pytest.approx(times * UNIT, abs=UNIT / 32)  # rounded to 64ths


def test_lines_that_have_a_weight_of_their_own():
    assert {take[-1] for take in with_weight(OF_SECOND_ROUND + 3)} == {"4"}
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
