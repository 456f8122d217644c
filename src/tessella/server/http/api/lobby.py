"""Quick pairing, leaderboards, and the ladder of bot accounts."""

import secrets
from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct
from sqlalchemy import select, text

from tessella.core.game import Public
from tessella.server.http.api.games import capped, room_for
from tessella.server.http.api.people import Done, answering
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.rooms.follow_ups import follow_up
from tessella.server.rooms.lifecycle import Terms, open_table, sit, sit_bot
from tessella.server.services import ladder, pairing
from tessella.server.services.ladder import SEATS_WITH_A_LEVEL, LadderRank
from tessella.server.services.pairing import PACES, PaceName, Wait, Wanted
from tessella.server.services.ratings import RankView, leaders
from tessella.server.store.schema import UNFINISHED, games

MOST_LADDER_GAMES = 4
"""Unfinished rated tables that a bot account may have opened when it asks for another game against a level."""


class PairingBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The game that you want, the number of players and the pace."""

    title: Annotated[str, Meta(max_length=20)]
    seats: Annotated[int, Meta(ge=2, le=5)] = 2
    pace: PaceName = "live"


class PairingView(Public, frozen=True):
    """Your state: waiting or found. Poll every few seconds to stay in the queue."""

    state: Literal["waiting", "found", "none"]
    title: str = ""
    seats: int = 0
    pace: str = ""
    since: float = 0
    game: str = ""
    there: int = 0
    """How many players wait for the same, including you."""


class SearchView(Public, frozen=True):
    """Players who wait for the same game; `there` is how many."""

    title: str
    seats: int
    pace: str
    there: int


class SearchesView(Public, frozen=True):
    """Everything that players wait for, the most wanted first."""

    searches: tuple[SearchView, ...]


class Leaderboard(Public, frozen=True):
    """The strongest players of a game with this number of players."""

    title: str
    seats: int
    ranks: tuple[RankView, ...]


class Ladder(Public, frozen=True):
    """The strongest bot accounts of a game with this number of players, and the measured levels among them."""

    title: str
    seats: int
    ranks: tuple[LadderRank, ...]


class LadderBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The game that your bot wants to play, and the pace."""

    title: Annotated[str, Meta(max_length=20)]
    pace: PaceName = "live"


class LadderGame(Public, frozen=True):
    """The new table, and the level that your bot meets there."""

    id: str
    level: str


async def post_pairing(request: Request) -> Answer:
    """Join the queue for players who want the same; bot accounts are paired with each other, for their ladder."""
    body: PairingBody = request.body
    person = request.person
    wanted = Wanted(body.title, body.seats, body.pace, person.kind == "bot")
    with answering(), capped():
        await request.caps.require_room_to_play(request.host.store, person)
        wait = await pairing.join(request.host, person, wanted)
    return Answer(await _see(request, wait))


async def get_pairing(request: Request) -> Answer:
    """Return whether a game was found, and stay in the queue."""
    return Answer(await _see(request, await pairing.poll(request.host, request.person)))


async def get_searches(request: Request) -> Answer:
    """List what players wait for in quick pairing, without their names."""
    found = await pairing.searches(request.host.store)
    views = (SearchView(wanted.title, wanted.seats, wanted.pace, there) for wanted, there in found)
    return Answer(SearchesView(tuple(views)))


async def delete_pairing(request: Request) -> Answer:
    """Leave the queue."""
    return Answer(Done(int(await pairing.leave(request.host.store, request.person))))


async def _see(request: Request, wait: Wait | None) -> PairingView:
    if wait is None:
        return PairingView("none")
    wanted = wait.wanted
    fields = (wanted.title, wanted.seats, wanted.pace, wait.since, wait.game)
    if wait.game:
        return PairingView("found", *fields, wanted.seats)
    return PairingView("waiting", *fields, await pairing.count(request.host.store, wanted))


async def get_leaderboard(request: Request) -> Answer:
    """List the strongest players of a game with this number of players."""
    title, seats = _kind_of(request)
    return Answer(Leaderboard(title, seats, await leaders(request.host.store, title, seats)))


async def get_ladder(request: Request) -> Answer:
    """List the strongest bot accounts of a game with this number of players, and the measured levels among them."""
    title, seats = _kind_of(request)
    return Answer(Ladder(title, seats, await ladder.ranks(request.host.store, title, seats)))


def _kind_of(request: Request) -> tuple[str, int]:
    title, seats = request.path["title"], request.path["seats"]
    if not seats.isdecimal() or len(seats) > 1:
        raise Problem(404, "seats", "the number of players must be one digit")
    return title, int(seats)


async def post_ladder(request: Request) -> Answer:
    """Open a rated game of a bot account against the level whose rating is nearest to its own, in a seat by lot."""
    body, person, host = request.body, request.person, request.host
    if person.kind != "bot":
        raise Problem(403, "bot", "only bot accounts play for the ladder: POST /api/me/bots")
    with answering():
        rules = pairing.rules_of(Wanted(body.title, SEATS_WITH_A_LEVEL, body.pace))
        level = await ladder.next_level(host.store, person.id, body.title, await host.store.now())
    async with room_for(request, tables=1, listed=False) as origin:
        await _require_few(request)
        terms = Terms(rules, PACES[body.pace], rated=True, creator=person.id, origin=origin)
        room = await open_table(host, terms)
    seat = secrets.randbelow(SEATS_WITH_A_LEVEL)
    await sit(host, room, seat, person)
    await sit_bot(host, room, 1 - seat, level)
    await follow_up(host, room)
    return Answer(LadderGame(room.table.id, level), 201)


async def _require_few(request: Request) -> None:
    """Raise `Problem` if a bot account has as many unfinished rated tables as it may open here."""
    mine = select(games.c.id).where(games.c.creator == request.person.id, games.c.rated, text(UNFINISHED))
    rows = await request.host.store.run(mine.where(text("creator <> ''")).limit(MOST_LADDER_GAMES))
    if len(rows) == MOST_LADDER_GAMES:
        raise Problem(409, "tables", f"you have {MOST_LADDER_GAMES} unfinished rated games: finish one first")


ROUTES: Sequence[Route] = (
    Route("POST", "/api/pairing", post_pairing, PairingView, PairingBody),
    Route("GET", "/api/pairing", get_pairing, PairingView),
    Route("DELETE", "/api/pairing", delete_pairing, Done),
    Route("GET", "/api/pairing/searches", get_searches, SearchesView),
    Route("GET", "/api/leaderboard/{title}/{seats}", get_leaderboard, Leaderboard),
    Route("GET", "/api/ladder/{title}/{seats}", get_ladder, Ladder),
    Route("POST", "/api/bot/ladder", post_ladder, LadderGame, LadderBody, status=201),
)
