"""Bring the tables of a database up to date, with Alembic.

A step is numbered: `0007`. It only adds, so that workers of the version before go on beside it. A step that takes
something away says since which step nobody needs that any more: `0009_since_0007`; workers that know step 0007 go on.
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


class TooNew(RuntimeError):
    """The tables are ahead of this program, and it could harm them."""


@cache
def head() -> str:
    """The newest step that this program knows."""
    found = ScriptDirectory.from_config(config()).get_current_head()
    assert found is not None
    return found


def fits(found: str, ours: str) -> bool:
    """Whether a program that knows our step can work with tables at the step that was found.

    >>> fits("0007", "0007"), fits("0006", "0007"), fits("0008", "0007")
    (True, False, True)
    >>> fits("0009_since_0007", "0007"), fits("0009_since_0008", "0007")
    (True, False)
    """
    number, _, since = found.partition("_since_")
    mine = ours.partition("_")[0]
    return number >= mine >= since


def config() -> Config:
    """Alembic's settings: our migrations, no file."""
    settings = Config()
    settings.set_main_option("script_location", str(files("tessella.server.store").joinpath("migrations")))
    return settings


async def migrate(url: str, revision: str = "head") -> None:
    """Upgrade the database; several workers may try at the same time."""
    if url.startswith("sqlite:"):
        await asyncio.to_thread(_migrate_file, url.removeprefix("sqlite:"), revision)
        return
    from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415  needs what only PostgreSQL needs

    engine = create_async_engine("postgresql+asyncpg://" + url.partition("://")[2])
    async with engine.begin() as connection:
        await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        await connection.run_sync(_upgrade, revision)
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
        raise TooNew(f"the tables are at step {found}, and this version knows {head()}: install a newer one")
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, revision)
