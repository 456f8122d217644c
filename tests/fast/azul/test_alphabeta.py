"""Alpha-beta finds what exhaustive search finds, keeps its limits, and is the same compiled and plain."""

import time

import pytest

from tessella.core.game import Choose
from tessella.fast.azul import Azul, from_state
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.phases import DEALING, OVER, TILING
from tessella.games import azul
from tests.fast.twins import PLAIN
from tests.games.azul.positions import CONFIGS, board, table

from .positions import dealt, drafted, exhaustive, nearly_over

SEARCH = AlphaBeta()


@pytest.mark.heavy
@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_alpha_beta_finds_what_exhaustive_search_finds(config, seed):
    state = nearly_over(config, seed)
    seat = state.current
    fast = from_state(state)
    move = AlphaBeta().think(fast, seat)
    search = AlphaBeta()
    assert search.think(fast, seat) == move
    assert not search.stopped
    assert search.value == exhaustive(SEARCH, state, seat)
    assert exhaustive(SEARCH, drafted(state, fast.to_move(move)), seat) == search.value


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_search_leaves_the_table_as_it_was_and_repeats_itself(config):
    fast = dealt(config, 7)
    before = fast.to_state()
    search = AlphaBeta()
    first = search.think(fast, fast.seat(), 3000), search.value, search.nodes
    assert (search.think(fast, fast.seat(), 3000), search.value, search.nodes) == first
    assert fast.to_state() == before
    assert fast.is_legal(first[0])


@pytest.mark.parametrize("nodes", [1, 2, 60, 1000])
def test_a_search_stops_at_its_nodes(nodes):
    fast = dealt(azul.Config(2), 0)
    search = AlphaBeta()
    assert fast.is_legal(search.think(fast, fast.seat(), nodes))
    assert search.stopped
    assert search.nodes == nodes + 1


def test_a_search_stops_at_its_time():
    fast = dealt(azul.Config(4), 0)
    search = AlphaBeta()
    for seconds in (0.002, 0.02, 0.1):
        begun = time.thread_time()
        search.think(fast, fast.seat(), 0, seconds)
        assert search.stopped
        assert seconds <= time.thread_time() - begun < 2 * seconds + 0.02


def test_factories_with_the_same_tiles_are_searched_once():
    same = from_state(table(board(), board(), factories="bbkk bbkk bbkk bbkk bbkk"))
    search = AlphaBeta()
    search.think(same, 0, 1 + 2 * 6)  # the position itself, and two colours in five lines or on the floor
    assert search.depth == 1


def test_a_round_that_is_over_cannot_be_searched():
    with pytest.raises(ValueError, match="nobody"):
        AlphaBeta().think(Azul(2), 0)


def test_a_player_who_can_end_the_game_and_win_does_so():
    """The last tile of the top row wins now; in the floor it would cost the lead."""
    ahead = board(wall="byrk./...../...../...../.....", score=30)
    state = table(ahead, board(floor="m", score=5), factories=" ".join("-----"), centre="w", round=5)
    assert from_state(state).write_move(AlphaBeta().think(from_state(state), 0)) == "cw1"


def test_a_player_who_would_end_the_game_and_lose_plays_on():
    behind = board(wall="byrk./...../...../...../.....", score=5)
    state = table(behind, board(floor="m", score=30), factories=" ".join("-----"), centre="w", round=5)
    assert from_state(state).write_move(AlphaBeta().think(from_state(state), 0)) != "cw1"


@pytest.mark.parametrize("seats", [2, 4])
def test_columns_of_a_grey_wall_are_chosen_for_the_seat_that_asks(seats):
    fast = dealt(azul.Config(seats, "grey"), 3)
    search = AlphaBeta()
    tiled = 0
    while tiled < 10:
        if fast.phase == OVER:
            fast.reset()
        if fast.phase == DEALING:
            fast.deal()
        elif fast.phase == TILING:
            state = fast.to_state()
            turn = azul.turn(state)
            assert isinstance(turn, Choose)
            for seat in turn.seats:
                assert fast.to_move(search.think(fast, seat, 1)) in azul.legal_moves(state, seat)
            fast.apply(search.think(fast, fast.seat()))
            tiled += 1
        else:
            fast.apply(search.think(fast, fast.seat(), 50))


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_compiled_and_plain_search_alike(config):
    search, compiled = PLAIN["azul.alphabeta"].AlphaBeta(), AlphaBeta()
    fast = dealt(config, 11)
    twin = PLAIN["azul.rules"].from_state(fast.to_state())
    assert search.think(twin, twin.seat(), 60) == compiled.think(fast, fast.seat(), 60)
    assert (search.value, search.nodes, search.depth) == (compiled.value, compiled.nodes, compiled.depth)
