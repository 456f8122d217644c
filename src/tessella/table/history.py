"""Games rebuilt from their logs: the one way from a log to a table, with every step on the way."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from tessella.core.game import BadNotation, Seat
from tessella.table.clock import Outage
from tessella.table.log import Ended, Entry, Opened, Played
from tessella.table.table import AnyState, AppliedEntry, Table

TimedEntry: TypeAlias = tuple[Entry, float]


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


def fold_log(game_id: str, log: Iterable[TimedEntry], outages: Sequence[Outage] = ()) -> History:
    """Return the table that a whole log makes, and how it came about; raise `BadNotation` if it opens no table."""
    (opened, at), *rest = log
    if not isinstance(opened, Opened):
        raise BadNotation("the log does not begin with the opening of a table")
    return fold_entries(Table(game_id, opened, at, outages), rest)


def fold_entries(table: Table, log: Iterable[TimedEntry]) -> History:
    """Fold further entries into a table, which is changed."""
    return History(table, [fold_entry(table, entry, at) for entry, at in log])


def fold_entry(table: Table, entry: Entry, at: float) -> HistoryStep:
    """Fold one entry into a table, which is changed, and return the step."""
    return HistoryStep(table.fold(entry, at), at, table.state, table.movers)


def ends(entry: Entry) -> bool:
    """Return whether a game is over with this entry."""
    return isinstance(entry, Ended) or (isinstance(entry, Played) and entry.end is not None)
