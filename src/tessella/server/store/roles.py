"""Roles of PostgreSQL: workers can add to the logs and never change them, and cannot look through the seeds.

The owner of the tables migrates; workers log in as another role, to which `grant` gives what they need and no more. Of
a seed they get one at a time, by the name of its game, and in a log they can strike a name and nothing else: both by
functions that belong to the owner. In a file there are no roles.
"""

import re

from sqlalchemy import Executable, Update, func, select, text, update

from tessella.server.store import Store
from tessella.server.store.schema import entries, metadata, seeds

RIGHTS = {entries.name: "SELECT, INSERT", seeds.name: "INSERT"}
FUNCTIONS = "tessella_seed(text), tessella_strike(text, integer, text)"
USUAL_RIGHTS = "SELECT, INSERT, UPDATE, DELETE"


def grants(role: str) -> list[str]:
    """What gives a role the rights of a worker, and takes all others away.

    >>> [line for line in grants("worker") if " entries " in line]
    ['REVOKE ALL ON entries FROM worker', 'GRANT SELECT, INSERT ON entries TO worker']
    """
    if not re.fullmatch("[a-z_][a-z0-9_]{0,62}", role):
        raise ValueError("a role is named with small letters, digits and underscores")
    lines = [f"GRANT SELECT ON alembic_version TO {role}", f"GRANT EXECUTE ON FUNCTION {FUNCTIONS} TO {role}"]
    for table in metadata.sorted_tables:
        rights = RIGHTS.get(table.name, USUAL_RIGHTS)
        lines += [f"REVOKE ALL ON {table.name} FROM {role}", f"GRANT {rights} ON {table.name} TO {role}"]
    return lines


async def grant(store: Store, role: str) -> int:
    """Give a role the rights of a worker; the store must be open as the owner of the tables."""
    lines = grants(role)
    await store.run(*map(text, lines))
    return len(lines)


def strike(game: str, number: int, name: str, body: str, *, in_file: bool) -> Executable:
    """Put another name in the place of one in a log; `body` is the whole entry with it."""
    here: Update = update(entries).where(entries.c.game == game, entries.c.number == number).values(body=body)
    return here if in_file else select(func.tessella_strike(game, number, name))
