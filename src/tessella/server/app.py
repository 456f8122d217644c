"""The server as an ASGI application: HTTP and sockets around the tables of one worker."""

import asyncio
import gzip
import json
import logging
import re
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from functools import partial
from http.cookies import SimpleCookie
from math import ceil
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.requests import Request as WebRequest
from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.routing import Route as WebRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from tessella.core import wire
from tessella.core.game import Public
from tessella.server import messages, openapi, operations, pages
from tessella.server.api import ROUTES, Problem, Request, Route
from tessella.server.api.routes import WORD
from tessella.server.doors import close_doors
from tessella.server.extras import advice
from tessella.server.headers import Guarded
from tessella.server.host import Host, Room, Viewer
from tessella.server.limits import Limits
from tessella.server.metrics import Metrics
from tessella.server.nudges import Nudger
from tessella.server.people import find_session
from tessella.server.sessions import Caller, perform
from tessella.server.settings import Settings
from tessella.server.sockets import Write, cannot, writing_at_once
from tessella.server.worker import watching, working

log = logging.getLogger(__name__)

LARGEST_BODY = 8_192
LARGEST_FRAME = 8_192
WAITING_FRAMES = 64
"""Who does not read is let go when so many messages wait."""

LONG_BODY = 32_768
FOR_A_DAY = "public, max-age=86400, immutable"
"""Not longer: the same game may be drawn better by a later version."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What reading JSON raises: not JSON, not what it should be, not text, or too deep to get to the bottom of."""

SIGN_SECONDS = 1.0
"""So often somebody whose wish waits for the store hears that we are here: who hears nothing looks for another line."""

TOO_SLOW = 4008
LOGGED_OUT = 4001
TOO_MANY = 4029
GOODBYE_SECONDS = 1.0
LONGEST_WAIT = 10.0
"""So long a request may wait for its turn behind others of the same address."""
NOT_ALLOWED = 4003


def make_app(settings: Settings) -> Starlette:
    """The application of one worker."""
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with working(settings, metrics) as host, Nudger(host):
            app.state.host = host
            app.state.settings = settings
            app.state.limits = Limits()
            yield

    routes: list[BaseRoute] = [
        *_api_routes(),
        WebSocketRoute("/api/games/{id}/socket", Sockets()),
        WebRoute("/api/games/{id}/stream", stream),
        WebRoute("/api/openapi.json", document),
        *pages.ROUTES,
        *operations.ROUTES,
    ]
    middleware = [Middleware(Guarded), *watching(settings, metrics), Middleware(Patient)]
    return Starlette(routes=routes, lifespan=lifespan, middleware=middleware, exception_handlers={404: pages.missing})


class Patient:
    """One address gets so many answers a second: after a while its requests wait, so that nobody else's do."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass when it is its turn, or refuse it if that would take too long."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        limits, address = scope["app"].state.limits, _address(HTTPConnection(scope))
        wait = limits.wait_to_visit(address, asyncio.get_running_loop().time(), LONGEST_WAIT)
        if wait:
            await asyncio.sleep(min(wait, LONGEST_WAIT))
        if wait <= LONGEST_WAIT:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(TOO_MANY)
        else:
            await _refusal(_too_much(wait))(scope, receive, send)


# HTTP


class Refusing(Public, frozen=True):
    """Why a request was not answered as wished."""

    rule: str
    why: str


def _api_routes() -> list[WebRoute]:
    """One route a path, so that a method that is not allowed is answered with all that are."""
    paths: dict[str, dict[str, Route]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method] = route
    return [WebRoute(path, _endpoint(methods), methods=list(methods)) for path, methods in paths.items()]


def _endpoint(methods: dict[str, Route]) -> Callable[[WebRequest], Any]:
    async def endpoint(request: WebRequest) -> Response:
        route = methods["GET" if request.method == "HEAD" else request.method]
        try:
            asked = await _request(route, request)
            answer = await route.handler(asked)
        except Problem as wrong:
            return _refusal(wrong)
        except ModuleNotFoundError as missing:
            return _refusal(_lacking(missing))
        if route.guess:
            request.app.state.limits.right(_address(request))
        if route.parting:
            await close_doors(asked.host, asked.caller.person.ids if asked.caller else ())
        response = _json(answer.body, answer.status, FOR_A_DAY if answer.keep else "no-store")
        _shrink(request, response)
        if answer.cookie:
            _set_cookie(request, response, answer.cookie)
        return response

    return endpoint


def _lacking(missing: ModuleNotFoundError) -> Problem:
    """What this server cannot do, because its host has not installed what it takes."""
    if (words := advice(missing)) is None:
        raise missing
    return Problem(501, "accounts", f"this server keeps no accounts: {words}")


async def _request(route: Route, request: WebRequest) -> Request:
    if route.method != "GET":
        _require_same_origin(request.scope)
    if not all(re.fullmatch(WORD, part) for part in request.path_params.values()):
        raise Problem(404, "path", "there is nothing of that name")
    caller = await find_caller(request.app.state.host, request.scope)
    if route.method != "GET" or route.costly:
        _require_patience(route, request, caller)
    body = await _body(route, request)
    query = {name: request.query_params[name] for name in route.query if name in request.query_params}
    origin = f"{request.url.scheme}://{request.url.netloc}"
    state = request.app.state
    return Request(state.host, caller, dict(request.path_params), body, query, origin, state.limits)


def _require_patience(route: Route, request: WebRequest, caller: Caller | None) -> None:
    limits: Limits = request.app.state.limits
    session, now = _session(caller), request.app.state.host.clock()
    wait = limits.wait(session, _address(request), now)
    if route.guess:
        wait = max(wait, limits.wait_to_guess(_address(request), now))
    if route.costly:
        wait = max(wait, limits.wait_to_study(session, _address(request), now))
    if wait:
        raise _too_much(wait)


def _too_much(wait: float) -> Problem:
    return Problem(429, "busy", "that is too much at once; try again in a moment", wait)


def _address(request: HTTPConnection) -> str:
    return request.client.host if request.client else ""


def _session(caller: Caller | None) -> str:
    return caller.session.id if caller and caller.session else ""


def _refusal(wrong: Problem) -> Response:
    if wrong.status in (401, 403, 429):
        log.info("turned away", extra={"status": wrong.status, "rule": wrong.rule})
    response = _json(Refusing(wrong.rule, wrong.why), wrong.status)
    if wrong.after is not None:
        response.headers["retry-after"] = str(ceil(wrong.after))
    return response


async def _body(route: Route, request: WebRequest) -> Any:  # noqa: ANN401
    if route.body is None:
        return None
    raw = bytearray()
    async for piece in request.stream():
        raw += piece
        if len(raw) > LARGEST_BODY:
            raise Problem(413, "size", "that is too much")
    try:
        return wire.decode(bytes(raw), route.body)
    except UNREADABLE as wrong:
        raise Problem(422, "body", str(wrong)) from None


def _json(body: Public, status: int, caching: str = "no-store") -> Response:
    return Response(wire.encode(body), status, media_type="application/json", headers={"cache-control": caching})


def _shrink(request: WebRequest, response: Response) -> None:
    """A whole game is long, and says much the same again and again."""
    if len(response.body) < LONG_BODY or "gzip" not in request.headers.get("accept-encoding", ""):
        return
    response.body = gzip.compress(response.body, 5, mtime=0)
    response.headers.update({"content-encoding": "gzip", "content-length": str(len(response.body))})
    response.headers.add_vary_header("accept-encoding")


def _set_cookie(request: WebRequest, response: Response, secret: str) -> None:
    secure = request.url.scheme == "https"
    name = "__Host-tessella" if secure else "tessella"
    response.set_cookie(name, secret, max_age=31_536_000, httponly=True, secure=secure, samesite="lax", path="/")


async def find_caller(host: Host, scope: Scope) -> Caller | None:
    """Who asks, by cookie or by token."""
    headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
    scheme, _, token = headers.get("authorization", "").partition(" ")
    secret = token if scheme.lower() == "bearer" else _cookie(headers.get("cookie", ""))
    session = await find_session(host.store, secret) if secret else None
    return Caller(session.person, session) if session else None


def _cookie(header: str) -> str:
    cookies = SimpleCookie(header)
    found = cookies.get("__Host-tessella") or cookies.get("tessella")
    return found.value if found else ""


def _same_origin(scope: Scope) -> bool:
    """A browser says where a request comes from; others say nothing, and carry no cookie by accident."""
    headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


def _require_same_origin(scope: Scope) -> None:
    if not _same_origin(scope):
        raise Problem(403, "origin", "this must come from our own pages")


async def document(request: WebRequest) -> Response:  # noqa: ARG001
    """The OpenAPI document."""
    return Response(json.dumps(openapi.document()), media_type="application/json")


# Sockets and streams


class Outbox:
    """What waits to be sent to one connection: bounded, so that who does not read is let go."""

    def __init__(self, let_go: Callable[[], object], write: Write = cannot) -> None:
        self._waiting: deque[bytes] = deque()
        self._some = asyncio.Event()
        self._let_go = let_go
        self._write = write
        self.closed: int | None = None
        """Why the other side was let go: the code by which a socket is closed."""

    def put(self, data: bytes) -> None:
        """Send a message at once, or let it wait; never wait for it."""
        if not self._waiting and self._write(data):
            return
        if len(self._waiting) < WAITING_FRAMES:
            self._waiting.append(data)
            self._some.set()
        else:
            self.close(TOO_SLOW)

    def close(self, code: int) -> None:
        """Let the other side go, once."""
        if self.closed is None:
            self.closed = code
            self._let_go()

    async def deliver(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Send what waits, for ever; a message waits until it is sent, so that none overtakes it."""
        while True:
            await self._some.wait()
            while self._waiting:
                await send(self._waiting[0])
                self._waiting.popleft()
            self._some.clear()

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not self._waiting


class Sockets:
    """Where sockets come in: plain ASGI, so that a message passes through as few layers as possible."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection to one table."""
        websocket = WebSocket(scope, receive, send)
        host: Host = websocket.app.state.host
        room = await host.room(websocket.path_params["id"])
        caller = await find_caller(host, scope)
        if room is None or not _same_origin(scope) or not _may_watch(room, caller):
            await websocket.close(NOT_ALLOWED)
            return
        session, address = _session(caller), _address(websocket)
        limits: Limits = websocket.app.state.limits
        with limits.connection(session, address) as granted:
            if not granted:
                await websocket.close(TOO_MANY)
                return
            await websocket.accept()
            room = await host.room(room.table.id) or room
            patience, write = limits.patience(session, address), writing_at_once(scope)
            await Connection(host, room, caller, receive, send, patience, write).run()


class Connection:
    """A socket at a table: what is wished is answered, what happens is told."""

    def __init__(
        self,
        host: Host,
        room: Room,
        caller: Caller | None,
        receive: Receive,
        send: Send,
        patience: Callable[[float], float | None] = lambda _: None,
        write: Write = cannot,
    ) -> None:
        self._host, self._room, self._caller = host, room, caller
        self._receive, self._send, self._patience, self._write = receive, send, patience, write
        self._task: asyncio.Task[None] | None = None
        self._sign: asyncio.TimerHandle
        self._outbox = Outbox(self._let_go, write)
        self._viewer = _viewer(room, caller, self._outbox)

    async def run(self) -> None:
        """Be there until the other side goes, or is let go."""
        self._task = asyncio.current_task()
        teller = asyncio.create_task(self._tell())
        _enter(self._host, self._room, self._viewer)
        try:
            while (message := await self._receive())["type"] == "websocket.receive":
                if (wait := self._patience(self._host.clock())) is not None:
                    await asyncio.sleep(wait)  # who talks much is heard after the others, who talks too fast later
                await self._hear(message.get("text") or message.get("bytes") or "")
        except WebSocketDisconnect:
            pass
        except asyncio.CancelledError:
            if self._task is None or self._outbox.closed is None:
                raise
            self._task.uncancel()
        finally:
            teller.cancel()
            _leave(self._host, self._room, self._viewer)
        if self._outbox.closed is not None:
            await self._say_goodbye(self._outbox.closed)

    def _let_go(self) -> None:
        """Whatever we wait for, we wait no more; what is being stored is stored."""
        if self._task is not None:
            self._task.cancel()

    async def _say_goodbye(self, code: int) -> None:
        """Say why, in case the other side reads again soon."""
        with suppress(OSError):
            async with asyncio.timeout(GOODBYE_SECONDS):
                await self._send({"type": "websocket.close", "code": code})

    async def _hear(self, text: str | bytes) -> None:
        """Answer; at once if nothing else waits to be sent."""
        answer = await self._answer(text)
        if answer is None:
            return
        data = wire.encode(answer)
        if self._outbox.is_empty:
            await self._say(data)
        else:
            self._outbox.put(data)

    async def _answer(self, text: str | bytes) -> Public | None:
        try:
            wish = messages.decoder.decode(text)
        except UNREADABLE as wrong:
            return messages.Refusal("", "message", str(wrong))
        if isinstance(wish, messages.Ping):
            return messages.Pong(wish.n)
        if isinstance(wish, messages.Hello):
            self._room.catch_up(self._viewer, wish.have, self._host.clock())
            return None
        if self._caller is None:
            key = "" if isinstance(wish, messages.Foresee) else wish.key
            return messages.Refusal(key, "session", "say who you are first")
        self._sign = asyncio.get_running_loop().call_later(SIGN_SECONDS, self._give_sign)
        try:
            return await perform(self._host, self._room, self._caller, wish)
        finally:
            self._sign.cancel()

    def _give_sign(self) -> None:
        """Somebody waits for long; they need not think that nobody is there."""
        self._outbox.put(wire.encode(messages.Pong(0)))
        self._sign = asyncio.get_running_loop().call_later(SIGN_SECONDS, self._give_sign)

    async def _tell(self) -> None:
        with suppress(WebSocketDisconnect):
            await self._outbox.deliver(self._say)

    async def _say(self, data: bytes) -> None:
        if self._write(data):
            return
        try:
            await self._send({"type": "websocket.send", "text": data.decode()})
        except OSError:  # by which uvicorn says that the other side has gone
            raise WebSocketDisconnect(1006) from None


def _viewer(room: Room, caller: Caller | None, outbox: Outbox) -> Viewer:
    if caller is None:
        return Viewer("", outbox.put)
    session = caller.session.hash if caller.session else ""
    leave = partial(outbox.close, LOGGED_OUT)
    return Viewer(caller.person.who_at(room.table), outbox.put, session, caller.person.id, leave)


def _may_watch(room: Room, caller: Caller | None) -> bool:
    return room.table.may_watch(room.table.seat_of(caller.person.who_at(room.table)) if caller else None)


def _enter(host: Host, room: Room, viewer: Viewer) -> None:
    room.viewers[viewer] = None
    host.say_presence(room)


def _leave(host: Host, room: Room, viewer: Viewer) -> None:
    room.viewers.pop(viewer, None)
    host.say_presence(room)
    host.forget(room)


async def stream(request: WebRequest) -> Response:
    """The same as the socket's steps, as lines of JSON."""
    host: Host = request.app.state.host
    room = await host.room(request.path_params["id"])
    caller = await find_caller(host, request.scope)
    if room is None or not _may_watch(room, caller):
        return _json(Refusing("game", "there is no such table to watch"), 404)
    limits: Limits = request.app.state.limits
    return Lines(host, room, caller, limits.connection(_session(caller), _address(request)))


class Lines(Response):
    """An answer without end: a line for each step, until the other side goes or is let go."""

    media_type = "application/x-ndjson"

    def __init__(self, host: Host, room: Room, caller: Caller | None, connection: AbstractContextManager[bool]) -> None:
        super().__init__(headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self._host, self._room, self._caller = host, room, caller
        self._connection = connection
        self._over = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell what happens, if there is room for one more who listens."""
        with self._connection as granted:
            if granted:
                await self._run(receive, send)
            else:
                many = Problem(429, "busy", "you have too many connections already", after=GOODBYE_SECONDS)
                await _refusal(many)(scope, receive, send)

    async def _run(self, receive: Receive, send: Send) -> None:
        """Tell what happens; whoever does not read holds nobody up."""
        outbox = Outbox(self._over.set)
        room = await self._host.room(self._room.table.id) or self._room
        viewer = _viewer(room, self._caller, outbox)
        tasks = [asyncio.create_task(each) for each in (self._tell(outbox, send), _gone(receive), self._over.wait())]
        _enter(self._host, room, viewer)
        try:
            room.catch_up(viewer, -1, self._host.clock())
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            _leave(self._host, room, viewer)
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(GOODBYE_SECONDS):
                await send({"type": "http.response.body", "body": b""})

    async def _tell(self, outbox: Outbox, send: Send) -> None:
        async def send_line(data: bytes) -> None:
            await send({"type": "http.response.body", "body": data + b"\n", "more_body": True})

        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await outbox.deliver(send_line)


async def _gone(receive: Receive) -> None:
    """Until the other side has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
