"""Replays of games that ended here, of games in links, and of uploaded records.

A game in a link is requested with GET: it has no names and never changes, so browsers may cache the answer. The link
itself carries the game behind a `#`, so that the page has the same address for every game.
"""

import re
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from tessella.core.game import Seat
from tessella.server.http.api.games import find_room
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.rooms.duplicate import may_study
from tessella.server.rooms.history import read_log
from tessella.server.services import expensive
from tessella.table.replay import ReplayView, game_named


class RecordBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a record."""

    record: Annotated[str, Meta(max_length=8_000)]


async def get_replay_of_game(request: Request) -> Answer:
    """Return a finished game, step by step, as a seat or a spectator saw it."""
    room = await find_room(request)
    if not room.table.is_public:
        raise Problem(403, "running", "the game is not over; only finished games can be replayed")
    if not await may_study(request.host, room, request.caller.person.ids if request.caller else ()):
        raise Problem(403, "match", "other tables of the match are not over; its games can be replayed when all are")
    log = await read_log(request.host.store, room.table.id)
    return Answer(await request.expensive(expensive.replay_of_game, room.table.id, log, viewer_of(request)))


async def get_replay(request: Request) -> Answer:
    """Return the game in a link, step by step, as a seat or a spectator saw it."""
    title = request.path["title"]
    if game_named(title) is None:
        raise Problem(404, "title", "there is no such game, or not in this edition")
    text = f"{title}.{request.path['acts']}"
    return Answer(await request.expensive(expensive.replay_of_link, title, text, viewer_of(request)), keep=True)


async def post_replay(request: Request) -> Answer:
    """Return the game in a record, step by step, as a seat or a spectator saw it."""
    return Answer(await request.expensive(expensive.replay_of_record, request.body.record, viewer_of(request)))


def viewer_of(request: Request) -> Seat | None:
    """Return the seat whose view was requested; None for a spectator's."""
    text = request.query.get("seat", "")
    if not re.fullmatch("[0-9]?", text):
        raise Problem(422, "seat", "the seat must be one digit")
    return int(text) if text else None


ROUTES: Sequence[Route] = (
    Route("GET", "/api/games/{id}/replay", get_replay_of_game, ReplayView, query=("seat",), expensive=True),
    Route("GET", "/api/replay/{title}/{acts}", get_replay, ReplayView, query=("seat",), expensive=True),
    Route("POST", "/api/replay", post_replay, ReplayView, RecordBody, query=("seat",), expensive=True),
)
