"""Tables to watch."""

from collections.abc import Sequence

from tessella.core.game import Public
from tessella.server.http.api.routes import Answer, Request, Route
from tessella.server.services.watching import Watchable


class WatchedPlayer(Public, frozen=True):
    """A player at a table to watch, with the rating in this game if there is one."""

    name: str
    rating: int | None


class TableToWatch(Public, frozen=True):
    """A game in progress that anyone may watch."""

    id: str
    title: str
    rules: str
    pace: str
    rated: bool
    number: int
    touched: float
    players: tuple[WatchedPlayer, ...]
    spectators: int


class TablesToWatch(Public, frozen=True):
    """Games in progress, the most interesting first."""

    games: tuple[TableToWatch, ...]


async def get_watch(request: Request) -> Answer:
    """List games in progress to watch, the most interesting first."""
    return Answer(TablesToWatch(tuple(map(_see, await request.watching.tables()))))


def _see(each: Watchable) -> TableToWatch:
    row = each.row
    players = tuple(WatchedPlayer(player.name, player.rating) for player in each.players)
    about = (row["id"], row["game"], row["rules"], row["pace"], bool(row["rated"]), row["number"], row["touched"])
    return TableToWatch(*about, players, each.spectators)


ROUTES: Sequence[Route] = (Route("GET", "/api/watch", get_watch, TablesToWatch),)
