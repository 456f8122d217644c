"""The scoring faces and the end of the game (DU50 to DU58)."""

from typing import Literal

import pytest

from tessella.core.game import Over, collect
from tessella.games import duel
from tessella.games.duel.events import FaceScored, GameEnded, PlatesOpened, RoundStarted, ScoreRaised
from tessella.games.duel.pieces import SPECIAL
from tessella.games.duel.scoring import (
    FACES,
    diagonals,
    filled_corners,
    score_faces,
)
from tests.games.playing import only

from .positions import Board, end_of_phase_1, play

FULL = ("bbbbbb",) * 6


def board(*rows: str, plates: dict[int, str] | None = None) -> duel.Board:
    """A dome with these tiles, the other rows being empty; plates by slot, counted from 1."""
    slots = tuple((plates or {}).get(slot, "") for slot in range(1, 10))
    return duel.Board(tiles=(*rows, *["......"] * (6 - len(rows))), dome=slots)


# The faces


def test_DU50_to_DU57_each_face_names_its_rule_and_its_points():
    assert {face: [(rule, each) for rule, each, _ in parts] for face, parts in FACES.items()} == {
        "rows": [("DU50", 3)],
        "colour_rows": [("DU51", 4)],
        "columns": [("DU52", 7)],
        "outer": [("DU53", 1)],
        "diagonals": [("DU54", 10)],
        "corners": [("DU55", 3), ("DU55", 8)],
        "jokers": [("DU56", 2)],
        "empty_specials": [("DU57", -3)],
    }


SPECIALS = ("******",) * 6
FALLING = ("b.....", ".b....", "..*...", "...b..", "....b.", ".....b")
JOKERS = {1: "?btk", 5: "kyr?"}
SPECIAL_PLATES = {1: "ykt*", 2: "*krb", 9: "?btk"}


@pytest.mark.parametrize(
    ("face", "rows", "plates", "counts"),
    [
        ("rows", ("bykrtb", "bykrt.", "b*krt*"), {}, [2]),
        ("rows", SPECIALS, {}, [6]),
        ("colour_rows", ("bykrt.", "bykrtb", "bykr..", "bbykkr", ".bykrt"), {}, [3]),
        ("columns", ("b.k...", "b.k...", "b.k...", "b.k...", "b.*...", "b....."), {}, [1]),
        ("columns", SPECIALS, {}, [6]),
        ("outer", FULL, {}, [20]),
        ("outer", ("b.....", ".bbbb.", "b....*", "......", "......", "...b.."), {}, [4]),
        ("diagonals", FULL, {}, [2]),
        ("diagonals", SPECIALS, {}, [2]),
        ("diagonals", FALLING, {}, [1]),
        ("diagonals", FALLING[::-1], {}, [1]),
        ("corners", ("bb..b.", "b*..bb", "......", "bb..bb", "bb..bb", "bb..bb"), {}, [1, 2]),
        ("corners", ("bb....", "b*...."), {}, [1, 0]),
        ("corners", FULL, {}, [2, 2]),
        ("jokers", ("b.....", "......", "......", "...b.."), JOKERS, [2]),
        ("jokers", ("b.....",), JOKERS, [0]),
        ("jokers", ("b.....",), {}, [0]),
        ("empty_specials", ("yk....", "t*...."), SPECIAL_PLATES, [1]),
        ("empty_specials", (), SPECIAL_PLATES, [2]),
    ],
)
def test_DU50_DU51_DU52_DU53_DU54_DU55_DU56_DU57_what_a_face_counts(face, rows, plates, counts):
    found = board(*rows, plates=plates)
    assert [count(found, duel.Config()) for _, _, count in FACES[face]] == counts


@pytest.mark.parametrize(
    ("row", "counts"),
    [
        ("bykrt.", (1, 1, 1)),
        ("bykr*.", (1, 0, 1)),
        ("bykrt*", (1, 1, 1)),
        ("bykr**", (1, 0, 0)),
        ("byk*t*", (1, 0, 0)),
        ("byk*..", (0, 0, 0)),
        ("byk**.", (0, 0, 0)),
    ],
)
def test_DU51_a_special_tile_is_one_more_colour_or_none_or_one_only_if_it_is_alone(row, counts):
    ((_, _, count),) = FACES["colour_rows"]
    readings: tuple[bool | Literal["alone"], ...] = (True, False, "alone")
    assert tuple(count(board(row), duel.Config(special_counts_as_colour=each)) for each in readings) == counts


@pytest.mark.parametrize("missing", range(6))
def test_DU54_a_diagonal_with_a_gap_gives_nothing(missing):
    falling = ["." * row + "b" + "." * (5 - row) for row in range(6)]
    falling[missing] = "......"
    assert diagonals(board(*falling)) == diagonals(board(*(row[::-1] for row in falling))) == 0


@pytest.mark.parametrize("row", [0, 4])
def test_DU55_a_corner_plate_with_an_empty_space_gives_nothing(row):
    for gap in (row, row + 1):
        rows = ["bbbbbb"] * 6
        rows[gap] = ".bbbb."
        assert filled_corners(board(*rows), row) == 0
    assert filled_corners(board(*FULL), row) == 2


def test_DU57_a_score_of_exactly_0_is_not_raised():
    _, events = collect(score_faces(duel.Board(score=0), 0, duel.Config()))
    assert events == []


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
