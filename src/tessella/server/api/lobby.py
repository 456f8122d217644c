"""Finding others to play with, and how strong they are."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tessella.core.game import Public
from tessella.server import lobby
from tessella.server.api.people import Done, answering
from tessella.server.api.routes import Answer, Problem, Request, Route
from tessella.server.lobby import PaceName, Wait, Wanted
from tessella.server.people import Person
from tessella.server.ratings import RankSeen, leaders


class PairingBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What you would like to play: which game, how many players, at which pace."""

    title: Annotated[str, Meta(max_length=20)]
    seats: Annotated[int, Meta(ge=2, le=5)] = 2
    pace: PaceName = "live"


class PairingSeen(Public, frozen=True):
    """Where you stand: you wait, or a game was found. Ask again every few seconds, or you are forgotten."""

    state: Literal["waiting", "found", "none"]
    title: str = ""
    seats: int = 0
    pace: str = ""
    since: float = 0
    game: str = ""
    there: int = 0
    """How many wait for the same, you included."""


class Leaderboard(Public, frozen=True):
    """The strongest players of a game with so many players."""

    title: str
    seats: int
    ranks: tuple[RankSeen, ...]


async def post_pairing(request: Request) -> Answer:
    """Wait for others who want to play the same."""
    body: PairingBody = request.body
    with answering():
        wait = await lobby.come(request.host, _person(request), Wanted(body.title, body.seats, body.pace))
    return Answer(await _see(request, wait))


async def get_pairing(request: Request) -> Answer:
    """Tell whether a game was found; this also says that you still wait."""
    return Answer(await _see(request, await lobby.ask(request.host, request.person)))


async def delete_pairing(request: Request) -> Answer:
    """Do not wait any more."""
    return Answer(Done(int(await lobby.go(request.host.store, request.person))))


def _person(request: Request) -> Person:
    if request.person.kind == "bot":
        raise Problem(403, "bot", "bots are invited: here people expect people")
    return request.person


async def _see(request: Request, wait: Wait | None) -> PairingSeen:
    if wait is None:
        return PairingSeen("none")
    wanted = wait.wanted
    told = (wanted.title, wanted.seats, wanted.pace, wait.since, wait.game)
    if wait.game:
        return PairingSeen("found", *told, wanted.seats)
    return PairingSeen("waiting", *told, await lobby.count(request.host.store, wanted))


async def get_leaderboard(request: Request) -> Answer:
    """List the strongest players of a game with so many players."""
    title, seats = request.path["title"], request.path["seats"]
    if not seats.isdecimal() or len(seats) > 1:
        raise Problem(404, "seats", "the number of players is a small number")
    return Answer(Leaderboard(title, int(seats), await leaders(request.host.store, title, int(seats))))


ROUTES: Sequence[Route] = (
    Route("POST", "/api/pairing", post_pairing, PairingSeen, PairingBody),
    Route("GET", "/api/pairing", get_pairing, PairingSeen),
    Route("DELETE", "/api/pairing", delete_pairing, Done),
    Route("GET", "/api/leaderboard/{title}/{seats}", get_leaderboard, Leaderboard),
)
