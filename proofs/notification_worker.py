"""A worker that only delivers news, with short pauses: `python -m proofs.notification_worker DATABASE ORIGINS`."""

import asyncio
import logging
import sys
import time

from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.host import Host
from tessella.server.services.news import delivery, timing
from tessella.server.services.outgoing import Door
from tessella.server.store import connect

DEADLINE_SECONDS = 2.0
BACK_OFF_SECONDS = (2.0, 4.0, 8.0)
MOST_ATTEMPTS = 4
GIVE_UP_SECONDS = 120.0
BREAK_SECONDS = 5.0
LEASE_SECONDS = 15.0
PLAN_SECONDS = 1.0


def hurry() -> None:
    """Shorten what takes hours in real life."""
    timing.BACK_OFF_SECONDS = BACK_OFF_SECONDS  # type: ignore[assignment]
    shorter = {
        "MOST_ATTEMPTS": MOST_ATTEMPTS,
        "GIVE_UP_SECONDS": GIVE_UP_SECONDS,
        "BREAK_SECONDS": BREAK_SECONDS,
        "LEASE_SECONDS": LEASE_SECONDS,
        "PLAN_SECONDS": PLAN_SECONDS,
    }
    for name, value in shorter.items():
        setattr(delivery, name, value)


async def deliver(database: str, origins: str) -> None:
    """Deliver until the process is ended."""
    store = await connect(database)
    host = Host(store, LocalBus(), [], time.time)
    async with delivery.Notifier(host, Door(frozenset(origins.split(",")), seconds=DEADLINE_SECONDS)):
        await asyncio.Event().wait()


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    hurry()
    asyncio.run(deliver(*sys.argv[1:]))
