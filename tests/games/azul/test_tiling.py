"""Tiling the wall and paying for the floor (AZ20 to AZ24)."""

import pytest

from tessella.games import azul
from tessella.games.azul.events import (
    DraftingEnded,
    FloorScored,
    MarkerTaken,
    StartDecided,
    TilePlaced,
    TilesLaid,
    TilesTaken,
)
from tessella.games.azul.pieces import COLOURS
from tests.games.playing import only

from .positions import EMPTY_WALL, board, end_of_round, play, table

# AZ20: complete lines


def test_AZ20_the_rulebooks_tiling_example():
    """Peter: two red tiles in line 2 and four blue ones in line 4 are complete, the lines 3 and 5 are not."""
    peter = board("-/rr/kk/bbbb/ww")
    state, events = play(table(peter, order="1>1", factories="k"), "1k2")
    assert only(events, TilePlaced) == [
        TilePlaced(seat=0, row=1, column=3, colour="r", across=1, down=1, points=1, lid=1, rule="AZ22"),
        TilePlaced(seat=0, row=3, column=3, colour="b", across=1, down=1, points=1, lid=3, rule="AZ22"),
    ]
    assert state.boards[0] == azul.Board(2, ("", "", "kk", "", "ww"), (".....", "...r.", ".....", "...b.", "....."))
    assert state.lid == (3, 0, 1, 0, 0)


def test_AZ20_the_order_from_the_top_decides_about_points():
    """Two beside a neighbour and then two in the column: 4. From below it would have been 1 and then 2 + 2."""
    state, events = play(end_of_round(board("-/bb/-/-/-", "b..../...../...../...../....."), tile="y"), "1y1")
    assert [(event.across, event.down, event.points) for event in only(events, TilePlaced)] == [(2, 1, 2), (1, 2, 2)]
    assert state.boards[0].score == 4


# AZ21: the coloured wall


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("row", range(5))
def test_AZ21_a_tile_goes_to_the_space_of_its_colour(row, colour):
    lines = ["-"] * 5
    lines[row] = colour * row or "-"
    state, events = play(end_of_round(board("/".join(lines)), tile=colour), f"1{colour}{row + 1}")
    column = ["byrkw", "wbyrk", "kwbyr", "rkwby", "yrkwb"][row].index(colour)
    assert [(event.row, event.column) for event in only(events, TilePlaced)] == [(row, column)]
    assert state.boards[0].wall[row][column] == colour


# AZ22: points for a tile

SCORING_EXAMPLES = [
    # wall before, lines before, the last tile and its move, across, down, points
    pytest.param(EMPTY_WALL, "-/-/-/-/-", "1y1", 1, 1, 1, id="1 without a neighbour"),
    pytest.param("b.r../...../...../...../.....", "-/-/-/-/-", "1y1", 3, 1, 3, id="3 across"),
    pytest.param("...../...../....r/....y/.....", "-/-/-/-/bbbb", "1b5", 1, 3, 3, id="3 down, and no 1 for the row"),
    pytest.param("...../...r./kwb../...b./.....", "-/-/yy/-/-", "1y3", 4, 3, 7, id="4 across and 3 down"),
    pytest.param(".yrkw/w..../k..../r..../y....", "-/-/-/-/-", "1b1", 5, 5, 10, id="10 at most"),
    pytest.param("b..kw/...../...../...../.....", "-/-/-/-/-", "1y1", 2, 1, 2, id="a gap ends the run"),
    pytest.param("...../w..../...../...../.....", "-/-/-/-/-", "1y1", 1, 1, 1, id="a diagonal is no neighbour"),
]


@pytest.mark.parametrize(("wall", "lines", "move", "across", "down", "points"), SCORING_EXAMPLES)
def test_AZ22_a_tile_scores_the_runs_it_lies_in(wall, lines, move, across, down, points):
    _, events = play(end_of_round(board(lines, wall), tile=move[1]), move)
    placed = only(events, TilePlaced)
    assert [(event.across, event.down, event.points, event.rule) for event in placed] == [
        (across, down, points, "AZ22")
    ]


# AZ23, AZ24: the floor


def test_AZ23_the_marker_and_four_tiles_cost_8():
    """Peter's floor line in the rulebook."""
    state, events = play(table(board(floor="mbyk", score=30), factories="r"), "1r-")
    assert only(events, FloorScored) == [
        FloorScored(seat=0, tiles="mbykr", costs=(1, 1, 2, 2, 2), points=-8, rule="AZ23")
    ]
    assert state.boards[0].score == 22


def test_AZ23_the_floor_is_paid_after_the_wall():
    """First 1 for the tile, then 2 for the floor: 0. The other way round it would be 1."""
    state, events = play(table(board(floor="mb", score=0), factories="r"), "1r1")
    assert only(events, TilePlaced)[0].points == 1
    assert only(events, FloorScored) == [FloorScored(0, "mb", (1, 1), points=-1)]
    assert state.boards[0].score == 0


def test_AZ23_the_score_never_falls_below_0():
    state, events = play(table(board(floor="mbyk", score=5), factories="r"), "1r-")
    assert only(events, FloorScored) == [FloorScored(0, "mbykr", (1, 1, 2, 2, 2), points=-5)]
    assert state.boards[0].score == 0


def test_AZ24_floor_tiles_go_to_the_lid_and_the_marker_does_not():
    state, events = play(table(board(floor="mbbk"), order="1>0", factories="r"), "1r-")
    assert state.lid == (2, 0, 1, 1, 0)
    assert state.boards[0].floor == ""
    assert only(events, StartDecided) == [StartDecided(0, "AZ24")]
    assert state.start == 0


def test_AZ24_the_events_of_a_whole_round_end():
    state, events = play(table(board("-/rr/-/-/-", floor="b", score=3), order="1>0", centre="mk"), "ck1")
    assert events == [
        TilesTaken(0, None, "k", 1, ""),
        MarkerTaken(0, 1),
        TilesLaid(0, 0, "k", (0,)),
        DraftingEnded(2),
        TilePlaced(0, 0, 3, "k", across=1, down=1, points=1, lid=0),
        TilePlaced(0, 1, 3, "r", across=1, down=2, points=2, lid=1),
        FloorScored(0, "bm", (1, 1), -2),
        StartDecided(0, "AZ24"),
    ]
    assert state.boards[0].score == 3 + 1 + 2 - 2
