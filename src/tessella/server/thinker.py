"""A computer player's chair behind the scenes: takes a job, thinks, and moves by the same path as a person.

It holds no lock. If it dies while thinking, the lease runs out and another does the job; if two do it, the primary
key makes one of them come too late.
"""

import asyncio
import contextlib
import logging
from random import Random, SystemRandom

from tessella.bots import Budget, bot
from tessella.server.entries import Played
from tessella.server.host import Host, Room
from tessella.server.store import Job
from tessella.server.table import Refused, Secret, Table

log = logging.getLogger(__name__)

LEASE_SECONDS = 20.0
STALE = "stale"
IDLE_SECONDS = 0.5


class Thinker:
    """One bot at work."""

    def __init__(self, host: Host, worker: str, rng: Random | None = None) -> None:
        self.host = host
        self.worker = worker
        self.wake = asyncio.Event()
        self._rng = rng or SystemRandom()

    async def run(self) -> None:
        """Take jobs as long as there are any, then wait for a hint or a moment."""
        while True:
            self.wake.clear()
            while (job := await self.host.store.lease(self.worker, LEASE_SECONDS)) is not None:
                await self._work(job)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.wake.wait(), IDLE_SECONDS)

    async def _work(self, job: Job) -> None:
        try:
            await self.move(job)
            await self.host.store.done(job)
        except Exception:
            log.exception("a bot could not move", extra={"game": job.game, "number": job.number})

    async def move(self, job: Job) -> None:
        """Make the moves of all bots that are to move in a game, until a person is."""
        room = await self.host.room(job.game)
        if room is None:
            return
        await self.host.read_on(room)
        while room.table.bots_to_move():
            try:
                await self._one_move(room)
            except Refused as wrong:
                if wrong.rule != STALE:
                    return
        self.host.forget(room)

    async def _one_move(self, room: Room) -> None:
        table = room.table
        seat, level = table.bots_to_move()[0]
        view = table.game.view(table.state, seat)
        choose = bot(table.game, level)
        move = await asyncio.to_thread(choose, view, Budget(), self._rng)
        text = table.game.write_move(table.state, move)

        def decide(latest: Table, secret: Secret) -> Played:
            if latest.number != table.number:  # the person may have come back while we thought
                raise Refused(STALE, "the table has gone on")
            return latest.play(seat, text, secret)

        await self.host.append(room, f"bot-{table.number}-{seat}", decide)
