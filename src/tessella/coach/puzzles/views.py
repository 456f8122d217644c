"""Puzzles as a client sees them: the list, a position to solve, and the answer to a move, played on the board."""

from collections.abc import Sequence
from datetime import date

import msgspec

from tessella.coach.puzzles.puzzle import ProvedResult, Puzzle, daily, shipped
from tessella.core import wire
from tessella.core.game import Public, Seat
from tessella.core.record import write_act
from tessella.games import GAMES
from tessella.protocol.messages import PreviewReply
from tessella.table import views
from tessella.table.replay import ReplayStep, replay_acts


class PuzzleListed(Public, frozen=True):
    """A puzzle in a list. Difficulty is from 1 to 5."""

    id: str
    title: str
    theme: str
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
    theme: str
    difficulty: int
    view: msgspec.Raw
    moves: tuple[str, ...]
    day: str = ""


class Solution(Public, frozen=True):
    """The best move and its reason: what it gains in the respect of its theme, compared with the tempting move.

    `with_best` and `with_tempting` are points (in Blockers! groups or captures) once the moves are played on; `margin`
    and `tempting_loss` are the win probability that the second-best and the tempting move lose. `proved` is the result
    that the best move is proved to keep, while every other move is proved to lead to a worse one; empty if not solved.
    """

    best: str
    tempting: str
    theme: str
    with_best: float
    with_tempting: float
    margin: float
    tempting_loss: float
    proved: ProvedResult


class PuzzleAnswered(Public, frozen=True):
    """Whether a move is the best one, how much win probability it loses, and what happens next on the board.

    There is no solution until the player has found it or asks for it. `steps` plays the solution out or, after a
    wrong move, that move and how it is punished.
    """

    right: bool
    loss: float
    solution: Solution | None
    steps: tuple[ReplayStep, ...]


def list_puzzles() -> PuzzlesListed:
    """List all shipped puzzles, the easiest first."""
    listed = [
        PuzzleListed(puzzle.id, puzzle.title, puzzle.reason.theme, puzzle.difficulty) for puzzle in shipped().values()
    ]
    return PuzzlesListed(tuple(sorted(listed, key=lambda puzzle: puzzle.difficulty)))


def puzzle_of(day: date, title: str = "") -> PuzzleView | None:
    """Return the puzzle of a day, of one game if a title is given; None if there are no puzzles of that game."""
    puzzles = [puzzle for puzzle in shipped().values() if title in ("", puzzle.title)]
    return see_puzzle(daily(day, puzzles), day.isoformat()) if puzzles else None


def preview_move(puzzle: Puzzle, move: str) -> PreviewReply:
    """Preview a move, as at a table: where the pieces go and what that scores, not whether it is the best."""
    game = GAMES[puzzle.title]
    return views.preview_move(game, game.read_state(puzzle.position), puzzle.seat, move)


def check_answer(puzzle: Puzzle, move: str) -> PuzzleAnswered | None:
    """Check a move, or return the solution if no move is given; None if there is no such move."""
    if move and move not in puzzle.losses:
        return None
    loss = puzzle.losses[move] if move else 0.0
    if loss:
        return PuzzleAnswered(right=False, loss=loss, solution=None, steps=_steps(puzzle, move, puzzle.replies[move]))
    acts = puzzle.line[1:] if move in ("", puzzle.best) else ()
    steps = _steps(puzzle, move or puzzle.best, acts)
    return PuzzleAnswered(right=bool(move), loss=0.0, solution=_solution(puzzle), steps=steps)


def see_puzzle(puzzle: Puzzle, day: str = "") -> PuzzleView:
    """Return a puzzle as a client sees it; `day` is the date of a daily one."""
    game = GAMES[puzzle.title]
    return PuzzleView(
        id=puzzle.id,
        title=puzzle.title,
        rules=puzzle.rules,
        seat=puzzle.seat,
        round=puzzle.round,
        theme=puzzle.reason.theme,
        difficulty=puzzle.difficulty,
        view=wire.embed(game.view(game.read_state(puzzle.position), puzzle.seat)),
        moves=tuple(puzzle.losses),
        day=day,
    )


def _solution(puzzle: Puzzle) -> Solution:
    reason = puzzle.reason
    return Solution(
        best=puzzle.best,
        tempting=puzzle.tempting,
        theme=reason.theme,
        with_best=reason.best,
        with_tempting=reason.other,
        margin=puzzle.margin,
        tempting_loss=puzzle.losses[puzzle.tempting],
        proved=puzzle.proved,
    )


def _steps(puzzle: Puzzle, move: str, acts: Sequence[str]) -> tuple[ReplayStep, ...]:
    game = GAMES[puzzle.title]
    state = game.read_state(puzzle.position)
    first = write_act(game, state, game.read_move(state, puzzle.seat, move))
    return replay_acts(game, state, (first, *acts), puzzle.seat)
