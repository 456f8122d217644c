"""Storage: SQLite for one process, PostgreSQL for many, with the same guarantees.

Entries that wait at the same time are written in one commit (group commit), and acknowledged only after it. The hot
path (append, read a log) is hand-written SQL; everything else is SQLAlchemy Core, run by the same drivers.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from msgspec import Struct
from sqlalchemy import ClauseElement, Dialect, Executable
from sqlalchemy.sql.compiler import SQLCompiler

if TYPE_CHECKING:
    from tessella.server.store.sealed import Sealing, Stored

Row: TypeAlias = Mapping[str, Any]

JobKind: TypeAlias = Literal["quick", "move", "review"]
"""A move of a bot that answers immediately, a move of one that thinks, or a slice of a review."""

SPACING_SECONDS = 10.0
"""How much later a job is queued for each job that its owner already has in the queue."""

MOST_SPACED = 50
"""From this many jobs of one owner on, further jobs are queued no later."""


class Write(Struct, frozen=True):
    """An entry to append, and the status of the game after it."""

    game: str
    number: int
    key: str
    body: str
    due: float | None
    """The entry is rejected if it is stored later than this, by the clock of the store."""
    status: str
    movers: str
    allow: float | None
    """Seconds from now until the next deadline."""
    job: JobKind | None = None
    """The kind of job to add, if a bot is to move next."""
    behind: float = 0.0
    """How many seconds later the job is queued."""
    old_key: str = ""
    """Another key under which the entry may be stored already; empty if there is none."""


class Logged(Struct, frozen=True):
    """An entry as it is stored."""

    number: int
    key: str
    body: str
    at: float


class Opening(Struct, frozen=True):
    """A new game: its first entry, its seed, and the columns by which it is found."""

    game: str
    title: str
    rules: str
    body: str
    seed: bytes
    pace: str
    rated: bool
    listed: bool
    match: str = ""
    creator: str = ""
    """The id of the person who opened the table."""
    origin: str = ""
    """The origin that the table is charged to: a person, or a digest of a guest's subnet."""
    before: str = ""
    """The game that this one follows, if any."""


class Job(Struct, frozen=True):
    """A game in which a bot is to move, or that the coach is to review. `attempts` counts the failed ones."""

    game: str
    number: int
    kind: JobKind = "move"
    attempts: int = 0


class Store(Protocol):
    """What every store can do."""

    @property
    def is_shared(self) -> bool:
        """Whether several workers may use the store at the same time."""
        ...

    @property
    def has_roles(self) -> bool:
        """Whether workers log in with limited rights, and change logs only through functions of the database."""
        ...

    async def append(self, write: Write) -> float | None:
        """Append an entry and return its time; None if its number or a key of it is taken, or it came too late."""
        ...

    async def log(self, game: str, after: int = 0) -> list[Logged]:
        """Return the entries of a game with numbers above `after`, whether they are sealed or not."""
        ...

    async def stored(self, game: str, after: int = -1) -> "Stored":
        """Return what is stored of a log: its sealed part, if any, and the other entries above `after`."""
        ...

    async def seal(self, sealing: "Sealing") -> bool:
        """Replace the entries of a finished game by their sealed form; False if the log is not what was packed.

        Also removed are the seats, which `results` has too, and the seed, if the log reveals it.
        """
        ...

    async def number_of(self, game: str, *keys: str) -> int | None:
        """Return the number of the entry with one of these keys, or None; sealed entries have no keys."""
        ...

    async def open(self, opening: Opening) -> float:
        """Store a new game and return the time."""
        ...

    async def seed(self, game: str) -> bytes:
        """Return the seed of a game."""
        ...

    async def run(self, *statements: Executable) -> list[Row]:
        """Run statements in one transaction and return the rows of the last."""
        ...

    async def lease(self, worker: str, seconds: float, kind: JobKind = "move") -> Job | None:
        """Lease the first job of a kind: no other worker gets it until it is finished or the lease ends."""
        ...

    async def renew(self, job: Job, worker: str, seconds: float) -> bool:
        """Extend a lease that this worker still holds; False if it does not."""
        ...

    async def finish(self, job: Job, worker: str, retry: float | None = None) -> None:
        """End a lease: remove the job, or hand it back if there is newer work in that game.

        With `retry` the job has failed, and becomes visible again after that many seconds.
        """
        ...

    async def now(self) -> float:
        """Return the time by the clock of the store."""
        ...

    async def scrub(self) -> None:
        """Remove remains of deleted rows outside the tables, such as those in a write-ahead log, where possible."""
        ...

    async def close(self) -> None:
        """Write what is queued, and close."""
        ...


def compile_for(dialect: Dialect, statement: Executable) -> tuple[str, list[Any]]:
    """Return a statement as SQL text and its values in order; compiled forms are cached."""
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
"""Bounded by the number of statements in the server: neither values nor list lengths are part of the key."""


async def connect(url: str) -> Store:
    """Migrate the database at `sqlite:FILE` or `postgresql://…`, and return its store."""
    from tessella.server.store.migrate import migrate  # noqa: PLC0415  not every importer needs Alembic

    await migrate(url)
    return await _open(url)


async def connect_unmigrated(url: str) -> Store:
    """Return the store of a database as it is; raise `NotMigrated` if this version needs a newer one."""
    from tessella.server.store.migrate import require_current  # noqa: PLC0415

    await require_current(url)
    return await _open(url)


async def _open(url: str) -> Store:
    if url.startswith("sqlite:"):
        from tessella.server.store.sqlite import SQLiteStore  # noqa: PLC0415

        return SQLiteStore(url.removeprefix("sqlite:"))
    from tessella.server.store.postgres import PostgresStore  # noqa: PLC0415

    return await PostgresStore.connect(url)
