"""/health, /ready and /metrics."""

import asyncio
import logging
from hmac import compare_digest
from ipaddress import ip_address

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from sqlalchemy import Text, column, select, table
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from tessella.server.rooms.host import Host
from tessella.server.settings import Settings
from tessella.server.store import Store, migrate
from tessella.server.store.schema import jobs

log = logging.getLogger(__name__)

STORE_TIMEOUT_SECONDS = 1.0
"""A store that does not answer within this time is not ready."""

MOST_JOBS_COUNTED = 10_000

PROXY_HEADERS = {b"x-forwarded-for", b"forwarded", b"via"}


async def health(request: Request) -> Response:  # noqa: ARG001
    """Return 200: the process is alive."""
    return PlainTextResponse("ok\n")


async def ready(request: Request) -> Response:
    """Return 200 if games can be played: the store answers in time, and its schema fits this version.

    A missing bus does not matter: players on other workers see moves a little later.
    """
    if problem := await _problem(request.app.state.host.store):
        return PlainTextResponse(f"{problem}\n", 503)
    return PlainTextResponse("ready\n" if request.app.state.host.bus.is_connected else "ready; bus unavailable\n")


async def _problem(store: Store) -> str | None:
    """Return why games cannot be played, or None if they can."""
    try:
        async with asyncio.timeout(STORE_TIMEOUT_SECONDS):
            version = await schema_version(store)
    except Exception:
        log.exception("store unavailable")
        return "the store does not answer"
    fits = migrate.fits(version, migrate.head())
    return None if fits else f"the database is at migration {version}, not at {migrate.head()}"


async def schema_version(store: Store) -> str:
    """Return the migration step of the tables; empty if there is none."""
    rows = await store.run(select(column("version_num", Text)).select_from(table("alembic_version")))
    return str(rows[0]["version_num"]) if rows else ""


async def metrics(request: Request) -> Response:
    """Return the metrics to programs on this machine or, if there is a token, to clients that send it.

    They are also returned while the store does not answer, because that is when they are needed.
    """
    settings: Settings = request.app.state.settings
    host: Host = request.app.state.host
    if not _may_read(request.scope, settings.metrics_token):
        return PlainTextResponse("metrics need the token, or a request from this machine without a proxy\n", 403)
    is_ready = await _problem(host.store) is None
    host.metrics.ready.set(int(is_ready))
    if is_ready:
        await _measure_bot_jobs(host)
    return Response(host.metrics.text(), media_type=CONTENT_TYPE_PLAIN_0_0_4)


async def _measure_bot_jobs(host: Host) -> None:
    waiting = select(jobs.c.made).where(jobs.c.kind.in_(("quick", "move"))).limit(MOST_JOBS_COUNTED)
    made = [float(row["made"]) for row in await host.store.run(waiting)]
    now = await host.store.now()
    host.metrics.bot_jobs.set(len(made))
    host.metrics.bot_job_age_seconds.set(max(0.0, now - min(made, default=now)))


def _may_read(scope: Scope, token: str) -> bool:
    headers = dict(scope["headers"])
    if token:
        given = headers.get(b"authorization", b"")
        return compare_digest(given, f"Bearer {token}".encode())
    return not PROXY_HEADERS & headers.keys() and _is_loopback(scope)


def _is_loopback(scope: Scope) -> bool:
    client = scope.get("client")
    try:
        return client is not None and ip_address(client[0]).is_loopback
    except ValueError:
        return False


ROUTES: list[BaseRoute] = [Route("/health", health), Route("/ready", ready), Route("/metrics", metrics)]
"""The routes of every worker that listens."""
