"""The levels of Azul Duel: three without lookahead, then five with open-loop tree search of the round.

Levels 1 and 2 make mistakes that people make: both overlook moves and misjudge their values, and level 1 forgets what
broken tiles cost. Level 3 plays the heuristic. Levels 4 to 7 play the round to its end a fixed number of times, so that
a level plays alike on every machine; only level 8 plays by the clock.
"""

from collections.abc import Callable, Mapping
from typing import cast

from tessella.bots import greedy
from tessella.bots.duel.heuristic import careless_value, move_value
from tessella.bots.duel.net import Net, learned
from tessella.bots.easy import hasty
from tessella.bots.interface import Bot, Budget
from tessella.core.game import AnyGame, Rng
from tessella.fast.clock import thread_time_ns
from tessella.fast.duel import from_state
from tessella.fast.duel.mcts import OpenLoopTree
from tessella.games import duel
from tessella.games.duel.state import Move
from tessella.games.duel.view import View

NEWCOMER_NOTICES, SCATTERBRAIN_NOTICES = 0.4, 0.6
"""Probabilities with which levels 1 and 2 notice a move."""
LARGEST_ERROR = 1.0
"""How far levels 1 and 2 misjudge a move at most, in points."""
CHAMPION_SECONDS = 1.0
"""Thinking time of level 8."""
MAX_ROLLOUTS_PER_SECOND = 200_000
"""Upper bound on the speed of the search, to size its tree."""
MAX_NODES = 1_000_000
RETURN_NANOSECONDS = 300_000
"""Time kept back for handing over the move."""


def plain_greedy(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  needs no budget
    """Return the move with the highest heuristic value."""
    return cast("Move", greedy.choose(duel, view, rng))


def search_with(net: Callable[[], Net | None], **constants: float) -> Bot:
    """Return a searcher; it searches until the budget is used up, without a budget as long as level 8.

    The net is read when it is first needed. `constants` are those of `OpenLoopTree`.
    """

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        assert view.seat is not None
        began = thread_time_ns()
        seconds = budget.seconds or (3600.0 if budget.nodes else CHAMPION_SECONDS)
        rollouts = budget.nodes or int(seconds * MAX_ROLLOUTS_PER_SECOND)
        table = from_state(duel.imagine(view, rng))
        capacity = min(rollouts, MAX_NODES) + 1
        tree = OpenLoopTree(table, view.seat, rng.randrange(2**32), capacity, net(), **constants)
        return table.to_move(tree.choose(rollouts, began + int(seconds * 1e9) - RETURN_NANOSECONDS))

    return choose


def searcher(rollouts: int) -> Bot:
    """Return a bot that plays the round to its end this many times, or fewer if the budget says so."""
    unlimited = search_with(learned)

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        return cast("Move", unlimited(view, Budget(budget.seconds, min(rollouts, budget.nodes or rollouts)), rng))

    return choose


def champion(view: View, budget: Budget, rng: Rng) -> Move:
    """Search for a second, or less if the budget says so."""
    seconds = min(CHAMPION_SECONDS, budget.seconds or CHAMPION_SECONDS)
    return cast("Move", search_with(learned)(view, Budget(seconds, budget.nodes), rng))


def search(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """Return the searcher without a limit of its own: `tessella.bots.duel.levels:search@0.1s`."""
    return search_with(learned)


def by_hand(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """Return the searcher with the handcrafted evaluation instead of the net, to measure what the net adds."""
    return search_with(lambda: None)


LEVELS: Mapping[str, Bot] = {
    "1": hasty(duel, careless_value, NEWCOMER_NOTICES, LARGEST_ERROR),
    "2": hasty(duel, move_value, SCATTERBRAIN_NOTICES, LARGEST_ERROR),
    "3": plain_greedy,
    "4": searcher(5),
    "5": searcher(25),
    "6": searcher(100),
    "7": searcher(600),
    "8": champion,
}
