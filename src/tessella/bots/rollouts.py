"""A search that plays every game: it tries each move in imagined games, and keeps the half that does better.

Each imagined game starts from a state that looks to the seat like the true one. In it everybody plays quickly: the
move with the most points by its preview, or now and then any move.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import Any, TypeAlias

from tessella.bots.easy import any_of
from tessella.bots.interface import Budget
from tessella.core.game import AnyGame, Chance, Move, Over, Rng, View
from tessella.fast.clock import thread_time_ns

AnyState: TypeAlias = Any

GAMES = 400
"""Imagined games per decision without a limit."""
MARGIN = 1e-3
"""What a point of lead counts, so that the search also prefers to win by more."""
PASS_GAMES = 4
"""Imagined games per move in one pass."""
ADVENTURE = 5
"""One move in this many is any move."""


def choose(game: AnyGame, view: View, budget: Budget, rng: Rng) -> Move:
    """Return the move that does best, within the budget."""
    assert view.seat is not None
    moves: Sequence[Move] = game.legal_moves(game.imagine(view, rng), view.seat)
    until = thread_time_ns() + int(budget.seconds * 1e9) if budget.seconds else None
    left = budget.nodes or (None if until else GAMES)
    values: dict[int, list[float]] = {at: [] for at in range(len(moves))}
    while len(values) > 1:
        for at, found in values.items():
            found += [_value(game, view, moves[at], rng) for _ in range(PASS_GAMES)]
        left = None if left is None else left - PASS_GAMES * len(values)
        ranked = sorted(values, key=lambda at: -fmean(values[at]))
        if (left is not None and left <= 0) or (until is not None and thread_time_ns() >= until):
            return moves[ranked[0]]
        if _is_time_to_halve(values, left):
            values = {at: values[at] for at in ranked[: (len(ranked) + 1) // 2]}
    return moves[next(iter(values))]


def _is_time_to_halve(values: dict[int, list[float]], left: int | None) -> bool:
    """Return whether the moves that are left were tried often enough: more often, the fewer they are."""
    tried = len(next(iter(values.values())))
    enough = 48 if left is None else max(PASS_GAMES, left // (2 * len(values)))
    return tried >= enough


def _value(game: AnyGame, view: View, move: Move, rng: Rng) -> float:
    """Return what one imagined game brings the mover: its share of the win, and a little for each point of lead."""
    over = play_on(game, game.apply(game.imagine(view, rng), move)[0], rng)
    others = [score for seat, score in enumerate(over.scores) if seat != move.seat]
    share = (over.places[move.seat] == 1) / over.places.count(1)
    return share + MARGIN * (over.scores[move.seat] - max(others, default=0))


def play_on(game: AnyGame, state: AnyState, rng: Rng) -> Over:
    """Play a game to its end, quickly, and return the result."""
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Chance):
            state, _ = game.apply(state, game.deal(state, rng))
        else:
            state, _ = game.apply(state, _quick_move(game, state, turn.seats[0], rng))
    return turn


def _quick_move(game: AnyGame, state: AnyState, seat: int, rng: Rng) -> Move:
    moves: Sequence[Move] = game.legal_moves(state, seat)
    if len(moves) == 1 or rng.randrange(ADVENTURE) == 0:
        return any_of(moves, rng)
    points = [game.preview(state, move).points for move in moves]
    most = max(points)
    return any_of([move for move, each in zip(moves, points, strict=True) if each == most], rng)
