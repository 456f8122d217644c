"""What the host, and the moderators whom the host names, do about people and tables.

Every act is written to the audit list, in one transaction with the act itself where the store does both.
"""

from secrets import token_urlsafe

from msgspec.structs import replace
from sqlalchemy import Executable, delete, func, insert, select, update

from tessella.core.game import Public
from tessella.server.people.accounts import bots_of
from tessella.server.people.identity import DELETED, Person, adopt, end_all_sessions, find_person, name_for
from tessella.server.people.names import is_reserved
from tessella.server.rooms.host import Host
from tessella.server.services.data_rights import erase, leave_all_tables
from tessella.server.services.events.leaving import leave_events
from tessella.server.services.revocation import announce_revocation
from tessella.server.store import Row, Store
from tessella.server.store.schema import audit, games, people, reports, seats, sessions, waiting
from tessella.table.table import Refused

HOST = ""
"""The host, who acts by commands; a moderator acts under their own id."""

MOST_TABLES = 50
MOST_REPORTS = 100
"""How many reports the host and moderators see at once."""


# The audit list


class ActView(Public, frozen=True):
    """An act: `by` (`moderator` is their id, empty for the host) about `name` (`person`), or at a table."""

    made: float
    act: str
    moderator: str
    by: str
    person: str
    name: str
    game: str
    details: str


def audited(by: str, act: str, now: float, *, person: str = "", game: str = "", details: str = "") -> Executable:
    """Return the statement that adds an act to the audit list."""
    row = {"id": token_urlsafe(9), "made": now, "moderator": by, "act": act}
    return insert(audit).values(row | {"person": person, "game": game, "details": details})


async def acts(store: Store, most: int) -> list[ActView]:
    """Return the latest acts, the newest first."""
    one, other = people.alias("one"), people.alias("about")
    by, name = func.coalesce(one.c.name, "").label("by"), func.coalesce(other.c.name, "").label("name")
    columns = (audit.c.made, audit.c.act, audit.c.moderator, by, audit.c.person, name, audit.c.game, audit.c.details)
    found = select(*columns).select_from(audit)
    found = found.outerjoin(one, one.c.id == audit.c.moderator).outerjoin(other, other.c.id == audit.c.person)
    return [
        ActView(*row.values()) for row in await store.run(found.order_by(audit.c.made.desc(), audit.c.id).limit(most))
    ]


# Reading


class ReportView(Public, frozen=True):
    """A report: `by` (their id is `person`) about `name` (`other`), perhaps at a table."""

    made: float
    reason: str
    other: str
    name: str
    person: str
    by: str
    game: str
    banned: bool
    """Whether the person whom it is about is banned."""


class PlayingView(Public, frozen=True):
    """An unfinished table of a person."""

    id: str
    title: str
    status: str


class DossierView(Public, frozen=True):
    """What the host and moderators see of a person; nothing that only the person may see."""

    id: str
    name: str
    kind: str
    made: float
    banned: float | None
    moderator: bool
    sessions: int
    tables: tuple[PlayingView, ...]
    reports: tuple[ReportView, ...]
    """Reports about the person."""


async def list_reports(store: Store, most: int, about: str | None = None) -> list[ReportView]:
    """Return the latest reports, of all people or about one, the newest first."""
    one, other = people.alias("one"), people.alias("about")
    names = (other.c.name, reports.c.person, one.c.name.label("by"), reports.c.game, other.c.banned)
    found = select(reports.c.made, reports.c.reason, reports.c.other, *names).select_from(reports)
    found = found.join(one, one.c.id == reports.c.person).join(other, other.c.id == reports.c.other)
    if about is not None:
        found = found.where(reports.c.other == about)
    rows = await store.run(found.order_by(reports.c.made.desc(), reports.c.id).limit(most))
    return [_report(row) for row in rows]


def _report(row: Row) -> ReportView:
    return ReportView(**{**row, "banned": row["banned"] is not None})  # pyright: ignore[reportArgumentType]


async def dossier(store: Store, person: Person) -> DossierView:
    """Return what the host and moderators see of a person."""
    (row,) = await store.run(select(people.c.made, people.c.banned).where(people.c.id == person.id))
    valid = (sessions.c.person == person.id) & (sessions.c.ends > await store.now())
    (count,) = await store.run(select(func.count().label("n")).select_from(sessions).where(valid))
    reported = tuple(await list_reports(store, MOST_REPORTS, person.id))
    about = (person.id, person.name, person.kind, row["made"], row["banned"], person.moderator)
    return DossierView(*about, count["n"], await _tables_of(store, person), reported)


async def _tables_of(store: Store, person: Person) -> tuple[PlayingView, ...]:
    columns = (games.c.id, games.c.game, games.c.status)
    there = select(*columns).join(seats, seats.c.game == games.c.id)
    unfinished = seats.c.person.in_(person.ids) & seats.c.ended.is_(None)
    rows = await store.run(there.where(unfinished).order_by(games.c.touched.desc()).limit(MOST_TABLES))
    return tuple(dict.fromkeys(PlayingView(*row.values()) for row in rows))


# Acts


async def subject(store: Store, person_id: str, by: str) -> Person:
    """Return a person about whom something is to be done; a moderator can do nothing about other moderators.

    Raise `Refused` if there is no such person, or if it is not allowed.
    """
    person = await find_person(store, person_id)
    if person is None or person.name == DELETED:
        raise Refused("person", "there is no person with this id")
    if by != HOST and person.moderator:
        raise Refused("moderator", "only the host can do this to a moderator")
    return person


async def ban(host: Host, person: Person, by: str = HOST, reason: str = "") -> None:
    """Ban a person and their bots: sessions are refused, connections closed, and their games go on without them."""
    store = host.store
    now = await store.now()
    bots = await bots_of(store, person)
    ids = [each for one in (person, *bots) for each in one.ids]
    await store.run(
        update(people).where(people.c.id.in_(ids)).values(banned=now),
        delete(waiting).where(waiting.c.person.in_(ids), waiting.c.game == ""),
        *leave_events(person.ids),
        audited(by, "ban", now, person=person.id, details=reason),
    )
    await announce_revocation(host, ids)
    for each in (person, *bots):
        await leave_all_tables(host, each)


async def unban(store: Store, person: Person, by: str = HOST) -> None:
    """Let a banned person and their bots in again."""
    everyone = (people.c.id.in_(person.ids)) | (people.c.owner == person.id)
    now = await store.now()
    await store.run(update(people).where(everyone).values(banned=None), audited(by, "unban", now, person=person.id))


async def log_out(host: Host, person: Person, by: str = HOST) -> int:
    """End all sessions and tokens of a person; return how many there were."""
    count = await end_all_sessions(host.store, person.ids)
    await host.store.run(audited(by, "end-sessions", await host.store.now(), person=person.id))
    await announce_revocation(host, person.ids)
    return count


async def rename(store: Store, person: Person, name: str, by: str = HOST) -> Person:
    """Rename a person from now on; raise ValueError for a bad name. Only the host can give a reserved one."""
    if by != HOST and is_reserved(name):
        raise ValueError("only the host can give this name; choose another one")
    new = replace(person, name=name_for(name, person.kind))
    note = audited(by, "rename", await store.now(), person=person.id, details=f"{person.name} → {new.name}")
    await store.run(update(people).where(people.c.id == person.id).values(name=new.name), note)
    return new


async def remove(host: Host, person: Person) -> None:
    """Delete a person, as they could do it themselves."""
    await host.store.run(audited(HOST, "delete", await host.store.now(), person=person.id))
    await erase(host, person)
    await announce_revocation(host, person.ids)


async def merge(host: Host, guest: Person, member: Person) -> None:
    """Merge a guest into a member, who gets the guest's games; raise `Refused` for any other pair."""
    if (guest.kind, member.kind) != ("guest", "member"):
        raise Refused("kind", f"{guest.name} is a {guest.kind} and {member.name} a {member.kind}: merge GUEST MEMBER")
    await adopt(host.store, guest, member)
    await host.store.run(audited(HOST, "merge", await host.store.now(), person=member.id, details=guest.id))
    await announce_revocation(host, guest.ids)


async def appoint(store: Store, person: Person, *, moderator: bool) -> None:
    """Make a member a moderator, or a moderator a plain member again; raise `Refused` for guests and bots."""
    if person.kind != "member":
        raise Refused("kind", f"{person.name} is a {person.kind}; only a member can be a moderator")
    act = "moderator" if moderator else "no-moderator"
    await store.run(
        update(people).where(people.c.id == person.id).values(moderator=moderator),
        audited(HOST, act, await store.now(), person=person.id),
    )


async def close_table(host: Host, game_id: str, by: str = HOST) -> None:
    """End a game without a result and reveal its seed; raise `Refused` if there is none, or if it is over."""
    room = await host.room(game_id)
    if room is None:
        raise Refused("game", "there is no such table")
    await host.append(room, "closed-by-host", lambda table, secret: table.abort(secret))
    await host.store.run(audited(by, "close", await host.store.now(), game=game_id))
