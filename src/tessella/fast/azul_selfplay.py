"""Games of Azul to learn from: how tables lay between two rounds, and how those games ended.

A game begins roughly: for some rounds each seat plays as one of five kinds does, from any move at all to a careful
reader, so that odd boards and long games are seen as well. Then all seats read, with a slip now and then, and from
there on every boundary between two rounds is kept, with the share of the win that each seat got and its points.

The same file runs as it is and, with the types of azul_selfplay.pxd, compiled.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.azul_inputs import SLOTS
    from tessella.fast.azul_search import FAR
    from tessella.fast.azul_table import complete

from tessella.fast.azul import Azul
from tessella.fast.azul_inputs import ROWS_A_GAME, SHOWN, WEIGHTS
from tessella.fast.azul_net import Net
from tessella.fast.azul_search import Search
from tessella.fast.azul_tree import Tree
from tessella.fast.phases import DEALING, DRAFTING, OVER

BLUR = 300
"""How far a player who does not look closely misjudges a move, in hundredths of a point."""
ANY, BLURRED, SHARP, SOUND, READING = 0, 1, 2, 3, 4
"""The kinds of players: any move, what looks best at a glance, what looks best, and two who read."""


class Selfplay:
    """A table at which readers play each other, over and over. One seed gives the same games."""

    def __init__(self, seats=2, grey=False, seed=0, net=None, nodes=100):
        """Lay the table; the readers read so many positions a move, and ask the net if there is one."""
        self.table = Azul(seats, grey, seed)
        self.search = Search(net)
        self.tree = Tree(net)
        self.nodes = nodes
        self.witness = Search(Net([0] * WEIGHTS, 1, 1, 1))
        if not cython.compiled:
            self.kind = [0] * 4

    def play(self, games, inputs, points, shown, wins, scores):
        """Play so many games, write what was learned from them to NumPy arrays, and give the number of boundaries.

        Each row of the arrays is a boundary: the inputs of all boards, their points, what all share; then the shares of
        the win and the final points.
        """
        self.inputs = memoryview(inputs)
        self.points = memoryview(points)
        self.shown = memoryview(shown)
        self.wins = memoryview(wins)
        self.scores = memoryview(scores)
        if len(inputs) < ROWS_A_GAME * games:
            raise ValueError(f"{games} games may fill {ROWS_A_GAME * games} rows, and there are {len(inputs)}")
        self.kept = 0
        with cython.nogil:
            for _ in range(games):
                self._play()
        return self.kept

    def _play(self):
        self._begin()
        first = self.kept
        while self.table.phase != OVER:
            if self.table.phase == DEALING:
                if self.table.round > 0 and self.table.round >= self.rough:
                    self._keep()
                self.table._deal()
            else:
                self.table._apply(self._choose())
        self._tell(first)

    def _begin(self):
        """Decide for how many rounds the game is rough, who plays how in them, and how often anybody slips later."""
        self.table._reset()
        self.rough = self.table._below(8) if self.table._below(2) else 0
        for seat in range(self.table.seats):
            self.kind[seat] = self.table._below(5) if self.rough < 5 else ANY  # only such games are long
        self.slips = 4 * self.table._below(4)

    def _choose(self):
        seat = self.table._seat()
        kind = READING
        if self.table.round <= self.rough:
            kind = self.kind[seat]
        elif self.table._below(100) < self.slips:
            kind = self.table._below(2)
        if kind == ANY:
            return self.table.listed[self.table._below(self.table._list())]
        if kind < SOUND and self.table.phase == DRAFTING:
            return self._glance(seat, BLUR if kind == BLURRED else 0)
        return self._read(seat)

    def _glance(self, seat, blur):
        """What looks best at once, misjudged by up to so much."""
        self.search._begin(self.table, seat)
        best = 0
        most = -FAR
        for place in range(self.search._list(0, -1)):
            order = self.search.orders[place]
            if blur:
                order += self.table._below(blur) - self.table._below(blur)
            if order > most:
                most = order
                best = self.search.moves[place]
        return best

    def _read(self, seat):
        if self.table.seats > 2 and self.table.phase == DRAFTING:
            return self.tree._read_on(self.table, seat, self.nodes)
        self.search._begin(self.table, seat)
        self.search.most = self.nodes
        self.search.until = 0.0
        self.search._decide()
        return self.search.best

    def _keep(self):
        """Write down how the table lies."""
        self.witness._lay_out(self.table)
        for at in range(SLOTS * self.table.seats):
            self.inputs[self.kept, at] = self.witness.net.inputs[at]
        for at in range(SHOWN):
            self.shown[self.kept, at] = self.witness.net.shown[at]
        for seat in range(self.table.seats):
            self.points[self.kept, seat] = self.witness.net.points[seat]
        self.kept += 1

    def _tell(self, first):
        """AZ52: write down how the game ended, for every boundary that was kept of it."""
        best = -1
        winners = 0
        for seat in range(self.table.seats):
            rank = 8 * self.table.score[seat] + complete(self.table.wall[seat])
            if rank > best:
                best = rank
                winners = 0
            if rank == best:
                winners += 1
        for at in range(first, self.kept):
            for seat in range(self.table.seats):
                rank = 8 * self.table.score[seat] + complete(self.table.wall[seat])
                self.wins[at, seat] = 1.0 / winners if rank == best else 0.0
                self.scores[at, seat] = self.table.score[seat]
