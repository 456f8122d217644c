"""Every event of Blockers! that follows from one rule names it, so that a player can look it up."""

import pytest
from msgspec.structs import fields

from tessella.games import blockers
from tessella.games.blockers import events

RULES = {
    events.StartDrawn: "BL03",
    events.LastRoundStarted: "BL20",
    events.TileCaptured: "BL14",
    events.TilePlaced: "BL10",
    events.TilePutAside: "BL17",
}


@pytest.mark.parametrize(("event", "rule"), RULES.items(), ids=RULES.values())
def test_an_event_names_its_rule(event, rule):
    (named,) = (field.default for field in fields(event) if field.name == "rule")
    assert named == rule


def test_records_name_the_first_edition_of_the_rules():
    assert (blockers.NAME, blockers.EDITION) == ("blockers", 1)
