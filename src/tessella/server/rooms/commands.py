"""Client messages to a table, and the replies: the same for sockets and for HTTP."""

from msgspec import Struct

from tessella.core.game import Public, Seat
from tessella.protocol import messages
from tessella.protocol.messages import (
    Ack,
    Command,
    ErrorReply,
    Hello,
    Phrase,
    Ping,
    Play,
    Pledge,
    Pong,
    Preview,
    Reveal,
    Say,
)
from tessella.server.people.identity import Person, Session
from tessella.server.rooms.follow_ups import follow_up
from tessella.server.rooms.host import Host, Stored
from tessella.server.rooms.lifecycle import forget_seat
from tessella.server.rooms.room import Room
from tessella.table import views
from tessella.table.log import Left
from tessella.table.requests import Decision, Request, decision
from tessella.table.table import Refused


class Caller(Struct, frozen=True):
    """The person who sent a message, and the cookie or token that authenticated them."""

    person: Person
    session: Session | None = None


async def perform(host: Host, room: Room, caller: Caller, message: messages.FromClient) -> Public:
    """Handle one client message and return the reply."""
    seat = room.table.seat_of(caller.person.id_at(room.table))
    match message:
        case Ping(n=n):
            return Pong(n)
        case Hello():
            return room.view_for(seat, host.clock())
        case Preview(move=move):
            return _preview(room, seat, move)
        case Say(phrase=phrase):
            return _say(host, room, seat, phrase)
        case Play() | Pledge() | Reveal() | Command():
            try:
                stored = await _store(host, room, seat, message)
            except Refused as exc:
                return ErrorReply(message.key, exc.rule, exc.message)
            await _finish(host, room, caller.person, stored)
            return Ack(message.key, stored.number)


def stored_key(player: str, key: str) -> str:
    """Return the key under which a player's request is stored: no other player and no service can use the same one.

    A key that a client or the server chooses has no colon.
    """
    return f"{player}:{key}"


async def _store(host: Host, room: Room, seat: Seat | None, message: Request) -> Stored:
    decide = _decision(host, room, seat, message)
    assert seat is not None
    key = stored_key(room.table.seats[seat].player, message.key)
    return await host.append(room, key, decide, old_key=message.key)


def _decision(host: Host, room: Room, seat: Seat | None, message: Request) -> Decision:
    """Return what decides about a request; only the server knows who is away."""
    if seat is not None and isinstance(message, Command) and message.action == "substitute":
        return lambda table, _: table.substitute(host.absent(room))
    return decision(seat, message)


def _say(host: Host, room: Room, seat: Seat | None, phrase: Phrase) -> Public:
    if seat is None:
        return ErrorReply("", "seat", "you have no seat at this table")
    host.say(room, seat, phrase)
    return Pong(0)


def _preview(room: Room, seat: Seat | None, move: str) -> Public:
    if seat is None:
        return ErrorReply("", "seat", "you have no seat at this table")
    return views.preview_move(room.table.game, room.table.state, seat, move)


async def _finish(host: Host, room: Room, person: Person, stored: Stored) -> None:
    """Carry out what follows an act; for one that was stored earlier, that may not have been done."""
    if stored.entry is None:
        await host.refresh(room)
    if isinstance(stored.entry, Left):
        await forget_seat(host, room, stored.entry.seat, person)
    await follow_up(host, room)
