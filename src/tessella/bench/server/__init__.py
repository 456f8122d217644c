"""What the server costs: CPU time for each move, message and view, held against yardsticks in the same run.

Ours and the yardstick take turns in short slices, and the median of their ratios is judged; so a busy machine slows
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

from tessella.bench.server.durability import Durability
from tessella.bench.server.encoding import Encoding
from tessella.bench.server.figures import Part, Report
from tessella.bench.server.paths import Paths
from tessella.bench.server.sockets import Framework, weigh_idle_sockets
from tessella.server import store as stores
from tessella.server.store import Store
from tessella.terminal.progress import progress

ROUNDS = 20
SLICES = 9
"""In each round."""


def run(database: str, seconds: float) -> Report:
    """Measure everything, in about so many seconds."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_measure(database, seconds / (ROUNDS * SLICES)))


async def _measure(database: str, budget: float) -> Report:
    """Let all parts take turns, each slice for so many seconds; then weigh the idle sockets."""
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
    """A folder that is kept on the disk where /tmp may be kept in memory."""
    return "/var/tmp" if Path("/var/tmp").is_dir() else None  # noqa: S108


@asynccontextmanager
async def _database(url: str) -> AsyncGenerator[str]:
    """A new database beside the given one, for as long as we measure."""
    name = f"tessella_bench_{token_hex(6)}"
    try:
        connection = await asyncpg.connect(url)
        await connection.execute(f"CREATE DATABASE {name}")
    except asyncpg.PostgresError as wrong:
        raise ConnectionError(f"cannot make a database: {wrong}") from wrong
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
