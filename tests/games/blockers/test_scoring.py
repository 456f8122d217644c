"""How points are counted: BL21 to BL23, BL33, and what a move would do to them."""

import pytest

from tessella.core.game import Over
from tessella.games import blockers
from tessella.games.blockers import State
from tessella.games.blockers.events import SeatScored, Tally

from .positions import lay, moves, play

FIGURE_C = "yA@A1 y2@A2 y5@C5 yE@E1 yI@I9 b7@D7 b8@D8 bG@G2 b3@I3 gH@H5 g4@H4 g9@F9 rA@A4 rB@B7 rC@C9 rF@F1 r6@G6 r5@E5"
"""Four yellow groups, three blue, two green and six red."""

THREE_GROUPS = "bA@A1 b4@C4 b7@E7 yI@I9 yG@G7 y5@G5 r1@E1 r2@G2 r3@I3"
"""Three groups of each of three colours."""


def over(state: State) -> Over:
    turn = blockers.turn(state)
    assert isinstance(turn, Over)
    return turn


def tally(state: State, seat: int) -> Tally:
    return blockers.view(state, None).tallies[seat]


def test_BL21_figure_C_yellow_4_groups_and_1_captured_blue_3_and_2_green_2():
    state = lay(FIGURE_C, {}, "r1r2", "b1", table="4b", played=24)
    assert over(state).scores == (5, 5, 6, 2)
    assert tally(state, 1) == Tally(groups=(2, 1, 1, 1), captured=(1, 0, 0, 0), counted="b", score=5)
    assert tally(state, 0) == Tally(groups=(2, 1, 1), captured=(0, 0, 2, 0), counted="r", score=5)
    assert tally(state, 3) == Tally(groups=(2, 1), captured=(0, 0, 0, 0), counted=None, score=2)


def test_BL22_in_figure_C_yellow_is_before_blue_having_captured_fewer_tiles():
    assert over(lay(FIGURE_C, {}, "r1r2", "b1", table="4b", played=24)).places == (3, 2, 4, 1)


def test_BL21_two_colours_captured_equally_often_count_once():
    state = lay(THREE_GROUPS, {}, "", "b1r4", played=24)
    assert tally(state, 1).captured == (1, 0, 1)
    assert over(state).scores == (3, 4, 3)


def test_BL21_three_red_three_blue_and_one_green_cost_three_points_and_count_seven_in_a_tie():
    seven = "yA@A1 y2@A2 y3@A3 y4@A4 y5@A5 y6@A6 y7@A7"
    state = lay(seven + " g1@C1 g3@C3 g5@C5 g7@C7", {}, "", "r1r2r3b1b2b3g2", "", "", table="4b", played=24)
    assert tally(state, 1) == Tally(groups=(7,), captured=(3, 0, 3, 1), counted="b", score=4)
    assert over(state).scores == (0, 4, 0, 4)
    assert over(state).places == (1, 4, 1, 3)


@pytest.mark.parametrize("colour", "yrgv")
def test_BL21_captures_of_every_colour_count(colour):
    state = lay("bA@A1 b2@A2", {}, f"{colour}1{colour}2", table="5b")
    found = tally(state, 0)
    assert (found.counted, found.score) == (colour, 1 + 2)


def test_BL21_a_colour_without_a_tile_on_the_board_has_no_groups():
    state = lay("y7@D7", {}, "", "b1", played=24)
    assert tally(state, 0) == Tally(groups=(), captured=(0, 0, 0), counted=None, score=0)
    assert over(state).scores == (0, 2, 0)


def test_BL21_the_tallies_can_be_read_at_any_time():
    state = lay("bA@A1 b2@A2 bI@I9 y7@D7", {}, "y1")
    assert tally(state, 0) == Tally(groups=(2, 1), captured=(0, 1, 0), counted="y", score=3)


def test_BL22_of_equal_scores_fewer_captures_win():
    state = lay(THREE_GROUPS, {}, "y1r4", "b1", "b2", played=24)
    assert over(state).scores == (4, 4, 4)
    assert over(state).places == (3, 1, 1)


def test_BL22_after_equal_captures_the_victory_is_shared():
    state = lay(THREE_GROUPS, {}, "y1", "b1", "b2", played=24)
    assert over(state).places == (1, 1, 1)


def test_BL23_uptown_counts_groups_alone_and_may_turn_the_winner_around():
    tiles, captured = "bA@A1 b2@A2 b7@D7 yI@I9 yG@G7 y5@G5", ("r1r2r3", "", "")
    assert over(lay(tiles, {}, *captured, table="3b", played=24)).scores == (5, 3, 0)
    uptown = lay(tiles, {}, *captured, table="3u", played=24)
    assert over(uptown).scores == (2, 3, 0)
    assert over(uptown).places == (2, 3, 1)
    assert tally(uptown, 0) == Tally(groups=(2, 1), captured=(0, 0, 3), counted=None, score=2)


def test_BL23_of_equal_groups_the_fewest_captures_win_then_the_victory_is_shared():
    state = lay(THREE_GROUPS, {}, "y1r4", "b1", "b2", table="3u", played=24)
    assert over(state).scores == (3, 3, 3)
    assert over(state).places == (3, 1, 1)


def test_BL33_groups_of_both_colours_are_added():
    state = lay("bA@A1 b2@A2 r7@D7 rI@I9 y4@D4", {}, table="2b", played=24)
    assert tally(state, 0).groups == (2, 1, 1)
    assert over(state) == Over((3, 1), (2, 1))


def test_BL33_the_own_other_colour_counts_among_the_captures():
    state = lay("bA@A1 b4@C4 b7@E7 gI@I9", {}, "r1r2y1", table="2b", played=24)
    assert tally(state, 0) == Tally(groups=(1, 1, 1), captured=(0, 1, 2, 0), counted="r", score=5)


def test_BL33_a_tie_goes_to_fewer_captures_then_the_victory_is_shared():
    fewer = lay("bA@A1 b2@A2 y1@C1 yw@D9", {}, "y5r5", table="2b", played=24)
    assert over(fewer) == Over((2, 2), (2, 1))
    assert over(lay("bA@A1 yI@I9", table="2b", played=24)) == Over((1, 1), (1, 1))


@pytest.mark.parametrize(("table", "rule"), [("3b", "BL21"), ("3u", "BL23"), ("2b", "BL33"), ("2u", "BL23")])
def test_BL21_the_final_score_names_its_rule(table, rule):
    state = lay(table=table, played=23)
    while not isinstance(blockers.turn(state), Over):
        state, events = play(state, moves(state)[0])
    assert {event.rule for event in events if isinstance(event, SeatScored)} == {rule}


# Preview


def preview(state: State, text: str) -> blockers.Preview:
    return blockers.preview(state, blockers.read_move(state, 0, text))


def test_BL21_a_new_group_costs_a_point_in_the_preview():
    seen = preview(lay("bA@A1", {"b": "I7sdw"}), "7@D7")
    assert (seen.points, seen.cell, seen.captures) == (-1, 33, None)
    assert (seen.before.groups, seen.after.groups) == ((1,), (1, 1))


def test_BL21_joining_two_groups_gains_a_point_in_the_preview():
    seen = preview(lay("b4@D4 b6@D6", {"b": "D7sIw"}), "D@D5")
    assert (seen.points, seen.after.groups, seen.after.score) == (1, (3,), 1)


def test_BL21_a_capture_costs_its_point_in_the_preview_unless_another_colour_counts():
    first = preview(lay("b4@D4 y5@D5", {"b": "D7sIw"}), "D@D5x")
    assert (first.points, first.captures, first.after.captured) == (-1, "y", (0, 1, 0))
    second = preview(lay("b4@D4 bA@A1 y5@D5", {"b": "D7sIw"}, "r1"), "D@D5x")
    assert (second.points, second.after.captured) == (0, (0, 1, 1))


def test_BL17_a_tile_put_aside_changes_no_score_in_the_preview():
    state = lay("bA@A1", {"b": "I7sdw"})
    seen = blockers.preview(state, blockers.PutAside(0, "b", "7"))
    assert (seen.points, seen.cell, seen.captures) == (0, None, None)
    assert seen.before == seen.after


def test_BL33_the_preview_counts_both_colours_of_the_mover():
    seen = preview(lay("r7@D7", {"b": "D1ABC"}, table="2b"), "bD@D7x")
    assert (seen.points, seen.before.score, seen.after.score) == (-1, 1, 2)
