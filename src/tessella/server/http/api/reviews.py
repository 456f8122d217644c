"""Reviews by the coach: request one, and poll for its result."""

from collections.abc import Sequence

from tessella.coach.lines import line_of
from tessella.coach.report import ReviewView
from tessella.coach.review import record_id
from tessella.core.record import Record
from tessella.server.addresses import is_local, subnet_of
from tessella.server.http.api.games import find_room
from tessella.server.http.api.replays import RecordBody, viewer_of
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.people.identity import origin_of
from tessella.server.rooms.daily import player_of_open_deal
from tessella.server.rooms.duplicate import may_study
from tessella.server.services import expensive
from tessella.server.services.reviews import Busy, ask_for_review, find_record, find_review, unfinished
from tessella.table.replay import LineView


async def post_review_of_game(request: Request) -> Answer:
    """Request a review of a finished game; running games are not reviewed."""
    _ = request.person
    room = await find_room(request)
    if not room.table.is_public:
        raise Problem(403, "running", "the game is not over; the coach reviews finished games only")
    if not await may_study(request.host, room, request.person.ids):
        raise Problem(403, "match", "other tables of the match are not over; its games can be reviewed when all are")
    if not room.table.acts:
        raise Problem(409, "nothing", "nothing was played at this table")
    return await _ask(request, room.table.id, room.table.record())


async def post_review(request: Request) -> Answer:
    """Request a review of the game in a record, which must be finished."""
    _ = request.person
    await request.expensive(expensive.check_finished, request.body.record)
    whole = expensive.read_record(request.body.record)
    return await _ask(request, record_id(whole), whole)


async def _ask(request: Request, review_id: str, whole: Record) -> Answer:
    store = request.host.store
    if await find_review(store, review_id) is None and not await _may_wait(request, review_id):
        raise Problem(429, "busy", "too many of your reviews are unfinished; try again when one is done", 60)
    owner = await origin_of(store, request.person, request.address)
    try:
        return Answer(await ask_for_review(store, review_id, whole, owner), 202)
    except Busy:
        raise Problem(429, "busy", "too many reviews are unfinished; try again later", 60) from None


async def _may_wait(request: Request, review_id: str) -> bool:
    """Charge a review to the caller and their address; return whether both are below their limits."""
    limits, address = request.limits, request.address
    charged = [(limits.reviews_per_person, request.person.id)]
    charged += [] if is_local(address) else [(limits.reviews_per_address, subnet_of(address))]
    for outstanding, asker in charged:
        if len(waiting := outstanding.of(asker)) >= outstanding.most:
            outstanding.keep(asker, await unfinished(request.host.store, waiting))
    return all(outstanding.add(asker, review_id) for outstanding, asker in charged)


async def get_review(request: Request) -> Answer:
    """Return the progress of a review, and its report when it is done."""
    found = await find_review(request.host.store, request.path["id"])
    if found is None:
        raise Problem(404, "review", "this review has not been requested")
    await _require_closed(request)
    return Answer(found)


async def _require_closed(request: Request) -> None:
    """Raise `Problem` if the review is of a daily deal that is not closed, and not of the caller's own game."""
    player = await player_of_open_deal(request.host, request.path["id"])
    if player and not (request.caller and player in request.caller.person.ids):
        raise Problem(403, "match", "the daily deal is not closed; its games can be reviewed when it is")


async def get_review_of_game(request: Request) -> Answer:
    """Return the progress of the review of a game, and its report when it is done."""
    return await get_review(request)


async def get_line(request: Request) -> Answer:
    """Return the coach's line instead of a move of a reviewed game, step by step, as a seat or a spectator sees it."""
    review_id, number = request.path["id"], request.path["number"]
    found = await find_review(request.host.store, review_id)
    line = line_of(found.report, int(number)) if found and found.report and number.isdecimal() else ()
    if not line:
        raise Problem(404, "review", "this review has no line for this act")
    await _require_closed(request)
    text = await find_record(request.host.store, review_id)
    return Answer(await request.expensive(expensive.line_of_review, text, int(number), line, viewer_of(request)))


ROUTES: Sequence[Route] = (
    Route("POST", "/api/games/{id}/review", post_review_of_game, ReviewView, status=202, expensive=True),
    Route("GET", "/api/games/{id}/review", get_review_of_game, ReviewView),
    Route("POST", "/api/reviews", post_review, ReviewView, RecordBody, status=202, expensive=True),
    Route("GET", "/api/reviews/{id}", get_review, ReviewView),
    Route("GET", "/api/reviews/{id}/lines/{number}", get_line, LineView, query=("seat",), expensive=True),
)
