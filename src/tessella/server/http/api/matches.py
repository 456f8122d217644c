"""Duplicate matches: several tables with the same dice."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from tessella.core.game import Public
from tessella.server.http.api.games import GameBody, Invitation, PaceBody, read_rules_of, room_for
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.rooms.duplicate import MatchView, find_match, open_match, see_match
from tessella.server.rooms.lifecycle import invite, sit_bot


class MatchBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A match: the number of tables, and the terms of each; every seat is open or a bot."""

    table: GameBody
    tables: Annotated[int, Meta(ge=2, le=16)] = 2


class TableMade(Public, frozen=True):
    """One table of a match and the invitations to it."""

    id: str
    invitations: tuple[Invitation, ...]


class MatchMade(Public, frozen=True):
    """The match and its tables."""

    id: str
    tables: tuple[TableMade, ...]


async def post_match(request: Request) -> Answer:
    """Open several tables with the same dice."""
    if request.person.kind == "bot":
        raise Problem(403, "bot", "a bot account cannot open a match")
    body: MatchBody = request.body
    if any(seat.kind == "me" for seat in body.table.seats):
        raise Problem(422, "seats", "in a match every seat must be open or a bot: use one of the invitations to join")
    pace: PaceBody = body.table.pace
    rules = read_rules_of(body.table)
    async with room_for(request, tables=body.tables, listed=False) as origin:
        match = await open_match(request.host, rules, pace.pace(), body.tables, request.person.id, origin)
    made: list[TableMade] = []
    for room in match.rooms:
        invitations: list[Invitation] = []
        for seat, wanted in enumerate(body.table.seats):
            if wanted.kind == "bot":
                await sit_bot(request.host, room, seat, wanted.level)
            else:
                invitations.append(Invitation(seat, await invite(request.host, room.table.id, seat)))
        made.append(TableMade(room.table.id, tuple(invitations)))
    return Answer(MatchMade(match.id, tuple(made)), 201)


async def get_match(request: Request) -> Answer:
    """Return a match; the comparison of the players follows when all its tables are over."""
    match = await find_match(request.host, request.path["id"])
    if match is None:
        raise Problem(404, "match", "there is no such match")
    return Answer(see_match(match))


ROUTES: Sequence[Route] = (
    Route("POST", "/api/matches", post_match, MatchMade, MatchBody, status=201),
    Route("GET", "/api/matches/{id}", get_match, MatchView),
)
