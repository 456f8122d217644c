"""Every event of Azul Duel that follows from one rule names it, so that a player can look it up."""

import pytest
from msgspec.structs import fields

from tessella.games import duel
from tessella.games.duel import events

RULES = {
    events.StackShuffled: "DU10",
    events.FactoryFilled: "DU10",
    events.ChipRevealed: "DU26",
    events.TokenPlaced: "DU20",
    events.PlatesSeen: "DU20",
    events.PlateReturned: "DU20",
    events.SunTaken: "DU23",
    events.TilesStacked: "DU23",
    events.MoonsTaken: "DU24",
    events.StartTileTaken: "DU25",
    events.ChipTaken: "DU26",
    events.TilesLaid: "DU27",
    events.Passed: "DU29",
    events.AcquiringEnded: "DU29",
    events.ChipsPaid: "DU31",
    events.TilePlaced: "DU33",
    events.SpecialPlaced: "DU34",
    events.BrokenScored: "DU35",
    events.StartDecided: "DU41",
    events.ScoreRaised: "DU57",
    events.GameEnded: "DU58",
}


@pytest.mark.parametrize(("event", "rule"), RULES.items(), ids=RULES.values())
def test_an_event_names_its_rule(event, rule):
    (named,) = (field.default for field in fields(event) if field.name == "rule")
    assert named == rule


def test_records_name_the_first_edition_of_the_rules():
    assert (duel.NAME, duel.EDITION) == ("duel", 1)
