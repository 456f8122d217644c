"""The grey wall: the player chooses the column (AZ30 to AZ33)."""

import pytest

from tessella.core.game import Chance, Choose
from tessella.games import azul
from tessella.games.azul.events import (
    BonusScored,
    DraftingEnded,
    FloorScored,
    StartDecided,
    TilePlaced,
    TilesFell,
    TilesLaid,
)

from .positions import board, columns, destinations, end_of_round, only, play, refusal, table

# AZ30: any column that fits


def test_AZ30_a_tile_may_go_to_any_column_of_an_empty_row():
    state, events = play(end_of_round(board(), kind="2g", tile="r"), "1r1")
    assert only(events, DraftingEnded) and not only(events, TilePlaced)
    assert azul.turn(state) == Choose((0,))
    assert columns(state, 0) == ["t11", "t12", "t13", "t14", "t15"]
    for column in range(5):
        placed, events = play(state, f"t1{column + 1}")
        assert only(events, TilePlaced) == [TilePlaced(0, 0, column, "r", across=1, down=1, points=1, lid=0)]
        assert placed.boards[0].wall[0] == "." * column + "r" + "." * (4 - column)


def test_AZ30_neither_a_column_that_has_the_colour_nor_an_occupied_space():
    state = table(board("r/-/-/-/-", "bk.../..r../...../...../....."), kind="2g")
    assert columns(state, 0) == ["t14", "t15"]
    assert refusal(state, "t13") == "AZ30"
    assert refusal(state, "t11") == "AZ30"
    assert refusal(state, azul.Place(0, 0, 5)) == "AZ30"
    assert refusal(state, azul.Place(0, 0, -1)) == "AZ30"


def test_AZ30_a_tile_scores_its_runs_where_it_was_put():
    state = table(board("-/-/yyy/-/-", "...../...r./kwb../...b./....."), kind="2g")
    _, events = play(state, "t34")
    assert only(events, TilePlaced) == [TilePlaced(0, 2, 3, "y", across=4, down=3, points=7, lid=2)]


# AZ31: who chooses what, and when


def test_AZ31_the_choice_in_row_1_binds_the_choice_in_row_3():
    state = table(board("r/-/rrr/-/-"), kind="2g")
    assert columns(state, 0) == ["t11", "t12", "t13", "t14", "t15"]
    state, _ = play(state, "t12")
    assert azul.turn(state) == Choose((0,))
    assert columns(state, 0) == ["t31", "t33", "t34", "t35"]
    assert refusal(state, "t32") == "AZ30"


def test_AZ31_lines_are_worked_from_top_to_bottom():
    state = table(board("r/-/rrr/-/-"), kind="2g")
    assert refusal(state, "t31") == "AZ31"
    assert refusal(state, azul.Place(0, 5, 0)) == "AZ31"
    assert refusal(state, azul.Place(0, -1, 0)) == "AZ31"


def test_AZ31_the_only_column_is_used_without_asking():
    """Row 3 is free in the columns 4 and 5, and the fifth has red."""
    wall = "r..../.r.../bkw../....r/....."
    state, events = play(table(board("-/-/rrr/-/-", wall), kind="2g", order="1>1", factories="y"), "1y2")
    assert only(events, TilePlaced) == [TilePlaced(0, 2, 3, "r", across=4, down=1, points=4, lid=2)]
    assert azul.turn(state) == Chance()


def test_AZ31_a_tile_that_fits_must_be_placed():
    """Two columns take the tile: those are the choices, and the floor is none of them."""
    state = table(board("-/-/rrr/-/-", "r..../.r.../..b../...../....."), kind="2g")
    assert columns(state, 0) == ["t34", "t35"]


def test_AZ31_what_needs_no_choice_follows_the_choice():
    """Row 1 goes to the fourth column, so that row 2 must use the fifth, and then the floor is scored."""
    before = table(board("r/rr/-/-/-", "bk.../wby../...../...../.....", floor="k", score=9), kind="2g")
    assert columns(before, 0) == ["t13", "t14", "t15"]
    state, events = play(before, "t14")
    assert events == [
        TilePlaced(0, 0, 3, "r", across=1, down=1, points=1, lid=0),
        TilePlaced(0, 1, 4, "r", across=1, down=1, points=1, lid=1),
        FloorScored(0, "k", (1,), -1),
    ]
    assert azul.turn(state) == Chance()


def test_AZ31_choices_above_decide_whether_a_choice_is_left_below():
    """With row 1 in the third column row 2 keeps two columns, and its player is asked again."""
    before = table(board("r/rr/-/-/-", "bk.../wby../...../...../.....", floor="k", score=9), kind="2g")
    state, events = play(before, "t13")
    assert only(events, FloorScored) == []
    assert columns(state, 0) == ["t24", "t25"]


def test_AZ31_all_who_have_a_choice_may_choose_at_the_same_time():
    state = table(board("r/-/-/-/-"), board(), board("-/kk/-/-/-", floor="m"), kind="3g")
    assert azul.turn(state) == Choose((0, 2))
    assert columns(state, 1) == []
    one, _ = play(state, "0:t12", "t24")
    other, _ = play(state, "2:t24", "t12")
    assert one == other
    assert azul.turn(one) == Chance()
    assert one.start == 2


def test_AZ31_no_choice_is_asked_where_the_coloured_wall_decides():
    state, events = play(end_of_round(board("-/kk/-/-/-"), board("-/yy/-/-/-"), tile="r"), "1r1")
    assert len(only(events, TilePlaced)) == 3
    assert azul.turn(state) == Chance()


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
    assert columns(before, 0) == ["t14", "t15"]
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


# The end on the grey wall


@pytest.mark.parametrize(
    ("wall", "bonuses"),
    [
        pytest.param("r..../.r.../..r../...r./bkyw.", [("row", 1), ("colour", 1)], id="five red tiles"),
        pytest.param(".b.../.r.../..r../...r./bkyw.", [("row", 1)], id="four red tiles"),
    ],
)
def test_AZ51_the_colour_bonus_needs_all_five_tiles_on_the_grey_wall_too(wall, bonuses):
    state = table(board("-/-/-/-/rrrrr", wall), kind="2g", order="1>1", factories="y")
    state, events = play(state, "1y2")
    assert [(event.kind, event.count) for event in only(events, BonusScored)] == bonuses


def test_AZ04_the_wall_is_the_same_for_every_seat():
    state = table(board("r/-/-/-/-"), board("k/-/-/-/-"), kind="2g")
    assert columns(state, 0) == columns(state, 1) == ["t11", "t12", "t13", "t14", "t15"]
