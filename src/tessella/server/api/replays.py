"""Games to be watched again: those that ended here, and those that somebody brings.

A game in a link is asked for with GET, for it holds nobody's name and never changes: browsers may keep the answer. The
link itself carries the game behind a `#`, so that a page is asked for by the same address whatever game is watched.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from tessella.core import record, short
from tessella.core.game import BadNotation, Seat
from tessella.games import GAMES
from tessella.server.api.games import find_room
from tessella.server.api.routes import Answer, Problem, Request, Route
from tessella.server.match import show_dice
from tessella.server.past import read_past
from tessella.server.replays import ReplaySeen, game_named, replay_past, replay_record

T = TypeVar("T")


class RecordBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A record, as it is written in a file."""

    record: Annotated[str, Meta(max_length=8_000)]


async def get_replay_of_game(request: Request) -> Answer:
    """Give a finished game, step by step, as a seat or a spectator saw it."""
    room = await find_room(request)
    if room.table.status != "over":
        raise Problem(403, "running", "a game can be watched again when it is over")
    if not await show_dice(request.host, room):
        raise Problem(403, "match", "a game can be watched again when all tables of the match are over")
    past = await read_past(request.host.store, room.table.id)
    assert past is not None
    return Answer(await in_peace(lambda: replay_past(past, _seat(request))))


async def get_replay(request: Request) -> Answer:
    """Give the game in a link, step by step, as a seat or a spectator saw it."""
    game = game_named(request.path["title"])
    if game is None:
        raise Problem(404, "title", "there is no such game, or not in this edition")
    text = f"{request.path['title']}.{request.path['acts']}"
    return Answer(await in_peace(lambda: replay_record(short.expand(game, text), _seat(request))), keep=True)


async def post_replay(request: Request) -> Answer:
    """Give the game in a record, step by step, as a seat or a spectator saw it."""
    return Answer(await in_peace(lambda: replay_record(read_record(request.body.record), _seat(request))))


def read_record(text: str) -> record.Record:
    """A record of a game that is played here; raises `BadNotation`."""
    whole = record.read(text)
    if whole.game not in GAMES:
        raise BadNotation(f"there is no game {whole.game!r} here")
    return whole


def _seat(request: Request) -> Seat | None:
    text = request.query.get("seat", "")
    if not re.fullmatch("[0-9]?", text):
        raise Problem(422, "seat", "a seat is a digit")
    return int(text) if text else None


async def in_peace(make: Callable[[], T]) -> T:
    """Beside the tables that are being played: a long game takes a tenth of a second."""
    try:
        return await asyncio.to_thread(make)
    except BadNotation as wrong:
        raise Problem(422, "replay", str(wrong)) from None


ROUTES: Sequence[Route] = (
    Route("GET", "/api/games/{id}/replay", get_replay_of_game, ReplaySeen, query=("seat",), costly=True),
    Route("GET", "/api/replay/{title}/{acts}", get_replay, ReplaySeen, query=("seat",), costly=True),
    Route("POST", "/api/replay", post_replay, ReplaySeen, RecordBody, query=("seat",), costly=True),
)
