"""Every event of Azul that follows from one rule names it, so that a player can look it up."""

import pytest
from msgspec.structs import fields

from tessella.games import azul
from tessella.games.azul import events

RULES = {
    events.LidPoured: "AZ40",
    events.TilesTaken: "AZ10",
    events.MarkerTaken: "AZ11",
    events.TilesLaid: "AZ13",
    events.DraftingEnded: "AZ18",
    events.TilePlaced: "AZ22",
    events.FloorScored: "AZ23",
    events.BonusScored: "AZ51",
}


@pytest.mark.parametrize(("event", "rule"), RULES.items(), ids=RULES.values())
def test_an_event_names_its_rule(event, rule):
    (named,) = (field.default for field in fields(event) if field.name == "rule")
    assert named == rule


def test_records_name_the_first_edition_of_the_rules():
    assert (azul.NAME, azul.EDITION) == ("azul", 1)
