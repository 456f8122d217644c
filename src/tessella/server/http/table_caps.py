"""Limits on unfinished tables per person and per address, and on the rate of new ones.

A person is counted by all their ids, an address by the result of `identity.origin_of`. Members are not charged to their
address, and neither is this machine, which may be a proxy that does not forward addresses. A rematch is not charged: it
replaces a game that is over.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from msgspec import Struct
from sqlalchemy import Column, select, text

from tessella.server.addresses import is_local
from tessella.server.http.rate_limits import Buckets
from tessella.server.people.identity import Person
from tessella.server.settings import Settings
from tessella.server.store import Store
from tessella.server.store.schema import UNFINISHED, games, seats

BURST_TABLES = 60
SECONDS_PER_TABLE = 10.0
"""New tables per member or address: this many at once, then one per this many seconds.

Without it a client could open and close tables in a loop, and fill the database faster than retention empties it.
"""


class TooMany(Exception):
    """The client has too many tables: a rule for programs, a sentence for people.

    `after` is the number of seconds after which a new attempt succeeds, if waiting is enough.
    """

    def __init__(self, rule: str, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.after = after


class TableCaps:
    """The limits of one worker: unfinished tables, and open listed ones among them."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._rate = Buckets(BURST_TABLES, 1 / SECONDS_PER_TABLE)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def require_pace(self, origin: str, address: str, tables: int, now: float) -> None:
        """Raise `TooMany` if a client opens tables too fast."""
        if is_local(address):
            return
        wait = max(self._rate.take(origin, now) for _ in range(tables))
        if wait:
            raise TooMany("busy", "you open tables too fast; try again in a moment", wait)

    @asynccontextmanager
    async def room_for(
        self, store: Store, person: Person, origin: str, address: str, *, tables: int, listed: bool
    ) -> AsyncGenerator[None]:
        """Reserve new tables while the block opens them, or raise `TooMany`.

        Requests that are charged to the same key wait for each other, so that they do not all pass the same check.
        """
        by_address = person.kind == "guest" and not is_local(address)
        async with self._locks.setdefault(origin if by_address else person.id, asyncio.Lock()):
            await self.require_room(store, person, origin if by_address else "", tables, listed=listed)
            yield

    async def require_room(self, store: Store, person: Person, origin: str, tables: int, *, listed: bool) -> None:
        """Raise `TooMany` if a person, or an origin if there is one, would have too many tables."""
        caps = self._settings
        mine = await _count(store, games.c.creator, person.ids, caps.tables_per_person)
        if mine.tables + tables > caps.tables_per_person:
            raise TooMany("tables", f"you have {mine.tables} unfinished tables: finish or close one first")
        if listed and mine.listed + tables > caps.listed_per_person:
            raise TooMany("listed", f"you have {mine.listed} tables open to anybody: fill or close one first")
        if origin:
            await self._require_room_at_address(store, origin, tables, listed=listed)

    async def _require_room_at_address(self, store: Store, origin: str, tables: int, *, listed: bool) -> None:
        caps = self._settings
        here = await _count(store, games.c.origin, (origin,), caps.tables_per_address)
        advice = "finish or close one, or make an account"
        if here.tables + tables > caps.tables_per_address:
            raise TooMany("address", f"guests at your address have {here.tables} unfinished tables: {advice}")
        if listed and here.listed + tables > caps.listed_per_address:
            raise TooMany("listed", f"guests at your address have {here.listed} tables open to anybody: {advice}")

    async def require_room_to_play(self, store: Store, person: Person) -> None:
        """Raise `TooMany` if a person sits at too many unfinished tables to be paired for another."""
        most = self._settings.tables_per_person
        unfinished = select(seats.c.game).where(seats.c.person.in_(person.ids), seats.c.ended.is_(None)).limit(most)
        if (count := len(await store.run(unfinished))) >= most:
            raise TooMany("tables", f"you have {count} unfinished games: finish or leave one first")


class _Counted(Struct, frozen=True):
    """The number of unfinished tables, and of open listed ones among them."""

    tables: int
    listed: int


async def _count(store: Store, column: "Column[str]", values: Sequence[str], most: int) -> _Counted:
    """Count by a partial index, up to `most`."""
    theirs = select(games.c.status, games.c.listed).where(column.in_(values), text(f"{column.name} <> ''"))
    rows = await store.run(theirs.where(text(UNFINISHED)).limit(most))
    return _Counted(len(rows), sum(row["status"] == "open" and bool(row["listed"]) for row in rows))
