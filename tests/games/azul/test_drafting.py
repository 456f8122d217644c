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

from .positions import board, destinations, end_of_round, only, play, refusal, table

# AZ10: taking tiles


def test_AZ10_all_tiles_of_a_colour_leave_the_factory_and_the_rest_moves_to_the_centre():
    state, events = play(table(factories="bbyk rrrr", centre="mkw"), "1b3")
    assert events == [
        TilesTaken(seat=0, source=0, colour="b", count=2, rest="yk", rule="AZ10"),
        TilesLaid(seat=0, line=2, colour="b", spaces=(0, 1), rule="AZ13"),
    ]
    assert state == table(board("-/-/bb/-/-"), order="0>1", factories="- rrrr", centre="mykkw")


def test_AZ10_a_factory_of_four_equal_tiles_sends_nothing_to_the_centre():
    state, events = play(table(factories="rrrr bbyk"), "1r4")
    assert only(events, TilesTaken) == [TilesTaken(0, 0, "r", 4, rest="")]
    assert state == table(board("-/-/-/rrrr/-"), order="0>1", factories="- bbyk", centre="m")


def test_AZ10_all_tiles_of_a_colour_leave_the_centre_and_the_others_stay():
    state, events = play(table(board(floor="m"), order="0>1", centre="bbrkk"), "ck2")
    assert only(events, TilesTaken) == [TilesTaken(1, None, "k", 2, rest="")]
    assert state.centre == "bbr"
    assert state.boards[1].lines == ("", "kk", "", "", "")


def test_AZ10_players_take_turns_clockwise_from_the_start_player():
    state = table(kind="3c", order="1>1", factories="bbyk byrw rrrr kkww")
    turns = [azul.turn(state)]
    for move in ("1b2", "2y1", "3r4", "4k3"):
        state, _ = play(state, move)
        turns.append(azul.turn(state))
    assert turns == [Choose((seat,)) for seat in (1, 2, 0, 1, 2)]


def test_AZ10_a_move_out_of_turn_is_refused():
    state = table(order="0>0", factories="bbyk")
    assert refusal(state, azul.Take(1, 0, "b", 0)) == "AZ10"
    assert azul.legal_moves(state, 1) == []


def test_AZ10_a_source_without_the_colour_is_refused():
    state = table(factories="bbyk -", centre="mr")
    assert refusal(state, "1r1") == "AZ10"
    assert refusal(state, "2b1") == "AZ10"
    assert refusal(state, "cb1") == "AZ10"


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


def test_AZ11_the_marker_goes_to_the_leftmost_free_space():
    state, events = play(table(board(floor="bb"), centre="mrk"), "cr-")
    assert only(events, MarkerTaken) == [MarkerTaken(0, space=2)]
    assert state.boards[0].floor == "bbmr"


def test_AZ11_a_later_take_from_the_centre_gets_no_marker():
    state, events = play(table(centre="mbrk"), "cb1", "cr1")
    assert only(events, MarkerTaken) == [MarkerTaken(0, space=0)]
    assert [seat.floor for seat in state.boards] == ["m", ""]


def test_AZ11_a_take_from_a_factory_leaves_the_marker_where_it_is():
    state, events = play(table(factories="bbyk"), "1b2")
    assert only(events, MarkerTaken) == []
    assert state.centre == "myk"


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


def test_AZ12_the_marker_alone_cannot_be_taken():
    state = table(factories="bbyk", centre="m")
    assert refusal(state, azul.Take(0, None, "m", None)) == "AZ12"
    assert refusal(state, azul.Take(0, None, "m", 0)) == "AZ12"
    assert all(isinstance(move, azul.Take) and move.source == 0 for move in azul.legal_moves(state, 0))


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


def test_AZ12_tiles_that_follow_a_marker_beyond_a_full_floor_line_go_to_the_lid():
    state, events = play(table(board(floor="bbyykkw"), factories="y", centre="mrr"), "cr-")
    assert only(events, TilesFell) == [TilesFell(0, "r", spaces=(), lid=2, rule="AZ16")]
    assert state.boards[0].floor == "bbyykkwm"
    assert state.lid == (0, 0, 2, 0, 0)


# AZ13: where the tiles go


def test_AZ13_line_r_holds_r_tiles_and_fills_from_the_right():
    state = table(factories="bbbb yyyy rrrr kkkk wwww")
    for line in range(5):
        laid, events = play(state, f"3r{line + 1}")
        assert len(laid.boards[0].lines[line]) == min(4, line + 1)
        assert only(events, TilesLaid) == [TilesLaid(0, line, "r", tuple(range(min(4, line + 1))))]


def test_AZ13_tiles_are_added_to_what_a_line_holds():
    state, events = play(table(board("-/-/-/-/rr"), factories="rrbk"), "1r5")
    assert only(events, TilesLaid) == [TilesLaid(0, 4, "r", spaces=(2, 3))]
    assert state.boards[0].lines[4] == "rrrr"


def test_AZ13_what_the_line_does_not_hold_falls_to_the_floor():
    state, events = play(table(board("-/b/-/-/-", floor="k"), factories="bbbw"), "1b2")
    assert events == [
        TilesTaken(0, 0, "b", 3, "w"),
        TilesLaid(0, 1, "b", (1,)),
        TilesFell(0, "b", spaces=(1, 2), lid=0, rule="AZ13"),
    ]
    assert state.boards[0].floor == "kbb"


def test_AZ13_surplus_never_spills_to_another_line_of_the_same_colour():
    state, _ = play(table(board("-/b/-/b/b"), factories="bbbw"), "1b2")
    assert state.boards[0].lines == ("", "bb", "", "b", "b")
    assert state.boards[0].floor == "bb"


def test_AZ13_there_are_five_lines():
    state = table(factories="bbbw")
    assert refusal(state, azul.Take(0, 0, "b", 5)) == "AZ13"
    assert refusal(state, azul.Take(0, 0, "b", -1)) == "AZ13"


# AZ14, AZ15, AZ16: what a line takes


def test_AZ14_a_line_holds_one_colour():
    state = table(board("-/-/-/y/-"), factories="bbbw")
    assert refusal(state, "1b4") == "AZ14"
    assert destinations(state, "1b") == ["1", "2", "3", "5", "-"]


def test_AZ14_a_full_line_takes_nothing_more_not_even_its_own_colour():
    state = table(board("-/bb/-/-/-"), factories="bbbw")
    assert refusal(state, "1b2") == "AZ14"
    assert refusal(state, "1w2") == "AZ14"
    assert destinations(state, "1b") == ["1", "3", "4", "5", "-"]


def test_AZ14_one_colour_may_lie_in_several_lines():
    state, _ = play(table(board("-/b/-/b/-"), factories="bbkw"), "1b5")
    assert state.boards[0].lines == ("", "b", "", "b", "bb")


@pytest.mark.parametrize(("kind", "row"), [("2c", "..b.."), ("2g", "b....")])
def test_AZ15_a_colour_on_the_wall_row_is_refused_in_its_line(kind, row):
    state = table(board(wall=f"...../...../{row}/...../....."), kind=kind, factories="bbkw")
    assert refusal(state, "1b3") == "AZ15"
    assert destinations(state, "1b") == ["1", "2", "4", "5", "-"]


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


def test_AZ16_the_floor_is_open_when_no_line_is():
    state = table(board("r/rr/rrr/r/r"), factories="bbww kkyy")
    assert {azul.write_move(state, move) for move in azul.legal_moves(state, 0)} == {"1b-", "1w-", "2k-", "2y-"}


# AZ17: the floor line


def test_AZ17_the_seven_spaces_cost_1_1_2_2_2_3_3():
    assert [sum(floor_costs("b" * tiles)) for tiles in range(9)] == [0, 1, 2, 4, 6, 8, 11, 14, 14]


def test_AZ17_the_eighth_tile_goes_to_the_lid_at_no_cost():
    before = table(board(floor="bbyykk", score=20), board(floor="m"), factories="rr")
    state, events = play(before, "1r-")
    assert only(events, TilesFell) == [TilesFell(0, "r", spaces=(6,), lid=1, rule="AZ16")]
    assert only(events, FloorScored)[0] == FloorScored(0, "bbyykkr", (1, 1, 2, 2, 2, 3, 3), -14)
    assert state.boards[0].score == 6


def test_AZ17_a_tile_without_a_space_lies_in_the_lid_at_once():
    state, _ = play(table(board(floor="bbyykkw"), factories="rrkk bbbb"), "1r-")
    assert state.boards[0].floor == "bbyykkw"
    assert state.lid == (0, 0, 2, 0, 0)


# AZ18: the end of drafting


def test_AZ18_drafting_goes_on_while_the_centre_holds_a_tile():
    state, events = play(table(factories="rk"), "1r5")
    assert state.factories == ("",) * 5
    assert azul.turn(state) == Choose((1,))
    assert only(events, DraftingEnded) == []


def test_AZ18_drafting_goes_on_while_a_factory_holds_a_tile():
    state, events = play(table(factories="bbbb", centre="mr"), "cr5")
    assert state.centre == ""
    assert azul.turn(state) == Choose((1,))
    assert only(events, DraftingEnded) == []


def test_AZ18_drafting_ends_with_the_last_tile():
    state, events = play(table(board(floor="m"), factories="- r"), "2r5")
    assert only(events, DraftingEnded) == [DraftingEnded(2, "AZ18")]
    assert state.current == 0


def test_AZ18_the_marker_left_in_the_centre_does_not_keep_drafting_open():
    state, events = play(end_of_round(board()), "1w5")
    assert only(events, DraftingEnded) == [DraftingEnded(2)]
    assert state.centre == ""


def test_AZ18_no_take_after_drafting_and_no_placement_before_its_end():
    tiling = table(board("-/bb/-/-/-"), kind="2g")
    assert refusal(tiling, azul.Take(0, 0, "b", 0)) == "AZ18"
    drafting = table(board("-/bb/-/-/-"), kind="2g", factories="rrkk")
    assert refusal(drafting, azul.Place(0, 1, 0)) == "AZ18"
