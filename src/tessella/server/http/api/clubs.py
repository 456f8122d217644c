"""Clubs: list them, make one, join and leave, its page, its link, its weekly events."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Annotated

from msgspec import Meta, Struct
from sqlalchemy import ColumnElement, func, select

from tessella.core.game import Public
from tessella.server.http.api.events import EventListed, EventTerms, answering, read_terms, see_listed
from tessella.server.http.api.people import Done
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.people.identity import find_person
from tessella.server.services.clubs import membership
from tessella.server.services.clubs.membership import Club, ClubTerms, find_club, is_member, read_club
from tessella.server.services.clubs.standings import ClubStandings, Member
from tessella.server.services.events import schedules
from tessella.server.services.events.reading import list_events
from tessella.server.services.events.schedules import Schedule
from tessella.server.store.schema import OF_A_CLUB, club_members, clubs, events
from tessella.table.table import Refused

MOST_LISTED = 50
MOST_EVENTS_SHOWN = 20
DAY_MINUTES = 24 * 60

_STANDINGS = ClubStandings()


class ClubBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A club: its name, a short text, and whether anyone may join or only those with its link."""

    name: Annotated[str, Meta(max_length=200)]
    about: Annotated[str, Meta(max_length=200)] = ""
    is_open: bool = False


class JoinClubBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret of the link of a club; an open club needs none."""

    secret: Annotated[str, Meta(max_length=100)] = ""


class ScheduleBody(EventTerms, frozen=True, forbid_unknown_fields=True):
    """An event that repeats every week; `weekday` 0 is Monday, `minute` counts from midnight, in UTC."""

    weekday: Annotated[int, Meta(ge=0, le=6)] = 0
    minute: Annotated[int, Meta(ge=0, lt=DAY_MINUTES)] = 19 * 60


class ClubMade(Public, frozen=True):
    """The new club."""

    id: str


class ClubLink(Public, frozen=True):
    """The secret of the new link to a club; it cannot be read again, and the one before is void."""

    secret: str


class ScheduleMade(Public, frozen=True):
    """The new schedule."""

    id: str


class ClubListed(Public, frozen=True):
    """A club in a list."""

    id: str
    name: str
    about: str
    is_open: bool
    members: int
    mine: bool
    """Whether you are a member."""


class ClubsListed(Public, frozen=True):
    """Your clubs, then the newest that anyone may join."""

    clubs: tuple[ClubListed, ...]


class ClubMemberView(Public, frozen=True):
    """A member of a club, and what they won in its latest events."""

    id: str
    name: str
    owner: bool
    events: int
    firsts: int
    points: float


class ScheduleView(Public, frozen=True):
    """An event that repeats every week; `weekday` 0 is Monday, `minute` counts from midnight, in UTC."""

    id: str
    name: str
    title: str
    format: str
    seats: int
    weekday: int
    minute: int


class ClubView(Public, frozen=True):
    """A club; of one that is not open only its members see the members, the events and the schedules."""

    id: str
    name: str
    about: str
    is_open: bool
    count: int
    """How many members it has."""
    owner: str
    owner_name: str
    mine: bool
    """Whether you are a member."""
    own: bool
    """Whether you are the owner."""
    has_link: bool
    """Whether there is a link to join by; only the owner sees it."""
    members: tuple[ClubMemberView, ...]
    events: tuple[EventListed, ...]
    schedules: tuple[ScheduleView, ...]


# Reading


async def get_clubs(request: Request) -> Answer:
    """List your clubs, and the newest that anyone may join."""
    ids = request.caller.person.ids if request.caller else ()
    there = select(club_members.c.club).where(club_members.c.person.in_(ids))
    mine = await _list(request, clubs.c.id.in_(there)) if ids else []
    others = await _list(request, clubs.c.is_open)
    own = {club.id for club in mine}
    found = [*mine, *(club for club in others if club.id not in own)]
    here = club_members.c.club.in_([club.id for club in found])
    counted = select(club_members.c.club, func.count().label("n")).where(here).group_by(club_members.c.club)
    counts = {row["club"]: row["n"] for row in await request.host.store.run(counted)}
    listed = (
        ClubListed(club.id, club.name, club.about, club.is_open, counts.get(club.id, 0), club.id in own)
        for club in found
    )
    return Answer(ClubsListed(tuple(listed)))


async def _list(request: Request, condition: ColumnElement[bool]) -> list[Club]:
    query = select(clubs).where(condition).order_by(clubs.c.made.desc()).limit(MOST_LISTED)
    return [read_club(row) for row in await request.host.store.run(query)]


async def get_club(request: Request) -> Answer:
    """Return a club: its members and how they stand, its events, its schedules."""
    club, store = await _find(request), request.host.store
    person = request.caller.person if request.caller else None
    mine = person is not None and await is_member(store, club.id, person)
    own = person is not None and club.owner in person.ids
    members = await _STANDINGS.members(store, club)
    names = {each.id: each.name for each in members}
    shown = mine or club.is_open
    here = (events.c.club == club.id) & OF_A_CLUB & (events.c.state != "cancelled")
    found = await list_events(store, here, MOST_EVENTS_SHOWN, events.c.starts.desc()) if shown else []
    weekly = await schedules.list_schedules(store, club.id) if shown else []
    return Answer(
        ClubView(
            *(club.id, club.name, club.about, club.is_open, len(members), club.owner, names.get(club.owner, "")),
            *(mine, own, own and bool(club.link)),
            tuple(_see_member(each, club) for each in members) if shown else (),
            await see_listed(request, found),
            tuple(_see_schedule(each) for each in weekly),
        )
    )


def _see_member(each: Member, club: Club) -> ClubMemberView:
    return ClubMemberView(each.id, each.name, each.id == club.owner, each.events, each.firsts, each.points)


def _see_schedule(each: Schedule) -> ScheduleView:
    terms = each.terms
    title = terms.rules.partition("/")[0]
    return ScheduleView(each.id, terms.name, title, terms.format, terms.seats, each.weekday, each.minute)


async def _find(request: Request) -> Club:
    club = await find_club(request.host.store, request.path["id"])
    if club is None:
        raise Problem(404, "club", "there is no such club")
    return club


async def _find_own(request: Request) -> Club:
    """Return the club in the path; raise `Problem` unless the caller owns it."""
    club = await _find(request)
    if club.owner not in request.person.ids:
        raise Problem(403, "owner", "only the owner of this club can do that")
    return club


# Making and changing


@contextmanager
def _answering_club() -> Generator[None]:
    """Turn `Refused` into an error, and ValueError (a bad name or text) into 422."""
    try:
        yield
    except Refused as exc:
        raise Problem(403 if exc.rule in ("members", "link", "blocked") else 409, exc.rule, exc.message) from None
    except ValueError as exc:
        raise Problem(422, "name", str(exc)) from None


def _terms(body: ClubBody) -> ClubTerms:
    return ClubTerms(body.name, body.about, body.is_open)


async def post_club(request: Request) -> Answer:
    """Make a club, as a member."""
    if request.person.kind != "member":
        raise Problem(403, "members", "only members can make clubs: log in first")
    with _answering_club():
        made = await membership.create_club(request.host.store, _terms(request.body), request.person)
    return Answer(ClubMade(made), 201)


async def post_club_change(request: Request) -> Answer:
    """Change the name and the text of your club, and whether anyone may join."""
    club = await _find_own(request)
    with _answering_club():
        await membership.change_club(request.host.store, club, _terms(request.body))
    return Answer(Done(1))


async def post_club_link(request: Request) -> Answer:
    """Make a new link to join your club by; the one before is void."""
    club = await _find_own(request)
    return Answer(ClubLink(await membership.new_link(request.host.store, club)), 201)


async def post_club_member(request: Request) -> Answer:
    """Join a club: an open one, or by its link."""
    club, person = await _find(request), request.person
    with _answering_club():
        await membership.join(request.host.store, club, person, request.body.secret)
    return Answer(Done(1))


async def delete_club_member(request: Request) -> Answer:
    """Leave a club, or remove a member from your own; an owner who leaves passes it to the longest-standing member."""
    person, club, store = request.person, await _find(request), request.host.store
    other = request.path["person"]
    if other in person.ids:
        await membership.leave_club(store, club.id, person.ids)
        return Answer(Done(1))
    await _find_own(request)
    found = await find_person(store, other)
    if found is None or not await is_member(store, club.id, found):
        raise Problem(404, "person", "there is no such member")
    await membership.leave_club(store, club.id, found.ids)
    return Answer(Done(1))


async def post_schedule(request: Request) -> Answer:
    """Let an event of your club repeat every week."""
    club, body = await _find_own(request), request.body
    with answering():
        terms = read_terms(body, 0.0, club.id)
        made = await schedules.add_schedule(request.host.store, terms, body.weekday, body.minute)
    return Answer(ScheduleMade(made), 201)


async def delete_schedule(request: Request) -> Answer:
    """End a weekly event of your club; one that has been made already stays."""
    club = await _find_own(request)
    if not await schedules.end_schedule(request.host.store, request.path["schedule"], club.id):
        raise Problem(404, "schedule", "there is no such schedule")
    return Answer(Done(1))


ROUTES: Sequence[Route] = (
    Route("GET", "/api/clubs", get_clubs, ClubsListed),
    Route("POST", "/api/clubs", post_club, ClubMade, ClubBody, status=201),
    Route("GET", "/api/clubs/{id}", get_club, ClubView),
    Route("POST", "/api/clubs/{id}", post_club_change, Done, ClubBody),
    Route("POST", "/api/clubs/{id}/link", post_club_link, ClubLink, status=201),
    Route("POST", "/api/clubs/{id}/members", post_club_member, Done, JoinClubBody, guess=True),
    Route("DELETE", "/api/clubs/{id}/members/{person}", delete_club_member, Done),
    Route("POST", "/api/clubs/{id}/schedules", post_schedule, ScheduleMade, ScheduleBody, status=201),
    Route("DELETE", "/api/clubs/{id}/schedules/{schedule}", delete_schedule, Done),
)
