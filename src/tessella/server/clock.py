"""Clocks: computed from when things happened, never kept running.

Time that the server was away (`Outage`) is nobody's: it is taken out of every reckoning.
"""

from collections.abc import Sequence

from msgspec import Struct

from tessella.core.game import Seat
from tessella.server.entries import Days, Live, Pace

DAY = 86_400.0
GRACE_ON_RETURN = 60.0
"""Who comes back to a seat has at least this many seconds."""


class Outage(Struct, frozen=True):
    """From the last sign of life of any worker to the first one after."""

    began: float
    ended: float


def elapsed(began: float, now: float, outages: Sequence[Outage]) -> float:
    """The seconds between two moments in which the server was there. The outages are in order, and do not overlap.

    >>> elapsed(100, 160, [Outage(110, 140)])
    30.0
    """
    away = 0.0
    for gap in reversed(outages):
        if gap.ended <= began:
            break
        away += max(0.0, min(now, gap.ended) - max(began, gap.began))
    return max(0.0, now - began - away)


class Clock(Struct):
    """The clocks of all seats of one table."""

    pace: Pace
    banks: list[float]
    running: tuple[Seat, ...] = ()
    since: float = 0.0

    def fork(self) -> "Clock":
        """Clocks that can run on by themselves while these stay as they are."""
        return Clock(self.pace, list(self.banks), self.running, self.since)

    def left(self, seat: Seat, now: float, outages: Sequence[Outage]) -> float | None:
        """The seconds that a seat has left; None is without end."""
        if self.pace is None:
            return None
        spent = elapsed(self.since, now, outages) if seat in self.running else 0.0
        return self.banks[seat] - spent

    def runs_out(self, seat: Seat, outages: Sequence[Outage]) -> float | None:
        """When the running clock of a seat runs out, as far as outages are known; None is never.

        >>> Clock(Live(60, 0), [60.0], (0,), since=100.0).runs_out(0, [Outage(90, 110), Outage(150, 250)])
        270.0
        """
        if self.pace is None:
            return None
        moment = self.since + self.banks[seat]
        for gap in outages:
            if gap.ended > self.since and gap.began < moment:
                moment += gap.ended - max(gap.began, self.since)
        return moment

    def deadline(self, now: float, outages: Sequence[Outage]) -> float | None:
        """When the first of the running clocks runs out."""
        lefts = [left for seat in self.running if (left := self.left(seat, now, outages)) is not None]
        return now + min(lefts) if lefts else None

    def turn_to(self, seats: tuple[Seat, ...], now: float, outages: Sequence[Outage], mover: Seat | None) -> None:
        """Charge those who were on the move, reward who moved, and let the clocks of these seats run."""
        for seat in self.running:
            self._charge(seat, now, outages, moved=seat == mover)
        self.running, self.since = seats, now

    def grant(self, seat: Seat) -> None:
        """Give who returns some time."""
        self.banks[seat] = max(self.banks[seat], GRACE_ON_RETURN)

    def _charge(self, seat: Seat, now: float, outages: Sequence[Outage], *, moved: bool) -> None:
        match self.pace:
            case Live(increment=increment):
                self.banks[seat] -= elapsed(self.since, now, outages) - (increment if moved else 0.0)
            case Days(days=days):
                self.banks[seat] = days * DAY if moved else self.banks[seat] - elapsed(self.since, now, outages)
            case None:
                pass


def fresh(pace: Pace, seats: int) -> Clock:
    """All clocks before the game."""
    match pace:
        case Live(bank=bank):
            return Clock(pace, [bank] * seats)
        case Days(days=days):
            return Clock(pace, [days * DAY] * seats)
        case None:
            return Clock(None, [0.0] * seats)
