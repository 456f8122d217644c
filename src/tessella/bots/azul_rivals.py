"""Rivals for the strongest players of Azul, each strong or odd in its own way; the arena's gauntlet is made of them.

Flat Monte Carlo tries every move in random games. The tree does the same where it pays (UCT), and because random games
last long, it drags: such games see rounds that good players never reach. The old net is the one before the one that is
shipped. All think as long as the budget says.
"""

from math import log, sqrt
from time import thread_time

from tessella.bots.azul_levels import net_reader
from tessella.bots.budget import Bot, Budget
from tessella.bots.nets import net_named
from tessella.core.game import AnyGame, Rng, Seat
from tessella.fast.azul import Azul, from_state
from tessella.fast.phases import DRAFTING, OVER
from tessella.games import azul
from tessella.games.azul.state import Move
from tessella.games.azul.view import View

USUAL = 0.05
"""The seconds of those who are given none."""
CURIOSITY = 0.7
SEEDS = 2**63
PLAYOUTS = 8
"""Random games at a time."""


def flat(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """The move after which random games end with the best margin."""

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
    """A position in the tree of random games: how often it was met, and what the others than its mover won there."""

    def __init__(self) -> None:
        self.visits = 0
        self.won = 0.0
        self.later: dict[int, _Node] = {}

    def best(self) -> int:
        """The move that promises most, and what is not known of it."""
        push = CURIOSITY * sqrt(log(self.visits))
        return max(self.later, key=lambda move: self.later[move].promise(push))

    def promise(self, push: float) -> float:
        return self.won / self.visits + push / sqrt(self.visits) if self.visits else float("inf")


def dragging(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """A tree over the rest of the round, with games that are played out at random to their end (UCT)."""

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
    """The search of level 7 with the net before the shipped one; for two players and the coloured wall."""
    return net_reader(net_named("azul-2-coloured-old.net"))


def _imagined(view: View, rng: Rng) -> Azul:
    return from_state(azul.imagine(view, rng), rng.randrange(SEEDS))


def _moves(table: Azul, seat: Seat | None) -> list[int]:
    """The moves of a seat; of columns on grey walls several seats may have some."""
    return [move for move in table.moves() if table.to_move(move).seat == seat]


def _after(table: Azul, move: int) -> Azul:
    after = table.copy()
    after.apply(move)
    return after


def _grow(root: _Node, table: Azul, rng: Rng) -> None:
    """One walk down the tree, one new position, one random game, and the news for everybody on the way."""
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
