"""Every act against a rule is refused, names the rule, and leaves everything as it was."""

from random import Random

import pytest

from tessella.games import azul
from tessella.games.azul import Deal, Place, Take

from .positions import ALL_BUT_SIX, board, destinations, moves, refusal, table

FIRST = azul.setup(azul.Config(2))
DRAFTING = table(factories="bbyk -", centre="mr")
NOT_MINE = table(board("-/bb/-/-/-"), kind="2g")
"""Seat 0 chooses a column for its second line."""
ONE_COLUMN = table(board("r/-/rrr/-/-", "bk.../..r../...../...../....."), kind="2g")
OVER = table(board(wall="byrkw/...../...../...../....."))
SCARCE = table(bag="3.20.20.20.20", lid="~")
SIX_LEFT = table(bag="4.2.0.0.0", lid="~")
LAST_SIX = table(*ALL_BUT_SIX, kind="4c", bag="0.3.0.0.1", lid="~")
FIVE = ("bbbb", "yyyy", "rrrr", "kkkk", "wwww")


@pytest.mark.parametrize(
    ("rule", "state", "act"),
    [
        ("AZ01", DRAFTING, "6b1"),
        ("AZ01", DRAFTING, Take(0, -1, "b", 0)),
        ("AZ01", NOT_MINE, Place(2, 1, 0)),
        ("AZ01", NOT_MINE, Place(-1, 1, 0)),
        ("AZ01", FIRST, "*0:bbbb yyyy rrrr kkkk"),
        ("AZ01", FIRST, "*0:bbbb yyyy rrrr kkkk wwww bbbb"),
        *(("AZ02", DRAFTING, Take(0, 0, colour, 0)) for colour in ("g", "", "by", "B")),
        ("AZ02", FIRST, Deal(("bbbg", *FIVE[1:]), 0)),
        ("AZ02", FIRST, Deal(("mbbb", *FIVE[1:]), 0)),
        ("AZ03", FIRST, "*0:bbb yyyy rrrr kkkk wwww"),
        ("AZ03", FIRST, "*0:- yyyy rrrr kkkk wwww"),
        ("AZ03", SCARCE, "*bbbb yyyy rrrr kkkk wwww"),
        ("AZ03", SCARCE, Deal(("bbbyy", *FIVE[1:]))),
        ("AZ04", FIRST, "*bbbb yyyy rrrr kkkk wwww"),
        ("AZ04", FIRST, "*2:bbbb yyyy rrrr kkkk wwww"),
        ("AZ04", FIRST, Deal(FIVE, -1)),
        ("AZ04", table(centre="-"), "*0:bbbb yyyy rrrr kkkk wwww"),
        ("AZ10", DRAFTING, Take(1, 0, "b", 0)),
        ("AZ10", DRAFTING, "1r1"),
        ("AZ10", DRAFTING, "2b1"),
        ("AZ10", DRAFTING, "cb1"),
        ("AZ12", DRAFTING, Take(0, None, "m", None)),
        ("AZ12", DRAFTING, Take(0, None, "m", 0)),
        ("AZ13", DRAFTING, Take(0, 0, "b", 5)),
        ("AZ13", DRAFTING, Take(0, 0, "b", -1)),
        ("AZ18", NOT_MINE, Take(0, 0, "b", 0)),
        ("AZ18", OVER, Take(0, 0, "b", 0)),
        ("AZ18", table(board("-/bb/-/-/-"), kind="2g", factories="rrkk"), Place(0, 1, 0)),
        ("AZ20", NOT_MINE, Place(1, 1, 0)),
        ("AZ20", table(), Place(0, 0, 0)),
        ("AZ20", OVER, Place(0, 0, 0)),
        ("AZ30", ONE_COLUMN, "t13"),
        ("AZ30", ONE_COLUMN, "t11"),
        ("AZ30", ONE_COLUMN, Place(0, 0, 5)),
        ("AZ30", ONE_COLUMN, Place(0, 0, -1)),
        ("AZ31", ONE_COLUMN, "t31"),
        ("AZ31", ONE_COLUMN, Place(0, 5, 0)),
        ("AZ31", ONE_COLUMN, Place(0, -1, 0)),
        ("AZ40", SIX_LEFT, "*bbbb ykkk rrrr kkkk wwww"),
        ("AZ40", SIX_LEFT, "*bbbb kkkk rrrr kkkk wwww"),
        ("AZ03", SIX_LEFT, "*bbyk bbyk rrrr kkkk wwww"),
        *(("AZ40", state, Deal(FIVE)) for state in (DRAFTING, NOT_MINE, OVER)),
        ("AZ03", LAST_SIX, "*yyyw y r - - - - - -"),
        ("AZ03", LAST_SIX, "*yyyw y - - - - - - -"),
    ],
)
def test_AZ01_to_AZ41_an_act_against_a_rule_is_refused(rule, state, act):
    assert refusal(state, act) == rule


@pytest.mark.parametrize(
    ("rule", "kind", "board", "closed"),
    [
        ("AZ14", "2c", board("-/-/-/y/-"), "4"),
        ("AZ14", "2c", board("-/bb/-/-/-"), "2"),
        ("AZ14", "2c", board("-/kk/-/-/-"), "2"),
        ("AZ15", "2c", board(wall="...../...../..b../...../....."), "3"),
        ("AZ15", "2g", board(wall="...../...../b..../...../....."), "3"),
    ],
)
def test_AZ14_AZ15_a_line_that_holds_another_colour_is_full_or_has_the_colour_on_its_row(rule, kind, board, closed):
    state = table(board, kind=kind, factories="bbkw")
    assert refusal(state, f"1b{closed}") == rule
    assert destinations(state, "1b") == [line for line in "12345-" if line != closed]


def test_AZ20_AZ50_nobody_moves_out_of_turn_or_after_the_end():
    assert moves(NOT_MINE, 1) == moves(DRAFTING, 1) == moves(OVER, 0) == moves(OVER, 1) == []


def test_AZ04_only_the_first_deal_draws_a_start_player():
    assert azul.deal(table(centre="-"), Random(4)).start is None
