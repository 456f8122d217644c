"""Tournaments and leagues: list, create, enter, leave, start, cancel, and see how they stand."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace
from sqlalchemy import ColumnElement, func, or_, select

from tessella.core.game import Public
from tessella.server.http.api.games import GameBody, PaceBody, SeatBody, read_rules_of
from tessella.server.http.api.people import Done
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.people.identity import clean_name
from tessella.server.services.clubs.membership import find_club
from tessella.server.services.events import entries
from tessella.server.services.events.reading import Event, find, list_events
from tessella.server.services.events.views import EventView, EventViews, version_of
from tessella.server.store.schema import club_members, clubs, event_entrants, events
from tessella.table.log import Days, Live
from tessella.table.table import Refused

MOST_LISTED = 50
MOST_PAST_LISTED = 20
LONGEST_EVENT_NAME = 40
MOST_MINUTES = 60 * 24 * 90

_VIEWS = EventViews()


class EventTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of events, which need a clock."""

    name: Annotated[str, Meta(max_length=200)]
    title: Annotated[str, Meta(max_length=20)]
    format: Literal["round-robin", "swiss", "knockout"]
    seats: Annotated[int, Meta(ge=2, le=5)] = 2
    options: dict[Annotated[str, Meta(max_length=30)], Annotated[str, Meta(max_length=100)]] = msgspec.field(
        default_factory=dict[str, str]
    )
    pace: PaceBody = PaceBody(bank=600, increment=10)
    rounds: Annotated[int, Meta(ge=0, le=15)] = 0
    """0: as many as the field needs."""
    duplicate: bool = False
    fill: Literal["bot", "bye"] = "bye"
    most: int = 24
    members: bool = False
    """Whether only members may enter."""
    bots: Annotated[int, Meta(ge=0, le=entries.MOST_BOTS)] = 0
    level: Annotated[str, Meta(max_length=20)] = "1"


class EventBody(EventTerms, frozen=True, forbid_unknown_fields=True):
    """A new event; it starts after some minutes."""

    minutes: Annotated[float, Meta(ge=0, le=MOST_MINUTES)] = 60
    club: Annotated[str, Meta(max_length=20, pattern="^[a-z0-9]*$")] = ""
    """Your club whose members may enter; empty: everybody may."""


class EventMade(Public, frozen=True):
    """The new event."""

    id: str


class EventListed(Public, frozen=True):
    """An event in a list."""

    id: str
    name: str
    title: str
    format: str
    duplicate: bool
    seats: int
    state: str
    round: int
    rounds: int
    starts: float
    entrants: int
    most: int
    pace: str
    entered: bool
    """Whether you take part."""
    club: str = ""
    """The name of its club."""


class EventsListed(Public, frozen=True):
    """Events that can be entered or run now, the next first; then the latest that are over."""

    events: tuple[EventListed, ...]


class EventVersion(Public, frozen=True):
    """A text that changes whenever the event does."""

    version: str


async def get_events(request: Request) -> Answer:
    """List the events that are open or run, and the latest that are over."""
    store, seen = request.host.store, _is_seen(request)
    now = await list_events(store, events.c.state.in_(("open", "running")) & seen, MOST_LISTED, events.c.starts)
    past = await list_events(store, (events.c.state == "over") & seen, MOST_PAST_LISTED, events.c.starts.desc())
    return Answer(EventsListed(await see_listed(request, [*now, *past])))


def _is_seen(request: Request) -> ColumnElement[bool]:
    """Return the condition for events that the caller sees: those of a closed club are for its members."""
    ids = request.caller.person.ids if request.caller else ()
    mine = select(club_members.c.club).where(club_members.c.person.in_(ids))
    opened = select(clubs.c.id).where(clubs.c.is_open)
    return or_(events.c.club == "", events.c.club.in_(opened), events.c.club.in_(mine))


async def see_listed(request: Request, found: Sequence[Event]) -> tuple[EventListed, ...]:
    """Return events as the caller sees them in a list."""
    store = request.host.store
    here = event_entrants.c.event.in_([event.id for event in found])
    counted = select(event_entrants.c.event, func.count().label("count")).where(here).group_by(event_entrants.c.event)
    counts = {row["event"]: row["count"] for row in await store.run(counted)}
    ids = request.caller.person.ids if request.caller else ()
    mine = select(event_entrants.c.event).where(here, event_entrants.c.person.in_(ids))
    entered = {row["event"] for row in await store.run(mine)} if ids else set[str]()
    named = await store.run(select(clubs.c.id, clubs.c.name).where(clubs.c.id.in_({event.club for event in found})))
    names = {row["id"]: row["name"] for row in named}
    return tuple(
        _listed(event, counts.get(event.id, 0), names.get(event.club, ""), entered=event.id in entered)
        for event in found
    )


def _listed(event: Event, count: int, club: str, *, entered: bool) -> EventListed:
    same = ("id", "name", "title", "format", "duplicate", "seats", "state", "round", "rounds", "starts", "most")
    pace = "days" if isinstance(event.clocks, Days) else "live"
    about = {name: getattr(event, name) for name in same}
    return EventListed(**about, entrants=count, pace=pace, entered=entered, club=club)


async def post_event(request: Request) -> Answer:
    """Create an event, as a member."""
    body: EventBody = request.body
    if request.person.kind != "member":
        raise Problem(403, "members", "only members can create events: log in first")
    store = request.host.store
    if body.club:
        await _require_owner(request, body.club)
    with answering():
        terms = read_terms(body, await store.now() + 60 * body.minutes, body.club)
        return Answer(EventMade(await entries.create(store, terms, request.person)), 201)


async def _require_owner(request: Request, club_id: str) -> None:
    club = await find_club(request.host.store, club_id)
    if club is None or club.owner not in request.person.ids:
        raise Problem(403, "owner", "only the owner of a club can make events of it")


def read_terms(body: EventTerms, starts: float, club: str) -> entries.Terms:
    """Return the terms of a request; raise `Problem`."""
    pace = body.pace.pace()
    if pace is None:
        raise Problem(422, "pace", "an event needs a clock: give `bank` or `days`")
    assert isinstance(pace, Live | Days)
    try:
        name = clean_name(body.name, LONGEST_EVENT_NAME)
    except ValueError as exc:
        raise Problem(422, "name", str(exc)) from None
    rules = read_rules_of(GameBody(body.title, (SeatBody(),) * body.seats, body.options))
    same = ("format", "seats", "rounds", "duplicate", "fill", "most", "members", "bots", "level")
    more = {name: getattr(body, name) for name in same}
    return entries.Terms(name=name, rules=rules, pace=pace, starts=starts, club=club, **more)


@contextmanager
def answering() -> Generator[None]:
    """Turn `Refused` into an error."""
    try:
        yield
    except Refused as exc:
        status = 422 if exc.rule in ("duplicate", "bots", "level", "most") else 409
        raise Problem(403 if exc.rule in ("members", "bot", "club") else status, exc.rule, exc.message) from None


async def _find(request: Request) -> Event:
    event = await find(request.host.store, request.path["id"])
    if event is None:
        raise Problem(404, "event", "there is no such event")
    return event


async def get_event(request: Request) -> Answer:
    """Return an event: its entrants, its rounds, its standings."""
    event = await _find(request)
    view, entrants = await _VIEWS.view(request.host.store, event)
    ids = request.caller.person.ids if request.caller else ()
    me = next((number for number, each in enumerate(entrants) if each in ids), None)
    club = await find_club(request.host.store, event.club) if event.club else None
    about = {"club": club.id, "club_name": club.name} if club else {}
    return Answer(replace(view, me=me, mine=bool(event.creator) and event.creator in ids, **about))


async def get_event_version(request: Request) -> Answer:
    """Return a short text that changes whenever the event does; poll this, not the event."""
    return Answer(EventVersion(await version_of(request.host.store, await _find(request))))


async def post_entry(request: Request) -> Answer:
    """Enter an event, or come back to it."""
    event, person = await _find(request), request.person
    with answering():
        await entries.enter(request.host.store, event, person)
    return Answer(Done(1))


async def delete_entry(request: Request) -> Answer:
    """Leave an event; a game that runs is not left by this."""
    event, person = await _find(request), request.person
    await entries.leave(request.host.store, event, person)
    return Answer(Done(1))


async def post_event_start(request: Request) -> Answer:
    """Let an event that you made begin at once."""
    event = await _find_mine(request)
    with answering():
        await entries.start_now(request.host.store, event)
    return Answer(Done(1))


async def delete_event(request: Request) -> Answer:
    """Cancel an event that you made, before it starts."""
    event = await _find_mine(request)
    with answering():
        await entries.cancel(request.host.store, event)
    return Answer(Done(1))


async def _find_mine(request: Request) -> Event:
    event, person = await _find(request), request.person
    if not event.creator or event.creator not in person.ids:
        raise Problem(403, "creator", "only the member who made this event can do that")
    return event


ROUTES: Sequence[Route] = (
    Route("GET", "/api/events", get_events, EventsListed),
    Route("POST", "/api/events", post_event, EventMade, EventBody, status=201),
    Route("GET", "/api/events/{id}", get_event, EventView),
    Route("DELETE", "/api/events/{id}", delete_event, Done),
    Route("GET", "/api/events/{id}/version", get_event_version, EventVersion),
    Route("POST", "/api/events/{id}/entry", post_entry, Done),
    Route("DELETE", "/api/events/{id}/entry", delete_entry, Done),
    Route("POST", "/api/events/{id}/start", post_event_start, Done),
)
