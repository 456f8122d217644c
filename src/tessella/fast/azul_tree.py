"""Reading a round of Azul for three and four players: a tree that grows where each player's best moves are.

Everybody plays for an own share in the win (max-n). A new position is played out and weighed as in `azul_search`; the
shares go up the tree, and each move remembers the mean share of who made it. Which move is read next is decided by that
mean and by how good the move looked at first sight, the more so the less it has been read (PUCT).

The same file runs as it is and, with the types of azul_tree.pxd, compiled.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from math import exp, sqrt
    from time import thread_time as thread_seconds

    from tessella.fast.azul_search import FAR, MOVES, PATIENCE

from tessella.fast.azul_search import Search
from tessella.fast.phases import DRAFTING

ROOM = 1 << 17
"""The moves that the tree can hold; when it is full, it is read but grows no more."""
WIDTH = 12
"""The moves that are read of a position, the best at first sight; at the root twice as many."""
CURIOSITY = 0.4
"""How much a move that looked good is read before its mean decides."""
SPREAD = 150.0
"""So many hundredths of a point more at first sight make a move e times as likely to be read."""


class Tree:
    """A reader of rounds for any number of players. It carries nothing over from one search to the next."""

    def __init__(self, net=None):
        """Take a search along, which knows what looks good and, with or without a net, what boards are worth."""
        self.search = Search(net)
        if not cython.compiled:
            for name in ["move", "first", "width", "visits"]:
                setattr(self, name, [0] * ROOM)
            self.prior = [0.0] * ROOM
            self.total = [0.0] * ROOM
            self.path = [0] * 41

    def think(self, table, seat, nodes=0, seconds=0.0):
        """The move that was read most, after so many positions or so much CPU time of the thread; one must be given."""
        if table.phase != DRAFTING:
            return self.search.think(table, seat)
        if not nodes and not seconds:
            raise ValueError("a tree needs a limit")
        until = thread_seconds() + seconds if seconds else 0.0
        self.search._begin(table, seat)
        with cython.nogil:
            self._grow(nodes if nodes else 1 << 62, until)
        return self._most_read()

    def _read_on(self, table, seat, nodes):
        """The same without asking what is wrong, as often as self-play wants it."""
        self.search._begin(table, seat)
        self._grow(nodes, 0.0)
        return self._most_read()

    def _grow(self, most, until):
        self._plant()
        self.nodes = 0
        while self.nodes < most:
            self._read()
            self.nodes += 1
            if until > 0 and self.nodes % PATIENCE == 0 and thread_seconds() >= until:
                return

    def _plant(self):
        self.used = 1
        self.first[0] = 0
        self.width[0] = 0
        self.visits[0] = 0
        self.total[0] = 0.0
        self._expand(0, 0, 2 * WIDTH)

    def _read(self):
        """Walk down to a position that was not read before, weigh it, and take everything back."""
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
                self._expand(node, ply, WIDTH)
            self.search._play_out(ply)
        else:
            self.search._value()
        self.visits[0] += 1
        while ply > 0:
            node = self.path[ply]
            ply -= 1
            self.search._take_back(ply)
            self.visits[node] += 1
            self.total[node] += self.search.share[self.search.table.current]

    def _choose(self, node):
        """The move whose mean share, and what is still hoped of it, is greatest; a new one counts as the others do."""
        first = self.first[node]
        read = 0
        total = 0.0
        for child in range(first, first + self.width[node]):
            read += self.visits[child]
            total += self.total[child]
        usual = total / read if read else 0.0
        push = CURIOSITY * sqrt(read + 1.0)
        best = first
        most = -1.0
        for child in range(first, first + self.width[node]):
            mean = self.total[child] / self.visits[child] if self.visits[child] else usual
            hope = mean + push * self.prior[child] / (1 + self.visits[child])
            if hope > most:
                most = hope
                best = child
        return best

    def _expand(self, node, ply, width):
        """Add the best moves of the position at first sight, if there is room."""
        listed = self.search._list(ply, -1)
        if listed < width:
            width = listed
        if self.used + width > ROOM:
            return
        self.first[node] = self.used
        self.width[node] = width
        best = -FAR
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
            self.prior[child] = exp((order - best) / SPREAD)
            total += self.prior[child]
        for place in range(width):
            self.prior[self.used + place] /= total
        self.used += width

    def _most_read(self):
        best = self.first[0]
        for child in range(self.first[0], self.first[0] + self.width[0]):
            if self.visits[child] > self.visits[best]:
                best = child
        return self.move[best]
