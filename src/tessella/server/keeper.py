"""What a worker does besides answering: signs of life, clocks that run out, bots that move, lost hints."""

import asyncio
import logging
from collections.abc import Callable
from types import TracebackType

from sqlalchemy import select, update

from tessella.server import beats
from tessella.server.beats import BEAT_SECONDS, SILENCE
from tessella.server.doors import HINT_SECONDS, LOOK_SECONDS, turn_away
from tessella.server.host import Host, Room
from tessella.server.reviews import Reviewer
from tessella.server.settings import Settings
from tessella.server.store.schema import games
from tessella.server.table import Happening, Refused
from tessella.server.thinker import Thinker

log = logging.getLogger(__name__)

SWEEP_SECONDS = 1.0
MOST_LATE = 50
MOST_IN_A_QUERY = 1_000
LATER = 5.0
"""When to look again at a clock that should have run out and has not: an outage was left out, or a bot thinks."""


class Keeper:
    """The housekeeping of one worker."""

    def __init__(self, host: Host, settings: Settings, thinker: Callable[[Host, str], Thinker] = Thinker) -> None:
        self.host = host
        self.worker = host.worker
        self.thinkers = [thinker(host, f"{self.worker}-{index}") for index in range(settings.bots)]
        self.reviewers = [Reviewer(host.store, self.worker)] if self.thinkers else []
        self._tasks: list[asyncio.Task[None]] = []
        self._beaten = 0.0
        self._looked = 0.0
        self._known_until = 0.0
        """Up to this moment, by the store's clock, we know of every outage: later clocks are not judged."""

    async def __aenter__(self) -> "Keeper":
        is_first = not await beats.read_beats(self.host.store)
        await self._beat()
        self.host.listeners.append(self._noticed)
        self._tasks = [asyncio.create_task(self._keep(is_first=is_first))]
        self._tasks += [asyncio.create_task(self._think(thinker)) for thinker in self.thinkers]
        self._tasks += [asyncio.create_task(self._think(reviewer)) for reviewer in self.reviewers]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _noticed(self, room: Room, happenings: list[Happening]) -> None:  # noqa: ARG002
        if room.table.bots_to_move():
            for thinker in self.thinkers:
                thinker.wake.set()

    async def _keep(self, *, is_first: bool) -> None:
        """Beat, then sweep, for ever: whoever slept must know of it before any clock is judged."""
        began = asyncio.get_running_loop().time()
        may_judge = beats.is_file(self.host.store) or is_first
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                if abs(self.host.clock() - self._beaten) >= BEAT_SECONDS:
                    await self._beat()
                if not may_judge and asyncio.get_running_loop().time() - began > SILENCE:
                    await beats.note_gaps(self.host.store)
                    await self._leave_outages_out()
                    may_judge = True
                if may_judge:
                    await self._sweep()
                await self._check_for_lost_hints()
                await self._look_at_the_doors()
            except Exception:
                log.exception("the store does not answer", extra={"worker": self.worker})

    async def _think(self, thinker: Thinker | Reviewer) -> None:
        """Let a bot, or the coach, think for ever, also when the store has been away."""
        while True:
            try:
                await thinker.run()
            except Exception:
                log.exception("a bot could not ask for work", extra={"worker": self.worker})
            await asyncio.sleep(SWEEP_SECONDS)

    async def _beat(self) -> None:
        known_until = await beats.beat(self.host.store, self.worker)
        await self._leave_outages_out()
        self._beaten, self._known_until = self.host.clock(), known_until

    async def _leave_outages_out(self) -> None:
        """Learn of outages; if there is a new one, reckon all clocks here again."""
        if await self.host.learn_of_outages():
            extra = {"count": len(self.host.outages), "worker": self.worker}
            log.warning("nobody was there for a while", extra=extra)
        for room in [room for room in self.host.rooms.values() if room.misjudged]:
            await self.host.reckon_again(room)

    async def _sweep(self) -> None:
        """Clocks that had run out at the last sign of life: by the store's clock, for ours may be wrong."""
        now = self._known_until
        late = select(games.c.id).where(games.c.status == "playing", games.c.deadline < now)
        for row in await self.host.store.run(late.order_by(games.c.deadline).limit(MOST_LATE)):
            await self._flag(row["id"], now)

    async def _flag(self, game_id: str, now: float) -> None:
        room = await self.host.room(game_id)
        assert room is not None
        try:
            await self.host.append(room, f"flag-{room.table.number}", lambda table, _: table.flag(now))
        except Refused:
            deadline = room.table.deadline(now)
            later = None if deadline is None else max(deadline, now + LATER)
            here = (games.c.id == game_id) & (games.c.number == room.table.number - 1)
            await self.host.store.run(update(games).where(here).values(deadline=later))
        self.host.forget(room)

    async def _look_at_the_doors(self) -> None:
        """Connections whose session has ended: soon if somebody said so."""
        now = asyncio.get_running_loop().time()
        if now - self._looked >= (HINT_SECONDS if self.host.doubts else LOOK_SECONDS):
            self._looked = now
            await turn_away(self.host)

    async def _check_for_lost_hints(self) -> None:
        """Tables that have gone on elsewhere without our hearing of it."""
        ids = [room.table.id for room in self.host.rooms.values() if room.viewers]
        for start in range(0, len(ids), MOST_IN_A_QUERY):
            some = games.c.id.in_(ids[start : start + MOST_IN_A_QUERY])
            for row in await self.host.store.run(select(games.c.id, games.c.number).where(some)):
                if (room := self.host.rooms.get(row["id"])) is not None:
                    self.host.hear_number(room, row["number"])
