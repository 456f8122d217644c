"""Duplicate matches."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from tessella.core.game import Public
from tessella.server.api.games import GameBody, Invitation, PaceBody, read_rules_of
from tessella.server.api.routes import Answer, Problem, Request, Route
from tessella.server.match import MatchSeen, find_match, open_match, see_match
from tessella.server.opening import invite, sit_bot


class MatchBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A match: how many tables, and what each is like; every seat is free or a bot's."""

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
    """Set several tables with the same dice."""
    if request.person.kind == "bot":
        raise Problem(403, "bot", "a match is opened by a person")
    body: MatchBody = request.body
    if any(seat.kind == "me" for seat in body.table.seats):
        raise Problem(422, "seats", "in a match every seat is open or a bot's: take one of the invitations")
    pace: PaceBody = body.table.pace
    match = await open_match(request.host, read_rules_of(body.table), pace.pace(), body.tables)
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
    """Show a match; how players compare is told when all its tables are done."""
    match = await find_match(request.host, request.path["id"])
    if match is None:
        raise Problem(404, "match", "there is no such match")
    return Answer(see_match(match))


ROUTES: Sequence[Route] = (
    Route("POST", "/api/matches", post_match, MatchMade, MatchBody, status=201),
    Route("GET", "/api/matches/{id}", get_match, MatchSeen),
)
