"""Two cores carry 2,000 live tables: three players and a spectator at each, who move at human pace.

Every table is on one of the web workers, as behind a proxy that hashes on the table. A move must be confirmed soon, and
a socket must need little memory.
"""

import asyncio
import gc
import resource
import time
from collections.abc import Sequence
from random import Random

import uvloop

from proofs import Ask, Figure, Report
from proofs.cluster.processes import Worker
from proofs.databases import fresh_postgres
from proofs.load import playing_workers
from proofs.load_clients import percentile
from proofs.raw_sockets import Guests, Scripted, invite_guests
from tessella.progress import progress
from tessella.server import store as stores
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.host import Host
from tessella.server.store import Store

MOVE_SECONDS = 10.0
"""How long people think, on average."""

LEAST_SECONDS = 10.0
TABLES_FOR_A_SECOND = 40
"""The more tables, the longer they are observed."""

TABLES_OF_A_GUEST = 25
AT_ONCE = 25
SOCKETS_AT_A_TABLE = 4
ACK_MS = 100.0
SOCKET_KIB = 40.0
SPARE_FILES = 200


def prove(ask: Ask) -> Report:
    """Keep `ask.size` tables live for a while."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    _allow_files(ask.size * SOCKETS_AT_A_TABLE + SPARE_FILES)
    seconds = LEAST_SECONDS + ask.size / TABLES_FOR_A_SECOND
    async with fresh_postgres(ask.database) as url, playing_workers(ask, url) as workers:
        store = await stores.connect(url)
        try:
            tables = await _set_tables(store, ask.size, int(3 * seconds / MOVE_SECONDS) + 3)
        finally:
            await store.close()
        before = sum(worker.resident_kib for worker in workers)
        await _connect(tables, workers)
        spent, rng = sum(worker.cpu_seconds for worker in workers), Random(ask.seed)
        gc.freeze()  # that we tidy up is not the server's time
        acks = await _live(tables, seconds, rng)
        gc.unfreeze()
        grown = sum(worker.resident_kib for worker in workers) - before
        spent = sum(worker.cpu_seconds for worker in workers) - spent
        for table in tables:
            table.close()
    sockets = ask.size * SOCKETS_AT_A_TABLE
    return Report(
        (
            Figure("sockets", sockets, note=f"at {ask.size:,} tables, on {len(workers)} web workers"),
            Figure("moves", len(acks), note=f"in {seconds:.0f} s, all seen by all clients"),
            Figure("ack_p50_ms", percentile(acks, 50) * 1_000, note="from a move to its confirmation"),
            Figure("ack_p99_ms", percentile(acks, 99) * 1_000, at_most=ACK_MS, timed=True),
            Figure("socket_kib", grown / sockets, at_most=SOCKET_KIB, note="of memory for each, with its table"),
            Figure("busy", spent / seconds, note="processors, by all web workers"),
        )
    )


def _allow_files(needed: int) -> None:
    """Raise the limit of open files: each socket is one to us, and to the workers that we start."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < needed and (hard == resource.RLIM_INFINITY or hard >= needed):
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    elif soft < needed:
        raise OSError(f"{needed:,} files must be open at once, and {hard:,} may")


async def _set_tables(store: Store, count: int, moves: int) -> list[Scripted]:
    host = Host(store, LocalBus(), [], time.time)
    guests: list[Guests] = []
    tables: list[Scripted] = []
    for number in progress(range(count), "tables"):
        if number % TABLES_OF_A_GUEST == 0:
            guests.append(await invite_guests(host))
        tables.append(await Scripted.set(host, f"table-{number}", moves, guests[-1]))
    return tables


async def _connect(tables: Sequence[Scripted], workers: Sequence[Worker]) -> None:
    for start in progress(range(0, len(tables), AT_ONCE), "sockets"):
        some = enumerate(tables[start : start + AT_ONCE], start)
        await asyncio.gather(*(table.connect(workers[number % len(workers)].port) for number, table in some))


async def _live(tables: Sequence[Scripted], seconds: float, rng: Random) -> list[float]:
    """Let everybody play until the deadline; return how long each confirmation took."""
    acks: list[float] = []
    until = time.monotonic() + seconds

    async def live(table: Scripted) -> None:
        while True:
            thought = rng.expovariate(1 / MOVE_SECONDS)
            if time.monotonic() + thought > until or table.done == len(table.script.moves):
                break
            await asyncio.sleep(thought)
            acks.append(await table.move())
        await table.everybody_has_seen()

    await asyncio.gather(*(live(table) for table in tables))
    return acks
