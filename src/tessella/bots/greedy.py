"""The greedy bot: it plays the move with the highest heuristic value, without lookahead.

A game without a heuristic of its own is played by the points of the preview.
"""

from collections.abc import Callable, Mapping

from tessella.bots.azul import heuristic as azul_heuristic
from tessella.bots.blockers import heuristic as blockers_heuristic
from tessella.bots.duel import heuristic as duel_heuristic
from tessella.bots.easy import best_of, imagined_moves
from tessella.core.game import AnyGame, Move, Rng, View

HEURISTICS: Mapping[str, Callable[..., float]] = {
    "azul": azul_heuristic.move_value,
    "blockers": blockers_heuristic.move_value,
    "duel": duel_heuristic.move_value,
}


def choose(game: AnyGame, view: View, rng: Rng) -> Move:
    """Return the move with the highest heuristic value; ties at random."""
    state, found = imagined_moves(game, view, rng)
    moves: list[Move] = found
    heuristic = HEURISTICS.get(game.NAME)
    return best_of(moves, lambda move: heuristic(state, move) if heuristic else game.preview(state, move).points, rng)
