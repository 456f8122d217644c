"""CPU time of a message through a socket, and the memory of an idle socket."""

import asyncio
import multiprocessing
import resource
import socket
import time
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from random import Random

import uvicorn
from msgspec import Struct
from starlette.types import Receive, Scope, Send

from bench.server.figures import Figure, Pair
from bench.server.paths import open_tables
from tessella.progress import progress
from tessella.server import store as stores
from tessella.server.http.app import make_app
from tessella.server.serve import Server
from tessella.server.settings import Settings

TURNS = 8
"""Alternations between ours and the yardstick within a slice: the load of the machine changes quickly."""

SOCKETS = 8
SOCKETS_AT_A_TABLE = 4
IDLE_SOCKETS = 2_000
PORTS = range(20_000, 30_000)
TIMEOUT_SECONDS = 30.0
"""Time for a server to start, or to answer."""

PING = '{"type":"ping","n":0}'
PONG = '{"type":"pong","n":0}'
_HANDSHAKE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGVzc2VsbGEgdGVzc2VsbA==",
)


class Process(Struct, frozen=True):
    """A server in a separate process."""

    pid: int
    port: int

    @property
    def cpu_seconds(self) -> float:
        """Return the CPU time that it has used."""
        return time.clock_gettime((~self.pid << 3) | 2)

    @property
    def resident_kib(self) -> float:
        """Return its resident memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1024


@contextmanager
def _process(serve: Callable[..., None], *arguments: str) -> Generator[Process]:
    """Run a server in a separate process."""
    with _listening() as listener:
        port: int = listener.getsockname()[1]
        process = multiprocessing.get_context("spawn").Process(target=serve, args=(listener, *arguments), daemon=True)
        process.start()
    try:
        assert process.pid is not None
        yield Process(process.pid, port)
    finally:
        process.terminate()
        process.join()


def _listening() -> socket.socket:
    """Return a socket on a free port."""
    rng = Random()  # noqa: S311
    while True:
        listener = socket.socket()
        try:
            listener.bind(("127.0.0.1", rng.choice(PORTS)))
        except OSError:
            listener.close()
        else:
            return listener


def _serve_tables(listener: socket.socket, database: str) -> None:
    """Run our server."""
    settings = Settings(database=database, bots=0)
    Server(settings, make_app(settings)).run([listener])


def _serve_bare(listener: socket.socket) -> None:
    """Run the yardstick: uvicorn with nothing on it."""
    config = uvicorn.Config(_answer, ws_per_message_deflate=False, lifespan="off", log_config=None)
    uvicorn.Server(config).run([listener])


async def _answer(_scope: Scope, receive: Receive, send: Send) -> None:
    """Answer every message as our server answers a ping."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": PONG})


def _connect(port: int, path: str) -> socket.socket:
    """Return a socket to the server, as soon as it listens."""
    head = (f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *_HANDSHAKE, "", "")
    connection = _reach(port)
    connection.sendall("\r\n".join(head).encode())
    answer = connection.recv(4096)
    if b" 101 " not in answer:
        raise ConnectionError(f"no socket at {path}: {answer!r}")
    return connection


def _reach(port: int) -> socket.socket:
    began = time.monotonic()
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS)
        except ConnectionRefusedError:
            if time.monotonic() - began > TIMEOUT_SECONDS:
                raise
            time.sleep(0.05)


def _ping(connections: Sequence[socket.socket]) -> None:
    """Send a message through each socket, and wait for the answers; other messages may come before and after."""
    for connection in connections:
        connection.sendall(_frame(PING))
    for connection in connections:
        heard = b""
        while PONG.encode() not in heard:
            more = connection.recv(4096)
            if not more:
                raise ConnectionError("the server has closed a socket")
            heard += more


def _frame(text: str) -> bytes:
    """Return a client's message as it travels, masked with zeros."""
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text.encode()


def _path(table: int) -> str:
    return f"/api/games/table-{table}/socket"


async def _open_tables(database: str, count: int) -> None:
    """Open tables to connect to."""
    store = await stores.connect(database)
    await open_tables(store, [f"table-{table}" for table in range(count)])
    await store.close()


class Framework:
    """A message and its answer: through our server, and through one that does nothing else."""

    def __init__(self, budget: float, ours: Process, bare: Process) -> None:
        self._budget = budget
        self._ours, self._bare = ours, bare
        self._pair = Pair()

    @classmethod
    @asynccontextmanager
    async def between(cls, budget: float, folder: Path) -> AsyncGenerator["Framework"]:
        """Run both servers."""
        database = f"sqlite:{folder / 'framework'}"
        await _open_tables(database, SOCKETS)
        with _process(_serve_tables, database) as ours, _process(_serve_bare) as bare:
            yield cls(budget, ours, bare)

    async def measure(self, number: int) -> None:  # noqa: ARG002
        """Send as many messages as the time allows, to either server alternately."""
        with ExitStack() as stack:
            ours, bare = (stack.enter_context(_client(process)) for process in (self._ours, self._bare))
            for _ in range(TURNS):
                ours.talk(self._budget / TURNS)
                bare.talk(self._budget / TURNS)
            self._pair.add(ours.cost, bare.cost)

    def figures(self) -> Sequence[Figure]:
        """Return the one figure."""
        return (self._pair.figure("framework", "{:.0f} µs a message and its answer; {:.0f} µs by bare uvicorn"),)


class Client:
    """A client with a few sockets, each at its own table."""

    def __init__(self, process: Process, connections: Sequence[socket.socket]) -> None:
        self._process = process
        self._connections = connections
        self._spent = 0.0
        self._messages = 0

    def talk(self, seconds: float) -> None:
        """Send messages and wait for their answers for `seconds`."""
        began, spent = time.monotonic(), self._process.cpu_seconds
        while time.monotonic() - began < seconds:
            _ping(self._connections)
            self._messages += len(self._connections)
        self._spent += self._process.cpu_seconds - spent

    @property
    def cost(self) -> float:
        """Return the server's CPU µs per message."""
        return self._spent * 1e6 / self._messages


@contextmanager
def _client(process: Process) -> Generator[Client]:
    with ExitStack() as stack:
        connections = [stack.enter_context(_connect(process.port, _path(table))) for table in range(SOCKETS)]
        _ping(connections)
        yield Client(process, connections)


async def weigh_idle_sockets(folder: Path) -> Figure:
    """Return how much a server's memory grows per idle socket."""
    count = min(IDLE_SOCKETS, _most_sockets())
    database = f"sqlite:{folder / 'idle'}"
    await _open_tables(database, count // SOCKETS_AT_A_TABLE + 1)
    with _process(_serve_tables, database) as process, ExitStack() as stack:
        first = [_connect(process.port, _path(0)) for _ in range(SOCKETS_AT_A_TABLE)]
        for connection in first:
            connection.close()
        before = await _settled_kib(process)
        for index in progress(range(count), "idle sockets"):
            stack.enter_context(_connect(process.port, _path(index // SOCKETS_AT_A_TABLE)))
        grown = await _settled_kib(process) - before
    return Figure("idle_socket_kib", grown / count, grown / count, count, "{:.1f} KiB each of {:,.0f} sockets")


def _most_sockets() -> int:
    """Return how many sockets one process may have open, less what it needs for itself."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return soft - 100


async def _settled_kib(process: Process) -> float:
    await asyncio.sleep(0.5)
    return process.resident_kib
