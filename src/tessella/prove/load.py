"""The whole path of a move keeps up with the database: from one socket to four, against bare commits.

Slices of both take turns, and the median of their ratios is judged, so that a busy machine slows both.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from statistics import median

import uvloop
from msgspec import Struct

from tessella.bench.server.paths import MOST_MOVES, open_tables
from tessella.prove import Ask, Figure, Report
from tessella.prove.databases import fresh_postgres
from tessella.prove.lines import Scripted, invite_guests
from tessella.prove.machines import Worker, a_folder, free_port
from tessella.prove.society import percentile
from tessella.server import store as stores
from tessella.server.bus import LocalBus
from tessella.server.host import Host
from tessella.server.store import Store, Write
from tessella.terminal.progress import progress

AT_ONCE = 32
"""Games at the same time, and bare commits that wait at the same time: a commit has something to group."""

BARE_SECONDS = 1.0
WEB_WORKERS = 2
LEAST, AIM = 0.15, 0.25
BODY = '{"type":"played","seat":1,"acts":["3r4"],"end":null}'


class Slice(Struct, frozen=True):
    """Moves a second by either path, and what a move cost the web workers."""

    full: float
    bare: float
    cpu_us: float


def prove(ask: Ask) -> Report:
    """Play so many games."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    slices: list[Slice] = []
    acks: list[float] = []
    async with fresh_postgres(ask.database) as url, playing_workers(ask, url) as workers:
        store = await stores.connect(url)
        try:
            bare = await Bare.prepare(store)
            for start in progress(range(0, ask.size, AT_ONCE), "games"):
                rate = await bare.measure()
                count = min(AT_ONCE, ask.size - start)
                slices.append(await _measure(store, workers, start, count, rate, acks))
        finally:
            await store.close()
    share = median(each.full / each.bare for each in slices)
    return Report(
        (
            Figure("share", share, at_least=LEAST, words=f"of the bare commits; we aim at {AIM}", timed=True),
            Figure("moves_per_s", median(each.full for each in slices), words="from one socket to four"),
            Figure("commits_per_s", median(each.bare for each in slices), words=f"bare, {AT_ONCE} waiting"),
            Figure("cpu_us_a_move", median(each.cpu_us for each in slices), words=f"of {WEB_WORKERS} web workers"),
            Figure("ack_p50_ms", percentile(acks, 50) * 1_000, words=f"of {len(acks):,} moves as fast as they can"),
            Figure("ack_p99_ms", percentile(acks, 99) * 1_000),
        )
    )


@asynccontextmanager
async def playing_workers(ask: Ask, url: str) -> AsyncGenerator[list[Worker]]:
    """Two web workers, and nobody else."""
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
    """Play some games at the same time, each to the last move that is written down."""
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
    """Commits of the same size with nothing around them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._numbers = [0] * AT_ONCE

    @classmethod
    async def prepare(cls, store: Store) -> "Bare":
        """Set tables to write to."""
        await open_tables(store, [f"bare-{number}" for number in range(AT_ONCE)])
        return cls(store)

    async def measure(self) -> float:
        """Commits a second."""
        began, before = time.monotonic(), sum(self._numbers)
        await asyncio.gather(*(self._fill(game, began + BARE_SECONDS) for game in range(AT_ONCE)))
        return (sum(self._numbers) - before) / (time.monotonic() - began)

    async def _fill(self, game: int, until: float) -> None:
        while time.monotonic() < until:
            self._numbers[game] += 1
            number = self._numbers[game]
            due, key = time.time() + 600, f"key-{number}"
            write = Write(f"bare-{game}", number, key, BODY, due, "playing", "1", 600, bots=False)
            assert await self._store.append(write) is not None
