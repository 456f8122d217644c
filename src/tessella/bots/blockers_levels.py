"""The levels of Blockers!: three who take what looks good, then five who imagine ever more games to their end.

Level 1 knows only that captured tiles cost. Level 2 sees what a move is worth, but not sharply. Level 3 counts its
points and looks no further. From level 4 on the racks of the others and their answers are imagined, in as many games
as the level says, so that a level plays alike on every machine; only the last one plays by the clock. Levels 4 and 5
imagine that everybody just counts points, the others that everybody plays as learned.
"""

import time
from collections.abc import Mapping

from tessella.bots.blockers_weights import COUNTING, Weights, learned
from tessella.bots.blockers_worth import worth
from tessella.bots.budget import Bot, Budget
from tessella.core.game import AnyGame, Rng
from tessella.fast.blockers import from_state
from tessella.fast.blockers_search import Search
from tessella.games import blockers
from tessella.games.blockers.pieces import EMPTY
from tessella.games.blockers.state import Move, Place, State
from tessella.games.blockers.view import View

BLUR = 2
"""How far level 2 may misjudge a move, in points."""
GRAIN = 1000
SECONDS = 1.0
"""How long the highest level thinks."""
GAMES_A_SECOND = 200_000
"""More than can be imagined: for so many there is room to remember them."""
RETURN = 200_000
"""Nanoseconds that are kept for the way back."""


def beginner(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  thinks in no time
    """Any of the moves that capture nothing, if there are such."""
    state, moves = _moves(view, rng)
    return _any([move for move in moves if not _captures(state, move)] or moves, rng)


def hasty(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  thinks in no time
    """The move that looks best when one does not look closely."""
    state, moves = _moves(view, rng)
    return max(moves, key=lambda move: worth(state, move) + _blur(rng))


def counting(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  thinks in no time
    """The move with the fewest points right after it, then with the fewest captures; among equals, any."""
    state, moves = _moves(view, rng)
    counts = [_count(state, move) for move in moves]
    return _any([move for move, count in zip(moves, counts, strict=True) if count == min(counts)], rng)


def dreamer(games: int, weights: Weights | None = None) -> Bot:
    """A player who imagines so many games, or fewer if the budget says so; in which all weigh as learned, or so."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        return _dream(view, Budget(budget.seconds, min(games, budget.nodes or games)), rng, weights)

    return choose


def champion(view: View, budget: Budget, rng: Rng) -> Move:
    """A player who imagines games for a second, or less if the budget says so."""
    return _dream(view, Budget(min(SECONDS, budget.seconds or SECONDS), budget.nodes), rng)


def search(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """The same player, who thinks as long as the budget allows: `tessella.bots.blockers_levels:search@0.1s`."""
    return _dream


LEVELS: Mapping[str, Bot] = {
    "1": beginner,
    "2": hasty,
    "3": counting,
    "4": dreamer(20, COUNTING),
    "5": dreamer(70, COUNTING),
    "6": dreamer(60),
    "7": dreamer(250),
    "8": champion,
}


def _dream(view: View, budget: Budget, rng: Rng, weights: Weights | None = None) -> Move:
    """Search until the games or the seconds are used up; without a budget, as the highest level does."""
    began = time.thread_time_ns()
    seconds = budget.seconds or (3600.0 if budget.nodes else SECONDS)
    games = min(budget.nodes or int(seconds * GAMES_A_SECOND), 10_000_000)
    table = from_state(blockers.imagine(view, rng))
    thinker = Search(table, weights or learned(table.seats), rng.randrange(2**32), min(games, 1_000_000) + 1)
    return table.to_move(thinker.choose(games, began + int(seconds * 1e9) - RETURN))


def _moves(view: View, rng: Rng) -> tuple[State, list[Move]]:
    assert view.seat is not None
    state = blockers.imagine(view, rng)
    return state, list(blockers.legal_moves(state, view.seat))


def _count(state: State, move: Move) -> tuple[int, int]:
    after = blockers.preview(state, move).after
    return after.score, sum(after.captured)


def _captures(state: State, move: Move) -> bool:
    return isinstance(move, Place) and state.board.colours[move.cell] != EMPTY


def _any(moves: list[Move], rng: Rng) -> Move:
    return moves[rng.randrange(len(moves))]


def _blur(rng: Rng) -> float:
    """Up to so many points too much or too little, small mistakes being the likeliest."""
    return BLUR * (rng.randrange(GRAIN) - rng.randrange(GRAIN)) / GRAIN
