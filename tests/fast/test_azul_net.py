"""A net of Azul: says what its weights say, the same compiled and plain, and is asked by every search that has one."""

import sys
import time
from math import exp
from random import Random

import pytest
from tests.games.azul.positions import CONFIGS, board, table

from tessella.fast.azul import from_state
from tessella.fast.azul_foresight import Foresight
from tessella.fast.azul_inputs import (
    BOARD_INPUTS,
    COLOUR_OF,
    COLUMN_OF,
    COMING,
    HIDDEN,
    LID,
    LINE,
    NEXT,
    PAIR,
    POINTS,
    ROUND,
    ROW,
    SHARED_INPUTS,
    TENS,
    TURN,
    WEIGHTS,
)
from tessella.fast.azul_net import Net
from tessella.fast.azul_search import Search
from tessella.fast.azul_tree import Tree
from tessella.games import azul
from tessella.games.azul.pieces import COLOURS

from .test_azul_search import dealt, drafted, nearly_over
from .twins import TWINS, plain

SCALE = 256
WIN = 1_000_000


def any_weights(seed):
    rng = Random(seed)
    return [rng.randint(-40, 40) for _ in range(WEIGHTS)]


def net_that_counts(*inputs, shared=()):
    """One hidden number, which is how many of these inputs a seat's own board has; it is all that the net says."""
    weights = [0] * WEIGHTS
    for one in inputs:
        weights[PAIR * one] = SCALE
    for one in shared:
        weights[PAIR * BOARD_INPUTS + HIDDEN * one] = SCALE
    weights[PAIR * BOARD_INPUTS + HIDDEN * SHARED_INPUTS + HIDDEN] = SCALE
    return Net(weights, SCALE, SCALE, SCALE)


def share(said):
    """Of what was said of two seats, the share of the first."""
    return 1 / (1 + exp(said[1] - said[0]))


AFTER = table(
    board(lines="-/-/-/yy/b", wall="by.../.b.../...../...../.....", score=23),
    board(wall="...../...../...../...../...w.", score=3),
    lid="3.0.0.0.0",
    order="1>0",
    centre="-",
    round=3,
)
"""Between two rounds; seat 1 starts the next."""


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ([ROW + 0b11], (1, 0)),
        ([ROW, ROW + 32], (0, 2)),
        ([COLUMN_OF + 32 * 3 + 0b10000], (0, 1)),
        ([COLOUR_OF + 0b11], (1, 0)),
        ([TENS + 2], (1, 0)),
        ([TENS], (0, 1)),
        ([POINTS], (23, 3)),
    ],
    ids=str,
)
def test_a_net_is_shown_walls_and_points(inputs, said):
    value = Search(net_that_counts(*inputs)).worth(from_state(AFTER), 0)
    assert value == int(WIN * share(said))


def test_a_net_is_shown_unfinished_lines_and_what_their_tiles_will_score():
    yellow, blue = COLOURS.index("y"), COLOURS.index("b")
    of_four, of_five = LINE + 21 * 2 + 4 * yellow + 2, LINE + 21 * 3 + 4 * blue + 1
    next_of_four = NEXT + 41 * 2 + 10 * 1 + 1
    state = from_state(AFTER)
    for inputs, said in [((of_four,), (1, 0)), ((of_five,), (1, 0)), ((next_of_four,), (1, 0)), ((LINE,), (1, 1))]:
        assert Search(net_that_counts(*inputs)).worth(state, 0) == int(WIN * share(said))


def test_what_all_share_counts_for_all_and_the_turn_for_one():
    for shared in (LID, ROUND + 2, COMING + 2):
        assert Search(net_that_counts(ROW, shared=[shared])).worth(from_state(AFTER), 0) == int(WIN * share((0, 1)))
    assert Search(net_that_counts(shared=[TURN])).worth(from_state(AFTER), 0) == int(WIN * share((0, 1)))
    assert Search(net_that_counts(shared=[TURN + 1])).worth(from_state(AFTER), 0) == int(WIN * share((1, 0)))


def test_the_shares_of_two_seats_are_one_win():
    net = Net(any_weights(1), SCALE, SCALE, SCALE)
    for seed in range(20):
        fast = from_state(nearly_over(azul.Config(2), seed))
        one, other = (Search(net).worth(fast, seat) for seat in (0, 1))
        assert abs(one + other - WIN) <= 1


def test_a_net_of_another_size_is_refused():
    with pytest.raises(ValueError, match="weights"):
        Net([0], 1, 1, 1)


def tried(state, seat, search):
    """The value by trying everything: the seat for itself, the other against it."""
    if not state.centre.strip("m") and not any(state.factories):
        return search.worth(from_state(state), seat)
    values = [tried(drafted(state, move), seat, search) for move in azul.legal_moves(state, state.current)]
    return max(values) if state.current == seat else min(values)


@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize("seed", range(5))
def test_with_a_net_too_alpha_beta_finds_what_trying_everything_finds(wall, seed):
    """Boards that were shown to the net once are remembered: that must never change what it says."""
    state = nearly_over(azul.Config(2, wall), seed)
    search, fresh = (Search(Net(any_weights(seed), SCALE, SCALE, SCALE)) for _ in range(2))
    search.think(from_state(state), state.current)
    assert search.value == tried(state, state.current, fresh)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_net_says_the_same_compiled_and_plain(config, monkeypatch):
    module = TWINS["azul"][1]
    monkeypatch.setitem(sys.modules, "tessella.fast.azul", module)
    plain_search, plain_net = plain("azul_table", "azul_boards", "azul_search"), plain("azul_net")
    net, twin_net = (kind(any_weights(3), SCALE, SCALE, SCALE) for kind in (Net, plain_net.Net))
    fast = dealt(config, 11)
    twin = module.from_state(fast.to_state())
    compiled, search = Search(net), plain_search.Search(twin_net)
    assert search.think(twin, twin.seat(), 60) == compiled.think(fast, fast.seat(), 60)
    assert (search.value, search.nodes, search.depth) == (compiled.value, compiled.nodes, compiled.depth)
    assert fast.is_legal(Tree(net).think(fast, fast.seat(), 60))


# The next round


def test_foresight_settles_doubts_by_deals_and_keeps_its_time():
    """Three takes from the end two moves are nearly equal."""
    net = Net(any_weights(5), SCALE, SCALE, SCALE)
    foresight = Foresight(net)
    compared = 0
    for seed in range(6):
        fast = from_state(nearly_over(azul.Config(2), seed))
        before = fast.to_state()
        begun = time.thread_time()
        move = foresight.think(fast, fast.seat(), 0.03, seed)
        assert time.thread_time() - begun < 1.05 * 0.03 + 0.001
        assert fast.is_legal(move)
        assert fast.to_state() == before
        if foresight.rivals > 1:
            compared += 1
            assert foresight.deals > 0
        else:
            assert move == Search(net).think(fast, fast.seat())
    assert compared
