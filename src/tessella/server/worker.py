"""The lifetime of a worker: store, bus, host and background services."""

import logging
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.metadata import version

from tessella.server import store as stores
from tessella.server.cluster import bus as buses
from tessella.server.cluster import heartbeats
from tessella.server.metrics import Metrics
from tessella.server.rooms.host import Host
from tessella.server.services.housekeeping import Housekeeper
from tessella.server.services.ratings import ResultRecorder
from tessella.server.settings import Settings

log = logging.getLogger(__name__)


@asynccontextmanager
async def working(settings: Settings, metrics: Metrics) -> AsyncGenerator[Host]:
    """Run a worker while the block runs, and yield its host; queued writes are finished at the end."""
    store = await stores.connect(settings.database)
    try:
        offset = await store.now() - time.time()
        outages = await heartbeats.end_outage(store)
        host = Host(store, buses.LocalBus(), outages, lambda: time.time() + offset, metrics)
        host.bus = await buses.connect(settings.bus, host.receive)
        _measure(host)
        try:
            async with Housekeeper(host, settings), ResultRecorder(host):
                log.info("started", extra=_about(settings, host))
                yield host
        finally:
            await host.bus.close()
    finally:
        await store.close()
    log.info("stopped", extra={"worker": host.worker})


def _measure(host: Host) -> None:
    """Let a scrape read the gauges of a host."""
    host.metrics.rooms.set_function(lambda: len(host.rooms))
    host.metrics.bus_connected.set_function(lambda: host.bus.is_connected)
    host.metrics.outages.set_function(lambda: len(host.outages))
    host.metrics.outage_seconds.set_function(lambda: sum(outage.ended - outage.began for outage in host.outages))


def _about(settings: Settings, host: Host) -> dict[str, str]:
    """Return the kinds of store and bus for the log, not their addresses, which may contain a password."""
    database, bus = (url.partition(":")[0] for url in (settings.database, settings.bus))
    return {"worker": host.worker, "version": version("tessella"), "database": database, "bus": bus or "none"}
