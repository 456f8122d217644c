"""What everybody may see of an event.

In a duplicate round the outcomes stay hidden until all its games are over: they would help those who still play the
same deals. Entrants are numbered, because the ids of guests are private.
"""

from collections import OrderedDict
from collections.abc import Mapping

from msgspec.structs import replace
from sqlalchemy import func, select

from tessella.core.game import Public
from tessella.events import Entrant, Line, Outcome, RoundPlayed, points_of, standings, tie_breaks_of
from tessella.server.services.events.reading import Event, EventTable, Whole, names_of, read_whole
from tessella.server.store import Store
from tessella.server.store.schema import event_entrants, event_tables, results
from tessella.table.log import Days

MOST_KEPT = 32
"""Views that a worker keeps in memory."""


class EntrantView(Public, frozen=True):
    """A player who takes part; `level` is that of a bot of the server."""

    name: str
    level: str
    first: int
    """The first round in which they play."""
    left: bool
    """Whether they are not paired any more."""


class StandingView(Public, frozen=True):
    """A line of the standings; `entrant` is the number of the entrant, `breaks` are the tie-breaks in their order."""

    entrant: int
    place: int
    points: float
    played: int
    breaks: tuple[float, ...]
    out: int
    """The round in which a knock-out ended for them; 0 if it has not."""


class EventTableView(Public, frozen=True):
    """A table of a round, or a bye, which has no game; a player of -1 is a bot that fills a seat."""

    round: int
    game: str
    players: tuple[int, ...]
    over: bool
    points: tuple[float, ...]
    """By seat; empty while it is not known."""
    scores: tuple[int, ...]


class EventView(Public, frozen=True):
    """An event: its terms, its entrants, its rounds, its standings."""

    id: str
    name: str
    title: str
    rules: str
    format: str
    duplicate: bool
    fill: str
    seats: int
    rounds: int
    most: int
    members: bool
    pace: str
    bank: float
    increment: float
    days: float
    starts: float
    state: str
    round: int
    latest_entry: int
    """The last round before which players may still enter."""
    version: str
    """Changes whenever the event does: see /api/events/{id}/version."""
    tie_breaks: tuple[str, ...]
    entrants: tuple[EntrantView, ...]
    standings: tuple[StandingView, ...]
    tables: tuple[EventTableView, ...]
    me: int | None = None
    """Your number, if you take part."""
    mine: bool = False
    """Whether you made the event."""
    club: str = ""
    """The club whose members may enter; empty: everybody may."""
    club_name: str = ""


async def version_of(store: Store, event: Event) -> str:
    """Return a text that changes whenever the view of an event does."""
    here = event_tables.c.event == event.id
    current = select(event_tables.c.game).where(here, event_tables.c.round == event.round, event_tables.c.game != "")
    done = select(func.count()).select_from(results).where(results.c.game.in_(current)).scalar_subquery()
    there = event_entrants.c.event == event.id
    left = func.coalesce(func.sum(event_entrants.c.last), 0)
    many = select(func.count().label("count"), left.label("left"), done.label("done")).where(there)
    (row,) = await store.run(many.select_from(event_entrants))
    return f"{event.state}-{event.round}-{row['done']}-{row['count']}-{row['left']}-{event.starts:.0f}"


class EventViews:
    """The views of events, computed again only when something has changed."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[EventView, tuple[str, ...]]] = OrderedDict()

    async def view(self, store: Store, event: Event) -> tuple[EventView, tuple[str, ...]]:
        """Return the view of an event, and the ids of the entrants; names are never kept."""
        key = (event.id, await version_of(store, event))
        if key not in self._kept:
            whole = await read_whole(store, event)
            self._kept[key] = _view(whole, key[1]), tuple(each.id for each in whole.entrants)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        view, ids = self._kept[key]
        names = await names_of(store, ids)
        entrants = (replace(each, name=names.get(id_, "")) for each, id_ in zip(view.entrants, ids, strict=True))
        return replace(view, entrants=tuple(entrants)), ids


def _numbers(whole: Whole) -> dict[str, int]:
    return {each.id: number for number, each in enumerate(whole.entrants)} | {"": -1}


def _view(whole: Whole, version: str) -> EventView:
    event, numbers = whole.event, _numbers(whole)
    rounds = [_public(event, played) for played in whole.rounds()]
    known = {
        table.game: outcome
        for number, played in enumerate(rounds, start=1)
        for table, outcome in zip(whole.tables_of(number), played.outcomes, strict=True)
    }
    live, days = (None, event.clocks) if isinstance(event.clocks, Days) else (event.clocks, None)
    same = ("id", "name", "title", "rules", "format", "duplicate", "fill", "seats", "rounds", "most", "members")
    return EventView(
        **{name: getattr(event, name) for name in (*same, "starts", "state", "round", "latest_entry")},
        pace="live" if live else "days",
        bank=live.bank if live else 0,
        increment=live.increment if live else 0,
        days=days.days if days else 0,
        version=version,
        tie_breaks=tie_breaks_of(event.plan),
        entrants=tuple(_entrant(each, event) for each in whole.entrants),
        standings=tuple(_line(line, numbers) for line in standings(event.plan, whole.entrants, rounds)),
        tables=tuple(_table(table, whole, known.get(table.game), numbers) for table in whole.tables),
    )


def _public(event: Event, played: RoundPlayed) -> RoundPlayed:
    """Return a round without the outcomes that would help those who still play."""
    hidden = event.duplicate and not played.is_over
    return replace(played, outcomes=(None,) * len(played.outcomes)) if hidden else played


def _entrant(each: Entrant, event: Event) -> EntrantView:
    level = each.id.split(":")[1] if each.id.startswith("bot:") else ""
    return EntrantView("", level, each.first, not each.plays(max(each.first, event.round + 1)))


def _line(line: Line, numbers: Mapping[str, int]) -> StandingView:
    breaks = tuple(round(float(value), 2) for value in line.breaks)
    return StandingView(numbers[line.id], line.place, line.halves / 2, line.played, breaks, line.out)


def _table(table: EventTable, whole: Whole, known: Outcome | None, numbers: Mapping[str, int]) -> EventTableView:
    players = tuple(numbers.get(each, -1) for each in table.players)
    points = points_of(known, len(players)) if known is not None else ()
    over = not table.game or table.game in whole.outcomes
    scores = known.scores or () if known is not None else ()
    return EventTableView(table.round, table.game, players, over, tuple(half / 2 for half in points), scores)
