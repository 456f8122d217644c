"""What the creator of a table can do before its game starts: invite again or close it."""

from collections.abc import Sequence

from sqlalchemy import select

from tessella.core.game import Public, Seat
from tessella.protocol import messages
from tessella.server.http.api.games import Invitation, find_room
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.people.identity import Person
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import close_table, free_seats, invite_again
from tessella.server.rooms.room import Room
from tessella.server.store.schema import games, links
from tessella.table.table import Refused


class InvitationsView(Public, frozen=True):
    """Whether you created this table and, if so, the free seats with unused links."""

    yours: bool
    seats: tuple[Seat, ...] = ()


class InvitationsMade(Public, frozen=True):
    """Fresh invitations to the free seats; earlier ones are void."""

    invitations: tuple[Invitation, ...]


async def get_invitations(request: Request) -> Answer:
    """Return whether you created this table, and which of its links are unused."""
    room = await find_room(request)
    if request.caller is None or not await _is_creator(request.host, room, request.caller.person):
        return Answer(InvitationsView(yours=False))
    unused = select(links.c.seat).where(links.c.game == room.table.id, ~links.c.used).order_by(links.c.seat)
    rows, free = await request.host.store.run(unused), free_seats(room.table)
    return Answer(InvitationsView(yours=True, seats=tuple(row["seat"] for row in rows if row["seat"] in free)))


async def post_invitations(request: Request) -> Answer:
    """Create new links for the free seats of a table that you created; earlier links to them become void."""
    room = await _own_room(request)
    if room.table.status != "open":
        raise Problem(
            409, "started" if room.table.started else room.table.status, "this table has no free seat to invite to"
        )
    invited = await invite_again(request.host, room.table)
    return Answer(InvitationsMade(tuple(Invitation(seat, secret) for seat, secret in invited)), 201)


async def post_close(request: Request) -> Answer:
    """Close a table that you created and whose game has not started."""
    room = await _own_room(request)
    try:
        await close_table(request.host, room)
    except Refused as exc:
        raise Problem(409, exc.rule, exc.message) from None
    seat = room.table.seat_of(request.person.id_at(room.table))
    return Answer(room.view_for(seat, request.host.clock()))


async def _own_room(request: Request) -> Room:
    """Return the table in the path; raise `Problem` unless the caller created it."""
    person, room = request.person, await find_room(request)
    if not await _is_creator(request.host, room, person):
        raise Problem(403, "creator", "only the creator of this table can do that")
    return room


async def _is_creator(host: Host, room: Room, person: Person) -> bool:
    rows = await host.store.run(select(games.c.creator).where(games.c.id == room.table.id))
    return rows[0]["creator"] in person.ids


ROUTES: Sequence[Route] = (
    Route("GET", "/api/games/{id}/invitations", get_invitations, InvitationsView),
    Route("POST", "/api/games/{id}/invitations", post_invitations, InvitationsMade, status=201),
    Route("POST", "/api/games/{id}/close", post_close, messages.TableView),
)
