"""How moves, deals and positions are written."""

import pytest
from msgspec.structs import replace

from tessella.core.game import BadNotation
from tessella.games import duel

from .positions import (
    CROWDED,
    EMPTY_FACTORIES,
    Board,
    between_rounds,
    end_of_phase_1,
    play,
    table,
)

START = duel.setup(duel.Config())
KINDS = "*?" * 9


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("3r4", duel.Take(0, 3, "r", 3)),
        ("0b-", duel.Take(0, 0, "b", None)),
        ("mt6", duel.Take(0, None, "t", 5)),
        ("skyy", duel.Stack(0, "kyy")),
        ("c3", duel.TakeChip(0, 3)),
        ("5ykt*", duel.PlacePlate(0, "ykt*", 4)),
        ("d+", duel.Draw(0)),
        ("d=", duel.Stop(0)),
        ("uykt*", duel.Return(0, "ykt*")),
        ("t24", duel.Place(0, 1, 3)),
        ("p3tT", duel.Pay(0, 2, "tT")),
        ("p3-", duel.Pay(0, 2, "")),
    ],
)
def test_moves_have_two_to_twelve_characters(text, move):
    assert duel.read_move(START, 0, text) == move
    assert duel.write_move(START, move) == text


def test_chips_may_be_named_in_any_order():
    assert duel.read_move(START, 1, "p3Ttb") == duel.Pay(1, 2, "btT")


@pytest.mark.parametrize(
    "text",
    ["", "5r4", "3w4", "3r7", "3r0", "s", "sb", "sbbbb", "c0", "c5", "0ykt*", "5ykt", "d", "d-", "ykt*", "t07", "t71"],
)
def test_anything_else_is_not_a_move(text):
    with pytest.raises(BadNotation):
        duel.read_move(START, 0, text)


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (START, f"1:{KINDS} ykt* ?btk trb*"),
        (between_rounds(), "bbykt bbyk - byrk y"),
        (play(table(), "d+", "d=")[0], "k*tr"),
        (play(end_of_phase_1(Board()), "c4")[0], "k*tr ykt* *krb"),
        (play(table(factories="bbykt rrrr bbyk bbyk bbyk"), "1r4")[0], "T"),
    ],
)
def test_deals_are_written_as_what_they_show(state, text):
    deal = duel.read_deal(state, text)
    assert duel.write_deal(state, deal) == text
    for wrong in ("", "bbykt", "1:*? ykt*", "x", f"{text} "):
        with pytest.raises(BadNotation):
            duel.read_deal(state, wrong)


def test_no_deal_can_be_read_when_a_seat_is_to_move():
    with pytest.raises(BadNotation):
        duel.read_deal(table(), "bbykt bbyk byrk kktt yyrr")


def test_tiles_of_a_deal_may_be_named_in_any_order():
    state = between_rounds()
    assert duel.read_deal(state, "tkybb kybb - byrk y") == duel.Fill(("bbykt", "bbyk", "", "byrk", "y"))


def test_a_position_is_one_line_of_thirteen_words():
    text = duel.write_state(START)
    empty = "5:-/-/-/-/-/-:-,-,-,-,-,-,-,-,-:....../....../....../....../....../......:-:-:-:0"
    plates = "*,?,?,?,*,?,*,*,*,?,*,?,*,?,?,*,?,*"
    chips = "bbyyrrkkttBBYYRRKKTT"
    assert text == (
        "rows,columns,diagonals:special:forced 0prepare 0>0 m- -/-,-/-/-,-/-/-,-/-/-,-/-/- "
        f"- {plates} - {chips} 13.13.13.13.13 0.0.0.0.0 {empty} {empty}"
    )
    assert duel.read_state(text) == START


@pytest.mark.parametrize("free", ["forced", "always"])
@pytest.mark.parametrize("special", [True, False, "alone"])
def test_a_position_says_how_DU51_and_DU22_are_read(special, free):
    state = duel.setup(duel.Config(special_counts_as_colour=special, free_draws=free))
    assert duel.read_state(duel.write_state(state)) == state


def test_DU22_a_position_from_before_the_option_has_free_draws():
    text = duel.write_state(START).replace(":special:forced", ":special")
    assert duel.read_state(text).config == duel.Config(free_draws="always")


# Positions that nobody could lay out

ACT = duel.write_state(table(open="ykt* ?btk trb?"))
DRAW = duel.write_state(play(table(), "d+", "d+")[0])
KEEP = duel.write_state(play(table(), "d+", "d+", "d=", "*k*tr *krb")[0])
RETURN = duel.write_state(play(table(), "d+", "d+", "d+", "d=", "*k*tr *krb y*kr", "1k*tr")[0])
STACK = duel.write_state(play(table(), "1b1")[0])
TILE = duel.write_state(play(end_of_phase_1(Board("-/tt/-/-/-/-", "1ykt* 2bk*t 3rty?")), "c4")[0])
PAID = duel.write_state(
    play(end_of_phase_1(Board("-/-/tt/-/-/-", "4tkr? 5ykt* 6?btk", chips="RTk"), stage="2act"), "c4", "p3RT")[0]
)
PREPARE = duel.write_state(between_rounds(*CROWDED))
FIRST = duel.write_state(play(START, f"*1:{KINDS} ykt* ?btk trb*", "*bbykt bbyk byrk kktt yyrr")[0])
OVER = duel.write_state(play(end_of_phase_1(Board(), stage="5act"), "c4")[0])


@pytest.mark.parametrize("text", [ACT, DRAW, KEEP, RETURN, STACK, TILE, PAID, PREPARE, FIRST, OVER])
def test_these_positions_are_sound(text):
    assert duel.write_state(duel.read_state(text)) == text


WORD, BOX = "is not", "13 tiles"
ONCE, MEMORY, DOME, FACTORY = "exists once", "lost track", "does not accept it", "impossible factory"
PACE, PLACE, PHASE, CHOICE = "two of each per player", "different phase", "does not fit the phase", "nothing to choose"


@pytest.mark.parametrize(
    ("text", "old", "new", "why"),
    [
        (ACT, " 1act", "", "thirteen words"),
        (ACT, "rows,columns", "rows", "DU05"),
        (ACT, "rows,columns", "columns,rows", "DU05"),
        (ACT, ":special", ":other", WORD),
        (ACT, "1act", "1rest", WORD),
        (ACT, "1act", "6act", WORD),
        (ACT, "0>0", "0>2", WORD),
        (ACT, "m-", "m2", WORD),
        (ACT, "bbyk/-/#", "bbykk/-/#", WORD),
        (ACT, "bbyk/-/#", "bbyk/-/x", WORD),
        (ACT, "ykt*,?btk", "ykt*?btk", WORD),
        (ACT, "ykt*,?btk", "ykt*,?btk,kyr?", WORD),
        (ACT, ",?,", ",yr?b2,", WORD),
        (ACT, "bbyy", "xxyy", WORD),
        (ACT, "0.0.0.0.0", "0.0.0.0", WORD),
        (ACT, "5:-/-", "x:-/-", WORD),
        (ACT, "5:-/-", "5:bb/-", WORD),
        (ACT, "5:-/-", "5:-/by", WORD),
        (ACT, "....../", "......./", WORD),
        (ACT, " 3.", " 4.", BOX),
        (ACT, "bbyk/-/#", "bbbb/-/#", BOX),
        (ACT, "bbyy", "byy", BOX),
        (ACT, ",?,", ",", BOX),
        (ACT, "ykt*,", "ky*t,", ONCE),
        (ACT, "ykt*,", "ty*k,", ONCE),
        (ACT, ",?,", ",?btk0,", ONCE),
        (ACT, ",?,", ",kyr?0~0,", MEMORY),
        (ACT, "m-", "m0", FACTORY),
        (ACT, "1act", "2act", PACE),
        (ACT, "1act", "0act", PACE),
        (FIRST, "1first", "1act", PACE),
        (ACT, "1act", "1act1", PLACE),
        (STACK, "1stack1", "1stack", PLACE),
        (DRAW, "1draw", "1act", PLACE),
        (DRAW, " 3:-", " 0:-", PHASE),
        (RETURN, "1return", "1act", PLACE),
        (TILE, "1tile 0>0", "1tile 0>1", PLACE),
        (TILE, "1tile", "1act", PLACE),
        (PAID, "-/-/tt+", "-/t+/t", PLACE),
        (OVER, "5over 0>0", "5over 0>1", PLACE),
        (PREPARE, "1prepare 0>0", "1prepare 0>1", PLACE),
        (duel.write_state(START), "0prepare", "0tile", PLACE),
        (ACT, "1act", "1first", PHASE),
        (ACT, "1act", "1stack1", PHASE),
        (STACK, "1stack1", "1stack2", PHASE),
        (KEEP, "1keep", "1return", PHASE),
        (PREPARE, "1prepare", "5prepare", PACE),
        (PREPARE, "m-", "m0", PHASE),
        (FIRST, "1>0", "1>1", PHASE),
        (OVER, "5over", "5prepare", PHASE),
        (TILE, ":1 5:", ":2 5:", CHOICE),
        (TILE, ":1 5:", ":0 5:", CHOICE),
        (TILE, ":1 5:", ":6 5:", CHOICE),
        (PREPARE, "1prepare", "1tile", CHOICE),
    ],
)
def test_an_impossible_position_is_rejected(text, old, new, why):
    assert old in text
    with pytest.raises(BadNotation, match=why):
        duel.read_state(text.replace(old, new, 1))


def tiling(*boards: Board) -> duel.State:
    return table(*boards, stage="1tile", factories=EMPTY_FACTORIES, tokens=(0, 0), due=(0, 0))


def test_these_boards_may_be_tiled():
    tiling(Board("-/tt/-/-/-/-", "1ykt* 2bk*t 3rty?", row=1), Board(row=6))
    tiling(Board("-/tt/-/-/-/-", "1ykt* 2bk*t 3rty?", broken="b", row=1), Board(row=6))


@pytest.mark.parametrize(
    ("position", "why"),
    [
        (lambda: table(Board(plates="1ykt*", tiles="k...../....../....../....../....../......")), DOME),
        (lambda: table(Board(plates="1ykt*", tiles=".....b/....../....../....../....../......")), DOME),
        (lambda: table(Board(plates="1?btk", tiles="*...../....../....../....../....../......")), DOME),
        (lambda: table(Board(plates="1ykt*", tiles="yk..../t...../....../....../....../......")), DOME),
        (lambda: table(Board(plates="1ykt*", tiles="yk..../.*..../....../....../....../......")), DOME),
        (lambda: table(factories="bb/yk bbyk bbyk bbyk bbyk"), FACTORY),
        (lambda: table(factories="bbykt bb/yk bbyk bbyk bbyk"), FACTORY),
        (lambda: table(factories="bbykt bbyk/-/T bbyk bbyk bbyk"), FACTORY),
        (lambda: table(factories="bbykt - bbyk bbyk bbyk"), PACE),
        (lambda: table(tokens=(-1, 2)), PACE),
        (lambda: table(due=(-1, 2)), PACE),
        (lambda: table(stage="2act", tokens=(3, 2)), PACE),
        (lambda: table(Board("-/-/tt+/-/-/-")), PLACE),
        (lambda: tiling(Board("-/-/t+/-/-/-", row=2)), PLACE),
        (lambda: table(Board(row=1)), PLACE),
        (lambda: table(stage="1draw"), PHASE),
        (lambda: table(stage="1keep"), PHASE),
        (lambda: table(stage="1return"), PHASE),
        (lambda: table(stage="5over", factories="bbykt - - - -", due=(0, 0)), PHASE),
        (lambda: table(stage="1stack1", factories="bbykt kkk bbyk bbyk bbyk"), PHASE),
        (lambda: between_rounds(Board(broken="b")), PHASE),
        (lambda: tiling(Board("-/tt/-/-/-/-", "1ykt* 2bk*t 3rty?", row=1), Board(broken="b", row=6)), PHASE),
        (lambda: table(factories="- - - - -", tokens=(0, 1), due=(0, 0), open="ykt*"), CHOICE),
        (lambda: tiling(Board("-/tt/-/-/-/-", "1ykt*", row=1), Board(row=6)), CHOICE),
        (lambda: tiling(Board("-/tt/-/-/-/-", "1ykt* 2bk*t 3rty?", row=1), Board(row=3)), CHOICE),
    ],
)
def test_an_impossible_table_is_rejected(position, why):
    with pytest.raises(BadNotation, match=why):
        position()


def test_DU12_a_player_without_a_first_plate_cannot_be_past_it():
    state = duel.read_state(ACT)
    (plate,) = filter(None, state.boards[1].dome)
    bare = replace(state.boards[1], dome=("",) * 9)
    kind = "*" if "*" in plate else "?"
    moved = replace(state, boards=(state.boards[0], bare), stack=(*state.stack, duel.Back(kind)))
    with pytest.raises(BadNotation, match=PACE):
        duel.read_state(duel.write_state(moved))
