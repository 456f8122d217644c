"""What a worker says to whoever runs it: alive, ready, how busy."""

import asyncio
import logging
from hmac import compare_digest
from ipaddress import ip_address

from sqlalchemy import Text, column, select, table
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from tessella.server.host import Host
from tessella.server.metrics import CountedHost
from tessella.server.settings import Settings
from tessella.server.store import Store, migrate
from tessella.server.store.schema import jobs

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""A store that does not answer within so many seconds is not ready."""

FORWARDED = {b"x-forwarded-for", b"forwarded", b"via"}


async def health(request: Request) -> Response:  # noqa: ARG001
    """Whether the process lives."""
    return PlainTextResponse("ok\n")


async def ready(request: Request) -> Response:
    """Whether games can be played: the store answers soon, and its tables are as this program needs them."""
    try:
        async with asyncio.timeout(PATIENCE):
            found = await step(request.app.state.host.store)
    except Exception:
        log.exception("the store does not answer")
        return PlainTextResponse("the store does not answer\n", 503)
    if not migrate.fits(found, migrate.head()):
        return PlainTextResponse(f"the tables are at step {found}, not at {migrate.head()}\n", 503)
    return PlainTextResponse("ready\n")


async def step(store: Store) -> str:
    """The step at which the tables are."""
    rows = await store.run(select(column("version_num", Text)).select_from(table("alembic_version")))
    return str(rows[0]["version_num"]) if rows else ""


async def metrics(request: Request) -> Response:
    """How busy: for this machine, or for who knows the token."""
    settings: Settings = request.app.state.settings
    host = request.app.state.host
    assert isinstance(host, CountedHost)
    if not _may_read(request.scope, settings.metrics_token):
        return PlainTextResponse("not for you\n", 403)
    text = host.metrics.text(host, await _waiting(host), await host.store.now())
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


async def _waiting(host: Host) -> list[float]:
    return [
        float(row["made"])
        for row in await host.store.run(select(jobs.c.made).where(jobs.c.kind == "move").limit(10_000))
    ]


def _may_read(scope: Scope, token: str) -> bool:
    headers = dict(scope["headers"])
    if token:
        given = headers.get(b"authorization", b"")
        return compare_digest(given, f"Bearer {token}".encode())
    return not FORWARDED & headers.keys() and _is_loopback(scope)


def _is_loopback(scope: Scope) -> bool:
    client = scope.get("client")
    try:
        return client is not None and ip_address(client[0]).is_loopback
    except ValueError:
        return False


ROUTES: list[BaseRoute] = [Route("/health", health), Route("/ready", ready), Route("/metrics", metrics)]
"""What every worker answers if it listens at all."""
