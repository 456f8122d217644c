"""Databases for a while: a file in memory, or a PostgreSQL database beside the one that is given."""

import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from secrets import token_hex

import asyncpg


@contextmanager
def folder_in_memory() -> Generator[Path]:
    """A folder that is kept in memory where that is possible: nothing in it must survive."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
    folder = Path(tempfile.mkdtemp(prefix="tessella-", dir=memory))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def fresh_postgres(url: str) -> AsyncGenerator[str]:
    """A new database beside the given one."""
    name = f"tessella_prove_{token_hex(6)}"
    connection = await asyncpg.connect(url)
    await connection.execute(f"CREATE DATABASE {name}")
    try:
        yield f"{url.rpartition('/')[0]}/{name}"
    finally:
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await connection.close()
