"""Migrate the database with Alembic.

A revision is a number: `0007`. It only adds, so that workers of the previous version keep running. A revision that
removes something names the oldest revision that no longer needs it: `0009_since_0007` suits workers that know 0007.
"""

import asyncio
from functools import cache
from importlib.resources import files
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text

_LOCK = 0x7E55E11A

CONNECT_SECONDS = 10.0
"""How long a database that accepts a connection may take to answer."""


class TooNew(RuntimeError):
    """The database was migrated by a newer version, which this one could damage."""


@cache
def head() -> str:
    """Return the newest revision that this version knows."""
    found = ScriptDirectory.from_config(config()).get_current_head()
    assert found is not None
    return found


def fits(found: str, ours: str) -> bool:
    """Return whether a version whose newest revision is `ours` can use a database at revision `found`.

    >>> fits("0007", "0007"), fits("0006", "0007"), fits("0008", "0007")
    (True, False, True)
    >>> fits("0009_since_0007", "0007"), fits("0009_since_0008", "0007")
    (True, False)
    """
    number, _, since = found.partition("_since_")
    mine = ours.partition("_")[0]
    return number >= mine >= since


def config() -> Config:
    """Return the configuration of Alembic: our migrations, no file."""
    settings = Config()
    settings.set_main_option("script_location", str(files("tessella.server.store").joinpath("migrations")))
    return settings


async def migrate(url: str, revision: str = "head") -> None:
    """Upgrade the database; several workers may do so at the same time."""
    if url.startswith("sqlite:"):
        await asyncio.to_thread(_migrate_file, url.removeprefix("sqlite:"), revision)
        return
    from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415  needs the extra for PostgreSQL

    address, limits = "postgresql+asyncpg://" + url.partition("://")[2], {"timeout": CONNECT_SECONDS}
    engine = create_async_engine(address, connect_args=limits)
    try:
        async with engine.begin() as connection:
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            await connection.run_sync(_upgrade, revision)
    except TimeoutError:
        raise TimeoutError(f"no answer from the database within {CONNECT_SECONDS:g} s; check its address") from None
    finally:
        await engine.dispose()


def _migrate_file(path: str, revision: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        _upgrade(connection, revision)
    engine.dispose()


def _upgrade(connection: Connection, revision: str) -> None:
    found = MigrationContext.configure(connection).get_current_revision()
    if found is not None and fits(found, head()):
        return
    if found is not None and found > head():
        raise TooNew(f"the database is at revision {found}, but this version knows only {head()}: install a newer one")
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, revision)
