"""A new version costs no player a game: the schema is migrated and every worker is replaced while people play.

The new version is a copy of this program with one more migration. First it migrates, as a host would, while workers of
the old version go on; then one worker after another is stopped and replaced by the new version. Before that a worker is
started whose bus is down: it must serve all the same.
"""

import asyncio
import logging
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
from proofs import Ask, Figure, Report
from proofs.cluster.processes import Worker, a_folder, free_port
from proofs.databases import fresh_postgres
from proofs.in_process_server import Call, serve_in_process, status_of
from proofs.load_clients import Diary, Party, judge_logs, percentile, set_table, wanted_tables
from proofs.play import Client, sit_down
from proofs.sim.oracle import Broken
from tessella.server import store as stores
from tessella.server.cluster.bus import LocalBus
from tessella.server.ops import health
from tessella.server.rooms.host import Host
from tessella.server.store import Store, migrate
from tessella.table.log import Live

WEB_WORKERS = 3
BOT_WORKERS = 2
RETURN_SECONDS = 2.0
GOODBYE_SECONDS = 5.0
START_SECONDS = 120.0
"""Time for a worker without its bus to start and serve a table."""

END_SECONDS = 900.0
"""Time for every game to end after the last worker was replaced."""

LOOKS = 4.0, 0.05
"""Longest time that people think, in seconds: while workers are replaced, and afterwards."""

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
    """Replace all workers under `ask.size` live games."""
    logging.getLogger("tessella.server.cluster.bus").setLevel(logging.ERROR)  # that the bus is away is no news to us
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    async with a_folder() as folder, fresh_postgres(ask.database) as url:
        store = await stores.connect(url)
        try:
            failures = await _start_without_bus(url)
            async with _workers(folder, url, ask.bus) as workers:
                roll = Roll(store, workers, folder, url)
                await roll.go(ask)
            roll.failures += failures
            roll.failures += await judge_logs(store)
        finally:
            await store.close()
    returns = [seconds for chapter in roll.diary.returns.values() for seconds in chapter]
    return Report(
        (
            Figure("broken", len(roll.failures), at_most=0, note="games, moves or seconds that were lost"),
            Figure("games", ask.size, note="played to their end"),
            Figure("still_live", roll.live, at_least=ask.size / 2, note="when all workers were replaced", timed=True),
            Figure("replaced", roll.replaced, at_least=len(workers), note="workers, one after another"),
            Figure("acks", roll.diary.confirmed, note="confirmed, each found in a log once"),
            Figure("returns", len(returns), note="connections that were lost and restored"),
            Figure("return_p50_ms", percentile(returns, 50) * 1_000),
            Figure("return_p99_ms", percentile(returns, 99) * 1_000, at_most=RETURN_SECONDS * 1_000, timed=True),
            Figure("goodbye_s", roll.goodbye, at_most=GOODBYE_SECONDS, note="the slowest worker to stop", timed=True),
        ),
        tuple(roll.failures),
    )


async def _start_without_bus(url: str) -> list[str]:
    """Start a worker whose bus does not answer; return what is wrong with it."""
    try:
        async with (
            asyncio.timeout(START_SECONDS),
            serve_in_process(database=url, bus=f"nats://127.0.0.1:{free_port()}") as server,
        ):
            ready = status_of(await server.ask(Call("GET", "/ready")))
            game = await sit_down([await Client.arrive(server, name) for name in ("Ann", "Bob")], "azul")
            log = await server.host.store.log(game, -1)
    except TimeoutError:
        return [f"a worker without its bus does not start within {START_SECONDS:g} s"]
    return (
        [] if ready == HTTPStatus.OK and log else [f"a worker without its bus answers {ready}, and stores {len(log)}"]
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
    """A roll-out, and what was observed."""

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
        """Let people play, replace everything, and let them finish."""
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
        except Broken as exc:
            self.failures.append(str(exc))

    # The new version

    async def _migrate(self) -> None:
        """Create the new version and migrate while the old one serves."""
        step = f"{int(migrate.head()[:4]) + 1:04}"
        await asyncio.to_thread(_copy_program, self.program, step, migrate.head())
        words = [sys.executable, "-m", "tessella", "admin", "migrate", "--database", self.url]
        run = partial(subprocess.run, words, check=True, capture_output=True, env=self._environment, cwd="/")
        await asyncio.to_thread(run)
        found = await health.schema_version(self.store)
        self.failures += [] if found == step else [f"the database is at migration {found}, not at {step}"]
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
        except TimeoutError as exc:
            self.failures.append(f"of the new version: {exc}")


def _copy_program(target: Path, step: str, before: str) -> None:
    """Copy our program with one more migration."""
    source = Path(tessella.__file__).parent
    shutil.copytree(source, target / "tessella", ignore=shutil.ignore_patterns("__pycache__"))
    versions = target / "tessella" / "server" / "store" / "migrations" / "versions"
    (versions / f"{step}_the_next_version.py").write_text(NEXT_STEP.format(step=step, before=before))
