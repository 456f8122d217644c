"""Action A: dome plates (DU20 to DU22)."""

from collections import Counter
from random import Random

import pytest

from tessella.core.game import Chance, Choose
from tessella.games import duel
from tessella.games.duel.events import (
    PlateDrawn,
    PlatePlaced,
    PlatePutBack,
    PlatesLookedAt,
    TokenPlaced,
)
from tests.games.playing import only

from .positions import EMPTY_FACTORIES, Board, moves, play, refusal, table

OPEN = "ykt* ?btk trb?"


# Open plates


def test_DU20_an_open_plate_costs_a_token_and_goes_to_an_empty_slot_in_any_turn():
    state, events = play(table(open=OPEN), "5t?kb")
    assert events == [TokenPlaced(0, left=1), PlatePlaced(0, "t?kb", 4, drawn=False, rule="DU20")]
    assert state.boards[0].dome[4] == "t?kb"
    assert duel.view(state, None).tokens == (1, 2)
    assert duel.turn(state) == Choose((1,))


# The stack


def test_DU20_drawing_is_paid_one_by_one_with_faces_unseen_until_one_stops():
    state = table(Board(score=7), open=OPEN, stack="?,*,?,*,?,*,?,*,?,*,?,*,*")
    state, events = play(state, "d+")
    assert events == [TokenPlaced(0, left=1), PlateDrawn(0, "?", -1, "DU20")]
    assert moves(state) == ["d+", "d="]
    state, events = play(state, "d+")
    assert events == [PlateDrawn(0, "*", -1, "DU20")]
    assert [back.face for back in state.hand] == ["?", "*"]
    assert state.boards[0].score == 5
    assert duel.view(state, None).tokens == (1, 2)
    state, events = play(state, "d=")
    assert (events, duel.turn(state)) == ([], Chance())
    state, events = play(state, "*kyr? k*tr")
    assert events == [PlatesLookedAt(0, ("k*tr", "kyr?"))]
    assert duel.turn(state) == Choose((0,))


def test_DU20_one_plate_is_kept_and_the_others_go_under_the_stack_in_the_chosen_order():
    state = table(open=OPEN, stack="?,*,?,*,?,*,?,*,?,*,?,*,*")
    state, _ = play(state, "d+", "d+", "d+", "d=", "*kyr? k*tr ty?k")
    assert len(moves(state)) == 3 * 8 * 4
    state, events = play(state, "4k*tr")
    assert events == [PlatePlaced(0, "k*tr", 3, drawn=True, rule="DU20")]
    assert moves(state) == ["ukyr?", "uty?k"]
    state, events = play(state, "uty?k")
    assert events == [PlatePutBack(0, "ty?k"), PlatePutBack(0, "kyr?")]
    assert [back.face for back in state.stack[-2:]] == ["ty?k", "kyr?"]
    assert (len(state.stack), state.hand, duel.turn(state)) == (12, (), Choose((1,)))


def test_DU20_the_worked_example_two_points_two_plates_one_kept_and_one_put_back():
    state = table(Board(), open=OPEN)
    state, events = play(state, "d+", "d+", "d=", "*k*tr *krb", "1tkr*")
    assert sum(event.points for event in only(events, PlateDrawn)) == -2
    assert state.boards[0].score == 3
    assert state.stack[-1].face == "*krb"
    assert duel.view(state, 0).tokens == (1, 2)


def test_DU20_a_plate_that_was_put_back_is_the_same_when_it_comes_again():
    state = table(open=OPEN, stack="kyr?1,ty?k0,*,*,*,*,*,*,*,?,?,?,?")
    state, _ = play(state, "d+", "d+", "d=")
    assert refusal(state, "*yr?b ty?k") == "DU03"
    assert duel.deal(state, Random(1)) == duel.Look(0, ("kyr?", "ty?k"))
    state, _ = play(state, "*kyr? ty?k", "1ty?k")
    assert [duel.view(state, seat).stack[-1].face for seat in (0, 1, None)] == ["kyr?", "?", "?"]


def test_DU20_nothing_is_dealt_when_the_player_knows_all_drawn_plates():
    state = table(open=OPEN, stack="kyr?0,*,*,*,*,*,*,*,?,?,?,?,?")
    state, events = play(state, "d+", "d=")
    assert only(events, PlatesLookedAt) == [PlatesLookedAt(0, ("kyr?",))]
    assert duel.turn(state) == Choose((0,))


def test_DU20_the_whole_stack_may_be_drawn_and_lists_stay_in_the_hundreds():
    state = table(Board(score=20), open=OPEN)
    state, _ = play(state, *["d+"] * 13)
    assert (state.phase, state.stack, duel.turn(state)) == ("keep", (), Chance())
    state, _ = duel.apply(state, duel.deal(state, Random(1)))
    assert len(moves(state)) == 13 * 8 * 4
    state, _ = play(state, moves(state)[0])
    for left in range(12, 1, -1):
        assert len(moves(state)) == left
        state, _ = play(state, moves(state)[-1])
    assert (len(state.stack), duel.turn(state)) == (12, Choose((1,)))


def test_DU20_an_unseen_plate_is_any_of_its_kind_with_equal_probability():
    state, _ = play(table(open=OPEN, stack="?,kyr?1,*,*,*,*,*,*,*,?,?,?,?"), "d+", "d=")
    drawn = Counter(duel.deal(state, Random(seed)) for seed in range(1000))
    assert {deal.plates[0] for deal in drawn if isinstance(deal, duel.Look)} == {"ty?k", "yr?b", "tkr?", "rty?", "tb?y"}
    assert max(drawn.values()) < 1.4 * min(drawn.values())


# Tokens


def test_DU21_the_phase_goes_on_while_a_token_is_unused():
    state = table(open="ykt* ?btk", factories="- - - - -/-/b", tokens=(1, 0), due=(1, 0))
    state, _ = play(state, "c4")
    assert (state.phase, duel.turn(state)) == ("act", Choose((0,)))
    state, _ = play(state, "1ykt*")
    assert state.phase == "prepare"


# Costs


@pytest.mark.parametrize(
    "other",
    [
        {"factories": "bbykt - - - -", "due": (0, 0)},
        {"factories": "-/b - - - -", "due": (0, 0)},
        {"factories": "- -/-/b - - -", "due": (1, 0)},
        {"factories": EMPTY_FACTORIES, "due": (0, 0), "open": "ykt*"},
    ],
    ids=["a sun", "a moon", "a chip", "an open plate"],
)
def test_DU22_with_0_points_one_does_not_draw_while_there_is_something_else_to_do(other):
    state = table(Board(score=0), **other)
    assert moves(state)
    assert "d+" not in moves(state)
    assert refusal(state, "d+") == "DU22"
    assert "d+" in moves(table(Board(score=1), **other))


def test_DU22_with_0_points_one_plate_is_free_when_there_is_nothing_else_to_do():
    state = table(Board(score=0), factories=EMPTY_FACTORIES, due=(0, 0))
    assert moves(state) == ["d+"]
    state, events = play(state, "d+")
    assert only(events, PlateDrawn) == [PlateDrawn(0, "*", 0, "DU22")]
    assert (state.phase, len(state.hand), state.boards[0].score) == ("keep", 1, 0)


def test_DU22_after_the_last_point_no_further_plate_is_drawn():
    state, events = play(table(Board(score=2)), "d+")
    assert moves(state) == ["d+", "d="]
    state, events = play(state, "d+")
    assert [event.points for event in only(events, PlateDrawn)] == [-1]
    assert (state.phase, len(state.hand), state.boards[0].score) == ("keep", 2, 0)


@pytest.mark.parametrize(("score", "points"), [(0, [0, 0]), (1, [-1, 0])])
def test_DU22_by_the_other_reading_draws_with_0_points_are_always_free(score, points):
    state, events = play(table(Board(score=score), faces="rows,columns,diagonals:special"), "d+", "d+")
    assert [event.points for event in only(events, PlateDrawn)] == points
    assert state.boards[0].score == 0
