"""Nothing grows without bound: people come, flood and go, and afterwards everything is as it was before.

First a simulated world in which months pass: tables that never start, tables that all players leave, abandoned games,
guests who only watch. After a while without visitors, no row of an unfinished game may be left, no room may be in
memory, and every game that was played must still be there. Then real minutes with a real worker, whose memory must not
keep growing.
"""

import asyncio
import multiprocessing
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial

from sqlalchemy import Table as SQLTable
from sqlalchemy import func, select

from proofs import Ask, Figure, Report
from proofs.abuse.askers import ask_for_replays
from proofs.abuse.bot_flood import keep_bots_busy
from proofs.abuse.crowds import a_worker, crowd
from proofs.databases import fresh_postgres
from proofs.sim import silence
from proofs.sim.world import FarStore, Life, World
from tessella.core.dice import commitment
from tessella.core.record import Record
from tessella.progress import progress
from tessella.server.cluster import heartbeats
from tessella.server.cluster.bus import LocalBus
from tessella.server.people.identity import Person, add_person, add_session
from tessella.server.rooms import host
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import invite, sit, sit_bot
from tessella.server.rooms.room import Room
from tessella.server.services import bot_runner, housekeeping, retention
from tessella.server.services import reviews as reviewing
from tessella.server.services.reviews import ask_for_review
from tessella.server.settings import Settings
from tessella.server.store.schema import entries, games, jobs, links, people, reviews, seats, sessions
from tessella.server.store.sqlite import compile_all
from tessella.table.clock import DAY_SECONDS
from tessella.table.log import Opened

RULES = "azul/1 seats=2 wall=coloured"
SETTINGS = Settings(
    database="sqlite:none",
    bots=1,
    keep_unstarted_days=7,
    keep_abandoned_days=20,
    keep_guests_days=10,
    keep_reviews_days=20,
)
QUIET_DAYS = 30
"""Days without visitors at the end: longer than every lifetime."""

CYCLE_SECONDS = 4.0
"""The time of each of the three kinds of floods in a cycle."""

FULL_DAYS = 90
FULL_CYCLES = 50
"""Ten real minutes of floods, with `--full`."""

MOST_GROWTH_MB = 40.0
"""How much a worker's memory may grow after the first cycle of floods, however many follow."""


def prove(ask: Ask) -> Report:
    """Simulate `ask.size` days, and run a cycle of real floods per fifteen of them, or ten minutes of floods."""
    with slow_chores(), silence():
        days = Days(ask.size, ask.seed)
        days.world.run(days.go_by())
    cycles = FULL_CYCLES if ask.size >= FULL_DAYS else max(2, round(ask.size / 15))
    return Report((*days.figures(), *asyncio.run(_real_cycles(ask, cycles))), tuple(days.failures))


@contextmanager
def slow_chores() -> Generator[None]:
    """Make workers poll rarely, so that months pass in minutes."""
    changed: dict[tuple[object, str], float] = {
        (housekeeping, "SWEEP_SECONDS"): 7_200.0,
        (housekeeping, "HEARTBEAT_SECONDS"): 7_200.0,
        (housekeeping, "SILENCE_SECONDS"): 80_000.0,
        (heartbeats, "SILENCE_SECONDS"): 80_000.0,
        (bot_runner, "IDLE_SECONDS"): 7_200.0,
        (reviewing, "IDLE_SECONDS"): 7_200.0,
        (retention, "STEP_SECONDS"): 10_800.0,
        (host, "ANNOUNCE_SECONDS"): 14_400.0,
        (host, "EXPIRY_SECONDS"): 43_200.0,
    }
    before = {(module, name): getattr(module, name) for module, name in changed}
    for (module, name), value in changed.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for (module, name), value in before.items():
            setattr(module, name, value)


class Days:
    """Months of a simulated world."""

    def __init__(self, days: int, seed: int) -> None:
        self.days = max(days, QUIET_DAYS + 5)
        self.world = World(seed, SETTINGS, retains=True)
        self.rng = self.world.dice("soak")
        self.failures: list[str] = []
        self.played: list[str] = []
        self.most_rooms = self.made = 0

    async def go_by(self) -> None:
        """Let people come every day, then none."""
        self.world.is_noisy = False
        clerk = Host(FarStore(self.world, Life(self.world, "clerk")), LocalBus(), [], self.world.now)
        for worker in self.world.workers:
            worker.start()
        for day in progress(range(self.days), "days"):
            if day < self.days - QUIET_DAYS:
                await self._visit(clerk, f"d{day}")
            self.most_rooms = max(self.most_rooms, *(len(rooms) for rooms in self._rooms()))
            await asyncio.sleep(DAY_SECONDS)
        self._judge()

    async def _visit(self, clerk: Host, day: str) -> None:
        """Simulate a day; it leaves nothing behind but one game that bots play to its end."""
        ann, bob = [await add_person(clerk.store, name, "guest") for name in ("Ann", "Bob")]
        await self._set(clerk, f"{day}-empty")
        waits = await self._set(clerk, f"{day}-waits")
        await sit(clerk, waits, 0, ann)
        await invite(clerk, waits.table.id, 1)
        deserted = await self._set(clerk, f"{day}-deserted")
        await sit(clerk, deserted, 0, ann)
        await sit_bot(clerk, deserted, 1, "1")
        abandoned = await self._set(clerk, f"{day}-abandoned")
        for seat, person in enumerate((ann, bob)):
            await sit(clerk, abandoned, seat, person)
        for room in (deserted, abandoned):
            await clerk.append(room, "start", lambda table, secret: table.start(secret))
            self.played.append(room.table.id)
        await clerk.append(deserted, "leave", lambda table, _: table.leave(0))
        await ask_for_review(clerk.store, f"{day}-review", Record(RULES, ("*",)))
        await self._guests(clerk, [await add_person(clerk.store, f"Guest {number}", "guest") for number in range(5)])
        for room in (waits, deserted, abandoned):
            clerk.forget(room)
        await self._read(day)

    async def _set(self, clerk: Host, name: str) -> Room:
        seed = self.rng.randbytes(32)
        self.made += 1
        return await clerk.open(name, Opened(RULES, commitment(name, seed).hex()), seed, listed=True)

    async def _guests(self, clerk: Host, guests: list[Person]) -> None:
        for guest in guests:
            await add_session(clerk.store, guest, "cookie")
            self.made += 1

    async def _read(self, day: str) -> None:
        """Read tables as strangers, by HTTP."""
        for name in ("empty", "waits", "deserted", "abandoned"):
            for worker in self.world.workers:
                await worker.read(f"{day}-{name}")

    def _rooms(self) -> list[dict[str, Room]]:
        return [worker.life.host.rooms for worker in self.world.workers if worker.life.host is not None]

    # Judgement

    def _judge(self) -> None:
        left = {
            "unfinished tables": self._count(games, games.c.status != "over"),
            "guests without a game": self._count(people, people.c.id.not_in(select(seats.c.person))),
            "sessions": self._count(sessions),
            "invitations": self._count(links),
            "reviews": self._count(reviews),
            "jobs": self._count(jobs),
            "rooms in memory": sum(len(rooms) for rooms in self._rooms()),
        }
        self.failures += [f"{count} {what} are left" for what, count in left.items() if count]
        for table in (games.c.id, entries.c.game):
            kept = {next(iter(row.values())) for row in self.world.file.run(compile_all([select(table).distinct()]))}
            if kept != set(self.played):
                self.failures.append(f"{len(self.played)} games were played, and {table} has {len(kept)}")

    def _count(self, table: SQLTable, *where: object) -> int:
        query = select(func.count().label("count")).select_from(table).where(*where)  # type: ignore[arg-type]
        return int(self.world.file.run(compile_all([query]))[0]["count"])

    def figures(self) -> tuple[Figure, ...]:
        """Return what was counted."""
        return (
            Figure("days", self.days, note="simulated, the last thirty of them without visitors"),
            Figure("made", self.made, at_least=1, note="abandoned and finished tables, and guests"),
            Figure("kept", len(self.played), at_least=1, note="games that were played, all still stored"),
            Figure("most_rooms", self.most_rooms, at_most=host.MOST_IDLE_ROOMS, note="in the memory of a worker"),
            Figure("left", len(self.failures), at_most=0, note="kinds of rows or memory that were not released"),
        )


# Real minutes


async def _real_cycles(ask: Ask, cycles: int) -> tuple[Figure, ...]:
    """Flood a real worker again and again, and return how its memory grows."""
    sizes: list[float] = []
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as elsewhere:
        async with fresh_postgres(ask.database) as url, a_worker(ask, url, 1) as worker:
            for _ in progress(range(cycles), "floods"):
                for visit in (crowd, ask_for_replays, keep_bots_busy):
                    there = partial(visit, worker.port, "nowhere", CYCLE_SECONDS)
                    await asyncio.get_running_loop().run_in_executor(elsewhere, there)
                sizes.append(worker.resident_kib / 1024)
    words = f"megabytes of a worker from the first of {cycles} floods to the last, from {sizes[0]:.0f}"
    return (Figure("soak_growth_mb", sizes[-1] - sizes[0], at_most=MOST_GROWTH_MB, note=words),)
