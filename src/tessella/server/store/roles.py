"""Roles of PostgreSQL: workers can add to the logs and never change them, and cannot look through the seeds.

The owner of the tables migrates; workers log in as other roles, to which `grant` gives what they need and no more. Of
a seed they get one at a time, by the name of its game, and in a log web workers can strike a name and nothing else:
both by functions that belong to the owner. Bot workers know nothing of accounts, sessions and invitations: of people
they see who is whose, for the ratings. In a file there are no roles.
"""

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from sqlalchemy import Executable, Update, func, select, text, update

from tessella.server.store import Store
from tessella.server.store.schema import (
    beats,
    entries,
    games,
    jobs,
    metadata,
    outages,
    people,
    ratings,
    results,
    reviews,
    seat_terms,
    seeds,
)

Work: TypeAlias = Literal["web", "bots"]

ALL = "SELECT, INSERT, UPDATE, DELETE"
GROWING = "SELECT, INSERT, UPDATE"
LOG = "SELECT, INSERT"

RIGHTS: Mapping[Work, Mapping[str, str]] = {
    "web": {table.name: ALL for table in metadata.sorted_tables} | {entries.name: LOG, seeds.name: "INSERT"},
    "bots": {
        games.name: "SELECT, UPDATE",
        entries.name: LOG,
        jobs.name: ALL,
        beats.name: ALL,
        outages.name: GROWING,
        reviews.name: "SELECT, UPDATE",
        people.name: "SELECT (id, kind, member, owner)",
        results.name: LOG,
        ratings.name: GROWING,
        seat_terms.name: GROWING,
    },
}
"""What each kind of worker may do with each table; with others nothing."""

FUNCTIONS: Mapping[Work, str] = {
    "web": "tessella_seed(text), tessella_strike(text, integer, text)",
    "bots": "tessella_seed(text)",
}


def grants(role: str, work: Work = "web") -> list[str]:
    """What gives a role the rights of a worker, and takes all others away.

    >>> [line for line in grants("worker") if " entries " in line]
    ['REVOKE ALL ON entries FROM worker', 'GRANT SELECT, INSERT ON entries TO worker']
    >>> [line for line in grants("bot", "bots") if " sessions " in line]
    ['REVOKE ALL ON sessions FROM bot']
    """
    if not re.fullmatch("[a-z_][a-z0-9_]{0,62}", role):
        raise ValueError("a role is named with small letters, digits and underscores")
    lines = [f"REVOKE ALL ON {table.name} FROM {role}" for table in metadata.sorted_tables]
    lines += [f"REVOKE ALL ON FUNCTION {FUNCTIONS['web']} FROM {role}", f"GRANT SELECT ON alembic_version TO {role}"]
    lines += [f"GRANT {rights} ON {name} TO {role}" for name, rights in RIGHTS[work].items()]
    return [*lines, f"GRANT EXECUTE ON FUNCTION {FUNCTIONS[work]} TO {role}"]


async def grant(store: Store, role: str, work: Work = "web") -> int:
    """Give a role the rights of a worker; the store must be open as the owner of the tables."""
    lines = grants(role, work)
    await store.run(*map(text, lines))
    return len(lines)


def strike(game: str, number: int, name: str, body: str, *, in_file: bool) -> Executable:
    """Put another name in the place of one in a log; `body` is the whole entry with it."""
    here: Update = update(entries).where(entries.c.game == game, entries.c.number == number).values(body=body)
    return here if in_file else select(func.tessella_strike(game, number, name))
