"""Temporary databases: a file in memory, or a PostgreSQL database on a given server."""

import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from secrets import token_hex

import asyncpg


@contextmanager
def folder_in_memory() -> Generator[Path]:
    """Create a temporary folder, in memory where that is possible."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
    folder = Path(tempfile.mkdtemp(prefix="tessella-", dir=memory))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def fresh_postgres(url: str) -> AsyncGenerator[str]:
    """Create a temporary database on the given server."""
    name = f"tessella_prove_{token_hex(6)}"
    connection = await asyncpg.connect(url)
    await connection.execute(f"CREATE DATABASE {name}")
    try:
        yield f"{url.rpartition('/')[0]}/{name}"
    finally:
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await connection.close()
