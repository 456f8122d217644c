"""The random bot."""

from tessella.bots.easy import any_of, imagined_moves
from tessella.core.game import AnyGame, Move, Rng, View


def choose(game: AnyGame, view: View, rng: Rng) -> Move:
    """Return any legal move, all equally likely."""
    _, moves = imagined_moves(game, view, rng)
    move: Move = any_of(moves, rng)
    return move
