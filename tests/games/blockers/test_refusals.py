"""Every act against a rule is refused, names the rule, and leaves everything as it was."""

import pytest

from tessella.core.game import IllegalMove
from tessella.games import blockers
from tessella.games.blockers import Config, DrawTiles, Place

from .positions import ARCHES, lay, play, refusal

EMPTY = blockers.setup(Config(3))
STARTED, _ = play(EMPTY, "*start 0")
MINE = lay(racks={"b": "AD7sw", "y": "AD7sw"})
PLACED, _ = play(MINE, "7@D7")
ROW_OF_THREE = lay("y4@D4 y5@D5 y6@D6", {"b": "D456A"})
OWN = lay("b7@D7", {"b": "AD8sw"})
NO_PLACE = lay(ARCHES, {"b": "ABCsh"})
LAST_TILE, _ = play(lay(racks={"b": "AD7sw"}, played=23), "7@D7")
OVER = lay(played=24)
TWO = lay("b7@D7 r4@E4 r5@E5 r6@E6", {"b": "DEABC", "r": "12378", "y": "AD7sw"}, table="2b")
TWO_PLACED, _ = play(TWO, "bA@A1")
FINISHED, _ = play(lay(racks={"b": "AD7sw", "y": "AD7sw", "r": "12345"}, table="2b", played=23), "b7@D7", "yA@A1")
OVER_FOR_TWO = lay(table="2b", played=24)


@pytest.mark.parametrize(
    ("rule", "state", "act"),
    [
        *(("BL01", MINE, Place(0, "b", "w", cell)) for cell in (-1, 81)),
        *(("BL02", STARTED, DrawTiles(0, "b", tiles)) for tiles in ("AAB12", "7A123")),
        *(("BL02", PLACED, draw) for draw in ("*b:7", "*b:A")),
        ("BL03", EMPTY, "*b:AD7sw"),
        ("BL03", EMPTY, "*start 3"),
        ("BL03", STARTED, "*start 0"),
        ("BL03", STARTED, DrawTiles(1, "b", "AD7sw")),
        *(("BL03", state, Place(1, "y", "7", 6)) for state in (EMPTY, STARTED, MINE)),
        *(("BL03", MINE, Place(0, colour, "7", 6)) for colour in ("y", "v", "")),
        ("BL03", LAST_TILE, Place(0, "b", "A", 0)),
        *(("BL10", lay(racks={"b": "D7dwI"}), text) for text in ("D@E1", "7@D8", "d@D7", "I@H9")),
        *(("BL10", MINE, Place(0, "b", face, 7)) for face in ("8", "", "AD", "#")),
        ("BL10", NO_PLACE, "D@-"),
        ("BL12", NO_PLACE, "A@A1x"),
        ("BL12", ROW_OF_THREE, "5@D5x"),
        ("BL12", ROW_OF_THREE, "D@D5x"),
        ("BL12", lay("y4@D4 yw@D5 y6@D6", {"b": "ABDEI"}), "D@D5x"),
        ("BL15", OWN, "D@D7x"),
        ("BL15", OWN, "w@D7x"),
        ("BL16", STARTED, "*y:AD7sw"),
        ("BL16", lay(), DrawTiles(0, "b", "7")),
        ("BL16", PLACED, Place(0, "b", "A", 0)),
        ("BL16", PLACED, "*y:7"),
        ("BL16", PLACED, "*b:12"),
        ("BL17", MINE, "7@-"),
        ("BL17", lay(ARCHES.replace("yc@D9 ", ""), {"b": "ABCsh"}), "A@-"),
        ("BL20", OVER, Place(0, "b", OVER.stocks[0].rack[0], 0)),
        *(("BL30", TWO, text) for text in ("y7@A7", "v7@A7")),
        ("BL31", TWO, "bD@D7x"),
        ("BL12", TWO, "bE@E5x"),
        ("BL16", TWO_PLACED, "*r:1"),
        ("BL32", FINISHED, "bA@A2"),
        ("BL32", OVER_FOR_TWO, Place(0, "b", OVER_FOR_TWO.stocks[0].rack[0], 0)),
    ],
)
def test_BL01_BL15_to_BL32_an_act_against_a_rule_is_refused(rule, state, act):
    assert refusal(state, act) == rule


@pytest.mark.parametrize("state", [EMPTY, STARTED, MINE, OVER])
def test_BL03_BL20_nobody_moves_out_of_turn_or_after_the_end(state):
    assert blockers.legal_moves(state, 1) == []


@pytest.mark.parametrize(
    ("text", "where"), [("A@B1", "row A"), ("7@A1", "column 7"), ("m@A1", "the block of the moon")]
)
def test_BL10_a_refusal_says_where_the_tile_belongs(text, where):
    with pytest.raises(IllegalMove, match=where):
        play(lay(racks={"b": "A7mw1"}), text)


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_BL03_two_to_five_can_play(seats):
    with pytest.raises(ValueError, match="2 to 5"):
        Config(seats)
