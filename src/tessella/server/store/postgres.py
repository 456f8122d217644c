"""The store for many workers: PostgreSQL. One connection of a worker writes all that waits in one statement.

So the entries of a game never overtake each other, and the busier it is, the more are committed together; more
connections of the same worker would only make more and smaller commits.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import asyncpg
from sqlalchemy import Executable
from sqlalchemy.dialects.postgresql.asyncpg import dialect as asyncpg_dialect

from tessella.server.store import Job, Logged, Opening, Row, Write, compile_for

READERS = 4
MOST_IN_A_STATEMENT = 256
GATHER_SECONDS = 0.001
"""How long entries gather while many come; one that comes alone is written at once."""

ANSWER_SECONDS = 5.0
"""A connection on which no answer comes for so long is given up: its wire may be dead, and nobody would tell us."""

_DIALECT = asyncpg_dialect()  # type: ignore[no-untyped-call]

APPEND = """
WITH given AS (
  SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::float8[], $6::text[], $7::text[],
                       $8::float8[], $9::bool[])
  AS g (game, number, key, body, due, status, movers, allow, bots)
), clock AS (
  SELECT extract(epoch FROM clock_timestamp())::float8 AS now
), stored AS (
  INSERT INTO entries (game, number, key, body, at)
  SELECT game, number, key, body, now FROM given, clock WHERE due IS NULL OR now < due
  ON CONFLICT DO NOTHING
  RETURNING game, number, key, at
), moved AS (
  UPDATE games SET number = given.number, status = given.status, movers = given.movers, touched = stored.at,
                   deadline = stored.at + given.allow
  FROM stored JOIN given USING (game, number, key) WHERE games.id = stored.game
), planned AS (
  INSERT INTO jobs (game, number, kind, priority, made, leased, worker)
  SELECT game, number, 'move', 0, at, 0, '' FROM stored JOIN given USING (game, number, key) WHERE bots
  ON CONFLICT (game) DO UPDATE SET number = excluded.number, made = excluded.made, leased = 0
)
SELECT game, key, at FROM stored
"""
_OPEN = """
WITH clock AS (
  SELECT extract(epoch FROM clock_timestamp())::float8 AS now
), game AS (
  INSERT INTO games (id, game, rules, number, status, movers, opened, touched, pace, rated, listed, match)
  SELECT $1, $2, $3, 0, 'open', '', now, now, $4, $5, $6, $7 FROM clock
), seed AS (
  INSERT INTO seeds (game, seed) VALUES ($1, $8)
)
INSERT INTO entries (game, number, key, body, at) SELECT $1, 0, 'opened', $9, now FROM clock RETURNING at
"""
_LOG = "SELECT number, key, body, at FROM entries WHERE game = $1 AND number > $2 ORDER BY number"
_LEASE = """
WITH clock AS (SELECT extract(epoch FROM clock_timestamp())::float8 AS now)
UPDATE jobs SET leased = now + $1, worker = $2 FROM clock
WHERE game = (
  SELECT game FROM jobs, clock WHERE leased < now AND kind = $3 ORDER BY priority DESC, made LIMIT 1
  FOR UPDATE OF jobs SKIP LOCKED
)
RETURNING game, number, kind
"""

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Waiting: TypeAlias = tuple[Write, "asyncio.Future[float | None]"]


class PostgresStore:
    """A pool for reading, and a writer with a connection of its own."""

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
        """Connect to a database whose tables are up to date."""
        pool = await asyncpg.create_pool(
            url, min_size=1, max_size=READERS, reset=_leave_as_it_is, timeout=ANSWER_SECONDS
        )
        return cls(url, pool)

    async def append(self, write: Write) -> float | None:
        """Append an entry, committed together with all that waits."""
        future: asyncio.Future[float | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((write, future))
        self._wake.set()
        return await future

    async def log(self, game: str, after: int = 0) -> list[Logged]:
        """The entries of a game with greater numbers."""
        async with self._reader() as connection:
            return [Logged(*row) for row in await connection.fetch(_LOG, game, after)]

    async def number_of(self, game: str, key: str) -> int | None:
        """The number of the entry with this key."""
        async with self._reader() as connection:
            number = await connection.fetchval("SELECT number FROM entries WHERE game = $1 AND key = $2", game, key)
        return None if number is None else int(number)

    async def open(self, opening: Opening) -> float:
        """Keep a new game."""
        o = opening
        values = (o.game, o.title, o.rules, o.pace, o.rated, o.listed, o.match, o.seed, o.body)
        async with self._reader() as connection:
            return float(await connection.fetchval(_OPEN, *values))

    async def seed(self, game: str) -> bytes:
        """The seed of a game."""
        async with self._reader() as connection:
            return bytes(await connection.fetchval("SELECT tessella_seed($1)", game))

    async def run(self, *statements: Executable) -> list[Row]:
        """Run statements in one transaction; give the rows of the last."""
        rows: list[Row] = []
        async with self._reader() as connection, connection.transaction():
            for statement in statements:
                sql, values = compile_for(_DIALECT, statement)
                rows = [dict(row) for row in await connection.fetch(sql, *values)]
        return rows

    async def lease(self, worker: str, seconds: float, kind: str = "move") -> Job | None:
        """Take the most urgent job of a kind for so long."""
        async with self._reader() as connection:
            row = await connection.fetchrow(_LEASE, seconds, worker, kind)
        return None if row is None else Job(*row)

    async def done(self, job: Job) -> None:
        """Forget a job, unless there is newer work in that game."""
        async with self._reader() as connection:
            await connection.execute("DELETE FROM jobs WHERE game = $1 AND number <= $2", job.game, job.number)

    async def now(self) -> float:
        """The clock of the database, which all workers share."""
        async with self._reader() as connection:
            return float(await connection.fetchval("SELECT extract(epoch FROM clock_timestamp())::float8"))

    async def scrub(self) -> None:
        """PostgreSQL does that in its own time, by vacuuming; a worker has no right to."""

    async def close(self) -> None:
        """Write what waits, and let go."""
        self._closing = True
        self._wake.set()
        await self._writer
        if self._connection is not None:
            await self._connection.close()
        await self.pool.close()

    @asynccontextmanager
    async def _reader(self) -> AsyncGenerator["asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"]:
        """A connection of the pool; if it does not answer in time, or nobody waits any more, it is given up."""
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
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as wrong:
            for _, future in together:
                if not future.done():
                    future.set_exception(wrong)
            return
        stored: dict[tuple[str, str], float] = {(game, key): at for game, key, at in rows}
        for write, future in together:
            if not future.done():
                future.set_result(stored.pop((write.game, write.key), None))

    async def _store(self, writes: Sequence[Write]) -> list[Any]:
        columns = zip(
            *((w.game, w.number, w.key, w.body, w.due, w.status, w.movers, w.allow, w.bots) for w in writes),
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


async def _leave_as_it_is(_connection: object) -> None:
    """We set nothing on a connection, so there is nothing to reset when it goes back to the pool."""
