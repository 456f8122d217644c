"""What each game lets one see, as types: to read what another process, or a server, has written as JSON."""

from collections.abc import Mapping
from typing import Any

from tessella.core.game import AnyGame, View
from tessella.games.azul.events import Event as AzulEvent
from tessella.games.blockers.events import PublicEvent as BlockersEvent
from tessella.games.duel.events import Witnessed as DuelEvent

_EVENTS: Mapping[str, Any] = {"azul": AzulEvent, "blockers": BlockersEvent, "duel": DuelEvent}
"""Unions, which are no types that could be named more narrowly."""


def view_type(game: AnyGame) -> type[View]:
    """Return the type of a game's views."""
    kind: type[View] = getattr(game, "View")  # noqa: B009  not of the protocol, for a module of the house names it too
    return kind


def event_type(game: AnyGame) -> Any:  # noqa: ANN401
    """Return the type of a game's public events: that of the house's games, or the game's own `Witnessed`."""
    return _EVENTS.get(game.NAME) or getattr(game, "Witnessed")  # noqa: B009
