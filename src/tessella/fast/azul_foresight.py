"""Looking into the next round of Azul when this one has been read to its end: the last doubts are settled by deals.

Of the moves that are nearly as good as the best, each is followed to the end of the round. From there the factories are
filled anew, again and again, with the same luck for every move, and the first moves of the next round are read. The
mean of what they are worth says more than any value of the boards alone. All time that is left is spent so.

The same file runs as it is and, with the types of azul_foresight.pxd, compiled.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from time import thread_time as thread_seconds

    from tessella.fast.azul_words import GOLDEN, WORD

from tessella.fast.azul import Azul
from tessella.fast.azul_search import Search
from tessella.fast.phases import DEALING, DRAFTING, OVER

RIVALS = 4
"""The moves that are compared, at most."""
SLACK = 30000
"""How much less than the best they may be worth, in millionths of a win."""
LINE_NODES = 20000
"""The positions that are read for each move until the end of the round."""
NODES = 300
"""The positions that are read after each deal."""
LEAST = 16
"""So few deals say nothing."""


class Foresight:
    """A reader for two players who looks into the next round. It carries nothing over from one search to the next."""

    def __init__(self, net=None):
        """Take a search for this round, one for the next, and a table for each move that is compared."""
        self.search = Search(net)
        self.reader = Search(net)
        self.table = Azul(2)
        self.ends = [Azul(2) for _ in range(RIVALS)]
        if not cython.compiled:
            self.rival = [0] * RIVALS
            self.worth = [0] * RIVALS
            self.fresh = [0] * RIVALS
            self.total = [0] * RIVALS

    def think(self, table, seat, seconds, seed=0):
        """The best move that is found for a seat within so much CPU time of the thread; the seed is for the deals."""
        self.until = thread_seconds() + seconds
        self.deals = 0
        best = self.search.think(table, seat, 0, seconds)
        if self.search.stopped or table.phase != DRAFTING:
            return best
        self.search.until = self.until
        self._choose_rivals()
        if self.search.stopped or self.rivals < 2:
            return best
        for place in range(self.rivals):
            self._follow(self.ends[place], table, place)
        while thread_seconds() < self.until:
            self._deal_all(seat, (seed + GOLDEN * self.deals) & WORD)
        return best if self.deals < LEAST else self._favourite()

    def _choose_rivals(self):
        """The best moves of the round, if they are nearly equal."""
        listed = self.search._compare(SLACK)
        self.rivals = 0
        for place in range(listed):
            if self.search.looked[place] > self.search.value - SLACK:
                self._enter(self.search.moves[place], self.search.looked[place])

    def _enter(self, move, worth):
        """Put a move where it belongs among the rivals, the best first; the last one may have to go."""
        if self.rivals < RIVALS:
            self.rivals += 1
        elif worth <= self.worth[RIVALS - 1]:
            return
        place = self.rivals - 1
        while place > 0 and self.worth[place - 1] < worth:
            self.worth[place] = self.worth[place - 1]
            self.rival[place] = self.rival[place - 1]
            place -= 1
        self.worth[place] = worth
        self.rival[place] = move
        self.total[self.rivals - 1] = 0

    def _follow(self, end, table, place):
        """Play a round to its end, everybody as well as they can see."""
        end.assign(table)
        end.apply(self.rival[place])
        while end.phase != DEALING and end.phase != OVER:
            left = self.until - thread_seconds()
            end.apply(self.reader.think(end, end.seat(), LINE_NODES if left > 0 else 1, left if left > 0 else 0.0))

    def _deal_all(self, seat, luck):
        """Fill the factories after every rival with the same luck, and read what it is worth, if there is time."""
        for place in range(self.rivals):
            left = self.until - thread_seconds()
            if left <= 0:
                return
            end = self.ends[place]
            self.fresh[place] = self.worth[place]
            if end.phase != OVER:
                self.table._assign(end)
                self.table.random = luck
                self.table._deal()
                self.reader.think(self.table, seat, NODES, left)
                self.fresh[place] = self.reader.value
        for place in range(self.rivals):
            self.total[place] += self.fresh[place]
        self.deals += 1

    def _favourite(self):
        best = 0
        for place in range(1, self.rivals):
            if self.total[place] > self.total[best]:
                best = place
        return self.rival[best]
