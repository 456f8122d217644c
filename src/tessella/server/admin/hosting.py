"""What the host's commands share: a host without clients, and output as text or as one line of JSON."""

import argparse
import json
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from tessella.server import store as stores
from tessella.server.cluster import bus as buses
from tessella.server.cluster import heartbeats
from tessella.server.rooms.host import Host
from tessella.server.settings import Settings

Options: TypeAlias = argparse.Namespace
Command: TypeAlias = Callable[[Settings, Options], Awaitable[int]]


@asynccontextmanager
async def hosting(settings: Settings) -> AsyncGenerator[Host]:
    """Yield a host without clients; the database is never migrated here.

    Raise FileNotFoundError if there is no database file, `NotMigrated` if the database is older than this version.
    """
    path = Path(settings.database.removeprefix("sqlite:"))
    if settings.database.startswith("sqlite:") and not path.exists():
        raise FileNotFoundError(f"there is no database {path}")
    opened = await stores.connect_unmigrated(settings.database)
    try:
        now = await opened.now()
        host = Host(opened, buses.LocalBus(), await heartbeats.read_outages(opened), lambda: now)
        host.bus = await buses.connect(settings.bus, host.receive)
        yield host
        await host.bus.close()
    finally:
        await opened.close()


def show_line(text: str) -> None:
    """Write a line to the standard output."""
    sys.stdout.write(text + "\n")


def report(options: Options, figures: dict[str, object], text: str) -> None:
    """Write a result, as JSON if the options say so."""
    sys.stdout.write(f"{json.dumps(figures)}\n" if options.json else f"{text}\n" if text else "")


def time_of(moment: float) -> str:
    """Return a time as text, in UTC."""
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M}"
