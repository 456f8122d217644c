"""What each game lets one see, as types: to read what another process, or a server, has written as JSON."""

from collections.abc import Mapping
from typing import Any

from tessella.core.game import View
from tessella.games import azul, blockers, duel
from tessella.games.azul.events import Event as AzulEvent
from tessella.games.blockers.events import PublicEvent as BlockersEvent
from tessella.games.duel.events import Witnessed as DuelEvent

VIEWS: Mapping[str, type[View]] = {"azul": azul.View, "blockers": blockers.View, "duel": duel.View}
EVENTS: Mapping[str, Any] = {"azul": AzulEvent, "blockers": BlockersEvent, "duel": DuelEvent}
"""Unions, which are no types that could be named more narrowly."""
