"""When a message is sent: quiet hours, digests, pauses between messages, and retries with back-off. No input or output.

A digest waits for a while after the first turn, and takes along every turn that comes meanwhile. A reminder never waits
for a digest: if its time falls into quiet hours that outlast the deadline, it comes before they begin.
"""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

NewsKind: TypeAlias = Literal["turn", "reminder", "confirm", "test", "invitation"]

PAUSE_SECONDS = 600.0
"""The shortest time between two messages about turns on one channel."""

LEAD_SECONDS = 600.0
"""How long before quiet hours a reminder comes that they would swallow."""

HOUR_SECONDS = 3_600.0
MINUTES_IN_A_DAY = 1_440

BACK_OFF_SECONDS = (10.0, 30.0, 120.0, 600.0, 3_600.0, 10_800.0)
"""The pauses after failed attempts; the last one is repeated."""

MOST_ATTEMPTS = 10
GIVE_UP_SECONDS = 86_400.0
"""News that could not be delivered for this long are given up."""

LONGEST_RETRY_AFTER_SECONDS = 3_600.0


class Quiet(Struct, frozen=True):
    """Hours in which no message is sent, in minutes since midnight of a time zone.

    >>> night = Quiet(22 * 60, 7 * 60, "Europe/Brussels")
    >>> night.covers(1_700_000_000.0)  # 23:13 in Brussels
    True
    >>> night.end_after(1_700_000_000.0) - 1_700_000_000.0
    28000.0
    """

    begins: int
    ends: int
    zone: str = "UTC"

    def covers(self, at: float) -> bool:
        """Return whether a time is in these hours."""
        minute = self._minute(at)
        if self.begins <= self.ends:
            return self.begins <= minute < self.ends
        return minute >= self.begins or minute < self.ends

    def end_after(self, at: float) -> float:
        """Return when the hours that cover a time end."""
        return next(end for end in self._times(at, self.ends, (0, 1, 2)) if end > at)

    def begin_before(self, at: float) -> float:
        """Return when the hours that cover a time began."""
        return next(begin for begin in self._times(at, self.begins, (0, -1, -2)) if begin <= at)

    def _minute(self, at: float) -> float:
        local = datetime.fromtimestamp(at, ZoneInfo(self.zone))
        return local.hour * 60 + local.minute

    def _times(self, at: float, minute: int, days: Sequence[int]) -> list[float]:
        """Return the times of a minute of the day, these numbers of days after the day of `at`."""
        zone = ZoneInfo(self.zone)
        today = datetime.fromtimestamp(at, zone).date()
        clock = time(minute // 60, minute % 60, tzinfo=zone)
        return [datetime.combine(today + timedelta(days=day), clock).timestamp() for day in days]


class Preferences(Struct, frozen=True):
    """What a person wants to hear on a channel, and when."""

    turns: bool = True
    reminder_hours: float = 0.0
    """How long before the deadline a reminder comes; 0 for none."""
    digest_minutes: float = 0.0
    """How long turns are collected for one message; 0 sends each when it comes."""
    quiet: Quiet | None = None


class Item(Struct, frozen=True):
    """One piece of news that is not finished."""

    kind: NewsKind
    game: str
    number: int
    due: float
    is_begun: bool = False
    """Whether it belongs to a message that has been tried."""


def is_zone(name: str) -> bool:
    """Return whether a time zone is known."""
    return name in available_timezones()


def reminder_time(preferences: Preferences, deadline: float, now: float) -> float:
    """Return when to remind of a deadline."""
    due = deadline - preferences.reminder_hours * HOUR_SECONDS
    quiet = preferences.quiet
    if quiet is None or not quiet.covers(due):
        return due
    end, begin = quiet.end_after(due), quiet.begin_before(due)
    return end if end < deadline or now >= begin else begin - LEAD_SECONDS


def turns_time(preferences: Preferences, first: float, last_sent: float) -> float:
    """Return when to send a message about turns, the first of which began at this time."""
    at = max(first + preferences.digest_minutes * 60, last_sent + PAUSE_SECONDS)
    return preferences.quiet.end_after(at) if preferences.quiet and preferences.quiet.covers(at) else at


def send_time(preferences: Preferences, items: Sequence[Item], last_sent: float) -> float | None:
    """Return when the next message with some of these items is due; None without items.

    The due times of reminders are those of `reminder_time`; requests to confirm and tests were asked for just now.
    """
    times = [item.due for item in items if item.kind != "turn"]
    if turns := [item.due for item in items if item.kind == "turn"]:
        times.append(turns_time(preferences, min(turns), last_sent))
    return min(times, default=None)


def back_off(attempts: int, retry_after: float | None = None) -> float:
    """Return the pause after this many failed attempts; a receiver may ask for a longer one.

    >>> [back_off(attempts) for attempts in (1, 2, 9)], back_off(1, 60)
    ([10.0, 30.0, 10800.0], 60)
    """
    usual = BACK_OFF_SECONDS[min(attempts, len(BACK_OFF_SECONDS)) - 1]
    return max(usual, min(retry_after or 0.0, LONGEST_RETRY_AFTER_SECONDS))
