"""Solutions of Azul's last round are proved: their certificates hold, and a tampered one is found."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tessella.coach import solution
from tessella.coach.certificate import Certificate, Refuted, check, final_value
from tessella.coach.solution import SMALL_ENTRIES, RoundSolver, last_round
from tessella.core.game import BadNotation
from tessella.games import azul
from tests.games.azul.positions import board, table

SOLVER = RoundSolver(SMALL_ENTRIES)
NEARLY = "byrk./wb.../k..../r..../y...."
PUBLISHED = Path(__file__).parents[2] / "examples" / "data" / "azul-proved.jsonl"
SAMPLE = 12
"""One in this many published positions is solved again."""


def ending():
    """A position in which the game certainly ends, with few tiles left."""
    return table(board("w/-/-/-/-", NEARLY, score=20), board("-/b/-/-/-", score=24), factories="bbyr", round=5)


def certificate(claim="at least"):
    state = ending()
    low = SOLVER.solve(state).low
    assert low is not None
    return SOLVER.certify(state, state.current, claim, low + (claim == "less than"))


@pytest.mark.parametrize("claim", ["at least", "less than"])
def test_a_certificate_proves_the_value(claim):
    assert check(certificate(claim)) > 2


@pytest.mark.parametrize(("claim", "step"), [("at least", 1), ("less than", -1)])
def test_a_certificate_for_another_value_is_refuted(claim, step):
    true = certificate(claim)
    with pytest.raises(Refuted, match="has the value"):
        check(replace(true, bound=true.bound + step))


def test_a_certificate_that_lacks_a_position_is_refuted():
    true = certificate()
    for key in true.moves:
        with pytest.raises(Refuted, match="there is no move"):
            check(replace(true, moves={other: move for other, move in true.moves.items() if other != key}))


@pytest.mark.parametrize("move", ["5b1", "nonsense", "cm-"])
def test_a_certificate_with_an_illegal_move_is_refuted(move):
    true = certificate()
    with pytest.raises(Refuted, match="is not legal"):
        check(replace(true, moves=dict.fromkeys(true.moves, move)))


def test_a_certificate_that_plays_to_the_floor_is_refuted():
    true = certificate()
    worst = {key: f"{move[:-1]}-" for key, move in true.moves.items()}
    with pytest.raises(Refuted):
        check(replace(true, moves=worst))


def test_a_round_that_may_go_on_proves_nothing():
    state = table(board(wall=NEARLY, score=60), board(), factories="bbbb", round=5)
    found = SOLVER.solve(state)
    assert (found.result, found.low, found.high, found.proved) == ("open", None, None, False)
    with pytest.raises(Refuted, match="has the value None"):
        check(Certificate(found.position, 0, "at least", -400, {found.position: "1b3"}))


def test_a_seat_that_can_complete_a_row_can_force_a_win():
    state = table(board(wall=NEARLY, score=60), board(), factories="wwwr", round=5)
    found = SOLVER.solve(state)
    assert (found.result, found.ending, found.best) == ("win", False, "1w1")
    assert found.low is not None
    assert found.low > 0


def test_the_seat_to_move_may_have_lost():
    state = table(board(), board("w/-/-/-/-", NEARLY, score=60), factories="bbyr", round=5)
    found = SOLVER.solve(state)
    assert (found.result, found.ending) == ("loss", True)
    assert found.low == found.high
    assert found.line


def test_a_limit_leaves_it_unknown():
    found = SOLVER.solve(last_round(0, 1)[0], nodes=20)
    assert (found.result, found.line) == ("unknown", ())


@pytest.mark.parametrize("kind", ["3c", "2g"])
def test_only_two_players_on_the_coloured_wall_are_solved(kind):
    with pytest.raises(BadNotation, match="two players on the coloured wall"):
        SOLVER.solve(table(kind=kind, factories="bbyr"))


def test_the_published_positions_are_proved():
    published = solution.read(PUBLISHED.read_text("utf-8"))
    assert all(each.proved for each in published)
    assert len({each.position for each in published}) == len(published)
    for each in published:
        assert _end(each) is not None


@pytest.mark.heavy
def test_a_sample_of_the_published_positions_is_solved_again():
    for each in solution.read(PUBLISHED.read_text("utf-8"))[::SAMPLE]:
        again = SOLVER.solve(azul.read_state(each.position))
        assert (again.result, again.low, again.high) == (each.result, each.low, each.high)


def _end(found):
    """Play a line by the readable rules, and return the value of its end."""
    state = azul.read_state(found.position)
    for move in found.line:
        state, _ = azul.apply(state, azul.read_move(state, state.current, move))
    value = final_value(state, found.seat)
    assert value == (found.high if found.result == "loss" else found.low)
    return value


def test_a_file_of_something_else_is_refused():
    with pytest.raises(BadNotation, match="not a file of solutions"):
        solution.read("{}")
