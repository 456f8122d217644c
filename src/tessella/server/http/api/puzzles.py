"""Puzzles: the list, the daily one, previews of moves, and the check of an answer."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from msgspec import Meta, Struct

from tessella.coach.puzzles.puzzle import Puzzle, shipped
from tessella.coach.puzzles.views import (
    PuzzleAnswered,
    PuzzlesListed,
    PuzzleView,
    check_answer,
    list_puzzles,
    preview_move,
    puzzle_of,
    see_puzzle,
)
from tessella.protocol.messages import PreviewReply
from tessella.server.http.api.routes import Answer, Problem, Request, Route


class AnswerBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A move in notation, or nothing to ask for the solution."""

    move: Annotated[str, Meta(max_length=40)] = ""


async def get_puzzles(request: Request) -> Answer:  # noqa: ARG001
    """List all puzzles, the easiest first."""
    return Answer(list_puzzles())


async def get_daily_puzzle(request: Request) -> Answer:
    """Return the puzzle of today (UTC), of one game if a title is given."""
    found = puzzle_of(datetime.fromtimestamp(request.host.clock(), UTC).date(), request.query.get("title", ""))
    if found is None:
        raise Problem(404, "title", "there are no puzzles for a game of this title")
    return Answer(found)


async def get_puzzle(request: Request) -> Answer:
    """Return a puzzle."""
    return Answer(see_puzzle(_find(request)))


async def get_preview(request: Request) -> Answer:
    """Preview a move, as at a table: where the pieces go and what that scores, not whether it is the best."""
    return Answer(preview_move(_find(request), request.query.get("move", "")))


async def post_answer(request: Request) -> Answer:
    """Check a move, or return the solution if no move is given."""
    found = check_answer(_find(request), request.body.move)
    if found is None:
        raise Problem(422, "move", "there is no such move in this position")
    return Answer(found)


def _find(request: Request) -> Puzzle:
    puzzle = shipped().get(request.path["id"])
    if puzzle is None:
        raise Problem(404, "puzzle", "there is no such puzzle")
    return puzzle


ROUTES: Sequence[Route] = (
    Route("GET", "/api/puzzles", get_puzzles, PuzzlesListed),
    Route("GET", "/api/puzzles/daily", get_daily_puzzle, PuzzleView, query=("title",)),
    Route("GET", "/api/puzzles/{id}", get_puzzle, PuzzleView),
    Route("POST", "/api/puzzles/{id}/answer", post_answer, PuzzleAnswered, AnswerBody),
    Route("GET", "/api/puzzles/{id}/preview", get_preview, PreviewReply, query=("move",)),
)
