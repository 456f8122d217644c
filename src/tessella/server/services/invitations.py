"""Invitations between people: one click, a line on the page of the invited, and news where they want them."""

from msgspec import Struct
from sqlalchemy import Executable, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.server.people.identity import DELETED, Person
from tessella.server.people.relations import find_other, is_blocked, is_followed
from tessella.server.rooms.lifecycle import free_seats
from tessella.server.rooms.room import Room
from tessella.server.store import Store
from tessella.server.store.schema import channels, games, invitations, news, people
from tessella.table.table import Refused

MOST_PENDING = 20
"""Invitations to open tables that one person may have sent, and that one person is shown."""


class Invited(Struct, frozen=True):
    """An invitation to an open table, and its sender."""

    game: str
    title: str
    rules: str
    pace: str
    sender: str
    name: str
    made: float


async def invite_person(store: Store, sender: Person, room: Room, other_id: str) -> None:
    """Invite a player whom the sender follows to a free seat of a table, or raise `Refused`.

    News of it go out only to people who follow the sender too: strangers call no one.
    """
    other = await find_other(store, sender, other_id)
    if other.kind == "bot":
        raise Refused("bot", "a bot joins by its program, not by an invitation")
    if not await is_followed(store, other.id, by=sender.id) or await is_blocked(store, sender.id, other.id):
        raise Refused("follow", "you can invite people whom you follow")
    if room.table.status != "open" or not free_seats(room.table):
        raise Refused("open", "this table has no free seat")
    if room.table.seat_of(other.id_at(room.table)) is not None:
        raise Refused("seated", "they already sit at this table")
    (row,) = await store.run(select(func.count().label("n")).where(_is_open, invitations.c.sender == sender.id))
    if row["n"] >= MOST_PENDING:
        raise Refused("many", f"{MOST_PENDING} of your invitations wait for an answer")
    fresh = upsert(invitations).values(person=other.id, game=room.table.id, sender=sender.id, made=await store.now())
    await store.run(fresh.on_conflict_do_nothing())
    if await is_followed(store, sender.id, by=other.id):
        await _announce(store, other.id, room.table.id)


_is_open = (invitations.c.game == games.c.id) & (games.c.status == "open")


async def _announce(store: Store, person: str, game: str) -> None:
    """Queue the news of an invitation on the channels on which a person wants news of turns."""
    now = await store.now()
    wanted = (channels.c.person == person) & channels.c.confirmed.is_not(None) & channels.c.turns
    ids = [str(row["id"]) for row in await store.run(select(channels.c.id).where(wanted).order_by(channels.c.id))]
    if ids:
        row = {"kind": "invitation", "game": game, "number": 0, "person": person, "due": now, "state": "waiting"}
        await store.run(
            select(channels.c.id).where(channels.c.id.in_(ids)).order_by(channels.c.id).with_for_update(),
            upsert(news).values([{**row, "channel": each} for each in ids]).on_conflict_do_nothing(),
            update(channels)
            .where(channels.c.id.in_(ids), channels.c.due.is_(None) | (channels.c.due > now))
            .values(due=now),
        )


async def invitations_of(store: Store, person: Person) -> list[Invited]:
    """Return the invitations of a person to tables that still wait for players, the newest first."""
    columns = (games.c.id, games.c.game, games.c.rules, games.c.pace, people.c.id.label("sender"), people.c.name)
    found = select(*columns, invitations.c.made).select_from(invitations).join(games, _is_open)
    found = found.join(people, people.c.id == invitations.c.sender)
    mine = found.where(invitations.c.person.in_(person.ids), people.c.name != DELETED)
    rows = await store.run(mine.order_by(invitations.c.made.desc()).limit(MOST_PENDING))
    return [Invited(*row.values()) for row in rows]


async def is_invited(store: Store, person: Person, game: str) -> bool:
    """Return whether a person is invited to a table."""
    mine = invitations.c.person.in_(person.ids) & (invitations.c.game == game)
    return bool(await store.run(select(invitations.c.game).where(mine)))


def answered(person: Person, game: str) -> Executable:
    """Return the statement that removes an invitation that was accepted or declined."""
    mine = invitations.c.person.in_(person.ids) & (invitations.c.game == game)
    return delete(invitations).where(mine).returning(invitations.c.game)
