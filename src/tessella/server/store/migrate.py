"""Migrate the database with Alembic, which is imported only if there is something to migrate.

A revision is a number: `0007`. It only adds, so that workers of the previous version keep running. A revision that
removes something names the oldest revision that no longer needs it: `0009_since_0007` suits workers that know 0007.
"""

import asyncio
import re
import sqlite3
from contextlib import closing
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, create_engine, text

if TYPE_CHECKING:
    from alembic.config import Config

_LOCK = 0x7E55E11A

CONNECT_SECONDS = 10.0
"""How long a database that accepts a connection may take to answer."""


class TooNew(RuntimeError):
    """The database was migrated by a newer version, which this one could damage."""


class NotMigrated(RuntimeError):
    """The database must be migrated first; the message says from which revision, and how."""

    def __init__(self, found: str | None) -> None:
        state = f"is at migration {found}" if found else "has no tables yet"
        super().__init__(f"the database {state}, and this version needs {head()}: run `tessella admin migrate` first")


@cache
def head() -> str:
    """Return the newest revision that this version knows; the names of the files begin with it."""
    names = (file.name for file in files("tessella.server.store").joinpath("migrations", "versions").iterdir())
    return max(found[0] for name in names if (found := re.match(r"\d{4}(_since_\d{4})?(?=_)", name)))


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


def config() -> "Config":
    """Return the configuration of Alembic: our migrations, no file."""
    from alembic.config import Config  # noqa: PLC0415  takes a quarter of the time in which a server starts

    settings = Config()
    settings.set_main_option("script_location", str(files("tessella.server.store").joinpath("migrations")))
    return settings


async def migrate(url: str, revision: str = "head") -> None:
    """Upgrade the database; several workers may do so at the same time."""
    if url.startswith("sqlite:"):
        await asyncio.to_thread(_migrate_file, Path(url.removeprefix("sqlite:")), revision)
        return
    if not _is_current(await revision_of(url)):
        try:
            await _migrate_postgres(url, revision)
        except TimeoutError:
            raise _no_answer() from None


async def require_current(url: str) -> None:
    """Change nothing; raise `NotMigrated` if this version needs a newer revision, `TooNew` if it knows only older."""
    if not _is_current(found := await revision_of(url)):
        raise NotMigrated(found)


async def revision_of(url: str) -> str | None:
    """Return the revision of a database; None if it has no tables."""
    if url.startswith("sqlite:"):
        return await asyncio.to_thread(_revision_of_file, Path(url.removeprefix("sqlite:")))
    try:
        return await _revision_of_postgres(url)
    except TimeoutError:
        raise _no_answer() from None


def _no_answer() -> TimeoutError:
    return TimeoutError(f"no answer from the database within {CONNECT_SECONDS:g} s; check its address")


async def _revision_of_postgres(url: str) -> str | None:
    import asyncpg  # noqa: PLC0415  needs the extra for PostgreSQL

    connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS)
    try:
        if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
            return None
        found: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
        return found
    finally:
        await connection.close()


async def _migrate_postgres(url: str, revision: str) -> None:
    from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415  needs the extra for PostgreSQL

    address, limits = "postgresql+asyncpg://" + url.partition("://")[2], {"timeout": CONNECT_SECONDS}
    engine = create_async_engine(address, connect_args=limits)
    try:
        async with engine.begin() as connection:
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            await connection.run_sync(_upgrade, revision)
    finally:
        await engine.dispose()


def _migrate_file(path: Path, revision: str) -> None:
    if _is_current(_revision_of_file(path)):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        _upgrade(connection, revision)
    engine.dispose()


def _revision_of_file(path: Path) -> str | None:
    if not path.exists():
        return None
    with closing(sqlite3.connect(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
            return None
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return str(row[0]) if row else None


def _is_current(found: str | None) -> bool:
    """Return whether this version can use a database at a revision; raise `TooNew` if a newer one is needed."""
    if found is not None and found > head() and not fits(found, head()):
        raise TooNew(f"the database is at revision {found}, but this version knows only {head()}: install a newer one")
    return found is not None and fits(found, head())


def _upgrade(connection: Connection, revision: str) -> None:
    from alembic import command  # noqa: PLC0415  see `config`
    from alembic.migration import MigrationContext  # noqa: PLC0415

    if _is_current(MigrationContext.configure(connection).get_current_revision()):  # another worker was faster
        return
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, revision)
