"""A small world that goes the same way for the same seed: its own time, processes, network, bus and database.

What plays in it is real: the tables, hosts, keepers, bots and socket connections of the server, and the SQL of its
store. What surrounds them is invented: time jumps to whatever is planned next, and messages are late, lost or doubled
as the dice of the world say. A process that has crashed is not stopped: nothing that it does reaches anybody any more.
"""

import asyncio
import selectors
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from functools import partial
from random import Random
from typing import Any, TypeAlias, TypeVar

import msgspec
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from tessella.prove.player import decoder
from tessella.server import beats
from tessella.server.app import Connection
from tessella.server.host import Host
from tessella.server.keeper import Keeper
from tessella.server.messages import FromClient, FromServer
from tessella.server.people import Person
from tessella.server.sessions import Caller
from tessella.server.settings import Settings
from tessella.server.store import Write
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.store.schema import metadata
from tessella.server.store.sqlite import ByStatements, Statements
from tessella.server.thinker import Thinker

T = TypeVar("T")
Message: TypeAlias = MutableMapping[str, Any]

BEGINNING = 1_000_000.0
"""Small enough that a microsecond is not lost in rounding."""

WORKERS = 3


class Stuck(AssertionError):
    """Nothing is planned any more, and yet somebody waits."""


class Loop(asyncio.SelectorEventLoop):
    """An event loop that never waits: its time is that of whatever comes next."""

    def __init__(self, rng: Random) -> None:
        self._now = BEGINNING
        self._rng = rng
        super().__init__(_Leap(self._leap))

    def time(self) -> float:
        """The time of this world."""
        return self._now

    def _leap(self, seconds: float) -> None:
        self._now += seconds

    def run_in_executor(  # type: ignore[override]
        self,
        executor: object,  # noqa: ARG002
        func: Callable[..., T],
        *args: Any,
    ) -> "asyncio.Future[T]":
        """Threads would come and go as they like: do the work now, and let its result come later."""
        future: asyncio.Future[T] = self.create_future()
        self.call_later(self._rng.uniform(0.001, 0.3), _finish, future, func(*args))
        return future


class _Leap(selectors.DefaultSelector):
    """Waits for nothing outside: there is no outside."""

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
    """Everything that surrounds the workers, and how it misbehaves."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.loop = Loop(self.dice("threads"))
        self.file = Statements(_fresh_file(), self.loop.time)
        self.workers = [Worker(self, f"w{number}") for number in range(WORKERS)]
        self.is_noisy = True
        """Whether messages are late, lost and doubled at all."""
        self.store_is_away = False
        self.bus_is_away = False
        self.committed: Callable[[str], None] = lambda _game: None
        self.failed: Callable[[BaseException], None] = lambda _wrong: None
        """Told of what is raised in a worker, and caught by nobody."""
        self._nobody_since: float | None = self.loop.time()
        self.downtimes: list[tuple[float, float]] = []
        """When no worker could reach the store."""
        self._abandoned: list[asyncio.Future[None]] = []
        self._links = 0

    def dice(self, what: str) -> Random:
        """Dice of its own for everything, so that nothing depends on who throws first."""
        return Random(f"{self.seed} {what}")

    def now(self) -> float:
        """The time by the clock of the database."""
        return self.loop.time()

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something go on by itself, and tell if it fails."""
        self.loop.create_task(work).add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and (wrong := task.exception()) is not None:
            self.failed(wrong)

    async def never(self) -> None:
        """Wait without end, like a process that is no more."""
        self._abandoned.append(self.loop.create_future())
        await self._abandoned[-1]

    def run(self, play: Awaitable[T]) -> T:
        """Let the world go on until the play is over; then everything in it ends."""
        try:
            return self.loop.run_until_complete(play)
        finally:
            self._end()

    def _end(self) -> None:
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
        """Write down since when nobody could have served anybody."""
        somebody = not self.store_is_away and any(worker.life.is_serving for worker in self.workers)
        if somebody and self._nobody_since is not None:
            self.downtimes.append((self._nobody_since, self.now()))
            self._nobody_since = None
        elif not somebody and self._nobody_since is None:
            self._nobody_since = self.now()

    # The bus

    def hint(self, sender: "Life", topic: str, news: str) -> None:
        """Tell all other workers: perhaps late, twice or never."""
        for worker in self.workers:
            if worker.life is sender or sender.is_dead or self.bus_is_away:
                continue
            for delay in _deliveries(sender.rng, noisy=self.is_noisy):
                self.loop.call_later(delay, worker.hear, topic, news)

    # The network

    def connect(self, worker: "Worker", game: str, person: Person | None) -> "Link":
        """A new connection to a worker, as soon as the worker has heard of it; cut if nobody answers there."""
        self._links += 1
        link = Link(self, worker, self._links)
        worker.accept(link, game, Caller(person) if person else None)
        return link


def _deliveries(rng: Random, *, noisy: bool) -> list[float]:
    """After how many seconds a hint arrives, each time that it does."""
    if not noisy:
        return [rng.uniform(0.001, 0.005)]
    arrivals = rng.choices([0, 1, 2], [10, 85, 5])[0]
    return [rng.uniform(0.001, 0.02) if rng.random() < 0.95 else rng.uniform(0.5, 5) for _ in range(arrivals)]


def _fresh_file() -> sqlite3.Connection:
    """An empty database of ours in memory."""
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
        """The worker's own clock, which may be wrong."""
        return self.world.now() + self.skew

    async def be_awake(self) -> None:
        """Wait as long as the process is stopped."""
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
        host = Host(store, FarBus(self), await beats.arrive(store), self.clock)
        host.worker = self.name
        thinker = partial(Thinker, rng=self.world.dice(f"bot {self.name}"))
        async with Keeper(host, Settings(database="sqlite:none", bots=1), thinker):
            self.host = host
            self.world.notice()
            await self.world.never()


class Worker:
    """A worker that is started again when it has crashed."""

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
        """From one moment to the next nothing that it does reaches anybody."""
        self.life.is_dead = True
        self.cut_links()
        self.world.notice()

    def cut_links(self) -> None:
        """All clients lose their connections."""
        for link in sorted(self.life.links, key=lambda link: link.number):
            link.cut()

    def hear(self, topic: str, news: str) -> None:
        """A hint arrives."""
        life = self.life
        if life.host is not None and not life.is_dead and self.world.now() >= life.asleep_until:
            life.host.hear(topic, news)

    def accept(self, link: "Link", game: str, caller: Caller | None) -> None:
        """Somebody connects."""
        self.life.links.add(link)
        link.life = self.life
        self.world.begin(self._serve(self.life, link, game, caller))

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

    def __init__(self, life: Life) -> None:
        self._life = life

    def hint(self, topic: str, news: str) -> None:
        """Tell the other workers, soon."""
        self._life.world.hint(self._life, topic, news)

    async def close(self) -> None:
        """Nothing is open."""


class FarStore(ByStatements):
    """The store as one worker sees it: a request may get lost on its way, or the answer on its way back."""

    def __init__(self, world: World, life: Life) -> None:
        self._world = world
        self._life = life

    async def append(self, write: Write) -> float | None:
        """Append an entry if its number is still free; give the time, or None if it came too late."""
        return await self._do(lambda file: self._append(file, write))

    def _append(self, file: Statements, write: Write) -> float | None:
        at = file.append(write)
        if at is not None:
            self._world.loop.call_soon(self._world.committed, write.game)
        return at

    async def now(self) -> float:
        """The clock of the database."""
        return await self._do(lambda file: file.now())

    async def scrub(self) -> None:
        """Nobody is forgotten here."""

    async def close(self) -> None:
        """Nothing is open."""

    async def _do(self, task: Callable[[Statements], T]) -> T:
        """There, done and committed, and back."""
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
        """Be on the way; a store that is away refuses at once or lets everybody hang."""
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
    """A connection between a client and a worker: in order, perhaps late; a message of a client perhaps twice."""

    def __init__(self, world: World, worker: Worker, number: int) -> None:
        self.world = world
        self.worker = worker
        self.number = number
        self.rng = world.dice(f"link {number}")
        self.life = worker.life
        self.is_cut = False
        self.is_half_open = False
        """Whether both sides believe in it, and nothing passes."""
        self._to_worker: asyncio.Queue[Message] = asyncio.Queue()
        self._to_client: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._last = {"worker": 0.0, "client": 0.0}

    # The worker's side, as an ASGI server offers it

    async def receive(self) -> Message:
        """The next message of the client."""
        message = await self._to_worker.get()
        await self.life.be_awake()
        return message

    async def send(self, message: Message) -> None:
        """Send the client a message, or say goodbye."""
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
        """The next message of the worker; None when the connection has been cut."""
        data = await self._to_client.get()
        return None if data is None else decoder.decode(data)

    def cut(self) -> None:
        """Both sides learn that it is over; what was on its way is lost."""
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
