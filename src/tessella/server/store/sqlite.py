"""The store in one SQLite file: one thread writes, with group commit.

`Statements` runs SQL on a connection; `ByStatements` maps the methods of a store to it; `SQLiteStore` schedules them on
the writer thread.
"""

import asyncio
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite as dialects

from tessella.server.store import (
    MOST_SPACED,
    SPACING_SECONDS,
    Job,
    JobKind,
    Logged,
    Opening,
    Row,
    Write,
    compile_for,
)
from tessella.server.store.sealed import Sealing, Stored, seed_in, stored_as

T = TypeVar("T")

_DIALECT = dialects.dialect(paramstyle="qmark")

_APPEND = """
INSERT OR IGNORE INTO entries (game, number, key, body, at)
SELECT ?1, ?2, ?3, ?4, ?5 WHERE (?6 IS NULL OR ?5 < ?6)
AND NOT EXISTS (SELECT 1 FROM games WHERE id = ?1 AND sealed_to >= ?2)
AND NOT EXISTS (SELECT 1 FROM entries WHERE game = ?1 AND key = ?7)
"""
_MOVE = """
UPDATE games SET number = ?2, status = ?3, movers = ?4, touched = ?5, deadline = ?5 + ?6,
                 origin = CASE WHEN ?3 IN ('over', 'closed') THEN '' ELSE origin END
WHERE id = ?1
"""
_JOB = f"""
INSERT INTO jobs (game, number, kind, priority, made, leased, worker, owner, due)
SELECT ?1, ?2, ?3, 0, ?4, 0, '', origin, ?4 + ?5 + {SPACING_SECONDS} * (
  SELECT count(*) FROM (
    SELECT 1 FROM jobs WHERE owner = games.origin AND games.origin <> '' AND jobs.game <> ?1 LIMIT {MOST_SPACED}
  )
)
FROM games WHERE id = ?1
ON CONFLICT (game) DO UPDATE
SET number = excluded.number, kind = excluded.kind, made = excluded.made, due = excluded.due, attempts = 0
"""  # noqa: S608  only our own constants
_END = "UPDATE seats SET ended = ? WHERE game = ? AND ended IS NULL"
_OPEN = """
INSERT INTO games (id, game, rules, number, status, movers, opened, touched, pace, rated, listed, match, creator,
                   origin, previous)
VALUES (?, ?, ?, 0, 'open', '', ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_OPENED = "INSERT INTO entries (game, number, key, body, at) VALUES (?, 0, 'opened', ?, ?)"
_LOG = """
SELECT number, key, body, at, NULL AS sealed FROM entries WHERE game = ?1 AND number > ?2
UNION ALL
SELECT sealed_to, '', names, 0, sealed FROM games WHERE id = ?1 AND sealed_to > ?2
ORDER BY number
"""
_SEAL = """
UPDATE games SET sealed_to = ?2, names = ?3, sealed = ?4
WHERE id = ?1 AND number = ?2 AND sealed_to < ?2 AND status = 'over' AND recorded
"""
_SEATS_WITH_RESULTS = "DELETE FROM seats WHERE game = ?1 AND seat IN (SELECT seat FROM results WHERE game = ?1)"
_LEASE = """
UPDATE jobs SET leased = ?1, worker = ?2
WHERE game = (SELECT game FROM jobs WHERE leased < ?3 AND kind = ?4 ORDER BY due LIMIT 1)
RETURNING game, number, kind, attempts
"""
_RENEW = "UPDATE jobs SET leased = ?4 WHERE game = ?1 AND number >= ?2 AND worker = ?3 AND leased > 0"
_REMOVE_JOB = "DELETE FROM jobs WHERE game = ?1 AND number <= ?2"
_HAND_BACK = "UPDATE jobs SET leased = 0 WHERE game = ?1 AND number > ?2 AND worker = ?3"
_RETRY = """
UPDATE jobs SET leased = ?4, due = ?4, attempts = attempts + 1 WHERE game = ?1 AND number <= ?2 AND worker = ?3
"""

BUSY_TIMEOUT_MS = 10_000
"""How long to wait while another process writes to the file."""

Clock: TypeAlias = Callable[[], float]
Compiled: TypeAlias = Sequence[tuple[str, list[Any]]]


def compile_all(statements: Sequence[Executable]) -> Compiled:
    """Return statements as SQL for SQLite, with their values."""
    return [compile_for(_DIALECT, statement) for statement in statements]


class Statements:
    """The methods of a store as SQL on one connection, by one clock. The caller commits."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock = time.time) -> None:
        self.connection = connection
        self.now = clock

    def append(self, write: Write) -> float | None:
        """Append an entry and return its time; None if its number or a key of it is taken, or it came too late."""
        now, execute = self.now(), self.connection.execute
        values = (write.game, write.number, write.key, write.body, now, write.due, write.old_key)
        if execute(_APPEND, values).rowcount == 0:
            return None
        execute(_MOVE, (write.game, write.number, write.status, write.movers, now, write.allow))
        if write.status in ("over", "closed"):
            execute(_END, (now, write.game))
        if write.job:
            execute(_JOB, (write.game, write.number, write.job, now, write.behind))
        return now

    def log(self, game: str, after: int = 0) -> list[Logged]:
        """Return the entries of a game with numbers above `after`, whether they are sealed or not."""
        return self.stored(game, after).log(after)

    def stored(self, game: str, after: int = -1) -> Stored:
        """Return what is stored of a log: its sealed part, if any, and the other entries above `after`."""
        return stored_as(game, self.connection.execute(_LOG, (game, after)).fetchall())

    def seal(self, sealing: Sealing) -> bool:
        """Replace the entries of a finished game by their sealed form; False if the log is not what was packed."""
        new, execute = sealing.sealed, self.connection.execute
        if self.stored(new.game).digest != sealing.digest:
            return False
        if execute(_SEAL, (new.game, new.last, new.names, new.body)).rowcount == 0:
            return False
        execute("DELETE FROM entries WHERE game = ?", (new.game,))
        execute(_SEATS_WITH_RESULTS, (new.game,))
        execute("DELETE FROM seeds WHERE game = ? AND seed = ?", (new.game, sealing.seed))
        return True

    def number_of(self, game: str, *keys: str) -> int | None:
        """Return the number of the entry with one of these keys, or None."""
        query = "SELECT number FROM entries WHERE game = ? AND key = ?"
        found = (self.connection.execute(query, (game, key)).fetchone() for key in keys)
        return next((int(row[0]) for row in found if row is not None), None)

    def open(self, opening: Opening) -> float:
        """Store a new game and return the time."""
        o, now = opening, self.now()
        row = (o.game, o.title, o.rules, now, now, o.pace, o.rated, o.listed, o.match, o.creator, o.origin, o.before)
        self.connection.execute(_OPEN, row)
        self.connection.execute("INSERT INTO seeds (game, seed) VALUES (?, ?)", (o.game, o.seed))
        self.connection.execute(_OPENED, (o.game, o.body, now))
        return now

    def seed(self, game: str) -> bytes:
        """Return the seed of a game."""
        row = self.connection.execute("SELECT seed FROM seeds WHERE game = ?", (game,)).fetchone()
        return seed_in(self.log(game, -1)) if row is None else bytes(row[0])

    def run(self, compiled: Compiled) -> list[Row]:
        """Run statements and return the rows of the last."""
        rows: list[Row] = []
        for sql, values in compiled:
            cursor = self.connection.execute(sql, values)
            names = [column[0] for column in cursor.description or ()]
            rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        return rows

    def lease(self, worker: str, seconds: float, kind: JobKind = "move") -> Job | None:
        """Lease the first job of a kind in the queue, or return None."""
        now = self.now()
        row = self.connection.execute(_LEASE, (now + seconds, worker, now, kind)).fetchone()
        return None if row is None else Job(*row)

    def renew(self, job: Job, worker: str, seconds: float) -> bool:
        """Extend a lease that this worker still holds."""
        values = (job.game, job.number, worker, self.now() + seconds)
        return self.connection.execute(_RENEW, values).rowcount > 0

    def finish(self, job: Job, worker: str, retry: float | None = None) -> None:
        """End a lease: remove the job, hand it back if there is newer work, or retry it later."""
        if retry is None:
            self.connection.execute(_REMOVE_JOB, (job.game, job.number))
        else:
            self.connection.execute(_RETRY, (job.game, job.number, worker, self.now() + retry))
        self.connection.execute(_HAND_BACK, (job.game, job.number, worker))


Task: TypeAlias = tuple[Callable[[Statements], Any], "asyncio.Future[Any]"]
Outcome: TypeAlias = tuple[Any, sqlite3.Error | None]


class ByStatements(ABC):
    """The methods of a store, each as one task on a SQLite file; subclasses decide where and when tasks run."""

    is_shared = False
    has_roles = False

    @abstractmethod
    async def _do(self, task: Callable[[Statements], T]) -> T:
        """Run a task on the file, commit, and return its result."""

    async def append(self, write: Write) -> float | None:
        """Append an entry and return its time; None if its number or a key of it is taken, or it came too late."""
        return await self._do(lambda file: file.append(write))

    async def log(self, game: str, after: int = 0) -> list[Logged]:
        """Return the entries of a game with numbers above `after`, whether they are sealed or not."""
        return (await self.stored(game, after)).log(after)

    async def stored(self, game: str, after: int = -1) -> Stored:
        """Return what is stored of a log: its sealed part, if any, and the other entries above `after`."""
        return await self._do(lambda file: file.stored(game, after))

    async def seal(self, sealing: Sealing) -> bool:
        """Replace the entries of a finished game by their sealed form; False if the log is not what was packed."""
        return await self._do(lambda file: file.seal(sealing))

    async def number_of(self, game: str, *keys: str) -> int | None:
        """Return the number of the entry with one of these keys, or None."""
        return await self._do(lambda file: file.number_of(game, *keys))

    async def open(self, opening: Opening) -> float:
        """Store a new game and return the time."""
        return await self._do(lambda file: file.open(opening))

    async def seed(self, game: str) -> bytes:
        """Return the seed of a game."""
        return await self._do(lambda file: file.seed(game))

    async def run(self, *statements: Executable) -> list[Row]:
        """Run statements in one transaction and return the rows of the last."""
        compiled = compile_all(statements)
        return await self._do(lambda file: file.run(compiled))

    async def lease(self, worker: str, seconds: float, kind: JobKind = "move") -> Job | None:
        """Lease the first job of a kind in the queue, or return None."""
        return await self._do(lambda file: file.lease(worker, seconds, kind))

    async def renew(self, job: Job, worker: str, seconds: float) -> bool:
        """Extend a lease that this worker still holds."""
        return await self._do(lambda file: file.renew(job, worker, seconds))

    async def finish(self, job: Job, worker: str, retry: float | None = None) -> None:
        """End a lease: remove the job, hand it back if there is newer work, or retry it later."""
        await self._do(lambda file: file.finish(job, worker, retry))


class SQLiteStore(ByStatements):
    """A store in one file, with a write-ahead log and synchronous commits."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._waiting: list[Task] = []
        self._unclean = False
        self._batches: SimpleQueue[list[Task] | None] = SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="tessella-writer", daemon=True)
        self._writer.start()

    # The protocol

    async def now(self) -> float:
        """Return the time by the clock of this machine."""
        return time.time()

    async def scrub(self) -> None:
        """Empty the write-ahead log, which still holds the pages from before a deletion."""
        self._unclean = True
        await self._do(lambda file: file.now())

    async def close(self) -> None:
        """Write what is queued, and close."""
        self._hand_over()
        self._batches.put(None)
        await asyncio.to_thread(self._writer.join)

    # The writer

    async def _do(self, task: Callable[[Statements], T]) -> T:
        """Queue a task and return its result; tasks of one turn of the event loop are handed over together."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        if not self._waiting:
            loop.call_soon(self._hand_over)
        self._waiting.append((task, future))
        return await future

    def _hand_over(self) -> None:
        if self._waiting:
            self._batches.put(self._waiting)
            self._waiting = []

    def _write(self) -> None:
        connection = sqlite3.connect(self._path, isolation_level=None)
        connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA secure_delete = ON")  # deleted content is overwritten in the file
        file = Statements(connection)
        is_open = True
        while is_open:
            batch, is_open = self._all_that_waits()
            if batch:
                outcomes = _commit_together(file, batch)
                self._unclean = self._unclean and not _empty_log(connection)
                batch[0][1].get_loop().call_soon_threadsafe(_resolve, batch, outcomes)
        connection.close()

    def _all_that_waits(self) -> tuple[list[Task], bool]:
        """Wait for a batch and return the tasks of all queued ones, and whether more can follow."""
        batches = [self._batches.get()]
        while not self._batches.empty():
            batches.append(self._batches.get())
        return [task for batch in batches for task in batch or ()], batches[-1] is not None


def _commit_together(file: Statements, batch: Sequence[Task]) -> list[Outcome]:
    """Run all tasks in one transaction; if one fails, roll back and run each in its own."""
    connection = file.connection
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as exc:
        return [(None, exc)] * len(batch)
    try:
        outcomes: list[Outcome] = [(task(file), None) for task, _ in batch]
        connection.execute("COMMIT")
    except sqlite3.Error as exc:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if len(batch) == 1:
            return [(None, exc)]
        return [outcome for one in batch for outcome in _commit_together(file, [one])]
    return outcomes


def _empty_log(connection: sqlite3.Connection) -> bool:
    """Checkpoint and truncate the write-ahead log; return False if another process is reading from it."""
    connection.execute("PRAGMA busy_timeout = 0")
    (is_busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    return not is_busy


def _resolve(batch: Sequence[Task], outcomes: Sequence[Outcome]) -> None:
    """Resolve the futures of a batch, after its commit."""
    for (_, future), (result, exc) in zip(batch, outcomes, strict=True):
        if future.cancelled():
            continue
        if exc is None:
            future.set_result(result)
        else:
            future.set_exception(exc)
