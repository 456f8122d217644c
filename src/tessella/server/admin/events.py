"""Events of the host: list them, put one or a series of them on the schedule, cancel one."""

from datetime import datetime

from msgspec import Struct

from tessella.core import record
from tessella.core.game import BadNotation
from tessella.events import Format
from tessella.games import GAMES
from tessella.server.people.identity import clean_name
from tessella.server.services.events import entries
from tessella.server.services.events.reading import find, list_events
from tessella.server.store import Store
from tessella.server.store.schema import events
from tessella.table.log import Days, Live
from tessella.table.table import Refused

MOST_LISTED = 100
MOST_IN_SERIES = 60
LONGEST_NAME = 40
DAY_SECONDS = 86_400.0


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


async def list_all(store: Store) -> list[Line]:
    """Return the events that are open or running."""
    found = await list_events(store, events.c.state.in_(("open", "running")), MOST_LISTED, events.c.starts)
    return [Line(**{name: getattr(event, name) for name in Line.__struct_fields__}) for event in found]


async def schedule(store: Store, series: Series) -> list[str]:
    """Create a series of events and return their ids; raise ValueError."""
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
        for number in range(series.count):
            starts = series.starts.timestamp() + number * series.every_days * DAY_SECONDS
            made.append(
                await entries.create(store, entries.Terms(name=name, rules=rules, pace=pace, starts=starts, **same))
            )
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
