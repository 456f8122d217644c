"""Real programs on one stage, with a wire between any two of them: everything that `faults` can break.

Three web workers and two bot workers, a PostgreSQL and a NATS server of our own. Where a disk of a few megabytes can be
made, which takes the rights to mount one, the tables lie on it, so that it can be filled; the log of what was committed
does not.
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

from tessella.prove.machines import Nats, Postgres, Program, Worker, a_folder, a_small_disk, free_port
from tessella.prove.proxy import Mood, Proxy
from tessella.server import store as stores
from tessella.server.store.roles import Work, grant

ROLES: Mapping[str, tuple[str, Work]] = {"serve": ("worker", "web"), "work": ("bots", "bots")}
"""As whom each command logs in, and with which rights."""

WEB_WORKERS = 3
BOT_WORKERS = 2

DISK_MEGABYTES = 400
"""Room for the tables, and for nothing else."""

PIECE = bytes(1 << 20)

DOZERS = 6
DOZERS_QUESTIONS = 400
"""How many do not read, and how often each asks for the whole table: more than may wait for one connection, if it were
not heard ever more slowly."""

WAKING_SECONDS = 2.0
"""In which who wakes up learns whether anybody still talks."""

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

Fault: TypeAlias = Callable[["Stage", Random], Awaitable[None]]


class Wired:
    """A worker and its wires."""

    def __init__(self, worker: Worker, store: Proxy, bus: Proxy, door: Proxy | None) -> None:
        self.worker, self.store, self.bus, self.door = worker, store, bus, door


class Stage:
    """Everything that runs, and can fail."""

    def __init__(self, postgres: Postgres, nats: Nats, web: Sequence[Wired], bots: Sequence[Wired]) -> None:
        self.postgres, self.nats, self.web, self.bots = postgres, nats, web, bots
        self.small_disk: Path | None = None
        self.games: set[str] = set()
        """The tables at which people play now."""
        self.dozed = self.let_go = 0
        """Those who did not read, and those of them whom a worker has let go."""

    @property
    def doors(self) -> list[int]:
        """The ports by which clients come in."""
        return [wired.door.port for wired in self.web if wired.door is not None]


@asynccontextmanager
async def staged() -> AsyncGenerator[Stage]:
    """Start everything; end it afterwards."""
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
            await _wired(stack, folder, postgres, nats, command=command)
            for command in ["serve"] * WEB_WORKERS + ["work"] * BOT_WORKERS
        ]
        await asyncio.gather(*(wired.worker.get_ready() for wired in workers))
        stage = Stage(postgres, nats, workers[:WEB_WORKERS], workers[WEB_WORKERS:])
        stage.small_disk = small_disk
        yield stage


async def _make_roles(url: str) -> None:
    """Make the tables; workers may do with them what they need, as a host would have it, and no more."""
    store = await stores.connect(url)
    try:
        for role, work in ROLES.values():
            await store.run(text(f"CREATE ROLE {role} LOGIN"))
            await grant(store, role, work)
    finally:
        await store.close()


async def _wired(stack: AsyncExitStack, folder: Path, postgres: Postgres, nats: Nats, *, command: str) -> Wired:
    async def wire(target: int) -> Proxy:
        return await stack.enter_async_context(Proxy(free_port(), target))

    store, bus, port = await wire(postgres.port), await wire(nats.port), free_port()
    database = f"postgresql://{ROLES[command][0]}@127.0.0.1:{store.port}/postgres"
    bots = 0 if command == "serve" else 1
    worker = Worker(folder, command, database, f"nats://127.0.0.1:{bus.port}", port, bots)
    worker.environment |= wrong_clock(folder, port)
    stack.push_async_callback(worker.kill)
    return Wired(worker, store, bus, await wire(port) if command == "serve" else None)


def set_clock(program: Program, wrong_by: float) -> None:
    """From now on the clock of this program is wrong by so many seconds."""
    with Path(program.environment["WRONG_CLOCK"]).open("r+b") as file:
        file.write(struct.pack("d", wrong_by))


def wrong_clock(folder: Path, port: int) -> dict[str, str]:
    """What a program is told so that its clock can be set."""
    program, clock = folder / "clocks" / "sitecustomize.py", folder / f"clock-{port}"
    program.parent.mkdir(exist_ok=True)
    program.write_text(WRONG_CLOCK)
    clock.write_bytes(struct.pack("d", 0.0))
    path = os.pathsep.join(filter(None, (str(program.parent), os.environ.get("PYTHONPATH"))))
    return {"PYTHONPATH": path, "WRONG_CLOCK": str(clock)}


# Faults


async def kill_web_worker(stage: Stage, rng: Random) -> None:
    """One dies, and is started again."""
    await _kill(rng.choice(stage.web).worker, rng)


async def kill_all_web_workers(stage: Stage, rng: Random) -> None:
    """All die at the same time."""
    await asyncio.gather(*(_kill(wired.worker, rng) for wired in stage.web))


async def kill_bot_worker(stage: Stage, rng: Random) -> None:
    """A bot dies while it thinks."""
    await _kill(rng.choice(stage.bots).worker, rng)


async def _kill(worker: Worker, rng: Random) -> None:
    await worker.kill()
    await asyncio.sleep(rng.uniform(0, 1))
    await worker.get_ready()


async def stop_web_worker(stage: Stage, rng: Random) -> None:
    """One stands still, and knows nothing of it."""
    await _stop(rng.choice(stage.web).worker, rng)


async def stop_bot_worker(stage: Stage, rng: Random) -> None:
    """A bot stands still."""
    await _stop(rng.choice(stage.bots).worker, rng)


async def stop_bus(stage: Stage, rng: Random) -> None:
    """The bus stands still."""
    await _stop(stage.nats, rng)


async def _stop(program: Program, rng: Random) -> None:
    program.tell(signal.SIGSTOP)
    await asyncio.sleep(rng.uniform(1, 4))
    program.tell(signal.SIGCONT)


async def crash_database(stage: Stage, rng: Random) -> None:
    """PostgreSQL crashes, and recovers."""
    await stage.postgres.crash()
    await asyncio.sleep(rng.uniform(0, 1))
    await stage.postgres.get_ready()


async def kill_bus(stage: Stage, rng: Random) -> None:
    """The bus dies, and is started again."""
    await stage.nats.kill()
    await asyncio.sleep(rng.uniform(0.5, 3))
    await stage.nats.get_ready()


async def cut_store(stage: Stage, rng: Random) -> None:
    """A worker loses its connections to the store, and cannot make others for a while."""
    await _spoil(rng.choice([*stage.web, *stage.bots]).store, "refusing", rng)


async def silence_store(stage: Stage, rng: Random) -> None:
    """A worker's connections to the store look alive, and nothing passes."""
    await _spoil(rng.choice([*stage.web, *stage.bots]).store, "silent", rng)


async def silence_store_for_all(stage: Stage, rng: Random) -> None:
    """Nobody can reach the store."""
    await asyncio.gather(*(_spoil(wired.store, "silent", rng) for wired in [*stage.web, *stage.bots]))


async def slow_store(stage: Stage, rng: Random) -> None:
    """The store is far away for a worker."""
    await _slow(rng.choice(stage.web).store, rng)


async def silence_bus(stage: Stage, rng: Random) -> None:
    """A worker's connection to the bus looks alive, and nothing passes."""
    await _spoil(rng.choice(stage.web).bus, "silent", rng)


async def cut_clients(stage: Stage, rng: Random) -> None:
    """All clients of a worker lose their connections."""
    await _spoil(_door(stage, rng), "refusing", rng)


async def silence_clients(stage: Stage, rng: Random) -> None:
    """The connections of all clients of a worker look alive, and nothing passes."""
    await _spoil(_door(stage, rng), "silent", rng)


async def slow_clients(stage: Stage, rng: Random) -> None:
    """A worker is far away for its clients."""
    await _slow(_door(stage, rng), rng)


def _door(stage: Stage, rng: Random) -> Proxy:
    door = rng.choice(stage.web).door
    assert door is not None
    return door


async def _spoil(wire: Proxy, mood: Mood, rng: Random) -> None:
    wire.be(mood)
    await asyncio.sleep(rng.uniform(1, 5))
    wire.be("well")


async def _slow(wire: Proxy, rng: Random) -> None:
    wire.delay = rng.uniform(0.05, 0.3)
    await asyncio.sleep(rng.uniform(2, 4))
    wire.delay = 0.0


async def fill_disk(stage: Stage, rng: Random) -> None:
    """Nothing fits on the disk of the tables; if PostgreSQL gives up, it is started again when there is room."""
    assert stage.small_disk is not None
    ballast = stage.small_disk / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while file.write(PIECE):
            pass
    await asyncio.sleep(rng.uniform(2, 5))
    ballast.unlink()
    assert stage.postgres.process is not None
    if stage.postgres.process.poll() is not None:
        await stage.postgres.get_ready()


async def jump_clock(stage: Stage, rng: Random) -> None:
    """The clock of a worker jumps, and some time later back."""
    worker = rng.choice([*stage.web, *stage.bots]).worker
    set_clock(worker, rng.choice([-1, 1]) * rng.uniform(1, LONGEST_JUMP))
    await asyncio.sleep(rng.uniform(3, 6))
    set_clock(worker, 0.0)


async def doze(stage: Stage, rng: Random) -> None:
    """Some ask for everything again and again, and do not read the answers."""
    tables = [rng.choice(sorted(stage.games)) for _ in range(DOZERS if stage.games else 0)]
    ports = [rng.choice(stage.web).worker.port for _ in tables]
    naps = (_doze(port, game, rng.uniform(3, 6)) for port, game in zip(ports, tables, strict=True))
    let_go = await asyncio.gather(*naps)
    stage.dozed += len(let_go)
    stage.let_go += sum(let_go)


async def _doze(port: int, game: str, seconds: float) -> bool:
    """Whether the worker had let us go when we woke up."""
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
