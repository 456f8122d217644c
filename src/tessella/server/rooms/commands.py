"""Client messages to a table, and the replies: the same for sockets and for HTTP."""

from msgspec import Struct

from tessella.core.game import Public, Seat
from tessella.protocol import messages
from tessella.protocol.messages import Ack, Command, ErrorReply, Hello, Ping, Play, Pledge, Pong, Preview, Reveal
from tessella.server.people.identity import Person, Session
from tessella.server.rooms.follow_ups import follow_up
from tessella.server.rooms.host import Decision, Host, Stored
from tessella.server.rooms.lifecycle import forget_seat
from tessella.server.rooms.room import Room
from tessella.table import views
from tessella.table.log import Entry, Left
from tessella.table.table import Refused, Secret, Table


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
        case Play() | Pledge() | Reveal() | Command():
            try:
                stored = await host.append(room, message.key, _decision(seat, message))
            except Refused as exc:
                return ErrorReply(message.key, exc.rule, exc.message)
            await _finish(host, room, caller.person, stored)
            return Ack(message.key, stored.number)


def _preview(room: Room, seat: Seat | None, move: str) -> Public:
    if seat is None:
        return ErrorReply("", "seat", "you have no seat at this table")
    return views.preview_move(room.table.game, room.table.state, seat, move)


def _decision(seat: Seat | None, request: Play | Pledge | Reveal | Command) -> Decision:
    if seat is None:
        raise Refused("seat", "you have no seat at this table")
    return lambda table, secret: _decide(table, secret, seat, request)


def _decide(table: Table, secret: Secret, seat: Seat, request: Play | Pledge | Reveal | Command) -> Entry:
    match request:
        case Play(number=number, move=move):
            if number != table.number:
                raise Refused("stale", f"the table has moved on: it is at number {table.number}, not {number}")
            return table.play(seat, move, secret)
        case Pledge(pledge=promised):
            return table.pledge(seat, promised)
        case Reveal(number=number):
            return table.reveal(seat, number)
        case Command(action=action):
            return _decide_command(table, secret, seat, action)


def _decide_command(table: Table, secret: Secret, seat: Seat, action: str) -> Entry:
    match action:
        case "start":
            return table.start(secret)
        case "leave":
            return table.leave(seat)
        case "resign":
            return table.resign(seat, secret)
        case "return":
            return table.come_back(seat)
        case "pause" | "resume" | "abort" | "rematch":
            return table.ask(seat, action)
        case _:
            return table.decline(seat)


async def _finish(host: Host, room: Room, person: Person, stored: Stored) -> None:
    """Carry out what follows an act; for one that was stored earlier, that may not have been done."""
    if stored.entry is None:
        await host.refresh(room)
    if isinstance(stored.entry, Left):
        await forget_seat(host, room, stored.entry.seat, person)
    await follow_up(host, room)
