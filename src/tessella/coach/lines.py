"""The lines of a review, played on the board: the moves that the coach would have made instead of one of the game."""

from collections.abc import Sequence
from itertools import islice

from tessella.coach.report import Report
from tessella.core.game import BadNotation, Seat
from tessella.core.record import Record, read_rules, replay
from tessella.games import GAMES
from tessella.table.replay import LineView, play_line


def line_of(report: Report, number: int) -> tuple[str, ...]:
    """Return the coach's line instead of an act of the game; empty if that act is not a move."""
    return next((decision.line for decision in report.decisions if decision.number == number), ())


def line_after(whole: Record, number: int, line: Sequence[str], viewer: Seat | None) -> LineView:
    """Play a line instead of an act of the game, as a seat or a spectator would see it; the act must be a move."""
    game = GAMES[whole.game]
    if viewer is not None and viewer >= read_rules(game, whole.rules).seats:
        raise BadNotation(f"there is no seat {viewer}")
    step = next(islice(replay(game, whole), number, None), None)
    if step is None or step.seat is None:
        raise BadNotation(f"act {number} of this game is not a move")
    return play_line(game, step.before, step.seat, line, viewer)
