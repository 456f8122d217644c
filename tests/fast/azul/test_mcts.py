"""The tree search for three and four players keeps its limits and is the same compiled and plain."""

import time

import pytest

from tessella.fast.azul import from_state
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.azul.mcts import MaxnTree
from tessella.games import azul
from tests.fast.twins import PLAIN
from tests.games.azul.positions import CONFIGS

from .positions import dealt, drafted, exhaustive, nearly_over

SEARCH = AlphaBeta()


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_tree_leaves_the_table_as_it_was_and_repeats_itself(config):
    fast = dealt(config, 7)
    before = fast.to_state()
    tree = MaxnTree()
    move = tree.think(fast, fast.seat(), 500)
    assert tree.nodes == 500
    assert tree.think(fast, fast.seat(), 500) == move
    assert fast.to_state() == before
    assert fast.is_legal(move)


@pytest.mark.parametrize("seed", range(5))
def test_of_two_players_a_tree_finds_a_move_within_a_hundredth_of_the_best(seed):
    state = nearly_over(azul.Config(2), seed)
    fast = from_state(state)
    move = MaxnTree().think(fast, state.current, 20_000)
    best = exhaustive(SEARCH, state, state.current)
    assert exhaustive(SEARCH, drafted(state, fast.to_move(move)), state.current) > best - 10_000


@pytest.mark.heavy
def test_a_tree_stops_at_its_time_even_when_it_is_full():
    fast = dealt(azul.Config(4), 0)
    tree = MaxnTree()
    for seconds in (0.002, 0.02, 0.3):
        begun = time.thread_time()
        tree.think(fast, fast.seat(), 0, seconds)
        assert seconds <= time.thread_time() - begun < 2 * seconds + 0.02


def test_a_tree_without_a_limit_is_refused():
    with pytest.raises(ValueError, match="limit"):
        MaxnTree().think(dealt(azul.Config(3), 0), 0)


def test_a_tree_finds_the_same_move_compiled_and_plain():
    fast = dealt(azul.Config(3), 11)
    twin = PLAIN["azul.rules"].from_state(fast.to_state())
    tree = PLAIN["azul.mcts"].MaxnTree()
    assert tree.think(twin, twin.seat(), 60) == MaxnTree().think(fast, fast.seat(), 60)
