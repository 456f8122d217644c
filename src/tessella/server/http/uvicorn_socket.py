"""A uvicorn WebSocket protocol that writes without a task if the client keeps up: a move goes to many sockets."""

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, cast

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveEvent, ASGISendEvent

Write: TypeAlias = Callable[[bytes], bool]
"""Sends a text and returns True, or returns False and sends nothing."""

FINAL_TEXT = 0x81
"""The first byte of a frame: final, text (RFC 6455, 5.2)."""

EXTENSION = "tessella.direct_write"
"""The ASGI extension that offers a `Write` to the application."""


CLOSE_SECONDS = 15.0
"""Time for the client to read what was sent before the socket was closed."""

CHUNK_BYTES = 1_024
"""Bytes parsed at a time, so that a burst of short messages does not hold up the other sockets."""


class Socket(WebSocketsSansIOProtocol):
    """uvicorn's socket with a synchronous write."""

    _rest = b""
    """Received bytes that have not been parsed."""

    def data_received(self, data: bytes) -> None:
        """Parse one chunk, and the rest when its messages have been handled."""
        if self._rest or len(data) > CHUNK_BYTES:
            self._rest += data
            self._read_on()
        else:
            super().data_received(data)

    async def receive(self) -> "ASGIReceiveEvent":
        """Return the next message."""
        message = await super().receive()
        if self._rest:
            self._read_on()
        return message

    async def send(self, message: "ASGISendEvent") -> None:
        """Send a message; mark a denied handshake as complete, which uvicorn would log as an error."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True

    def _read_on(self) -> None:
        while self._rest and not self.read_paused and not self.transport.is_closing():
            chunk, self._rest = self._rest[:CHUNK_BYTES], self._rest[CHUNK_BYTES:]
            super().data_received(chunk)

    async def run_asgi(self) -> None:
        """Run the application with a direct write, and free the descriptor afterwards in any case."""
        offer_direct_write(cast("Scope", self.scope), self.write_directly)
        await super().run_asgi()
        if not self.disconnected:
            self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def write_directly(self, text: bytes) -> bool:
        """Send a text if the client is connected and keeps up; return whether it was sent."""
        if self.conn.state is not State.OPEN or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame(text))
        return True


def frame(text: bytes) -> bytes:
    r"""Return a text as one server frame, neither masked nor compressed (RFC 6455, 5.2).

    >>> frame(b"hi")
    b'\x81\x02hi'
    """
    size = len(text)
    if size < 126:
        return bytes((FINAL_TEXT, size)) + text
    if size < 65_536:
        return struct.pack("!BBH", FINAL_TEXT, 126, size) + text
    return struct.pack("!BBQ", FINAL_TEXT, 127, size) + text


def offer_direct_write(scope: Scope, write: Write) -> None:
    """Offer a direct write to the application."""
    scope["extensions"] = {**(scope.get("extensions") or {}), EXTENSION: {"write": write}}


def direct_write_of(scope: Scope) -> Write:
    """Return the direct write of a connection; one that never writes under other servers than ours."""
    extensions = cast("dict[str, dict[str, Write]]", scope.get("extensions") or {})
    return extensions.get(EXTENSION, {}).get("write", never_write)


def never_write(_text: bytes) -> bool:
    """Send nothing and return False, so that every message is queued."""
    return False
