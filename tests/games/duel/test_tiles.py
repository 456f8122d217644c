"""Actions B and C: tiles from suns and moons, and where they go (DU23 to DU28)."""

import pytest

from tessella.core.game import Chance, Choose
from tessella.games import duel
from tessella.games.duel.events import (
    ChipRevealed,
    MoonsTaken,
    StartTileTaken,
    SunTaken,
    TilesBroke,
    TilesLaid,
    TilesStacked,
)

from .positions import Board, end_of_phase_1, moves, only, play, refusal, table

# The sun


def test_DU23_all_tiles_of_a_colour_leave_the_sun_of_one_factory():
    state, events = play(table(factories="bbykt bbyk bbrr bbyk bbyk"), "2b3")
    assert events == [SunTaken(0, 2, "b", 2, "rr"), TilesLaid(0, 2, "b", (0, 1))]
    assert state.factories[2] == duel.Factory("", "rr", "#")
    assert [factory.sun for factory in state.factories] == ["bbykt", "bbyk", "", "bbyk", "bbyk"]


def test_DU23_the_worked_example_black_below_and_yellow_on_top():
    state, events = play(table(factories="bbykt ttyk bbyk bbyk bbyk"), "1t2", "sky")
    assert only(events, TilesStacked) == [TilesStacked(0, 1, "ky")]
    assert state.factories[1] == duel.Factory("", "ky", "#")
    assert state.boards[0].lines[1] == "tt"


def test_DU23_the_worked_example_the_leftover_of_the_large_factory_lies_side_by_side():
    state, events = play(table(factories="ttyrk bbyk bbyk bbyk bbyk"), "0t2")
    assert only(events, SunTaken) == [SunTaken(0, 0, "t", 2, "yrk")]
    assert state.factories[0] == duel.Factory("", "yrk")
    assert duel.turn(state) == Choose((1,))


def test_DU23_the_taker_may_stack_the_leftover_in_every_order():
    state, _ = play(table(factories="bbykt byrk bbyk bbyk bbyk"), "1b1")
    assert duel.turn(state) == Choose((0,))
    assert moves(state) == ["syrk", "sykr", "sryk", "srky", "skyr", "skry"]
    state, _ = play(table(factories="bbykt byyk bbyk bbyk bbyk"), "1b1")
    assert moves(state) == ["syyk", "syky", "skyy"]


def test_DU23_equal_leftover_tiles_need_no_choice():
    state, _ = play(table(factories="bbykt bbyy bbyk bbyk bbyk"), "1b1")
    assert state.factories[1].moon == "yy"
    assert duel.turn(state) == Choose((1,))


def test_DU23_the_leftover_is_stacked_as_it_is_and_before_anything_else():
    state, _ = play(table(factories="bbykt byrk bbyk bbyk bbyk"), "1b1")
    assert [refusal(state, move) for move in ("2b1", "d+", "syr", "syyk", "syrt")] == ["DU23"] * 5


def test_DU23_a_colour_that_is_not_on_the_sun_cannot_be_taken_from_it():
    state = table(factories="bbykt bbyk -/yk bbyk bbyk")
    assert [refusal(state, move) for move in ("1r1", "2y1", "0r1")] == ["DU23"] * 3
    assert refusal(state, duel.Take(0, 5, "b", 0)) == "DU10"
    assert refusal(state, duel.Take(0, -1, "b", 0)) == "DU10"


# The moons


def test_DU24_a_moon_take_takes_only_the_top_tile_of_a_small_stack():
    state, events = play(table(factories="bbykt -/kyy -/yk bbyk bbyk"), "my4")
    assert events == [MoonsTaken(0, "y", (0, 1, 0, 0, 0)), TilesLaid(0, 3, "y", (0,))]
    assert [factory.moon for factory in state.factories] == ["", "ky", "yk", "", ""]


def test_DU24_a_moon_take_takes_all_tops_and_all_tiles_of_the_large_moon():
    state, events = play(table(factories="-/yyrk -/ky -/yy -/yk bbyk"), "my4")
    assert only(events, MoonsTaken) == [MoonsTaken(0, "y", (2, 1, 1, 0, 0))]
    assert [factory.moon for factory in state.factories] == ["rk", "k", "y", "yk", ""]
    assert state.boards[0].lines[3] == "yyyy"


def test_DU24_all_leftovers_of_the_large_factory_count_as_top_tiles():
    state, _ = play(table(factories="bykrt bbyk bbyk bbyk bbyk"), "0b1")
    assert {move[:2] for move in moves(state) if move.startswith("m")} == {"my", "mr", "mk", "mt"}


def test_DU24_the_worked_example_one_red_two_black_or_two_yellow_tiles():
    state = table(factories="-/rkk -/ky -/ry bbyk bbyk")
    assert {move[:2] for move in moves(state) if move.startswith("m")} == {"mr", "mk", "my"}
    for take, count in (("mr1", 1), ("mk2", 2), ("my2", 2)):
        _, events = play(state, take)
        assert sum(only(events, MoonsTaken)[0].counts) == count
        assert bool(only(events, StartTileTaken)) == (take != "my2")


def test_DU24_a_colour_that_no_moon_shows_cannot_be_taken():
    assert refusal(table(factories="bbykt -/kyy bbyk bbyk bbyk"), "mk1") == "DU24"


# The start tile


def test_DU25_the_first_to_take_from_the_large_moon_takes_the_start_tile():
    state, events = play(table(factories="-/ykkt bbyk bbyk bbyk bbyk"), "mk2")
    assert only(events, StartTileTaken) == [StartTileTaken(0)]
    assert state.holder == 0
    state, events = play(state, "my1")
    assert only(events, StartTileTaken) == []
    assert state.holder == 0


def test_DU25_a_take_from_small_moons_only_does_not_give_the_start_tile():
    state, events = play(table(factories="-/kkt -/ky bbyk bbyk bbyk"), "my1")
    assert only(events, StartTileTaken) == []
    assert state.holder is None


def test_DU25_the_start_tile_lies_beside_the_four_broken_spaces():
    state, events = play(table(Board(broken="bbbb"), factories="-/kkt -/ky bbyk bbyk bbyk"), "mk-")
    assert only(events, StartTileTaken) == [StartTileTaken(0)]
    assert (state.boards[0].broken, state.tower) == ("bbbb", (0, 0, 0, 2, 0))


def test_DU25_the_sun_of_the_large_factory_does_not_give_the_start_tile():
    state, events = play(table(factories="bbykt bbyk bbyk bbyk bbyk"), "0b2")
    assert only(events, StartTileTaken) == []
    assert state.holder is None


def test_DU25_except_when_it_leaves_nothing_for_the_moon():
    state, events = play(table(factories="bbb bbyk bbyk bbyk bbyk"), "0b3")
    assert only(events, StartTileTaken) == [StartTileTaken(0)]
    assert state.holder == 0


# Chips that are revealed


def test_DU26_four_equal_tiles_reveal_the_chip_when_they_are_taken():
    state, _ = play(table(factories="bbykt rrrr bbyk bbyk bbyk"), "1r4")
    assert duel.turn(state) == Chance()
    state, events = play(state, "*T")
    assert events == [ChipRevealed(1, "T")]
    assert (state.factories[1].chip, duel.turn(state)) == ("T", Choose((1,)))


def test_DU26_one_take_may_reveal_several_chips():
    state, _ = play(table(factories="bbykt -/y -/ky -/y -/y"), "my4")
    state, events = play(state, "*bYt")
    assert events == [ChipRevealed(1, "b"), ChipRevealed(3, "Y"), ChipRevealed(4, "t")]
    assert state.chips == duel.setup(duel.Config()).chips.replace("b", "", 1).replace("Y", "", 1).replace("t", "", 1)


@pytest.mark.parametrize("chips", ["b", "bbb", "YY", "b#", ""])
def test_DU26_only_chips_that_are_still_hidden_can_be_revealed(chips):
    state, _ = play(table(Board(chips="Y"), factories="bbykt -/y -/ky - -/y", due=(1, 2)), "my4")
    assert refusal(state, duel.Reveal(chips)) == "DU04"


def test_DU26_a_revealed_chip_is_taken_and_lies_open_before_the_player():
    state, _ = play(table(factories="bbykt bbyk -/-/T -/-/t bbyk"), "c2")
    assert state.boards[0].chips == "T"
    assert (state.factories[2], duel.turn(state)) == (duel.Factory(), Choose((1,)))
    assert duel.view(state, None).chips_due == (1, 2)


def test_DU26_a_third_chip_in_a_round_is_refused():
    state = table(factories="bbykt bbyk -/-/T - -", due=(0, 2))
    assert refusal(state, "c2") == "DU26"
    assert not [move for move in moves(state) if move.startswith("c")]


def test_DU26_a_chip_that_is_not_revealed_or_not_there_cannot_be_taken():
    state = table(factories="bbykt bbyk -/-/T - bbyk", due=(2, 1))
    assert [refusal(state, move) for move in ("c1", "c3", "c4")] == ["DU26"] * 3


# Lines


def test_DU27_tiles_of_one_take_go_to_one_line_from_right_to_left():
    state, events = play(table(Board("-/-/b/-/-/-"), factories="bbykt bbyk bbyk bbyk bbyk"), "0b3")
    assert only(events, TilesLaid) == [TilesLaid(0, 2, "b", (1, 2))]
    assert state.boards[0].lines == ("", "", "bbb", "", "", "")


def test_DU27_surplus_goes_to_the_broken_space():
    state, events = play(table(factories="bbbyk bbyk bbyk bbyk bbyk"), "0b1")
    assert only(events, TilesBroke) == [TilesBroke(0, "b", (0, 1), 0, "DU27")]
    assert (state.boards[0].lines[0], state.boards[0].broken) == ("b", "bb")


def test_DU27_a_full_line_and_a_line_of_another_colour_are_refused():
    state = table(Board("b/-/kk/-/-/-"))
    assert [refusal(state, move) for move in ("1b1", "1b3")] == ["DU27"] * 2
    assert [move for move in moves(state) if move.startswith("1b")] == ["1b2", "1b4", "1b5", "1b6", "1b-"]


def test_DU27_tiles_may_be_broken_on_purpose():
    _, events = play(table(), "1b-", "syk")
    assert only(events, TilesBroke) == [TilesBroke(0, "b", (0, 1), 0, "DU27")]


def test_DU27_the_same_colour_may_lie_in_several_lines_and_for_any_row():
    board = Board("-/bb/b/-/-/-", "1ybk* 2trb?", "yb..../k*..../....../....../....../......")
    state, _ = play(table(board, tokens=(1, 2), factories="rrykt bbyk ttyk ttyk rryk"), "1b1", "syk")
    assert state.boards[0].lines[:3] == ("b", "bb", "b")


def test_DU27_a_line_without_a_plate_beside_it_may_be_used():
    state, _ = play(table(Board(plates="9bk*t")), "1b2", "syk")
    assert state.boards[0].lines[1] == "bb"


# Broken tiles


def test_DU28_the_fifth_broken_tile_goes_to_the_tower_for_free():
    state, events = play(table(Board(broken="kkk")), "1b-", "syk")
    assert only(events, TilesBroke) == [TilesBroke(0, "b", (3,), 1, "DU27")]
    assert (state.boards[0].broken, state.tower) == ("kkkb", (1, 0, 0, 0, 0))


def test_DU28_tiles_that_found_no_room_cost_nothing():
    state, _ = play(end_of_phase_1(Board(broken="kkkk", score=12)), "c4")
    assert state.boards[0].score == 2
