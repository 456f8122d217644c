"""How Azul is written and read."""

from functools import partial

import pytest

from tessella.core.game import BadNotation
from tessella.games import azul

from .positions import board, table

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
    assert azul.read_state(WITH_TILDE) == state
    assert azul.read_state(DRAFTING.replace("bbyk,", "ykbb,").replace("mrrk", "mkrr")) == state


def test_the_table_before_the_first_deal():
    text = f"2g 0 0>0 -,-,-,-,- - 20.20.20.20.20 0.0.0.0.0 {board()} {board()}"
    assert azul.write_state(azul.setup(azul.Config(2, "grey"))) == text
    assert azul.read_state(text) == azul.setup(azul.Config(2, "grey"))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (WITH_TILDE, "", "at least nine words"),
        (WITH_TILDE, "2c 3 0>1 -,-,-,-,- - ~ 0.0.0.0.0", "2 players have 2 boards"),
        ("2c 3 0>1", "2c 3", "who starts"),
        ("2c", "5c", "number of seats"),
        ("2c", "2x", "number of seats"),
        ("2c", "3c", "3 players"),
        ("2c 3", "2c 51", "a round"),
        ("2c 3", "2c 03", "a round"),
        ("0>1", "0-1", "who starts"),
        ("0>1", "2>1", "the seats are 0 to 1"),
        ("0>1", "0>2", "the seats are 0 to 1"),
        ("rrww,-,-", "rrww,-", "5 factories"),
        ("rrww,-,-", "rrww,-,-,-", "5 factories"),
        ("bbyk", "bbyyk", "a heap of tiles"),
        ("bbyk", "bbyg", "a heap of tiles"),
        ("bbyk", "mbyk", "a heap of tiles"),
        ("mrrk", "rrk", "misplaced start marker"),
        (":rr ", ":mrr ", "misplaced start marker"),
        ("mrrk", "mrrkm", "a heap of tiles"),
        ("mrrk", "mrrrkkkkwwwwyyyyy", "a heap of tiles"),
        ("4.1.2.0.2", "4.1.2.0", "counts"),
        ("4.1.2.0.2", "4.1.2.0.-2", "counts"),
        ("4.1.2.0.2", "17.1.2.0.2", "there are 20 of each colour"),
        ("~", "11.15.12.15.16", "there are 20 of each colour"),
        ("~", "12.15.12.16.15", "there are 20 of each colour"),
        ("8:b/", "-8:b/", "score"),
        ("8:b/", "8000:b/", "score"),
        ("8:b/", "8:bb/", "a pattern line of 1"),
        ("8:b/yy/", "8:b/yk/", "a pattern line of 2"),
        ("8:b/yy/", "8:b/", "five pattern lines"),
        ("8:b/", "8:y/", "already has"),
        (".y...", "y....", "not a coloured wall"),
        (".y...", ".y..", "a wall"),
        (".y...", ".y.y.", "twice in a row"),
        (":rr ", ":rrx ", "a floor line"),
        (":rr ", ":rrrrrrrr ", "seven spaces"),
    ],
)
def test_an_impossible_position_is_rejected(old, new, why):
    assert old in WITH_TILDE
    with pytest.raises(BadNotation, match=why):
        azul.read_state(WITH_TILDE.replace(old, new, 1))


SEVEN, CHOICE, FIRST = "seven spaces", "gives its player no choice", "before the first deal"


@pytest.mark.parametrize(
    ("position", "why"),
    [
        (partial(table, board(wall="b..../...../...../b..../....."), kind="2g"), "twice in a row or column"),
        (partial(table, board(wall="....b/...../...../...../.....")), "not a coloured wall"),
        *((partial(table, board(floor=floor), factories="rrrr"), SEVEN) for floor in ("mbbyykkw", "bbymykkw")),
        (partial(table, board(floor="bbyykkww"), factories="rrrr", centre="m"), SEVEN),
        (partial(table, board(floor="b")), "empty after tiling"),
        (partial(table, board(floor="m")), "empty after tiling"),
        (partial(table, centre="m"), "misplaced start marker"),
        (partial(table, order="0>1"), "a player drafts although no tile is left"),
        (partial(table, board("-/bb/-/-/-")), CHOICE),
        (partial(table, board("-/-/rrr/-/-", "r..../.r.../bkw../....r/....."), kind="2g"), CHOICE),
        (partial(table, board("-/-/rrr/-/-", "...r./....r/bkw../...../....."), kind="2g"), CHOICE),
        (partial(table, board(score=1), round=0), FIRST),
        (partial(table, board(wall="b..../...../...../...../....."), round=0), FIRST),
        (partial(table, factories="bbyk", round=0), FIRST),
        (partial(table, order="1>0", round=0), FIRST),
        (partial(table, bag="0.0.0.0.0", lid="~", round=0), FIRST),
    ],
)
def test_an_impossible_table_is_rejected(position, why):
    with pytest.raises(BadNotation, match=why):
        position()


def test_these_tables_are_possible():
    """The marker may be an eighth piece; floors wait for a choice; complete lines may lie there during drafting."""
    table(board(floor="bbyykkwm"), factories="rrrr")
    table(board("r/-/-/-/-", floor="mb"), kind="2g")
    table(board("-/bb/-/-/-"), factories="b")
