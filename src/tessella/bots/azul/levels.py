"""The levels of Azul: three without lookahead, three that search the round, two that search with a net.

Levels 1 and 2 make mistakes that people make: both overlook moves, level 1 also forgets the floor, and level 2
misjudges moves. Level 3 plays the heuristic. Levels 4 to 6 search the round with a fixed number of positions, so that a
level plays alike on every machine. Levels 7 and 8 evaluate boards between two rounds with a net; level 8 thinks for a
second, and searches into the next round once the current one is solved. Where there is no net, both use the handcrafted
evaluation; level 7 then searches more positions, as it does with three and four players.
"""

import threading
from collections.abc import Callable, Mapping
from typing import ParamSpec, TypeVar, cast

from tessella.bots import greedy
from tessella.bots.azul.heuristic import move_value, tiles_laid
from tessella.bots.azul.net import net_for
from tessella.bots.azul.policy import Policy, learned
from tessella.bots.easy import hasty
from tessella.bots.interface import Bot, Budget
from tessella.core.game import AnyGame, Rng
from tessella.fast.azul import from_state
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.azul.lookahead import Lookahead
from tessella.fast.azul.mcts import MaxnTree
from tessella.fast.azul.net import Net
from tessella.fast.clock import thread_time
from tessella.games import azul
from tessella.games.azul.state import Move
from tessella.games.azul.view import View

Searcher = TypeVar("Searcher", AlphaBeta, MaxnTree, Lookahead)
Given = ParamSpec("Given")

_THREAD = threading.local()

NEWCOMER_NOTICES, SCATTERBRAIN_NOTICES = 0.3, 0.6
"""Probabilities with which levels 1 and 2 notice a move."""
SCATTERBRAIN_ERROR = 1.0
"""Largest error of level 2 when it evaluates a move, in points."""
SPARE_SECONDS = 0.0003
"""Time kept back for handing over the move."""
SEEDS = 2**63
MASTER_SECONDS = 1.0
"""Thinking time of level 8."""


def plain_greedy(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  needs no budget
    """Return the move with the highest heuristic value."""
    return cast("Move", greedy.choose(azul, view, rng))


def searcher(positions: int) -> Bot:
    """Return a bot that searches this many positions of the round, or fewer if the budget says so."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        return _search(view, min(positions, budget.nodes or positions), budget.seconds or 0.0, rng)

    return choose


def net_searcher(positions: int, more: int) -> Bot:
    """Return a bot that searches this many positions with the shipped net; `more` with over two players or no net."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        net = _net(view)
        limit = more if net is None or view.config.seats > 2 else positions
        return _search(view, min(limit, budget.nodes or limit), budget.seconds or 0.0, rng, net)

    return choose


def master(view: View, budget: Budget, rng: Rng) -> Move:
    """Search with a net for a second, into the next round; a budget of nodes limits it to the current round."""
    return look_ahead(view, budget, rng, _net(view), learned())


def look_ahead(view: View, budget: Budget, rng: Rng, net: Net | None, policy: Policy | None) -> Move:
    """Do the same with a net and a move policy of the caller's choice."""
    seconds = min(MASTER_SECONDS, budget.seconds or MASTER_SECONDS)
    if budget.nodes or net is None or view.config.seats != 2:
        limit = seconds if not budget.nodes else budget.seconds or 0.0
        return _search(view, budget.nodes or 0, limit, rng, net, policy)
    assert view.seat is not None
    began = thread_time()
    table = from_state(azul.imagine(view, rng))
    lookahead = _thread_searcher(Lookahead, net, policy)
    return table.to_move(lookahead.think(table, view.seat, _left(seconds, began), rng.randrange(SEEDS)))


def search(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """Return the searcher of levels 4 to 6 without its limit: `tessella.bots.azul.levels:search@0.1s`."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        return _search(view, budget.nodes or 0, budget.seconds or 0.0, rng)

    return choose


def search_with(net: Net | None) -> Bot:
    """Return the same searcher with a net of the caller's choice."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        return _search(view, budget.nodes or 0, budget.seconds or 0.0, rng, net)

    return choose


LEVELS: Mapping[str, Bot] = {
    "1": hasty(azul, tiles_laid, NEWCOMER_NOTICES),
    "2": hasty(azul, move_value, SCATTERBRAIN_NOTICES, SCATTERBRAIN_ERROR),
    "3": plain_greedy,
    "4": searcher(100),
    "5": searcher(1_000),
    "6": searcher(10_000),
    "7": net_searcher(3_000, 30_000),
    "8": master,
}


def _net(view: View) -> Net | None:
    return net_for(view.config.seats, view.config.wall)


def _search(
    view: View, nodes: int, seconds: float, rng: Rng, net: Net | None = None, policy: Policy | None = None
) -> Move:
    assert view.seat is not None
    began = thread_time()
    table = from_state(azul.imagine(view, rng))
    two = table.seats == 2
    searcher = _thread_searcher(AlphaBeta, net, policy) if two else _thread_searcher(MaxnTree, net)
    left = _left(seconds, began) if seconds else 0.0
    return table.to_move(searcher.think(table, view.seat, nodes, left))


def _thread_searcher(kind: Callable[Given, Searcher], *given: Given.args, **named: Given.kwargs) -> Searcher:
    """Return this thread's searcher; one per thread, so that allocation is not charged to the budget."""
    searchers: dict[object, Searcher] = _THREAD.__dict__.setdefault("searchers", {})
    if (kind, given) not in searchers:
        searchers[kind, given] = kind(*given, **named)
    return searchers[kind, given]


def _left(seconds: float, began: float) -> float:
    """Return the CPU time left of a budget, less a reserve."""
    return max(SPARE_SECONDS, seconds - SPARE_SECONDS - (thread_time() - began))
