"""ASGI middleware, outermost first: headers, counters, traces, access log, errors, NUL, throttling."""

import asyncio
import logging
import time
from contextlib import suppress
from functools import partial

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from tessella.core import wire
from tessella.protocol.messages import ErrorBody
from tessella.server import tracing
from tessella.server.http.requests import address_of
from tessella.server.http.responses import error_response, too_many_requests
from tessella.server.http.sockets import TOO_MANY
from tessella.server.http.uvicorn_socket import Write, direct_write_of, offer_direct_write
from tessella.server.metrics import FAILED, Metrics
from tessella.server.settings import Settings

log = logging.getLogger(__name__)

INTERNAL_ERROR = 1011
"""The close code of a socket whose server failed (RFC 6455, 7.4.1)."""

DISCONNECTED = (ClientDisconnect, WebSocketDisconnect, ClientDisconnected)
"""What is raised when the client has disconnected."""

FAILURE_BODY = wire.encode(ErrorBody("failure", "something went wrong on the server; try again later"))


NOT_FOUND = wire.encode(ErrorBody("path", "there is nothing at this path"))

USUAL_HEADERS = {
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""Default headers of every answer; pages have a policy of their own."""

HSTS = "max-age=31536000; includeSubDomains"
"""Browsers that have used TLS once use nothing else for a year."""

CLIENT_CLOSED = 499
"""The status in the log when the client disconnected before it was answered."""

LONGEST_WAIT_SECONDS = 10.0
"""The longest that a request waits behind others of the same address."""


def observing(settings: Settings, metrics: Metrics) -> list[Middleware]:
    """Return the middleware that counts requests, traces and logs them if the settings say so, and answers failures."""
    traces = [Middleware(Traces)] if settings.traces else []
    access = [Middleware(AccessLog)] if settings.access_log else []
    return [Middleware(Counters, metrics), *traces, *access, Middleware(CatchErrors)]


class SecurityHeaders:
    """Adds the default headers that an answer lacks."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and complete the headers of its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in USUAL_HEADERS.items():
                    headers.setdefault(name, value)
                if scope["scheme"] == "https":
                    headers.setdefault("strict-transport-security", HSTS)
            await send(message)

        await self._app(scope, receive, complete)


class Counters:
    """Counts sockets, messages, answers and bytes."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics
        self._traffic = metrics.traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a socket on, and count it."""
        match scope["type"]:
            case "websocket":
                offer_direct_write(scope, partial(self._write_message, direct_write_of(scope)))
                with self._metrics.sockets.track_inprogress():
                    await self._app(scope, receive, partial(self._send_message, send))
            case "http":
                try:
                    await self._app(scope, receive, partial(self._send_answer, send))
                except Exception:  # after the start of its answer
                    self._metrics.requests.labels(FAILED).inc()
                    raise
            case _:
                await self._app(scope, receive, send)

    async def _send_message(self, send: Send, message: Message) -> None:
        if message["type"] == "websocket.send":
            self._traffic.messages += 1
            self._traffic.bytes += len(message.get("text") or message.get("bytes") or "")
        elif status_of(message) == FAILED:
            self._metrics.requests.labels(FAILED).inc()
        await send(message)

    def _write_message(self, write: Write, text: bytes) -> bool:
        written = write(text)
        self._traffic.messages += written
        self._traffic.bytes += len(text) if written else 0
        return written

    async def _send_answer(self, send: Send, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._metrics.requests.labels(message["status"]).inc()
        self._traffic.bytes += len(message.get("body", b""))
        await send(message)


class Traces:
    """Records a span per HTTP request; the messages of a socket have spans of their own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and record it by the pattern of its route."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        method: str = scope["method"]
        with tracing.span(method, {"http.request.method": method}) as span:

            async def watch(message: Message) -> None:
                if (status := status_of(message)) is not None:
                    route = route_of(scope)
                    span.name(f"{method} {route}")
                    span.set({"http.route": route, "http.response.status_code": status})
                await send(message)

            await self._app(scope, receive, watch)


class AccessLog:
    """Logs each answered request: method, route, status and duration, never the client."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a socket on, and log it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = CLIENT_CLOSED

        async def watch(message: Message) -> None:
            nonlocal status
            if (new := status_of(message)) is not None and (status == CLIENT_CLOSED or new == FAILED):
                status = new
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except Exception:
            status = FAILED
            raise
        finally:
            log.info("request", extra=_access_fields(scope, status, time.perf_counter() - began))


def _access_fields(scope: Scope, status: int, seconds: float) -> dict[str, object]:
    """Return the fields of a log line."""
    route = route_of(scope)
    fields: dict[str, object] = {"method": scope.get("method", "SOCKET"), "route": route, "status": status}
    fields["seconds"] = round(seconds, 4)
    if status < 400 and route.startswith("/api/games/{id}"):
        fields["game"] = scope["path_params"]["id"]
    return fields


def route_of(scope: Scope) -> str:
    """Return the pattern of a request's route, not its path, which may hold a secret."""
    return getattr(scope.get("route"), "path", "none")


def status_of(message: Message) -> int | None:
    """Return the HTTP status that an ASGI message stands for; None for messages that do not decide it."""
    match message["type"]:
        case "http.response.start" | "websocket.http.response.start":
            return int(message["status"])
        case "websocket.accept":
            return 101
        case "websocket.close":
            return FAILED if message.get("code") == INTERNAL_ERROR else 403
        case _:
            return None


class CatchErrors:
    """Answers with an error when the application raises; goes inside the middleware that counts and logs."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on. After the start of its answer, let the exception reach uvicorn, which cuts it off."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        begun = False

        async def watch(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except DISCONNECTED:
            return
        except Exception:
            if begun and scope["type"] == "http":
                raise
            log.exception("request failed", extra=_log_fields(scope))
            with suppress(OSError):  # the client may have disconnected meanwhile
                await _answer_failure(scope, receive, send, begun=begun)


def _log_fields(scope: Scope) -> dict[str, str]:
    return {"method": scope.get("method", "SOCKET"), "route": route_of(scope)}


async def _answer_failure(scope: Scope, receive: Receive, send: Send, *, begun: bool) -> None:
    if scope["type"] == "http" or (not begun and "websocket.http.response" in (scope.get("extensions") or {})):
        headers = {**USUAL_HEADERS, "cache-control": "no-store"}
        await Response(FAILURE_BODY, FAILED, headers, "application/json")(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": INTERNAL_ERROR})


class RefuseNul:
    """Answer 404 to every request, and close every socket, whose path or query contains a NUL."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on unless its address contains a NUL."""
        if scope["type"] == "lifespan" or not ("\0" in scope["path"] or b"%00" in scope["query_string"]):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        else:
            headers = {"cache-control": "no-store"}
            await Response(NOT_FOUND, 404, headers, "application/json")(scope, receive, send)


class ThrottleRequests:
    """Delays the requests of an address beyond its rate, so that those of others do not wait."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on when it is its turn, or reject it if that would take too long."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        limits, address = scope["app"].state.limits, address_of(HTTPConnection(scope))
        wait = limits.wait_for_request(address, asyncio.get_running_loop().time(), LONGEST_WAIT_SECONDS)
        if wait:
            await asyncio.sleep(min(wait, LONGEST_WAIT_SECONDS))
        if wait <= LONGEST_WAIT_SECONDS:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(TOO_MANY)
        else:
            await error_response(too_many_requests(wait))(scope, receive, send)
