"""Session revocation: a connection is closed when the session that opened it ends, by a log-out or a ban.

The worker that ends a session checks that person's connections at once. All others (those of a bot account, those at
other workers) are checked within a few seconds of a notification, and periodically in case it was lost.
"""

from collections.abc import Iterable

from sqlalchemy import select

from tessella.server.rooms.host import SESSIONS_TOPIC, Host
from tessella.server.rooms.room import Viewer
from tessella.server.store.schema import people, sessions

CHECK_SECONDS = 15.0
"""Check interval without a notification: how long a connection may outlive its session if that was lost."""

NOTIFIED_CHECK_SECONDS = 3.0
"""Shortest check interval after notifications: checking every connection takes a while."""

MOST_IN_A_QUERY = 1_000


async def announce_revocation(host: Host, persons: Iterable[str]) -> None:
    """Close the connections here of people whose sessions have ended, and notify the other workers."""
    host.notify(SESSIONS_TOPIC, "ended")
    host.must_check_sessions = True
    ids = {*persons}
    await _close_ended(host, [viewer for viewer in _viewers(host) if viewer.person in ids])


async def close_revoked(host: Host) -> None:
    """Close every connection here whose session has ended."""
    host.must_check_sessions = False
    await _close_ended(host, _viewers(host))


def _viewers(host: Host) -> list[Viewer]:
    return [viewer for room in host.rooms.values() for viewer in room.viewers if viewer.session]


async def _close_ended(host: Host, viewers: list[Viewer]) -> None:
    valid = await _valid(host, sorted({viewer.session for viewer in viewers}))
    for viewer in viewers:
        if viewer.session not in valid:
            viewer.disconnect()


async def _valid(host: Host, held: list[str]) -> set[str]:
    """Return the sessions that have not ended, without those of banned people."""
    valid: set[str] = set()
    for start in range(0, len(held), MOST_IN_A_QUERY):
        some = sessions.c.hash.in_(held[start : start + MOST_IN_A_QUERY]) & (sessions.c.ends > await host.store.now())
        welcome = people.c.banned.is_(None)
        query = select(sessions.c.hash).join(people, people.c.id == sessions.c.person).where(some, welcome)
        valid |= {str(row["hash"]) for row in await host.store.run(query)}
    return valid
