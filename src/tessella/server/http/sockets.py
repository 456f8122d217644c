"""WebSockets: one connection to one table."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from tessella.core import wire
from tessella.core.game import Public
from tessella.protocol import messages
from tessella.server.http.rate_limits import Limits
from tessella.server.http.requests import (
    UNREADABLE,
    address_of,
    find_caller,
    is_same_origin,
    may_watch,
    refuse_nul,
    session_id_of,
)
from tessella.server.http.responses import unreadable_game
from tessella.server.http.uvicorn_socket import Write, direct_write_of, never_write
from tessella.server.people.identity import Banned
from tessella.server.rooms.commands import Caller, perform
from tessella.server.rooms.history import UnreadableGame
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Room, Viewer

LARGEST_FRAME_BYTES = 8_192
MOST_QUEUED_MESSAGES = 64
"""Disconnect a client once this many messages are queued."""

KEEPALIVE_SECONDS = 1.0
"""Keep-alive interval while a request waits for the store; clients reconnect when they hear nothing."""

TOO_SLOW = 4008
LOGGED_OUT = 4001
TOO_MANY = 4029
NOT_ALLOWED = 4003
CLOSE_SECONDS = 1.0
"""Time to send the close code to a client that does not read."""


class Outbox:
    """The bounded queue of messages to one client; a client that does not read is disconnected."""

    def __init__(self, disconnect: Callable[[], object], write: Write = never_write) -> None:
        self._waiting: deque[bytes] = deque()
        self._not_empty = asyncio.Event()
        self._disconnect = disconnect
        self._write = write
        self.closed: int | None = None
        """The close code, once the client is disconnected."""

    def put(self, data: bytes) -> None:
        """Send a message at once or queue it, without waiting; disconnect the client if the queue is full."""
        if not self._waiting and self._write(data):
            return
        if len(self._waiting) < MOST_QUEUED_MESSAGES:
            self._waiting.append(data)
            self._not_empty.set()
        else:
            self.close(TOO_SLOW)

    def close(self, code: int) -> None:
        """Disconnect the client with a close code; only the first call counts."""
        if self.closed is None:
            self.closed = code
            self._disconnect()

    async def deliver(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Send queued messages until cancelled; each stays queued while it is sent, so that none overtakes it."""
        while True:
            await self._not_empty.wait()
            while self._waiting:
                await send(self._waiting[0])
                self._waiting.popleft()
            self._not_empty.clear()

    @property
    def is_empty(self) -> bool:
        """Whether no message is queued."""
        return not self._waiting


class Sockets:
    """The endpoint of sockets: plain ASGI, so that a message passes through as few layers as possible."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection to one table, or close it with the reason."""
        websocket = WebSocket(scope, receive, send)
        host: Host = websocket.app.state.host
        try:
            room = await host.room(websocket.path_params["id"])
        except UnreadableGame as exc:
            unreadable_game(exc)
            room = None
        try:
            caller = await find_caller(host, scope)
        except Banned:
            room = caller = None
        if room is None or not is_same_origin(scope) or not may_watch(room, caller):
            await websocket.close(NOT_ALLOWED)
            return
        session, address = session_id_of(caller), address_of(websocket)
        limits: Limits = websocket.app.state.limits
        with limits.connection(session, address) as granted:
            if not granted:
                await websocket.close(TOO_MANY)
                return
            await websocket.accept()
            room = await host.room(room.table.id) or room
            delays, write = limits.message_delays(session, address), direct_write_of(scope)
            connection = Connection(host, room, caller, receive, send, delays, write)
            connection.may_speak = limits.may_speak
            await connection.run()


class Connection:
    """A socket at a table: answers client messages, and delivers what happens there."""

    def __init__(
        self,
        host: Host,
        room: Room,
        caller: Caller | None,
        receive: Receive,
        send: Send,
        delay: Callable[[float], float | None] = lambda _: None,
        write: Write = never_write,
    ) -> None:
        self._host, self._room, self._caller = host, room, caller
        self.may_speak: Callable[[str, float], bool] = lambda _person, _now: True
        """Charges a phrase of a person at this time, and returns whether it may be said."""
        self._receive, self._send, self._delay, self._write = receive, send, delay, write
        self._task: asyncio.Task[None] | None = None
        self._keepalive: asyncio.TimerHandle
        self._outbox = Outbox(self._cancel, write)
        self._viewer = viewer_for(room, caller, self._outbox)

    async def run(self) -> None:
        """Serve until either side disconnects."""
        self._task = asyncio.current_task()
        delivery = asyncio.create_task(self._deliver())
        self._host.enter(self._room, self._viewer)
        try:
            while (message := await self._receive())["type"] == "websocket.receive":
                if (wait := self._delay(self._host.clock())) is not None:
                    await asyncio.sleep(wait)  # busy clients come after the others, too fast ones later
                await self._handle(message.get("text") or message.get("bytes") or "")
        except WebSocketDisconnect:
            pass
        except asyncio.CancelledError:
            if self._task is None or self._outbox.closed is None:
                raise
            self._task.uncancel()
        finally:
            delivery.cancel()
            self._host.leave(self._room, self._viewer)
        if self._outbox.closed is not None:
            await self._close(self._outbox.closed)

    def _cancel(self) -> None:
        """Stop waiting for anything; an entry that is being stored is still stored."""
        if self._task is not None:
            self._task.cancel()

    async def _close(self, code: int) -> None:
        """Send the close code, in case the client reads again soon."""
        with suppress(OSError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._send({"type": "websocket.close", "code": code})

    async def _handle(self, text: str | bytes) -> None:
        """Handle one client message and send the reply, behind queued messages if there are any."""
        answer = await self._answer(text)
        if answer is None:
            return
        data = wire.encode(answer)
        if self._outbox.is_empty:
            await self._send_text(data)
        else:
            self._outbox.put(data)

    async def _answer(self, text: str | bytes) -> Public | None:
        try:
            refuse_nul(text)
            request = messages.decoder.decode(text)
        except UNREADABLE as exc:
            return messages.ErrorReply("", "message", str(exc))
        if isinstance(request, messages.Ping):
            return messages.Pong(request.n)
        if isinstance(request, messages.Hello):
            self._room.catch_up(self._viewer, request.have, self._host.clock())
            return None
        if self._caller is None:
            key = "" if isinstance(request, messages.Preview | messages.Say) else request.key
            return messages.ErrorReply(key, "session", "log in or choose a name first")
        if isinstance(request, messages.Say) and not self.may_speak(self._caller.person.id, self._host.clock()):
            return messages.ErrorReply("", "busy", "you say too much at once; wait a moment")
        self._keepalive = asyncio.get_running_loop().call_later(KEEPALIVE_SECONDS, self._send_keepalive)
        try:
            return await perform(self._host, self._room, self._caller, request)
        finally:
            self._keepalive.cancel()

    def _send_keepalive(self) -> None:
        """Send a pong while a request waits for the store, and again after `KEEPALIVE_SECONDS`."""
        self._outbox.put(wire.encode(messages.Pong(0)))
        self._keepalive = asyncio.get_running_loop().call_later(KEEPALIVE_SECONDS, self._send_keepalive)

    async def _deliver(self) -> None:
        with suppress(WebSocketDisconnect):
            await self._outbox.deliver(self._send_text)

    async def _send_text(self, data: bytes) -> None:
        if self._write(data):
            return
        try:
            await self._send({"type": "websocket.send", "text": data.decode()})
        except OSError:  # uvicorn's sign that the client has disconnected
            raise WebSocketDisconnect(1006) from None


def viewer_for(room: Room, caller: Caller | None, outbox: Outbox) -> Viewer:
    """Return a viewer of a table that sends through an outbox."""
    if caller is None:
        return Viewer("", outbox.put)
    session = caller.session.hash if caller.session else ""
    leave = partial(outbox.close, LOGGED_OUT)
    return Viewer(caller.person.id_at(room.table), outbox.put, session, caller.person.id, leave)
