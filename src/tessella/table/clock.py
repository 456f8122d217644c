"""The clocks of a table, computed from the times in its log; no timer runs.

Time in which no worker was running (`Outage`) is charged to no player.
"""

from collections.abc import Sequence

from msgspec import Struct

from tessella.core.game import Seat
from tessella.table.log import Days, Live, Pace

DAY_SECONDS = 86_400.0
GRACE_ON_RETURN_SECONDS = 60.0
"""The least time a player has after returning to a seat."""


class Outage(Struct, frozen=True):
    """A time in which no worker was running: from the last heartbeat of any worker to the first one after it."""

    began: float
    ended: float


def elapsed(began: float, now: float, outages: Sequence[Outage]) -> float:
    """Return the seconds between two times, without outages, which must be sorted and must not overlap.

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
        """Return an independent copy."""
        return Clock(self.pace, list(self.banks), self.running, self.since)

    def seconds_left(self, seat: Seat, now: float, outages: Sequence[Outage]) -> float | None:
        """Return the seconds that a seat has left, or None without a time limit."""
        if self.pace is None:
            return None
        spent = elapsed(self.since, now, outages) if seat in self.running else 0.0
        return self.banks[seat] - spent

    def expires_at(self, seat: Seat, outages: Sequence[Outage]) -> float | None:
        """Return when the running clock of a seat runs out, given the known outages; None without a time limit.

        >>> Clock(Live(60, 0), [60.0], (0,), since=100.0).expires_at(0, [Outage(90, 110), Outage(150, 250)])
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
        """Return when the first running clock runs out; None if none runs."""
        lefts = [left for seat in self.running if (left := self.seconds_left(seat, now, outages)) is not None]
        return now + min(lefts) if lefts else None

    def switch_to(self, seats: tuple[Seat, ...], now: float, outages: Sequence[Outage], mover: Seat | None) -> None:
        """Charge the running clocks, give the mover its increment, and start the clocks of these seats."""
        for seat in self.running:
            self._charge(seat, now, outages, moved=seat == mover)
        self.running, self.since = seats, now

    def grant_grace(self, seat: Seat) -> None:
        """Raise the time of a seat to the grace period if it has less."""
        self.banks[seat] = max(self.banks[seat], GRACE_ON_RETURN_SECONDS)

    def _charge(self, seat: Seat, now: float, outages: Sequence[Outage], *, moved: bool) -> None:
        match self.pace:
            case Live(increment=increment):
                self.banks[seat] -= elapsed(self.since, now, outages) - (increment if moved else 0.0)
            case Days(days=days):
                spent = elapsed(self.since, now, outages)
                self.banks[seat] = days * DAY_SECONDS if moved else self.banks[seat] - spent
            case None:
                pass


def new_clock(pace: Pace, seats: int) -> Clock:
    """Return the clocks of a table before its game starts."""
    match pace:
        case Live(bank=bank):
            return Clock(pace, [bank] * seats)
        case Days(days=days):
            return Clock(pace, [days * DAY_SECONDS] * seats)
        case None:
            return Clock(None, [0.0] * seats)
