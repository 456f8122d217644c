"""What is in the box (DU01 to DU06)."""

from collections import Counter

import pytest

from tessella.core import record
from tessella.games import duel
from tessella.games.duel.pieces import ALL_CHIPS, CHIP_COLOURS, PLATES, PRINTED, TURNS, turned

from .positions import moves, refusal, table

START = duel.setup(duel.Config())


# Tiles and boards


def test_DU01_a_new_table_has_13_tiles_of_each_colour_in_the_bag_and_9_special_tiles():
    assert START.bag == (13, 13, 13, 13, 13)
    assert START.specials == 9
    assert sum(duel.inventory(START).values()) == 65 + 9 + 18 + 20


@pytest.mark.parametrize("seats", [0, 1, 3, 4])
def test_DU01_it_is_a_game_for_two_players(seats):
    with pytest.raises(ValueError, match="DU01"):
        duel.Config(seats=seats)


def test_DU29_a_game_is_bounded_by_its_tiles_chips_lines_and_plates():
    """Per round 2 deals, 21 takes and 5 stackings, 10 acts with chips, 24 with lines; 4 rounds of plates; the start."""
    plates = 2 * 2 * (2 * 18 + 3)
    assert duel.longest(duel.Config()) == 5 * (2 + 21 + 5 + 10 + 24) + 4 * plates + 4


# Dome plates


def test_DU03_the_plates_are_printed_as_in_the_box():
    printed = "GKT* ?BTK TRB? KGR? K*TR TG?K *KRB GBK* TRB* GR?B G*KR TKR? BK*T RTG? TB?G *TGB R?BK *GBR"
    assert list(PLATES) == [plate.lower().replace("g", "y") for plate in printed.split()]


def test_DU03_a_plate_can_be_turned_four_ways_and_no_two_plates_can_lie_alike():
    assert turned("ykt*") == "ty*k"
    assert TURNS["ykt*"] == ("ykt*", "ty*k", "*tky", "k*yt")
    assert len(PRINTED) == 4 * 18


def test_DU03_a_plate_may_be_turned_but_not_mirrored():
    state = table(open="ykt*")
    assert [move for move in moves(state) if len(move) == 5 and move.startswith("1")] == [
        "1ykt*",
        "1ty*k",
        "1*tky",
        "1k*yt",
    ]
    assert refusal(state, "1ky*t") == "DU03"


# Bonus chips


def test_DU04_there_are_20_chips_each_single_colour_twice_and_five_pairs_twice():
    assert len(ALL_CHIPS) == 20
    assert sorted(CHIP_COLOURS.values()) == sorted(["b", "y", "r", "k", "t", "ty", "br", "rt", "kb", "yk"])
    assert {*Counter(ALL_CHIPS).values()} == {2}


# Scoring tiles


@pytest.mark.parametrize(
    "faces",
    [
        ("rows", "columns"),
        ("rows", "colour_rows", "columns"),
        ("columns", "rows", "diagonals"),
        ("rows", "rows", "columns"),
        ("rows", "columns", "diagonals", "jokers", "empty_specials"),
    ],
)
def test_DU05_three_or_four_tiles_one_face_each_in_their_order(faces):
    with pytest.raises(ValueError, match="DU05"):
        duel.Config(faces=faces)


@pytest.mark.parametrize("free", ["forced", "always"])
@pytest.mark.parametrize(("special", "word"), [(True, "true"), (False, "false"), ("alone", "alone")])
@pytest.mark.parametrize("faces", [("rows", "columns", "diagonals"), ("colour_rows", "outer", "corners", "jokers")])
def test_DU05_the_rules_line_of_a_record_says_what_was_agreed(faces, special, word, free):
    config = duel.Config(faces=faces, special_counts_as_colour=special, free_draws=free)
    line = record.write_rules(duel, config)
    agreed = f"special_counts_as_colour={word} free_draws={free}"
    assert line == f"duel/1 seats=2 faces={','.join(faces)} {agreed}"
    assert record.read_rules(duel, line) == config


def test_DU22_a_record_from_before_the_option_plays_as_it_was_played():
    line = "duel/1 seats=2 faces=rows,columns,diagonals special_counts_as_colour=true"
    assert record.read_rules(duel, line) == duel.Config(free_draws="always")
    assert record.read_options(duel, []) == duel.Config(free_draws="forced")


def test_DU06_both_players_start_with_5_points():
    assert [board.score for board in START.boards] == [5, 5]
