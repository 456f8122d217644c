"""Tree search over a round of Azul for three and four players (max-n with PUCT).

Every player maximises their own win probability. A new position is rolled out and evaluated as in `alphabeta`; the win
probabilities are backed up, and each move keeps the mean of its mover. Moves are selected by that mean plus an
exploration term weighted by a prior from the static score (PUCT).

The same file runs as plain Python and, with the types of mcts.pxd, compiled.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from math import exp, sqrt

    from tessella.fast.azul.alphabeta import CLOCK_NODES, INFINITE, MOVES
    from tessella.fast.clock import thread_time as thread_seconds

from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.phases import DRAFTING

CAPACITY = 1 << 17
"""Number of nodes; a full tree is still searched but does not grow."""
MAX_CHILDREN = 12
"""Children per node, those with the best static scores; twice as many at the root."""
EXPLORATION = 0.4
"""Exploration constant of PUCT."""
TEMPERATURE = 150.0
"""Temperature of the prior: a static score this much higher, in hundredths of a point, is e times as likely."""


class MaxnTree:
    """A searcher of rounds for any number of players; nothing carries over from one search to the next."""

    def __init__(self, net=None):
        """Allocate the tree, and a searcher that lists, scores and evaluates for it."""
        self.search = AlphaBeta(net)
        if not cython.compiled:
            for name in ["move", "first", "width", "visits"]:
                setattr(self, name, [0] * CAPACITY)
            self.prior = [0.0] * CAPACITY
            self.total = [0.0] * CAPACITY
            self.path = [0] * 41

    def think(self, table, seat, nodes=0, seconds=0.0):
        """Return the most visited move within a limit of nodes or of seconds of CPU time of the thread."""
        if table.phase != DRAFTING:
            return self.search.think(table, seat)
        if not nodes and not seconds:
            raise ValueError("no limit: give nodes or seconds")
        deadline = thread_seconds() + seconds if seconds else 0.0
        self.search._begin(table, seat)
        with cython.nogil:
            self._grow(nodes if nodes else 1 << 62, deadline)
        return self._most_visited()

    def _search_nodes(self, table, seat, nodes):
        """Do the same without checks or a clock, for self-play."""
        self.search._begin(table, seat)
        self._grow(nodes, 0.0)
        return self._most_visited()

    def _grow(self, most, deadline):
        self._reset_tree()
        self.nodes = 0
        while self.nodes < most:
            self._descend()
            self.nodes += 1
            if deadline > 0 and self.nodes % CLOCK_NODES == 0 and thread_seconds() >= deadline:
                return

    def _reset_tree(self):
        self.used = 1
        self.first[0] = 0
        self.width[0] = 0
        self.visits[0] = 0
        self.total[0] = 0.0
        self._expand(0, 0, 2 * MAX_CHILDREN)

    def _descend(self):
        """Walk down to an unvisited position, evaluate it, and undo all moves."""
        ply = 0
        node = 0
        self.path[0] = 0
        while self.first[node]:
            node = self._choose(node)
            self.search._take(ply, self.move[node])
            ply += 1
            self.path[ply] = node
        if self.search.table.present:
            if self.visits[node]:
                self._expand(node, ply, MAX_CHILDREN)
            self.search._rollout(ply)
        else:
            self.search._value()
        self.visits[0] += 1
        while ply > 0:
            node = self.path[ply]
            ply -= 1
            self.search._take_back(ply)
            self.visits[node] += 1
            self.total[node] += self.search.win_probability[self.search.table.current]

    def _choose(self, node):
        """Return the child with the greatest upper bound; an unvisited one counts as the mean of its siblings."""
        first = self.first[node]
        visits_of_children = 0
        total = 0.0
        for child in range(first, first + self.width[node]):
            visits_of_children += self.visits[child]
            total += self.total[child]
        mean_of_siblings = total / visits_of_children if visits_of_children else 0.0
        exploration = EXPLORATION * sqrt(visits_of_children + 1.0)
        best = first
        most = -1.0
        for child in range(first, first + self.width[node]):
            mean = self.total[child] / self.visits[child] if self.visits[child] else mean_of_siblings
            bound = mean + exploration * self.prior[child] / (1 + self.visits[child])
            if bound > most:
                most = bound
                best = child
        return best

    def _expand(self, node, ply, width):
        """Add the moves with the best static scores as children, if there is capacity."""
        listed = self.search._list(ply, -1)
        if listed < width:
            width = listed
        if self.used + width > CAPACITY:
            return
        self.first[node] = self.used
        self.width[node] = width
        best = -INFINITE
        total = 0.0
        for place in range(width):
            child = self.used + place
            self.move[child] = self.search._next_move(ply, place, listed)
            order = self.search.orders[MOVES * ply + place]
            if place == 0:
                best = order
            self.first[child] = 0
            self.visits[child] = 0
            self.total[child] = 0.0
            self.prior[child] = exp((order - best) / TEMPERATURE)
            total += self.prior[child]
        for place in range(width):
            self.prior[self.used + place] /= total
        self.used += width

    def _most_visited(self):
        best = self.first[0]
        for child in range(self.first[0], self.first[0] + self.width[0]):
            if self.visits[child] > self.visits[best]:
                best = child
        return self.move[best]
