"""What somebody who is connected wishes, and what the server answers: the same for sockets and for HTTP."""

from msgspec import Struct

from tessella.core.game import Public, Seat
from tessella.server import messages, seen
from tessella.server.entries import Asked, Entry, Left, Revealed
from tessella.server.host import Decision, Host, Room
from tessella.server.messages import Ack, Foresee, Hello, Ping, Play, Pledge, Pong, Refusal, Reveal, Wish
from tessella.server.opening import forget_seat, play_again
from tessella.server.people import Person, Session
from tessella.server.table import Refused, Secret, Table


class Caller(Struct, frozen=True):
    """Who asks, and by which cookie or token."""

    person: Person
    session: Session | None = None


async def perform(host: Host, room: Room, caller: Caller, wish: messages.FromClient) -> Public:
    """Do what is wished, and answer."""
    seat = room.table.seat_of(caller.person.who_at(room.table))
    match wish:
        case Ping(n=n):
            return Pong(n)
        case Hello():
            return room.see(seat, host.clock())
        case Foresee(move=move):
            return _foresee(room, seat, move)
        case Play() | Pledge() | Reveal() | Wish():
            try:
                stored = await host.append(room, wish.key, _decision(seat, wish))
            except Refused as wrong:
                return Refusal(wish.key, wrong.rule, wrong.why)
            await _afterwards(host, room, stored.entry)
            return Ack(wish.key, stored.number)


def _foresee(room: Room, seat: Seat | None, move: str) -> Public:
    if seat is None:
        return Refusal("", "seat", "you do not sit at this table")
    return seen.foresee(room.table.game, room.table.state, seat, move)


def _decision(seat: Seat | None, wish: Play | Pledge | Reveal | Wish) -> Decision:
    if seat is None:
        raise Refused("seat", "you do not sit at this table")
    return lambda table, secret: _decide(table, secret, seat, wish)


def _decide(table: Table, secret: Secret, seat: Seat, wish: Play | Pledge | Reveal | Wish) -> Entry:
    match wish:
        case Play(number=number, move=move):
            if number != table.number:
                raise Refused("stale", f"the table is at {table.number}, not at {number}")
            return table.play(seat, move, secret)
        case Pledge(pledge=promised):
            return table.pledge(seat, promised)
        case Reveal(number=number):
            return table.reveal(seat, number)
        case Wish(what=what):
            return _decide_wish(table, secret, seat, what)


def _decide_wish(table: Table, secret: Secret, seat: Seat, what: str) -> Entry:
    match what:
        case "start":
            return table.start(secret)
        case "leave":
            return table.leave(seat)
        case "resign":
            return table.resign(seat, secret)
        case "return":
            return table.come_back(seat)
        case "pause" | "resume" | "abort" | "rematch":
            return table.ask(seat, what)
        case _:
            return table.decline(seat)


async def _afterwards(host: Host, room: Room, entry: Entry | None) -> None:
    """What follows without anybody's wish: a game starts when all is ready, ends or goes on when all agree."""
    table = room.table
    match entry:
        case Revealed() if table.ready():
            await host.append(room, f"start-{table.number}", lambda table, secret: table.start(secret))
        case Asked(what="abort") if table.agreed("abort"):
            await host.append(room, f"abort-{table.number}", lambda table, secret: table.abort(secret))
        case Asked(what="rematch") if table.agreed("rematch"):
            await play_again(host, room)
        case Left(seat=seat):
            await forget_seat(host, room, seat)
        case _:
            pass
