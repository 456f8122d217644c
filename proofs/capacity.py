"""What one machine carries: moves per second until confirmations come late, beside a bare server of equal messages.

Moves are due at fixed times, whether or not earlier ones are confirmed, and a delay counts from the time when a move
was due: a server that falls behind cannot slow down those who measure it. The players run on the same machine.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import TypeAlias

import asyncpg
import uvloop
from msgspec import Struct

from proofs import Ask, Figure, Report
from proofs.bare_server import BareTable, bare_server
from proofs.cluster.processes import Worker, a_folder, free_port
from proofs.databases import fresh_postgres
from proofs.load_clients import percentile
from proofs.raw_sockets import Scripted, invite_guests
from tessella.progress import progress
from tessella.server import store as stores
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.host import Host

LATE_MS = 100.0
"""A step fails if one confirmation of a hundred takes longer."""

FIRST_RATE, GROWTH = 100, 1.4
"""Moves per second in the first step, and its growth from step to step."""

STEP_SECONDS = 4
MOVES_PER_TABLE_AND_SECOND = 4
AT_A_TABLE = 0.2
"""Moves per second at a live table with people: one every five seconds."""

MOST_CPU_RATIO = 4.0
"""CPU time of a move, as a multiple of the bare server's."""

Tables: TypeAlias = "Sequence[Scripted | BareTable]"
Setting: TypeAlias = Callable[[int, int], Awaitable[Tables]]
"""Sets and connects a number of tables, each with a number of moves to make."""


class Site(Struct, frozen=True):
    """A running installation: how to set tables at it, and the CPU time that its programs have used."""

    set_tables: Setting
    server_seconds: Callable[[], float]
    database_seconds: Callable[[], Awaitable[float]]


class Step(Struct, frozen=True):
    """How an installation did at one rate of moves."""

    rate: float
    p99_ms: float
    server_us: float
    database_us: float


def prove(ask: Ask) -> Report:
    """Raise the rate of moves in at most `ask.size` steps, with every kind of installation."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    figures: list[Figure] = []
    costs: dict[str, float] = {}
    for name, site in (("bare", _bare), ("sqlite", _sqlite), ("workers", _workers)):
        async with site(ask) as running:
            best = await _raise_rate(running, ask.size, name)
        costs[name] = best.server_us
        figures += [
            Figure(f"{name}_moves_per_s", best.rate, note=f"confirmed within {LATE_MS:g} ms (99 %)"),
            Figure(f"{name}_p99_ms", best.p99_ms, note="at that rate"),
            Figure(f"{name}_server_us", best.server_us, note="CPU time of a move in the web workers"),
            Figure(f"{name}_database_us", best.database_us, note="CPU time of a move in PostgreSQL"),
        ]
    tables = figures[-4].value / AT_A_TABLE
    ratio = costs["workers"] / costs["bare"]
    figures += [
        Figure("live_tables", tables, note=f"with {AT_A_TABLE:g} moves per second each, two workers"),
        Figure("cpu_ratio", ratio, at_most=MOST_CPU_RATIO, note="of the bare server's CPU time", timed=True),
    ]
    return Report(tuple(figures))


async def _raise_rate(site: Site, steps: int, name: str) -> Step:
    """Return the last step whose confirmations were in time; the first one in any case."""
    best: Step | None = None
    for number in progress(range(steps), name):
        step = await _step(site, FIRST_RATE * GROWTH**number)
        if best is not None and step.p99_ms > LATE_MS:
            break
        best = step
    assert best is not None
    return best


async def _step(site: Site, rate: float) -> Step:
    tables = await site.set_tables(
        max(4, round(rate / MOVES_PER_TABLE_AND_SECOND)), MOVES_PER_TABLE_AND_SECOND * STEP_SECONDS
    )
    server, database = site.server_seconds(), await site.database_seconds()
    delays: list[float] = []
    interval = len(tables) / rate
    began = time.monotonic() + 0.2
    plays = [
        _play(table, began + interval * number / len(tables), interval, delays) for number, table in enumerate(tables)
    ]
    await asyncio.gather(*plays)
    server, database = site.server_seconds() - server, await site.database_seconds() - database
    for table in tables:
        table.close()
    micro = 1e6 / len(delays)
    return Step(rate, percentile(delays, 99) * 1_000, server * micro, database * micro)


async def _play(table: Scripted | BareTable, due: float, interval: float, delays: list[float]) -> None:
    for _ in table.script.moves:
        await asyncio.sleep(due - time.monotonic())
        await table.move()
        delays.append(time.monotonic() - due)
        due += interval


# Installations


@asynccontextmanager
async def _sqlite(ask: Ask) -> AsyncGenerator[Site]:  # noqa: ARG001
    """One process with one file."""
    async with a_folder() as folder, _served(f"sqlite:{folder / 'games'}", "", folder, 1) as site:
        yield site


@asynccontextmanager
async def _workers(ask: Ask) -> AsyncGenerator[Site]:
    """Two web workers with PostgreSQL and NATS."""
    async with a_folder() as folder, fresh_postgres(ask.database) as url, _served(url, ask.bus, folder, 2) as site:
        yield site


@asynccontextmanager
async def _served(url: str, bus: str, folder: Path, count_of_workers: int) -> AsyncGenerator[Site]:
    async with AsyncExitStack() as stack:
        workers = [Worker(folder, "serve", url, bus, free_port(), 0) for _ in range(count_of_workers)]
        for worker in workers:
            stack.push_async_callback(worker.kill)
            await worker.get_ready()
        store = await stores.connect(url)
        stack.push_async_callback(store.close)
        host, numbers = Host(store, LocalBus(), [], time.time), count()

        async def set_tables(wanted: int, moves: int) -> Tables:
            ids = [f"capacity-{next(numbers)}" for _ in range(wanted)]
            tables = [await Scripted.set(host, game, moves, await invite_guests(host)) for game in ids]
            for number, table in enumerate(tables):
                await table.connect(workers[number % len(workers)].port)
            return tables

        async def database_seconds() -> float:
            return await _backend_seconds(url) if url.startswith("postgresql") else 0.0

        yield Site(set_tables, lambda: sum(worker.cpu_seconds for worker in workers), database_seconds)


@asynccontextmanager
async def _bare(ask: Ask) -> AsyncGenerator[Site]:
    """The yardstick: uvicorn and asyncpg with as much to store and to send, and nothing to decide."""
    async with fresh_postgres(ask.database) as url, bare_server(url) as server:
        numbers = count()

        async def set_tables(wanted: int, moves: int) -> Tables:
            return [await BareTable.set(server.port, f"bare-{next(numbers)}", moves) for _ in range(wanted)]

        async def database_seconds() -> float:
            return await _backend_seconds(url)

        yield Site(set_tables, lambda: server.cpu_seconds, database_seconds)


BACKENDS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


async def _backend_seconds(url: str) -> float:
    """Return the CPU time of the processes of PostgreSQL that serve a database now."""
    connection = await asyncpg.connect(url)
    try:
        return sum(time.clock_gettime((~row["pid"] << 3) | 2) for row in await connection.fetch(BACKENDS))
    finally:
        await connection.close()
