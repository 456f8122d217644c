"""The player who plays anything."""

from tessella.core.game import AnyGame, Move, Rng, View


def choose(game: AnyGame, view: View, rng: Rng) -> Move:
    """Any legal move, each as likely as the others."""
    assert view.seat is not None
    moves = game.legal_moves(game.imagine(view, rng), view.seat)
    move: Move = moves[rng.randrange(len(moves))]
    return move
