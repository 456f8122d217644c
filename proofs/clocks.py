"""Time is kept by the store alone, and downtime is charged to no player.

Moves race their own deadline; workers with wrong clocks serve games; outages of any length, known to the worker or not,
cost no player a second; and a player who does run out of time is flagged.
"""

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from random import Random

from sqlalchemy import delete, update

from proofs import Ask, Figure, Report
from proofs.cluster.processes import a_folder
from proofs.databases import fresh_postgres
from proofs.sim.oracle import Oracle
from tessella.core.game import Seat
from tessella.progress import progress
from tessella.server import store as stores
from tessella.server.cluster import heartbeats
from tessella.server.cluster.bus import LocalBus
from tessella.server.cluster.heartbeats import SILENCE_SECONDS
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table
from tessella.server.rooms.room import Room
from tessella.server.services.housekeeping import Housekeeper
from tessella.server.settings import Settings
from tessella.server.store import Store
from tessella.server.store.schema import entries, games, outages
from tessella.server.store.schema import heartbeats as signs
from tessella.table.clock import elapsed
from tessella.table.log import Live, Played, Sat
from tessella.table.table import Refused, Secret, Table

RULES = "azul/1 seats=2 wall=coloured"
BANK = 60.0
BEFORE, AFTER = 0.25, 0.05
"""Seconds before and after the deadline in which moves are sent: most are under way for a while."""

LONGEST_OUTAGE = 5_000.0
TOLERANCE = 1.0
"""Seconds that may pass between two statements on a busy machine."""

AT_ONCE = 16


def prove(ask: Ask) -> Report:
    """Run `ask.size` races, wrong clocks and outages, with either store."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    async with a_folder() as folder, fresh_postgres(ask.database) as url:
        trials = [await _try(f"sqlite:{folder / 'games'}", ask), await _try(url, ask)]
    failures = [failure for trial in trials for failure in trial.failures]
    return Report(
        (
            Figure("wrong", len(failures), at_most=0, note="clocks that were misjudged"),
            Figure("moves_in_time", sum(trial.in_time for trial in trials), note="stored before their deadline"),
            Figure("moves_too_late", sum(trial.late for trial in trials), note="rejected at or after it"),
            Figure("outages", sum(trial.outages for trial in trials), note="that cost no player a second"),
            Figure("flags", sum(trial.flags for trial in trials), note="of players without time left"),
        ),
        tuple(failures),
    )


async def _try(url: str, ask: Ask) -> "Trial":
    store = await stores.connect(url)
    try:
        trial = Trial(store, Random(ask.seed))
        await trial.go(ask.size)
        return trial
    finally:
        await store.close()


class Trial:
    """One store, and what was found."""

    def __init__(self, store: Store, rng: Random) -> None:
        self.store, self.rng = store, rng
        self.failures: list[str] = []
        self.in_time = self.late = self.outages = self.flags = 0

    async def go(self, size: int) -> None:
        """Run `count` trials of every kind; outages come last, because they change all clocks."""
        for start in progress(range(0, size, AT_ONCE), "deadlines"):
            await asyncio.gather(*(self._race() for _ in range(min(AT_ONCE, size - start))))
        await self._flag_whoever_is_late()
        for _ in progress(range(max(1, size // 10)), "outages"):
            await self._outage()

    def host(self, wrong_by: float = 0.0) -> Host:
        """Return a worker whose clock may be wrong."""
        return Host(self.store, LocalBus(), [], lambda: time.time() + wrong_by)

    def expect(self, ok: bool, words: str) -> None:  # noqa: FBT001
        """Record a violation."""
        if not ok:
            self.failures.append(words)

    # Deadlines

    async def _race(self) -> None:
        """Send a move near its deadline, through a worker whose clock is wrong."""
        host = self.host(self.rng.choice([0.0, -1_000.0, 1_000.0]))
        game, seat = await self._game(host)
        due = await self.store.now() + 2 * BEFORE
        await self._let_time_pass(due - BANK, game)
        room = await _room(self.host(host.clock() - time.time()), game)
        await asyncio.sleep(max(0.0, due - await self.store.now() + self.rng.uniform(-BEFORE, AFTER)))
        stored = await self._move(host, room, seat)
        now = await self.store.now()
        if stored is None:
            self.late += 1
            self.expect(now >= due, f"{game}: refused {due - now:.4f} s before the deadline")
        else:
            self.in_time += 1
            self.expect(stored < due, f"{game}: stored {stored - due:.4f} s after the deadline")

    async def _game(self, host: Host) -> tuple[str, Seat]:
        room = await open_table(host, Terms(RULES, Live(BANK, 0)))
        for seat in range(2):
            await host.append(room, f"sit-{seat}", partial(_sit, seat))
        await host.append(room, "start", lambda table, secret: table.start(secret))
        host.forget(room)
        return room.table.id, room.table.movers[0]

    async def _let_time_pass(self, began: float, game: str) -> None:
        """Pretend that the game began at that time."""
        mine = entries.c.game == game
        await self.store.run(
            update(entries).where(mine).values(at=began),
            update(games).where(games.c.id == game).values(touched=began, deadline=began + BANK),
        )

    async def _move(self, host: Host, room: Room, seat: Seat) -> float | None:
        """Return when a move was stored; None if it was too late."""
        text = _any_move(room.table, seat)

        def decide(table: Table, secret: Secret) -> Played:
            return table.play(seat, text, secret)

        try:
            stored = await host.append(room, "a-move-in-time", decide)
        except Refused as exc:
            self.expect(exc.rule == "time", f"{room.table.id}: refused by {exc.rule}")
            return None
        return (await self.store.log(room.table.id, stored.number - 1))[0].at

    async def _flag_whoever_is_late(self) -> None:
        """Sweep with a wrong clock: exactly the players whose time is over are flagged."""
        late, began = [await self._game(self.host()) for _ in range(3)], await self.store.now()
        early = await self._game(self.host())
        for game, _ in late:
            await self._let_time_pass(await self.store.now() - BANK - 1, game)
        host = self.host(self.rng.choice([-1_000.0, 1_000.0]))
        async with Housekeeper(host, Settings(database="sqlite:none", bots=0)):
            await self._until_flagged([game for game, _ in late])
        for game, seat in late:
            table = (await _room(self.host(), game)).table
            self.flags += table.seats[seat].left
            self.expect(table.seats[seat].left, f"{game}: seat {seat} was never flagged")
        is_left = (await _room(self.host(), early[0])).table.seats[early[1]].left
        self.expect(not is_left or await self.store.now() > began + BANK, "somebody was flagged early")

    async def _until_flagged(self, waiting: Sequence[str]) -> None:
        for _ in range(3_000):
            rooms = [await _room(self.host(), game) for game in waiting]
            if all(any(occupant.left for occupant in room.table.seats) for room in rooms):
                return
            await asyncio.sleep(0.1)

    # Outages

    async def _outage(self) -> None:
        """Stop all workers for a while; the clock of the player to move stands still for every later worker."""
        game, seat = await self._game(self.host())
        length = self.rng.uniform(SILENCE_SECONDS + 1, LONGEST_OUTAGE)
        thought = self.rng.uniform(1, BANK - TOLERANCE - 10)
        now = await self.store.now()
        await self._let_time_pass(now - length - thought, game)
        await heartbeats.write_heartbeat(self.store, "the last one")
        await self.store.run(delete(outages), update(signs).values(at=now - length))
        if self.rng.random() < 0.5:
            # Without it, whoever moves first notices the outage.
            await heartbeats.write_heartbeat(self.store, "the first one")
        host = self.host(self.rng.choice([0.0, -500.0, 500.0]))
        room = await _room(host, game)
        stored = await self._move(host, room, seat)
        self.outages += 1
        if stored is None:
            spare = BANK - thought - (await self.store.now() - now)
            self.expect(spare < 0, f"{game}: an outage of {length:.0f} s cost the game")
            return
        oracle = Oracle(game, await heartbeats.read_outages(self.store))
        oracle.read(await self.store.log(game, -1))
        assert oracle.table is not None
        spent = BANK - oracle.table.clock.banks[seat]
        self.expect(
            abs(spent - thought) < TOLERANCE + elapsed(now, await self.store.now(), []),
            f"{game}: {thought:.2f} s of thought and an outage of {length:.0f} s cost {spent:.2f} s",
        )


def _sit(seat: Seat, table: Table, _secret: Secret) -> Sat:
    return table.sit(seat, f"p{seat}", f"Person {seat}")


async def _room(host: Host, game: str) -> Room:
    room = await host.room(game)
    assert room is not None
    return room


def _any_move(table: Table, seat: Seat) -> str:
    return table.game.write_move(table.state, table.game.legal_moves(table.state, seat)[0])
