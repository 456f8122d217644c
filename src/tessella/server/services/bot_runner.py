"""Bot moves: lease a job, search, and play the move by the same path as a person.

A job is one move of one game; then the game goes back into the queue, behind those that have waited longer (see
`store.Job`). The worker renews its lease while a bot searches. If the worker dies, the lease expires and another worker
does the job; if two do it, the primary key of the log rejects the second move.
"""

import asyncio
import contextlib
import logging
from random import Random, SystemRandom

from tessella.bots import Budget, bot
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Room
from tessella.server.store import Job, JobKind
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.tracing import span
from tessella.server.waiting import wait_for_event
from tessella.table.log import Played
from tessella.table.table import Refused, Secret, Table

log = logging.getLogger(__name__)

LEASE_SECONDS = 10.0
RENEW_SECONDS = 3.0
IDLE_SECONDS = 0.5
RETRY_SECONDS = 2.0
LONGEST_RETRY_SECONDS = 300.0
"""The delay before the second attempt at a failed job, and the longest one before a later attempt."""

STALE = "stale"

FULL = Budget()
CHEAP = Budget(seconds=0.02)
"""The budget of a bot at a table with players, and at a deserted one."""


class BotRunner:
    """Does the bot jobs of one kind, one after the other."""

    def __init__(self, host: Host, worker: str, rng: Random | None = None, kind: JobKind = "move") -> None:
        self.host = host
        self.worker = worker
        self.kind: JobKind = kind
        self.wake = asyncio.Event()
        self._rng = rng or SystemRandom()

    async def run(self) -> None:
        """Do jobs while there are any, then wait for a notification or `IDLE_SECONDS`; never return."""
        while True:
            self.wake.clear()
            while (job := await self.host.store.lease(self.worker, LEASE_SECONDS, self.kind)) is not None:
                await self._work(job)
            await wait_for_event(self.wake, IDLE_SECONDS)

    async def _work(self, job: Job) -> None:
        """Do a leased job and end its lease, also when it fails."""
        retry: float | None = 0.0
        renewal = asyncio.create_task(self._renew(job))
        try:
            with span("bot move", {"kind": job.kind}):
                await self.move(job)
            retry = None
            self.host.metrics.bot_jobs_done.inc()
        except Exception:
            retry = min(RETRY_SECONDS * 2**job.attempts, LONGEST_RETRY_SECONDS)
            extra = {"game": job.game, "number": job.number, "count": job.attempts + 1}
            log.exception("bot move failed", extra=extra)
        finally:
            renewal.cancel()
            await self.host.store.finish(job, self.worker, retry)

    async def _renew(self, job: Job) -> None:
        """Renew the lease until cancelled."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            with contextlib.suppress(*STORE_ERRORS):
                await self.host.store.renew(job, self.worker, LEASE_SECONDS)

    async def move(self, job: Job) -> None:
        """Play one move for a bot that is to move in this game, if there still is one."""
        if (room := await self.host.room(job.game)) is None:
            return
        await self.host.refresh(room)
        if not room.table.bots_to_move():
            return
        try:
            await self._one_move(room)
        except Refused as exc:
            if exc.rule != STALE:
                raise

    async def _one_move(self, room: Room) -> None:
        table = room.table
        seat, level = table.bots_to_move()[0]
        view = table.game.view(table.state, seat)
        choose = bot(table.game, level)
        move = await asyncio.to_thread(choose, view, CHEAP if table.is_deserted else FULL, self._rng)
        text = table.game.write_move(table.state, move)

        def decide(latest: Table, secret: Secret) -> Played:
            if latest.number != table.number:  # the player may have come back during the search
                raise Refused(STALE, "the table has gone on")
            return latest.play(seat, text, secret)

        stored = await self.host.append(room, f"bot-{table.number}-{seat}", decide)
        if stored.entry is not None:
            self.host.metrics.bot_moves.inc()
