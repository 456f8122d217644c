"""A game that is over, read from its log: for results, ratings and the archive."""

from msgspec import Struct
from sqlalchemy import select

from tessella.server import entries
from tessella.server.entries import Ended, Entry, Opened, Played, Started
from tessella.server.store import Store
from tessella.server.store.schema import entries as logs
from tessella.server.table import Table


class Finished(Struct, frozen=True):
    """A table whose game is over; `started` is None if it was aborted before its first deal."""

    table: Table
    started: float | None
    ended: float


def ends(entry: Entry) -> bool:
    """Whether a game is over with this entry."""
    return isinstance(entry, Ended) or (isinstance(entry, Played) and entry.end is not None)


async def read_finished(store: Store, game_id: str) -> Finished | None:
    """Fold the log of a game; None if it is not over, or was never there."""
    log = await store.log(game_id, -1)
    if not log:
        return None
    opened = entries.read(log[0].body)
    assert isinstance(opened, Opened)
    table = Table(game_id, opened, log[0].at)
    started = ended = None
    for row in log[1:]:
        entry = entries.read(row.body)
        table.fold(entry, row.at)
        started = row.at if isinstance(entry, Started) else started
        ended = row.at if ends(entry) else ended
    return None if ended is None else Finished(table, started, ended)


async def time_of(store: Store, game_id: str, number: int) -> float:
    """When an entry was stored."""
    rows = await store.run(select(logs.c.at).where(logs.c.game == game_id, logs.c.number == number))
    return float(rows[0]["at"])
