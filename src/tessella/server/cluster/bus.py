"""Notifications between workers: that a game has reached entry n, or who is connected to it.

Notifications are advisory: a worker that misses some reads the store, so losing all of them loses no move. No worker
waits for the bus: it connects and reconnects in the background, and what happens while it is down is not sent.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tessella.server.waiting import wait_for_event

if TYPE_CHECKING:  # one process needs neither
    import asyncpg
    from nats.aio.client import Client
    from nats.aio.msg import Msg

log = logging.getLogger(__name__)

Listener: TypeAlias = Callable[[str, str], None]
"""Called with the topic (a game, or a game and a worker) and the news of each notification."""

SUBJECT = "tessella.notifications"
CHANNEL = "tessella_notifications"
BATCH_SECONDS = 0.002
MOST_NOTIFICATIONS = 200
"""Per message: NOTIFY takes 8,000 bytes."""

STARTUP_SECONDS = 1.0
"""How long a starting worker waits for its bus before it goes on without it."""

CONNECT_SECONDS = 5.0
RETRY_SECONDS = 0.5
ANSWER_SECONDS = 5.0
"""A connection on which a message cannot be sent within this time is closed."""

IDLE_SECONDS = 5.0
"""How often an idle connection is checked."""

PING_SECONDS = 10
CLOSE_SECONDS = 1.0


class Bus(Protocol):
    """What every bus can do."""

    @property
    def is_connected(self) -> bool:
        """Whether notifications reach the other workers."""
        ...

    @property
    def connected_at(self) -> float:
        """When the bus was connected, by the clock of the event loop; infinity while it is not."""
        ...

    def notify(self, topic: str, news: str) -> None:
        """Notify the other workers soon, without waiting."""
        ...

    async def close(self) -> None:
        """Stop listening."""
        ...


class LocalBus:
    """The bus of a single process, which has no other workers to notify."""

    is_connected = True
    connected_at = -inf

    def notify(self, topic: str, news: str) -> None:
        """Do nothing: there is no other worker."""

    async def close(self) -> None:
        """Do nothing: no connection is open."""


class NotificationQueue:
    """Notifications that wait to be sent together; only the latest of each topic is kept."""

    def __init__(self) -> None:
        self._waiting: dict[str, str] = {}
        self.filled = asyncio.Event()

    def add(self, topic: str, news: str) -> None:
        """Queue a notification."""
        self._waiting[topic] = news
        self.filled.set()

    def take(self) -> str:
        """Remove and return the next message, with as many notifications as fit."""
        topics = list(self._waiting)[:MOST_NOTIFICATIONS]
        message = " ".join(f"{topic}={self._waiting.pop(topic)}" for topic in topics)
        if not self._waiting:
            self.filled.clear()
        return message

    def drop(self) -> None:
        """Drop all queued notifications."""
        self._waiting.clear()
        self.filled.clear()


def read_notifications(message: str) -> list[tuple[str, str]]:
    """Return the topics and news in a message; malformed parts are ignored."""
    parts = (word.partition("=") for word in message.split())
    return [(topic, news) for topic, equals, news in parts if topic and equals]


class Connection(Protocol):
    """A connection to the other workers."""

    @property
    def is_open(self) -> bool:
        """Whether the connection is open, as far as is known."""
        ...

    async def send(self, message: str) -> None:
        """Send a message to all other workers; an empty one checks the connection."""
        ...


Opener: TypeAlias = Callable[[Callable[[str], None], Callable[[], None]], AbstractAsyncContextManager[Connection]]
"""Connects and listens inside its block; calls the first function with each message, the second on disconnection."""


class RemoteBus:
    """A bus over the network, connected in the background as long as the worker runs."""

    def __init__(self, kind: str, opener: Opener, listener: Listener) -> None:
        self._kind = kind
        self._opener = opener
        self._listener = listener
        self._queue = NotificationQueue()
        self._up = asyncio.Event()
        self.connected_at = inf
        self._is_reported = False
        """Whether the log already says that the bus is unavailable."""
        self._task = asyncio.create_task(self._run())

    @property
    def is_connected(self) -> bool:
        """Whether notifications reach the other workers."""
        return self._up.is_set()

    async def wait(self, seconds: float) -> None:
        """Wait until the bus is connected, at most this long."""
        await wait_for_event(self._up, seconds)

    def notify(self, topic: str, news: str) -> None:
        """Notify the other workers soon; those that cannot be reached read the store later."""
        if self.is_connected:
            self._queue.add(topic, news)

    async def close(self) -> None:
        """Send what is queued and stop listening, without waiting long for a bus that does not answer."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                while self._queue.filled.is_set():
                    await asyncio.sleep(BATCH_SECONDS)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                async with self._opener(self._receive, self._queue.filled.set) as connection:
                    self._note_connected()
                    await self._send_until_lost(connection)
                self._note_unavailable()
            except Exception as exc:  # noqa: BLE001  the worker goes on and tries again
                self._note_unavailable(exc)
            await asyncio.sleep(RETRY_SECONDS)

    async def _send_until_lost(self, connection: Connection) -> None:
        """Send notifications until the connection is lost."""
        while connection.is_open:
            await wait_for_event(self._queue.filled, IDLE_SECONDS)
            await asyncio.sleep(BATCH_SECONDS)
            async with asyncio.timeout(ANSWER_SECONDS):
                await connection.send(self._queue.take())

    def _receive(self, message: str) -> None:
        for topic, news in read_notifications(message):
            self._listener(topic, news)

    def _note_connected(self) -> None:
        self._up.set()
        self.connected_at = asyncio.get_running_loop().time()
        self._is_reported = False
        log.info("bus connected", extra={"bus": self._kind})

    def _note_unavailable(self, exc: Exception | None = None) -> None:
        self._up.clear()
        self.connected_at = inf
        self._queue.drop()
        if not self._is_reported:
            self._is_reported = True
            why = exc.with_traceback(None) if exc else None
            log.warning("bus unavailable", exc_info=why, extra={"bus": self._kind})


# PostgreSQL


class NotifyConnection:
    """PostgreSQL NOTIFY, batched and outside transactions: inside them it would serialise all commits."""

    def __init__(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        self._connection = connection

    @property
    def is_open(self) -> bool:
        """Whether the connection is open, as far as is known."""
        return not self._connection.is_closed()

    async def send(self, message: str) -> None:
        """Send a message; PostgreSQL answers, so this also checks the connection."""
        await self._connection.execute("SELECT pg_notify($1, $2)", CHANNEL, message)


def notify_opener(url: str) -> Opener:
    """Return an opener for one connection to PostgreSQL."""
    import asyncpg  # noqa: PLC0415

    @asynccontextmanager
    async def opening(receive: Callable[[str], None], lost: Callable[[], None]) -> AsyncGenerator[NotifyConnection]:
        def on_notify(_connection: object, _pid: int, _channel: str, message: object) -> None:
            receive(str(message))

        connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await connection.add_listener(CHANNEL, on_notify)
            connection.add_termination_listener(lambda _: lost())
            yield NotifyConnection(connection)
        finally:
            connection.terminate()

    return opening


# NATS


class NatsConnection:
    """Core NATS: fire and forget, which is enough for notifications."""

    def __init__(self, client: "Client") -> None:
        self._client = client

    @property
    def is_open(self) -> bool:
        """Whether the connection is open, as far as is known: the client pings the server now and then."""
        return self._client.is_connected

    async def send(self, message: str) -> None:
        """Send a message."""
        if message:
            await self._client.publish(SUBJECT, message.encode())


def nats_opener(url: str) -> Opener:
    """Return an opener for a connection to one of the servers, separated by commas."""
    from nats.aio.client import Client  # noqa: PLC0415

    @asynccontextmanager
    async def opening(receive: Callable[[str], None], lost: Callable[[], None]) -> AsyncGenerator[NatsConnection]:
        async def on_message(message: "Msg") -> None:
            receive(message.data.decode())

        async def closed() -> None:
            lost()

        client = Client()
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await client.connect(  # pyright: ignore[reportUnknownMemberType]
                    url.split(","), **NATS_OPTIONS, error_cb=_ignore, closed_cb=closed
                )
                await client.subscribe(SUBJECT, cb=on_message)  # pyright: ignore[reportUnknownMemberType]
                await client.flush()
            yield NatsConnection(client)
        finally:
            with suppress(Exception):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await client.close()

    return opening


NATS_OPTIONS: Mapping[str, Any] = {
    "no_echo": True,
    "allow_reconnect": False,  # `RemoteBus` does, for both kinds of bus
    "max_reconnect_attempts": 1,
    "reconnect_time_wait": 0.1,
    "connect_timeout": 2,
    "ping_interval": PING_SECONDS,
    "max_outstanding_pings": 2,
}


async def _ignore(_exc: Exception) -> None:
    """Ignore errors: they are raised elsewhere, or end the connection."""


async def connect(url: str, listener: Listener) -> Bus:
    """Return the bus at `nats://…` or `postgresql://…`, or one without other workers for an empty URL.

    If the bus is unavailable, it is connected in the background as soon as it answers.
    """
    if not url:
        return LocalBus()
    kind = url.partition(":")[0]
    opener = {"nats": nats_opener, "postgresql": notify_opener}[kind](url)
    bus = RemoteBus(kind, opener, listener)
    await bus.wait(STARTUP_SECONDS)
    return bus
