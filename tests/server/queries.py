"""Which statements a piece of the server sends to PostgreSQL, and what each of them costs there."""

import contextlib
import json
import re
import statistics
from collections.abc import Container, Iterable, Iterator
from typing import Any

import asyncpg
import pytest
from msgspec import Struct

TIMES = 5
"""Each statement is run this often; its time is the median."""
WARM_UP = 7
"""After five runs PostgreSQL may choose a plan that ignores the values."""


STATEMENT = re.compile(r"\s*(SELECT|WITH(?! RECURSIVE typeinfo)|INSERT|UPDATE|DELETE)\b")
"""What a store sends; not what the driver asks about types."""


class Statement(Struct, frozen=True):
    """A statement and its values."""

    sql: str
    values: tuple[Any, ...]


class Cost(Struct, frozen=True):
    """What a statement costs; `scanned`: how many rows it read of each large table, and by which kind of scan."""

    sql: str
    milliseconds: float
    scanned: tuple[tuple[str, str, int], ...]


class Recorder:
    """Notes every statement that this process sends to PostgreSQL, by whichever connection."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._noted: list[Statement] = []
        self._is_on = False
        connect, create_pool = asyncpg.connect, asyncpg.create_pool

        async def listen(connection):
            connection.add_query_logger(self._note)

        def recorded_pool(*args, init, **options):
            async def begin(connection):
                await init(connection)
                await listen(connection)

            return create_pool(*args, init=begin, **options)

        async def recorded_connect(*args, **options):
            connection = await connect(*args, **options)
            await listen(connection)
            return connection

        monkeypatch.setattr(asyncpg, "connect", recorded_connect)
        monkeypatch.setattr(asyncpg, "create_pool", recorded_pool)

    def _note(self, query) -> None:
        if self._is_on and query.exception is None and STATEMENT.match(query.query):
            self._noted.append(Statement(query.query, tuple(query.args or ())))

    @contextlib.contextmanager
    def recording(self) -> Iterator[dict[str, Statement]]:
        """The statements that are sent while the block runs, each once, with the values that it had last."""
        noted: dict[str, Statement] = {}
        self._noted, self._is_on = [], True
        try:
            yield noted
        finally:
            self._is_on = False
            noted.update({statement.sql: statement for statement in self._noted})


async def sizes(connection, tables: Iterable[str]) -> dict[str, int]:
    """About how many rows tables have."""
    rows = await connection.fetch("SELECT relname, reltuples FROM pg_class WHERE relname = ANY($1)", list(tables))
    return {row["relname"]: int(row["reltuples"]) for row in rows}


async def measure_all(connection, statements: Iterable[Statement], large: Container[str], *, timed: bool) -> list[Cost]:
    """What statements cost; rows with a key of their own cannot be inserted again, and these are not measured."""
    costs = []
    for statement in statements:
        with contextlib.suppress(asyncpg.UniqueViolationError):
            costs.append(await measure(connection, statement, large, timed=timed))
    return costs


async def measure(connection, statement: Statement, large: Container[str], *, timed: bool) -> Cost:
    """Run a statement some times without keeping what it does; how long it takes, and which rows are read for it."""
    explain = f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {statement.sql}"
    times: list[float] = []
    scanned: dict[tuple[str, str], int] = {}
    for _ in range(TIMES):
        (found,) = json.loads(await _undone(connection, explain, statement.values, connection.fetchval))
        times.append(found["Execution Time"])
        for table, how, rows in _scans(found["Plan"], large):
            scanned[table, how] = max(rows, scanned.get((table, how), 0))
    runs = [await _timed(connection, statement) for _ in range(WARM_UP + TIMES)] if timed else []
    slower = max(statistics.median(each) for each in (times, runs[WARM_UP:]) if each)
    return Cost(statement.sql, slower, tuple(sorted((table, how, rows) for (table, how), rows in scanned.items())))


async def _undone(connection, sql, values, fetch):
    transaction = connection.transaction()
    await transaction.start()
    try:
        return await fetch(sql, *values)
    finally:
        await transaction.rollback()


async def _timed(connection, statement: Statement) -> float:
    """The milliseconds of the statement itself, as it is prepared and sent by a store."""
    spent: list[tuple[str, float]] = []
    with connection.query_logger(lambda query: spent.append((query.query, query.elapsed))):
        await _undone(connection, statement.sql, statement.values, connection.fetch)
    return sum(1_000 * elapsed for sql, elapsed in spent if sql == statement.sql)


def _scans(plan: dict[str, Any], large: Container[str]) -> Iterator[tuple[str, str, int]]:
    """The scans of large tables in a plan, and how many rows each of them read."""
    for inner in plan.get("Plans", ()):
        yield from _scans(inner, large)
    kind = plan["Node Type"]
    if plan.get("Relation Name") in large and kind.endswith("Scan"):
        removed = plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Index Recheck", 0)
        yield plan["Relation Name"], kind, round((plan["Actual Rows"] + removed) * plan["Actual Loops"])
