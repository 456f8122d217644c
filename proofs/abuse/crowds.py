"""A crowd floods, shouts and babbles at a real worker and does not read: players at other tables hardly notice.

People play at tables of the same worker all the time; the crowd, in a process and from an address of its own, comes and
goes. The durations of confirmations with and without it are compared.
"""

import asyncio
import multiprocessing
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import TypeAlias

from msgspec import Struct, field

from proofs import Ask
from proofs.cluster.processes import Worker, a_folder, free_port
from proofs.databases import fresh_postgres
from proofs.load_clients import percentile
from proofs.raw_sockets import HANDSHAKE, Scripted, invite_guests, masked
from tessella.progress import progress
from tessella.server import store as stores
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.host import Host

TABLES = 50
MOVES = 56
"""At each table, at most."""

THINK_SECONDS = 0.65
VISITS = 3
VISIT_SECONDS = 5.0
"""Duration of a visit, and of the quiet time before it."""

WARM_UP_SECONDS = 4.0
"""Left out at the start, when a worker loads code and tables for the first time: it would distort the quiet time."""

Nuisance: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter, str], AsyncIterator[None]]
"""A misbehaving client on one connection, without end; yields after each request."""

Visit: TypeAlias = Callable[[int, str, float], int]
"""Attack the worker at this port and table for this many seconds, and return the number of requests."""


class Visits(Struct, frozen=True):
    """Attacks on a worker: by whom, how often and for how long; before each it is quiet for as long."""

    visit: Visit
    number: int
    seconds: float


FROM_CROWD = "X-Forwarded-For: 192.0.2.66"
"""What the proxy before the worker says about the crowd."""

HUGE = 1 << 20
PIECE = 1 << 16


class Neighbours(Struct):
    """What the players at the tables experienced, in seconds, and how much the worker grew."""

    quiet: list[float] = field(default_factory=list[float])
    crowded: list[float] = field(default_factory=list[float])
    is_crowded: bool = False
    asked: int = 0
    """Requests of the crowd."""
    lost: int = 0
    """Tables at which a player was disconnected or rejected."""
    grown_mb: float = 0.0
    cpu_seconds: float = 0.0
    """CPU time of the worker during the visits."""

    bots_quiet: list[float] = field(default_factory=list[float])
    bots_crowded: list[float] = field(default_factory=list[float])
    """How long bots took to answer."""

    def note_answer(self, seconds: float) -> None:
        """Record a bot's answer."""
        (self.bots_crowded if self.is_crowded else self.bots_quiet).append(seconds)

    def note(self, seconds: float) -> None:
        """Record a confirmation."""
        (self.crowded if self.is_crowded else self.quiet).append(seconds)

    def forget(self) -> None:
        """Drop what was recorded so far."""
        for noted in (self.quiet, self.crowded, self.bots_quiet, self.bots_crowded):
            noted.clear()

    @property
    def ratio(self) -> float:
        """Return how many times longer the 99th percentile of confirmations takes because of the crowd."""
        return percentile(self.crowded, 99) / percentile(self.quiet, 99)


Company: TypeAlias = Callable[[str, int, Neighbours], Awaitable[list[asyncio.Task[None]]]]
"""Further players, given the worker's database and port."""


async def live_beside_a_crowd(ask: Ask) -> Neighbours:
    """Play at some tables while the crowd comes and goes."""
    return await live_beside(ask, Visits(crowd, VISITS, VISIT_SECONDS))


async def nobody(_url: str, _port: int, _found: Neighbours) -> list[asyncio.Task[None]]:
    """Add no further players."""
    return []


async def live_beside(ask: Ask, visits: Visits, bots: int = 0, company: Company = nobody) -> Neighbours:
    """Play at some tables, with company, while visitors attack the worker from a separate process now and then."""
    found = Neighbours()
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as elsewhere:
        async with fresh_postgres(ask.database) as url, a_worker(ask, url, bots) as worker:
            tables = await _set_tables(url)
            for table in tables:
                await table.connect(worker.port)
            await asyncio.get_running_loop().run_in_executor(
                elsewhere, visits.visit, worker.port, "", 0.0
            )  # it has started
            before = worker.resident_kib
            playing = [asyncio.create_task(_play(table, ask.seed, found)) for table in tables]
            playing += await company(url, worker.port, found)
            await _come_and_go(elsewhere, visits, worker, tables[0].script.game, found)
            for task in playing:
                task.cancel()
            await asyncio.wait(playing)
            found.lost = sum(not task.cancelled() and task.exception() is not None for task in playing)
            found.grown_mb = (worker.resident_kib - before) / 1024
            for table in tables:
                table.close()
    return found


@asynccontextmanager
async def a_worker(ask: Ask, url: str, bots: int) -> AsyncGenerator[Worker]:
    """Return a worker that trusts a proxy on this machine."""
    async with a_folder() as folder:
        worker = Worker(folder, "serve", url, ask.bus, free_port(), bots)
        worker.environment |= {"TESSELLA_PROXIES": "127.0.0.1"}
        try:
            await worker.get_ready()
            yield worker
        finally:
            await worker.kill()


async def _set_tables(url: str) -> list[Scripted]:
    store = await stores.connect(url)
    try:
        host = Host(store, LocalBus(), [], time.time)
        guests = await invite_guests(host)
        return [await Scripted.set(host, f"beside-{number}", MOVES, guests) for number in range(TABLES)]
    finally:
        await store.close()


async def _play(table: Scripted, seed: int, found: Neighbours) -> None:
    rng = Random(f"{seed} {table.script.game}")
    while table.done < len(table.script.moves):
        await asyncio.sleep(rng.expovariate(1 / THINK_SECONDS))
        found.note(await table.move())


async def _come_and_go(
    elsewhere: ProcessPoolExecutor, visits: Visits, worker: Worker, game: str, found: Neighbours
) -> None:
    loop = asyncio.get_running_loop()
    await asyncio.sleep(WARM_UP_SECONDS)
    found.forget()
    for _ in progress(range(visits.number), "visits"):
        found.is_crowded = False
        await asyncio.sleep(visits.seconds)
        found.is_crowded = True
        before = worker.cpu_seconds
        found.asked += await loop.run_in_executor(elsewhere, visits.visit, worker.port, game, visits.seconds)
        found.cpu_seconds += worker.cpu_seconds - before


# The crowd


def crowd(port: int, game: str, seconds: float) -> int:
    """Attack for this many seconds, and return the number of requests."""
    os.nice(19 - os.nice(0))  # as if it had a machine of its own
    return asyncio.run(_crowd(port, game, seconds))


async def _crowd(port: int, game: str, seconds: float) -> int:
    asked = 0

    async def be(nuisance: Nuisance) -> None:
        nonlocal asked
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                try:
                    async for _ in nuisance(reader, writer, game):
                        asked += 1
                finally:
                    writer.transport.abort()

    tasks = [asyncio.create_task(be(nuisance)) for nuisance, many in NUISANCES.items() for _ in range(many)]
    await asyncio.wait(tasks, timeout=seconds)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    return asked


def request(method: str, path: str, *more: str, body: str = "") -> bytes:
    """Return a request of the crowd."""
    head = (f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", FROM_CROWD, f"Content-Length: {len(body)}", *more)
    return "\r\n".join((*head, "", body)).encode()


async def answer(reader: asyncio.StreamReader) -> tuple[str, bytes]:
    """Return the head and the body of a response."""
    head = await reader.readuntil(b"\r\n\r\n")
    _, _, length = head.lower().partition(b"content-length:")
    return head.decode("latin-1"), await reader.readexactly(int(length.split(b"\r\n")[0] or 0))


async def _ask_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asked: bytes) -> AsyncIterator[None]:
    while True:
        writer.write(asked)
        await answer(reader)
        yield


def _flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _: str) -> AsyncIterator[None]:
    """Become a new guest again and again."""
    return _ask_on(reader, writer, request("POST", "/api/session", body='{"name":"Eve"}'))


def _forge(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _: str) -> AsyncIterator[None]:
    """Send an unknown cookie: it has to be looked up."""
    return _ask_on(reader, writer, request("POST", "/api/session", "Cookie: tessella=made-up", body='{"name":"Eve"}'))


def _study(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, game: str) -> AsyncIterator[None]:
    """Send expensive requests."""
    return _ask_on(reader, writer, request("GET", f"/api/games/{game}/entries"))


async def _enter(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, game: str) -> None:
    writer.write(request("GET", f"/api/games/{game}/socket", *HANDSHAKE))
    await reader.readuntil(b"\r\n\r\n")


async def _babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, game: str) -> AsyncIterator[None]:
    """Send malformed messages, and read the answers."""
    await _enter(reader, writer, game)
    while True:
        writer.write(masked("{}"))
        if not await reader.read(PIECE):
            return
        yield


async def _doze(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, game: str) -> AsyncIterator[None]:
    """Request the whole table, and do not read it."""
    await _enter(reader, writer, game)
    while True:
        writer.write(masked('{"type":"hello"}'))
        await writer.drain()
        await asyncio.sleep(0)  # so that the others of the crowd have their turn
        yield


async def _shout(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, game: str) -> AsyncIterator[None]:
    """Send a message that is far too long; reconnect when disconnected."""
    await _enter(reader, writer, game)
    writer.write(bytes([0x81, 0xFF]) + HUGE.to_bytes(8) + bytes(4 + PIECE))
    yield
    while await reader.read(PIECE):
        pass


NUISANCES: Mapping[Nuisance, int] = {_flood: 4, _forge: 4, _study: 4, _babble: 8, _doze: 8, _shout: 4}
"""The number of clients of each kind."""
