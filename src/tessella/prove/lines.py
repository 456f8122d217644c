"""Sockets that cost their owner next to nothing, so that a server is measured and not who measures it.

The moves of every table are written down beforehand; nobody reads what comes but for counting it.
"""

import asyncio
import time
from collections.abc import Sequence
from hashlib import sha256
from typing import cast

from msgspec import Struct

from tessella.bench.server.paths import RULES, Script, write_script
from tessella.core import dice
from tessella.core.game import Seat
from tessella.server.entries import Live, Opened
from tessella.server.host import Host
from tessella.server.opening import sit
from tessella.server.people import Person, add_person, add_session

STEP, ACK, REFUSAL = b'"type":"step"', b'"type":"ack"', b'"type":"refusal"'
PING, PONG, MASKED = 0x89, 0x8A, 0x80
SHORT, TWO_BYTES = 125, 126

PATIENCE = 60.0
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
    """A socket of somebody at a table."""

    def __init__(self) -> None:
        self.steps = 0
        self.is_open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[None] | None = None
        self._rest = b""

    @classmethod
    async def connect(cls, port: int, game: str, cookie: str) -> "Line":
        """Come to a table, and wait until one is let in."""
        _, line = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        head = (f"GET /api/games/{game}/socket HTTP/1.1", f"Host: 127.0.0.1:{port}", *HANDSHAKE)
        who = (f"Cookie: tessella={cookie}",) if cookie else ()
        assert line._transport is not None
        line._transport.write("\r\n".join((*head, *who, "", "")).encode())
        await asyncio.wait_for(line.is_open, PATIENCE)
        line.say('{"type":"hello","have":-1}')
        return line

    def say(self, text: str) -> None:
        """Send a short message."""
        assert self._transport is not None
        self._transport.write(masked(text))

    async def play(self, key: str, number: int, move: str) -> float:
        """Make a move, and wait until it is confirmed; give the seconds that it took."""
        began = time.monotonic()
        self._answer = asyncio.get_running_loop().create_future()
        self.say(f'{{"type":"play","key":"{key}","number":{number},"move":"{move}"}}')
        async with asyncio.timeout(PATIENCE):
            await self._answer
        return time.monotonic() - began

    def close(self) -> None:
        """Go."""
        if self._transport is not None:
            self._transport.abort()

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The server has taken the call."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Who waits need not wait any more."""
        for future in (self.is_open, self._answer):
            if future is not None and not future.done():
                future.set_exception(exc or Unfit("the server has closed a socket"))

    def data_received(self, data: bytes) -> None:
        """Take the frames one by one; the last may not be whole yet."""
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

    def _hear(self, kind: int, told: bytes) -> None:
        """Answer who asks whether we are there; count what is told."""
        if kind == PING:
            assert self._transport is not None
            self._transport.write(bytes([PONG, MASKED | len(told), 0, 0, 0, 0]) + told)
        self.steps += STEP in told
        if self._answer is not None and not self._answer.done():
            if REFUSAL in told:
                self._answer.set_exception(Unfit(f"a move was refused: {told[:120]!r}"))
            elif ACK in told:
                self._answer.set_result(None)


def masked(text: str) -> bytes:
    """A short message as a client sends it: by a mask that changes nothing."""
    return bytes([0x81, MASKED | len(text), 0, 0, 0, 0]) + text.encode()


def _frame(data: bytes, start: int) -> tuple[int, int] | None:
    """Where the body of a frame begins and where it ends, if its head is there."""
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
    """Three people for a table, or for a few."""
    people = [await add_person(host.store, f"Guest {seat}", "guest") for seat in SEATS]
    return Guests(tuple(people), tuple([await add_session(host.store, person, "cookie") for person in people]))


class Scripted(Struct):
    """A table whose moves are known, and the four sockets at it."""

    script: Script
    guests: Guests
    first: int
    """The number of the first move's entry."""
    lines: list[Line] = []
    done: int = 0

    @classmethod
    async def set(cls, host: Host, game: str, moves: int, guests: Guests) -> "Scripted":
        """Set the table, let the guests sit down, and start the game."""
        script = await write_script(game, moves)
        promise = dice.commitment(game, script.seed).hex()
        room = await host.open(game, Opened(RULES, promise, Live(3_600, 0)), script.seed, listed=False)
        for seat, person in enumerate(guests.people):
            await sit(host, room, seat, person)
        await host.append(room, "start", lambda table, secret: table.start(secret))
        host.forget(room)
        return cls(script, guests, room.table.number)

    async def connect(self, port: int) -> None:
        """Three players and somebody who watches come to the table."""
        cookies: Sequence[str] = (*self.guests.cookies, "")
        self.lines = [await Line.connect(port, self.script.game, cookie) for cookie in cookies]

    async def move(self) -> float:
        """Make the next move; give the seconds to its confirmation."""
        seat, text = self.script.moves[self.done]
        self.done += 1
        key = sha256(f"{self.script.game} {self.done}".encode()).hexdigest()[:16]
        return await self._mover(seat).play(key, self.first + self.done - 1, text)

    def _mover(self, seat: Seat) -> Line:
        return self.lines[seat]

    async def everybody_has_seen(self) -> None:
        """Wait until all four have been told of every move."""
        async with asyncio.timeout(PATIENCE):
            while any(line.steps <= self.done for line in self.lines):
                await asyncio.sleep(0.002)

    def close(self) -> None:
        """Everybody goes."""
        for line in self.lines:
            line.close()
