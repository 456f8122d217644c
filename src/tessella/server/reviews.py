"""Games that the coach has looked at, or is looking at: asked for once, worked on by bot workers, kept for all.

A bot worker looks at a few acts, beside the bots who think there, stores what it found, and gives the job back. So any
worker goes on where another stopped, a crash costs a second of work, and everybody sees how far it is.
"""

import asyncio
import logging
from collections.abc import Iterator
from hashlib import sha256
from time import monotonic
from typing import Literal

import msgspec
from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.bots import Budget
from tessella.coach.report import Report
from tessella.coach.review import Part, look, put_together
from tessella.core import record
from tessella.core.game import Public
from tessella.core.record import Record
from tessella.games import GAMES
from tessella.server.store import Job, Row, Store
from tessella.server.store.schema import jobs, reviews

log = logging.getLogger(__name__)

KIND = "review"
MOST_WAITING = 50
"""Beyond so many reviews that are not done, nobody may ask for another."""
LEASE_SECONDS = 60.0
IDLE_SECONDS = 1.0
SLICE_SECONDS = 0.5
"""How long to look before storing what was found."""
EFFORT = Budget()

_parts = msgspec.json.Decoder(list[Part])


class ReviewSeen(Public, frozen=True):
    """How far the review of a game is: `done` of `total` acts have been looked at; the report when all have.

    `id` is the game's, or that of a record that somebody brought.
    """

    id: str
    status: Literal["waiting", "working", "done", "failed"]
    done: int
    total: int
    report: Report | None = None


class Busy(Exception):
    """Too many games wait for the coach."""


async def find_review(store: Store, review_id: str) -> ReviewSeen | None:
    """How far a review is; None if nobody has asked for it."""
    rows = await store.run(select(reviews).where(reviews.c.id == review_id))
    return _seen(rows[0]) if rows else None


def _seen(row: Row) -> ReviewSeen:
    report = None if row["report"] is None else msgspec.json.decode(row["report"], type=Report)
    status: Literal["waiting", "working", "done", "failed"] = "working" if row["done"] else "waiting"
    if row["failed"] or report is not None:
        status = "failed" if row["failed"] else "done"
    return ReviewSeen(row["id"], status, row["done"], row["total"], report)


async def ask_for_review(store: Store, review_id: str, whole: Record) -> ReviewSeen:
    """Ask for a review; whoever asks again is told how far it is. Raises `Busy`."""
    found = await find_review(store, review_id)
    if found is None and await _waiting(store) >= MOST_WAITING:
        raise Busy
    if found is None or found.status in ("waiting", "working"):
        now, nameless = await store.now(), Record(whole.rules, whole.acts)
        await store.run(
            upsert(reviews)
            .values(id=review_id, record=record.write(nameless), total=len(whole.acts), done=0, made=now)
            .values(found="[]", failed=False)
            .on_conflict_do_nothing(),
            upsert(jobs)
            .values(game=review_id, number=0, kind=KIND, priority=0, made=now, leased=0, worker="")
            .on_conflict_do_nothing(),
        )
        found = await find_review(store, review_id)
    assert found is not None
    return found


async def _waiting(store: Store) -> int:
    unfinished = reviews.c.report.is_(None) & ~reviews.c.failed
    rows = await store.run(select(func.count().label("number")).select_from(reviews).where(unfinished))
    return int(rows[0]["number"])


def record_id(whole: Record) -> str:
    """The id of the review of a game that somebody brought: the same acts, the same id."""
    return "record-" + sha256(record.write(Record(whole.rules, whole.acts)).encode()).hexdigest()[:24]


class Reviewer:
    """Looks at games, a slice at a time, and remembers where it was in the last one."""

    def __init__(self, store: Store, worker: str) -> None:
        self.store = store
        self.worker = worker
        self._at = ("", 0)
        self._ahead: Iterator[Part] = iter(())

    async def run(self) -> None:
        """Take reviews as long as there are any, then look again in a moment."""
        while True:
            while (job := await self.store.lease(self.worker, LEASE_SECONDS, KIND)) is not None:
                if await self.work(job.game):
                    await self.store.done(job)
                else:
                    await self._give_back(job)
            await asyncio.sleep(IDLE_SECONDS)

    async def work(self, review_id: str) -> bool:
        """Look at a few acts more; say whether nothing is left to do."""
        rows = await self.store.run(select(reviews).where(reviews.c.id == review_id))
        if not rows or rows[0]["failed"] or rows[0]["report"] is not None:
            return True
        row = rows[0]
        try:
            found = await asyncio.to_thread(self._look, row)
        except Exception:
            log.exception("a game could not be reviewed", extra={"game": review_id})
            await self._keep(row, failed=True)
            return True
        await self._keep(row, **found)
        return "report" in found

    def _look(self, row: Row) -> dict[str, int | str]:
        """The columns of a review after another slice."""
        whole = record.read(row["record"])
        game, done = GAMES[whole.game], int(row["done"])
        if self._at != (row["id"], done):
            self._ahead = look(game, whole, EFFORT, done)
        until = monotonic() + SLICE_SECONDS
        parts = _parts.decode(row["found"])
        for part in self._ahead:
            parts.append(part)
            if monotonic() > until:
                break
        self._at = (row["id"], len(parts))
        if len(parts) < row["total"]:
            return {"done": len(parts), "found": msgspec.json.encode(parts).decode()}
        report = put_together(game, whole, parts, EFFORT)
        return {"done": len(parts), "found": "[]", "report": msgspec.json.encode(report).decode()}

    async def _keep(self, row: Row, **columns: int | str | bool) -> None:
        """Unless somebody else has gone on from the same act."""
        here = (reviews.c.id == row["id"]) & (reviews.c.done == row["done"])
        await self.store.run(update(reviews).where(here).values(**columns))

    async def _give_back(self, job: Job) -> None:
        """Let the next free worker go on with it."""
        await self.store.run(update(jobs).where(jobs.c.game == job.game, jobs.c.kind == KIND).values(leased=0))
