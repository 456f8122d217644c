"""The whole path of a move keeps up with the database: from one socket to four, compared with bare commits.

Slices of both alternate, and the median of their ratios is judged, so that a busy machine slows both.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from statistics import median
from typing import TypeAlias

import asyncpg
import uvloop
from msgspec import Struct

from bench.server.paths import MOST_MOVES
from proofs import Ask, Figure, Report
from proofs.bare_server import BODY, INSERT, TABLE
from proofs.cluster.processes import Worker, a_folder, free_port
from proofs.databases import fresh_postgres
from proofs.load_clients import percentile
from proofs.raw_sockets import Scripted, invite_guests
from tessella.progress import progress
from tessella.server import store as stores
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.host import Host
from tessella.server.store import Store

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

AT_ONCE = 32
"""Concurrent games, and concurrent bare commits: a commit has something to group."""

BARE_SECONDS = 1.0
WEB_WORKERS = 2
LEAST, AIM = 0.15, 0.25


class Slice(Struct, frozen=True):
    """Moves per second by either path, and the cost of a move for the web workers."""

    full: float
    bare: float
    cpu_us: float


def prove(ask: Ask) -> Report:
    """Play `ask.size` games."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    slices: list[Slice] = []
    acks: list[float] = []
    async with (
        fresh_postgres(ask.database) as url,
        playing_workers(ask, url) as workers,
        Bare.prepare(url) as bare,
    ):
        store = await stores.connect(url)
        try:
            for start in progress(range(0, ask.size, AT_ONCE), "games"):
                rate = await bare.measure()
                count = min(AT_ONCE, ask.size - start)
                slices.append(await _measure(store, workers, start, count, rate, acks))
        finally:
            await store.close()
    share = median(each.full / each.bare for each in slices)
    return Report(
        (
            Figure("share", share, at_least=LEAST, note=f"of the bare commits; we aim at {AIM}", timed=True),
            Figure("moves_per_s", median(each.full for each in slices), note="from one socket to four"),
            Figure("commits_per_s", median(each.bare for each in slices), note=f"bare, {AT_ONCE} waiting"),
            Figure("cpu_us_a_move", median(each.cpu_us for each in slices), note=f"of {WEB_WORKERS} web workers"),
            Figure("ack_p50_ms", percentile(acks, 50) * 1_000, note=f"of {len(acks):,} moves as fast as they can"),
            Figure("ack_p99_ms", percentile(acks, 99) * 1_000),
        )
    )


@asynccontextmanager
async def playing_workers(ask: Ask, url: str) -> AsyncGenerator[list[Worker]]:
    """Start two web workers and nothing else."""
    async with AsyncExitStack() as stack:
        folder = await stack.enter_async_context(a_folder())
        workers = [Worker(folder, "serve", url, ask.bus, free_port(), 0) for _ in range(WEB_WORKERS)]
        for worker in workers:
            stack.push_async_callback(worker.kill)
            await worker.get_ready()
        yield workers


async def _measure(
    store: Store, workers: Sequence[Worker], start: int, count: int, bare: float, acks: list[float]
) -> Slice:
    """Play some games concurrently, each to the last scripted move."""
    host = Host(store, LocalBus(), [], time.time)
    games = [f"load-{start + number}" for number in range(count)]
    tables = [await Scripted.set(host, game, MOST_MOVES, await invite_guests(host)) for game in games]
    for number, table in enumerate(tables):
        await table.connect(workers[number % len(workers)].port)
    spent, began = sum(worker.cpu_seconds for worker in workers), time.monotonic()
    await asyncio.gather(*(_play(table, acks) for table in tables))
    seconds = time.monotonic() - began
    spent = sum(worker.cpu_seconds for worker in workers) - spent
    for table in tables:
        table.close()
    moves = count * MOST_MOVES
    return Slice(moves / seconds, bare, spent * 1e6 / moves)


async def _play(table: Scripted, acks: list[float]) -> None:
    acks += [await table.move() for _ in table.script.moves]
    await table.everybody_has_seen()


class Bare:
    """Commits with nothing around them: each a row like a move's, in its own transaction."""

    def __init__(self, connections: list[Connection]) -> None:
        self._connections = connections
        self._written = 0

    @classmethod
    @asynccontextmanager
    async def prepare(cls, url: str) -> "AsyncGenerator[Bare]":
        """Open one connection per concurrent commit."""
        async with AsyncExitStack() as stack:
            connections: list[Connection] = []
            for _ in range(AT_ONCE):
                connections.append(await asyncpg.connect(url))
                stack.push_async_callback(connections[-1].close)
            await connections[0].execute(TABLE)
            yield cls(connections)

    async def measure(self) -> float:
        """Return commits per second."""
        began, before = time.monotonic(), self._written
        await asyncio.gather(*(self._fill(*each, began + BARE_SECONDS) for each in enumerate(self._connections)))
        return (self._written - before) / (time.monotonic() - began)

    async def _fill(self, game: int, connection: Connection, until: float) -> None:
        while time.monotonic() < until:
            self._written += 1
            await connection.execute(INSERT, f"bare-{game}", self._written, f"key-{self._written}", BODY)
