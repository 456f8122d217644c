"""A move that was confirmed is never lost, doubled or changed: real programs that are killed, stopped and cut off.

Three web workers and two bot workers, a PostgreSQL and a NATS server of our own, and a wire that can be cut between any
two of them and before every client. While games of all kinds are played, one fault follows another; every game must
come to its end, and whatever anybody was told must be what the logs say.
"""

import asyncio
import signal
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from math import ceil
from pathlib import Path
from random import Random
from typing import TypeAlias

from tessella.prove import Ask, Figure, Report
from tessella.prove.machines import Nats, Postgres, Program, Worker, a_folder, free_port
from tessella.prove.proxy import Mood, Proxy
from tessella.prove.society import Diary, Party, judge_logs, percentile, set_table, wanted_tables
from tessella.prove.truth import Broken
from tessella.server import store as stores
from tessella.server.bus import LocalBus
from tessella.server.entries import Live
from tessella.server.host import Host
from tessella.server.store import Store
from tessella.server.store.errors import STORE_ERRORS
from tessella.terminal.progress import progress

WEB_WORKERS = 3
BOT_WORKERS = 2
AT_ONCE = 24
"""Tables at which people play at the same time."""

MOST_FAULTS = 50
GAMES_FOR_A_FAULT = 5
PATIENCE = 180.0
"""Seconds after the last fault in which every game must have ended."""

REST = 1.0
"""Seconds between two faults."""

CHAPTERS = {"crash_database": "crash", "kill_all_web_workers": "restart"}
"""Faults after which it takes longer to come back."""

RETURN_SECONDS = 2.0
RETURN_AFTER_CRASH = 5.0

Fault: TypeAlias = Callable[["Stage", Random], Awaitable[None]]


class Wired:
    """A worker and its wires."""

    def __init__(self, worker: Worker, store: Proxy, bus: Proxy, door: Proxy | None) -> None:
        self.worker, self.store, self.bus, self.door = worker, store, bus, door


class Stage:
    """Everything that runs, and can fail."""

    def __init__(self, postgres: Postgres, nats: Nats, web: Sequence[Wired], bots: Sequence[Wired]) -> None:
        self.postgres, self.nats, self.web, self.bots = postgres, nats, web, bots

    @property
    def doors(self) -> list[int]:
        """The ports by which clients come in."""
        return [wired.door.port for wired in self.web if wired.door is not None]


@asynccontextmanager
async def staged() -> AsyncGenerator[Stage]:
    """Start everything; end it afterwards."""
    async with AsyncExitStack() as stack:
        folder = await stack.enter_async_context(a_folder())
        postgres, nats = Postgres(folder), Nats(folder)
        await postgres.make()
        for program in (postgres, nats):
            stack.push_async_callback(program.kill)
            await program.get_ready()
        await (await stores.connect(postgres.url)).close()
        workers = [
            await _wired(stack, folder, postgres, nats, command=command)
            for command in ["serve"] * WEB_WORKERS + ["work"] * BOT_WORKERS
        ]
        await asyncio.gather(*(wired.worker.get_ready() for wired in workers))
        yield Stage(postgres, nats, workers[:WEB_WORKERS], workers[WEB_WORKERS:])


async def _wired(stack: AsyncExitStack, folder: Path, postgres: Postgres, nats: Nats, *, command: str) -> Wired:
    async def wire(target: int) -> Proxy:
        return await stack.enter_async_context(Proxy(free_port(), target))

    store, bus, port = await wire(postgres.port), await wire(nats.port), free_port()
    database = f"postgresql://postgres@127.0.0.1:{store.port}/postgres"
    bots = 0 if command == "serve" else 1
    worker = Worker(folder, command, database, f"nats://127.0.0.1:{bus.port}", port, bots)
    stack.push_async_callback(worker.kill)
    return Wired(worker, store, bus, await wire(port) if command == "serve" else None)


# The proof


def prove(ask: Ask) -> Report:
    """Play at least so many games while faults happen."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    async with staged() as stage:
        store = await stores.connect(stage.postgres.url)
        try:
            run = Run(stage, store, ask)
            await run.go()
            run.failures += await judge_logs(store)
        finally:
            await store.close()
    diary = run.diary
    return Report(
        (
            Figure("broken", len(run.failures), at_most=0, words="promises that were not kept"),
            Figure("games", run.games, at_least=ask.size, words="all played to their end"),
            Figure("faults", len(run.happened), words=", ".join(sorted(set(run.happened)))),
            Figure("acks", diary.confirmed, words="confirmed, each found in a log once"),
            Figure("resent", diary.resent, words="said again on a new connection"),
            *_times("ack", diary.acks, "from a wish to its confirmation, through all faults"),
            *_times("return", diary.returns, "from a lost connection to the table again", RETURN_SECONDS),
            *_times("return_crash", diary.others["crash"], "the same, of a crash of the database", RETURN_AFTER_CRASH),
            *_times("return_restart", diary.others["restart"], "the same, when no web worker was left"),
        ),
        tuple(run.failures),
    )


def _times(name: str, seconds: Sequence[float], words: str, gate: float | None = None) -> list[Figure]:
    """Percentiles in milliseconds; the highest one is judged."""
    most = None if gate is None else gate * 1_000
    return [
        Figure(f"{name}_p50_ms", percentile(seconds, 50) * 1_000, words=f"{words} ({len(seconds):,})"),
        Figure(f"{name}_p90_ms", percentile(seconds, 90) * 1_000),
        Figure(f"{name}_p99_ms", percentile(seconds, 99) * 1_000, at_most=most, timed=True),
    ]


class Run:
    """Games on a stage, and what goes wrong meanwhile."""

    def __init__(self, stage: Stage, store: Store, ask: Ask) -> None:
        self.stage, self.ask = stage, ask
        self.diary = Diary()
        self.games = 0
        self.happened: list[str] = []
        self.failures: list[str] = []
        self._host = Host(store, LocalBus(), [], time.time)
        self._rng = Random(f"tables {ask.seed}")
        self._tables = wanted_tables(self._rng, Live(45, 3))

    async def go(self) -> None:
        """Play one table after another, several at once, as long as faults happen and until there were enough."""
        troubles = asyncio.create_task(self._trouble())
        await asyncio.gather(troubles, *(self._play_on(troubles) for _ in range(min(AT_ONCE, self.ask.size))))

    async def _trouble(self) -> None:
        """One fault after another, in an order of its own for each seed."""
        rng = Random(self.ask.seed)
        await asyncio.sleep(REST)
        for _ in progress(range(min(MOST_FAULTS, ceil(self.ask.size / GAMES_FOR_A_FAULT))), "faults"):
            kinds = [kind for kind in FAULTS if kind.__name__ not in self.happened] or list(FAULTS)
            kind = rng.choice(kinds)
            self.happened.append(kind.__name__)
            self.diary.chapter = CHAPTERS.get(kind.__name__, "")
            await kind(self.stage, rng)
            await asyncio.sleep(REST)

    async def _play_on(self, troubles: "asyncio.Task[None]") -> None:
        while self.games < self.ask.size or not troubles.done():
            self.games += 1
            party = await self._set()
            playing = asyncio.create_task(party.play())
            await asyncio.wait({playing, troubles}, return_when=asyncio.FIRST_COMPLETED)
            try:
                await asyncio.wait_for(playing, PATIENCE)
                await self._judge(party)
            except TimeoutError:
                self.failures.append(f"{party.game} does not come to its end: {party.standing}")
            except Broken as wrong:
                self.failures.append(str(wrong))

    async def _set(self) -> Party:
        """Set the next table, as soon as the store lets us."""
        while True:
            try:
                party = await set_table(self._host, next(self._tables), self.stage.doors, self.diary)
            except STORE_ERRORS:
                await asyncio.sleep(0.2)
                continue
            for client in party.clients:
                client.think = lambda: self._rng.uniform(0.05, 0.5)
                client.whim = lambda: "leave" if self._rng.random() < 0.003 else ""
            return party

    async def _judge(self, party: Party) -> None:
        while True:
            try:
                return await party.judge(self._host.store)
            except STORE_ERRORS:
                await asyncio.sleep(0.2)


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
)
