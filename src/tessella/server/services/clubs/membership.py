"""What people do with clubs: make one, join, leave, remove a member, change the link.

A club always has an owner, who is one of its members. When the owner leaves, or is deleted, the club passes to the
longest-standing member; when no member is left it ends, and its events stay without it. The row of a club is locked by
everything that changes its members, so its limit holds and it never has an owner who has left.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from sqlalchemy import Double, Executable, Text, delete, exists, func, insert, literal, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.server.people.identity import Person, clean_name, digest, fresh_secret
from tessella.server.people.relations import is_blocked
from tessella.server.services.events.leaving import leave_events
from tessella.server.store import Row, Store
from tessella.server.store.schema import club_members, clubs, events, schedules
from tessella.table.ids import fresh_id
from tessella.table.table import Refused

MOST_MEMBERS = 200
MOST_CLUBS_OWNED = 3
MOST_CLUBS_JOINED = 20
LONGEST_CLUB_NAME = 40
LONGEST_ABOUT = 160


class Club(Struct, frozen=True):
    """A club as it is stored."""

    id: str
    name: str
    about: str
    owner: str
    is_open: bool
    link: str
    """The digest of the secret of its link; empty if it has none."""
    made: float


class ClubTerms(Struct, frozen=True):
    """What its owner says of a club."""

    name: str
    about: str = ""
    is_open: bool = False

    def cleaned(self) -> "ClubTerms":
        """Return texts that are safe to show; raise ValueError for a name without a letter."""
        about = clean_name(self.about, LONGEST_ABOUT) if self.about.strip() else ""
        return ClubTerms(clean_name(self.name, LONGEST_CLUB_NAME), about, self.is_open)


async def find_club(store: Store, club_id: str) -> Club | None:
    """Return a club, or None."""
    rows = await store.run(select(clubs).where(clubs.c.id == club_id))
    return read_club(rows[0]) if rows else None


def read_club(row: Row) -> Club:
    """Return the club of a row."""
    return msgspec.convert(row, Club, strict=False)


async def is_member(store: Store, club: str, person: Person) -> bool:
    """Return whether a person is a member of a club."""
    mine = (club_members.c.club == club) & club_members.c.person.in_(person.ids)
    return bool(await store.run(select(club_members.c.person).where(mine)))


async def create_club(store: Store, terms: ClubTerms, owner: Person) -> str:
    """Make a club and return its id; raise `Refused` or ValueError."""
    clean, club_id, now = terms.cleaned(), fresh_id(), await store.now()
    (row,) = await store.run(select(func.count().label("n")).where(clubs.c.owner.in_(owner.ids)))
    if row["n"] >= MOST_CLUBS_OWNED:
        raise Refused("clubs", f"you have {MOST_CLUBS_OWNED} clubs already: leave one first")
    await _require_place(store, owner)
    values = {"id": club_id, "name": clean.name, "about": clean.about, "is_open": clean.is_open}
    await store.run(
        insert(clubs).values({**values, "owner": owner.id, "made": now}),
        insert(club_members).values(club=club_id, person=owner.id, joined=now),
    )
    return club_id


async def change_club(store: Store, club: Club, terms: ClubTerms) -> None:
    """Change the name and the text of a club, and whether it is open; raise ValueError."""
    clean = terms.cleaned()
    changed = {"name": clean.name, "about": clean.about, "is_open": clean.is_open}
    await store.run(update(clubs).where(clubs.c.id == club.id).values(changed))


async def new_link(store: Store, club: Club) -> str:
    """Return the secret of a new link to join by; the one before is void."""
    secret = fresh_secret()
    await store.run(update(clubs).where(clubs.c.id == club.id).values(link=digest(secret)))
    return secret


async def join(store: Store, club: Club, person: Person, secret: str = "") -> None:
    """Join a club: an open one, or one whose link the person has; raise `Refused`."""
    if await is_member(store, club.id, person):
        return
    if person.kind != "member":
        raise Refused("members", "clubs are for members: log in first")
    if not club.is_open and not (club.link and digest(secret) == club.link):
        raise Refused("link", "this club is joined by its link, and this link is not valid")
    if await is_blocked(store, person.id, club.owner):
        raise Refused("blocked", "you cannot join this club")
    await _require_place(store, person)
    if not await store.run(_lock(club.id), _join_if_room(club, person, await store.now())):
        raise Refused("full", f"this club has {MOST_MEMBERS} members already")


def _join_if_room(club: Club, person: Person, now: float) -> Executable:
    there = select(func.count()).where(club_members.c.club == club.id).scalar_subquery()
    own = (literal(person.id, Text), literal(now, Double))
    values = select(clubs.c.id, *own).where(clubs.c.id == club.id, there < MOST_MEMBERS)
    new = upsert(club_members).from_select(["club", "person", "joined"], values)
    return new.on_conflict_do_nothing().returning(club_members.c.person)


async def _require_place(store: Store, person: Person) -> None:
    mine = select(func.count().label("n")).where(club_members.c.person.in_(person.ids))
    if (await store.run(mine))[0]["n"] >= MOST_CLUBS_JOINED:
        raise Refused("clubs", f"you are in {MOST_CLUBS_JOINED} clubs: leave one first")


async def leave_club(store: Store, club_id: str, ids: Sequence[str]) -> None:
    """Take a member out of a club and its unfinished events; it passes to its longest-standing member, or ends."""
    await store.run(_lock(club_id), *_leaving(club_id, ids), *_ending(club_id, await store.now()))


async def leave_clubs(store: Store, person: Person) -> None:
    """Take a person out of all clubs."""
    mine = select(club_members.c.club).where(club_members.c.person.in_(person.ids))
    for row in await store.run(mine):
        await leave_club(store, row["club"], person.ids)


async def end_club(store: Store, club: Club) -> None:
    """End a club."""
    gone = delete(club_members).where(club_members.c.club == club.id)
    await store.run(_lock(club.id), gone, *_ending(club.id, await store.now()))


def _lock(club_id: str) -> Executable:
    return select(clubs.c.id).where(clubs.c.id == club_id).with_for_update()


def _leaving(club_id: str, ids: Sequence[str]) -> list[Executable]:
    there = select(club_members.c.person).where(club_members.c.club == club_id)
    longest = there.order_by(club_members.c.joined, club_members.c.person).limit(1).scalar_subquery()
    owner = select(clubs.c.owner).where(clubs.c.id == club_id).scalar_subquery()
    here = events.c.club == club_id
    return [
        delete(club_members).where(club_members.c.club == club_id, club_members.c.person.in_(ids)),
        *leave_events(ids, here),
        update(clubs).where(clubs.c.id == club_id, clubs.c.owner.in_(ids), there.exists()).values(owner=longest),
        update(events).where(here, events.c.creator.in_(ids), there.exists()).values(creator=owner),
    ]


def _ending(club_id: str, now: float) -> list[Executable]:
    """Return the statements that end a club if it has no members."""
    empty = ~exists().where(club_members.c.club == club_id)
    here = (events.c.club == club_id) & empty
    return [
        update(events).where(here, events.c.state == "open").values(state="cancelled", due=None, ended=now),
        update(events).where(here).values(club=""),
        delete(schedules).where(schedules.c.club == club_id, empty),
        delete(clubs).where(clubs.c.id == club_id, empty),
    ]
