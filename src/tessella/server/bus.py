"""How workers hear of each other's tables: a hint that game g is now at entry n, or who is there.

The bus is a hint, never the truth. Who sees a gap reads the store; losing every message loses no move.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:  # whoever runs one process needs neither
    import asyncpg
    from nats.aio.client import Client
    from nats.aio.msg import Msg

Listener: TypeAlias = Callable[[str, str], None]
"""Hears a topic (a game, or a game and a worker) and its news."""

SUBJECT = "tessella.hints"
CHANNEL = "tessella_hints"
BATCH_SECONDS = 0.002
MOST_HINTS = 200
"""Hints of one message: NOTIFY takes 8,000 bytes."""


class Bus(Protocol):
    """What every bus can do."""

    def hint(self, topic: str, news: str) -> None:
        """Tell the other workers, soon; never wait for it."""
        ...

    async def close(self) -> None:
        """Stop listening."""
        ...


class LocalBus:
    """One process: everybody has heard already."""

    def hint(self, topic: str, news: str) -> None:
        """Nobody else needs to know."""

    async def close(self) -> None:
        """Nothing is open."""


class Hints:
    """Hints that wait to be sent together; of each topic only the latest counts."""

    def __init__(self) -> None:
        self._waiting: dict[str, str] = {}
        self.some = asyncio.Event()

    def add(self, topic: str, news: str) -> None:
        """Let a hint wait."""
        self._waiting[topic] = news
        self.some.set()

    def take(self) -> str:
        """The next message, with as many hints as it holds."""
        topics = list(self._waiting)[:MOST_HINTS]
        message = " ".join(f"{topic}={self._waiting.pop(topic)}" for topic in topics)
        if not self._waiting:
            self.some.clear()
        return message


def read_hints(message: str) -> list[tuple[str, str]]:
    """The hints in a message; what is not a hint is passed over."""
    parts = (word.partition("=") for word in message.split())
    return [(topic, news) for topic, equals, news in parts if topic and equals]


class NotifyBus:
    """PostgreSQL's NOTIFY, sent after the commit and several at once: inside it would serialise all commits."""

    def __init__(self, url: str, listener: Listener, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        self._url = url
        self._listener = listener
        self._connection = connection
        self._hints = Hints()
        self._task = asyncio.create_task(self._send())

    @classmethod
    async def connect(cls, url: str, listener: Listener) -> "NotifyBus":
        """Listen and speak through one connection, and through another whenever it is lost."""
        import asyncpg  # noqa: PLC0415

        bus = cls(url, listener, await asyncpg.connect(url))
        await bus._listen()
        return bus

    async def _listen(self) -> None:
        await self._connection.add_listener(CHANNEL, self._heard)
        self._connection.add_termination_listener(lambda _: self._hints.some.set())

    def _heard(self, _connection: object, _pid: int, _channel: str, message: object) -> None:
        for topic, news in read_hints(str(message)):
            self._listener(topic, news)

    def hint(self, topic: str, news: str) -> None:
        """Tell the other workers, soon."""
        self._hints.add(topic, news)

    async def close(self) -> None:
        """Stop listening."""
        self._task.cancel()
        await self._connection.close()

    async def _send(self) -> None:
        from asyncpg import InterfaceError, PostgresError, connect  # noqa: PLC0415

        while True:
            await self._hints.some.wait()
            await asyncio.sleep(BATCH_SECONDS)
            try:
                if self._connection.is_closed():
                    self._connection = await connect(self._url)
                    await self._listen()
                await self._connection.execute("SELECT pg_notify($1, $2)", CHANNEL, self._hints.take())
            except (PostgresError, InterfaceError, OSError):
                await asyncio.sleep(1)  # a lost hint is only a delay


class NatsBus:
    """Core NATS: fire and forget, which is all that a hint needs."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._hints = Hints()
        self._task = asyncio.create_task(self._send())

    @classmethod
    async def connect(cls, url: str, listener: Listener) -> "NatsBus":
        """Connect, and go on trying whenever the connection is lost."""
        import nats  # noqa: PLC0415

        client: Client = await nats.connect(  # pyright: ignore[reportUnknownMemberType]
            url, max_reconnect_attempts=-1, reconnect_time_wait=0.5, error_cb=_ignore, no_echo=True
        )

        async def heard(message: "Msg") -> None:
            for topic, news in read_hints(message.data.decode()):
                listener(topic, news)

        await client.subscribe(SUBJECT, cb=heard)  # pyright: ignore[reportUnknownMemberType]
        return cls(client)

    def hint(self, topic: str, news: str) -> None:
        """Tell the other workers, soon."""
        self._hints.add(topic, news)

    async def close(self) -> None:
        """Stop listening."""
        self._task.cancel()
        await self._client.close()

    async def _send(self) -> None:
        from nats.errors import Error as NatsError  # noqa: PLC0415

        while True:
            await self._hints.some.wait()
            await asyncio.sleep(BATCH_SECONDS)
            try:
                await self._client.publish(SUBJECT, self._hints.take().encode())
            except (NatsError, OSError):
                await asyncio.sleep(0.5)  # a lost hint is only a delay


async def _ignore(_wrong: Exception) -> None:
    """Lost connections are retried by the client itself; nothing is lost with them."""


async def connect(url: str, listener: Listener) -> Bus:
    """Open the bus at `nats://…`, `postgresql://…`, or none for one process."""
    if url.startswith("nats:"):
        return await NatsBus.connect(url, listener)
    if url.startswith("postgresql:"):
        return await NotifyBus.connect(url, listener)
    return LocalBus()
