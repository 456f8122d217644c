"""Self-play games of Azul as training data: positions between two rounds, and how their games ended.

A game begins with some warm-up rounds, in which each seat plays as one of five kinds, from random to searching, so that
unusual boards and long games occur too. Then all seats search, with an occasional slip, and every position between two
rounds is recorded with each seat's part of the win and its points.

The same file runs as plain Python and, with the types of selfplay.pxd, compiled.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.azul.alphabeta import INFINITE
    from tessella.fast.azul.features import SLOTS
    from tessella.fast.azul.state import complete

from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.azul.features import ROWS_PER_GAME, SHARED_NUMBERS, WEIGHTS
from tessella.fast.azul.mcts import MaxnTree
from tessella.fast.azul.net import Net
from tessella.fast.azul.rules import Azul
from tessella.fast.phases import DEALING, DRAFTING, OVER

NOISE = 300
"""Noise of a noisy player's static scores, in hundredths of a point."""
RANDOM, NOISY, GREEDY, SEARCHING = 0, 1, 2, 3
KINDS = 5
"""Kinds of players in warm-up rounds: random, greedy with noise, greedy; kinds 3 and 4 both search."""


class Selfplay:
    """A table at which searchers play each other; one seed gives the same games."""

    def __init__(self, seats=2, grey=False, seed=0, net=None, nodes=100, policy=None):
        """Set up the table; players search `nodes` nodes per move, with the net and the policy if there are any."""
        self.table = Azul(seats, grey, seed)
        self.search = AlphaBeta(net, policy)
        self.tree = MaxnTree(net)
        self.nodes = nodes
        self.encoder = AlphaBeta(Net([0] * WEIGHTS, 1, 1, 1))
        if not cython.compiled:
            self.kind = [0] * 4

    def play(self, games, inputs, points, shared_inputs, wins, scores):
        """Play games, write the recorded positions to NumPy arrays, and return their number.

        Each row is a position: the inputs of all boards, their points, the shared inputs; then the parts of the win and
        the final points.
        """
        self.inputs = memoryview(inputs)
        self.points = memoryview(points)
        self.shared_inputs = memoryview(shared_inputs)
        self.wins = memoryview(wins)
        self.scores = memoryview(scores)
        if len(inputs) < ROWS_PER_GAME * games:
            raise ValueError(f"{games} games need {ROWS_PER_GAME * games} rows, got {len(inputs)}")
        self.recorded = 0
        with cython.nogil:
            for _ in range(games):
                self._play()
        return self.recorded

    def _play(self):
        self._begin()
        first = self.recorded
        while self.table.phase != OVER:
            if self.table.phase == DEALING:
                if self.table.round > 0 and self.table.round >= self.warmup_rounds:
                    self._record_position()
                self.table._deal()
            else:
                self.table._apply(self._choose())
        self._record_outcome(first)

    def _begin(self):
        """Choose the number of warm-up rounds, who plays how in them, and how often players slip later."""
        self.table._reset()
        self.warmup_rounds = self.table._below(8) if self.table._below(2) else 0
        for seat in range(self.table.seats):
            self.kind[seat] = self.table._below(KINDS) if self.warmup_rounds < 5 else RANDOM  # only such games are long
        self.slip_percent = 4 * self.table._below(4)

    def _choose(self):
        seat = self.table._seat()
        kind = SEARCHING
        if self.table.round <= self.warmup_rounds:
            kind = self.kind[seat]
        elif self.table._below(100) < self.slip_percent:
            kind = self.table._below(2)
        if kind == RANDOM:
            return self.table.listed[self.table._below(self.table._list())]
        if kind < SEARCHING and self.table.phase == DRAFTING:
            return self._greedy_move(seat, NOISE if kind == NOISY else 0)
        return self._search_move(seat)

    def _greedy_move(self, seat, noise):
        """Return the move with the best static score, after adding noise."""
        self.search._begin(self.table, seat)
        best = 0
        most = -INFINITE
        for place in range(self.search._list(0, -1)):
            order = self.search.orders[place]
            if noise:
                order += self.table._below(noise) - self.table._below(noise)
            if order > most:
                most = order
                best = self.search.moves[place]
        return best

    def _search_move(self, seat):
        if self.table.seats > 2 and self.table.phase == DRAFTING:
            return self.tree._search_nodes(self.table, seat, self.nodes)
        self.search._begin(self.table, seat)
        self.search.node_limit = self.nodes
        self.search.deadline = 0.0
        self.search._search_root()
        return self.search.best

    def _record_position(self):
        """Record the position between two rounds."""
        self.encoder._encode_table(self.table)
        for at in range(SLOTS * self.table.seats):
            self.inputs[self.recorded, at] = self.encoder.net.inputs[at]
        for at in range(SHARED_NUMBERS):
            self.shared_inputs[self.recorded, at] = self.encoder.net.shared_inputs[at]
        for seat in range(self.table.seats):
            self.points[self.recorded, seat] = self.encoder.net.points[seat]
        self.recorded += 1

    def _record_outcome(self, first):
        """AZ52: record the outcome for every position of this game."""
        best = -1
        winners = 0
        for seat in range(self.table.seats):
            rank = 8 * self.table.score[seat] + complete(self.table.wall[seat])
            if rank > best:
                best = rank
                winners = 0
            if rank == best:
                winners += 1
        for at in range(first, self.recorded):
            for seat in range(self.table.seats):
                rank = 8 * self.table.score[seat] + complete(self.table.wall[seat])
                self.wins[at, seat] = 1.0 / winners if rank == best else 0.0
                self.scores[at, seat] = self.table.score[seat]
