"""Events of the host: list them, put one, a series or a weekly one on the schedule, cancel one."""

from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from tessella.core import record
from tessella.core.game import BadNotation
from tessella.events import Format
from tessella.games import GAMES
from tessella.server.people.identity import clean_name
from tessella.server.services.events import entries, schedules
from tessella.server.services.events.reading import find, list_events
from tessella.server.store import Store
from tessella.server.store.schema import events
from tessella.table.log import Days, Live
from tessella.table.table import Refused

MOST_LISTED = 100
MOST_IN_SERIES = 60
LONGEST_NAME = 40
DAY_SECONDS = 86_400.0
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class Line(Struct, frozen=True):
    """An event in a list."""

    id: str
    name: str
    title: str
    format: str
    state: str
    starts: float
    round: int
    rounds: int


class Series(Struct, frozen=True):
    """Events with the same terms, `count` of them, one every `every_days` days."""

    name: str
    title: str
    format: Format
    seats: int
    rounds: int
    starts: datetime
    duplicate: bool = False
    fill: str = "bot"
    most: int = 64
    days: float | None = None
    """Days per move; None: 15 minutes and 10 seconds per move."""
    bots: int = 0
    count: int = 1
    every_days: float = 7.0
    weekly: str = ""
    """A weekday and a time in UTC, such as `monday 19:00`: the event repeats every week instead."""


class WeeklyLine(Struct, frozen=True):
    """A weekly event in a list; `time` is in UTC."""

    schedule: str
    name: str
    weekday: str
    time: str


async def list_weekly(store: Store) -> list[WeeklyLine]:
    """Return the weekly events of the host."""
    return [
        WeeklyLine(each.id, each.terms.name, WEEKDAYS[each.weekday], f"{each.minute // 60:02}:{each.minute % 60:02}")
        for each in await schedules.list_schedules(store)
    ]


async def end_weekly(store: Store, schedule_id: str) -> None:
    """End a weekly event; raise ValueError."""
    if not await schedules.end_schedule(store, schedule_id):
        raise ValueError(f"the host has no weekly event {schedule_id}")


def read_weekly(text: str) -> tuple[int, int]:
    """Return the weekday and the minute of the day of a text such as `monday 19:00`; raise ValueError.

    >>> read_weekly("Monday 19:00")
    (0, 1140)
    """
    day, _, time = text.casefold().partition(" ")
    try:
        moment = datetime.strptime(time, "%H:%M")
        return WEEKDAYS.index(day), moment.hour * 60 + moment.minute
    except ValueError:
        raise ValueError(f"{text!r} is not a weekday and a time in UTC, such as 'monday 19:00'") from None


async def list_all(store: Store) -> list[Line]:
    """Return the events that are open or running."""
    found = await list_events(store, events.c.state.in_(("open", "running")), MOST_LISTED, events.c.starts)
    return [Line(**{name: getattr(event, name) for name in Line.__struct_fields__}) for event in found]


async def schedule(store: Store, series: Series) -> list[str]:
    """Create events, or a schedule that makes one every week, and return the ids; raise ValueError."""
    if series.title not in GAMES:
        raise ValueError(f"there is no game {series.title!r}; the games are {', '.join(GAMES)}")
    if not 1 <= series.count <= MOST_IN_SERIES:
        raise ValueError(f"a series has 1 to {MOST_IN_SERIES} events, not {series.count}")
    game = GAMES[series.title]
    pace = Live(900, 10) if series.days is None else Days(series.days)
    same = {name: getattr(series, name) for name in ("format", "seats", "rounds", "duplicate", "fill", "most", "bots")}
    made: list[str] = []
    try:
        rules = record.write_rules(game, record.read_options(game, [f"seats={series.seats}"]))
        name = clean_name(series.name, LONGEST_NAME)
        terms = entries.Terms(name=name, rules=rules, pace=pace, starts=series.starts.timestamp(), **same)
        if series.weekly:
            return [await schedules.add_schedule(store, terms, *read_weekly(series.weekly))]
        for number in range(series.count):
            starts = terms.starts + number * series.every_days * DAY_SECONDS
            made.append(await entries.create(store, replace(terms, starts=starts)))
    except (Refused, BadNotation) as exc:
        raise ValueError(str(exc)) from None
    return made


async def cancel(store: Store, event_id: str) -> None:
    """Cancel an event that has not started; raise ValueError."""
    event = await find(store, event_id)
    if event is None:
        raise ValueError(f"there is no event {event_id}")
    try:
        await entries.cancel(store, event)
    except Refused as exc:
        raise ValueError(exc.message) from None
