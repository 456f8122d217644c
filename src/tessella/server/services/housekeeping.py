"""The periodic chores of a worker: heartbeats, expired clocks, bot moves, lost notifications.

Chores are independent: one that fails is logged by name, and the others still run. A game that cannot be read is
logged and set aside for a while.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from types import TracebackType

from sqlalchemy import ColumnElement, select, update

from tessella.server.cluster import heartbeats
from tessella.server.cluster.heartbeats import HEARTBEAT_SECONDS, SILENCE_SECONDS
from tessella.server.rooms.follow_ups import LateFollowUps
from tessella.server.rooms.history import UnreadableGame
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Room
from tessella.server.services.bot_runner import BotRunner
from tessella.server.services.reviews import Reviewer
from tessella.server.services.revocation import CHECK_SECONDS, NOTIFIED_CHECK_SECONDS, close_revoked
from tessella.server.settings import Settings
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.store.schema import games
from tessella.table.table import AppliedEntry, Refused

log = logging.getLogger(__name__)

SWEEP_SECONDS = 1.0
MOST_LATE = 50
"""How many expired clocks are handled in one sweep."""

MOST_IN_A_QUERY = 1_000
RECHECK_SECONDS = 5.0
"""When to check a clock again that has not expired after all, because of an outage or a bot that still searches."""

SET_ASIDE_SECONDS = 3_600.0
"""When to check the clock of an unreadable game again."""


class Housekeeper:
    """Runs the chores, the bots and the coach of one worker while the block runs."""

    def __init__(self, host: Host, settings: Settings, bot_runner: Callable[..., BotRunner] = BotRunner) -> None:
        self.host = host
        self.worker = host.worker
        self.bot_runners = [bot_runner(host, f"{self.worker}-{index}", kind="move") for index in range(settings.bots)]
        if self.bot_runners:  # quick bots never wait behind slow ones
            self.bot_runners.append(bot_runner(host, f"{self.worker}-quick", kind="quick"))
        self.reviewers = [Reviewer(host.store, self.worker)] if self.bot_runners else []
        self._late_follow_ups = LateFollowUps(host)
        self._tasks: list[asyncio.Task[None]] = []
        self._heartbeat_at = 0.0
        self._revocations_checked_at = 0.0
        self._known_until = 0.0
        """Every outage up to this time of the store is known; clocks are not judged beyond it."""

    async def __aenter__(self) -> "Housekeeper":
        is_first = not await heartbeats.read_heartbeats(self.host.store)
        await self._write_heartbeat()
        self.host.listeners.append(self._noticed)
        self.host.job_listeners.append(self._wake)
        self._tasks = [asyncio.create_task(self._keep(is_first=is_first))]
        self._tasks += [asyncio.create_task(self._run_forever(runner)) for runner in self.bot_runners]
        self._tasks += [asyncio.create_task(self._run_forever(reviewer)) for reviewer in self.reviewers]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _noticed(self, room: Room, entries: list[AppliedEntry]) -> None:  # noqa: ARG002
        if room.table.bots_to_move():
            self._wake()

    def _wake(self) -> None:
        for runner in self.bot_runners:
            runner.wake.set()

    async def _keep(self, *, is_first: bool) -> None:
        """Beat, then sweep, until cancelled: a worker that slept must know so before it judges any clock."""
        began = asyncio.get_running_loop().time()
        may_judge = not self.host.store.is_shared or is_first
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            is_due = abs(self.host.clock() - self._heartbeat_at) >= HEARTBEAT_SECONDS
            if is_due and not await self._try("heartbeat", self._write_heartbeat):
                continue
            if not may_judge and asyncio.get_running_loop().time() - began > SILENCE_SECONDS:
                may_judge = await self._try("outages", self._note_gaps)
            if may_judge:
                await self._try("clocks", self._sweep)
            await self._try("presence", self.host.refresh_presence)
            await self._try("idle rooms", self.host.evict_idle)
            await self._try("lost notifications", self._check_for_lost_notifications)
            await self._try("ended sessions", self._close_revoked)
            await self._try("late follow-ups", self._late_follow_ups.look)

    async def _try(self, chore: str, do: Callable[[], Awaitable[None]]) -> bool:
        """Do a chore and return whether it succeeded; log a failure under the name of the chore."""
        try:
            await do()
        except (*STORE_ERRORS, TimeoutError):
            log.exception("store unavailable", extra={"chore": chore, "worker": self.worker})
            return False
        except Exception:
            log.exception("chore failed", extra={"chore": chore, "worker": self.worker})
            return False
        return True

    async def _run_forever(self, runner: BotRunner | Reviewer) -> None:
        """Run a bot or the coach, and restart it when it fails, for example because the store was unavailable."""
        while True:
            try:
                await runner.run()
            except Exception:
                log.exception("bot runner failed", extra={"worker": self.worker})
            await asyncio.sleep(SWEEP_SECONDS)

    async def _write_heartbeat(self) -> None:
        known_until = await heartbeats.write_heartbeat(self.host.store, self.worker)
        await self._leave_outages_out()
        self._heartbeat_at, self._known_until = self.host.clock(), known_until

    async def _note_gaps(self) -> None:
        await heartbeats.record_gaps(self.host.store)
        await self._leave_outages_out()

    async def _leave_outages_out(self) -> None:
        """Read the known outages; after a new one, compute the clocks of all rooms again."""
        if await self.host.reload_outages():
            extra = {"count": len(self.host.outages), "worker": self.worker}
            log.warning("outage recorded", extra=extra)
        for room in [room for room in self.host.rooms.values() if room.clocks_stale]:
            try:
                await self.host.recompute_clocks(room)
            except UnreadableGame:
                log.exception("game unreadable", extra={"game": room.table.id})

    async def _sweep(self) -> None:
        """Flag players whose clock had expired at the last heartbeat, by the time of the store: ours may be wrong."""
        now = self._known_until
        late = select(games.c.id).where(games.c.status == "playing", games.c.deadline < now)
        for row in await self.host.store.run(late.order_by(games.c.deadline).limit(MOST_LATE)):
            try:
                await self._flag(row["id"], now)
            except UnreadableGame:
                log.exception("game set aside", extra={"game": row["id"]})
                await self._look_later(games.c.id == row["id"], now + SET_ASIDE_SECONDS)

    async def _flag(self, game_id: str, now: float) -> None:
        room = await self.host.room(game_id)
        assert room is not None
        try:
            await self.host.append(room, f"flag-{room.table.number}", lambda table, _: table.flag(now))
        except Refused:
            deadline = room.table.deadline(now)
            later = None if deadline is None else max(deadline, now + RECHECK_SECONDS)
            await self._look_later((games.c.id == game_id) & (games.c.number == room.table.number - 1), later)

    async def _look_later(self, here: ColumnElement[bool], at: float | None) -> None:
        await self.host.store.run(update(games).where(here).values(deadline=at))

    async def _close_revoked(self) -> None:
        """Close connections whose session has ended: soon after a notification, rarely without one."""
        now = asyncio.get_running_loop().time()
        interval = NOTIFIED_CHECK_SECONDS if self.host.must_check_sessions else CHECK_SECONDS
        if now - self._revocations_checked_at >= interval:
            self._revocations_checked_at = now
            await close_revoked(self.host)

    async def _check_for_lost_notifications(self) -> None:
        """Catch up with tables whose games went on elsewhere while a notification was lost."""
        ids = [room.table.id for room in self.host.rooms.values() if room.viewers]
        for start in range(0, len(ids), MOST_IN_A_QUERY):
            some = games.c.id.in_(ids[start : start + MOST_IN_A_QUERY])
            for row in await self.host.store.run(select(games.c.id, games.c.number).where(some)):
                if (room := self.host.rooms.get(row["id"])) is not None:
                    self.host.refresh_if_behind(room, row["number"])
