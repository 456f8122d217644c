"""Heartbeats of workers, and the outages between them.

Every worker writes a heartbeat every two seconds. A time without any is an outage, and no player's clock is charged for
it: neither for a restart or a crash, nor for a database that was unreachable or a laptop that was asleep.
"""

from collections.abc import Iterable
from itertools import accumulate

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.server.store import Row, Store
from tessella.server.store.schema import heartbeats, outages
from tessella.table.clock import DAY_SECONDS, Outage

HEARTBEAT_SECONDS = 2.0
SILENCE_SECONDS = 5.0
"""After this long without a heartbeat of any worker there was an outage."""

OUTAGE_MEMORY_SECONDS = 200 * DAY_SECONDS
"""Older outages affect no clock: no move has that much time."""


async def end_outage(store: Store) -> list[Outage]:
    """Record the outage that a starting worker ends, if any, and return all that it must know.

    A store that is not shared has one worker, so any time since its last heartbeat was an outage, however short.
    """
    await record_silence(store, SILENCE_SECONDS if store.is_shared else 0.0)
    return await read_outages(store)


async def record_silence(store: Store, seconds: float = SILENCE_SECONDS) -> float:
    """Record an outage if there has been no heartbeat for this long; return the time up to which all are recorded."""
    now = await store.now()
    (last,) = await store.run(select(func.max(heartbeats.c.at).label("at")))
    if last["at"] is not None and now - last["at"] > seconds:
        await record_outage(store, last["at"], now)
    return now


async def read_outages(store: Store) -> list[Outage]:
    """Return the recorded outages that can still affect a clock."""
    recent = outages.c.ended > await store.now() - OUTAGE_MEMORY_SECONDS
    return merge(await store.run(select(outages).where(recent).order_by(outages.c.began)))


def merge(rows: list[Row]) -> list[Outage]:
    """Return outages in order, with overlapping ones merged.

    >>> merge([{"began": 1.0, "ended": 5.0}, {"began": 2.0, "ended": 3.0}, {"began": 4.0, "ended": 8.0}])
    [Outage(began=1.0, ended=8.0)]
    """
    merged: list[Outage] = []
    for row in rows:
        if merged and row["began"] <= merged[-1].ended:
            merged[-1] = Outage(merged[-1].began, max(merged[-1].ended, row["ended"]))
        else:
            merged.append(Outage(row["began"], row["ended"]))
    return merged


async def record_outage(store: Store, began: float, ended: float) -> None:
    """Record an outage, or extend the recorded one that began at the same time."""
    gap = upsert(outages).values(began=began, ended=ended)
    longer = gap.excluded.ended > outages.c.ended
    await store.run(
        gap.on_conflict_do_update(index_elements=["began"], set_={"ended": gap.excluded.ended}, where=longer)
    )


async def record_gaps(store: Store) -> None:
    """Record every time in which no worker was alive, however short.

    Call this only after running for `SILENCE_SECONDS`: by then every worker that is still alive has written a
    heartbeat, so a gap before our own first one is certain.
    """
    now = await store.now()
    rows = await store.run(select(heartbeats))
    lifetimes = [(row["since"], now if now - row["at"] <= SILENCE_SECONDS else row["at"]) for row in rows]
    for gap in gaps(lifetimes):
        await record_outage(store, gap.began, gap.ended)


def gaps(lifetimes: Iterable[tuple[float, float]]) -> list[Outage]:
    """Return the times between lifetimes, each from first to last heartbeat, in which no worker was alive.

    >>> gaps([(8.0, 9.0), (1.0, 5.0), (2.0, 3.0), (5.0, 6.0)])
    [Outage(began=6.0, ended=8.0)]
    """
    ordered = sorted(lifetimes)
    ends = accumulate((last for _, last in ordered), max)
    return [Outage(until, since) for until, (since, _) in zip(ends, ordered[1:], strict=False) if since > until]


async def read_heartbeats(store: Store) -> dict[str, float]:
    """Return the last heartbeat of each worker."""
    return {row["worker"]: row["at"] for row in await store.run(select(heartbeats))}


async def write_heartbeat(store: Store, worker: str) -> float:
    """Write a heartbeat, record the silence before it, and remove workers that are long gone; return its time.

    The heartbeat carries the time up to which all outages are recorded. With a later one, a slow write would hide the
    time that it took.
    """
    now = await record_silence(store)
    written = upsert(heartbeats).values(worker=worker, at=now, since=now)
    await store.run(
        written.on_conflict_do_update(index_elements=["worker"], set_={"at": now}),
        delete(heartbeats).where(heartbeats.c.at < now - DAY_SECONDS),
    )
    return now
