"""The HTTP interface: programs can do everything that a browser can.

`ROUTES` lists all routes; the server and its OpenAPI document are built from it.
"""

from collections.abc import Sequence

from tessella.server.http.api import (
    accounts,
    bots,
    channels,
    clubs,
    daily,
    events,
    games,
    invitations,
    lessons,
    lists,
    lobby,
    matches,
    moderate,
    people,
    push,
    puzzles,
    relations,
    replays,
    reviews,
    watch,
)
from tessella.server.http.api.routes import Answer, Problem, Request, Route

__all__ = ["ROUTES", "Answer", "Problem", "Request", "Route"]

ROUTES: Sequence[Route] = (
    *people.ROUTES,
    *accounts.ROUTES,
    *bots.ROUTES,
    *games.ROUTES,
    *invitations.ROUTES,
    *lists.ROUTES,
    *matches.ROUTES,
    *lobby.ROUTES,
    *replays.ROUTES,
    *reviews.ROUTES,
    *lessons.ROUTES,
    *puzzles.ROUTES,
    *daily.ROUTES,
    *push.ROUTES,
    *channels.ROUTES,
    *relations.ROUTES,
    *watch.ROUTES,
    *events.ROUTES,
    *clubs.ROUTES,
    *moderate.ROUTES,
)
