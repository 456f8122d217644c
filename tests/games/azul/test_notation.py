"""How Azul is written and read."""

from functools import partial
from random import Random

import pytest

from tessella.core.game import BadNotation
from tessella.games import azul

from .positions import CONFIGS, EMPTY_WALL, board, random_game, table

DRAFTING = (
    "2c 3 0>1 bbyk,-,rrww,-,- mrrk 12.15.12.15.16 4.1.2.0.2 "
    "8:b/yy/-/-/kkk:.y.../.b.../...../...../.....:rr 5:-/-/-/-/-:...../...../...../...../.....:-"
)
WITH_TILDE = DRAFTING.replace("12.15.12.15.16", "~")

# Moves


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("3r4", azul.Take(1, 2, "r", 3)),
        ("ck-", azul.Take(1, None, "k", None)),
        ("9w5", azul.Take(1, 8, "w", 4)),
        ("1b1", azul.Take(1, 0, "b", 0)),
        ("t24", azul.Place(1, 1, 3)),
        ("t51", azul.Place(1, 4, 0)),
    ],
)
def test_moves_have_three_characters(text, move):
    state = table(kind="4g", factories="bbyk")
    assert azul.read_move(state, 1, text) == move
    assert azul.write_move(state, move) == text


@pytest.mark.parametrize(
    "text",
    ["", "3r", "3r44", "0r4", "3g4", "3r6", "3r0", "cm-", "3R4", "t66", "t00", " 3r4", "3r4\n", "٣r4", "*"],
)
def test_what_is_not_a_move(text):
    with pytest.raises(BadNotation, match="is not a move"):
        azul.read_move(table(), 0, text)


# Deals


@pytest.mark.parametrize(
    ("text", "deal"),
    [
        ("0:bbyk byrw kkkk", azul.Deal(("bbyk", "byrw", "kkkk"), 0)),
        ("3:b", azul.Deal(("b",), 3)),
        ("bbyk - rw", azul.Deal(("bbyk", "", "rw"))),
    ],
)
def test_deals_name_the_start_player_and_each_factory(text, deal):
    assert azul.read_deal(table(), text) == deal
    assert azul.write_deal(table(), deal) == text


def test_the_tiles_of_a_factory_have_no_order():
    assert azul.read_deal(table(), "kybb wryb") == azul.read_deal(table(), "bbyk byrw")


@pytest.mark.parametrize(
    "text",
    ["", " ", "4:bbyk", "0:", "bbykk", "bbyk  byrw", "bbyk ", " bbyk", "bbym", "b-", "0:bbyk\n", "0: bbyk"],
)
def test_what_is_not_a_deal(text):
    with pytest.raises(BadNotation, match="is not a deal"):
        azul.read_deal(table(), text)


# Positions


def test_a_position_in_one_line():
    state = azul.read_state(DRAFTING)
    assert state == azul.State(
        azul.Config(2, "coloured"),
        boards=(
            azul.Board(8, ("b", "yy", "", "", "kkk"), (".y...", ".b...", ".....", ".....", "....."), "rr"),
            azul.Board(5),
        ),
        bag=(12, 15, 12, 15, 16),
        lid=(4, 1, 2, 0, 2),
        factories=("bbyk", "", "rrww", "", ""),
        centre="mrrk",
        round=3,
        start=0,
        current=1,
    )
    assert azul.write_state(state) == DRAFTING


def test_a_tilde_is_the_bag_with_all_other_tiles():
    assert azul.read_state(WITH_TILDE) == azul.read_state(DRAFTING)


def test_the_tiles_of_a_heap_have_no_order():
    assert azul.read_state(DRAFTING.replace("bbyk,", "ykbb,").replace("mrrk", "mkrr")) == azul.read_state(DRAFTING)


def test_the_table_before_the_first_deal():
    text = f"2g 0 0>0 -,-,-,-,- - 20.20.20.20.20 0.0.0.0.0 {board()} {board()}"
    assert azul.write_state(azul.setup(azul.Config(2, "grey"))) == text
    assert azul.read_state(text) == azul.setup(azul.Config(2, "grey"))


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_every_position_of_a_game_is_read_as_it_was_written(config):
    for _, after, _ in random_game(config, Random(7)):
        assert azul.read_state(azul.write_state(after)) == after


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        pytest.param("2c 3 0>1", "2c 3", "who starts", id="a word too few"),
        pytest.param("2c", "5c", "number of seats", id="five players"),
        pytest.param("2c", "2x", "number of seats", id="no such wall"),
        pytest.param("2c", "3c", "3 players", id="too few boards"),
        pytest.param("2c 3", "2c 51", "a round", id="round 51"),
        pytest.param("2c 3", "2c 03", "a round", id="round with a zero"),
        pytest.param("0>1", "0-1", "who starts", id="no order"),
        pytest.param("0>1", "2>1", "the seats are 0 to 1", id="the start player is not there"),
        pytest.param("0>1", "0>2", "the seats are 0 to 1", id="the drafting player is not there"),
        pytest.param("rrww,-,-", "rrww,-", "5 factories", id="four factories"),
        pytest.param("rrww,-,-", "rrww,-,-,-", "5 factories", id="six factories"),
        pytest.param("bbyk", "bbyyk", "a heap of tiles", id="five tiles in a factory"),
        pytest.param("bbyk", "bbyg", "a heap of tiles", id="a sixth colour"),
        pytest.param("bbyk", "mbyk", "a heap of tiles", id="the marker in a factory"),
        pytest.param("mrrk", "rrk", "misplaced start marker", id="no marker"),
        pytest.param(":rr ", ":mrr ", "misplaced start marker", id="two markers"),
        pytest.param("mrrk", "mrrkm", "a heap of tiles", id="two markers in the centre"),
        pytest.param("mrrk", "mrrrkkkkwwwwyyyyy", "a heap of tiles", id="a centre larger than the factories gave"),
        pytest.param("4.1.2.0.2", "4.1.2.0", "counts", id="four counts"),
        pytest.param("4.1.2.0.2", "4.1.2.0.-2", "counts", id="a negative count"),
        pytest.param("4.1.2.0.2", "17.1.2.0.2", "there are 20 of each colour", id="a bag that would owe tiles"),
        pytest.param("8:b/", "-8:b/", "score", id="a negative score"),
        pytest.param("8:b/", "8000:b/", "score", id="a score beyond reach"),
        pytest.param("8:b/", "8:bb/", "a pattern line of 1", id="two tiles in line 1"),
        pytest.param("8:b/yy/", "8:b/yk/", "a pattern line of 2", id="two colours in a line"),
        pytest.param("8:b/yy/", "8:b/", "five pattern lines", id="four lines"),
        pytest.param("8:b/", "8:y/", "already has", id="a line whose colour is on the wall row"),
        pytest.param(".y...", "y....", "not a coloured wall", id="a tile on another colour's space"),
        pytest.param(".y...", ".y..", "a wall", id="a row of four"),
        pytest.param(".y...", ".y.y.", "twice in a row", id="a colour twice in a row"),
        pytest.param(":rr ", ":rrx ", "a floor line", id="a strange piece on the floor"),
        pytest.param(":rr ", ":rrrrrrrr ", "seven spaces", id="eight tiles on the floor"),
    ],
)
def test_an_impossible_position_is_rejected(old, new, why):
    assert old in WITH_TILDE
    with pytest.raises(BadNotation, match=why):
        azul.read_state(WITH_TILDE.replace(old, new, 1))


@pytest.mark.parametrize("bag", ["11.15.12.15.16", "13.15.12.15.16", "12.15.12.16.15"])
def test_there_are_20_tiles_of_each_colour(bag):
    with pytest.raises(BadNotation, match="there are 20 of each colour"):
        azul.read_state(DRAFTING.replace("12.15.12.15.16", bag))


def test_a_colour_twice_in_a_column_is_no_grey_wall():
    with pytest.raises(BadNotation, match="twice in a row or column"):
        table(board(wall="b..../...../...../b..../....."), kind="2g")


@pytest.mark.parametrize("text", ["", " ", "2c", "2c 3 0>1 - - ~", "\n", "2c 3 0>1 -,-,-,-,- - ~ 0.0.0.0.0"])
def test_what_is_not_a_position(text):
    with pytest.raises(BadNotation):
        azul.read_state(text)


def test_an_eighth_piece_on_the_floor_can_only_be_a_marker_that_came_last():
    assert table(board(floor="bbyykkwm"), factories="rrrr").boards[0].floor == "bbyykkwm"
    for floor in ("mbbyykkw", "bbymykkw", "bbyykkww"):
        with pytest.raises(BadNotation, match="seven spaces"):
            table(board(floor=floor), factories="rrrr", centre="m" if "m" not in floor else "-")


def test_after_tiling_no_marker_and_no_tile_is_left_on_a_floor():
    with pytest.raises(BadNotation, match="empty after tiling"):
        table(board(floor="b"))
    with pytest.raises(BadNotation, match="empty after tiling"):
        table(board(floor="m"))
    with pytest.raises(BadNotation, match="misplaced start marker"):
        table(centre="m")


def test_the_floor_waits_for_a_player_who_still_chooses():
    assert table(board("r/-/-/-/-", floor="mb"), kind="2g").boards[0].floor == "mb"


def test_no_seat_drafts_when_no_tile_is_left():
    with pytest.raises(BadNotation, match="a player drafts although no tile is left"):
        table(order="0>1")


@pytest.mark.parametrize(
    ("kind", "lines", "wall"),
    [
        pytest.param("2c", "-/bb/-/-/-", EMPTY_WALL, id="the coloured wall decides"),
        pytest.param("2g", "-/-/rrr/-/-", "r..../.r.../bkw../....r/.....", id="one column is left"),
        pytest.param("2g", "-/-/rrr/-/-", "...r./....r/bkw../...../.....", id="no column is left"),
    ],
)
def test_after_drafting_a_complete_line_lies_only_where_its_player_has_a_choice(kind, lines, wall):
    assert table(board(lines, wall), kind=kind, factories="b").boards[0].wall == tuple(wall.split("/"))
    with pytest.raises(BadNotation, match="gives its player no choice"):
        table(board(lines, wall), kind=kind)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(partial(table, board(score=1)), id="points"),
        pytest.param(partial(table, board(wall="b..../...../...../...../.....")), id="a wall"),
        pytest.param(partial(table, factories="bbyk"), id="a factory"),
        pytest.param(partial(table, order="1>0"), id="a start player"),
        pytest.param(partial(table, bag="0.0.0.0.0", lid="~"), id="a lid"),
    ],
)
def test_before_the_first_round_nothing_has_happened(change):
    with pytest.raises(BadNotation, match="before the first deal"):
        change(round=0)
