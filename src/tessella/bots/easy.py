"""What the easy levels of every game share: the legal moves of a view, and the mistakes of people.

People do not move at random: they overlook moves, misjudge them, and forget what a move costs. So an easy level
notices only some of its moves, chosen anew each turn, and plays the best of them as it sees them.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tessella.bots.interface import Bot, Budget
from tessella.core.game import AnyGame, C, D, E, Game, M, Move, P_co, Rng, S, V, View

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


def noticed(moves: Sequence[T], share: float, rng: Rng) -> list[T]:
    """Return the moves that a hasty player notices: each with a probability of `share`, and at least one."""
    limit = int(share * NOISE_STEPS)
    return [move for move in moves if rng.randrange(NOISE_STEPS) < limit] or [any_of(moves, rng)]


def best_of(moves: Sequence[T], value: Callable[[T], float], rng: Rng) -> T:
    """Return the move of the highest value; ties at random."""
    values = [value(move) for move in moves]
    highest = max(values)
    return any_of([move for move, found in zip(moves, values, strict=True) if found == highest], rng)


def hasty(game: AnyGame, value: Callable[[Any, Any], float], share: float, error: float = 0.0) -> Bot:
    """Return a bot that plays the best of the moves that it notices, each misjudged by at most `error`."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  needs no budget
        state, moves = imagined_moves(game, view, rng)
        seen: list[Move] = noticed(moves, share, rng)
        return best_of(seen, lambda move: value(state, move) + noise(error, rng), rng)

    return choose


def noise(points: float, rng: Rng) -> float:
    """Return a random error of at most this many points; small errors are the most likely (triangular)."""
    return points * (rng.randrange(NOISE_STEPS) - rng.randrange(NOISE_STEPS)) / NOISE_STEPS
