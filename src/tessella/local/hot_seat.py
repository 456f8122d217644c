"""People who share one screen: whose turn it is, who may look, and what they have not seen yet.

It neither draws nor asks: the plain-text game, the full screen and the browser are all driven by it.
"""

from collections.abc import Sequence

from msgspec import Struct

from tessella.core.game import Public, Seat
from tessella.local.game import LocalGame
from tessella.table import views
from tessella.table.log import Ended, Entry, Played, Returned, Started, TookOver
from tessella.table.table import AppliedEntry, Table

_SHOWN = (Started, Played, TookOver, Returned, Ended)


class HistoryEntry(Struct, frozen=True):
    """What a viewer saw of one move and the deals after it, or of anything else that happened at the table."""

    seat: Seat | None
    text: str
    """The move in notation; empty if it was not a move, or is hidden from the viewer."""
    events: tuple[Public, ...] = ()
    what: str = "played"


class HotSeat:
    """The one screen that the people of a local game share."""

    def __init__(self, game: LocalGame) -> None:
        self.local = game
        self.viewer = self.people[0] if len(self.people) == 1 else None
        """Whose view the screen shows; None shows what everyone may see."""
        self._private = False
        self._seen: dict[Seat | None, int] = {}

    @property
    def _table(self) -> Table:
        return self.local.table

    @property
    def people(self) -> list[Seat]:
        """The seats that people play themselves now."""
        return [seat for seat, occupant in enumerate(self._table.seats) if not occupant.level]

    @property
    def mover(self) -> Seat | None:
        """The seat to move, or None when the game is over. Bots move first."""
        movers, people = self._table.movers, self.people
        return next((seat for seat in movers if seat not in people), movers[0] if movers else None)

    @property
    def next_to_sit(self) -> Seat | None:
        """The person to whom the screen must be passed behind a curtain, before it may show anything hidden."""
        seat = self.mover
        return seat if seat is not None and seat in self.people and self.must_change_places(seat) else None

    @property
    def private(self) -> bool:
        """Whether only the viewer may look at the screen."""
        return self._private and bool(self._table.movers)

    @property
    def has_secrets(self) -> bool:
        """Whether anything is hidden from some seat."""
        return views.has_secrets(self._table.game, self._table.state, len(self._table.seats))

    @property
    def is_vacant(self) -> bool:
        """Whether a person must sit down before anything may be shown."""
        return bool(self._table.movers) and not self._private and self._hides_from_people

    @property
    def _hides_from_people(self) -> bool:
        return len(self.people) > 1 and self.has_secrets

    @property
    def shown_to(self) -> Seat | None:
        """Whose view may be drawn now; None for what everyone may see.

        Whoever has moved may read what came of it until the screen is passed on.
        """
        if self.private or len(self.people) == 1:
            return self.viewer
        return self.viewer if self._table.movers and self.next_to_sit is None else None

    def must_change_places(self, seat: Seat) -> bool:
        """Return whether the screen must be hidden before this person may look at it."""
        return self._hides_from_people and not (self._private and self.viewer == seat)

    def sit(self, seat: Seat) -> None:
        """Show the screen to this person."""
        self.viewer, self._private = seat, self._hides_from_people

    def catch_up(self, viewer: Seat | None) -> tuple[list[HistoryEntry], int]:
        """Return the history as the viewer saw it and the number of new entries, which count as seen from now on."""
        history = seen_by(viewer, self.local)
        readers: Sequence[Seat | None] = [viewer] if self.private else self.people or [None]
        new = len(history) - min(self._seen.get(reader, 0) for reader in readers)
        self._seen |= dict.fromkeys(readers, len(history))
        return history, new


def seen_by(viewer: Seat | None, game: LocalGame) -> list[HistoryEntry]:
    """Return what a seat, or a spectator, saw: one entry per move, with the deals after it."""
    applied = [step.applied for step in game.steps]
    return [_witnessed(viewer, game.table, each) for each in applied if isinstance(each.entry, _SHOWN)]


def _witnessed(viewer: Seat | None, table: Table, applied: AppliedEntry) -> HistoryEntry:
    entry, witnessed = applied.entry, [table.game.witness(event, viewer) for event in applied.events]
    events = tuple(event for event in witnessed if event is not None)
    return HistoryEntry(_seat(entry), _move(viewer, applied), events, _what(entry))


def _seat(entry: Entry) -> Seat | None:
    return entry.seat if isinstance(entry, Played | TookOver | Returned) else None


def _move(viewer: Seat | None, applied: AppliedEntry) -> str:
    if not isinstance(applied.entry, Played):
        return ""
    owner, text = applied.acts[0]
    return text.rpartition(":")[2] if owner in (None, viewer) else ""


def _what(entry: Entry) -> str:
    return "played" if isinstance(entry, Started | Played) else views.kind_of(entry)
