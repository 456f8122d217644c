"""Quick pairing and leaderboards."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tessella.core.game import Public
from tessella.server.http.api.games import capped
from tessella.server.http.api.people import Done, answering
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.people.identity import Person
from tessella.server.services import pairing
from tessella.server.services.pairing import PaceName, Wait, Wanted
from tessella.server.services.ratings import RankView, leaders


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


async def post_pairing(request: Request) -> Answer:
    """Join the queue for players who want the same."""
    body: PairingBody = request.body
    with answering(), capped():
        await request.caps.require_room_to_play(request.host.store, _person(request))
        wait = await pairing.join(request.host, _person(request), Wanted(body.title, body.seats, body.pace))
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


def _person(request: Request) -> Person:
    if request.person.kind == "bot":
        raise Problem(403, "bot", "bot accounts cannot use quick pairing; invite them to a table")
    return request.person


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
    title, seats = request.path["title"], request.path["seats"]
    if not seats.isdecimal() or len(seats) > 1:
        raise Problem(404, "seats", "the number of players must be one digit")
    return Answer(Leaderboard(title, int(seats), await leaders(request.host.store, title, int(seats))))


ROUTES: Sequence[Route] = (
    Route("POST", "/api/pairing", post_pairing, PairingView, PairingBody),
    Route("GET", "/api/pairing", get_pairing, PairingView),
    Route("DELETE", "/api/pairing", delete_pairing, Done),
    Route("GET", "/api/pairing/searches", get_searches, SearchesView),
    Route("GET", "/api/leaderboard/{title}/{seats}", get_leaderboard, Leaderboard),
)
