"""What the coach says of finished games: ask for it, and come back for it."""

from collections.abc import Sequence

from tessella.core import record
from tessella.core.game import BadNotation, Over
from tessella.core.record import Record
from tessella.games import GAMES
from tessella.server.api.games import find_room
from tessella.server.api.replays import RecordBody, in_peace, read_record
from tessella.server.api.routes import Answer, Problem, Request, Route
from tessella.server.match import show_dice
from tessella.server.reviews import Busy, ReviewSeen, ask_for_review, find_review, record_id


async def post_review_of_game(request: Request) -> Answer:
    """Ask the coach to look at a finished game; nobody gets advice on a game that is being played."""
    _ = request.person
    room = await find_room(request)
    if room.table.status != "over":
        raise Problem(403, "running", "the coach looks at a game when it is over")
    if not await show_dice(request.host, room):
        raise Problem(403, "match", "the coach looks at a game when all tables of the match are over")
    if not room.table.acts:
        raise Problem(409, "nothing", "nothing was played at this table")
    return await _ask(request, room.table.id, room.table.record())


async def post_review(request: Request) -> Answer:
    """Ask the coach to look at the game in a record, which must be over."""
    _ = request.person
    whole = await in_peace(lambda: _finished(read_record(request.body.record)))
    return await _ask(request, record_id(whole), whole)


def _finished(whole: Record) -> Record:
    game = GAMES[whole.game]
    steps = list(record.replay(game, whole))
    if not steps or not isinstance(game.turn(steps[-1].after), Over):
        raise BadNotation("the coach looks at a game when it is over")
    return whole


async def _ask(request: Request, review_id: str, whole: Record) -> Answer:
    try:
        return Answer(await ask_for_review(request.host.store, review_id, whole), 202)
    except Busy:
        raise Problem(429, "busy", "many games wait for the coach; try again later", 60) from None


async def get_review(request: Request) -> Answer:
    """Say how far a review is, and what it found when it is done."""
    found = await find_review(request.host.store, request.path["id"])
    if found is None:
        raise Problem(404, "review", "nobody has asked for this review")
    return Answer(found)


async def get_review_of_game(request: Request) -> Answer:
    """Say how far the review of a game is, and what it found when it is done."""
    return await get_review(request)


ROUTES: Sequence[Route] = (
    Route("POST", "/api/games/{id}/review", post_review_of_game, ReviewSeen, status=202, costly=True),
    Route("GET", "/api/games/{id}/review", get_review_of_game, ReviewSeen),
    Route("POST", "/api/reviews", post_review, ReviewSeen, RecordBody, status=202, costly=True),
    Route("GET", "/api/reviews/{id}", get_review, ReviewSeen),
)
