"""A net of Azul computes what its weights say, the same compiled and plain, and every search uses it."""

from math import exp
from random import Random

import pytest

from tessella.bots.azul.net import net_named
from tessella.bots.azul.policy import learned
from tessella.fast.azul import from_state
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.azul.features import (
    BOARD_INPUTS,
    COLOUR_OF,
    COLUMN_OF,
    HIDDEN,
    LID,
    LINE,
    NEXT,
    PAIR,
    POINTS,
    ROUND,
    ROUNDS_LEFT,
    ROW,
    SHARED_INPUTS,
    TENS,
    TURN,
    WEIGHTS,
)
from tessella.fast.azul.mcts import MaxnTree
from tessella.fast.azul.net import Net
from tessella.games import azul
from tessella.games.azul.pieces import COLOURS
from tests.fast.twins import PLAIN
from tests.games.azul.positions import CONFIGS, board, table

from .positions import SCALE, any_policy, any_weights, dealt, drafted, exhaustive, nearly_over

WIN = 1_000_000


def net_that_counts(*inputs, shared=()):
    """A net whose only output is how many of these inputs a seat's own board has."""
    weights = [0] * WEIGHTS
    for one in inputs:
        weights[PAIR * one] = SCALE
    for one in shared:
        weights[PAIR * BOARD_INPUTS + HIDDEN * one] = SCALE
    weights[PAIR * BOARD_INPUTS + HIDDEN * SHARED_INPUTS + HIDDEN] = SCALE
    return Net(weights, SCALE, SCALE, SCALE)


def win(said):
    """The win probability of the first of two seats, from their outputs."""
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


YELLOW, BLUE = COLOURS.index("y"), COLOURS.index("b")


@pytest.mark.parametrize(
    ("inputs", "shared", "said"),
    [
        ([ROW + 0b11], [], (1, 0)),
        ([ROW, ROW + 32], [], (0, 2)),
        ([COLUMN_OF + 32 * 3 + 0b10000], [], (0, 1)),
        ([COLOUR_OF + 0b11], [], (1, 0)),
        ([TENS + 2], [], (1, 0)),
        ([TENS], [], (0, 1)),
        ([POINTS], [], (23, 3)),
        ([LINE + 21 * 2 + 4 * YELLOW + 2], [], (1, 0)),
        ([LINE + 21 * 3 + 4 * BLUE + 1], [], (1, 0)),
        ([NEXT + 41 * 2 + 10 * 1 + 1], [], (1, 0)),
        ([LINE], [], (1, 1)),
        ([ROW], [LID], (0, 1)),
        ([ROW], [ROUND + 2], (0, 1)),
        ([ROW], [ROUNDS_LEFT + 2], (0, 1)),
        ([], [TURN], (0, 1)),
        ([], [TURN + 1], (1, 0)),
    ],
    ids=str,
)
def test_walls_lines_and_points_are_encoded_and_shared_inputs_count_for_all_seats(inputs, shared, said):
    value = AlphaBeta(net_that_counts(*inputs, shared=shared)).value_of(from_state(AFTER), 0)
    assert value == int(WIN * win(said))


def test_the_win_probabilities_of_two_seats_add_up_to_one():
    net = Net(any_weights(1), SCALE, SCALE, SCALE)
    for seed in range(20):
        fast = from_state(nearly_over(azul.Config(2), seed))
        one, other = (AlphaBeta(net).value_of(fast, seat) for seat in (0, 1))
        assert abs(one + other - WIN) <= 1


def test_a_net_of_another_size_is_refused():
    with pytest.raises(ValueError, match="weights"):
        Net([0], 1, 1, 1)


@pytest.mark.heavy
@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_alpha_beta_with_a_net_finds_what_exhaustive_search_finds(wall, narrow, seed):
    """Sums of boards are cached, which must never change the output of the net."""
    state = nearly_over(azul.Config(2, wall), seed)
    policy = any_policy(seed) if narrow else None
    search, fresh = (AlphaBeta(Net(any_weights(seed), SCALE, SCALE, SCALE), policy) for _ in range(2))
    search.think(from_state(state), state.current)
    assert search.value == exhaustive(fresh, state, state.current)


@pytest.mark.parametrize("seed", range(4))
def test_a_narrow_search_sees_further_and_at_last_finds_the_same(seed):
    """It leaves moves out only as long as its depth is limited."""
    net = net_named("azul-2-coloured.net")
    wide, narrow = AlphaBeta(net), AlphaBeta(net, learned())
    fast = dealt(azul.Config(2), 60 * seed)
    for search in (wide, narrow):
        search.think(fast, fast.seat(), 20_000)
    assert narrow.depth > wide.depth
    while len(fast.moves()) > 24:
        fast.apply(wide.think(fast, fast.seat(), 300))
    for search in (wide, narrow):
        search.think(fast, fast.seat())
    assert not narrow.stopped
    assert narrow.value == wide.value


@pytest.mark.heavy
@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_net_says_the_same_compiled_and_plain(config, narrow):
    net, twin_net = (kind(any_weights(3), SCALE, SCALE, SCALE) for kind in (Net, PLAIN["azul.net"].Net))
    fast = dealt(config, 11)
    twin = PLAIN["azul.rules"].from_state(fast.to_state())
    policy = any_policy(3) if narrow else None
    compiled, search = AlphaBeta(net, policy), PLAIN["azul.alphabeta"].AlphaBeta(twin_net, policy)
    assert search.think(twin, twin.seat(), 200) == compiled.think(fast, fast.seat(), 200)
    assert (search.value, search.nodes, search.depth) == (compiled.value, compiled.nodes, compiled.depth)
    assert fast.is_legal(MaxnTree(net).think(fast, fast.seat(), 60))


# More than two seats


def nodes_of(searching, net, table, monkeypatch, full):
    """Search with reductions that begin at the move `full`."""
    with monkeypatch.context() as patched:
        patched.setattr(searching, "FULL_DEPTH_MOVES", full)
        search = searching.AlphaBeta(net)
        search.think(table, table.seat(), 700)
    return search.nodes, search.depth, search.value, search.best


@pytest.mark.heavy
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_late_moves_are_reduced_for_two_seats_only(seats, monkeypatch):
    """The mover is inferred from whose turn it is, which works for two seats only."""
    searching = PLAIN["azul.alphabeta"]
    net = PLAIN["azul.net"].Net(any_weights(3), SCALE, SCALE, SCALE)
    tables = [PLAIN["azul.rules"].from_state(in_the_middle(azul.Config(seats), seed)) for seed in range(4)]
    reduced, whole = ([nodes_of(searching, net, table, monkeypatch, full) for table in tables] for full in (4, 10**6))
    assert (reduced == whole) == (seats > 2)


def in_the_middle(config, seed):
    """A round with so few moves left that it can be searched three plies deep."""
    state = dealt(config, seed).to_state()
    rng = Random(seed)
    while len(azul.legal_moves(state, state.current)) > 15:
        state = drafted(state, rng.choice(azul.legal_moves(state, state.current)))
    return state
