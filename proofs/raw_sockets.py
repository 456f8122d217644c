"""Sockets that cost next to nothing, so that the server is measured and not the client.

The moves of every table are scripted; incoming messages are only counted.
"""

import asyncio
import time
from collections.abc import Sequence
from hashlib import sha256
from typing import cast

from msgspec import Struct

from bench.server.paths import RULES, Script, write_script
from tessella.core import dice
from tessella.core.game import Seat
from tessella.server.people.identity import Person, add_person, add_session
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import sit
from tessella.table.log import Live, Opened

UPDATE, ACK, ERROR = b'"type":"update"', b'"type":"ack"', b'"type":"error"'
PING, PONG, MASKED = 0x89, 0x8A, 0x80
SHORT, TWO_BYTES = 125, 126

ANSWER_SECONDS = 120.0
SEATS = range(3)
HANDSHAKE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGVzc2VsbGEgdGVzc2VsbA==",
)


class Unfit(RuntimeError):
    """A server that does not answer as it must."""


class Line(asyncio.Protocol):
    """The socket of a client at a table."""

    def __init__(self) -> None:
        self.steps = 0
        self.is_open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[None] | None = None
        self._rest = b""

    @classmethod
    async def connect(cls, port: int, game: str, cookie: str) -> "Line":
        """Connect to a table, and wait until the server accepts."""
        _, line = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        head = (f"GET /api/games/{game}/socket HTTP/1.1", f"Host: 127.0.0.1:{port}", *HANDSHAKE)
        who = (f"Cookie: tessella={cookie}",) if cookie else ()
        assert line._transport is not None
        line._transport.write("\r\n".join((*head, *who, "", "")).encode())
        await asyncio.wait_for(line.is_open, ANSWER_SECONDS)
        line.say('{"type":"hello","have":-1}')
        return line

    def say(self, text: str) -> None:
        """Send a short message."""
        assert self._transport is not None
        self._transport.write(masked(text))

    async def play(self, key: str, number: int, move: str) -> float:
        """Move, and return the seconds until the confirmation."""
        began = time.monotonic()
        self._answer = asyncio.get_running_loop().create_future()
        self.say(f'{{"type":"play","key":"{key}","number":{number},"move":"{move}"}}')
        async with asyncio.timeout(ANSWER_SECONDS):
            await self._answer
        return time.monotonic() - began

    def close(self) -> None:
        """Disconnect."""
        if self._transport is not None:
            self._transport.abort()

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wake up everything that waits."""
        for future in (self.is_open, self._answer):
            if future is not None and not future.done():
                future.set_exception(exc or Unfit("the server has closed a socket"))

    def data_received(self, data: bytes) -> None:
        """Handle complete frames; the last may be incomplete."""
        if not self.is_open.done():
            if b" 101 " not in data[:20]:
                self.is_open.set_exception(Unfit(f"no socket: {data[:80]!r}"))
                return
            self.is_open.set_result(None)
            data = data[data.index(b"\r\n\r\n") + 4 :]
        data = self._rest + data
        start = 0
        while (ends := _frame(data, start)) is not None:
            body, end = ends
            if end > len(data):
                break
            self._hear(data[start], data[body:end])
            start = end
        self._rest = data[start:]

    def _hear(self, kind: int, message: bytes) -> None:
        """Answer pings, and count messages."""
        if kind == PING:
            assert self._transport is not None
            self._transport.write(bytes([PONG, MASKED | len(message), 0, 0, 0, 0]) + message)
        self.steps += UPDATE in message
        if self._answer is not None and not self._answer.done():
            if ERROR in message:
                self._answer.set_exception(Unfit(f"a move was refused: {message[:120]!r}"))
            elif ACK in message:
                self._answer.set_result(None)


def masked(text: str) -> bytes:
    """Return a short client message, masked with zeros."""
    return bytes([0x81, MASKED | len(text), 0, 0, 0, 0]) + text.encode()


def _frame(data: bytes, start: int) -> tuple[int, int] | None:
    """Return where the body of a frame begins and ends, if its header is complete."""
    if len(data) < start + 2:
        return None
    length, body = data[start + 1], start + 2
    if length > SHORT:
        body += 2 if length == TWO_BYTES else 8
        if len(data) < body:
            return None
        length = int.from_bytes(data[start + 2 : body])
    return body, body + length


class Guests(Struct, frozen=True):
    """Three people and their cookies."""

    people: tuple[Person, ...]
    cookies: tuple[str, ...]


async def invite_guests(host: Host) -> Guests:
    """Return three guests for one or several tables."""
    people = [await add_person(host.store, f"Guest {seat}", "guest") for seat in SEATS]
    return Guests(tuple(people), tuple([await add_session(host.store, person, "cookie") for person in people]))


class Scripted(Struct):
    """A table with scripted moves, and its four sockets."""

    script: Script
    guests: Guests
    first: int
    """The number of the first move's entry."""
    lines: list[Line] = []
    done: int = 0

    @classmethod
    async def set(cls, host: Host, game: str, moves: int, guests: Guests) -> "Scripted":
        """Open the table, seat the guests, and start the game."""
        script = await write_script(game, moves)
        promise = dice.commitment(game, script.seed).hex()
        room = await host.open(game, Opened(RULES, promise, Live(3_600, 0)), script.seed, listed=False)
        for seat, person in enumerate(guests.people):
            await sit(host, room, seat, person)
        await host.append(room, "start", lambda table, secret: table.start(secret))
        host.forget(room)
        return cls(script, guests, room.table.number)

    async def connect(self, port: int) -> None:
        """Connect three players and a spectator."""
        cookies: Sequence[str] = (*self.guests.cookies, "")
        self.lines = [await Line.connect(port, self.script.game, cookie) for cookie in cookies]

    async def move(self) -> float:
        """Make the next move, and return the seconds until its confirmation."""
        seat, text = self.script.moves[self.done]
        self.done += 1
        key = sha256(f"{self.script.game} {self.done}".encode()).hexdigest()[:16]
        return await self._mover(seat).play(key, self.first + self.done - 1, text)

    def _mover(self, seat: Seat) -> Line:
        return self.lines[seat]

    async def everybody_has_seen(self) -> None:
        """Wait until all four have received every move."""
        async with asyncio.timeout(ANSWER_SECONDS):
            while any(line.steps <= self.done for line in self.lines):
                await asyncio.sleep(0.002)

    def close(self) -> None:
        """Disconnect all four."""
        for line in self.lines:
            line.close()
