"""Lists of tables: the open ones, and your own."""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import select

from tessella.core.game import Public
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.rooms import listing
from tessella.server.rooms.listing import BadCursor, Cursor, Page
from tessella.server.store import Row, Store
from tessella.server.store.schema import people


class GameListed(Public, frozen=True):
    """A table in a list."""

    id: str
    title: str
    rules: str
    status: str
    number: int
    pace: str
    rated: bool
    touched: float
    """The time of the last entry, in seconds."""
    people: tuple[str, ...]
    """The players in the order of the seats; in a list of your own games, without you."""
    my_turn: bool = False


class GamesListed(Public, frozen=True):
    """A page of tables; `next` is the `before` of the next page, if there is one."""

    games: tuple[GameListed, ...]
    next: str | None = None


async def get_games(request: Request) -> Answer:
    """List the open tables that anyone may join: first one table per creator, then second ones; the newest first."""
    page = await listing.open_tables(request.host.store, _cursor(request, listing.TURNS))
    return await _answer(request, page, but=())


async def get_my_games(request: Request) -> Answer:
    """List your games: first those where it is your turn, then the other unfinished ones, then the finished ones."""
    page = await listing.my_games(request.host.store, request.person.ids, _cursor(request, listing.MINE))
    return await _answer(request, page, but=request.person.ids)


def _cursor(request: Request, parts: str) -> Cursor | None:
    """Return the start of the requested page; None for the first page."""
    if "before" not in request.query:
        return None
    try:
        return Cursor.read(request.query["before"], parts)
    except BadCursor as exc:
        raise Problem(422, "query", str(exc)) from None


async def _answer(request: Request, page: Page, but: Collection[str]) -> Answer:
    return Answer(GamesListed(await list_games(request.host.store, page.rows, but), page.next))


async def list_games(store: Store, found: Sequence[Row], but: Collection[str]) -> tuple[GameListed, ...]:
    """Return rows of games as they are listed, with the names of the people there except some."""
    rows = {row["id"]: row for row in found}
    people_at = await _people_at(store, list(rows.values()), but)
    return tuple(_listed(row, people_at[name]) for name, row in rows.items())


async def _people_at(store: Store, rows: Sequence[Row], but: Collection[str]) -> Mapping[str, list[str]]:
    """Return the names of the people at each table, except some; bots are not among them."""
    ids = [row["id"] for row in rows]
    players = listing.players(lambda table: table.c.game.in_(ids) & table.c.person.not_in(but))
    query = (
        select(players.c.game, people.c.name)
        .join(people, people.c.id == players.c.person)
        .order_by(players.c.game, players.c.seat)
    )
    names: dict[str, list[str]] = {row["id"]: [] for row in rows}
    for found in await store.run(query):
        names[found["game"]].append(found["name"])
    return names


def _listed(row: Row, names: Sequence[str]) -> GameListed:
    return GameListed(
        id=row["id"],
        title=row["game"],
        rules=row["rules"],
        status="over" if row["status"] == "closed" else row["status"],
        number=row["number"],
        pace=row["pace"],
        rated=bool(row["rated"]),
        touched=row["touched"],
        people=tuple(names),
        my_turn=bool(row.get("my_turn")),
    )


ROUTES: Sequence[Route] = (
    Route("GET", "/api/games", get_games, GamesListed, query=("before",)),
    Route("GET", "/api/me/games", get_my_games, GamesListed, query=("before",)),
)
