"""A confirmed move is never lost, duplicated or changed: real programs that are killed, suspended and cut off.

While games of all kinds are played on a cluster, one fault follows another. Every game must end, and everything that a
client received must agree with the logs.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from math import ceil
from random import Random

from proofs import Ask, Figure, Report
from proofs.cluster.topology import FAULTS, Cluster, Fault, fill_disk, running_cluster
from proofs.load_clients import Diary, Party, judge_logs, percentile, set_table, wanted_tables
from proofs.sim.oracle import Broken
from tessella.progress import progress
from tessella.server import store as stores
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.host import Host
from tessella.server.store import Store
from tessella.server.store.errors import STORE_ERRORS
from tessella.table.log import Live

AT_ONCE = 24
"""Tables at which people play at the same time."""

MOST_FAULTS = 50
GAMES_FOR_A_FAULT = 5
END_SECONDS = 600.0
"""Time for every game to end after the last fault."""

REST_SECONDS = 1.0
"""Pause between two faults."""

SLOWER = {"crash_database": "crash", "fill_disk": "crash", "kill_all_web_workers": "restart"}
"""Faults with a longer recovery, and their common name."""

RETURN_SECONDS = 2.0
RETURN_AFTER_CRASH = 5.0

# The proof


def prove(ask: Ask) -> Report:
    """Play at least `ask.size` games while faults happen."""
    logging.getLogger("asyncpg").setLevel(logging.CRITICAL)  # that the database is away is no news to us
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    async with running_cluster() as cluster:
        store = await stores.connect(cluster.postgres.url)
        try:
            run = Run(cluster, store, ask)
            await run.go()
            run.failures += await judge_logs(store)
        finally:
            await store.close()
    diary = run.diary
    return Report(
        (
            Figure("broken", len(run.failures), at_most=0, note="promises that were not kept"),
            Figure("games", run.games, at_least=ask.size, note="all played to their end"),
            Figure("faults", len(run.happened), note=", ".join(sorted(set(run.happened)))),
            Figure(
                "dozers",
                cluster.dozed,
                note=f"did not read; {cluster.disconnected} were disconnected",
            ),
            Figure("acks", diary.confirmed, note="confirmed, each found in a log once"),
            Figure("resent", diary.resent, note="sent again on a new connection"),
            *_times("ack", diary.acks, "from a request to its confirmation, through all faults"),
            *_returns("return", diary, "from a lost connection to the table again", RETURN_SECONDS),
            *_returns("return_crash", diary, "the same, of a crash of the database", RETURN_AFTER_CRASH),
            *_returns("return_restart", diary, "the same, when no web worker was left"),
        ),
        tuple(run.failures),
    )


def _returns(name: str, diary: Diary, words: str, gate: float | None = None) -> list[Figure]:
    """Return the recovery times after faults of one kind, and which fault took longest."""
    _, _, kind = name.partition("_")
    chapters = {fault: seconds for fault, seconds in diary.returns.items() if SLOWER.get(fault, "") == kind}
    slowest = sorted(((max(seconds), fault) for fault, seconds in chapters.items()), reverse=True)[:3]
    said = ", ".join(f"{fault} {seconds:.1f} s" for seconds, fault in slowest)
    more = f"slowest: {said}" if said else ""
    return _times(name, [one for seconds in chapters.values() for one in seconds], words, gate, more)


def _times(name: str, seconds: Sequence[float], words: str, gate: float | None = None, more: str = "") -> list[Figure]:
    """Return percentiles in milliseconds; the highest one is judged."""
    most = None if gate is None else gate * 1_000
    return [
        Figure(f"{name}_p50_ms", percentile(seconds, 50) * 1_000, note=f"{words} ({len(seconds):,})"),
        Figure(f"{name}_p90_ms", percentile(seconds, 90) * 1_000),
        Figure(f"{name}_p99_ms", percentile(seconds, 99) * 1_000, at_most=most, timed=True, note=more),
    ]


class Run:
    """Games on a cluster, and the faults meanwhile."""

    def __init__(self, cluster: Cluster, store: Store, ask: Ask) -> None:
        self.cluster, self.ask = cluster, ask
        self.diary = Diary()
        self.games = 0
        self.happened: list[str] = []
        self.failures: list[str] = []
        self._kinds: list[Fault] = [kind for kind in FAULTS if cluster.small_disk or kind is not fill_disk]
        self._host = Host(store, LocalBus(), [], time.time)
        self._rng = Random(f"tables {ask.seed}")
        self._tables = wanted_tables(self._rng, Live(45, 3))

    async def go(self) -> None:
        """Play one table after another, several at once, while faults happen and until there were enough."""
        troubles = asyncio.create_task(self._trouble())
        await asyncio.gather(troubles, *(self._play_on(troubles) for _ in range(min(AT_ONCE, self.ask.size))))

    async def _trouble(self) -> None:
        """Cause one fault after another, in an order that depends on the seed."""
        rng = Random(self.ask.seed)
        await asyncio.sleep(REST_SECONDS)
        for _ in progress(range(min(MOST_FAULTS, ceil(self.ask.size / GAMES_FOR_A_FAULT))), "faults"):
            kind = rng.choice([kind for kind in self._kinds if kind.__name__ not in self.happened] or self._kinds)
            self.happened.append(kind.__name__)
            self.diary.chapter = kind.__name__
            await kind(self.cluster, rng)
            await asyncio.sleep(REST_SECONDS)

    async def _play_on(self, troubles: "asyncio.Task[None]") -> None:
        while self.games < self.ask.size or not troubles.done():
            self.games += 1
            party = await self._set()
            self.cluster.games.add(party.game)
            playing = asyncio.create_task(party.play())
            await asyncio.wait({playing, troubles}, return_when=asyncio.FIRST_COMPLETED)
            try:
                await asyncio.wait_for(playing, END_SECONDS)
                await self._judge(party)
            except TimeoutError:
                self.failures.append(f"{party.game} does not come to its end: {party.standing}")
            except Broken as exc:
                self.failures.append(str(exc))
            self.cluster.games.discard(party.game)

    async def _set(self) -> Party:
        """Open the next table, as soon as the store is available."""
        while True:
            try:
                party = await set_table(self._host, next(self._tables), self.cluster.client_ports, self.diary)
            except STORE_ERRORS:
                await asyncio.sleep(0.2)
                continue
            for client in party.clients:
                client.think = lambda: self._rng.uniform(0.05, 0.5)
                client.whim = lambda: "leave" if self._rng.random() < 0.003 else ""
            return party

    async def _judge(self, party: Party) -> None:
        while True:
            try:
                return await party.judge(self._host.store)
            except STORE_ERRORS:
                await asyncio.sleep(0.2)
