"""The levels of Blockers!: three without lookahead, then five with information-set tree search.

Levels 1 and 2 make mistakes that people make: both overlook moves, level 1 also forgets what a capture costs, and level
2 misjudges moves. Level 3 minimises its score after the move. From level 4 on the bot imagines the hidden racks and
plays games to their end, a fixed number per level, so that a level plays alike on every machine. Level 8 plays by the
clock. The rollout policy of levels 4 and 5 just counts points, that of the others uses learned weights.

With little time, as at a table that its players have left, a net evaluates the imagined games of level 8 after a few
turns: chance further on then matters more than what the net does not see.
"""

from collections.abc import Mapping

from tessella.bots.blockers.heuristic import fewest_groups, move_value
from tessella.bots.blockers.net import Net, net_for
from tessella.bots.blockers.weights import COUNTING, Weights, learned
from tessella.bots.easy import any_of, hasty, imagined_moves
from tessella.bots.interface import Bot, Budget
from tessella.core.game import AnyGame, Rng
from tessella.fast.blockers import from_state
from tessella.fast.blockers.ismcts import InformationSetTree
from tessella.fast.clock import thread_time_ns
from tessella.games import blockers
from tessella.games.blockers.state import Move, State
from tessella.games.blockers.view import View

NEWCOMER_NOTICES, SCATTERBRAIN_NOTICES = 0.15, 0.3
"""Probabilities with which levels 1 and 2 notice a move."""
SCATTERBRAIN_ERROR = 1.0
"""Largest error of level 2 when it evaluates a move, in points."""
CHAMPION_SECONDS = 1.0
"""Thinking time of level 8."""
NET_SECONDS, NET_GAMES = 0.1, 500
"""Budgets up to which a net evaluates imagined games; with more it wins more to play them to their end."""
MAX_GAMES_PER_SECOND = 200_000
"""Upper bound on the speed of the search, to size its tree."""
MAX_GAMES, MAX_NODES = 10_000_000, 1_000_000
RETURN_NANOSECONDS = 200_000
"""Time kept back for handing over the move."""


def counting(view: View, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  needs no budget
    """Return the move with the lowest score right after it, then with the fewest captures; ties at random."""
    state, moves = imagined_moves(blockers, view, rng)
    counts = [_count(state, move) for move in moves]
    return any_of([move for move, count in zip(moves, counts, strict=True) if count == min(counts)], rng)


def searcher(games: int, weights: Weights | None = None) -> Bot:
    """Return a bot that imagines this many games, or fewer if the budget says so; `weights` steer its rollouts."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        return _search(view, Budget(budget.seconds, min(games, budget.nodes or games)), rng, weights)

    return choose


def champion(view: View, budget: Budget, rng: Rng) -> Move:
    """Imagine games for a second, or less if the budget says so."""
    seconds = min(CHAMPION_SECONDS, budget.seconds or CHAMPION_SECONDS)
    return adapting(view, Budget(seconds, budget.nodes), rng)


def adapting(view: View, budget: Budget, rng: Rng) -> Move:
    """Imagine games, evaluated by a net if the budget is small, otherwise played to their end."""
    is_small = budget.seconds is not None and budget.seconds <= NET_SECONDS
    is_small = is_small or (budget.nodes is not None and budget.nodes <= NET_GAMES)
    return (_search_with_net if is_small else _search)(view, budget, rng)


def search(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """Return the searcher without a limit of its own: `tessella.bots.blockers.levels:search@0.1s`."""
    return adapting


def with_net(game: AnyGame) -> Bot:  # noqa: ARG001
    """Return the searcher that always asks a net: `tessella.bots.blockers.levels:with_net@1s`."""
    return _search_with_net


def playing_out(game: AnyGame) -> Bot:  # noqa: ARG001
    """Return the searcher that plays imagined games to their end: `tessella.bots.blockers.levels:playing_out@0.1s`."""
    return _search


LEVELS: Mapping[str, Bot] = {
    "1": hasty(blockers, fewest_groups, NEWCOMER_NOTICES),
    "2": hasty(blockers, move_value, SCATTERBRAIN_NOTICES, SCATTERBRAIN_ERROR),
    "3": counting,
    "4": searcher(20, COUNTING),
    "5": searcher(70, COUNTING),
    "6": searcher(60),
    "7": searcher(250),
    "8": champion,
}


def _search_with_net(view: View, budget: Budget, rng: Rng) -> Move:
    """Ask the net for this number of players; the nets have learned the usual scoring only."""
    net = net_for(view.config.seats) if view.config.scoring == "blockers" else None
    return _search(view, budget, rng, net=net)


def _search(view: View, budget: Budget, rng: Rng, weights: Weights | None = None, net: Net | None = None) -> Move:
    """Search until the budget of games or seconds is used up; without a budget, as long as level 8."""
    began = thread_time_ns()
    seconds = budget.seconds or (3600.0 if budget.nodes else CHAMPION_SECONDS)
    games = min(budget.nodes or int(seconds * MAX_GAMES_PER_SECOND), MAX_GAMES)
    table = from_state(blockers.imagine(view, rng))
    capacity = min(games, MAX_NODES) + 1
    tree = InformationSetTree(table, weights or learned(table.seats), rng.randrange(2**32), capacity, net)
    return table.to_move(tree.choose(games, began + int(seconds * 1e9) - RETURN_NANOSECONDS))


def _count(state: State, move: Move) -> tuple[int, int]:
    after = blockers.preview(state, move).after
    return after.score, sum(after.captured)
