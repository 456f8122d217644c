"""The store for many workers: PostgreSQL. Each worker writes on one connection, all queued entries in one statement.

That keeps the entries of a game in order, and the busier the worker, the more entries share a commit; more connections
would only make more and smaller commits.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import asyncpg
from sqlalchemy import Executable
from sqlalchemy.dialects.postgresql.asyncpg import dialect as asyncpg_dialect

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

READERS = 4
MOST_IN_A_STATEMENT = 256
GATHER_SECONDS = 0.001
"""How long entries are collected under load; a single one is written immediately."""

ANSWER_SECONDS = 5.0
"""A connection without an answer for this long is closed: it may be dead without any error."""

_DIALECT = asyncpg_dialect()  # type: ignore[no-untyped-call]

APPEND = f"""
WITH given AS (
  SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::float8[], $6::text[], $7::text[],
                       $8::float8[], $9::text[], $10::float8[], $11::text[])
  AS g (game, number, key, body, due, status, movers, allow, job, behind, old_key)
), clock AS (
  SELECT extract(epoch FROM clock_timestamp())::float8 AS now
), stored AS (
  INSERT INTO entries (game, number, key, body, at)
  SELECT game, number, key, body, now FROM given, clock WHERE (due IS NULL OR now < due)
  AND NOT EXISTS (SELECT FROM games WHERE id = given.game AND sealed_to >= given.number)
  AND NOT EXISTS (SELECT FROM entries AS earlier WHERE earlier.game = given.game AND earlier.key = given.old_key)
  ON CONFLICT DO NOTHING
  RETURNING game, number, key, at
), moved AS (
  UPDATE games SET number = given.number, status = given.status, movers = given.movers, touched = stored.at,
                   deadline = stored.at + given.allow,
                   origin = CASE WHEN given.status IN ('over', 'closed') THEN '' ELSE games.origin END
  FROM stored JOIN given USING (game, number, key) WHERE games.id = stored.game
), ended AS (
  UPDATE seats SET ended = stored.at
  FROM stored JOIN given USING (game, number, key)
  WHERE given.status IN ('over', 'closed') AND seats.game = stored.game AND seats.ended IS NULL
), planned AS (
  INSERT INTO jobs (game, number, kind, priority, made, leased, worker, owner, due)
  SELECT stored.game, stored.number, job, 0, at, 0, '', origin, at + behind + {SPACING_SECONDS} * (
    SELECT count(*) FROM (
      SELECT FROM jobs WHERE owner = origin AND origin <> '' AND jobs.game <> stored.game LIMIT {MOST_SPACED}
    ) AS others
  )
  FROM stored JOIN given USING (game, number, key) JOIN games ON games.id = stored.game WHERE job IS NOT NULL
  ON CONFLICT (game) DO UPDATE
  SET number = excluded.number, kind = excluded.kind, made = excluded.made, due = excluded.due, attempts = 0
)
SELECT game, key, at FROM stored
"""  # noqa: S608  only our own constants
_OPEN = """
WITH clock AS (
  SELECT extract(epoch FROM clock_timestamp())::float8 AS now
), game AS (
  INSERT INTO games (id, game, rules, number, status, movers, opened, touched, pace, rated, listed, match, creator,
                     origin, previous)
  SELECT $1, $2, $3, 0, 'open', '', now, now, $4, $5, $6, $7, $8, $9, $12 FROM clock
), seed AS (
  INSERT INTO seeds (game, seed) VALUES ($1, $10)
)
INSERT INTO entries (game, number, key, body, at) SELECT $1, 0, 'opened', $11, now FROM clock RETURNING at
"""
_LOG = """
SELECT number, key, body, at, NULL AS sealed FROM entries WHERE game = $1 AND number > $2
UNION ALL
SELECT sealed_to, '', names, 0, sealed FROM games WHERE id = $1 AND sealed_to > $2
ORDER BY number
"""
"""One statement, so that a log that is sealed at the same time is read before or after that."""
_LEASE = """
WITH clock AS (SELECT extract(epoch FROM clock_timestamp())::float8 AS now)
UPDATE jobs SET leased = now + $1, worker = $2 FROM clock
WHERE game = (
  SELECT game FROM jobs, clock WHERE leased < now AND kind = $3 ORDER BY due LIMIT 1
  FOR UPDATE OF jobs SKIP LOCKED
)
RETURNING game, number, kind, attempts
"""
_RENEW = """
UPDATE jobs SET leased = extract(epoch FROM clock_timestamp())::float8 + $4
WHERE game = $1 AND number >= $2 AND worker = $3 AND leased > 0
RETURNING game
"""
_REMOVE_JOB = "DELETE FROM jobs WHERE game = $1 AND number <= $2"
_HAND_BACK = "UPDATE jobs SET leased = 0 WHERE game = $1 AND number > $2 AND worker = $3"
_RETRY = """
WITH clock AS (SELECT extract(epoch FROM clock_timestamp())::float8 AS now)
UPDATE jobs SET leased = now + $4, due = now + $4, attempts = attempts + 1 FROM clock
WHERE game = $1 AND number <= $2 AND worker = $3
"""
_NONE_REMOVED, _NONE_UPDATED = "DELETE 0", "UPDATE 0"
"""What PostgreSQL answers if there was no such row."""

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Waiting: TypeAlias = tuple[Write, "asyncio.Future[float | None]"]


class PostgresStore:
    """A store with a pool of connections for reading, and one connection for writing."""

    is_shared = True
    has_roles = True

    def __init__(self, url: str, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self.pool = pool
        self._url = url
        self._connection: Connection | None = None
        self._waiting: list[Waiting] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._writer = asyncio.create_task(self._write())

    @classmethod
    async def connect(cls, url: str) -> "PostgresStore":
        """Return the store of a database that has been migrated."""
        pool = await asyncpg.create_pool(
            url, min_size=1, max_size=READERS, init=_plan_plainly, reset=_leave_as_it_is, timeout=ANSWER_SECONDS
        )
        return cls(url, pool)

    async def append(self, write: Write) -> float | None:
        """Append an entry with the next group commit; return its time, or None if its number is taken or it is late."""
        future: asyncio.Future[float | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((write, future))
        self._wake.set()
        return await future

    async def log(self, game: str, after: int = 0) -> list[Logged]:
        """Return the entries of a game with numbers above `after`, whether they are sealed or not."""
        return (await self.stored(game, after)).log(after)

    async def stored(self, game: str, after: int = -1) -> Stored:
        """Return what is stored of a log: its sealed part, if any, and the other entries above `after`."""
        async with self._reader() as connection:
            return stored_as(game, await connection.fetch(_LOG, game, after))

    async def seal(self, sealing: Sealing) -> bool:
        """Replace the entries of a finished game by their sealed form; False if the log is not what was packed."""
        new = sealing.sealed
        values = (new.game, new.last, sealing.digest, new.names, new.body, sealing.seed)
        async with self._reader() as connection:
            return bool(await connection.fetchval("SELECT tessella_seal($1, $2, $3, $4, $5, $6)", *values))

    async def number_of(self, game: str, *keys: str) -> int | None:
        """Return the number of the entry with one of these keys, or None."""
        query = "SELECT number FROM entries WHERE game = $1 AND key = ANY ($2)"
        async with self._reader() as connection:
            number = await connection.fetchval(query, game, keys)
        return None if number is None else int(number)

    async def open(self, opening: Opening) -> float:
        """Store a new game and return the time."""
        o = opening
        values = (o.game, o.title, o.rules, o.pace, o.rated, o.listed, o.match, o.creator, o.origin, o.seed, o.body)
        async with self._reader() as connection:
            return float(await connection.fetchval(_OPEN, *values, o.before))

    async def seed(self, game: str) -> bytes:
        """Return the seed of a game."""
        async with self._reader() as connection:
            seed: bytes | None = await connection.fetchval("SELECT tessella_seed($1)", game)
        return seed_in(await self.log(game, -1)) if seed is None else bytes(seed)

    async def run(self, *statements: Executable) -> list[Row]:
        """Run statements in one transaction and return the rows of the last."""
        rows: list[Row] = []
        async with self._reader() as connection, connection.transaction():
            for statement in statements:
                sql, values = compile_for(_DIALECT, statement)
                rows = [dict(row) for row in await connection.fetch(sql, *values)]
        return rows

    async def lease(self, worker: str, seconds: float, kind: JobKind = "move") -> Job | None:
        """Lease the first job of a kind in the queue, or return None."""
        async with self._reader() as connection:
            row = await connection.fetchrow(_LEASE, seconds, worker, kind)
        return None if row is None else Job(*row)

    async def renew(self, job: Job, worker: str, seconds: float) -> bool:
        """Extend a lease that this worker still holds."""
        async with self._reader() as connection:
            return await connection.fetchval(_RENEW, job.game, job.number, worker, seconds) is not None

    async def finish(self, job: Job, worker: str, retry: float | None = None) -> None:
        """End a lease: remove the job, hand it back if there is newer work, or retry it later."""
        async with self._reader() as connection:
            if retry is None:
                done = await connection.execute(_REMOVE_JOB, job.game, job.number)
            else:
                done = await connection.execute(_RETRY, job.game, job.number, worker, retry)
            # A statement of its own: within the one above, work that came meanwhile would look as old as before.
            if done in (_NONE_REMOVED, _NONE_UPDATED):
                await connection.execute(_HAND_BACK, job.game, job.number, worker)

    async def now(self) -> float:
        """Return the time by the clock of the database, which all workers share."""
        async with self._reader() as connection:
            return float(await connection.fetchval("SELECT extract(epoch FROM clock_timestamp())::float8"))

    async def scrub(self) -> None:
        """Do nothing: PostgreSQL vacuums by itself, and a worker has no right to."""

    async def close(self) -> None:
        """Write what is queued, and close."""
        self._closing = True
        self._wake.set()
        await self._writer
        if self._connection is not None:
            await self._connection.close()
        await self.pool.close()

    @asynccontextmanager
    async def _reader(self) -> AsyncGenerator["asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"]:
        """Yield a connection of the pool; it is closed if it does not answer in time or the caller is cancelled."""
        connection = await self.pool.acquire(timeout=ANSWER_SECONDS)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                yield connection
        except (TimeoutError, asyncio.CancelledError):
            connection.terminate()
            raise
        finally:
            await self.pool.release(connection)

    # The writer

    async def _write(self) -> None:
        together: list[Waiting] = []
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                if len(together) > 1:
                    await asyncio.sleep(GATHER_SECONDS)
                together = self._waiting[:MOST_IN_A_STATEMENT]
                del self._waiting[:MOST_IN_A_STATEMENT]
                await self._write_together(together)
            if self._closing:
                return

    async def _write_together(self, together: Sequence[Waiting]) -> None:
        try:
            rows = await self._store([write for write, _ in together])
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as exc:
            for _, future in together:
                if not future.done():
                    future.set_exception(exc)
            return
        stored: dict[tuple[str, str], float] = {(game, key): at for game, key, at in rows}
        for write, future in together:
            if not future.done():
                future.set_result(stored.pop((write.game, write.key), None))

    async def _store(self, writes: Sequence[Write]) -> list[Any]:
        columns = zip(
            *(
                (w.game, w.number, w.key, w.body, w.due, w.status, w.movers, w.allow, w.job, w.behind, w.old_key)
                for w in writes
            ),
            strict=True,
        )
        connection = self._connection
        if connection is None or connection.is_closed():
            connection = self._connection = await asyncpg.connect(self._url, timeout=ANSWER_SECONDS)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await connection.fetch(APPEND, *columns)
        except TimeoutError:
            connection.terminate()
            raise


async def _plan_plainly(connection: Connection) -> None:
    """Turn off JIT and parallel plans: every query here is short, and both would take longer than the answer."""
    await connection.execute("SET jit = off; SET max_parallel_workers_per_gather = 0")


async def _leave_as_it_is(_connection: object) -> None:
    """Do nothing when a connection returns to the pool: no query changes a setting."""
