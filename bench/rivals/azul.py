"""Rivals for the strongest bots of Azul, each strong or unusual in its own way; they make up the arena's gauntlet.

Flat Monte Carlo tries every move in random games. The tree does the same selectively (UCT), and because random games
last long, it drags: such games reach rounds that good players never see. The old net is the first one that was learned,
the wide master is level 8 before it had a move policy and its present net. All use the time that the budget allows.
"""

from functools import cache, partial
from math import log, sqrt
from pathlib import Path
from time import thread_time

from tessella.bots.azul.levels import look_ahead, search_with
from tessella.bots.azul.net import read
from tessella.bots.interface import Bot, Budget
from tessella.core.game import AnyGame, Rng, Seat
from tessella.fast.azul import Azul, from_state
from tessella.fast.azul.net import Net
from tessella.fast.phases import DRAFTING, OVER
from tessella.games import azul
from tessella.games.azul.state import Move
from tessella.games.azul.view import View

USUAL = 0.05
"""Seconds per move without a budget."""
EXPLORATION = 0.7
SEEDS = 2**63
PLAYOUTS = 8
"""Random games at a time."""


def flat(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """Return the move after which random games end with the best margin."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        until = thread_time() + (budget.seconds or USUAL)
        table = _imagined(view, rng)
        seat = view.seat
        moves = _moves(table, seat)
        after = [_after(table, move) for move in moves]
        totals = [0.0] * len(moves)
        while thread_time() < until:
            for place, one in enumerate(after):
                *_, points = one.playouts(PLAYOUTS)
                totals[place] += 2 * points[seat or 0] - sum(points)
        return table.to_move(moves[totals.index(max(totals))])

    return choose


class _Node:
    """A position in the tree of random games: its visits, and what the others than its mover won there."""

    def __init__(self) -> None:
        self.visits = 0
        self.won = 0.0
        self.later: dict[int, _Node] = {}

    def best(self) -> int:
        """Return the move with the best upper confidence bound."""
        push = EXPLORATION * sqrt(log(self.visits))
        return max(self.later, key=lambda move: self.later[move].promise(push))

    def promise(self, push: float) -> float:
        return self.won / self.visits + push / sqrt(self.visits) if self.visits else float("inf")


def dragging(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """Return a bot with a tree over the rest of the round, and random playouts to the end of the game (UCT)."""

    def choose(view: View, budget: Budget, rng: Rng) -> Move:
        until = thread_time() + (budget.seconds or USUAL)
        table = _imagined(view, rng)
        if table.phase != DRAFTING:
            return table.to_move(_moves(table, view.seat)[0])
        root = _Node()
        while thread_time() < until or not root.later:
            _grow(root, table, rng)
        return table.to_move(max(root.later, key=lambda move: root.later[move].visits))

    return choose


def old_net(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """Return the search of level 7 with the net before the shipped one; for two players and the coloured wall."""
    return search_with(_net("azul-2-coloured-old.net"))


def wide_master(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """Return level 8 as it was before its search became narrow, with its net; for two players, coloured wall."""
    return partial(look_ahead, net=wide_net(), policy=None)


def wide_net() -> Net:
    """Return the net that the wide master plays with."""
    return _net("azul-2-coloured-wide.net")


@cache
def _net(name: str) -> Net:
    return read(Path(__file__).with_name(name).read_bytes())[1]


def _imagined(view: View, rng: Rng) -> Azul:
    return from_state(azul.imagine(view, rng), rng.randrange(SEEDS))


def _moves(table: Azul, seat: Seat | None) -> list[int]:
    """Return the moves of a seat; several seats may have moves when columns are chosen on grey walls."""
    return [move for move in table.moves() if table.to_move(move).seat == seat]


def _after(table: Azul, move: int) -> Azul:
    after = table.copy()
    after.apply(move)
    return after


def _grow(root: _Node, table: Azul, rng: Rng) -> None:
    """Walk down the tree, add a position, play a random game, and back up its result."""
    node, here = root, from_state(table.to_state(), rng.randrange(SEEDS))
    path = [(root, 0)]
    while here.phase == DRAFTING and node.visits:
        if not node.later:
            node.later = {move: _Node() for move in here.moves()}
        move, mover = node.best(), here.seat()
        here.apply(move)
        node = node.later[move]
        path.append((node, mover))
    if here.phase != OVER:
        here.playout()
    scores = here.scores()
    for met, mover in path:
        met.visits += 1
        met.won += _share(scores, mover)


def _share(scores: tuple[int, ...], seat: int) -> float:
    return (scores[seat] == max(scores)) / scores.count(max(scores))
