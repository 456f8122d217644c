"""The levels of Azul Duel: three who take what looks good, then five who try ever more ways in which the round may go.

Level 1 knows only that tiles should not break. Level 2 sees what a move is worth, but not sharply. Level 3 sees it
sharply and forgets the other player. From level 4 on the answers are tried, in as many rounds played to their end as
the level says, so that a level plays alike on every machine; only the last one plays by the clock.
"""

import time
from collections.abc import Mapping
from typing import cast

from tessella.bots import greedy
from tessella.bots.budget import Bot, Budget
from tessella.bots.duel_net import Net, learned
from tessella.bots.duel_worth import worth
from tessella.core.game import AnyGame, Rng, tell
from tessella.fast.duel import from_state
from tessella.fast.duel_search import Search
from tessella.games import duel
from tessella.games.duel.acquire import take
from tessella.games.duel.state import Move, State, Take
from tessella.games.duel.view import View

BLUR = 3
"""How far level 2 may misjudge a move, in points."""
GRAIN = 1000
SECONDS = 1.0
"""How long the highest level thinks."""
ROUNDS_A_SECOND = 200_000
"""More than can be tried: for so many there is room to remember them."""
MOST = 1_000_000
RETURN = 300_000
"""Nanoseconds that are kept for the way back."""


def beginner(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  thinks in no time
    """Any of the moves that let the fewest tiles break."""
    state, moves = _moves(view, rng)
    broken = [_broken(state, move) for move in moves]
    return _any([move for move, number in zip(moves, broken, strict=True) if number == min(broken)], rng)


def hasty(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  thinks in no time
    """The move that looks best when one does not look closely."""
    state, moves = _moves(view, rng)
    return max(moves, key=lambda move: worth(state, move) + _blur(rng))


def sharp(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  thinks in no time
    """The move that looks best."""
    return cast("Move", greedy.choose(duel, view, rng))


def trier(rounds: int) -> Bot:
    """A player who tries so many ways in which the round may go, or fewer if the budget says so."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        return _try(view, Budget(budget.seconds, min(rounds, budget.nodes or rounds)), rng)

    return choose


def champion(view: View, budget: Budget, rng: Rng) -> Move:
    """A player who tries for a second, or less if the budget says so."""
    return _try(view, Budget(min(SECONDS, budget.seconds or SECONDS), budget.nodes), rng)


def search(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """The same player, who thinks as long as the budget allows: `tessella.bots.duel_levels:search@0.1s`."""
    return _try


def by_hand(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """The same without the net, boards being weighed by hand: what the net is worth is measured against it."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        return _search(view, budget, rng, None)

    return choose


LEVELS: Mapping[str, Bot] = {
    "1": beginner,
    "2": hasty,
    "3": sharp,
    "4": trier(5),
    "5": trier(25),
    "6": trier(100),
    "7": trier(600),
    "8": champion,
}


def _try(view: View, budget: Budget, rng: Rng) -> Move:
    return _search(view, budget, rng, learned())


def _search(view: View, budget: Budget, rng: Rng, net: Net | None) -> Move:
    """Search until the rounds or the seconds are used up; without a budget, as the highest level does."""
    assert view.seat is not None
    began = time.thread_time_ns()
    seconds = budget.seconds or (3600.0 if budget.nodes else SECONDS)
    rounds = budget.nodes or int(seconds * ROUNDS_A_SECOND)
    table = from_state(duel.imagine(view, rng))
    thinker = Search(table, view.seat, rng.randrange(2**32), min(rounds, MOST) + 1, net)
    return table.to_move(thinker.choose(rounds, began + int(seconds * 1e9) - RETURN))


def _moves(view: View, rng: Rng) -> tuple[State, list[Move]]:
    assert view.seat is not None
    state = duel.imagine(view, rng)
    return state, list(duel.legal_moves(state, view.seat))


def _broken(state: State, move: Move) -> int:
    """How many tiles lie on the mover's broken space after a take."""
    if not isinstance(move, Take):
        return 0
    after, _ = tell(take(state, move))
    return len(after.boards[move.seat].broken)


def _any(moves: list[Move], rng: Rng) -> Move:
    return moves[rng.randrange(len(moves))]


def _blur(rng: Rng) -> float:
    """Up to so many points too much or too little, small mistakes being the likeliest."""
    return BLUR * (rng.randrange(GRAIN) - rng.randrange(GRAIN)) / GRAIN
