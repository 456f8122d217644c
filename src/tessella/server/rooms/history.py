"""Games rebuilt from their logs: to load, replay, rate, verify and archive them.

`fold_log` is the one way from a log to a table. Nothing here needs a database at import time, so that a process that
only replays games loads none.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from tessella.core.game import BadNotation, Seat
from tessella.table.clock import Outage
from tessella.table.log import Ended, Entry, Opened, Played, Started, read_entry
from tessella.table.table import AnyState, AppliedEntry, Table

if TYPE_CHECKING:
    from tessella.server.store import Store

Log: TypeAlias = Sequence[tuple[str, float]]
"""The entries of a game as they are stored, each with the time at which it was stored."""

TimedEntry: TypeAlias = tuple[Entry, float]


class UnreadableGame(Exception):
    """The log of a game cannot be read by this version of the server: it is damaged, or its edition is gone."""


class HistoryStep(Struct, frozen=True):
    """An entry of the log, when it was stored, and the game after it."""

    applied: AppliedEntry
    at: float
    state: AnyState
    movers: tuple[Seat, ...]


class History(Struct, frozen=True):
    """A table, and every entry after its first that led to it."""

    table: Table
    steps: Sequence[HistoryStep]

    @property
    def entries(self) -> list[AppliedEntry]:
        """The entries with their events."""
        return [step.applied for step in self.steps]


async def read_log(store: "Store", game_id: str, after: int = -1) -> Log:
    """Return the log of a game after the entry of that number, all of it by default; empty if there is no such game."""
    return [(row.body, row.at) for row in await store.log(game_id, after)]


def decode_log(log: Log) -> list[TimedEntry]:
    """Return stored entries as values."""
    return [(read_entry(body), at) for body, at in log]


def fold_log(game_id: str, log: Iterable[TimedEntry], outages: Sequence[Outage] = ()) -> History:
    """Return the table that a whole log makes, and how it came about; raise `BadNotation` if it opens no table."""
    (opened, at), *rest = log
    if not isinstance(opened, Opened):
        raise BadNotation("the log does not begin with the opening of a table")
    return fold_entries(Table(game_id, opened, at, outages), rest)


def fold_entries(table: Table, log: Iterable[TimedEntry]) -> History:
    """Fold further entries into a table, which is changed."""
    return History(table, [HistoryStep(table.fold(entry, at), at, table.state, table.movers) for entry, at in log])


# Finished games


class Finished(Struct, frozen=True):
    """A table whose game is over; `started` is None if it was aborted before its first deal."""

    table: Table
    started: float | None
    ended: float


def ends(entry: Entry) -> bool:
    """Return whether a game is over with this entry."""
    return isinstance(entry, Ended) or (isinstance(entry, Played) and entry.end is not None)


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
