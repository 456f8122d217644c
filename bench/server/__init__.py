"""The cost of the server: CPU time per move, message and view, compared with yardsticks in the same run.

Ours and the yardstick alternate in short slices, and the median of their ratios is judged; so a busy machine slows
both, and a gate is missed only by what we do.
"""

import asyncio
import tempfile
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from secrets import token_hex

import asyncpg
import uvloop

from bench.server.durability import Durability
from bench.server.encoding import Encoding
from bench.server.figures import Part, Report
from bench.server.paths import Paths
from bench.server.sockets import Framework, weigh_idle_sockets
from tessella.progress import progress
from tessella.server import store as stores
from tessella.server.store import Store

ROUNDS = 20
SLICES = 9
"""In each round."""


def run(database: str, seconds: float) -> Report:
    """Measure everything, in about this many seconds."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_measure(database, seconds / (ROUNDS * SLICES)))


async def _measure(database: str, budget: float) -> Report:
    """Let all parts alternate, each slice for `slice_seconds`; then measure idle sockets."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tessella-", dir=_disk())))
        url = await stack.enter_async_context(_database(database))
        sqlite = await stack.enter_async_context(_store(f"sqlite:{folder / 'path'}"))
        postgres = await stack.enter_async_context(_store(url))
        parts: list[Part] = [
            Paths(budget, sqlite, postgres),
            await stack.enter_async_context(Framework.between(budget, folder)),
            await Durability.prepare(budget, postgres, url),
            await Encoding.prepare(budget),
        ]
        for number in progress(range(ROUNDS), "bench server"):
            for part in parts:
                await part.measure(number)
        figures = [figure for part in parts for figure in part.figures()]
        return Report((*figures, await weigh_idle_sockets(folder)))


def _disk() -> str | None:
    """Return where to create folders on the disk, because /tmp may be in memory."""
    return "/var/tmp" if Path("/var/tmp").is_dir() else None  # noqa: S108


@asynccontextmanager
async def _database(url: str) -> AsyncGenerator[str]:
    """Create a temporary database on the given server."""
    name = f"tessella_bench_{token_hex(6)}"
    try:
        connection = await asyncpg.connect(url)
        await connection.execute(f"CREATE DATABASE {name}")
    except asyncpg.PostgresError as exc:
        raise ConnectionError(f"cannot create a database: {exc}") from exc
    try:
        yield f"{url.rpartition('/')[0]}/{name}"
    finally:
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await connection.close()


@asynccontextmanager
async def _store(url: str) -> AsyncGenerator[Store]:
    store = await stores.connect(url)
    try:
        yield store
    finally:
        await store.close()
