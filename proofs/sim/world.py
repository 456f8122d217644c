"""A deterministic world: its own time, processes, network, bus and database, the same for the same seed.

What runs in it is real: the tables, hosts, housekeeping, bots and socket connections of the server, and the SQL of its
store. What surrounds them is simulated: time jumps to the next event, and messages are late, lost or duplicated by the
dice of the world. A crashed process is not stopped: nothing that it does has an effect any more.
"""

import asyncio
import selectors
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from contextlib import AsyncExitStack
from functools import partial
from math import inf
from random import Random
from typing import Any, TypeAlias, TypeVar

import msgspec
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from proofs.client_model import decoder
from tessella.core import wire
from tessella.protocol.messages import FromClient, FromServer, TableView
from tessella.server.cluster import heartbeats
from tessella.server.http.sockets import Connection
from tessella.server.people.identity import Person
from tessella.server.rooms.commands import Caller
from tessella.server.rooms.host import Host
from tessella.server.services.bot_runner import BotRunner
from tessella.server.services.housekeeping import Housekeeper
from tessella.server.services.retention import Retention
from tessella.server.settings import Settings
from tessella.server.store import Write
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.store.schema import metadata
from tessella.server.store.sqlite import ByStatements, Statements

T = TypeVar("T")
Message: TypeAlias = MutableMapping[str, Any]

BEGINNING = 1_000_000.0
"""Small enough that a microsecond is not lost in rounding."""

WORKERS = 3
SETTINGS = Settings(database="sqlite:none", bots=1)


class Stuck(AssertionError):
    """A task waits, but no event is scheduled."""


class Loop(asyncio.SelectorEventLoop):
    """An event loop that never waits: its time is that of the next event."""

    def __init__(self, rng: Random) -> None:
        self._now = BEGINNING
        self._rng = rng
        super().__init__(_Leap(self._leap))

    def time(self) -> float:
        """Return the time of this world."""
        return self._now

    def _leap(self, seconds: float) -> None:
        self._now += seconds

    def run_in_executor(  # type: ignore[override]
        self,
        executor: object,  # noqa: ARG002
        func: Callable[..., T],
        *args: Any,
    ) -> "asyncio.Future[T]":
        """Run the function now and deliver its result later: real threads would not be deterministic."""
        future: asyncio.Future[T] = self.create_future()
        self.call_later(self._rng.uniform(0.001, 0.3), _finish, future, func(*args))
        return future


class _Leap(selectors.DefaultSelector):
    """A selector that waits for nothing outside: there is no outside."""

    def __init__(self, leap: Callable[[float], None]) -> None:
        super().__init__()
        self._leap = leap

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Stuck("nothing is planned any more")
        self._leap(max(0.0, timeout))
        return []


def _finish(future: "asyncio.Future[T]", result: T) -> None:
    if not future.done():
        future.set_result(result)


class World:
    """Everything that surrounds the workers, and how it fails."""

    def __init__(self, seed: int, settings: Settings = SETTINGS, *, retains: bool = False) -> None:
        self.seed = seed
        self.settings = settings
        self.retains = retains
        """Whether workers remove what is too old."""
        self.loop = Loop(self.dice("threads"))
        self.file = Statements(_fresh_file(), self.loop.time)
        self.workers = [Worker(self, f"w{number}") for number in range(WORKERS)]
        self.is_noisy = True
        """Whether messages are late, lost and duplicated at all."""
        self.store_is_away = False
        self.bus_is_away = False
        self.committed: Callable[[str], None] = lambda _game: None
        self.failed: Callable[[BaseException], None] = lambda _wrong: None
        """Called with an exception that a worker raised and did not catch."""
        self._nobody_since: float | None = self.loop.time()
        self.downtimes: list[tuple[float, float]] = []
        """When no worker could reach the store."""
        self._abandoned: list[asyncio.Future[None]] = []
        self._is_ending = False
        self._links = 0

    def dice(self, what: str) -> Random:
        """Return separate dice for each purpose, so that no result depends on the order of rolls."""
        return Random(f"{self.seed} {what}")

    def now(self) -> float:
        """Return the time by the clock of the database."""
        return self.loop.time()

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task, and report if it fails."""
        self.loop.create_task(work).add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and (failure := task.exception()) is not None:
            self.failed(failure)

    async def never(self) -> None:
        """Wait without end, like a process that is gone; ends with the world."""
        if self._is_ending:
            raise asyncio.CancelledError
        self._abandoned.append(self.loop.create_future())
        await self._abandoned[-1]

    def run(self, play: Awaitable[T]) -> T:
        """Run the world until the play is over; then end everything in it."""
        try:
            return self.loop.run_until_complete(play)
        finally:
            self._end()

    def _end(self) -> None:
        self._is_ending = True
        tasks = asyncio.all_tasks(self.loop)
        for worker in self.workers:
            worker.life.is_dead = False  # so that what is cancelled can end
        for task in tasks:
            task.cancel()
        self.is_noisy = self.store_is_away = False
        if tasks:
            self.loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self.loop.close()
        self.file.connection.close()

    # Faults

    def notice(self) -> None:
        """Record since when no worker could serve."""
        somebody = not self.store_is_away and any(worker.life.is_serving for worker in self.workers)
        if somebody and self._nobody_since is not None:
            self.downtimes.append((self._nobody_since, self.now()))
            self._nobody_since = None
        elif not somebody and self._nobody_since is None:
            self._nobody_since = self.now()

    # The bus

    def notify(self, sender: "Life", topic: str, news: str) -> None:
        """Notify all other workers: perhaps late, twice or never."""
        for worker in self.workers:
            if worker.life is sender or sender.is_dead or self.bus_is_away:
                continue
            for delay in _deliveries(sender.rng, noisy=self.is_noisy):
                self.loop.call_later(delay, worker.hear, topic, news)

    # The network

    def connect(self, worker: "Worker", game: str, person: Person | None) -> "Link":
        """Return a new connection to a worker, as soon as the worker has accepted; cut if none answers there."""
        self._links += 1
        link = Link(self, worker, self._links)
        worker.accept(link, game, Caller(person) if person else None)
        return link


def _deliveries(rng: Random, *, noisy: bool) -> list[float]:
    """Return the delays after which a notification arrives, one per arrival."""
    if not noisy:
        return [rng.uniform(0.001, 0.005)]
    arrivals = rng.choices([0, 1, 2], [10, 85, 5])[0]
    return [rng.uniform(0.001, 0.02) if rng.random() < 0.95 else rng.uniform(0.5, 5) for _ in range(arrivals)]


def _fresh_file() -> sqlite3.Connection:
    """Return an empty database in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
    metadata.create_all(engine)
    return connection


# Workers


class Life:
    """One life of a worker process, from its start to its crash."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.rng = world.dice(f"life {name}")
        self.host: Host | None = None
        self.links: set[Link] = set()
        self.is_dead = False
        self.is_cut_off = False
        self.asleep_until = 0.0
        self.skew = 0.0

    @property
    def is_serving(self) -> bool:
        """Whether players can be served here."""
        is_here = self.host is not None and not self.is_dead and not self.is_cut_off
        return is_here and self.world.now() >= self.asleep_until

    def clock(self) -> float:
        """Return the worker's own clock, which may be wrong."""
        return self.world.now() + self.skew

    async def be_awake(self) -> None:
        """Wait while the process is suspended."""
        while self.world.now() < self.asleep_until:
            await asyncio.sleep(self.asleep_until - self.world.now() + 0.001)

    async def go_on(self) -> None:
        """Start, as often as it takes, and live until the crash."""
        while not self.is_dead:
            try:
                await self._live()
            except STORE_ERRORS:
                await asyncio.sleep(1)

    async def _live(self) -> None:
        store = FarStore(self.world, self)
        host = Host(store, FarBus(self), await heartbeats.end_outage(store), self.clock)
        host.worker = self.name
        thinker = partial(BotRunner, rng=self.world.dice(f"bot {self.name}"))
        async with AsyncExitStack() as working:
            await working.enter_async_context(Housekeeper(host, self.world.settings, thinker))
            if self.world.retains:
                await working.enter_async_context(Retention(host, self.world.settings))
            self.host = host
            self.world.notice()
            await self.world.never()


class Worker:
    """A worker that is started again after a crash."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.life = Life(world, name)
        self._lives = 0

    def start(self) -> None:
        """Begin a new life."""
        self._lives += 1
        self.life = Life(self.world, f"{self.name}-{self._lives}")
        self.world.begin(self.life.go_on())

    def crash(self) -> None:
        """Crash: from now on nothing that it does has an effect."""
        self.life.is_dead = True
        self.cut_links()
        self.world.notice()

    def cut_links(self) -> None:
        """Cut the connections of all clients."""
        for link in sorted(self.life.links, key=lambda link: link.number):
            link.cut()

    def hear(self, topic: str, news: str) -> None:
        """Receive a notification."""
        life = self.life
        if life.host is not None and not life.is_dead and self.world.now() >= life.asleep_until:
            life.host.receive(topic, news)

    def accept(self, link: "Link", game: str, caller: Caller | None) -> None:
        """Accept a client's connection."""
        self.life.links.add(link)
        link.life = self.life
        self.world.begin(self._serve(self.life, link, game, caller))

    async def read(self, game: str) -> TableView | None:
        """Return the HTTP answer to a spectator; None without one."""
        life = self.life
        await asyncio.sleep(life.rng.uniform(0.001, 0.02))
        await life.be_awake()
        try:
            room = await life.host.current(game) if life.host is not None and not life.is_dead else None
        except STORE_ERRORS:
            return None
        if room is None or life.is_dead:
            return None
        return msgspec.json.decode(wire.encode(room.view_for(None, life.clock())), type=TableView)

    async def _serve(self, life: Life, link: "Link", game: str, caller: Caller | None) -> None:
        await asyncio.sleep(link.rng.uniform(0.001, 0.02))
        await life.be_awake()
        try:
            room = await life.host.room(game) if life.host is not None and not life.is_dead else None
            if room is not None and life.host is not None:
                room = await life.host.room(game) or room
                await Connection(life.host, room, caller, link.receive, link.send).run()
        except STORE_ERRORS:
            pass  # as a web server answers an exception: the connection ends
        finally:
            link.cut()


class FarBus:
    """The bus as one worker sees it."""

    is_connected = True
    connected_at = -inf

    def __init__(self, life: Life) -> None:
        self._life = life

    def notify(self, topic: str, news: str) -> None:
        """Notify the other workers, soon."""
        self._life.world.notify(self._life, topic, news)

    async def close(self) -> None:
        """Do nothing: nothing is open."""


class FarStore(ByStatements):
    """The store as one worker sees it: a request may get lost on its way, or the answer on its way back."""

    is_shared = True

    def __init__(self, world: World, life: Life) -> None:
        self._world = world
        self._life = life

    async def append(self, write: Write) -> float | None:
        """Append an entry if its number is still free; return the time, or None if it came too late."""
        return await self._do(lambda file: self._append(file, write))

    def _append(self, file: Statements, write: Write) -> float | None:
        at = file.append(write)
        if at is not None:
            self._world.loop.call_soon(self._world.committed, write.game)
        return at

    async def now(self) -> float:
        """Return the clock of the database."""
        return await self._do(lambda file: file.now())

    async def scrub(self) -> None:
        """Do nothing: nothing is erased here."""

    async def close(self) -> None:
        """Do nothing: nothing is open."""

    async def _do(self, task: Callable[[Statements], T]) -> T:
        """Travel there, run and commit, and travel back."""
        rng, noisy = self._life.rng, self._world.is_noisy
        fate = rng.random() if noisy else 1.0
        await self._travel()
        if self._life.is_dead and rng.random() < 0.5:
            await self._world.never()
        if fate < 0.002:
            raise ConnectionResetError("the request was lost")
        result = self._commit(task)
        if fate < 0.004:
            raise ConnectionResetError("the answer was lost")
        await self._travel()
        if self._life.is_dead:
            await self._world.never()
        return result

    async def _travel(self) -> None:
        """Travel for a while; an unavailable store refuses at once or hangs."""
        rng = self._life.rng
        await asyncio.sleep(rng.uniform(0.0003, 0.003) if rng.random() < 0.98 else rng.uniform(0.05, 0.5))
        await self._life.be_awake()
        while self._world.store_is_away or self._life.is_cut_off:
            if rng.random() < 0.3:
                raise ConnectionRefusedError("the store is away")
            await asyncio.sleep(rng.uniform(0.5, 1.5))

    def _commit(self, task: Callable[[Statements], T]) -> T:
        file = self._world.file
        file.connection.execute("BEGIN IMMEDIATE")
        try:
            result = task(file)
        except sqlite3.Error:
            file.connection.execute("ROLLBACK")
            raise
        file.connection.execute("COMMIT")
        return result


# Connections


class Link:
    """A connection between a client and a worker: in order, perhaps late; a client's message perhaps twice."""

    def __init__(self, world: World, worker: Worker, number: int) -> None:
        self.world = world
        self.worker = worker
        self.number = number
        self.rng = world.dice(f"link {number}")
        self.life = worker.life
        self.is_cut = False
        self.is_half_open = False
        """Whether both sides take it for open, although nothing passes."""
        self._to_worker: asyncio.Queue[Message] = asyncio.Queue()
        self._to_client: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._last = {"worker": 0.0, "client": 0.0}

    # The worker's side, as an ASGI server offers it

    async def receive(self) -> Message:
        """Return the client's next message."""
        message = await self._to_worker.get()
        await self.life.be_awake()
        return message

    async def send(self, message: Message) -> None:
        """Send the client a message, or close."""
        if self.is_cut:
            raise ConnectionResetError("the client has gone")
        if message["type"] == "websocket.send":
            self._deliver("client", self._to_client, message["text"].encode())

    # The client's side

    def say(self, message: FromClient) -> None:
        """Send the worker a message."""
        packed = {"type": "websocket.receive", "text": msgspec.json.encode(message).decode()}
        for _ in range(2 if self.world.is_noisy and self.rng.random() < 0.02 else 1):
            self._deliver("worker", self._to_worker, packed)

    async def hear(self) -> FromServer | None:
        """Return the worker's next message; None when the connection has been cut."""
        data = await self._to_client.get()
        return None if data is None else decoder.decode(data)

    def cut(self) -> None:
        """Cut it: both sides learn of it; what was under way is lost."""
        if not self.is_cut:
            self.is_cut = True
            self.life.links.discard(self)
            self._to_worker.put_nowait({"type": "websocket.disconnect"})
            self._to_client.put_nowait(None)

    def _deliver(self, side: str, queue: "asyncio.Queue[Any]", message: Any) -> None:
        late = self.rng.uniform(0.001, 0.03) if self.rng.random() < 0.97 else self.rng.uniform(0.1, 2)
        self._last[side] = max(self._last[side] + 1e-6, self.world.now() + late)
        self.world.loop.call_at(self._last[side], self._arrive, queue, message)

    def _arrive(self, queue: "asyncio.Queue[Any]", message: Any) -> None:
        if not self.is_cut and not self.is_half_open and not self.life.is_dead:
            queue.put_nowait(message)
