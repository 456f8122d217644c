"""What the easy levels of every game share: the legal moves of a view, a random choice, and noise."""

from collections.abc import Sequence
from typing import TypeVar

from tessella.core.game import C, D, E, Game, M, P_co, Rng, S, V

T = TypeVar("T")

NOISE_STEPS = 1000
"""Resolution of the noise: how many steps there are from 0 to its maximum."""


def imagined_moves(game: Game[C, S, M, D, E, V, P_co], view: V, rng: Rng) -> tuple[S, list[M]]:
    """Return a state consistent with the view, and the legal moves of its seat."""
    assert view.seat is not None
    state = game.imagine(view, rng)
    return state, list(game.legal_moves(state, view.seat))


def any_of(options: Sequence[T], rng: Rng) -> T:
    """Return one of the options, all equally likely."""
    return options[rng.randrange(len(options))]


def noise(points: float, rng: Rng) -> float:
    """Return a random error of at most this many points; small errors are the most likely (triangular)."""
    return points * (rng.randrange(NOISE_STEPS) - rng.randrange(NOISE_STEPS)) / NOISE_STEPS
