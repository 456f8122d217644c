"""The scoring faces and the end of the game (DU50 to DU58)."""

import pytest

from tessella.core.game import Over, collect
from tessella.games import duel
from tessella.games.duel.events import FaceScored, GameEnded, PlatesOpened, RoundStarted, ScoreRaised
from tessella.games.duel.pieces import SPECIAL
from tessella.games.duel.scoring import (
    FACES,
    colour_rows,
    complete_columns,
    complete_rows,
    diagonals,
    empty_specials,
    filled_corners,
    filled_jokers,
    outer_tiles,
    score_faces,
)

from .positions import Board, end_of_phase_1, only, play

FULL = ("bbbbbb",) * 6


def board(*rows: str, plates: dict[int, str] | None = None) -> duel.Board:
    """A dome with these tiles, the other rows being empty; plates by slot, counted from 1."""
    slots = tuple((plates or {}).get(slot, "") for slot in range(1, 10))
    return duel.Board(tiles=(*rows, *["......"] * (6 - len(rows))), dome=slots)


# The faces


def test_DU50_a_complete_row_of_six_tiles_gives_3():
    assert complete_rows(board("bykrtb", "bykrt.", "b*krt*")) == 2
    assert [each for _, each, _ in FACES["rows"]] == [3]


def test_DU51_a_row_of_five_different_colours_gives_4():
    assert colour_rows(board("bykrt.", "bykrtb", "bykr..", "bbykkr", ".bykrt"), duel.Config()) == 3
    assert [each for _, each, _ in FACES["colour_rows"]] == [4]


def test_DU51_a_special_tile_is_one_more_colour_once_or_by_the_other_reading_none():
    rows = board("bykr*.", "bykr**", "byk**.", "bykrt*")
    (rule, _, count) = FACES["colour_rows"][0]
    assert count(rows, duel.Config()) == 3
    assert count(rows, duel.Config(special_counts_as_colour=False)) == 1
    assert rule == "DU51"


@pytest.mark.parametrize(
    "faces", [("colour_rows", "columns", "corners"), ("colour_rows", "outer", "corners", "jokers")]
)
def test_DU51_the_reading_is_the_players_choice_with_three_or_four_scoring_tiles(faces):
    row = board("bykr*.")
    assert colour_rows(row, duel.Config(faces=faces)) == 1
    assert colour_rows(row, duel.Config(faces=faces, special_counts_as_colour=False)) == 0


def test_DU51_to_the_letter_a_row_with_two_special_tiles_scores_nothing():
    (_, _, count) = FACES["colour_rows"][0]
    for row, scores in (("bykr*.", 1), ("bykrt*", 1), ("bykrt.", 1), ("bykr**", 0), ("byk*t*", 0), ("byk*..", 0)):
        assert count(board(row), duel.Config(special_counts_as_colour="alone")) == scores, row


def test_DU52_a_complete_column_of_six_tiles_gives_7():
    assert complete_columns(board("b.k...", "b.k...", "b.k...", "b.k...", "b.*...", "b.....")) == 1
    assert [each for _, each, _ in FACES["columns"]] == [7]


def test_DU53_each_tile_on_the_border_gives_1_at_most_20():
    assert outer_tiles(board(*FULL)) == 20
    assert outer_tiles(board("b.....", ".bbbb.", "b....*", "......", "......", "...b..")) == 4
    assert [each for _, each, _ in FACES["outer"]] == [1]


def test_DU54_each_diagonal_gives_10():
    assert diagonals(board(*FULL)) == 2
    assert diagonals(board("b.....", ".b....", "..*...", "...b..", "....b.", ".....b")) == 1
    assert diagonals(board(".....b", "....b.", "...b..", "..b...", ".b....", "b.....")) == 1
    assert diagonals(board("......", ".b....", "..*...", "...b..", "....b.", ".....b")) == 0
    assert [each for _, each, _ in FACES["diagonals"]] == [10]


@pytest.mark.parametrize("missing", range(6))
def test_DU54_a_diagonal_with_a_gap_gives_nothing(missing):
    falling = ["." * row + "b" + "." * (5 - row) for row in range(6)]
    falling[missing] = "......"
    assert diagonals(board(*falling)) == diagonals(board(*(row[::-1] for row in falling))) == 0


def test_DU55_full_corner_plates_give_3_above_and_8_below():
    corners = board("bb..b.", "b*..bb", "......", "bb..bb", "bb..bb", "bb..bb")
    assert (filled_corners(corners, 0), filled_corners(corners, 4)) == (1, 2)
    assert [(each, count(corners, duel.Config())) for _, each, count in FACES["corners"]] == [(3, 1), (8, 2)]
    above = board("bb....", "b*....", "......", "......", "......", "......")
    assert [(each, count(above, duel.Config())) for _, each, count in FACES["corners"]] == [(3, 1), (8, 0)]


@pytest.mark.parametrize("row", [0, 4])
def test_DU55_a_corner_plate_with_an_empty_space_gives_nothing(row):
    for gap in (row, row + 1):
        rows = ["bbbbbb"] * 6
        rows[gap] = ".bbbb."
        assert filled_corners(board(*rows), row) == 0
    assert filled_corners(board(*FULL), row) == 2


def test_DU50_each_face_names_its_rule():
    rules = {face: {rule for rule, _, _ in parts} for face, parts in FACES.items()}
    assert rules == {
        "rows": {"DU50"},
        "colour_rows": {"DU51"},
        "columns": {"DU52"},
        "outer": {"DU53"},
        "diagonals": {"DU54"},
        "corners": {"DU55"},
        "jokers": {"DU56"},
        "empty_specials": {"DU57"},
    }


def test_DU57_a_score_of_exactly_0_is_not_raised():
    _, events = collect(score_faces(duel.Board(score=0), 0, duel.Config()))
    assert events == []


def test_DU56_joker_spaces_give_2_each_if_all_are_filled():
    plates = {1: "?btk", 5: "kyr?"}
    assert filled_jokers(board("b.....", "......", "......", "...b..", plates=plates)) == 2
    assert filled_jokers(board("b.....", plates=plates)) == 0
    assert filled_jokers(board("b.....")) == 0
    assert [each for _, each, _ in FACES["jokers"]] == [2]


def test_DU57_each_empty_special_space_costs_3():
    plates = {1: "ykt*", 2: "*krb", 9: "?btk"}
    assert empty_specials(board("yk....", "t*....", plates=plates)) == 1
    assert empty_specials(board(plates=plates)) == 2
    assert [each for _, each, _ in FACES["empty_specials"]] == [-3]


def test_DU50_special_tiles_fill_rows_columns_and_diagonals():
    special = board(*["******"] * 6)
    assert (complete_rows(special), complete_columns(special), diagonals(special)) == (6, 6, 2)


# The end


def last_round(faces: str, mover: Board | None = None, other: Board | None = None, holder: str = "-", **words: str):
    state = end_of_phase_1(mover or Board(), other, stage="5act", faces=f"{faces}:special", holder=holder, **words)
    return play(state, "c4")


def test_DU50_points_come_with_their_arithmetic():
    mover = Board(plates="1ybk* 2trb* 3*krb", tiles="ybtr*k/k*b*rb/....../....../....../......")
    state, events = last_round("rows,outer,diagonals", mover)
    assert only(events, FaceScored) == [
        FaceScored(0, "rows", 2, 3, 6, "DU50"),
        FaceScored(0, "outer", 8, 1, 8, "DU53"),
    ]
    assert state.boards[0].score == 5 + 6 + 8


def test_DU58_round_5_has_no_phase_3():
    state, events = last_round("rows,columns,diagonals")
    assert state.phase == "over"
    assert isinstance(duel.turn(state), Over)
    assert only(events, RoundStarted) == []
    assert only(events, PlatesOpened) == []
    assert [duel.legal_moves(state, seat) for seat in (0, 1)] == [[], []]


def test_DU57_a_score_is_raised_to_0_once_after_all_faces():
    state, events = last_round("rows,outer,empty_specials", Board(score=2))
    specials = sum(SPECIAL in plate for plate in state.boards[0].dome)
    assert only(events, FaceScored)[0] == FaceScored(0, "empty_specials", specials, -3, -3 * specials, "DU57")
    assert only(events, ScoreRaised)[0] == ScoreRaised(0, 3 * specials - 2)
    assert state.boards[0].score == 0


def test_DU57_points_of_other_faces_are_counted_before_the_score_is_raised():
    mover = Board(plates="1ybk* 2trb* 3*krb", tiles="ybtr*k/k*b*rb/....../....../....../......", score=20)
    state, _ = last_round("rows,columns,diagonals,empty_specials", mover)
    empty = sum(SPECIAL in plate for plate in state.boards[0].dome) - 3
    assert state.boards[0].score == 20 + 6 - 3 * empty


def test_DU58_most_points_win():
    state, events = last_round("rows,columns,diagonals", Board(score=9), Board(score=10))
    assert duel.turn(state) == Over((9, 10), (2, 1))
    assert only(events, GameEnded) == [GameEnded((9, 10), (2, 1))]


@pytest.mark.parametrize("holder", [0, 1])
def test_DU58_a_tie_goes_to_the_holder_of_the_start_tile_of_round_5(holder):
    scores = [10, 10]
    scores[holder] += 2
    state, _ = last_round("rows,columns,diagonals", Board(score=scores[0]), Board(score=scores[1]), str(holder))
    assert duel.turn(state) == Over((10, 10), (1, 2) if holder == 0 else (2, 1))
    again = duel.read_state(duel.write_state(state))
    assert duel.turn(again) == duel.turn(state)


@pytest.mark.parametrize("start", [0, 1])
def test_DU58_if_no_seat_took_the_start_tile_a_tie_goes_to_the_start_player(start):
    state, _ = last_round("rows,columns,diagonals", order=f"{start}>0")
    assert duel.turn(state) == Over((5, 5), (1, 2) if start == 0 else (2, 1))


def test_DU58_nothing_can_be_done_after_the_end():
    state, _ = last_round("rows,columns,diagonals")
    for act in (duel.Draw(0), duel.Place(0, 0, 0), duel.Take(0, 1, "b", 1)):
        with pytest.raises(ValueError, match="DU58"):
            duel.apply(state, act)
    with pytest.raises(ValueError, match="DU40"):
        duel.apply(state, duel.Fill(("",) * 5))
