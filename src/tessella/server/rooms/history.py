"""Stored games: to load, rate, verify and archive them.

Nothing here needs a database at import time, so that a process that only replays games loads none.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from tessella.table.history import TimedEntry, ends, fold_log
from tessella.table.log import Started, read_entry
from tessella.table.table import Table

if TYPE_CHECKING:
    from tessella.server.store import Store

Log: TypeAlias = Sequence[tuple[str, float]]
"""The entries of a game as they are stored, each with the time at which it was stored."""


class UnreadableGame(Exception):
    """The log of a game cannot be read by this version of the server: it is damaged, or its edition is gone."""


async def read_log(store: "Store", game_id: str, after: int = -1) -> Log:
    """Return the log of a game after the entry of that number, all of it by default; empty if there is no such game."""
    return [(row.body, row.at) for row in await store.log(game_id, after)]


def decode_log(log: Log) -> list[TimedEntry]:
    """Return stored entries as values."""
    return [(read_entry(body), at) for body, at in log]


# Finished games


class Finished(Struct, frozen=True):
    """A table whose game is over; `started` is None if it was aborted before its first deal."""

    table: Table
    started: float | None
    ended: float


async def read_finished(store: "Store", game_id: str) -> Finished | None:
    """Return a finished game; None if it is not over, or there is no such game."""
    log = await read_log(store, game_id)
    if not log:
        return None
    history = fold_log(game_id, decode_log(log))
    started = [step.at for step in history.steps if isinstance(step.applied.entry, Started)]
    ended = [step.at for step in history.steps if ends(step.applied.entry)]
    return Finished(history.table, started[-1] if started else None, ended[-1]) if ended else None


async def time_of(store: "Store", game_id: str, number: int) -> float:
    """Return when an entry was stored."""
    (row, *_) = await store.log(game_id, number - 1)
    return row.at
