"""The preview of a move of Blockers!: which tile it captures, and the mover's groups and score before and after."""

from tessella.core import game
from tessella.core.game import collect
from tessella.games.blockers.events import Tally
from tessella.games.blockers.pieces import EMPTY, Cell, Colour
from tessella.games.blockers.rules import place
from tessella.games.blockers.scoring import tally
from tessella.games.blockers.state import Move, Place, State


class Preview(game.Preview, frozen=True):
    """The mover's tally, as if the game were scored right before and right after the move.

    The lowest score wins, so `points` is how much the score decreases.
    """

    cell: Cell | None
    """Where the tile goes; None if it is put aside."""
    captures: Colour | None
    """The colour of the tile that would be captured."""
    before: Tally
    after: Tally


def preview(state: State, move: Move) -> Preview:
    """Return what a legal move does to the mover's groups, captures and score."""
    before = tally(state, move.seat)
    if not isinstance(move, Place):
        return Preview(points=0, cell=None, captures=None, before=before, after=before)
    there = state.board.colours[move.cell]
    after = tally(collect(place(state, move))[0], move.seat)
    return Preview(
        points=before.score - after.score,
        cell=move.cell,
        captures=None if there == EMPTY else there,
        before=before,
        after=after,
    )
