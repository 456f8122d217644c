"""The player who takes what looks best now and never thinks of what the others will do.

The worth of a move is what the round would bring if it ended right after it, plus, where we know the game, what the
move prepares.
"""

from collections.abc import Callable, Mapping

from tessella.bots import azul_worth, blockers_worth, duel_worth
from tessella.core.game import AnyGame, Move, Rng, View

WORTH: Mapping[str, Callable[..., float]] = {
    "azul": azul_worth.worth,
    "blockers": blockers_worth.worth,
    "duel": duel_worth.worth,
}


def choose(game: AnyGame, view: View, rng: Rng) -> Move:
    """The move of greatest worth; among equals, any."""
    assert view.seat is not None
    state = game.imagine(view, rng)
    moves: list[Move] = list(game.legal_moves(state, view.seat))
    worth = WORTH.get(game.NAME)
    worths = [worth(state, move) if worth else game.preview(state, move).points for move in moves]
    most = max(worths)
    best = [move for move, value in zip(moves, worths, strict=True) if value == most]
    return best[rng.randrange(len(best))]
