"""The HTTP interface: everything that a browser can do, a program can do with plain requests.

`ROUTES` is the one list of what there is; the server and its OpenAPI document are both made from it.
"""

from collections.abc import Sequence

from tessella.server.api import (
    accounts,
    bots,
    foresights,
    games,
    lobby,
    matches,
    people,
    push,
    puzzles,
    replays,
    reviews,
)
from tessella.server.api.routes import Answer, Problem, Request, Route

__all__ = ["ROUTES", "Answer", "Problem", "Request", "Route"]

ROUTES: Sequence[Route] = (
    *people.ROUTES,
    *accounts.ROUTES,
    *bots.ROUTES,
    *games.ROUTES,
    *matches.ROUTES,
    *lobby.ROUTES,
    *replays.ROUTES,
    *reviews.ROUTES,
    *puzzles.ROUTES,
    *foresights.ROUTES,
    *push.ROUTES,
)
