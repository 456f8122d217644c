"""A connection ends with the session by which it was opened: after a log-out nobody plays on through an old socket.

The worker that ends a session looks at that person's connections at once. All others (those of a bot account, those at
other workers) are looked at within a few seconds of a hint, and now and then in case it was lost.
"""

from collections.abc import Iterable

from sqlalchemy import select

from tessella.server.host import SESSIONS, Host, Viewer
from tessella.server.store.schema import sessions

LOOK_SECONDS = 15.0
"""How long a connection may outlive its session where the hint of its end was lost."""

HINT_SECONDS = 3.0
"""So often at most hints are followed: looking at everybody takes a while."""

MOST_IN_A_QUERY = 1_000


async def close_doors(host: Host, persons: Iterable[str]) -> None:
    """Sessions of somebody have ended here."""
    host.bus.hint(SESSIONS, "ended")
    host.doubts = True
    ids = {*persons}
    await _dismiss(host, [viewer for viewer in _viewers(host) if viewer.person in ids])


async def turn_away(host: Host) -> None:
    """Dismiss everybody here whose session has ended."""
    host.doubts = False
    await _dismiss(host, _viewers(host))


def _viewers(host: Host) -> list[Viewer]:
    return [viewer for room in host.rooms.values() for viewer in room.viewers if viewer.session]


async def _dismiss(host: Host, viewers: list[Viewer]) -> None:
    known = await _known(host, sorted({viewer.session for viewer in viewers}))
    for viewer in viewers:
        if viewer.session not in known:
            viewer.dismiss()


async def _known(host: Host, held: list[str]) -> set[str]:
    """Those of the sessions that have not ended."""
    known: set[str] = set()
    for start in range(0, len(held), MOST_IN_A_QUERY):
        some = sessions.c.hash.in_(held[start : start + MOST_IN_A_QUERY]) & (sessions.c.ends > await host.store.now())
        known |= {str(row["hash"]) for row in await host.store.run(select(sessions.c.hash).where(some))}
    return known
