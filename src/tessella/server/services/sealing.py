"""Sealing: some time after its end a finished game becomes one small row, from which its whole log is rebuilt.

A game is sealed when nothing was added to it for some days, its results are written, the dice of its match are public,
and the event it belongs to is over. The sealed form is first unpacked and replayed; only if that gives the same log,
the store replaces the entries, in one transaction. A game for which it does not is left as it is, logged and counted.
Readers notice nothing: the store gives them the same entries.
"""

import asyncio
import logging
from collections.abc import AsyncIterator

from msgspec import Struct
from sqlalchemy import Select, exists, select, tuple_

from tessella.server.rooms.history import decode_log
from tessella.server.rooms.host import Host
from tessella.server.services.background import Background
from tessella.server.services.retention import Cursor
from tessella.server.settings import Settings
from tessella.server.store import Row, Store
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.store.schema import UNSEALED, event_tables, events, games
from tessella.server.store.sealed import Sealing, Stored, Unsealable, equal, pack, seed_in, unpack
from tessella.table.clock import DAY_SECONDS
from tessella.table.history import fold_log
from tessella.table.table import Table

log = logging.getLogger(__name__)

FIRST_PASS_SECONDS = 600.0
"""After the start of a worker: by then those of the previous version, which cannot read sealed games, have ended."""

PASS_SECONDS = 10.0
GAMES_PER_PASS = 50
PAGE_GAMES = 500


class Outcome(Struct):
    """How many games were sealed, must wait, or cannot be sealed."""

    sealed: int = 0
    waiting: int = 0
    unsealable: int = 0


def is_due(before: float) -> "Select[str, float]":
    """Select the finished games to which nothing was added since a time, with their last change."""
    running = event_tables.join(events, (events.c.id == event_tables.c.event) & (events.c.state == "running"))
    needed = exists().select_from(running).where(event_tables.c.game == games.c.id)
    return select(games.c.id, games.c.touched).where(UNSEALED, games.c.recorded, games.c.touched < before, ~needed)


async def all_due(store: Store, before: float) -> AsyncIterator[str]:
    """Yield the ids of all games that are due, page by page, the oldest first."""
    place = (games.c.touched, games.c.id)
    query = is_due(before).order_by(*place).limit(PAGE_GAMES)
    rows = await store.run(query)
    while rows:
        for row in rows:
            yield str(row["id"])
        rows = await store.run(query.where(tuple_(*place) > tuple_(rows[-1]["touched"], rows[-1]["id"])))


async def seal(store: Store, game_id: str, outcome: Outcome) -> None:
    """Seal one game if its log allows it, and count what became of it."""
    stored = await store.stored(game_id)
    try:
        sealing = await asyncio.to_thread(prepare, game_id, stored)
    except Unsealable:
        outcome.unsealable += 1
        log.warning("game not sealed", exc_info=True, extra={"game": game_id})
        return
    if sealing is not None and await store.seal(sealing):
        outcome.sealed += 1
    else:
        outcome.waiting += 1


def prepare(game_id: str, stored: Stored) -> Sealing | None:
    """Return the sealed form of a log; None if its dice are not public yet.

    Raise `Unsealable` unless it unpacks to the same log, and that replays to the end of a game.
    """
    entries = stored.log()
    sealed = pack(game_id, entries)
    rebuilt = unpack(sealed)
    if not equal(rebuilt, entries):
        raise Unsealable(f"the sealed log of {game_id} unpacks to another one")
    try:
        table: Table = fold_log(game_id, decode_log([(row.body, row.at) for row in rebuilt])).table
    except Exception as exc:
        raise Unsealable(f"the log of {game_id} does not replay: {exc}") from exc
    if table.end is None:
        raise Unsealable(f"the log of {game_id} has no end")
    return Sealing(sealed, stored.digest, seed_in(rebuilt)) if table.shown else None


class Sealer(Background):
    """Seals finished games, a few at a time, while the block runs; for web workers."""

    def __init__(self, host: Host, settings: Settings) -> None:
        self.host = host
        self.seconds = settings.seal_days * DAY_SECONDS
        self._cursor = Cursor(games.c.touched, games.c.id)
        self._unsealable: set[str] = set()

    async def run(self) -> None:
        """Do a pass every `PASS_SECONDS`, if the host wants games sealed; never return."""
        await asyncio.sleep(FIRST_PASS_SECONDS)
        while True:
            try:
                await self.seal_some()
            except (*STORE_ERRORS, TimeoutError):
                log.warning("sealing postponed", exc_info=True)
            except Exception:  # the next pass may succeed
                log.exception("sealing failed")
            await asyncio.sleep(PASS_SECONDS)

    async def seal_some(self) -> Outcome:
        """Seal the next games that are due, and return what became of them."""
        outcome = Outcome()
        for row in await self._next():
            if row["id"] not in self._unsealable:
                before = outcome.unsealable
                await seal(self.host.store, str(row["id"]), outcome)
                if outcome.unsealable > before:
                    self._unsealable.add(str(row["id"]))
        self.host.metrics.games_sealed.inc(outcome.sealed)
        self.host.metrics.games_unsealable.inc(outcome.unsealable)
        if outcome.sealed:
            log.info("games sealed", extra={"count": outcome.sealed})
        return outcome

    async def _next(self) -> list[Row]:
        if not self.seconds:
            return []
        store = self.host.store
        return await self._cursor.page(store, is_due(await store.now() - self.seconds), GAMES_PER_PASS)
