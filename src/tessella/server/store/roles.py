"""PostgreSQL roles: workers can append to logs but not change them, and cannot list the seeds.

The owner of the tables migrates; workers log in as other roles, to which `grant` gives only what they need. Functions
of the owner let them read one seed at a time, by game, and let web workers replace a name in a log and nothing else.
Another lets web workers seal a finished game, once: the database checks that it is over and that its log is the one
that was packed, but cannot unpack it. To trust no worker with that, revoke `tessella_seal`, set `seal_days` to 0, and
run `tessella admin seal` as the owner.
Bot workers have no access to accounts, sessions and invitations: of people they see the columns that ratings need, and
of seats only whether the game is over. SQLite has no roles.
"""

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from sqlalchemy import Executable, delete, exists, func, select, text, update

from tessella.server.store import Store
from tessella.server.store.schema import (
    LISTED_COLUMNS,
    daily_tries,
    entries,
    games,
    heartbeats,
    jobs,
    ladder_ratings,
    ladder_results,
    metadata,
    outages,
    people,
    ratings,
    results,
    reviews,
    seat_terms,
    seats,
    seeds,
)

Work: TypeAlias = Literal["web", "bots"]

ALL = "SELECT, INSERT, UPDATE, DELETE"
GROWING = "SELECT, INSERT, UPDATE"
LOG = "SELECT, INSERT"

CHANGE = f"UPDATE ({', '.join(column.name for column in LISTED_COLUMNS)})"
"""Everything of a game but its sealed log."""

RIGHTS: Mapping[Work, Mapping[str, str]] = {
    "web": {table.name: ALL for table in metadata.sorted_tables}
    | {games.name: f"SELECT, INSERT, {CHANGE}", entries.name: LOG, seeds.name: "INSERT"},
    "bots": {
        games.name: f"SELECT, {CHANGE}",
        entries.name: LOG,
        jobs.name: ALL,
        heartbeats.name: ALL,
        outages.name: GROWING,
        reviews.name: "SELECT, UPDATE",
        seats.name: "SELECT (game, ended), UPDATE (ended)",
        people.name: "SELECT (id, kind, member, owner, name)",
        results.name: LOG,
        ratings.name: GROWING,
        seat_terms.name: GROWING,
        ladder_results.name: LOG,
        ladder_ratings.name: GROWING,
        daily_tries.name: "SELECT (game, member), UPDATE (ended, place, score, other, margin, counts)",
    },
}
"""The rights of each kind of worker; on tables not listed, none."""

FUNCTIONS: Mapping[Work, str] = {
    "web": "tessella_seed(text), tessella_strike(text, integer, text), tessella_remove(text, double precision), "
    "tessella_seal(text, integer, bytea, text, bytea, bytea)",
    "bots": "tessella_seed(text)",
}


def grants(role: str, work: Work = "web") -> list[str]:
    """Return the statements that give a role exactly the rights of a worker.

    >>> [line for line in grants("worker") if " entries " in line]
    ['REVOKE ALL ON entries FROM worker', 'GRANT SELECT, INSERT ON entries TO worker']
    >>> [line for line in grants("bot", "bots") if " sessions " in line]
    ['REVOKE ALL ON sessions FROM bot']
    """
    if not re.fullmatch("[a-z_][a-z0-9_]{0,62}", role):
        raise ValueError(f"{role!r} is not a role name: use lower-case letters, digits and underscores, at most 63")
    lines = [f"REVOKE ALL ON {table.name} FROM {role}" for table in metadata.sorted_tables]
    lines += [f"REVOKE ALL ON FUNCTION {FUNCTIONS['web']} FROM {role}", f"GRANT SELECT ON alembic_version TO {role}"]
    lines += [f"GRANT {rights} ON {name} TO {role}" for name, rights in RIGHTS[work].items()]
    return [*lines, f"GRANT EXECUTE ON FUNCTION {FUNCTIONS[work]} TO {role}"]


async def grant(store: Store, role: str, work: Work = "web") -> int:
    """Give a role the rights of a worker and return the number of statements; the store must be opened by the owner."""
    lines = grants(role, work)
    await store.run(*map(text, lines))
    return len(lines)


def remove(game: str, before: float, *, in_file: bool) -> list[Executable]:
    """Return the statements that remove a game closed before it started and last touched before this time.

    The log decides, not only the status: a worker cannot remove a game that has started. Tables of a match are kept,
    because the other tables of the match refer to them.
    """
    if not in_file:
        return [select(func.tessella_remove(game, before))]
    started = exists().where(entries.c.game == games.c.id, entries.c.body.like('{"type":"started"%'))
    closed = (games.c.status == "closed") & (games.c.match == "") & (games.c.touched < before) & ~started
    closed &= games.c.sealed_to < 0
    gone = ~exists().where(games.c.id == game)
    logs = [delete(table).where(table.c.game == game, gone) for table in (seeds, entries)]
    return [delete(games).where(games.c.id == game, closed), *logs]


def strike(game: str, number: int, name: str, body: str, *, in_file: bool) -> list[Executable]:
    """Return the statements that replace a name in a log; `body` is the whole entry with the new name."""
    if not in_file:
        return [select(func.tessella_strike(game, number, name))]
    apart = func.json_replace(games.c.names, f'$."{number}"', name)
    return [
        update(entries).where(entries.c.game == game, entries.c.number == number).values(body=body),
        update(games).where(games.c.id == game, games.c.names.is_not(None)).values(names=apart),
    ]
