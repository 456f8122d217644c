"""Reviews of finished games by the coach: requested once, computed by bot workers, stored for everyone.

A bot worker reviews a few acts, stores them, and releases the job. So any worker can continue where another stopped, a
crash costs a second of work, and the progress is visible.
"""

import asyncio
import logging
from collections.abc import Collection, Iterator
from time import monotonic
from typing import Final, Literal

import msgspec
from sqlalchemy import ColumnElement, func, literal, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.bots import Budget
from tessella.coach.report import Report, ReviewView
from tessella.coach.review import Part, assemble, evaluate_acts
from tessella.core import record
from tessella.core.record import Record
from tessella.games import GAMES
from tessella.server.people.identity import ID_LENGTH, digest
from tessella.server.store import SPACING_SECONDS, Job, Row, Store
from tessella.server.store.schema import REVIEW_UNFINISHED, jobs, reviews

log = logging.getLogger(__name__)

KIND: Final = "review"
MOST_WAITING = 1_000
"""New requests are rejected while this many reviews are unfinished; the limits per person and address are far lower."""
LEASE_SECONDS = 60.0
IDLE_SECONDS = 1.0
SLICE_SECONDS = 0.5
"""How long to work before storing the result."""
EFFORT = Budget()

_parts = msgspec.json.Decoder(list[Part])


class Busy(Exception):
    """Too many reviews are unfinished."""


async def find_review(store: Store, review_id: str) -> ReviewView | None:
    """Return the progress of a review; None if it was never requested."""
    rows = await store.run(select(reviews).where(reviews.c.id == review_id))
    return _seen(rows[0]) if rows else None


async def find_record(store: Store, review_id: str) -> str:
    """Return the record of a game whose review was requested."""
    rows = await store.run(select(reviews.c.record).where(reviews.c.id == review_id))
    return str(rows[0]["record"])


def _seen(row: Row) -> ReviewView:
    report = None if row["report"] is None else msgspec.json.decode(row["report"], type=Report)
    status: Literal["waiting", "working", "done", "failed"] = "working" if row["done"] else "waiting"
    if row["failed"] or report is not None:
        status = "failed" if row["failed"] else "done"
    return ReviewView(row["id"], status, row["done"], row["total"], report)


async def unfinished(store: Store, review_ids: Collection[str]) -> set[str]:
    """Return those of the reviews that are unfinished."""
    asked = select(reviews.c.id).where(reviews.c.id.in_(review_ids), REVIEW_UNFINISHED)
    return {str(row["id"]) for row in await store.run(asked)}


async def ask_for_review(store: Store, review_id: str, whole: Record, owner: str = "") -> ReviewView:
    """Request a review and return its progress; a second request changes nothing. Raise `Busy` if too many wait.

    The review is charged to its `owner`: jobs of one owner are spaced out, so that those of others come in between.
    """
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
            .values(owner=_owner(owner), due=now + _behind(_owner(owner), review_id))
            .on_conflict_do_nothing(),
        )
        found = await find_review(store, review_id)
    assert found is not None
    return found


async def _waiting(store: Store) -> int:
    rows = await store.run(select(func.count().label("number")).select_from(reviews).where(REVIEW_UNFINISHED))
    return int(rows[0]["number"])


def _owner(owner: str) -> str:
    """Return the owner of a job: a digest, not an id, and apart from the owners of bot moves, which must not wait."""
    return f"{KIND} {digest(owner)[:ID_LENGTH]}" if owner else ""


def _behind(owner: ColumnElement[str] | str, review_id: str) -> ColumnElement[float]:
    """Return by how many seconds a job is delayed for the other jobs of its owner."""
    others = jobs.alias("others")
    same = (others.c.owner == owner) & (others.c.owner != "") & (others.c.game != review_id)
    number = select(func.count()).select_from(others).where(same).scalar_subquery()
    return literal(SPACING_SECONDS) * number


class Reviewer:
    """Reviews games in slices, and keeps the coach of the last one to continue with."""

    def __init__(self, store: Store, worker: str) -> None:
        self.store = store
        self.worker = worker
        self._at = ("", 0)
        self._ahead: Iterator[Part] = iter(())

    async def run(self) -> None:
        """Work on reviews while there are any, then wait `IDLE_SECONDS`; never return."""
        while True:
            while (job := await self.store.lease(self.worker, LEASE_SECONDS, KIND)) is not None:
                if await self.work(job.game):
                    await self.store.finish(job, self.worker)
                else:
                    await self._release(job)
            await asyncio.sleep(IDLE_SECONDS)

    async def work(self, review_id: str) -> bool:
        """Review one more slice; return whether nothing is left to do."""
        rows = await self.store.run(select(reviews).where(reviews.c.id == review_id))
        if not rows or rows[0]["failed"] or rows[0]["report"] is not None:
            return True
        row = rows[0]
        try:
            found = await asyncio.to_thread(self._review, row)
        except Exception:
            log.exception("review failed", extra={"game": review_id})
            await self._keep(row, failed=True)
            return True
        await self._keep(row, **found)
        return "report" in found

    def _review(self, row: Row) -> dict[str, int | str]:
        """Return the columns of a review after another slice."""
        whole = record.read(row["record"])
        game, done = GAMES[whole.game], int(row["done"])
        if self._at != (row["id"], done):
            self._ahead = evaluate_acts(game, whole, EFFORT, done)
        until = monotonic() + SLICE_SECONDS
        parts = _parts.decode(row["found"])
        for part in self._ahead:
            parts.append(part)
            if monotonic() > until:
                break
        self._at = (row["id"], len(parts))
        if len(parts) < row["total"]:
            return {"done": len(parts), "found": msgspec.json.encode(parts).decode()}
        report = assemble(game, whole, parts, EFFORT)
        return {"done": len(parts), "found": "[]", "report": msgspec.json.encode(report).decode()}

    async def _keep(self, row: Row, **columns: int | str | bool) -> None:
        """Store columns of a review, unless another worker has continued from the same act."""
        here = (reviews.c.id == row["id"]) & (reviews.c.done == row["done"])
        await self.store.run(update(reviews).where(here).values(**columns))

    async def _release(self, job: Job) -> None:
        """Release the job behind the other jobs of its owner, for any worker to continue."""
        mine = (jobs.c.game == job.game) & (jobs.c.kind == KIND)
        due = await self.store.now() + _behind(jobs.c.owner, job.game)
        await self.store.run(update(jobs).where(mine).values(leased=0, due=due))
