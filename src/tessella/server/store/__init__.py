"""Where tables are kept: SQLite for one process, PostgreSQL for many. Both keep the same promises.

Moves that wait at the same time are written together, in one commit; nobody is told "done" before it. The hot path
(append, read a log) is hand-written SQL; everything else is SQLAlchemy Core, run by the same drivers.
"""

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

from msgspec import Struct
from sqlalchemy import ClauseElement, Dialect, Executable
from sqlalchemy.sql.compiler import SQLCompiler

Row: TypeAlias = Mapping[str, Any]


class Write(Struct, frozen=True):
    """An entry to be appended, and where the game stands after it."""

    game: str
    number: int
    key: str
    body: str
    due: float | None
    """The entry counts only if it is stored before this moment, by the store's own clock."""
    status: str
    movers: str
    allow: float | None
    """Seconds from now until the next deadline."""
    bots: bool
    """Whether a bot is to move next."""


class Logged(Struct, frozen=True):
    """An entry as it is stored."""

    number: int
    key: str
    body: str
    at: float


class Opening(Struct, frozen=True):
    """A new game: its first entry, its seed, and how it is found."""

    game: str
    title: str
    rules: str
    body: str
    seed: bytes
    pace: str
    rated: bool
    listed: bool
    match: str = ""


class Job(Struct, frozen=True):
    """A game in which a bot is to move, or that the coach is to look at."""

    game: str
    number: int
    kind: str = "move"


class Store(Protocol):
    """What every store can do."""

    async def append(self, write: Write) -> float | None:
        """Append an entry if its number is still free; give the time, or None if it came too late."""
        ...

    async def log(self, game: str, after: int = 0) -> list[Logged]:
        """The entries of a game with greater numbers."""
        ...

    async def number_of(self, game: str, key: str) -> int | None:
        """The number of the entry with this key."""
        ...

    async def open(self, opening: Opening) -> float:
        """Keep a new game."""
        ...

    async def seed(self, game: str) -> bytes:
        """The seed of a game."""
        ...

    async def run(self, *statements: Executable) -> list[Row]:
        """Run statements in one transaction; give the rows of the last."""
        ...

    async def lease(self, worker: str, seconds: float, kind: str = "move") -> Job | None:
        """Take the most urgent job of a kind for so long."""
        ...

    async def done(self, job: Job) -> None:
        """Forget a job, unless there is newer work in that game."""
        ...

    async def now(self) -> float:
        """The store's own clock."""
        ...

    async def scrub(self) -> None:
        """Leave nothing of what was deleted beside the tables, as far as it is for us to do."""
        ...

    async def close(self) -> None:
        """Write what waits, and let go."""
        ...


def compile_for(dialect: Dialect, statement: Executable) -> tuple[str, list[Any]]:
    """A statement as SQL text and its values in order; one that differs only in its values is known already."""
    assert isinstance(statement, ClauseElement)
    key = statement._generate_cache_key()  # pyright: ignore[reportPrivateUsage]  as SQLAlchemy's connections do
    known = _COMPILED.get((dialect.name, key.key)) if key else None
    compiled = known or statement.compile(dialect=dialect, cache_key=key)
    assert isinstance(compiled, SQLCompiler)
    if key:
        _COMPILED[dialect.name, key.key] = compiled
    values = compiled.construct_params(extracted_parameters=key.bindparams if key else None)
    expanded = compiled.construct_expanded_state(values)
    return expanded.statement, list(expanded.positional_parameters or ())


_COMPILED: dict[tuple[str, object], SQLCompiler] = {}
"""As many as there are statements in the server: values, and how many of them a list has, are no part of the key."""


async def connect(url: str) -> Store:
    """Open the store at `sqlite:FILE` or `postgresql://…`, and bring its tables up to date."""
    from tessella.server.store.migrate import migrate  # noqa: PLC0415  keeps Alembic out of the way of readers

    await migrate(url)
    if url.startswith("sqlite:"):
        from tessella.server.store.sqlite import SQLiteStore  # noqa: PLC0415

        return SQLiteStore(url.removeprefix("sqlite:"))
    from tessella.server.store.postgres import PostgresStore  # noqa: PLC0415

    return await PostgresStore.connect(url)
