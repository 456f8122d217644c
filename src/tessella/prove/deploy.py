"""A new version costs nobody a game: the tables are migrated and every worker is replaced while people play.

The new version is a copy of this program that knows one more step of the tables. First it migrates, as a host would do,
while workers of the old version go on; then one worker after another is told to go, and one of the new version comes.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from random import Random

import tessella
from tessella.prove import Ask, Figure, Report
from tessella.prove.databases import fresh_postgres
from tessella.prove.machines import Worker, a_folder, free_port
from tessella.prove.society import Diary, Party, judge_logs, percentile, set_table, wanted_tables
from tessella.prove.truth import Broken
from tessella.server import operations
from tessella.server import store as stores
from tessella.server.bus import LocalBus
from tessella.server.entries import Live
from tessella.server.host import Host
from tessella.server.store import Store, migrate

WEB_WORKERS = 3
BOT_WORKERS = 2
RETURN_SECONDS = 2.0
GOODBYE_SECONDS = 5.0
END_SECONDS = 400.0
"""In which every game must have ended after the last worker was replaced."""

LOOKS = 4.0, 0.05
"""Seconds that people think at most: while workers are replaced, and afterwards."""

NEXT_STEP = '''"""A step of the next version: it only adds, as steps do."""

import sqlalchemy as sa
from alembic import op

revision = "{step}"
down_revision = "{before}"


def upgrade() -> None:
    """Add a column to the busiest tables, and an index."""
    op.add_column("games", sa.Column("mood", sa.Text(), nullable=False, server_default=""))
    op.add_column("entries", sa.Column("weight", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("games_by_mood", "games", ["mood"])


def downgrade() -> None:
    """Nobody goes back."""
'''


def prove(ask: Ask) -> Report:
    """Replace all workers under so many live games."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    async with a_folder() as folder, fresh_postgres(ask.database) as url:
        store = await stores.connect(url)
        try:
            async with _workers(folder, url, ask.bus) as workers:
                roll = Roll(store, workers, folder, url)
                await roll.go(ask)
            roll.failures += await judge_logs(store)
        finally:
            await store.close()
    returns = [seconds for chapter in roll.diary.returns.values() for seconds in chapter]
    return Report(
        (
            Figure("broken", len(roll.failures), at_most=0, words="games, moves or seconds that were lost"),
            Figure("games", ask.size, words="played to their end"),
            Figure("still_live", roll.live, at_least=ask.size / 2, words="when all were replaced", timed=True),
            Figure("replaced", roll.replaced, at_least=len(workers), words="workers, one after another"),
            Figure("acks", roll.diary.confirmed, words="confirmed, each found in a log once"),
            Figure("returns", len(returns), words="connections that were lost, and found again"),
            Figure("return_p50_ms", percentile(returns, 50) * 1_000),
            Figure("return_p99_ms", percentile(returns, 99) * 1_000, at_most=RETURN_SECONDS * 1_000, timed=True),
            Figure("goodbye_s", roll.goodbye, at_most=GOODBYE_SECONDS, words="the slowest worker to go", timed=True),
        ),
        tuple(roll.failures),
    )


@asynccontextmanager
async def _workers(folder: Path, url: str, bus: str) -> AsyncGenerator[list[Worker]]:
    async with AsyncExitStack() as stack:
        workers = [Worker(folder, "serve", url, bus, free_port(), 0) for _ in range(WEB_WORKERS)]
        workers += [Worker(folder, "work", url, bus, free_port(), 1) for _ in range(BOT_WORKERS)]
        for worker in workers:
            stack.push_async_callback(worker.kill)
        await asyncio.gather(*(worker.get_ready() for worker in workers))
        yield workers


class Roll:
    """A roll-out, and what was seen of it."""

    def __init__(self, store: Store, workers: Sequence[Worker], folder: Path, url: str) -> None:
        self.store, self.workers, self.url = store, workers, url
        self.program = folder / "next"
        self.diary = Diary()
        self.failures: list[str] = []
        self.replaced = 0
        self.live = 0
        self.goodbye = 0.0
        self.think = LOOKS[0]

    async def go(self, ask: Ask) -> None:
        """Let people play, replace everything, and let them play on to the end."""
        parties = await self._set_tables(ask)
        playing = [asyncio.create_task(party.play()) for party in parties]
        await asyncio.sleep(LOOKS[0])
        await self._migrate()
        for worker in self.workers:
            await self._replace(worker)
        self.live = sum(not task.done() for task in playing)
        self.think = LOOKS[1]
        done, late = await asyncio.wait(playing, timeout=END_SECONDS)
        self.failures += [f"{len(late)} games do not come to their end"] if late else []
        for task in late:
            task.cancel()
        await asyncio.gather(*done, *late, return_exceptions=True)
        for party in parties:
            await self._judge(party)

    async def _set_tables(self, ask: Ask) -> list[Party]:
        host, rng = Host(self.store, LocalBus(), [], time.time), Random(ask.seed)
        ports = [worker.port for worker in self.workers[:WEB_WORKERS]]
        tables = islice(wanted_tables(rng, Live(90, 5)), ask.size)
        parties = [await set_table(host, wanted, ports, self.diary) for wanted in tables]
        for client in (client for party in parties for client in party.clients):
            client.think = lambda: rng.uniform(0, self.think)
        return parties

    async def _judge(self, party: Party) -> None:
        try:
            await party.judge(self.store)
        except Broken as wrong:
            self.failures.append(str(wrong))

    # The new version

    async def _migrate(self) -> None:
        """Make the new version, and let it bring the tables up to date while the old one serves."""
        step = f"{int(migrate.head()[:4]) + 1:04}"
        await asyncio.to_thread(_copy_program, self.program, step, migrate.head())
        words = [sys.executable, "-m", "tessella", "admin", "migrate", "--database", self.url]
        run = partial(subprocess.run, words, check=True, capture_output=True, env=self._environment, cwd="/")
        await asyncio.to_thread(run)
        found = await operations.step(self.store)
        self.failures += [] if found == step else [f"the tables are at step {found}, not at {step}"]
        for worker in self.workers[:WEB_WORKERS]:
            status = await worker.readiness()
            self.failures += [] if status == HTTPStatus.OK else [f"a worker of the old version is not ready: {status}"]

    @property
    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TESSELLA_")}
        return kept | {"PYTHONPATH": str(self.program)}

    async def _replace(self, worker: Worker) -> None:
        began = time.monotonic()
        await worker.kill(signal.SIGTERM)
        self.goodbye = max(self.goodbye, time.monotonic() - began)
        assert worker.process is not None
        if worker.process.returncode not in (0, -signal.SIGTERM):
            self.failures.append(f"a worker ended with {worker.process.returncode}")
        worker.environment["PYTHONPATH"] = str(self.program)
        try:
            await worker.get_ready()
            self.replaced += 1
        except TimeoutError as wrong:
            self.failures.append(f"of the new version: {wrong}")


def _copy_program(target: Path, step: str, before: str) -> None:
    """Our program with one more step of the tables."""
    source = Path(tessella.__file__).parent
    shutil.copytree(source, target / "tessella", ignore=shutil.ignore_patterns("__pycache__"))
    versions = target / "tessella" / "server" / "store" / "migrations" / "versions"
    (versions / f"{step}_the_next_version.py").write_text(NEXT_STEP.format(step=step, before=before))
