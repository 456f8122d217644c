"""One worker from its start to its end: a store, a bus, its tables and its housekeeping."""

import logging
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.metadata import version

from starlette.applications import Starlette
from starlette.middleware import Middleware

from tessella.server import beats, logs, operations
from tessella.server import bus as buses
from tessella.server import store as stores
from tessella.server.keeper import Keeper
from tessella.server.metrics import Counted, CountedBus, CountedHost, CountedThinker, Metrics
from tessella.server.ratings import Settler
from tessella.server.settings import Settings

log = logging.getLogger(__name__)


@asynccontextmanager
async def working(settings: Settings, metrics: Metrics) -> AsyncGenerator[CountedHost]:
    """A worker that is there as long as the block runs; afterwards everything that waited is written."""
    store = await stores.connect(settings.database)
    try:
        offset = await store.now() - time.time()
        host = CountedHost(store, buses.LocalBus(), await beats.arrive(store), lambda: time.time() + offset)
        host.metrics = metrics
        host.bus = CountedBus(await buses.connect(settings.bus, host.hear), metrics)
        try:
            async with Keeper(host, settings, CountedThinker), Settler(host):
                log.info("started", extra=_about(settings, host))
                yield host
        finally:
            await host.bus.close()
    finally:
        await store.close()
    log.info("stopped", extra={"worker": host.worker})


def _about(settings: Settings, host: CountedHost) -> dict[str, str]:
    """Which kinds of store and bus; never their addresses, which may hold a password."""
    database, bus = (url.partition(":")[0] for url in (settings.database, settings.bus))
    return {"worker": host.worker, "version": version("tessella"), "database": database, "bus": bus or "none"}


def watching(settings: Settings, metrics: Metrics) -> list[Middleware]:
    """What stands around an application: it counts, and it tells of each request if that is wished."""
    return [Middleware(Counted, metrics), *([Middleware(logs.Access)] if settings.access_log else [])]


def make_work_app(settings: Settings) -> Starlette:
    """A bot worker that answers to whoever runs it."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with working(settings, Metrics()) as host:
            app.state.host, app.state.settings = host, settings
            yield

    return Starlette(routes=operations.ROUTES, lifespan=lifespan)
