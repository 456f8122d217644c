"""Removes the names of deleted people from the memory of every worker; the store has erased them by then.

Other workers are notified of a deletion by the bus and check at once; in case the notification was lost, every worker
periodically compares the people at its tables with the store.
"""

import asyncio
import logging
from collections.abc import Collection

from msgspec.structs import replace

from tessella.server.people.identity import DELETED, deleted_among
from tessella.server.rooms.host import DELETIONS_TOPIC, Host
from tessella.server.services.background import Background
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.waiting import wait_for_event

log = logging.getLogger(__name__)

CHECK_SECONDS = 15.0
"""How long a name may outlive its account where the notification of the deletion was lost."""

PAUSE_SECONDS = 1.0
"""Between two checks, however many notifications arrive."""


async def announce(host: Host, ids: Collection[str]) -> None:
    """Redact the names of deleted people at all tables here, and notify the other workers."""
    await redact_names(host, ids)
    host.notify(DELETIONS_TOPIC, "made")


async def check(host: Host) -> None:
    """Redact the names of everyone at a table here whose account has been deleted."""
    occupants = (occupant for room in host.rooms.values() for occupant in room.table.seats)
    people = (each for each in occupants if each.player and not each.is_bot)
    named = sorted({person.player for person in people if person.name != DELETED})
    await redact_names(host, await deleted_among(host.store, named))


async def redact_names(host: Host, ids: Collection[str]) -> None:
    """Redact the names of these people at all tables here, and send the viewers the tables without them."""
    for room in list(host.rooms.values()):
        if any(occupant.player in ids for occupant in room.table.seats):
            async with room.lock:  # an entry that is being stored would bring the name back
                table = room.table
                table.seats = [replace(each, name=DELETED) if each.player in ids else each for each in table.seats]
                room.broadcast([], host.clock())


class DeletionWatch(Background):
    """Redacts names deleted at other workers while the block runs; for web workers, which show names."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def run(self) -> None:
        """Check after each notification, and every `CHECK_SECONDS`; never return."""
        while True:
            await wait_for_event(self._host.deletion_notified, CHECK_SECONDS)
            self._host.deletion_notified.clear()
            try:
                await check(self._host)
            except STORE_ERRORS:
                log.warning("deletions not checked: store unavailable", exc_info=True)
            await asyncio.sleep(PAUSE_SECONDS)
