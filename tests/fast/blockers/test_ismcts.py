"""Tree search for Blockers! is the same compiled and plain, and respects its limits and the hidden tiles."""

from random import Random
from typing import Any

import pytest

from tessella.bots.blockers.net import net_for
from tessella.bots.blockers.weights import learned
from tessella.fast import blockers as compiled_blockers
from tessella.fast.blockers import ismcts as compiled_search
from tessella.fast.phases import DEALING, OVER
from tests.fast.twins import PLAIN

NEVER = 2**62
WEIGHTS = learned(4)


@pytest.fixture(scope="module")
def twins():
    """The compiled table and search, and both as plain Python."""
    return [(compiled_blockers, compiled_search), (PLAIN["blockers.rules"], PLAIN["blockers.ismcts"])]


def table_after(module: Any, seats: int, plays: int, *, uptown: bool = False) -> Any:
    """A table after a number of random plays."""
    table = module.Blockers(seats, uptown, 11)
    while table.phase == DEALING or plays:
        if table.phase == DEALING:
            table.deal()
        else:
            table.apply(table.choose())
            plays -= 1
    return table


@pytest.mark.heavy
@pytest.mark.parametrize(("seats", "plays"), [(2, 60), (3, 0), (3, 68), (4, 70), (5, 90)])
@pytest.mark.parametrize(("uptown", "with_net"), [(False, False), (True, False), (False, True)])
def test_the_same_games_are_imagined_compiled_and_plain(twins, seats, plays, uptown, with_net):
    net = net_for(seats) if with_net else None
    found = []
    for game, search in twins:
        thinker = search.InformationSetTree(table_after(game, seats, plays, uptown=uptown), WEIGHTS, 5, 100, net)
        found.append((thinker.ranked(), thinker.choose(30, NEVER), thinker.tried()))
    assert found[0] == found[1]


def test_a_net_changes_what_is_tried():
    table, tried = table_after(compiled_blockers, 4, 70), []
    for net in (None, net_for(4)):
        thinker = compiled_search.InformationSetTree(table, WEIGHTS, 5, 100, net)
        thinker.choose(30, NEVER)
        tried.append(thinker.tried())
    assert tried[0] != tried[1]


@pytest.mark.parametrize(("seats", "plays"), [(2, 94), (3, 70), (4, 94), (5, 118)])
def test_the_last_lap_is_solved_alike_compiled_and_plain(twins, seats, plays):
    found = [
        search.InformationSetTree(table_after(game, seats, plays), WEIGHTS, 5, 10).choose(500, NEVER)
        for game, search in twins
    ]
    assert found[0] == found[1]


@pytest.mark.heavy
@pytest.mark.parametrize(("seats", "plays"), [(2, 60), (3, 40), (5, 90)])
def test_a_move_and_a_position_are_evaluated_alike_compiled_and_plain(twins, seats, plays):
    found = []
    for game, search in twins:
        table = table_after(game, seats, plays)
        mover, other = table.seat(), (table.seat() + 1) % seats
        weighed = search.InformationSetTree(table, WEIGHTS, 5, 100).evaluate(mover, table.moves()[0], 30)
        seen = search.InformationSetTree(table, WEIGHTS, 5, 100).evaluate(other, -1, 30)
        assert sum(share for share, _ in weighed) == pytest.approx(1)
        assert sum(share for share, _ in seen) == pytest.approx(1)
        found.append((weighed, seen))
    assert found[0] == found[1]


def test_the_last_move_is_evaluated_by_its_result():
    table = table_after(compiled_blockers, 3, 71)
    mover = table.seat()
    for move in table.moves():
        weighed = compiled_search.InformationSetTree(table, WEIGHTS, 1, 10).evaluate(mover, move, 3)
        after = table.copy()
        after.apply(move)
        shares = [(place == 1) / after.places().count(1) for place in after.places()]
        assert [share for share, _ in weighed] == pytest.approx(shares)


def test_a_move_is_evaluated_by_whole_games_also_with_a_net():
    table = table_after(compiled_blockers, 3, 40)
    found = [
        compiled_search.InformationSetTree(table, WEIGHTS, 5, 100, net).evaluate(table.seat(), table.moves()[0], 30)
        for net in (None, net_for(3))
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("nodes", [20, 1000])
def test_every_descent_is_one_game_also_when_the_memory_is_full(nodes):
    table = table_after(compiled_blockers, 4, 20)
    thinker = compiled_search.InformationSetTree(table, WEIGHTS, 1, nodes)
    assert table.is_legal(thinker.choose(333, NEVER))
    assert sum(visits for _, visits, _ in thinker.tried()) == 333
    assert len(thinker.tried()) <= 16


def test_a_search_leaves_the_table_as_it_was():
    table = table_after(compiled_blockers, 3, 30)
    before = table.to_state()
    compiled_search.InformationSetTree(table, WEIGHTS, 1, 100).choose(50, NEVER)
    assert table.to_state() == before


def test_the_racks_of_others_make_no_difference():
    rng = Random(2)
    for plays in range(0, 90, 10):
        table = table_after(compiled_blockers, 4, plays)
        other = table.copy()
        for _ in range(rng.randrange(3)):
            other.choose()
        other.imagine(other.seat())
        one, two = (
            compiled_search.InformationSetTree(each, WEIGHTS, 9, 100).choose(60, NEVER) for each in (table, other)
        )
        assert one == two


def test_a_table_where_no_seat_is_to_move_is_refused():
    table = compiled_blockers.Blockers(3)
    with pytest.raises(ValueError, match="nobody"):
        compiled_search.InformationSetTree(table, WEIGHTS)
    while table.phase != OVER:
        table.playout()
    with pytest.raises(ValueError, match="nobody"):
        compiled_search.InformationSetTree(table, WEIGHTS)
