"""Daily deals: those of today, your one try, and the table of a deal."""

import re
from collections.abc import Sequence
from datetime import date

from tessella.core.game import Public
from tessella.games import GAMES
from tessella.server.http.api.games import room_for
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.people.identity import Person
from tessella.server.rooms.daily import Deal, begin_try, day_at, find_try
from tessella.server.services.dailies import DailyDeals, DailyTable, deals_at, table_of

FIRST_DAY = date(2026, 1, 1)


class DailyBegun(Public, frozen=True):
    """The table of your try."""

    id: str


async def get_deals(request: Request) -> Answer:
    """Return the daily deals of today (UTC), with your tries."""
    return Answer(await deals_at(request.host.store, request.host.clock(), _person(request)))


async def get_table(request: Request) -> Answer:
    """Return how everybody fared at a daily deal; before you have finished your own try only how many have."""
    deal, now = find_deal(request), request.host.clock()
    return Answer(await table_of(request.host.store, deal, now, _person(request)))


async def post_try(request: Request) -> Answer:
    """Begin your one try at a deal of today, or return to it."""
    person, deal = request.person, find_deal(request)
    if person.kind == "bot":
        raise Problem(403, "bot", "a bot account cannot play the daily deals")
    found = await find_try(request.host.store, deal, person)
    if found is None and deal.day != day_at(request.host.clock()):
        raise Problem(409, "closed", "the deals of this day can no longer be begun")
    if found and (room := await request.host.room(found["game"])) and room.table.started:
        return Answer(DailyBegun(room.table.id), 201)
    async with room_for(request, tables=1, listed=False) as origin:
        room = await begin_try(request.host, deal, person, origin)
    return Answer(DailyBegun(room.table.id), 201)


def find_deal(request: Request) -> Deal:
    """Return the deal in the path; raise `Problem` if there is none, or not yet."""
    deal = read_deal(request.path["title"], request.path["day"], request.host.clock())
    if deal is None:
        raise Problem(404, "daily", "there is no such daily deal")
    return deal


def read_deal(title: str, day: str, now: float) -> Deal | None:
    """Return the deal of a game on a day; None if there is none, or not yet."""
    if title not in GAMES or not re.fullmatch(r"\d{4}-\d\d-\d\d", day, re.ASCII):
        return None
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return None
    return Deal(title, found) if FIRST_DAY <= found <= day_at(now) else None


def _person(request: Request) -> Person | None:
    return request.caller.person if request.caller else None


ROUTES: Sequence[Route] = (
    Route("GET", "/api/daily", get_deals, DailyDeals),
    Route("GET", "/api/daily/{day}/{title}", get_table, DailyTable),
    Route("POST", "/api/daily/{day}/{title}", post_try, DailyBegun, status=201),
)
