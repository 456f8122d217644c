"""Every event that follows from one rule names it, so that a player can look it up."""

import pytest
from msgspec.structs import fields

from tessella.games.azul import events as azul
from tessella.games.blockers import events as blockers
from tessella.games.duel import events as duel

RULES = {
    azul.LidPoured: "AZ40",
    azul.TilesTaken: "AZ10",
    azul.MarkerTaken: "AZ11",
    azul.TilesLaid: "AZ13",
    azul.DraftingEnded: "AZ18",
    azul.TilePlaced: "AZ22",
    azul.FloorScored: "AZ23",
    azul.BonusScored: "AZ51",
    blockers.StartDrawn: "BL03",
    blockers.LastRoundStarted: "BL20",
    blockers.TileCaptured: "BL14",
    blockers.TilePlaced: "BL10",
    blockers.TilePutAside: "BL17",
    duel.StackShuffled: "DU10",
    duel.FactoryFilled: "DU10",
    duel.ChipRevealed: "DU26",
    duel.TokenPlaced: "DU20",
    duel.PlatesSeen: "DU20",
    duel.PlateReturned: "DU20",
    duel.SunTaken: "DU23",
    duel.TilesStacked: "DU23",
    duel.MoonsTaken: "DU24",
    duel.StartTileTaken: "DU25",
    duel.ChipTaken: "DU26",
    duel.TilesLaid: "DU27",
    duel.Passed: "DU29",
    duel.AcquiringEnded: "DU29",
    duel.ChipsPaid: "DU31",
    duel.TilePlaced: "DU33",
    duel.SpecialPlaced: "DU34",
    duel.BrokenScored: "DU35",
    duel.StartDecided: "DU41",
    duel.ScoreRaised: "DU57",
    duel.GameEnded: "DU58",
}


@pytest.mark.parametrize(("event", "rule"), RULES.items(), ids=RULES.values())
def test_an_event_names_its_rule(event, rule):
    (named,) = (field.default for field in fields(event) if field.name == "rule")
    assert named == rule
