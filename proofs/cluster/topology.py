"""A cluster of real programs with a proxy between any two of them: everything that `faults` can break.

Three web workers and two bot workers, our own PostgreSQL and NATS servers. Where we may mount a disk of a few
megabytes, the tables are on it, so that it can be filled; the write-ahead log is not.
"""

import asyncio
import os
import signal
import socket
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import TypeAlias

from sqlalchemy import text
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from proofs.cluster.faulty_proxy import Mood, Proxy
from proofs.cluster.processes import Nats, Postgres, Program, Worker, a_folder, a_small_disk, free_port
from tessella.server import store as stores
from tessella.server.store.roles import Work, grant

ROLES: Mapping[str, tuple[str, Work]] = {"serve": ("worker", "web"), "work": ("bots", "bots")}
"""The database role of each command, and its rights."""

WEB_WORKERS = 3
BOT_WORKERS = 2

DISK_MEGABYTES = 400
"""Room for the tables alone."""

PIECE = bytes(1 << 20)

DOZERS = 6
DOZERS_QUESTIONS = 400
"""Number of clients that do not read, and how often each requests the whole table: more than may be queued for one
connection, were the client not slowed down ever more.
"""

WAKING_SECONDS = 2.0
"""Time for a client that reads again to learn whether it was disconnected."""

LONGEST_JUMP = 5_000.0
"""Seconds by which the clock of a worker may be wrong."""

WRONG_CLOCK = '''"""A clock that is set from outside: it is wrong by the seconds that stand in a file."""

import mmap
import os
import struct
import time

with open(os.environ["WRONG_CLOCK"], "rb") as file:
    seconds = mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ)
right = time.time
time.time = lambda: right() + struct.unpack("d", seconds)[0]
'''
"""What Python runs first in each worker, under the name that it looks for."""

Fault: TypeAlias = Callable[["Cluster", Random], Awaitable[None]]


class ProxiedWorker:
    """A worker and its proxies."""

    def __init__(self, worker: Worker, store: Proxy, bus: Proxy, clients: Proxy | None) -> None:
        self.worker, self.store, self.bus, self.clients = worker, store, bus, clients


class Cluster:
    """Everything that runs, and can fail."""

    def __init__(
        self, postgres: Postgres, nats: Nats, web: Sequence[ProxiedWorker], bots: Sequence[ProxiedWorker]
    ) -> None:
        self.postgres, self.nats, self.web, self.bots = postgres, nats, web, bots
        self.small_disk: Path | None = None
        self.games: set[str] = set()
        """The tables at which people play now."""
        self.dozed = self.disconnected = 0
        """Clients that did not read, and those of them that a worker disconnected."""

    @property
    def client_ports(self) -> list[int]:
        """Return the ports that clients connect to."""
        return [proxied.clients.port for proxied in self.web if proxied.clients is not None]


@asynccontextmanager
async def running_cluster() -> AsyncGenerator[Cluster]:
    """Start everything, and end it afterwards."""
    async with AsyncExitStack() as stack:
        folder = await stack.enter_async_context(a_folder())
        small_disk = await stack.enter_async_context(a_small_disk(folder, DISK_MEGABYTES))
        postgres, nats = Postgres(folder, tables=small_disk), Nats(folder)
        await postgres.make()
        for program in (postgres, nats):
            stack.push_async_callback(program.kill)
            await program.get_ready()
        await _make_roles(postgres.url)
        workers = [
            await _proxied_worker(stack, folder, postgres, nats, command=command)
            for command in ["serve"] * WEB_WORKERS + ["work"] * BOT_WORKERS
        ]
        await asyncio.gather(*(proxied.worker.get_ready() for proxied in workers))
        cluster = Cluster(postgres, nats, workers[:WEB_WORKERS], workers[WEB_WORKERS:])
        cluster.small_disk = small_disk
        yield cluster


async def _make_roles(url: str) -> None:
    """Create the tables and roles; workers get only the rights that they need, as a host would grant them."""
    store = await stores.connect(url)
    try:
        for role, work in ROLES.values():
            await store.run(text(f"CREATE ROLE {role} LOGIN"))
            await grant(store, role, work)
    finally:
        await store.close()


async def _proxied_worker(
    stack: AsyncExitStack, folder: Path, postgres: Postgres, nats: Nats, *, command: str
) -> ProxiedWorker:
    async def wire(target: int) -> Proxy:
        return await stack.enter_async_context(Proxy(free_port(), target))

    store, bus, port = await wire(postgres.port), await wire(nats.port), free_port()
    database = f"postgresql://{ROLES[command][0]}@127.0.0.1:{store.port}/postgres"
    bots = 0 if command == "serve" else 1
    worker = Worker(folder, command, database, f"nats://127.0.0.1:{bus.port}", port, bots)
    worker.environment |= wrong_clock(folder, port)
    stack.push_async_callback(worker.kill)
    return ProxiedWorker(worker, store, bus, await wire(port) if command == "serve" else None)


def set_clock(program: Program, wrong_by: float) -> None:
    """Set the clock of this program wrong by this many seconds from now on."""
    with Path(program.environment["WRONG_CLOCK"]).open("r+b") as file:
        file.write(struct.pack("d", wrong_by))


def wrong_clock(folder: Path, port: int) -> dict[str, str]:
    """Return the variables by which the clock of a program can be set."""
    program, clock = folder / "clocks" / "sitecustomize.py", folder / f"clock-{port}"
    program.parent.mkdir(exist_ok=True)
    program.write_text(WRONG_CLOCK)
    clock.write_bytes(struct.pack("d", 0.0))
    path = os.pathsep.join(filter(None, (str(program.parent), os.environ.get("PYTHONPATH"))))
    return {"PYTHONPATH": path, "WRONG_CLOCK": str(clock)}


# Faults


async def kill_web_worker(cluster: Cluster, rng: Random) -> None:
    """Kill a web worker, and start it again."""
    await _kill(rng.choice(cluster.web).worker, rng)


async def kill_all_web_workers(cluster: Cluster, rng: Random) -> None:
    """Kill all web workers at the same time."""
    await asyncio.gather(*(_kill(proxied.worker, rng) for proxied in cluster.web))


async def kill_bot_worker(cluster: Cluster, rng: Random) -> None:
    """Kill a bot worker while it searches."""
    await _kill(rng.choice(cluster.bots).worker, rng)


async def _kill(worker: Worker, rng: Random) -> None:
    await worker.kill()
    await asyncio.sleep(rng.uniform(0, 1))
    await worker.get_ready()


async def stop_web_worker(cluster: Cluster, rng: Random) -> None:
    """Suspend a web worker."""
    await _stop(rng.choice(cluster.web).worker, rng)


async def stop_bot_worker(cluster: Cluster, rng: Random) -> None:
    """Suspend a bot worker."""
    await _stop(rng.choice(cluster.bots).worker, rng)


async def stop_bus(cluster: Cluster, rng: Random) -> None:
    """Suspend the bus."""
    await _stop(cluster.nats, rng)


async def _stop(program: Program, rng: Random) -> None:
    program.send_signal(signal.SIGSTOP)
    await asyncio.sleep(rng.uniform(1, 4))
    program.send_signal(signal.SIGCONT)


async def crash_database(cluster: Cluster, rng: Random) -> None:
    """Crash PostgreSQL, and let it recover."""
    await cluster.postgres.crash()
    await asyncio.sleep(rng.uniform(0, 1))
    await cluster.postgres.get_ready()


async def kill_bus(cluster: Cluster, rng: Random) -> None:
    """Kill the bus, and start it again."""
    await cluster.nats.kill()
    await asyncio.sleep(rng.uniform(0.5, 3))
    await cluster.nats.get_ready()


async def cut_store(cluster: Cluster, rng: Random) -> None:
    """Cut a worker's connections to the store, and refuse new ones for a while."""
    await _spoil(rng.choice([*cluster.web, *cluster.bots]).store, "refusing", rng)


async def silence_store(cluster: Cluster, rng: Random) -> None:
    """Make a worker's connections to the store half-open."""
    await _spoil(rng.choice([*cluster.web, *cluster.bots]).store, "silent", rng)


async def silence_store_for_all(cluster: Cluster, rng: Random) -> None:
    """Make all connections to the store half-open."""
    await asyncio.gather(*(_spoil(proxied.store, "silent", rng) for proxied in [*cluster.web, *cluster.bots]))


async def slow_store(cluster: Cluster, rng: Random) -> None:
    """Slow down a worker's connections to the store."""
    await _slow(rng.choice(cluster.web).store, rng)


async def silence_bus(cluster: Cluster, rng: Random) -> None:
    """Make a worker's connection to the bus half-open."""
    await _spoil(rng.choice(cluster.web).bus, "silent", rng)


async def cut_clients(cluster: Cluster, rng: Random) -> None:
    """Cut the connections of all clients of a worker."""
    await _spoil(_client_proxy(cluster, rng), "refusing", rng)


async def silence_clients(cluster: Cluster, rng: Random) -> None:
    """Make the connections of all clients of a worker half-open."""
    await _spoil(_client_proxy(cluster, rng), "silent", rng)


async def slow_clients(cluster: Cluster, rng: Random) -> None:
    """Slow down the connections of all clients of a worker."""
    await _slow(_client_proxy(cluster, rng), rng)


def _client_proxy(cluster: Cluster, rng: Random) -> Proxy:
    clients = rng.choice(cluster.web).clients
    assert clients is not None
    return clients


async def _spoil(wire: Proxy, mood: Mood, rng: Random) -> None:
    wire.be(mood)
    await asyncio.sleep(rng.uniform(1, 5))
    wire.be("well")


async def _slow(wire: Proxy, rng: Random) -> None:
    wire.delay = rng.uniform(0.05, 0.3)
    await asyncio.sleep(rng.uniform(2, 4))
    wire.delay = 0.0


async def fill_disk(cluster: Cluster, rng: Random) -> None:
    """Fill the disk of the tables; if PostgreSQL gives up, start it again when there is room."""
    assert cluster.small_disk is not None
    ballast = cluster.small_disk / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while file.write(PIECE):
            pass
    await asyncio.sleep(rng.uniform(2, 5))
    ballast.unlink()
    assert cluster.postgres.process is not None
    if cluster.postgres.process.poll() is not None:
        await cluster.postgres.get_ready()


async def jump_clock(cluster: Cluster, rng: Random) -> None:
    """Make the clock of a worker jump, and some time later back."""
    worker = rng.choice([*cluster.web, *cluster.bots]).worker
    set_clock(worker, rng.choice([-1, 1]) * rng.uniform(1, LONGEST_JUMP))
    await asyncio.sleep(rng.uniform(3, 6))
    set_clock(worker, 0.0)


async def doze(cluster: Cluster, rng: Random) -> None:
    """Let some clients request everything again and again, without reading the answers."""
    tables = [rng.choice(sorted(cluster.games)) for _ in range(DOZERS if cluster.games else 0)]
    ports = [rng.choice(cluster.web).worker.port for _ in tables]
    naps = (_doze(port, game, rng.uniform(3, 6)) for port, game in zip(ports, tables, strict=True))
    disconnected = await asyncio.gather(*naps)
    cluster.dozed += len(disconnected)
    cluster.disconnected += sum(disconnected)


async def _doze(port: int, game: str, seconds: float) -> bool:
    """Return whether the worker had disconnected us when we read again."""
    address = f"ws://127.0.0.1:{port}/api/games/{game}/socket"
    with suppress(OSError, WebSocketException), socket.socket() as small:
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        small.setblocking(False)  # noqa: FBT003
        await asyncio.get_running_loop().sock_connect(small, ("127.0.0.1", port))
        async with connect(address, sock=small, compression=None, max_queue=1, ping_interval=None) as it:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    for _ in range(DOZERS_QUESTIONS):
                        await it.send('{"type":"hello"}')
                    await asyncio.Event().wait()
            with suppress(TimeoutError):
                async with asyncio.timeout(WAKING_SECONDS):
                    while True:
                        await it.recv()
            return False
    return True


FAULTS: tuple[Fault, ...] = (
    kill_web_worker,
    kill_all_web_workers,
    kill_bot_worker,
    stop_web_worker,
    stop_bot_worker,
    stop_bus,
    crash_database,
    kill_bus,
    cut_store,
    silence_store,
    silence_store_for_all,
    slow_store,
    silence_bus,
    cut_clients,
    silence_clients,
    slow_clients,
    fill_disk,
    jump_clock,
    doze,
)
