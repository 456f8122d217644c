"""The store in one file: one thread writes, and commits all that waits together.

`Statements` is what is done to the file, one thing after the other; `ByStatements` is what can be asked for;
`SQLiteStore` is who does it, and when.
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

from tessella.server.store import Job, Logged, Opening, Row, Write, compile_for

T = TypeVar("T")

_DIALECT = dialects.dialect(paramstyle="qmark")

_APPEND = """
INSERT OR IGNORE INTO entries (game, number, key, body, at)
SELECT ?1, ?2, ?3, ?4, ?5 WHERE ?6 IS NULL OR ?5 < ?6
"""
_MOVE = """
UPDATE games SET number = ?2, status = ?3, movers = ?4, touched = ?5, deadline = ?5 + ?6 WHERE id = ?1
"""
_JOB = """
INSERT INTO jobs (game, number, kind, priority, made, leased, worker) VALUES (?1, ?2, 'move', 0, ?3, 0, '')
ON CONFLICT (game) DO UPDATE SET number = ?2, made = ?3, leased = 0
"""
_OPEN = """
INSERT INTO games (id, game, rules, number, status, movers, opened, touched, pace, rated, listed, match)
VALUES (?, ?, ?, 0, 'open', '', ?, ?, ?, ?, ?, ?)
"""
_OPENED = "INSERT INTO entries (game, number, key, body, at) VALUES (?, 0, 'opened', ?, ?)"
_LOG = "SELECT number, key, body, at FROM entries WHERE game = ? AND number > ? ORDER BY number"
_LEASE = """
UPDATE jobs SET leased = ?1, worker = ?2
WHERE game = (SELECT game FROM jobs WHERE leased < ?3 AND kind = ?4 ORDER BY priority DESC, made LIMIT 1)
RETURNING game, number, kind
"""

PATIENCE_MS = 10_000
"""How long to wait for somebody else who writes to the file."""

Clock: TypeAlias = Callable[[], float]
Compiled: TypeAlias = Sequence[tuple[str, list[Any]]]


def compile_all(statements: Sequence[Executable]) -> Compiled:
    """Statements as SQL that SQLite understands."""
    return [compile_for(_DIALECT, statement) for statement in statements]


class Statements:
    """What a store can do, by the SQL of SQLite, on one connection and by one clock. Whoever calls it commits."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock = time.time) -> None:
        self.connection = connection
        self.now = clock

    def append(self, write: Write) -> float | None:
        """Append an entry if its number is still free; give the time, or None if it came too late."""
        now, execute = self.now(), self.connection.execute
        if execute(_APPEND, (write.game, write.number, write.key, write.body, now, write.due)).rowcount == 0:
            return None
        execute(_MOVE, (write.game, write.number, write.status, write.movers, now, write.allow))
        if write.bots:
            execute(_JOB, (write.game, write.number, now))
        return now

    def log(self, game: str, after: int = 0) -> list[Logged]:
        """The entries of a game with greater numbers."""
        return [Logged(*row) for row in self.connection.execute(_LOG, (game, after)).fetchall()]

    def number_of(self, game: str, key: str) -> int | None:
        """The number of the entry with this key."""
        query = "SELECT number FROM entries WHERE game = ? AND key = ?"
        row = self.connection.execute(query, (game, key)).fetchone()
        return None if row is None else int(row[0])

    def open(self, opening: Opening) -> float:
        """Keep a new game."""
        o, now = opening, self.now()
        row = (o.game, o.title, o.rules, now, now, o.pace, o.rated, o.listed, o.match)
        self.connection.execute(_OPEN, row)
        self.connection.execute("INSERT INTO seeds (game, seed) VALUES (?, ?)", (o.game, o.seed))
        self.connection.execute(_OPENED, (o.game, o.body, now))
        return now

    def seed(self, game: str) -> bytes:
        """The seed of a game."""
        return bytes(self.connection.execute("SELECT seed FROM seeds WHERE game = ?", (game,)).fetchone()[0])

    def run(self, compiled: Compiled) -> list[Row]:
        """Run statements; give the rows of the last."""
        rows: list[Row] = []
        for sql, values in compiled:
            cursor = self.connection.execute(sql, values)
            names = [column[0] for column in cursor.description or ()]
            rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        return rows

    def lease(self, worker: str, seconds: float, kind: str = "move") -> Job | None:
        """Take the most urgent job of a kind for so long."""
        now = self.now()
        row = self.connection.execute(_LEASE, (now + seconds, worker, now, kind)).fetchone()
        return None if row is None else Job(*row)

    def done(self, job: Job) -> None:
        """Forget a job, unless there is newer work in that game."""
        self.connection.execute("DELETE FROM jobs WHERE game = ? AND number <= ?", (job.game, job.number))


Task: TypeAlias = tuple[Callable[[Statements], Any], "asyncio.Future[Any]"]
Outcome: TypeAlias = tuple[Any, sqlite3.Error | None]


class ByStatements(ABC):
    """The part of a store that is the same wherever its file is: what is asked for, as things done to the file."""

    @abstractmethod
    async def _do(self, task: Callable[[Statements], T]) -> T:
        """Have something done to the file, committed, and give what came of it."""

    async def append(self, write: Write) -> float | None:
        """Append an entry if its number is still free; give the time, or None if it came too late."""
        return await self._do(lambda file: file.append(write))

    async def log(self, game: str, after: int = 0) -> list[Logged]:
        """The entries of a game with greater numbers."""
        return await self._do(lambda file: file.log(game, after))

    async def number_of(self, game: str, key: str) -> int | None:
        """The number of the entry with this key."""
        return await self._do(lambda file: file.number_of(game, key))

    async def open(self, opening: Opening) -> float:
        """Keep a new game."""
        return await self._do(lambda file: file.open(opening))

    async def seed(self, game: str) -> bytes:
        """The seed of a game."""
        return await self._do(lambda file: file.seed(game))

    async def run(self, *statements: Executable) -> list[Row]:
        """Run statements in one transaction; give the rows of the last."""
        compiled = compile_all(statements)
        return await self._do(lambda file: file.run(compiled))

    async def lease(self, worker: str, seconds: float, kind: str = "move") -> Job | None:
        """Take the most urgent job of a kind for so long."""
        return await self._do(lambda file: file.lease(worker, seconds, kind))

    async def done(self, job: Job) -> None:
        """Forget a job, unless there is newer work in that game."""
        await self._do(lambda file: file.done(job))


class SQLiteStore(ByStatements):
    """One file; write-ahead log, synchronous commits."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._waiting: list[Task] = []
        self._unclean = False
        self._batches: SimpleQueue[list[Task] | None] = SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="tessella-writer", daemon=True)
        self._writer.start()

    # The protocol

    async def now(self) -> float:
        """The clock of this machine: there is only one."""
        return time.time()

    async def scrub(self) -> None:
        """Empty the write-ahead log: it still holds the pages as they were before something was deleted."""
        self._unclean = True
        await self._do(lambda file: file.now())

    async def close(self) -> None:
        """Write what waits, and let go."""
        self._hand_over()
        self._batches.put(None)
        await asyncio.to_thread(self._writer.join)

    # The writer

    async def _do(self, task: Callable[[Statements], T]) -> T:
        """Let a task wait; all that come in the same turn of the loop are handed over together."""
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
        connection.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        connection.execute("PRAGMA secure_delete = ON")  # what somebody has deleted is not left in the file
        file = Statements(connection)
        is_open = True
        while is_open:
            batch, is_open = self._all_that_waits()
            if batch:
                outcomes = _commit_together(file, batch)
                self._unclean = self._unclean and not _empty_log(connection)
                batch[0][1].get_loop().call_soon_threadsafe(_tell, batch, outcomes)
        connection.close()

    def _all_that_waits(self) -> tuple[list[Task], bool]:
        """The tasks of all batches, as soon as there is one; and whether more can follow."""
        batches = [self._batches.get()]
        while not self._batches.empty():
            batches.append(self._batches.get())
        return [task for batch in batches for task in batch or ()], batches[-1] is not None


def _commit_together(file: Statements, batch: Sequence[Task]) -> list[Outcome]:
    """Do all tasks in one transaction; if one of them fails, none has happened, and each is done for itself."""
    connection = file.connection
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as wrong:
        return [(None, wrong)] * len(batch)
    try:
        outcomes: list[Outcome] = [(task(file), None) for task, _ in batch]
        connection.execute("COMMIT")
    except sqlite3.Error as wrong:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if len(batch) == 1:
            return [(None, wrong)]
        return [outcome for one in batch for outcome in _commit_together(file, [one])]
    return outcomes


def _empty_log(connection: sqlite3.Connection) -> bool:
    """Write everything into the file itself and empty the log; not while somebody else reads from it: then later."""
    connection.execute("PRAGMA busy_timeout = 0")
    (is_busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
    return not is_busy


def _tell(batch: Sequence[Task], outcomes: Sequence[Outcome]) -> None:
    """Only after the commit."""
    for (_, future), (result, wrong) in zip(batch, outcomes, strict=True):
        if future.cancelled():
            continue
        if wrong is None:
            future.set_result(result)
        else:
            future.set_exception(wrong)
