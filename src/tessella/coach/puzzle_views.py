"""Puzzles as a client sees them: the list, a position to solve, and the check of an answer."""

from collections.abc import Iterable
from datetime import date

import msgspec

from tessella.coach.puzzles import Puzzle, daily, shipped
from tessella.core import wire
from tessella.core.game import Public, Seat
from tessella.games import GAMES
from tessella.protocol.messages import PreviewReply
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


def list_puzzles() -> PuzzlesListed:
    """List all shipped puzzles, the easiest first."""
    listed = [PuzzleListed(puzzle.id, puzzle.title, puzzle.difficulty) for puzzle in shipped().values()]
    return PuzzlesListed(tuple(sorted(listed, key=lambda puzzle: puzzle.difficulty)))


def puzzle_of(day: date, title: str = "") -> PuzzleView | None:
    """Return the puzzle of a day, of one game if a title is given; None if there are no puzzles of that game."""
    puzzles: Iterable[Puzzle] = [puzzle for puzzle in shipped().values() if title in ("", puzzle.title)]
    return see_puzzle(daily(day, list(puzzles)), day.isoformat()) if puzzles else None


def preview_move(puzzle: Puzzle, move: str) -> PreviewReply:
    """Preview a move, as at a table: where the pieces go and what that scores, not whether it is the best."""
    game = GAMES[puzzle.title]
    return views.preview_move(game, game.read_state(puzzle.position), puzzle.seat, move)


def check_answer(puzzle: Puzzle, move: str) -> PuzzleAnswered | None:
    """Check a move, or return the solution if no move is given; None if there is no such move."""
    if move and move not in puzzle.losses:
        return None
    loss = puzzle.losses[move] if move else 0.0
    best, line = ("", ()) if loss else (puzzle.best, puzzle.line)
    return PuzzleAnswered(bool(move) and not loss, loss, best, line, puzzle.value, puzzle.margin)


def see_puzzle(puzzle: Puzzle, day: str = "") -> PuzzleView:
    """Return a puzzle as a client sees it; `day` is the date of a daily one."""
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
