"""Puzzles: one a day, and all of them; an answer is checked by its notation."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from tessella.coach.puzzles import Puzzle, daily, shipped
from tessella.core import wire
from tessella.core.game import Public, Seat
from tessella.games import GAMES
from tessella.server.api.routes import Answer, Problem, Request, Route


class PuzzleListed(Public, frozen=True):
    """A puzzle in a list. Difficulty is from 1 to 5."""

    id: str
    title: str
    difficulty: int


class PuzzlesListed(Public, frozen=True):
    """All puzzles, the easy ones first."""

    puzzles: tuple[PuzzleListed, ...]


class PuzzleSeen(Public, frozen=True):
    """A position to be solved by the seat that is to move: the table as that seat sees it, and its legal moves.

    `day` is the date whose puzzle it is, if it was asked for as the daily one.
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
    """A move in notation; or nothing, to be told the solution."""

    move: Annotated[str, Meta(max_length=40)] = ""


class PuzzleAnswered(Public, frozen=True):
    """Whether it is the best move, and what it throws away of the chance to win.

    The solution is told to who has found it or asks for it: `best`, and the line that plays it out. Until then they are
    empty.
    """

    right: bool
    loss: float
    best: str
    line: tuple[str, ...]
    value: float
    margin: float


async def get_puzzles(request: Request) -> Answer:  # noqa: ARG001
    """List all puzzles, the easy ones first."""
    listed = [PuzzleListed(puzzle.id, puzzle.title, puzzle.difficulty) for puzzle in shipped().values()]
    return Answer(PuzzlesListed(tuple(sorted(listed, key=lambda puzzle: puzzle.difficulty))))


async def get_daily_puzzle(request: Request) -> Answer:
    """Show the puzzle of today (UTC); of one game, if its title is given."""
    title = request.query.get("title", "")
    puzzles = [puzzle for puzzle in shipped().values() if title in ("", puzzle.title)]
    if not puzzles:
        raise Problem(404, "title", "there are no puzzles of such a game")
    today = datetime.fromtimestamp(request.host.clock(), UTC).date()
    return Answer(_see(daily(today, puzzles), today.isoformat()))


async def get_puzzle(request: Request) -> Answer:
    """Show a puzzle."""
    return Answer(_see(_find(request)))


async def post_answer(request: Request) -> Answer:
    """Check a move; or tell the solution, if no move is given."""
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


def _see(puzzle: Puzzle, day: str = "") -> PuzzleSeen:
    game = GAMES[puzzle.title]
    return PuzzleSeen(
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
    Route("GET", "/api/puzzles/daily", get_daily_puzzle, PuzzleSeen, query=("title",)),
    Route("GET", "/api/puzzles/{id}", get_puzzle, PuzzleSeen),
    Route("POST", "/api/puzzles/{id}/answer", post_answer, PuzzleAnswered, AnswerBody),
)
