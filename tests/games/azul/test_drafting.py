"""Drafting: the factory offer (AZ10 to AZ18)."""

import pytest

from tessella.core.game import Choose
from tessella.games import azul
from tessella.games.azul.events import (
    DraftingEnded,
    FloorScored,
    MarkerTaken,
    StartDecided,
    TilePlaced,
    TilesFell,
    TilesLaid,
    TilesTaken,
)
from tessella.games.azul.scoring import floor_costs
from tests.games.playing import only

from .positions import board, destinations, end_of_round, play, refusal, table

# AZ10: taking tiles


def test_AZ10_all_tiles_of_a_colour_leave_the_factory_and_the_rest_moves_to_the_centre():
    state, events = play(table(factories="bbyk rrrr", centre="mkw"), "1b3")
    assert events == [
        TilesTaken(seat=0, source=0, colour="b", count=2, rest="yk", rule="AZ10"),
        TilesLaid(seat=0, line=2, colour="b", spaces=(0, 1), rule="AZ13"),
    ]
    assert state == table(board("-/-/bb/-/-"), order="0>1", factories="- rrrr", centre="mykkw")


def test_AZ10_the_first_turns_of_the_rulebook():
    """Peter, Martin and Andrea: two black tiles; one yellow; the three red ones from the centre, and the marker."""
    state = table(kind="3c", round=1, factories="bkkw yrrr byrw bbkk yyrr kwww bykw")
    state, peter = play(state, "1k2")
    assert peter == [TilesTaken(0, 0, "k", 2, "bw"), TilesLaid(0, 1, "k", (0, 1))]
    assert state.centre == "mbw"
    state, martin = play(state, "2y1")
    assert martin == [TilesTaken(1, 1, "y", 1, "rrr"), TilesLaid(1, 0, "y", (0,))]
    assert state.centre == "mbrrrw"
    state, andrea = play(state, "cr3")
    assert andrea == [TilesTaken(2, None, "r", 3, ""), MarkerTaken(2, space=0), TilesLaid(2, 2, "r", (0, 1, 2))]
    assert state.centre == "bw"
    assert [seat.floor for seat in state.boards] == ["", "", "m"]
    assert azul.turn(state) == Choose((0,))


# AZ11, AZ12: the start marker


def test_AZ11_the_first_to_take_from_the_centre_gets_the_marker_before_the_surplus():
    state, events = play(table(factories="bbyk", centre="mrrr"), "cr2")
    assert events == [
        TilesTaken(0, None, "r", 3, ""),
        MarkerTaken(0, space=0, rule="AZ11"),
        TilesLaid(0, 1, "r", (0, 1)),
        TilesFell(0, "r", spaces=(1,), lid=0, rule="AZ13"),
    ]
    assert state.boards[0].floor == "mr"
    assert state.centre == ""


def test_AZ11_a_later_take_from_the_centre_gets_no_marker():
    state, events = play(table(centre="mbrk"), "cb1", "cr1")
    assert only(events, MarkerTaken) == [MarkerTaken(0, space=0)]
    assert [seat.floor for seat in state.boards] == ["m", ""]


def test_AZ11_the_marker_as_seventh_piece_costs_3_and_the_surplus_goes_to_the_lid():
    """Six tiles lie on the floor: the marker takes the seventh space, and both red tiles that do not fit the lid."""
    before = table(board(floor="bbyykk", score=20), order="0>0", centre="mrrr")
    state, events = play(before, "cr1")
    assert events[1:4] == [
        MarkerTaken(0, space=6),
        TilesLaid(0, 0, "r", (0,)),
        TilesFell(0, "r", spaces=(), lid=2, rule="AZ13"),
    ]
    assert only(events, FloorScored) == [FloorScored(0, "bbyykkm", costs=(1, 1, 2, 2, 2, 3, 3), points=-14)]
    assert state.lid == (2, 2, 2, 2, 0)


def test_AZ12_a_marker_beyond_a_full_floor_line_costs_nothing_and_its_taker_starts_the_next_round():
    before = table(board(floor="bbyykkw", score=20), order="1>0", centre="mr")
    state, events = play(before, "cr1")
    assert events == [
        TilesTaken(0, None, "r", 1, ""),
        MarkerTaken(0, space=None, rule="AZ12"),
        TilesLaid(0, 0, "r", (0,)),
        DraftingEnded(2),
        TilePlaced(0, 0, 2, "r", across=1, down=1, points=1, lid=0),
        FloorScored(0, "bbyykkwm", costs=(1, 1, 2, 2, 2, 3, 3), points=-14),
        StartDecided(0, "AZ24"),
    ]
    assert state.boards[0].score == 20 + 1 - 14
    assert state.start == 0


# AZ13: where the tiles go


def test_AZ13_line_r_holds_r_tiles_and_fills_from_the_right():
    state = table(factories="bbbb yyyy rrrr kkkk wwww")
    for line in range(5):
        laid, events = play(state, f"3r{line + 1}")
        assert len(laid.boards[0].lines[line]) == min(4, line + 1)
        assert only(events, TilesLaid) == [TilesLaid(0, line, "r", tuple(range(min(4, line + 1))))]


def test_AZ13_what_the_line_does_not_hold_falls_to_the_floor():
    state, events = play(table(board("-/b/-/-/-", floor="k"), factories="bbbw"), "1b2")
    assert events == [
        TilesTaken(0, 0, "b", 3, "w"),
        TilesLaid(0, 1, "b", (1,)),
        TilesFell(0, "b", spaces=(1, 2), lid=0, rule="AZ13"),
    ]
    assert state.boards[0].floor == "kbb"


# AZ14, AZ15, AZ16: what a line takes


def test_AZ15_two_yellow_tiles_may_go_to_line_1_line_5_or_the_floor():
    """Andrea's board in the rulebook: yellow in the rows 2 and 3, a blue tile in line 4."""
    andrea = board("-/-/-/b/-", "...../..y../...y./...../.....")
    state = table(andrea, factories="yykw")
    assert destinations(state, "1y") == ["1", "5", "-"]
    assert [refusal(state, f"1y{line}") for line in (2, 3, 4)] == ["AZ15", "AZ15", "AZ14"]
    line_1, _ = play(state, "1y1")
    assert (line_1.boards[0].lines[0], line_1.boards[0].floor) == ("y", "y")
    line_5, _ = play(state, "1y5")
    assert (line_5.boards[0].lines[4], line_5.boards[0].floor) == ("yy", "")
    floor, _ = play(state, "1y-")
    assert (floor.boards[0].lines, floor.boards[0].floor) == (("", "", "", "b", ""), "yy")


def test_AZ16_everything_may_be_put_on_the_floor():
    state, events = play(table(factories="bbkw"), "1b-")
    assert events == [TilesTaken(0, 0, "b", 2, "kw"), TilesFell(0, "b", spaces=(0, 1), lid=0, rule="AZ16")]
    assert state.boards[0] == azul.Board(floor="bb")


# AZ17: the floor line


def test_AZ17_the_seven_spaces_cost_1_1_2_2_2_3_3():
    assert [sum(floor_costs("b" * tiles)) for tiles in range(9)] == [0, 1, 2, 4, 6, 8, 11, 14, 14]


def test_AZ17_the_eighth_tile_goes_to_the_lid_at_no_cost():
    before = table(board(floor="bbyykk", score=20), board(floor="m"), factories="rr")
    state, events = play(before, "1r-")
    assert only(events, TilesFell) == [TilesFell(0, "r", spaces=(6,), lid=1, rule="AZ16")]
    assert only(events, FloorScored)[0] == FloorScored(0, "bbyykkr", (1, 1, 2, 2, 2, 3, 3), -14)
    assert state.boards[0].score == 6


# AZ18: the end of drafting


@pytest.mark.parametrize(
    ("state", "last"),
    [
        (table(factories="rk"), "1r5"),
        (table(factories="bbbb", centre="mr"), "cr5"),
    ],
    ids=["a tile in the centre", "a tile in a factory"],
)
def test_AZ18_drafting_goes_on_while_a_tile_is_left(state, last):
    state, events = play(state, last)
    assert azul.turn(state) == Choose((1,))
    assert only(events, DraftingEnded) == []


@pytest.mark.parametrize("state", [table(board(floor="m"), factories="r"), end_of_round(board(), tile="r")])
def test_AZ18_drafting_ends_with_the_last_tile_even_if_the_marker_is_left_in_the_centre(state):
    state, events = play(state, "1r5")
    assert only(events, DraftingEnded) == [DraftingEnded(2, "AZ18")]
    assert (state.current, state.centre) == (0, "")


def test_AZ10_moves_are_listed_by_source_colour_and_line():
    state = table(board("b/-/-/-/-"), factories="bbyk - r", centre="mw")
    listed = " ".join(azul.write_move(state, move) for move in azul.legal_moves(state, 0))
    assert listed == (
        "1b2 1b3 1b4 1b5 1b- 1y2 1y3 1y4 1y5 1y- 1k2 1k3 1k4 1k5 1k- 3r2 3r3 3r4 3r5 3r- cw2 cw3 cw4 cw5 cw-"
    )
