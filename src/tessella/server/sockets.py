"""Sockets that take a message at once if they can: a move is told to many, and most of them are ready to hear it."""

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, cast

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveEvent

Write: TypeAlias = Callable[[bytes], bool]
"""Takes a text, or says that it cannot be taken now; nothing of it is sent then."""

WHOLE_TEXT = 0x81

EXTENSION = "tessella.at_once"
"""What an application finds in its scope where a socket can do this."""


PIECE = 1_024
"""So many bytes are read at a time: who sends very many short messages at once must not hold up the others."""


class Socket(WebSocketsSansIOProtocol):
    """uvicorn's socket, through which a text also goes without a task that waits for it."""

    _rest = b""
    """What has come and was not looked at yet."""

    def data_received(self, data: bytes) -> None:
        """Read a little; the rest when what was read has been heard."""
        if self._rest or len(data) > PIECE:
            self._rest += data
            self._read_on()
        else:
            super().data_received(data)

    async def receive(self) -> "ASGIReceiveEvent":
        """The next message."""
        message = await super().receive()
        if self._rest:
            self._read_on()
        return message

    def _read_on(self) -> None:
        while self._rest and not self.read_paused and not self.transport.is_closing():
            piece, self._rest = self._rest[:PIECE], self._rest[PIECE:]
            super().data_received(piece)

    async def run_asgi(self) -> None:
        """Let the application know what this socket can do."""
        offer(cast("Scope", self.scope), self.write_at_once)
        await super().run_asgi()

    def write_at_once(self, text: bytes) -> bool:
        """Send a text if the other side is there and reads what it gets."""
        if self.conn.state is not State.OPEN or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame(text))
        return True


def frame(text: bytes) -> bytes:
    r"""A text as a server sends it: whole, neither masked nor compressed (RFC 6455, 5.2).

    >>> frame(b"hi")
    b'\x81\x02hi'
    """
    size = len(text)
    if size < 126:
        return bytes((WHOLE_TEXT, size)) + text
    if size < 65_536:
        return struct.pack("!BBH", WHOLE_TEXT, 126, size) + text
    return struct.pack("!BBQ", WHOLE_TEXT, 127, size) + text


def offer(scope: Scope, write: Write) -> None:
    """Let the application write through a connection at once."""
    scope["extensions"] = {**(scope.get("extensions") or {}), EXTENSION: {"write": write}}


def writing_at_once(scope: Scope) -> Write:
    """What a connection can do at once: with any other server than ours, nothing."""
    extensions = cast("dict[str, dict[str, Write]]", scope.get("extensions") or {})
    return extensions.get(EXTENSION, {}).get("write", cannot)


def cannot(_text: bytes) -> bool:
    """Take nothing at once: everything waits for its turn."""
    return False
