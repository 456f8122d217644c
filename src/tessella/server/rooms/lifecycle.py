"""Open a table, sit down, invite, close, play a rematch, and go on from before a move."""

from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Executable, delete, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.bots import names
from tessella.core.dice import commitment, fresh_seed
from tessella.core.game import Seat
from tessella.server.people.identity import DELETED, Person, deleted_among, digest, fresh_secret
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Room
from tessella.server.store.errors import CLASHES
from tessella.server.store.schema import departures, games, links, seats
from tessella.table.branch import before_last_move
from tessella.table.ids import fresh_id, rematch_id
from tessella.table.log import Branched, Opened, Pace
from tessella.table.table import Occupant, Refused, Table


class Terms(Struct, frozen=True):
    """The terms under which a table is opened."""

    rules: str
    pace: Pace = None
    rated: bool = False
    listed: bool = False
    match: str = ""
    creator: str = ""
    """The id of the person who opens the table."""
    origin: str = ""
    """The origin that the table is charged to: see `identity.origin_of`."""
    before: str = ""
    dice: str = ""
    branch: Branched | None = None
    seed: bytes = b""
    """The seed that the tables of a duplicate match share; a fresh one if empty."""


async def open_table(host: Host, terms: Terms, game_id: str = "") -> Room:
    """Open a table. Its dice are fixed and committed to before anyone sits down."""
    seed = terms.seed or fresh_seed()
    game_id = game_id or fresh_id()
    promised = commitment(terms.dice or game_id, seed).hex()
    opened = Opened(terms.rules, promised, terms.pace, terms.rated, terms.before, terms.dice, terms.branch)
    by = {"creator": terms.creator, "origin": terms.origin}
    return await host.open(game_id, opened, seed, listed=terms.listed, match=terms.match, **by)


async def sit(host: Host, room: Room, seat: Seat, person: Person) -> None:
    """Seat a person and list the game among theirs; do nothing if they already have this seat."""
    key = f"sit-{seat}-{person.id}-{room.table.number}"
    try:
        await host.append(room, key, lambda table, _: table.sit(seat, person.id_at(table), person.name))
    except Refused:
        if room.table.seat_of(person.id_at(room.table)) != seat:
            raise
    before = _departure(_is_seat(room, seat) & seats.c.person.not_in(person.ids))
    place = upsert(seats).values(game=room.table.id, seat=seat, person=person.id)
    here = {"person": place.excluded.person}
    await host.store.run(before, place.on_conflict_do_update(index_elements=["game", "seat"], set_=here))


async def sit_bot(host: Host, room: Room, seat: Seat, level: str) -> None:
    """Seat a bot."""
    if level not in names(room.table.game):
        raise Refused("level", f"this game has no computer player {level!r}")
    key = f"bot-{seat}-{room.table.number}"
    await host.append(room, key, lambda table, _: table.sit(seat, f"bot:{level}:{seat}", level, level))


async def forget_seat(host: Host, room: Room, seat: Seat, person: Person) -> None:
    """Remove a person who left before the game from a seat, unless another person has taken it by now."""
    here = _is_seat(room, seat) & seats.c.person.in_(person.ids)
    await host.store.run(_departure(here), delete(seats).where(here))


def _is_seat(room: Room, seat: Seat) -> ColumnElement[bool]:
    return (seats.c.game == room.table.id) & (seats.c.seat == seat)


def _departure(here: ColumnElement[bool]) -> Executable:
    """Record that a person left a seat: their name is still in the log, and is struck from it on deletion."""
    gone = upsert(departures).from_select(["game", "person"], select(seats.c.game, seats.c.person).where(here))
    return gone.on_conflict_do_nothing()


async def invite(host: Host, game_id: str, seat: Seat) -> str:
    """Return a new invitation secret for a seat; only its digest is stored."""
    secret = fresh_secret()
    await host.store.run(insert(links).values(hash=digest(secret), game=game_id, seat=seat, used=False))
    return secret


def free_seats(table: Table) -> list[Seat]:
    """Return the free seats of a table."""
    return [seat for seat, occupant in enumerate(table.seats) if not occupant.player]


async def invite_again(host: Host, table: Table) -> list[tuple[Seat, str]]:
    """Return new invitation secrets for the free seats of a table, and void the earlier ones."""
    fresh = [(seat, fresh_secret()) for seat in free_seats(table)]
    rows = [{"hash": digest(secret), "game": table.id, "seat": seat, "used": False} for seat, secret in fresh]
    earlier = delete(links).where(links.c.game == table.id, links.c.seat.in_([seat for seat, _ in fresh]))
    await host.store.run(earlier, insert(links).values(rows))
    return fresh


async def close_table(host: Host, room: Room) -> None:
    """Close a table whose game has not started, void its invitations, and free its seats."""
    await host.append(room, "closed-by-creator", lambda table, secret: table.close(secret))
    here = seats.c.game == room.table.id
    await host.store.run(
        delete(links).where(links.c.game == room.table.id), _departure(here), delete(seats).where(here)
    )


async def play_again(host: Host, room: Room) -> None:
    """Open the table of the rematch, with everyone one seat further, and link to it from the old table."""
    await _move_on(host, room, None, 1)


async def take_back(host: Host, room: Room) -> Room:
    """End the game, and return the table where it goes on from before the last move of the player who asked."""
    if room.table.end is None:
        await host.append(room, f"takeback-{room.table.number}", lambda table, _: table.take_back())
    asker = room.table.first_asker
    assert asker is not None
    return await _move_on(host, room, before_last_move(room.table, [asker]), 0)


async def _move_on(host: Host, room: Room, branch: Branched | None, shift: int) -> Room:
    """Open the next table for the players of this one, `shift` seats further, and link to it from the old table.

    Several workers may do this at once, or one after another crashed: the result is one table with each player once.
    """
    old = room.table
    again = await _next_table(host, old, branch)
    gone = await deleted_among(host.store, [occupant.player for occupant in old.seats])
    for seat, occupant in enumerate(old.seats):
        place = (seat + shift) % len(old.seats)
        if again.table.status in ("open", "dice"):
            name = DELETED if occupant.player in gone else occupant.name  # this worker may not know yet
            await _sit_again(host, again, place, replace(occupant, name=name))
    await host.append(room, "rematch", lambda table, _: table.follow(again.table.id))
    return again


async def _next_table(host: Host, old: Table, branch: Branched | None) -> Room:
    """Return the table where the players of another one go on, opened if it does not exist."""
    game_id = rematch_id(old.id)
    (row,) = await host.store.run(select(games.c.creator).where(games.c.id == old.id))
    creator = str(row["creator"])
    terms = Terms(old.terms.rules, old.terms.pace, old.terms.rated, creator=creator, origin=creator, before=old.id)
    room = await host.room(game_id)
    if room is None:
        with suppress(*CLASHES):  # another worker was first
            await open_table(host, replace(terms, branch=branch), game_id)
        room = await host.room(game_id)
    assert room is not None
    assert room.table.terms.before == old.id
    return room


async def _sit_again(host: Host, again: Room, place: Seat, occupant: Occupant) -> None:
    try:
        if not occupant.is_bot:
            await sit(host, again, place, Person(occupant.player, occupant.name, "guest"))
        elif not again.table.seats[place].player:
            await sit_bot(host, again, place, occupant.level)
    except Refused:
        if not again.table.seats[place].player:
            raise
