"""A local game that people and bots play at one keyboard: whose turn it is, who may look, what they have not seen.

It neither prints nor asks; the plain-text game and the full screen are both driven by it.
"""

from collections.abc import Container, Iterable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tessella.core.game import AnyGame, Public, Seat
from tessella.core.local import AnyTable
from tessella.core.record import Step
from tessella.table.views import has_secrets

AnyStep: TypeAlias = Step[Any, Any, Any, Any]


class HistoryEntry(Struct, frozen=True):
    """What a viewer saw of one move and the deals after it, or of anything else that happened at the table."""

    seat: Seat | None
    text: str
    """The move in notation; empty if it was not a move, or is hidden from the viewer."""
    events: tuple[Public, ...] = ()
    what: str = "played"


class HotSeat:
    """A local game. `bots` are the seats that play by themselves."""

    def __init__(self, table: AnyTable, seats: int, bots: Container[Seat]) -> None:
        self.table = table
        self.game: AnyGame = table.game
        self.bots = bots
        self.seats = seats
        self.people = [seat for seat in range(seats) if seat not in bots]
        self.viewer = self.people[0] if len(self.people) == 1 else None
        """Whose view the screen shows; None shows what everyone may see."""
        self._private = False
        self._seen: dict[Seat | None, int] = {}

    @property
    def mover(self) -> Seat | None:
        """Return the seat to move, or None when the game is over. Bots move first."""
        seats = self.table.seats
        return next((seat for seat in seats if seat in self.bots), seats[0] if seats else None)

    @property
    def private(self) -> bool:
        """Return whether only the viewer may look at the screen."""
        return self._private and bool(self.table.seats)

    @property
    def has_secrets(self) -> bool:
        """Return whether anything is hidden from some seat."""
        return has_secrets(self.game, self.table.state, self.seats)

    @property
    def is_vacant(self) -> bool:
        """Return whether a person must sit down before anything may be shown."""
        return bool(self.table.seats) and not self._private and self._hides_from_people

    @property
    def _hides_from_people(self) -> bool:
        return len(self.people) > 1 and self.has_secrets

    def must_change_places(self, seat: Seat) -> bool:
        """Return whether the screen must be hidden before this person may look at it."""
        return self._hides_from_people and not (self._private and self.viewer == seat)

    def sit(self, seat: Seat) -> None:
        """Show the screen to this person."""
        self.viewer, self._private = seat, self._hides_from_people

    def catch_up(self, viewer: Seat | None) -> tuple[list[HistoryEntry], int]:
        """Return the history as the viewer saw it and the number of new entries, which count as seen from now on."""
        history = seen_by(viewer, self.game, self.table.steps)
        readers: Sequence[Seat | None] = [viewer] if self.private else self.people or [None]
        new = len(history) - min(self._seen.get(reader, 0) for reader in readers)
        self._seen |= dict.fromkeys(readers, len(history))
        return history, new


def seen_by(viewer: Seat | None, game: AnyGame, steps: Iterable[AnyStep]) -> list[HistoryEntry]:
    """Return what a seat, or a spectator, saw: one entry per move, with the deals after it."""
    history: list[HistoryEntry] = []
    for step in steps:
        witnessed = [game.witness(event, viewer) for event in step.events]
        events = tuple(event for event in witnessed if event is not None)
        if step.seat is None and history:
            history[-1] = replace(history[-1], events=history[-1].events + events)
        else:
            hidden = step.seat is None or game.owner(step.act) not in (None, viewer)
            history.append(HistoryEntry(step.seat, "" if hidden else step.text.rpartition(":")[2], events))
    return history
