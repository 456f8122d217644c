"""The grey wall: the player chooses the column (AZ30 to AZ33)."""

import pytest

from tessella.core.game import Chance, Choose
from tessella.games import azul
from tessella.games.azul.events import (
    DraftingEnded,
    FloorScored,
    StartDecided,
    TilePlaced,
    TilesFell,
    TilesLaid,
)
from tests.games.playing import only

from .positions import board, destinations, end_of_round, moves, play, refusal, table

# AZ30: any column that fits


def test_AZ30_a_tile_may_go_to_any_column_of_an_empty_row():
    state, events = play(end_of_round(board(), kind="2g", tile="r"), "1r1")
    assert only(events, DraftingEnded) and not only(events, TilePlaced)
    assert azul.turn(state) == Choose((0,))
    assert moves(state, 0) == ["t11", "t12", "t13", "t14", "t15"]
    for column in range(5):
        placed, events = play(state, f"t1{column + 1}")
        assert only(events, TilePlaced) == [TilePlaced(0, 0, column, "r", across=1, down=1, points=1, lid=0)]
        assert placed.boards[0].wall[0] == "." * column + "r" + "." * (4 - column)


@pytest.mark.parametrize(
    ("lines", "wall", "open_columns"),
    [
        ("r/-/-/-/-", "bk.../..r../...../...../.....", ["t14", "t15"]),
        ("-/-/rrr/-/-", "r..../.r.../..b../...../.....", ["t34", "t35"]),
    ],
)
def test_AZ30_AZ31_a_tile_goes_to_an_empty_space_in_a_column_without_its_colour(lines, wall, open_columns):
    assert moves(table(board(lines, wall), kind="2g"), 0) == open_columns


# AZ31: who chooses what, and when


def test_AZ31_the_choice_in_row_1_binds_the_choice_in_row_3():
    state = table(board("r/-/rrr/-/-"), kind="2g")
    assert moves(state, 0) == ["t11", "t12", "t13", "t14", "t15"]
    state, _ = play(state, "t12")
    assert azul.turn(state) == Choose((0,))
    assert moves(state, 0) == ["t31", "t33", "t34", "t35"]
    assert refusal(state, "t32") == "AZ30"


def test_AZ31_the_only_column_is_used_without_asking():
    """Row 3 is free in the columns 4 and 5, and the fifth has red."""
    wall = "r..../.r.../bkw../....r/....."
    state, events = play(table(board("-/-/rrr/-/-", wall), kind="2g", order="1>1", factories="y"), "1y2")
    assert only(events, TilePlaced) == [TilePlaced(0, 2, 3, "r", across=4, down=1, points=4, lid=2)]
    assert azul.turn(state) == Chance()


def test_AZ31_what_needs_no_choice_follows_the_choice():
    """With row 1 in the fourth column row 2 must use the fifth; in the third it leaves row 2 two columns."""
    before = table(board("r/rr/-/-/-", "bk.../wby../...../...../.....", floor="k", score=9), kind="2g")
    assert moves(before, 0) == ["t13", "t14", "t15"]
    state, events = play(before, "t14")
    assert events == [
        TilePlaced(0, 0, 3, "r", across=1, down=1, points=1, lid=0),
        TilePlaced(0, 1, 4, "r", across=1, down=1, points=1, lid=1),
        FloorScored(0, "k", (1,), -1),
    ]
    assert azul.turn(state) == Chance()
    state, events = play(before, "t13")
    assert only(events, FloorScored) == []
    assert moves(state, 0) == ["t24", "t25"]


def test_AZ31_all_who_have_a_choice_may_choose_at_the_same_time():
    state = table(board("r/-/-/-/-"), board(), board("-/kk/-/-/-", floor="m"), kind="3g")
    assert azul.turn(state) == Choose((0, 2))
    assert moves(state, 1) == []
    one, _ = play(state, "0:t12", "t24")
    other, _ = play(state, "2:t24", "t12")
    assert one == other
    assert azul.turn(one) == Chance()
    assert one.start == 2


# AZ32, AZ33: no column is left


def test_AZ32_without_a_column_the_whole_line_falls_to_the_floor_and_counts_this_round():
    """Row 3 is free in the columns 4 and 5, and both have red in other rows."""
    doomed = board("-/-/rrr/-/-", "...r./....r/bkw../...../.....", floor="m", score=10)
    state, events = play(table(doomed, kind="2g", order="1>1", factories="y"), "1y2")
    assert events[2:] == [
        DraftingEnded(2),
        TilesFell(seat=0, colour="r", spaces=(1, 2, 3), lid=0, rule="AZ32"),
        FloorScored(0, "mrrr", (1, 1, 2, 2), -6),
        StartDecided(0, "AZ24"),
    ]
    assert state.boards[0].score == 4
    assert state.boards[0].lines == ("", "", "", "", "")
    assert state.boards[0].wall[2] == "bkw.."
    assert state.lid == (0, 0, 3, 0, 0)


def test_AZ32_what_the_floor_does_not_hold_goes_to_the_lid():
    doomed = board("-/-/rrr/-/-", "...r./....r/bkw../...../.....", floor="bbyykk", score=20)
    state, events = play(table(doomed, kind="2g", order="1>1", factories="w"), "1w2")
    assert only(events, TilesFell) == [TilesFell(0, "r", spaces=(6,), lid=2, rule="AZ32")]
    assert only(events, FloorScored) == [FloorScored(0, "bbyykkr", (1, 1, 2, 2, 2, 3, 3), -14)]
    assert state.lid == (2, 2, 3, 2, 0)


def test_AZ32_a_choice_above_can_doom_a_line_below():
    """Row 4 has one column without red; if row 1 takes red there, the line of row 4 falls."""
    before = table(board("r/-/-/rrrr/-", "bk.../..r../.r.../w.b.k/r...."), kind="2g")
    assert moves(before, 0) == ["t14", "t15"]
    spared, events = play(before, "t15")
    assert [(event.row, event.column) for event in only(events, TilePlaced)] == [(0, 4), (3, 3)]
    doomed, events = play(before, "t14")
    assert only(events, TilesFell) == [TilesFell(0, "r", (0, 1, 2, 3), 0, "AZ32")]
    assert (spared.boards[0].score, doomed.boards[0].score) == (1 + 3, 0)


def test_AZ33_drafting_into_a_line_without_a_column_is_allowed():
    doomed = board(wall="...r./....r/bkw../...../.....")
    state = table(doomed, kind="2g", factories="rrrk")
    assert destinations(state, "1r") == ["3", "4", "5", "-"]
    _, events = play(state, "1r3")
    assert only(events, TilesLaid) == [TilesLaid(0, 2, "r", (0, 1, 2))]
