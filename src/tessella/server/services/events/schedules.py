"""Events that repeat every week: the host's, and those of clubs.

The next event of a schedule can be entered for a whole week: it is made when the one before starts. Its id follows from
the schedule and the time, so several workers make it once; after an outage only the one that is still to come is made.
"""

from datetime import UTC, datetime, timedelta

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import delete, insert, select, update

from tessella.server.services.events.entries import MOST_BOTS, MOST_ENTRANTS, Terms, making, require_sense
from tessella.server.store import Row, Store
from tessella.server.store.schema import clubs, schedules
from tessella.table.ids import fresh_id, scheduled_event_id
from tessella.table.table import Refused

MOST_SCHEDULES = 5
MOST_SCHEDULES_OF_HOST = 50
MOST_AT_ONCE = 20
"""Schedules that a worker looks at in one sweep."""

DAY_MINUTES = 24 * 60
WEEK = timedelta(days=7)


class Schedule(Struct, frozen=True):
    """An event that repeats every week; `weekday` 0 is Monday, `minute` counts from midnight, in UTC."""

    id: str
    club: str
    """Empty: it is the host's."""
    terms: Terms
    weekday: int
    minute: int
    due: float
    """When the next event is made."""


def next_time(weekday: int, minute: int, now: float) -> float:
    """Return the first time after now on this weekday at this minute of the day, in UTC.

    >>> datetime.fromtimestamp(next_time(0, 19 * 60, 0.0), UTC).strftime("%A %d %B %Y %H:%M")
    'Monday 05 January 1970 19:00'
    """
    present = datetime.fromtimestamp(now, UTC)
    monday = (present - timedelta(days=present.weekday())).replace(hour=0, minute=0, second=0, microsecond=0)
    found = monday + timedelta(days=weekday, minutes=minute)
    return (found if found > present else found + WEEK).timestamp()


async def add_schedule(store: Store, terms: Terms, weekday: int, minute: int) -> str:
    """Add a schedule, of the club of the terms or of the host, and return its id; raise `Refused`."""
    require_sense(terms, most_bots=MOST_BOTS if terms.club else MOST_ENTRANTS)
    most = MOST_SCHEDULES if terms.club else MOST_SCHEDULES_OF_HOST
    if len(await list_schedules(store, terms.club)) >= most:
        raise Refused("schedules", f"there are {most} schedules already: end one first")
    schedule_id, now = fresh_id(), await store.now()
    same = {"id": schedule_id, "club": terms.club, "weekday": weekday, "minute": minute, "made": now, "due": now}
    await store.run(insert(schedules).values({**same, "terms": msgspec.json.encode(terms).decode()}))
    return schedule_id


async def end_schedule(store: Store, schedule_id: str, club: str = "") -> bool:
    """End a schedule and return whether there was one; the event that it has made stays."""
    here = (schedules.c.id == schedule_id) & (schedules.c.club == club)
    return bool(await store.run(delete(schedules).where(here).returning(schedules.c.id)))


async def list_schedules(store: Store, club: str = "") -> list[Schedule]:
    """Return the schedules of a club, or of the host, in the order of the week."""
    of_club = select(schedules).where(schedules.c.club == club)
    rows = await store.run(of_club.order_by(schedules.c.weekday, schedules.c.minute, schedules.c.id))
    return [_schedule(row) for row in rows]


def _schedule(row: Row) -> Schedule:
    terms = msgspec.json.decode(row["terms"], type=Terms)
    return Schedule(row["id"], row["club"], terms, row["weekday"], row["minute"], row["due"])


async def make_due(store: Store) -> int:
    """Make the next event of every schedule that is due; return how many schedules were."""
    now = await store.now()
    due = select(schedules).where(schedules.c.due <= now).order_by(schedules.c.due).limit(MOST_AT_ONCE)
    found = [_schedule(row) for row in await store.run(due)]
    for schedule in found:
        await _make(store, schedule, now)
    return len(found)


async def _make(store: Store, schedule: Schedule, now: float) -> None:
    starts = next_time(schedule.weekday, schedule.minute, now)
    owners = await store.run(select(clubs.c.owner).where(clubs.c.id == schedule.club)) if schedule.club else []
    creator = str(owners[0]["owner"]) if owners else ""
    event_id = scheduled_event_id(schedule.id, starts)
    later = update(schedules).where(schedules.c.id == schedule.id, schedules.c.due < starts).values(due=starts)
    await store.run(*making(event_id, replace(schedule.terms, starts=starts), creator, now), later)
