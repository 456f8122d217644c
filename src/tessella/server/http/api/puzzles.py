"""Puzzles: the list, the daily one, previews of moves, and the check of an answer."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from tessella.coach.puzzles import Puzzle, daily, shipped
from tessella.core import wire
from tessella.core.game import Public, Seat
from tessella.games import GAMES
from tessella.protocol.messages import PreviewReply
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.table import views


class PuzzleListed(Public, frozen=True):
    """A puzzle in a list. Difficulty is from 1 to 5."""

    id: str
    title: str
    difficulty: int


class PuzzlesListed(Public, frozen=True):
    """All puzzles, the easiest first."""

    puzzles: tuple[PuzzleListed, ...]


class PuzzleView(Public, frozen=True):
    """A position to solve: the view of the seat that is to move, and its legal moves.

    `day` is the date of a daily puzzle, and empty otherwise.
    """

    id: str
    title: str
    rules: str
    seat: Seat
    round: int
    difficulty: int
    view: msgspec.Raw
    moves: tuple[str, ...]
    day: str = ""


class AnswerBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A move in notation, or nothing to ask for the solution."""

    move: Annotated[str, Meta(max_length=40)] = ""


class PuzzleAnswered(Public, frozen=True):
    """Whether a move is the best one, and how much win probability it loses.

    `best` and the line that plays it out are empty until the player has found the solution or asks for it.
    """

    right: bool
    loss: float
    best: str
    line: tuple[str, ...]
    value: float
    margin: float


async def get_puzzles(request: Request) -> Answer:  # noqa: ARG001
    """List all puzzles, the easiest first."""
    listed = [PuzzleListed(puzzle.id, puzzle.title, puzzle.difficulty) for puzzle in shipped().values()]
    return Answer(PuzzlesListed(tuple(sorted(listed, key=lambda puzzle: puzzle.difficulty))))


async def get_daily_puzzle(request: Request) -> Answer:
    """Return the puzzle of today (UTC), of one game if a title is given."""
    title = request.query.get("title", "")
    puzzles = [puzzle for puzzle in shipped().values() if title in ("", puzzle.title)]
    if not puzzles:
        raise Problem(404, "title", "there are no puzzles for a game of this title")
    today = datetime.fromtimestamp(request.host.clock(), UTC).date()
    return Answer(_see(daily(today, puzzles), today.isoformat()))


async def get_puzzle(request: Request) -> Answer:
    """Return a puzzle."""
    return Answer(_see(_find(request)))


async def get_preview(request: Request) -> Answer:
    """Preview a move, as at a table: where the pieces go and what that scores, not whether it is the best."""
    puzzle = _find(request)
    game = GAMES[puzzle.title]
    state = game.read_state(puzzle.position)
    return Answer(views.preview_move(game, state, puzzle.seat, request.query.get("move", "")))


async def post_answer(request: Request) -> Answer:
    """Check a move, or return the solution if no move is given."""
    puzzle, move = _find(request), request.body.move
    if move and move not in puzzle.losses:
        raise Problem(422, "move", "there is no such move in this position")
    loss = puzzle.losses[move] if move else 0.0
    best, line = ("", ()) if loss else (puzzle.best, puzzle.line)
    return Answer(PuzzleAnswered(bool(move) and not loss, loss, best, line, puzzle.value, puzzle.margin))


def _find(request: Request) -> Puzzle:
    puzzle = shipped().get(request.path["id"])
    if puzzle is None:
        raise Problem(404, "puzzle", "there is no such puzzle")
    return puzzle


def _see(puzzle: Puzzle, day: str = "") -> PuzzleView:
    game = GAMES[puzzle.title]
    return PuzzleView(
        id=puzzle.id,
        title=puzzle.title,
        rules=puzzle.rules,
        seat=puzzle.seat,
        round=puzzle.round,
        difficulty=puzzle.difficulty,
        view=wire.embed(game.view(game.read_state(puzzle.position), puzzle.seat)),
        moves=tuple(puzzle.losses),
        day=day,
    )


ROUTES: Sequence[Route] = (
    Route("GET", "/api/puzzles", get_puzzles, PuzzlesListed),
    Route("GET", "/api/puzzles/daily", get_daily_puzzle, PuzzleView, query=("title",)),
    Route("GET", "/api/puzzles/{id}", get_puzzle, PuzzleView),
    Route("POST", "/api/puzzles/{id}/answer", post_answer, PuzzleAnswered, AnswerBody),
    Route("GET", "/api/puzzles/{id}/preview", get_preview, PreviewReply, query=("move",)),
)
