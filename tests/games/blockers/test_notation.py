"""How Blockers! is written: moves, deals and positions, and texts that are none."""

from random import Random

import pytest

from tessella.core.game import BadNotation
from tessella.games import blockers
from tessella.games.blockers import Config, DrawStart, DrawTiles, Place, PutAside
from tessella.games.blockers.pieces import COLOURS, FACES

from .positions import CONFIGS, lay, play, random_acts

EMPTY_BOARD = "/".join(["........."] * 9)
ONE_EACH = "y7@D7 b8@D8 r9@D9"
TWO = lay(racks={"b": "AD7sw", "r": "12345"}, table="2b")


# Moves


@pytest.mark.parametrize(
    ("state", "move", "text"),
    [
        (lay(racks={"b": "AD7sw"}), Place(0, "b", "7", 33), "7@D7"),
        (lay(racks={"b": "AD7sw"}), Place(0, "b", "w", 80), "w@I9"),
        (lay(racks={"b": "AD7sw"}), PutAside(0, "b", "7"), "7@-"),
        (lay("y7@D7", {"b": "AD7sw"}), Place(0, "b", "7", 33), "7@D7x"),
        (TWO, Place(0, "b", "7", 33), "b7@D7"),
        (TWO, PutAside(0, "r", "5"), "r5@-"),
        (TWO, Place(0, "r", "5", 31), "r5@D5"),
    ],
)
def test_BL10_BL14_BL17_BL30_a_move_is_tile_and_cell_and_marks_a_capture(state, move, text):
    """Two players always name the colour."""
    assert blockers.read_move(state, 0, text) == move
    assert blockers.write_move(state, move) == text


@pytest.mark.parametrize(
    ("state", "text", "why"),
    [
        (lay("y7@D7", {"b": "AD7sw"}), "7@D7", "if, and only if, a tile lies"),
        (lay("y7@D7", {"b": "AD7sw"}), "7@E7x", "if, and only if, a tile lies"),
        (TWO, "5@D5", "b7@D7"),
    ],
)
def test_BL14_BL30_an_unmarked_capture_and_a_move_without_its_colour_are_not_read(state, text, why):
    with pytest.raises(BadNotation, match=why):
        blockers.read_move(state, 0, text)


@pytest.mark.parametrize(
    "text", ["", "7", "7@", "7D7", "x@D7", "7@J1", "7@A0", "7@D7xx", "7@-x", "b7@D7", "7@D7\n", "*b:7"]
)
def test_BL10_what_is_not_a_move_is_not_read(text):
    with pytest.raises(BadNotation):
        blockers.read_move(lay(), 0, text)


# Deals


def test_BL03_deals_name_the_start_player_or_a_colour_and_its_tiles():
    state = blockers.setup(Config(2))
    assert blockers.read_deal(state, "start 1") == DrawStart(1)
    assert blockers.read_deal(state, "g:w7sAD") == DrawTiles(1, "g", "AD7sw")
    assert blockers.write_deal(state, DrawTiles(1, "g", "AD7sw")) == "g:AD7sw"
    assert blockers.write_deal(state, DrawStart(1)) == "start 1"


@pytest.mark.parametrize("text", ["", "start", "start 5", "b:", "b:AD7sw1", "x:7", "7", "b:7\n", "7@D7"])
def test_BL03_what_is_not_a_deal_is_not_read(text):
    with pytest.raises(BadNotation):
        blockers.read_deal(blockers.setup(Config(3)), text)


# Positions


def test_BL40_a_position_is_one_line_and_a_supply_may_be_left_out():
    state = lay(ONE_EACH, {"b": "AD7sw"}, start=1)
    text = blockers.write_state(state)
    assert text.startswith("3b 1 ........./........./........./......y7b8r9/")
    assert "\n" not in text
    assert blockers.read_state(text) == state
    supply = state.stocks[0].supply
    assert blockers.read_state(text.replace(supply, "~", 1)) == state
    assert blockers.read_state(text.replace(supply, supply[::-1], 1).replace("AD7sw", "ws7DA", 1)) == state


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "a number of seats and a scoring"),
        ("6b 0 BOARD", "a number of seats and a scoring"),
        ("3b 0 BOARD AB123:~:- AB123:~:- AB123:~:- - -", "has 9 words"),
        ("3b 3 BOARD AB123:~:- AB123:~:- AB123:~:- - - -", "not a seat at this table"),
        ("3b 0 BOARD/. AB123:~:- AB123:~:- AB123:~:- - - -", "nine rows"),
        ("3b 0 BOARD AB123:~ AB123:~:- AB123:~:- - - -", "rack:supply:aside"),
        ("3b 0 BOARD AB123:~:- AB123:~:- AB123:~:- g7 - -", "captured tiles"),
        ("3b 0 BOARD AAB12:~:- AB123:~:- AB123:~:- - - -", "28 different ones"),
        ("3b 0 BOARD AB123:CDE:- AB123:~:- AB123:~:- - - -", "28 different ones"),
        ("3b - BOARD AB123:~:- -:~:- -:~:- - - -", "before the start player is drawn"),
        ("3b - BOARD -:~:A -:~:- -:~:- - - -", "before the start player is drawn"),
        ("3b 0 BOARD -:~:- AB123:~:- -:~:- - - -", "in the order of the colours"),
        ("3b 0 BOARD AB12:~:- AB123:~:- AB123:~:- - - -", "in the order of the colours"),
        ("3b 0 BOARD AB1:~:2 AB123:~:- AB123:~:- - - -", "wrong rack size"),
        ("3b 0 BOARD AB123:~:4 AB12:~:- AB123:~:- - - -", "wrong rack size"),
        ("3b 0 BOARD AB12:~:4 AB12:~:- AB123:~:- - - -", "wrong rack size"),
        ("3b 0 BOARD AB123:~:- AB123:~:4 AB123:~:- - - -", "does not fit the order of play"),
        ("3b 0 BOARD AB123:~:45 AB123:~:4 AB123:~:- - - -", "does not fit the order of play"),
        ("3b 0 BOARD AB123:~:4 AB123:~:- AB123:~:- y4 r4 -", "seat 0 has captured more tiles than it has placed"),
        ("3b 0 BOARD AB123:~:- AB123:~:- AB123:~:- b4 y4 r4", "seat 0 has captured"),
    ],
)
def test_BL02_an_impossible_position_is_rejected(words, why):
    with pytest.raises(BadNotation, match=why):
        blockers.read_state(words.replace("BOARD", EMPTY_BOARD))


def test_BL10_a_tile_where_it_does_not_belong_is_not_read():
    with pytest.raises(BadNotation, match="y7 cannot lie on D8"):
        lay("y7@D8")


def test_BL16_the_one_who_played_last_may_have_to_draw():
    state, _ = play(lay(racks={"b": "AD7sw"}), "7@D7")
    assert blockers.read_state(blockers.write_state(state)) == state


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_BL02_a_position_with_a_misprint_is_refused_or_read_as_another(config):
    rng = Random(0)
    for _, _, state, _ in random_acts(blockers.setup(config), rng):
        text = blockers.write_state(state)
        place = rng.randrange(len(text))
        misprint = text[:place] + rng.choice(COLOURS + FACES + " ./:~-0") + text[place + 1 :]
        try:
            read = blockers.read_state(misprint)
        except BadNotation:
            continue
        assert blockers.read_state(blockers.write_state(read)) == read
        assert blockers.inventory(read) == blockers.inventory(state)
