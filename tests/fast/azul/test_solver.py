"""The solver of Azul's last round finds what exhaustive search by the readable rules finds, compiled and plain."""

from random import Random

import pytest

from tessella.coach.certificate import final_value
from tessella.coach.solution import last_round
from tessella.fast.azul import from_state
from tessella.fast.azul.constants import NOT_FORCED
from tessella.fast.azul.solver import Solver
from tessella.games import azul
from tessella.games.azul.state import drafting
from tests.fast.twins import PLAIN
from tests.games.azul.positions import board, table

ENTRIES = 1 << 10
SOLVER = Solver(ENTRIES)
NEARLY = "byrk./wb.../k..../r..../y...."
"""A wall whose first row lacks only white."""


def exhaustive(state, seat, known):
    """The value by exhaustive search with the readable rules."""
    key = azul.write_state(state)
    if key not in known:
        after = [azul.apply(state, move)[0] for move in azul.legal_moves(state, state.current)]
        values = [exhaustive(each, seat, known) if drafting(each) else at_end(each, seat) for each in after]
        known[key] = max(values) if state.current == seat else min(values)
    return known[key]


def at_end(state, seat):
    value = final_value(state, seat)
    return NOT_FORCED if value is None else value


def short_ending(number, heaps=4):
    """The first decision of a last round with at most this many heaps of one colour."""
    return next(
        state
        for state in last_round(number, 1)
        if sum(len({*tiles} - {"m"}) for tiles in (*state.factories, state.centre)) <= heaps
    )


@pytest.mark.parametrize("number", range(12))
def test_the_solver_finds_what_exhaustive_search_finds_and_its_line_reaches_that(number):
    state = short_ending(number)
    for seat in (0, 1):
        fast = from_state(state)
        value = SOLVER.solve(fast, seat)
        assert not SOLVER.stopped
        assert value == SOLVER.low == SOLVER.high == exhaustive(state, seat, {}), azul.write_state(state)
        line = SOLVER.line(fast)
        assert SOLVER.best_move(fast) == line[0] or value == NOT_FORCED
        for move in line:
            fast.apply(move)
        assert at_end(fast.to_state(), seat) == value


@pytest.mark.parametrize("number", range(3))
def test_compiled_and_plain_search_the_same(number):
    state = short_ending(number)
    plain, seat = PLAIN["azul.solver"].Solver(ENTRIES), state.current
    value = plain.solve(PLAIN["azul.rules"].from_state(state), seat)
    assert (value, plain.nodes) == (SOLVER.solve(from_state(state), seat), SOLVER.nodes)
    assert plain.line(PLAIN["azul.rules"].from_state(state)) == SOLVER.line(from_state(state))


def test_once_the_end_is_certain_both_values_add_up_to_zero():
    state = table(board("w/-/-/-/-", NEARLY, score=20), board(score=30), factories="bbyy rrkk", round=5)
    values = [SOLVER.solve(from_state(state), seat) for seat in (0, 1)]
    assert SOLVER.is_ending()
    assert sum(values) == 0


def test_AZ50_without_a_tile_that_completes_a_row_nothing_is_forced():
    state = table(board(wall=NEARLY, score=20), board(score=30), factories="bbyy rrkk", round=5)
    for seat in (0, 1):
        assert SOLVER.solve(from_state(state), seat) == NOT_FORCED
        assert not SOLVER.is_ending()


def test_AZ44_the_fiftieth_round_is_the_last():
    state = table(board(score=20), board(score=30), factories="bbyy", round=50)
    assert SOLVER.solve(from_state(state), 1) > 0
    assert SOLVER.is_ending()


def test_AZ52_equal_points_are_decided_by_rows():
    """The row brings 5 + 2 points and the full column 7; the last tile brings one, and the marker costs one."""
    state = table(board("w/-/-/-/-", NEARLY, score=6), board(score=20), centre="mb", order="0>1", round=5)
    assert [SOLVER.solve(from_state(state), seat) for seat in (0, 1)] == [1, -1]
    assert exhaustive(state, 0, {}) == 1


def test_a_limit_stops_the_solver_between_its_bounds():
    state = last_round(0, 1)[0]
    SOLVER.solve(from_state(state), state.current, 50)
    assert SOLVER.stopped
    assert SOLVER.nodes == 51
    assert SOLVER.low < SOLVER.high


@pytest.mark.parametrize("config", [azul.Config(3), azul.Config(2, "grey")])
def test_other_tables_are_refused(config):
    state, _ = azul.apply(azul.setup(config), azul.deal(azul.setup(config), Random(1)))
    with pytest.raises(ValueError, match="two players on the coloured wall"):
        SOLVER.solve(from_state(state), 0)


def test_the_table_has_a_power_of_two_entries():
    with pytest.raises(ValueError, match="power of two"):
        Solver(1000)
