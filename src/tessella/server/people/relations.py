"""Between people: whom a person follows, blocks and reports.

Everything is kept under the id of the person themselves; a guest who logs in takes it along (`identity.adopt`).
"""

from collections.abc import Collection, Sequence
from secrets import token_urlsafe
from typing import Literal, TypeAlias

from msgspec import Struct
from sqlalchemy import Executable, Select, delete, func, insert, select, union
from sqlalchemy import Table as SQLTable
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.server.people.identity import DELETED, Person, find_person
from tessella.server.store import Store
from tessella.server.store.schema import blocks, follows, invitations, people, reports
from tessella.table.table import Refused

MOST_FOLLOWED = 200
MOST_BLOCKED = 200
MOST_REPORTS = 50
"""Per person."""

Reason: TypeAlias = Literal["name", "rude", "stalling", "cheating", "other"]


class Relation(Struct, frozen=True):
    """How one person stands to another."""

    follows: bool = False
    blocks: bool = False


class Listed(Struct, frozen=True):
    """A person in a list."""

    id: str
    name: str
    kind: str


async def find_other(store: Store, person: Person, other_id: str) -> Person:
    """Return another person by their id, or raise `Refused`."""
    other = await find_person(store, other_id)
    if other is None or other.name == DELETED:
        raise Refused("person", "there is no person with this id")
    if other.id == person.id:
        raise Refused("yourself", "this is you")
    return other


async def follow(store: Store, person: Person, other_id: str) -> None:
    """Follow another person, or raise `Refused`."""
    other = await find_other(store, person, other_id)
    if await is_blocked(store, person.id, other.id):
        raise Refused("blocked", "you cannot follow this person")
    await _require_room(store, follows, person, MOST_FOLLOWED)
    await _add(store, follows, person, other)


async def unfollow(store: Store, person: Person, other_id: str) -> int:
    """Follow another person no longer; return how many that changed."""
    return await _drop(store, follows, person, other_id)


async def block(store: Store, person: Person, other_id: str) -> None:
    """Block another person: neither follows or has invited the other any longer."""
    other = await find_other(store, person, other_id)
    await _require_room(store, blocks, person, MOST_BLOCKED)
    await _add(store, blocks, person, other)
    pair = (person.id, other.id)
    await store.run(
        delete(follows).where(follows.c.person.in_(pair), follows.c.other.in_(pair)),
        delete(invitations).where(invitations.c.person.in_(pair), invitations.c.sender.in_(pair)),
    )


async def unblock(store: Store, person: Person, other_id: str) -> int:
    """Block another person no longer; return how many that changed."""
    return await _drop(store, blocks, person, other_id)


async def report(store: Store, person: Person, other_id: str, reason: Reason, game: str) -> None:
    """Report another person to the host; the same report is kept once."""
    other = await find_other(store, person, other_id)
    await _require_room(store, reports, person, MOST_REPORTS)
    same = (reports.c.person == person.id) & (reports.c.other == other.id) & (reports.c.reason == reason)
    row = {"id": "r" + token_urlsafe(9), "person": person.id, "other": other.id, "game": game, "reason": reason}
    await store.run(delete(reports).where(same), insert(reports).values({**row, "made": await store.now()}))


async def _add(store: Store, table: SQLTable, person: Person, other: Person) -> None:
    row = upsert(table).values(person=person.id, other=other.id, made=await store.now())
    await store.run(row.on_conflict_do_nothing())


async def _drop(store: Store, table: SQLTable, person: Person, other_id: str) -> int:
    mine = (table.c.person == person.id) & (table.c.other == other_id)
    return len(await store.run(delete(table).where(mine).returning(table.c.other)))


async def _require_room(store: Store, table: SQLTable, person: Person, most: int) -> None:
    (row,) = await store.run(select(func.count().label("n")).where(table.c.person == person.id))
    if row["n"] >= most:
        raise Refused("many", f"you have {most} of them already; remove one first")


# Reading


async def relations(store: Store, person: Person, others: Sequence[str]) -> dict[str, Relation]:
    """Return how a person stands to others."""
    found = [
        {row["other"] for row in await store.run(_others(table, person).where(table.c.other.in_(others)))}
        for table in (follows, blocks)
    ]
    return {other: Relation(other in found[0], other in found[1]) for other in others}


async def listed(store: Store, person: Person, what: Literal["follows", "blocks"]) -> list[Listed]:
    """Return whom a person follows, or blocks, by name."""
    table = follows if what == "follows" else blocks
    named = select(people.c.id, people.c.name, people.c.kind).join(table, table.c.other == people.c.id)
    mine = named.where(table.c.person == person.id, people.c.name != DELETED)
    rows = await store.run(mine.order_by(people.c.name, people.c.id).limit(MOST_FOLLOWED))
    return [Listed(row["id"], row["name"], row["kind"]) for row in rows]


def _others(table: SQLTable, person: Person) -> Select[str]:
    return select(table.c.other).where(table.c.person == person.id)


def ids_of_followed(person: Person) -> Select[str]:
    """Select all ids, at tables, of those whom a person follows: their own, and those of guests they were before."""
    own = _others(follows, person)
    before = select(people.c.id).join(follows, follows.c.other == people.c.member).where(follows.c.person == person.id)
    both = union(own, before).subquery()
    return select(both.c[0])


async def is_followed(store: Store, person_id: str, by: str) -> bool:
    """Return whether one person follows another."""
    mine = (follows.c.person == by) & (follows.c.other == person_id)
    return bool(await store.run(select(follows.c.other).where(mine)))


async def is_blocked(store: Store, one: str, other: str) -> bool:
    """Return whether one of two people has blocked the other."""
    return bool(await blocked_pairs(store, (one, other)))


async def blocked_pairs(store: Store, ids: Collection[str]) -> set[frozenset[str]]:
    """Return the pairs among these people of whom one has blocked the other."""
    among = blocks.c.person.in_(ids) & blocks.c.other.in_(ids)
    rows = await store.run(select(blocks.c.person, blocks.c.other).where(among))
    return {frozenset((row["person"], row["other"])) for row in rows}


async def own_ids(store: Store, ids: Collection[str]) -> dict[str, str]:
    """Return the person behind each id at a table: the member, if a guest has logged in since."""
    own = func.coalesce(people.c.member, people.c.id).label("own")
    return {row["id"]: row["own"] for row in await store.run(select(people.c.id, own).where(people.c.id.in_(ids)))}


# Deleting and moving


def about(ids: Collection[str]) -> list[Executable]:
    """Return the statements that delete everything between these people and others."""
    return [
        *(
            delete(table).where(table.c.person.in_(ids) | table.c.other.in_(ids))
            for table in (follows, blocks, reports)
        ),
        delete(invitations).where(invitations.c.person.in_(ids) | invitations.c.sender.in_(ids)),
    ]
