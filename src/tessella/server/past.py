"""What has happened at a table, read from its log: for those who come late, and for those who watch a game again."""

import asyncio
from collections.abc import Iterable, Sequence

from msgspec import Struct

from tessella.core.game import Seat
from tessella.server import entries
from tessella.server.entries import Entry, Opened
from tessella.server.store import Store
from tessella.server.table import AnyState, Happening, Table


class Moment(Struct, frozen=True):
    """An entry of the log, and the game as it was after it."""

    happening: Happening
    state: AnyState
    movers: tuple[Seat, ...]


class Past(Struct, frozen=True):
    """A table as it is now, and how it came to be so."""

    table: Table
    moments: Sequence[Moment]


async def read_past(store: Store, game_id: str) -> Past | None:
    """Fold the log of a table again, beside those that are being played; None if there is no such table."""
    log = await store.log(game_id, -1)
    if not log:
        return None
    opened = entries.read(log[0].body)
    assert isinstance(opened, Opened)
    table = Table(game_id, opened, log[0].at)
    return await asyncio.to_thread(relive, table, [(entries.read(row.body), row.at) for row in log[1:]])


def relive(table: Table, log: Iterable[tuple[Entry, float]]) -> Past:
    """Let the entries happen at a fresh table, each at its time, and keep every moment."""
    moments = [Moment(table.fold(entry, at), table.state, table.movers) for entry, at in log]
    return Past(table, moments)
