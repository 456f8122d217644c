"""Phase 2: tile the dome (DU30 to DU35)."""

from itertools import combinations
from random import Random

import pytest

from tessella.core.game import Choose
from tessella.games import duel
from tessella.games.duel.events import (
    BrokenScored,
    ChipsPaid,
    SpecialPlaced,
    TilePlaced,
    TilesBroke,
)
from tessella.games.duel.pieces import ALL_CHIPS, CHIP_COLOURS, sorted_chips
from tessella.games.duel.scoring import runs, tile_points
from tessella.games.duel.tiling import payments, special_spot, tiles_on
from tests.games.playing import only

from .positions import Board, end_of_phase_1, moves, play, refusal

ROW = "......"


def dome(*rows: str) -> str:
    """The rows of a dome from the top; those that are not named are empty."""
    return "/".join([*rows, *[ROW] * (6 - len(rows))])


# DU30: complete lines


def test_DU30_a_complete_line_must_move_its_tile_and_the_rest_goes_to_the_tower():
    state, events = play(end_of_phase_1(Board("-/-/kkk/-/-/-", "4ykt*")), "c4")
    assert only(events, TilePlaced) == [TilePlaced(0, 2, 1, "k", 1, 1, 1, tower=2)]
    board = state.boards[0]
    assert (board.lines[2], board.tiles[2], board.score) == ("", ".k....", 6)
    assert state.tower == (0, 0, 0, 2, 0)


def test_DU30_the_player_chooses_among_the_spaces_that_match():
    state, _ = play(end_of_phase_1(Board("-/tt/-/-/-/-", "1ykt* 2bk*t 3rty?")), "c4")
    assert duel.turn(state) == Choose((0,))
    assert moves(state) == ["t21", "t24", "t26"]
    state, events = play(state, "t26")
    assert only(events, TilePlaced) == [TilePlaced(0, 1, 5, "t", 1, 1, 1, tower=1)]


def test_DU30_a_joker_space_takes_any_colour_once():
    _, events = play(end_of_phase_1(Board("b/-/-/-/-/-", "1?btk 2ykt*", dome("r....."))), "c4")
    assert only(events, TilePlaced)[0].column == 1
    _, events = play(end_of_phase_1(Board("t/-/-/-/-/-", "1?btk 2k*tr", dome())), "c4")
    assert only(events, TilePlaced)[0].column == 0


def test_DU30_both_players_tile_at_the_same_time_and_do_not_wait():
    mine = Board("-/tt/-/-/-/-", "1ykt* 2bk*t")
    yours = Board("-/kk/-/-/-/-", "1r?bk 2?btk")
    state, _ = play(end_of_phase_1(mine, yours), "c4")
    assert duel.turn(state) == Choose((0, 1))
    assert (moves(state, 0), moves(state, 1)) == (["t21", "t24"], ["t22", "t24"])
    one, _ = play(state, "0:t21")
    assert duel.turn(one) == Choose((1,))
    assert refusal(one, duel.Place(0, 1, 3)) == "DU29"
    one, _ = play(one, "t24")
    other, _ = play(state, "1:t24", "t21")
    assert one == other
    assert one.phase == "prepare"


def test_DU30_the_worked_example_of_five_lines():
    board = Board("t/kk/rr/bbbb/y/-", "1ykt* 2*ybr 3y*kr 4kyr?")
    state, events = play(end_of_phase_1(board, stage="2act"), "c4")
    assert only(events, TilesBroke) == [TilesBroke(0, "t", (0,), 0, "DU32")]
    assert only(events, TilePlaced) == [
        TilePlaced(0, 1, 4, "k", 1, 1, 1, tower=1),
        TilePlaced(0, 3, 1, "b", 1, 1, 1, tower=3),
    ]
    assert state.boards[0].lines == ("", "", "rr", "", "y", "")
    assert (state.boards[0].score, state.tower) == (5 + 1 + 1 - 1, (3, 0, 0, 1, 1))


# DU31: bonus chips


def with_chips(lines: str, plates: str, chips: str, stage: str = "2act", score: int = 5):
    """Seat 0 has these chips and a blue one when its lines are tiled."""
    return play(end_of_phase_1(Board(lines, plates, chips=chips, score=score), stage=stage), "c4")[0]


def test_DU31_the_worked_example_two_half_turquoise_chips_complete_line_3():
    state = with_chips("-/-/tt/-/-/-", "1bk*t 4tkr?", "RTk")
    assert duel.turn(state) == Choose((0,))
    assert moves(state) == ["p3RT", "p3bkR", "p3bkT", "p3-"]
    state, events = play(state, "p3RT")
    assert only(events, ChipsPaid) == [ChipsPaid(0, 2, "RT", 1)]
    assert only(events, TilePlaced) == [TilePlaced(0, 2, 0, "t", 1, 1, 1, tower=1)]
    assert (state.boards[0].chips, sorted_chips(state.boards[0].spent)) == ("bk", "RT")


def test_DU31_the_worked_example_any_three_chips_complete_line_4():
    state = with_chips("-/-/-/kkk/-/-", "4ykt* 5bk*t 6r?bk", "yrt", stage="3act")
    assert moves(state) == ["p4byr", "p4byt", "p4brt", "p4yrt", "p4-"]
    state, events = play(state, "p4yrt")
    assert only(events, ChipsPaid) == [ChipsPaid(0, 3, "yrt", 1)]


def test_DU31_after_paying_the_player_chooses_the_space():
    state = with_chips("-/-/tt/-/-/-", "4tkr? 5ykt* 6?btk", "RTk")
    state, events = play(state, "p3RT")
    assert only(events, TilePlaced) == []
    assert state.boards[0].lines[2] == "tt+"
    assert moves(state) == ["t31", "t35"]


def test_DU31_chip_tiles_never_enter_the_tower():
    state = with_chips("-/-/-/tt/-/-", "4kyr? 5ykt* 6rty?", "RTttk", stage="3act")
    state, _ = play(state, "p4ttRT")
    assert state.boards[0].lines[3] == "tt++"
    state, events = play(state, "t43")
    assert only(events, TilePlaced)[0].tower == 1
    assert state.tower == (0, 0, 0, 0, 1)
    assert sum(duel.inventory(state).values()) == 65 + 9 + 18 + 20


def test_DU31_chips_are_paid_only_when_the_turn_of_the_line_comes():
    state = with_chips("-/t/tt/-/-/-", "1ykt* 4tkr?", "RTk")
    assert moves(state) == ["p2RT", "p2bkR", "p2bkT", "p2-"]
    state, _ = play(state, "p2-")
    assert moves(state) == ["p3RT", "p3bkR", "p3bkT", "p3-"]


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_DU31_payments_may_be_mixed(missing: int):
    """A set of s chips, c of them matching, pays for m tiles if and only if 2m ≤ s ≤ 3m and c ≥ 2(3m − s)."""

    def pays(some: str) -> bool:
        number, matching = len(some), sum("k" in CHIP_COLOURS[chip] for chip in some)
        return 2 * missing <= number <= 3 * missing and matching >= 2 * (3 * missing - number)

    rng = Random(missing)
    for _ in range(30):
        chips = sorted_chips(rng.sample(ALL_CHIPS, 8))
        enough = {
            "".join(some)
            for number in range(9)
            for some in combinations(chips, number)
            if pays("".join(some)) and not any(pays("".join(some[:i] + some[i + 1 :])) for i in range(number))
        }
        offered = payments(chips, "k", missing)
        assert {*offered} == enough
        assert len(offered) == len(enough)


@pytest.mark.parametrize("lines", ["-/-/-/-/-/-", "-/-/tt/-/-/-"], ids=["an empty line", "without a space"])
def test_DU31_a_line_is_completed_only_if_it_holds_a_tile_that_can_then_be_placed(lines):
    assert with_chips(lines, "1ykt* 2k*tr", "RTk").phase == "prepare"


# DU32: lines that find no space


@pytest.mark.parametrize(
    ("lines", "plates"),
    [("b/-/-/-/-/-", "1ykt* 2k*tr"), ("-/t/-/-/-/-", "1ykt* 2k*tr 3y*kr")],
    ids=["a slot is empty", "a space is free"],
)
def test_DU32_a_line_waits_while_it_may_still_find_a_space(lines, plates):
    state, events = play(end_of_phase_1(Board(lines, plates)), "c4")
    assert (only(events, TilesBroke), "/".join(line or "-" for line in state.boards[0].lines)) == ([], lines)


def test_DU32_a_line_that_can_never_be_placed_breaks_complete_or_not():
    state, events = play(end_of_phase_1(Board("b/y/-/-/-/-", "1ykt* 2k*tr 3y*kr")), "c4")
    assert only(events, TilesBroke) == [
        TilesBroke(0, "b", (0,), 0, "DU32"),
        TilesBroke(0, "y", (1,), 0, "DU32"),
    ]
    assert (state.boards[0].lines[:2], state.boards[0].score) == (("", ""), 2)


def test_DU32_tiles_that_find_no_broken_space_go_to_the_tower():
    board = Board("-/-/bbb/-/-/-", "4ykt* 5k*tr 6y*kr", broken="kkk", score=20)
    state, events = play(end_of_phase_1(board), "c4")
    assert only(events, TilesBroke) == [TilesBroke(0, "b", (3,), 2, "DU32")]
    assert (state.boards[0].score, state.tower) == (10, (3, 0, 0, 3, 0))


# DU33: points for a tile


def test_DU33_runs_longer_than_one_are_added_and_a_gap_ends_a_run():
    assert [tile_points(*run) for run in ((1, 1), (2, 1), (1, 4), (2, 2), (3, 5), (6, 6))] == [1, 2, 4, 4, 8, 12]
    assert runs(("bbbbbb",) * 6, 2, 3) == (6, 6)
    assert runs(("b.bb.b", "..b...", "......", "..b...", "......", "......"), 0, 2) == (2, 2)


# DU34: special tiles


@pytest.mark.parametrize("spot", range(4))
@pytest.mark.parametrize("slot", range(9))
def test_DU34_the_special_space_of_a_full_plate_is_found_in_every_slot(slot, spot):
    top, left = 2 * (slot // 3), 2 * (slot % 3)
    plate = "ykt"[:spot] + "*" + "ykt"[spot:]
    tiles = plate.replace("*", ".")
    rows = [ROW] * 6
    for line in (0, 1):
        rows[top + line] = ROW[:left] + tiles[2 * line : 2 * line + 2] + ROW[left + 2 :]
    slots = tuple(plate if each == slot else "" for each in range(9))
    board = duel.Board(dome=slots, tiles=tuple(rows))
    assert tiles_on(board, slot) == tiles
    assert special_spot(board, slot) == (top + spot // 2, left + spot % 2)


def test_DU34_the_worked_example_two_and_two_a_special_for_2_then_3():
    board = Board("y/-/bbb/-/-/-", "1ykt* 4ybk*", dome(".k....", "t....."))
    state, events = play(end_of_phase_1(board), "c4")
    assert [event for event in events if isinstance(event, TilePlaced | SpecialPlaced)] == [
        TilePlaced(0, 0, 0, "y", across=2, down=2, points=4, tower=0),
        SpecialPlaced(0, 1, 1, points=2),
        TilePlaced(0, 2, 1, "b", across=1, down=3, points=3, tower=2),
    ]
    assert (state.boards[0].score, state.specials) == (5 + 4 + 2 + 3, 8)


@pytest.mark.parametrize(
    ("plates", "line", "rows", "row", "column"),
    [
        ("1*tky", 2, (".t....", "k....."), 1, 0),
        ("1ykt*", 1, (".k....", "t....."), 2, 1),
        ("4*tky", 4, (ROW, ROW, ".t....", "k....."), 3, 0),
        ("4ykt*", 3, (ROW, ROW, ".k....", "t....."), 4, 1),
        ("7*tky 1k*tr 2y*kr", 6, (ROW, ROW, ROW, ROW, ".t....", "k....."), 5, 0),
        ("7ykt* 1k*tr 2y*kr", 5, (ROW, ROW, ROW, ROW, ".k....", "t....."), 6, 1),
    ],
)
def test_DU34_a_special_tile_scores_the_number_of_its_row_and_no_neighbours(plates, line, rows, row, column):
    lines = ["-"] * 6
    lines[line - 1] = "y" * line
    _, events = play(end_of_phase_1(Board("/".join(lines), plates, dome(*rows))), "c4")
    assert only(events, SpecialPlaced) == [SpecialPlaced(0, row - 1, column, points=row)]


# DU35: broken tiles


@pytest.mark.parametrize(
    ("broken", "holder", "score", "cost", "start_tile", "points"),
    [
        ("b", "-", 20, 1, 0, -1),
        ("bb", "-", 20, 3, 0, -3),
        ("bbk", "-", 20, 6, 0, -6),
        ("bbkk", "-", 20, 10, 0, -10),
        pytest.param("bky", "0", 30, 6, 2, -8, id="the worked example"),
        pytest.param("bbkk", "0", 5, 10, 2, -5, id="never below 0"),
    ],
)
def test_DU35_broken_tiles_cost_1_3_6_or_10_and_the_start_tile_2(broken, holder, score, cost, start_tile, points):
    state, events = play(end_of_phase_1(Board(broken=broken, score=score), holder=holder), "c4")
    assert only(events, BrokenScored) == [BrokenScored(0, broken, cost, start_tile, points)]
    assert (state.boards[0].score, state.boards[0].broken, sum(state.tower)) == (score + points, "", len(broken))


def test_DU35_without_broken_tiles_nothing_is_scored():
    _, events = play(end_of_phase_1(Board()), "c4")
    assert only(events, BrokenScored) == []


def test_DU35_broken_tiles_are_scored_after_the_dome():
    board = Board("-/-/kkk/-/-/-", "4ykt*", broken="b", score=0)
    state, _ = play(end_of_phase_1(board), "c4")
    assert state.boards[0].score == 0
