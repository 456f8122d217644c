"""A table as a stream of JSON lines, with the same messages as the socket."""

import asyncio
from contextlib import AbstractContextManager, suppress

from starlette.requests import Request as WebRequest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tessella.protocol import messages
from tessella.server.http.api.routes import Problem
from tessella.server.http.rate_limits import Limits
from tessella.server.http.requests import address_of, find_caller, may_watch, session_id_of
from tessella.server.http.responses import banned, error_response, json_response, unreadable_game
from tessella.server.http.sockets import CLOSE_SECONDS, Outbox, viewer_for
from tessella.server.people.identity import Banned
from tessella.server.rooms.commands import Caller
from tessella.server.rooms.history import UnreadableGame
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Room


async def stream(request: WebRequest) -> Response:
    """Return the updates of a table as an endless answer of JSON lines."""
    host: Host = request.app.state.host
    try:
        room = await host.room(request.path_params["id"])
    except UnreadableGame as exc:
        return error_response(unreadable_game(exc))
    try:
        caller = await find_caller(host, request.scope)
    except Banned as exc:
        return error_response(banned(exc))
    if room is None or not may_watch(room, caller):
        return json_response(messages.ErrorBody("game", "there is no such table to watch"), 404)
    limits: Limits = request.app.state.limits
    return NdjsonResponse(host, room, caller, limits.connection(session_id_of(caller), address_of(request)))


class NdjsonResponse(Response):
    """An endless answer: a JSON line per message, until either side disconnects."""

    media_type = "application/x-ndjson"

    def __init__(self, host: Host, room: Room, caller: Caller | None, connection: AbstractContextManager[bool]) -> None:
        super().__init__(headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self._host, self._room, self._caller = host, room, caller
        self._connection = connection
        self._disconnected = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream the table, or answer 429 if the client has too many connections."""
        with self._connection as granted:
            if granted:
                await self._run(receive, send)
            else:
                many = Problem(429, "busy", "you have too many connections already", after=CLOSE_SECONDS)
                await error_response(many)(scope, receive, send)

    async def _run(self, receive: Receive, send: Send) -> None:
        """Stream until either side disconnects; a client that does not read delays no other."""
        outbox = Outbox(self._disconnected.set)
        room = await self._host.room(self._room.table.id) or self._room
        viewer = viewer_for(room, self._caller, outbox)
        tasks = [
            asyncio.create_task(each)
            for each in (self._deliver(outbox, send), _wait_for_disconnect(receive), self._disconnected.wait())
        ]
        self._host.enter(room, viewer)
        try:
            room.catch_up(viewer, -1, self._host.clock())
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._host.leave(room, viewer)
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await send({"type": "http.response.body", "body": b""})

    async def _deliver(self, outbox: Outbox, send: Send) -> None:
        async def send_line(data: bytes) -> None:
            await send({"type": "http.response.body", "body": data + b"\n", "more_body": True})

        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await outbox.deliver(send_line)


async def _wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass
