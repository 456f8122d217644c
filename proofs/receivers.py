"""Receivers of webhooks on loopback that fail, hang or answer late, and remember what came and when."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

from msgspec import Struct

HANG_SECONDS = 3_600.0


class Behaviour(Struct, frozen=True):
    """How a receiver answers one request: after a while, with a status, having taken it or not."""

    status: int = 200
    wait: float = 0.0
    takes: bool = True
    """Whether what the request says becomes visible."""


HANGS = Behaviour(0, HANG_SECONDS, takes=False)


class Request(Struct, frozen=True):
    """A request as it came, and when."""

    line: str
    headers: dict[str, str]
    body: bytes
    at: float
    behaviour: Behaviour

    @property
    def id(self) -> str:
        """The id by which a repeated message is recognised, or what the request says if it has none."""
        return self.headers.get("webhook-id") or f"{self.line} {self.body.decode('latin-1')}"


Behave: TypeAlias = Callable[[int], Behaviour]
"""How a receiver answers the nth request with the same id, from 0 on."""


class Receiver:
    """A real HTTP server on loopback."""

    def __init__(self, behave: Behave) -> None:
        self.behave = behave
        self.requests: list[Request] = []
        self.times: dict[str, int] = defaultdict(int)
        self.origin = ""

    @asynccontextmanager
    async def serving(self) -> AsyncGenerator["Receiver"]:
        """Listen on a free port while the block runs."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1_024)
        self.origin = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            request = await self._read(reader)
            self.requests.append(request)
            gone = asyncio.create_task(reader.read())
            await asyncio.wait([gone], timeout=request.behaviour.wait)
            gone.cancel()
            if request.behaviour.status:
                writer.write(f"HTTP/1.1 {request.behaviour.status} .\r\ncontent-length: 0\r\n\r\n".encode())
                await writer.drain()
        writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> Request:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii").split("\r\n")
        fields = (line.partition(": ") for line in head[1:] if line)
        headers = {name.lower(): value for name, _, value in fields}
        body = await reader.readexactly(int(headers["content-length"]))
        request = Request(head[0], headers, body, time.time(), Behaviour())
        number = self.times[request.id]
        self.times[request.id] += 1
        return Request(head[0], headers, body, request.at, self.behave(number))

    @property
    def visible(self) -> dict[str, int]:
        """How often what each message says became visible, where a repeated id is recognised as the receiver must."""
        shown: dict[str, int] = defaultdict(int)
        for request in self.requests:
            if request.behaviour.takes and not ("webhook-id" in request.headers and shown[request.id]):
                shown[request.id] += 1
        return shown
