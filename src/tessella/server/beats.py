"""Signs of life: every worker leaves one every two seconds. When there was none, nobody was there.

Such time is nobody's: it is kept as an outage, and every clock leaves it out. That holds for a restart, a crash, a
database that was away, and a laptop that slept.
"""

from collections.abc import Iterable
from itertools import accumulate

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert as insert_postgres
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from tessella.server.clock import DAY, Outage
from tessella.server.store import Row, Store
from tessella.server.store.schema import beats, outages

BEAT_SECONDS = 2.0
SILENCE = 5.0
"""When no worker has given a sign of life for so many seconds, nobody was there."""

MEMORY = 200 * DAY
"""Older outages matter to no clock: no move has so long."""


async def arrive(store: Store) -> list[Outage]:
    """What a worker that starts must know. A file has one worker: whoever comes ends an outage, however short."""
    await note_silence(store, 0.0 if is_file(store) else SILENCE)
    return await read_outages(store)


async def note_silence(store: Store, silence: float = SILENCE) -> float:
    """If nobody has been there for so long up to now, keep that. Up to the moment given, every outage is kept."""
    now = await store.now()
    (last,) = await store.run(select(func.max(beats.c.at).label("at")))
    if last["at"] is not None and now - last["at"] > silence:
        await note_outage(store, last["at"], now)
    return now


async def read_outages(store: Store) -> list[Outage]:
    """All times at which nobody was there, as far as they matter."""
    recent = outages.c.ended > await store.now() - MEMORY
    return merge(await store.run(select(outages).where(recent).order_by(outages.c.began)))


def merge(rows: list[Row]) -> list[Outage]:
    """Outages in order, none counted twice.

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


async def note_outage(store: Store, began: float, ended: float) -> None:
    """Keep an outage; one that was thought to be over, and was not, grows."""
    gap = (insert_sqlite if is_file(store) else insert_postgres)(outages).values(began=began, ended=ended)
    longer = gap.excluded.ended > outages.c.ended
    await store.run(
        gap.on_conflict_do_update(index_elements=["began"], set_={"ended": gap.excluded.ended}, where=longer)
    )


async def note_gaps(store: Store) -> None:
    """Keep every time between the lives of workers, however short: a gap before our own has then lasted for sure.

    Whoever has been there for as long as `SILENCE` knows of all who died before.
    """
    now = await store.now()
    rows = await store.run(select(beats))
    lives = [(row["since"], now if now - row["at"] <= SILENCE else row["at"]) for row in rows]
    for gap in gaps(lives):
        await note_outage(store, gap.began, gap.ended)


def gaps(lives: Iterable[tuple[float, float]]) -> list[Outage]:
    """The times between lives, each from its first to its last sign, at which nobody lived.

    >>> gaps([(8.0, 9.0), (1.0, 5.0), (2.0, 3.0), (5.0, 6.0)])
    [Outage(began=6.0, ended=8.0)]
    """
    ordered = sorted(lives)
    ends = accumulate((last for _, last in ordered), max)
    return [Outage(until, since) for until, (since, _) in zip(ends, ordered[1:], strict=False) if since > until]


async def read_beats(store: Store) -> dict[str, float]:
    """The last sign of life of each worker."""
    return {row["worker"]: row["at"] for row in await store.run(select(beats))}


async def beat(store: Store, worker: str) -> float:
    """Give a sign of life, keep the silence before it, and forget workers that are long gone.

    The sign is of the moment up to which every outage is kept: were it of a later one, it would cover up the time that
    it was on its way. That moment is given.
    """
    insert = insert_sqlite if is_file(store) else insert_postgres
    now = await note_silence(store)
    sign = insert(beats).values(worker=worker, at=now, since=now)
    await store.run(
        sign.on_conflict_do_update(index_elements=["worker"], set_={"at": now}),
        delete(beats).where(beats.c.at < now - DAY),
    )
    return now


def is_file(store: Store) -> bool:
    """Whether the store is a file, with one worker."""
    return "sqlite" in type(store).__module__
