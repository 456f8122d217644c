"""Between people: follow, block, report, invite; and who sits at a table."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated

from msgspec import Meta, Struct
from sqlalchemy import select

from tessella.core.game import Public, Seat
from tessella.server.http.api.games import find_room
from tessella.server.http.api.lists import GameListed, list_games
from tessella.server.http.api.people import Done
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.http.requests import may_watch
from tessella.server.people import relations
from tessella.server.people.relations import Listed, Reason, Relation, own_ids
from tessella.server.rooms.listing import tables_of
from tessella.server.services.invitations import Invited, answered, invitations_of, invite_person
from tessella.server.services.series import series_before
from tessella.server.store.schema import games
from tessella.table.table import Refused


class OtherView(Public, frozen=True):
    """A person in a list of yours."""

    id: str
    name: str
    kind: str


class InvitedView(Public, frozen=True):
    """An invitation of yours to a table that waits for players."""

    game: str
    title: str
    rules: str
    pace: str
    sender: str
    name: str
    made: float


class CompanyView(Public, frozen=True):
    """Whom you follow and block, your invitations, and the tables of those whom you follow that anyone may see."""

    follows: tuple[OtherView, ...]
    blocks: tuple[OtherView, ...]
    invitations: tuple[InvitedView, ...]
    games: tuple[GameListed, ...]


class SitterView(Public, frozen=True):
    """The person in a seat, and how you stand to them; `id` is empty for bots and free seats."""

    seat: Seat
    id: str
    follows: bool
    blocks: bool


class TablePeople(Public, frozen=True):
    """The people of a table, and the score of the games that they played before this one."""

    seats: tuple[SitterView, ...]
    games: int
    """How many earlier games of the series had a result."""
    wins: tuple[float, ...]
    """How many of them each seat has won; empty if there were none."""


class ReportBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why you report another person, and at which table, if at one."""

    reason: Reason
    game: Annotated[str, Meta(max_length=20, pattern="^[a-z0-9]*$")] = ""


class InviteBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The table that you invite to."""

    game: Annotated[str, Meta(min_length=4, max_length=20, pattern="^[a-z0-9]+$")]


async def get_company(request: Request) -> Answer:
    """Return whom you follow and block, who invites you, and the open tables and games of those whom you follow."""
    person, store = request.person, request.host.store
    rows = await tables_of(store, relations.ids_of_followed(person))
    return Answer(
        CompanyView(
            _see(await relations.listed(store, person, "follows")),
            _see(await relations.listed(store, person, "blocks")),
            tuple(_see_invited(each) for each in await invitations_of(store, person)),
            await list_games(store, rows, but=()),
        )
    )


def _see(others: Sequence[Listed]) -> tuple[OtherView, ...]:
    return tuple(OtherView(each.id, each.name, each.kind) for each in others)


def _see_invited(each: Invited) -> InvitedView:
    return InvitedView(each.game, each.title, each.rules, each.pace, each.sender, each.name, each.made)


async def post_follow(request: Request) -> Answer:
    """Follow another person: their open tables and public games appear on your start page."""
    with _finding():
        await relations.follow(request.host.store, request.person, request.path["id"])
    return Answer(Done(1))


async def delete_follow(request: Request) -> Answer:
    """Follow another person no longer."""
    return Answer(Done(await relations.unfollow(request.host.store, request.person, request.path["id"])))


async def post_block(request: Request) -> Answer:
    """Block another person: they cannot follow or invite you, nor be paired with you."""
    with _finding():
        await relations.block(request.host.store, request.person, request.path["id"])
    return Answer(Done(1))


async def delete_block(request: Request) -> Answer:
    """Block another person no longer."""
    return Answer(Done(await relations.unblock(request.host.store, request.person, request.path["id"])))


async def post_report(request: Request) -> Answer:
    """Report another person to the host of this server."""
    person, body = request.person, request.body
    for key in filter(None, (person.id, request.address)):
        if wait := request.limits.reports.take(key, request.host.clock()):
            raise Problem(429, "busy", "you report too much at once; try again later", wait)
    with _finding():
        await relations.report(request.host.store, person, request.path["id"], body.reason, body.game)
    return Answer(Done(1))


async def post_invite(request: Request) -> Answer:
    """Invite a player whom you follow to a free seat of your table."""
    person, store = request.person, request.host.store
    if wait := request.limits.invitations.take(person.id, request.host.clock()):
        raise Problem(429, "busy", "you invite too many people at once; try again later", wait)
    room = await request.host.current(request.body.game)
    if room is None:
        raise Problem(404, "game", "there is no such table")
    (row,) = await store.run(select(games.c.creator).where(games.c.id == room.table.id))
    if room.table.seat_of(person.id_at(room.table)) is None and row["creator"] not in person.ids:
        raise Problem(403, "seat", "you have no seat at this table")
    with _finding():
        await invite_person(store, person, room, request.path["id"])
    return Answer(Done(1))


async def delete_invitation(request: Request) -> Answer:
    """Decline an invitation."""
    return Answer(Done(len(await request.host.store.run(answered(request.person, request.path["game"])))))


@contextmanager
def _finding() -> Generator[None]:
    """Turn `Refused` into an error: 404 if there is no such person, else 409."""
    try:
        yield
    except Refused as exc:
        raise Problem(404 if exc.rule == "person" else 409, exc.rule, exc.message) from None


async def get_table_people(request: Request) -> Answer:
    """Return who sits at a table, how you stand to them, and the score of their series."""
    room, store = await find_room(request), request.host.store
    if not may_watch(room, request.caller):
        raise Problem(403, "match", "the tables of a match can be watched when all of them are over")
    table, caller = room.table, request.caller
    ids = await own_ids(store, [occupant.player for occupant in table.seats if not occupant.is_bot])
    known = await relations.relations(store, caller.person, list(ids.values())) if caller else {}
    series = await series_before(store, table)
    sitters = tuple(_sitter(seat, ids.get(occupant.player, ""), known) for seat, occupant in enumerate(table.seats))
    return Answer(TablePeople(sitters, series.games, series.wins))


def _sitter(seat: Seat, person: str, known: Mapping[str, Relation]) -> SitterView:
    relation = known.get(person, Relation())
    return SitterView(seat, person, relation.follows, relation.blocks)


ROUTES: Sequence[Route] = (
    Route("GET", "/api/me/company", get_company, CompanyView),
    Route("POST", "/api/people/{id}/follow", post_follow, Done),
    Route("DELETE", "/api/people/{id}/follow", delete_follow, Done),
    Route("POST", "/api/people/{id}/block", post_block, Done),
    Route("DELETE", "/api/people/{id}/block", delete_block, Done),
    Route("POST", "/api/people/{id}/report", post_report, Done, ReportBody),
    Route("POST", "/api/people/{id}/invite", post_invite, Done, InviteBody),
    Route("DELETE", "/api/me/invitations/{game}", delete_invitation, Done),
    Route("GET", "/api/games/{id}/people", get_table_people, TablePeople),
)
