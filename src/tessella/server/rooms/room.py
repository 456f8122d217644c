"""A table that this worker has loaded, and the viewers connected to it here."""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterable

from msgspec import Struct

from tessella.core import wire
from tessella.core.game import Public, Seat
from tessella.protocol import messages
from tessella.table import views
from tessella.table.log import Days
from tessella.table.table import AppliedEntry, Secret, Table

HISTORY_ENTRIES = 64
"""How many recent entries a room keeps, for clients that reconnect."""


MOST_AWAY_SECONDS = 3_600
"""How long a player is away is sent up to this only: when they were last here is their own affair."""


class Viewer:
    """A client connected to a table: a player or a spectator. `send` must not block.

    `player` is the id under which the viewer would sit at the table. `session` is the digest of the cookie or token by
    which the `person` was authenticated, if any.
    """

    def __init__(
        self,
        player: str,
        send: Callable[[bytes], None],
        session: str = "",
        person: str = "",
        disconnect: Callable[[], None] = lambda: None,
    ) -> None:
        self.player = player
        self.send = send
        self.session = session
        self.person = person
        self.disconnect = disconnect


class RemotePresence(Struct, frozen=True):
    """The viewers connected to another worker, as it last announced them."""

    seats: frozenset[Seat]
    spectators: int
    heard_at: float


class Room:
    """A table that this worker has loaded, and its viewers here."""

    def __init__(self, table: Table, history: Iterable[AppliedEntry] = ()) -> None:
        self.table = table
        self.history = deque(history, maxlen=HISTORY_ENTRIES)
        self.viewers: dict[Viewer, None] = {}
        """An ordered set, so that a simulation runs the same way every time."""
        self.lock = asyncio.Lock()
        self.secret: Secret | None = None
        self.refresh_scheduled = False
        self.clocks_stale = False
        """Whether an outage has become known since the clocks were computed."""
        self.remote: dict[str, RemotePresence] = {}
        """The presence at each other worker."""
        self.presence_scheduled = False
        self.announcement_scheduled = False
        self.announced_at = -math.inf
        """When the presence here was last announced to the other workers."""
        self.loaded_at = math.inf
        """When this worker loaded the table: what was before, it does not know."""
        self.gone_at: dict[Seat, float] = {}
        """When each player was last seen disconnecting."""

    @property
    def _seats_here(self) -> list[Seat | None]:
        """The seat of each viewer connected to this worker; None for a spectator."""
        return [self.table.seat_of(viewer.player) for viewer in self.viewers]

    @property
    def present_here(self) -> frozenset[Seat]:
        """The seats of the players connected to this worker."""
        return frozenset([seat for seat in self._seats_here if seat is not None])

    @property
    def present(self) -> frozenset[Seat]:
        """The seats of all connected players, as far as is known here."""
        return self.present_here.union(*(other.seats for other in self.remote.values()))

    @property
    def spectators_here(self) -> int:
        """The number of spectators connected to this worker."""
        return self._seats_here.count(None)

    @property
    def spectators(self) -> int:
        """The number of all connected spectators, as far as is known here."""
        return self.spectators_here + sum(other.spectators for other in self.remote.values())

    def note_gone(self, seats: Iterable[Seat | None], now: float) -> None:
        """Remember since when those of these players are away who are not connected any more."""
        for seat in seats:
            if seat is not None and seat not in self.present:
                self.gone_at[seat] = now

    def away(self, now: float, present: frozenset[Seat] | None = None) -> dict[Seat, int]:
        """Return for how many seconds each player has been away who is; empty where days are given for a move."""
        if isinstance(self.table.terms.pace, Days):
            return {}
        here = self.present if present is None else present
        absent = [seat for seat in self.table.people if seat not in here and not self.table.seats[seat].level]
        return {seat: self._seconds_away(seat, now) for seat in absent}

    def _seconds_away(self, seat: Seat, now: float) -> int:
        since = max(self.loaded_at, self.gone_at.get(seat, -math.inf))
        return int(min(MOST_AWAY_SECONDS, max(0.0, now - since)))

    def view_for(self, seat: Seat | None, now: float) -> messages.TableView:
        """Return the table as a seat, or a spectator (None), sees it."""
        return views.seat_view(self.table, seat, self._spectator_view(now))

    def _spectator_view(self, now: float) -> messages.TableView:
        present = self.present
        return views.spectator_view(self.table, now, present, self.spectators, self.away(now, present))

    def _update(self, seat: Seat | None, entries: Iterable[AppliedEntry], public: messages.TableView) -> bytes:
        """Return the message that brings new entries to a seat."""
        seen = views.entry_views(self.table, seat, entries)
        return wire.encode(messages.Update(seen, views.seat_view(self.table, seat, public)))

    def catch_up(self, viewer: Viewer, have: int, now: float) -> None:
        """Send a viewer the table, and the entries after number `have` that are still in the history."""
        seat = self.table.seat_of(viewer.player)
        missed = [applied for applied in self.history if applied.number > have >= 0]
        viewer.send(self._update(seat, missed, self._spectator_view(now)))

    def broadcast(self, entries: list[AppliedEntry], now: float) -> None:
        """Send new entries to every viewer; spectators share one message."""
        public = self._spectator_view(now)
        ready: dict[Seat | None, bytes] = {}
        for viewer in list(self.viewers):
            seat = self.table.seat_of(viewer.player)
            if seat not in ready:
                ready[seat] = self._update(seat, entries, public)
            viewer.send(ready[seat])

    def send_all(self, message: Public) -> None:
        """Send the same message to every viewer."""
        data = wire.encode(message)
        for viewer in list(self.viewers):
            viewer.send(data)
