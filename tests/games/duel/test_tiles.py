"""Actions B and C: tiles from suns and moons, and where they go (DU23 to DU28)."""

import pytest

from tessella.core.game import Choose
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
from tests.games.playing import only

from .positions import Board, moves, play, table

# The sun


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


@pytest.mark.parametrize(
    ("tiles", "orders"),
    [
        ("byrk", ["syrk", "sykr", "sryk", "srky", "skyr", "skry"]),
        ("byyk", ["syyk", "syky", "skyy"]),
    ],
)
def test_DU23_the_taker_may_stack_the_leftover_in_every_order(tiles, orders):
    state, _ = play(table(factories=f"bbykt {tiles} bbyk bbyk bbyk"), "1b1")
    assert (duel.turn(state), moves(state)) == (Choose((0,)), orders)


def test_DU23_equal_leftover_tiles_need_no_choice():
    state, _ = play(table(factories="bbykt bbyy bbyk bbyk bbyk"), "1b1")
    assert (state.factories[1].moon, duel.turn(state)) == ("yy", Choose((1,)))


# The moons


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


# The start tile


@pytest.mark.parametrize(
    ("factories", "takes", "holder"),
    [
        pytest.param("-/ykkt bbyk bbyk bbyk bbyk", ["mk2"], 0, id="the large moon"),
        pytest.param("-/ykkt bbyk bbyk bbyk bbyk", ["mk2", "my1"], 0, id="for the first only"),
        pytest.param("-/kkt -/ky bbyk bbyk bbyk", ["my1"], None, id="a small moon"),
        pytest.param("bbykt bbyk bbyk bbyk bbyk", ["0b2"], None, id="the large sun"),
        pytest.param("bbb bbyk bbyk bbyk bbyk", ["0b3"], 0, id="a large sun that leaves nothing for the moon"),
    ],
)
def test_DU25_who_takes_first_from_the_large_moon_takes_the_start_tile(factories, takes, holder):
    state, events = play(table(factories=factories), *takes)
    assert only(events, StartTileTaken) == ([] if holder is None else [StartTileTaken(holder)])
    assert state.holder == holder


def test_DU25_the_start_tile_lies_beside_the_four_broken_spaces():
    state, events = play(table(Board(broken="bbbb"), factories="-/kkt -/ky bbyk bbyk bbyk"), "mk-")
    assert only(events, StartTileTaken) == [StartTileTaken(0)]
    assert (state.boards[0].broken, state.tower) == ("bbbb", (0, 0, 0, 2, 0))


# Chips that are revealed


def test_DU26_one_take_may_reveal_several_chips():
    state, _ = play(table(factories="bbykt -/y -/ky -/y -/y"), "my4")
    state, events = play(state, "*bYt")
    assert events == [ChipRevealed(1, "b"), ChipRevealed(3, "Y"), ChipRevealed(4, "t")]
    assert state.chips == duel.setup(duel.Config()).chips.replace("b", "", 1).replace("Y", "", 1).replace("t", "", 1)


def test_DU26_a_revealed_chip_is_taken_and_lies_open_before_the_player():
    state, _ = play(table(factories="bbykt bbyk -/-/T -/-/t bbyk"), "c2")
    assert state.boards[0].chips == "T"
    assert (state.factories[2], duel.turn(state)) == (duel.Factory(), Choose((1,)))
    assert duel.view(state, None).chips_due == (1, 2)


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
    assert [move for move in moves(state) if move.startswith("1b")] == ["1b2", "1b4", "1b5", "1b6", "1b-"]


# Broken tiles


def test_DU28_the_fifth_broken_tile_goes_to_the_tower_for_free():
    state, events = play(table(Board(broken="kkk")), "1b-", "syk")
    assert only(events, TilesBroke) == [TilesBroke(0, "b", (3,), 1, "DU27")]
    assert (state.boards[0].broken, state.tower) == ("kkkb", (1, 0, 0, 0, 0))
