"""Lookahead into the next round of Azul, once this one has been searched to its end.

Each move that is nearly as good as the best is played to the end of the round. From there the factories are filled
again and again, with the same seed for every move, and the start of the next round is searched. The mean value over
these deals is more accurate than a static evaluation. All remaining time goes into this.

The same file runs as plain Python and, with the types of lookahead.pxd, compiled.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.bits import GOLDEN, WORD
    from tessella.fast.clock import thread_time as thread_seconds

from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.azul.rules import Azul
from tessella.fast.phases import DEALING, DRAFTING, OVER

MAX_CANDIDATES = 4
"""Maximum number of moves that are compared."""
SLACK = 30000
"""Maximum loss of a candidate against the best move, in millionths of a win."""
PLAYOUT_NODES = 20000
"""Nodes per move while a candidate is played to the end of the round."""
DEAL_NODES = 300
"""Nodes searched after each deal."""
MIN_DEALS = 16
"""Fewer deals than this are ignored."""


class Lookahead:
    """A searcher for two players that looks into the next round; nothing carries over between searches."""

    def __init__(self, net=None, policy=None):
        """Allocate a search for this round, one for the next, and a table per candidate; narrow with a policy."""
        self.search = AlphaBeta(net, policy)
        self.searcher = AlphaBeta(net, policy)
        self.table = Azul(2)
        self.end_tables = [Azul(2) for _ in range(MAX_CANDIDATES)]
        if not cython.compiled:
            self.candidate_moves = [0] * MAX_CANDIDATES
            self.candidate_values = [0] * MAX_CANDIDATES
            self.deal_values = [0] * MAX_CANDIDATES
            self.total = [0] * MAX_CANDIDATES

    def think(self, table, seat, seconds, seed=0):
        """Return the best move found for a seat within seconds of CPU time of the thread; the seed is for the deals."""
        self.deadline = thread_seconds() + seconds
        self.deals = 0
        best = self.search.think(table, seat, 0, seconds)
        if self.search.stopped or table.phase != DRAFTING:
            return best
        self.search.deadline = self.deadline
        self._find_candidates()
        if self.search.stopped or self.candidates < 2:
            return best
        for place in range(self.candidates):
            self._play_to_end(self.end_tables[place], table, place)
        while thread_seconds() < self.deadline:
            self._sample_deal(seat, (seed + GOLDEN * self.deals) & WORD)
        return best if self.deals < MIN_DEALS else self._best_candidate()

    def _find_candidates(self):
        """Collect the best moves of the round, if they are nearly equal."""
        listed = self.search._compare_moves(SLACK)
        self.candidates = 0
        for place in range(listed):
            if self.search.root_values[place] > self.search.value - SLACK:
                self._insert(self.search.moves[place], self.search.root_values[place])

    def _insert(self, move, value):
        """Insert a move among the candidates, sorted by value; the last one may drop out."""
        if self.candidates < MAX_CANDIDATES:
            self.candidates += 1
        elif value <= self.candidate_values[MAX_CANDIDATES - 1]:
            return
        place = self.candidates - 1
        while place > 0 and self.candidate_values[place - 1] < value:
            self.candidate_values[place] = self.candidate_values[place - 1]
            self.candidate_moves[place] = self.candidate_moves[place - 1]
            place -= 1
        self.candidate_values[place] = value
        self.candidate_moves[place] = move
        self.total[self.candidates - 1] = 0

    def _play_to_end(self, end, table, place):
        """Play a round to its end with a searched move for every player."""
        end.assign(table)
        end.apply(self.candidate_moves[place])
        while end.phase != DEALING and end.phase != OVER:
            left = self.deadline - thread_seconds()
            end.apply(self.searcher.think(end, end.seat(), PLAYOUT_NODES if left > 0 else 1, left if left > 0 else 0.0))

    def _sample_deal(self, seat, seed):
        """Fill the factories after every candidate with the same seed, and add up the values.

        A deal counts only if there was time to search it for every candidate: an interrupted search would bias one of
        them.
        """
        for place in range(self.candidates):
            left = self.deadline - thread_seconds()
            if left <= 0:
                return
            end = self.end_tables[place]
            self.deal_values[place] = self.candidate_values[place]
            if end.phase != OVER:
                self.table._assign(end)
                self.table.random = seed
                self.table._deal()
                self.searcher.think(self.table, seat, DEAL_NODES, left)
                self.deal_values[place] = self.searcher.value
        if thread_seconds() >= self.deadline:
            return
        for place in range(self.candidates):
            self.total[place] += self.deal_values[place]
        self.deals += 1

    def _best_candidate(self):
        best = 0
        for place in range(1, self.candidates):
            if self.total[place] > self.total[best]:
                best = place
        return self.candidate_moves[best]
