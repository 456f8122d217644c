"""The server as an ASGI application: its routes, its middleware and its lifespan."""

import json
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request as WebRequest
from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.routing import Route as WebRoute
from starlette.types import Scope

from tessella.core import wire
from tessella.extras import advice
from tessella.server.http import cookies, oidc, openapi, previews, static
from tessella.server.http.api import ROUTES, Problem, Request, Route
from tessella.server.http.api.routes import WORD, HouseRules, Messaging
from tessella.server.http.middleware import RefuseNul, SecurityHeaders, ThrottleRequests, observing
from tessella.server.http.rate_limits import Limits
from tessella.server.http.requests import UNREADABLE, address_of, find_caller, is_same_origin, refuse_nul, session_id_of
from tessella.server.http.responses import (
    banned,
    compress,
    error_response,
    json_response,
    too_many_requests,
    unreadable_game,
)
from tessella.server.http.sockets import Sockets
from tessella.server.http.stream import stream
from tessella.server.http.table_caps import TableCaps
from tessella.server.metrics import Metrics
from tessella.server.ops import health
from tessella.server.people.identity import Banned
from tessella.server.rooms.commands import Caller
from tessella.server.rooms.history import UnreadableGame
from tessella.server.services.compute import InThread, Pool
from tessella.server.services.deletions import DeletionWatch
from tessella.server.services.events.rounds import EventRunner
from tessella.server.services.news.delivery import Notifier
from tessella.server.services.news.mail import MailServer
from tessella.server.services.oidc import Provider
from tessella.server.services.outgoing import Door
from tessella.server.services.retention import Retention
from tessella.server.services.revocation import announce_revocation
from tessella.server.services.sealing import Sealer
from tessella.server.services.watching import Watching
from tessella.server.settings import Settings
from tessella.server.worker import working

LARGEST_BODY_BYTES = 8_192
CACHE_FOR_A_DAY = "public, max-age=86400, immutable"
"""Not longer: a later version may render the same game better."""


def make_app(settings: Settings) -> Starlette:
    """Return the application of a web worker."""
    metrics = Metrics()
    door = Door(frozenset(filter(None, settings.webhook_hosts.split(","))))
    mail = MailServer.read(settings.mail, settings.mail_from) if settings.mail else None

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with (
            working(settings, metrics) as host,
            Notifier(host, door, mail) as notifier,
            DeletionWatch(host),
            Retention(host, settings),
            Sealer(host, settings),
            EventRunner(host),
            Pool(settings.compute) as pool,
        ):
            app.state.host = host
            app.state.compute = pool if settings.compute else InThread()
            app.state.settings = settings
            app.state.limits = Limits()
            app.state.drawings = previews.Drawings()
            app.state.caps = TableCaps(settings)
            app.state.notifier = notifier
            app.state.messaging = Messaging(door, settings.site, bool(settings.mail))
            app.state.watching = Watching(host)
            app.state.rules = HouseRules(
                settings.registration, settings.guests, settings.oidc_button if settings.oidc_issuer else ""
            )
            app.state.oidc = _provider(settings)
            yield

    routes: list[BaseRoute] = [
        *_api_routes(),
        WebSocketRoute("/api/games/{id}/socket", Sockets()),
        WebRoute("/api/games/{id}/stream", stream),
        WebRoute("/api/openapi.json", document),
        *(WebRoute(path, moderators_page) for path in ("/moderate", "/moderate/{id}")),
        *oidc.ROUTES,
        *previews.ROUTES,
        *static.ROUTES,
        *health.ROUTES,
    ]
    middleware = [
        Middleware(SecurityHeaders),
        *observing(settings, metrics),
        *_only_hosts(settings),
        Middleware(RefuseNul),
        Middleware(ThrottleRequests),
    ]
    return Starlette(routes=routes, lifespan=lifespan, middleware=middleware, exception_handlers={404: static.missing})


def _provider(settings: Settings) -> Provider | None:
    """Return the issuer with whose accounts people can log in, if there is one; raise if the extra is missing."""
    if not settings.oidc_issuer:
        return None
    import_module("authlib")
    import_module("httpx")
    return Provider(settings.oidc_issuer, settings.oidc_client, settings.oidc_secret)


def _only_hosts(settings: Settings) -> list[Middleware]:
    """Return the middleware that refuses requests for other host names than those of the settings, if there are any."""
    names = [name.strip() for name in settings.hosts.split(",") if name.strip()]
    allowed = [*names, "127.0.0.1", "localhost"]
    return [Middleware(TrustedHostMiddleware, allowed_hosts=allowed, www_redirect=False)] if names else []


def make_work_app(settings: Settings) -> Starlette:
    """Return the application of a bot worker, which only answers /health, /ready and /metrics."""
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with working(settings, metrics) as host:
            app.state.host, app.state.settings = host, settings
            yield

    middleware = [Middleware(SecurityHeaders), *observing(settings, metrics)]
    return Starlette(routes=health.ROUTES, lifespan=lifespan, middleware=middleware)


# Routes


def _api_routes() -> list[WebRoute]:
    """Return one route per path, so that 405 lists all allowed methods."""
    paths: dict[str, dict[str, Route]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method] = route
    return [WebRoute(path, _endpoint(methods), methods=list(methods)) for path, methods in paths.items()]


def _endpoint(methods: dict[str, Route]) -> Callable[[WebRequest], Any]:
    async def endpoint(request: WebRequest) -> Response:
        route = methods["GET" if request.method == "HEAD" else request.method]
        try:
            parsed = await _request(route, request)
            answer = await route.handler(parsed)
        except Problem as exc:
            return error_response(exc)
        except Banned as exc:
            return error_response(banned(exc))
        except ModuleNotFoundError as exc:
            return error_response(_missing_extra(exc))
        except UnreadableGame as exc:
            return error_response(unreadable_game(exc))
        if route.guess:
            request.app.state.limits.refund_guess(address_of(request))
        if route.ends_sessions:
            await announce_revocation(parsed.host, parsed.caller.person.ids if parsed.caller else ())
        response = json_response(answer.body, answer.status, CACHE_FOR_A_DAY if answer.keep else "no-store")
        await compress(request, response)
        if answer.cookie:
            cookies.set_on(response, request, answer.cookie)
        if answer.device:
            cookies.set_on(response, request, answer.device, cookies.DEVICE)
        return response

    return endpoint


async def moderators_page(request: WebRequest) -> Response:
    """Return the document of the client to a moderator; to anyone else nothing is here."""
    await require_moderator(request)
    return await static.page(request)


async def require_moderator(request: WebRequest) -> None:
    """Raise the same error as for a path that does not exist unless the request is by a moderator who is logged in."""
    try:
        caller = await find_caller(request.app.state.host, request.scope)
    except Banned:
        caller = None
    if not (caller and caller.person.moderator and caller.session and caller.session.kind == "cookie"):
        raise HTTPException(404)


def _missing_extra(exc: ModuleNotFoundError) -> Problem:
    """Return the error for accounts on a server without their extra; reraise any other missing module."""
    if (how_to_install := advice(exc)) is None:
        raise exc
    return Problem(501, "accounts", f"this server has no accounts: {how_to_install}")


async def _request(route: Route, request: WebRequest) -> Request:
    if route.moderators:
        await require_moderator(request)
    limits: Limits = request.app.state.limits
    address, now = address_of(request), request.app.state.host.clock()
    if route.method != "GET":
        _require_same_origin(request.scope)
    if not all(re.fullmatch(WORD, part) for part in request.path_params.values()):
        raise Problem(404, "path", "there is nothing at this path")
    if route.expensive and (wait := limits.wait_for_expensive_at_address(address, now)):
        raise too_many_requests(wait)  # before the database is asked for the session
    caller = await find_caller(request.app.state.host, request.scope)
    if route.method != "GET" or route.expensive:
        _check_rate(route, request, caller)
    if route.method != "GET" and not route.signs_up:
        _require_welcome(request, caller)
    body = await _body(route, request)
    query = {name: request.query_params[name] for name in route.query if name in request.query_params}
    origin = f"{request.url.scheme}://{request.url.netloc}"
    state = request.app.state
    device = cookies.find(request.scope, cookies.DEVICE)
    more = (state.limits, address_of(request), state.compute, device, state.caps, state.messaging, state.watching)
    return Request(state.host, caller, dict(request.path_params), body, query, origin, *more, state.rules)


def _require_welcome(request: WebRequest, caller: Caller | None) -> None:
    """Raise `Problem` for a guest on a server for members."""
    rules: HouseRules = request.app.state.rules
    if caller and caller.person.kind == "guest" and not rules.guests:
        raise Problem(403, "guests", "this server is for members: sign up or log in first")


def _check_rate(route: Route, request: WebRequest, caller: Caller | None) -> None:
    limits: Limits = request.app.state.limits
    session, now = session_id_of(caller), request.app.state.host.clock()
    wait = limits.wait_for_change(session, address_of(request), now)
    if route.guess:
        wait = max(wait, limits.wait_for_guess(address_of(request), now))
    if route.expensive:
        wait = max(wait, limits.wait_for_expensive(session, address_of(request), now))
    if wait:
        raise too_many_requests(wait)


async def _body(route: Route, request: WebRequest) -> Any:  # noqa: ANN401
    if route.body is None:
        return None
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > LARGEST_BODY_BYTES:
            raise Problem(413, "size", f"the body is larger than {LARGEST_BODY_BYTES} bytes")
    try:
        refuse_nul(raw)
        return wire.decode(bytes(raw), route.body)
    except UNREADABLE as exc:
        raise Problem(422, "body", str(exc)) from None


def _require_same_origin(scope: Scope) -> None:
    if not is_same_origin(scope):
        raise Problem(403, "origin", "the request must come from a page of this server")


async def document(request: WebRequest) -> Response:  # noqa: ARG001
    """Return the OpenAPI document."""
    return Response(json.dumps(openapi.document()), media_type="application/json")
