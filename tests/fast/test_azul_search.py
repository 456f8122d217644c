"""Reading a round of Azul: as right as trying everything, within its limits, and the same compiled and plain."""

import sys
import time
from random import Random
from statistics import median

import pytest
from tests.games.azul.positions import CONFIGS, board, table

from tessella.core.game import Choose, tell
from tessella.fast.azul import Azul, from_state
from tessella.fast.azul_search import Search
from tessella.fast.azul_tree import Tree
from tessella.fast.phases import DEALING, DRAFTING, OVER, TILING
from tessella.games import azul
from tessella.games.azul.rules import draft
from tessella.games.azul.state import drafting

from .twins import TWINS, plain

SEARCH = Search()


def dealt(config, seed):
    """A table at the beginning of a round, after some rounds at random."""
    fast = Azul(config.seats, config.wall == "grey", seed)
    fast.deal()
    for _ in range(seed % 60):
        if fast.phase == OVER:
            fast.reset()
        if fast.phase == DEALING:
            fast.deal()
        fast.apply(fast.choose())
    while fast.phase != DRAFTING:
        if fast.phase == OVER:
            fast.reset()
        if fast.phase == DEALING:
            fast.deal()
        else:
            fast.apply(fast.choose())
    return fast


def drafted(state, move):
    """The table after a take, before anything is tiled."""
    after, _ = tell(draft(state, move))
    return after


def nearly_over(config, seed):
    """A round in which at most three heaps of one colour can still be taken."""
    state = dealt(config, seed).to_state()
    rng = Random(seed)
    while sum(len({*tiles} - {"m"}) for tiles in (*state.factories, state.centre)) > 3:
        state = drafted(state, rng.choice(azul.legal_moves(state, state.current)))
    return state if drafting(state) else nearly_over(config, seed + 1000)


def tried(state, seat):
    """The value by trying everything, with the readable rules: the seat for itself, all others against it."""
    if not drafting(state):
        return SEARCH.worth(from_state(state), seat)
    values = [tried(drafted(state, move), seat) for move in azul.legal_moves(state, state.current)]
    return max(values) if state.current == seat else min(values)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_alpha_beta_finds_what_trying_everything_finds(config, seed):
    state = nearly_over(config, seed)
    seat = state.current
    fast = from_state(state)
    move = Search().think(fast, seat)
    search = Search()
    assert search.think(fast, seat) == move
    assert not search.stopped
    assert search.value == tried(state, seat)
    assert tried(drafted(state, fast.to_move(move)), seat) == search.value


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_search_leaves_the_table_as_it_was_and_repeats_itself(config):
    fast = dealt(config, 7)
    before = fast.to_state()
    search = Search()
    first = search.think(fast, fast.seat(), 3000), search.value, search.nodes
    assert (search.think(fast, fast.seat(), 3000), search.value, search.nodes) == first
    assert fast.to_state() == before
    assert fast.is_legal(first[0])


@pytest.mark.parametrize("nodes", [1, 2, 60, 1000])
def test_a_search_stops_at_its_nodes(nodes):
    fast = dealt(azul.Config(2), 0)
    search = Search()
    assert fast.is_legal(search.think(fast, fast.seat(), nodes))
    assert search.stopped
    assert search.nodes == nodes + 1


def test_a_search_stops_at_its_time():
    fast = dealt(azul.Config(4), 0)
    search = Search()
    for seconds in (0.002, 0.02, 0.1):
        begun = time.thread_time()
        search.think(fast, fast.seat(), 0, seconds)
        assert search.stopped
        assert seconds <= time.thread_time() - begun < 1.05 * seconds + 0.001


def test_factories_that_hold_the_same_are_read_once():
    same = from_state(table(board(), board(), factories="bbkk bbkk bbkk bbkk bbkk"))
    search = Search()
    search.think(same, 0, 1 + 2 * 6)  # the position itself, and two colours in five lines or on the floor
    assert search.depth == 1


def test_a_round_that_is_over_cannot_be_searched():
    with pytest.raises(ValueError, match="nobody"):
        Search().think(Azul(2), 0)


def test_who_can_end_the_game_and_win_does_so():
    """The last tile of the top row wins now; in the floor it would cost the lead."""
    ahead = board(wall="byrk./...../...../...../.....", score=30)
    state = table(ahead, board(floor="m", score=5), factories=" ".join("-----"), centre="w", round=5)
    assert from_state(state).write_move(Search().think(from_state(state), 0)) == "cw1"


def test_who_would_end_the_game_and_lose_goes_on():
    behind = board(wall="byrk./...../...../...../.....", score=5)
    state = table(behind, board(floor="m", score=30), factories=" ".join("-----"), centre="w", round=5)
    assert from_state(state).write_move(Search().think(from_state(state), 0)) != "cw1"


@pytest.mark.parametrize("seats", [2, 4])
def test_columns_of_a_grey_wall_are_chosen_for_the_seat_that_asks(seats):
    fast = dealt(azul.Config(seats, "grey"), 3)
    search = Search()
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
def test_compiled_and_plain_read_alike(config, monkeypatch):
    module = TWINS["azul"][1]
    monkeypatch.setitem(sys.modules, "tessella.fast.azul", module)
    search = plain("azul_table", "azul_boards", "azul_search").Search()
    compiled = Search()
    fast = dealt(config, 11)
    twin = module.from_state(fast.to_state())
    assert search.think(twin, twin.seat(), 60) == compiled.think(fast, fast.seat(), 60)
    assert (search.value, search.nodes, search.depth) == (compiled.value, compiled.nodes, compiled.depth)


# Three and four players


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_tree_leaves_the_table_as_it_was_and_repeats_itself(config):
    fast = dealt(config, 7)
    before = fast.to_state()
    tree = Tree()
    move = tree.think(fast, fast.seat(), 500)
    assert tree.nodes == 500
    assert tree.think(fast, fast.seat(), 500) == move
    assert fast.to_state() == before
    assert fast.is_legal(move)


@pytest.mark.parametrize("seed", range(5))
def test_of_two_players_a_tree_finds_a_move_within_a_hundredth_of_the_best(seed):
    state = nearly_over(azul.Config(2), seed)
    fast = from_state(state)
    move = Tree().think(fast, state.current, 20_000)
    assert tried(drafted(state, fast.to_move(move)), state.current) > tried(state, state.current) - 10_000


def test_a_tree_stops_at_its_time_even_when_it_is_full():
    fast = dealt(azul.Config(4), 0)
    tree = Tree()
    for seconds in (0.002, 0.02, 0.3):
        took = []
        for _ in range(5):
            begun = time.thread_time()
            tree.think(fast, fast.seat(), 0, seconds)
            took.append(time.thread_time() - begun)
        assert min(took) >= seconds
        assert median(took) < 1.05 * seconds + 0.001  # a busy machine makes single ones longer


def test_a_tree_without_a_limit_is_refused():
    with pytest.raises(ValueError, match="limit"):
        Tree().think(dealt(azul.Config(3), 0), 0)


def test_a_tree_reads_alike_compiled_and_plain(monkeypatch):
    module = TWINS["azul"][1]
    monkeypatch.setitem(sys.modules, "tessella.fast.azul", module)
    monkeypatch.setitem(sys.modules, "tessella.fast.azul_search", plain("azul_table", "azul_boards", "azul_search"))
    fast = dealt(azul.Config(3), 11)
    twin = module.from_state(fast.to_state())
    assert plain("azul_tree").Tree().think(twin, twin.seat(), 60) == Tree().think(fast, fast.seat(), 60)
