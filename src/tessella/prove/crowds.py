"""A crowd at the door of a real worker that floods, shouts, babbles and does not read: its neighbours hardly notice.

People play at tables of the same worker all the time; the crowd, a process of its own that comes from an address of its
own, comes and goes. How long confirmations take meanwhile is held against how long they take without it.
"""

import asyncio
import multiprocessing
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import TypeAlias

from msgspec import Struct, field

from tessella.prove import Ask
from tessella.prove.databases import fresh_postgres
from tessella.prove.lines import HANDSHAKE, Scripted, invite_guests, masked
from tessella.prove.machines import Worker, a_folder, free_port
from tessella.prove.society import percentile
from tessella.server import store as stores
from tessella.server.bus import LocalBus
from tessella.server.host import Host
from tessella.terminal.progress import progress

TABLES = 50
MOVES = 48
"""At each table, at most."""

THINK_SECONDS = 0.65
VISITS = 3
VISIT_SECONDS = 5.0
"""How long the crowd stays, and how long it is quiet before it comes."""

Nuisance: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter, str], AsyncIterator[None]]
"""What somebody does on one connection to a worker with this table, on and on; yields whenever something was asked."""

FROM_CROWD = "X-Forwarded-For: 192.0.2.66"
"""What the proxy before the worker says of the crowd."""

HUGE = 1 << 20
PIECE = 1 << 16


class Neighbours(Struct):
    """What those at the tables lived through, in seconds, and how far the worker has grown."""

    quiet: list[float] = field(default_factory=list[float])
    crowded: list[float] = field(default_factory=list[float])
    is_crowded: bool = False
    asked: int = 0
    """How often the crowd has asked for something."""
    lost: int = 0
    """Tables at which somebody was thrown out, or refused."""
    grown_mb: float = 0.0

    def note(self, seconds: float) -> None:
        """A move was confirmed."""
        (self.crowded if self.is_crowded else self.quiet).append(seconds)

    @property
    def ratio(self) -> float:
        """By how much later the slowest of a hundred confirmations come because of the crowd."""
        return percentile(self.crowded, 99) / percentile(self.quiet, 99)


async def live_beside_a_crowd(ask: Ask) -> Neighbours:
    """Play at some tables while the crowd comes and goes."""
    found = Neighbours()
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as elsewhere:
        async with fresh_postgres(ask.database) as url, _worker(ask, url) as worker:
            tables = await _set_tables(url)
            for table in tables:
                await table.connect(worker.port)
            await asyncio.get_running_loop().run_in_executor(elsewhere, crowd, worker.port, "", 0.0)  # it has started
            before = worker.resident_kib
            playing = [asyncio.create_task(_play(table, ask.seed, found)) for table in tables]
            await _come_and_go(elsewhere, worker.port, tables[0].script.game, found)
            for task in playing:
                task.cancel()
            await asyncio.wait(playing)
            found.lost = sum(not task.cancelled() and task.exception() is not None for task in playing)
            found.grown_mb = (worker.resident_kib - before) / 1024
            for table in tables:
                table.close()
    return found


@asynccontextmanager
async def _worker(ask: Ask, url: str) -> AsyncGenerator[Worker]:
    """One that believes what a proxy on this machine says."""
    async with a_folder() as folder:
        worker = Worker(folder, "serve", url, ask.bus, free_port(), 0)
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


async def _come_and_go(elsewhere: ProcessPoolExecutor, port: int, game: str, found: Neighbours) -> None:
    loop = asyncio.get_running_loop()
    for _ in progress(range(VISITS), "crowds"):
        found.is_crowded = False
        await asyncio.sleep(VISIT_SECONDS)
        found.is_crowded = True
        found.asked += await loop.run_in_executor(elsewhere, crowd, port, game, VISIT_SECONDS)


# The crowd


def crowd(port: int, game: str, seconds: float) -> int:
    """Be a nuisance for so long; give how often something was asked for."""
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


def _request(method: str, path: str, *more: str, body: str = "") -> bytes:
    head = (f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", FROM_CROWD, f"Content-Length: {len(body)}", *more)
    return "\r\n".join((*head, "", body)).encode()


async def _answer(reader: asyncio.StreamReader) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    _, _, length = head.partition(b"content-length:")
    await reader.readexactly(int(length.split(b"\r\n")[0] or 0))


async def _ask_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> AsyncIterator[None]:
    while True:
        writer.write(request)
        await _answer(reader)
        yield


def _flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _: str) -> AsyncIterator[None]:
    """Be somebody new again and again."""
    return _ask_on(reader, writer, _request("POST", "/api/session", body='{"name":"Eve"}'))


def _forge(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _: str) -> AsyncIterator[None]:
    """Show a cookie that nobody gave out: it has to be looked for."""
    return _ask_on(reader, writer, _request("POST", "/api/session", "Cookie: tessella=made-up", body='{"name":"Eve"}'))


def _study(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, game: str) -> AsyncIterator[None]:
    """Ask for what takes long to answer."""
    return _ask_on(reader, writer, _request("GET", f"/api/games/{game}/films"))


async def _enter(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, game: str) -> None:
    writer.write(_request("GET", f"/api/games/{game}/socket", *HANDSHAKE))
    await reader.readuntil(b"\r\n\r\n")


async def _babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, game: str) -> AsyncIterator[None]:
    """Say what has no sense, and read the answer."""
    await _enter(reader, writer, game)
    while True:
        writer.write(masked("{}"))
        if not await reader.read(PIECE):
            return
        yield


async def _doze(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, game: str) -> AsyncIterator[None]:
    """Ask for the whole table, and do not read it."""
    await _enter(reader, writer, game)
    while True:
        writer.write(masked('{"type":"hello"}'))
        await writer.drain()
        await asyncio.sleep(0)  # so that the others of the crowd have their turn
        yield


async def _shout(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, game: str) -> AsyncIterator[None]:
    """Send a message that is far too long; come again when shown the door."""
    await _enter(reader, writer, game)
    writer.write(bytes([0x81, 0xFF]) + HUGE.to_bytes(8) + bytes(4 + PIECE))
    yield
    while await reader.read(PIECE):
        pass


NUISANCES: Mapping[Nuisance, int] = {_flood: 4, _forge: 4, _study: 4, _babble: 8, _doze: 8, _shout: 4}
"""And how many do each."""
