"""Self-play games of Blockers! as training data: positions in the middle of games, and how those ended.

Each player weighs the moves that the rollout policy likes best by the net's evaluation of the position after them, with
racks for the others that it imagines; without a net it plays the rollout policy. In some games players slip.

The same file runs as plain Python and, with the types of selfplay.pxd, compiled. Compiled code does not check bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.blockers.evaluation import INPUTS

from tessella.fast.blockers.evaluation import Evaluator
from tessella.fast.blockers.policy import RolloutPolicy
from tessella.fast.blockers.rules import Blockers
from tessella.fast.phases import DEALING, OVER

SPACING = 5
"""Turns per recorded position, on average."""
ROWS_PER_GAME = 96
"""Rows that always suffice for a game: a position has one for all its seats."""
SLIPS = 3
"""How often players slip: in a third of the games never, in a third in 6 % of the turns, in a third in 12 %."""
SLIP_PERCENT = 6
SLIP_MOVES = 6
"""A slip is one of the moves that the rollout policy likes best."""


class Selfplay:
    """A table at which players who look one move ahead play each other; one seed gives the same games."""

    def __init__(self, seats, weights, seed=0, net=None, width=12):
        """Set up the table; `weights` are those of the rollout policy, `width` is the number of moves weighed."""
        self.policy = RolloutPolicy(Blockers(seats, False, seed), weights, seed)
        self.imagined = RolloutPolicy(self.policy.table, weights, seed + 1)
        self.trial = RolloutPolicy(self.policy.table, weights, seed + 2)
        self.table = self.policy.table
        self.evaluator = Evaluator()
        if net is not None:
            self.evaluator.load_net(net)
        self.policy.narrow = False
        self.width = width
        self.recorded = 0
        self.slip_percent = 0

    def play(self, games, inputs, chances):
        """Play games, write the recorded positions to NumPy arrays, and return their number.

        Each row is a position: the inputs of all seats; then their chances in the finished game.
        """
        self.inputs = memoryview(inputs)
        self.chances = memoryview(chances)
        if len(inputs) < ROWS_PER_GAME * games:
            raise ValueError(f"{games} games need {ROWS_PER_GAME * games} rows, got {len(inputs)}")
        self.recorded = 0
        with cython.nogil:
            for _ in range(games):
                self._play()
        return self.recorded

    def _play(self):
        first = self.recorded
        self.policy._restart()
        self.slip_percent = SLIP_PERCENT * self.table._below(SLIPS)
        while self.table.phase != OVER:
            if self.table.phase == DEALING:
                self.table._deal()
            else:
                if self.table._below(SPACING) == 0:
                    self._record_position()
                self.policy._play(self._choose())
        self._record_outcome(first)

    def _choose(self):
        if self.table._below(100) < self.slip_percent:
            return self.policy.moves[self.table._below(self.policy._list_best(SLIP_MOVES))]
        if not self.evaluator.has_net:
            return self.policy._choose_move()
        return self._weighed()

    def _weighed(self):
        """Return the move after which the seat to move stands best."""
        seat = self.table.current
        self.imagined._copy_from(self.policy)
        self.imagined.table._imagine(seat)
        listed = self.imagined._list_best(self.width)
        best = self.imagined.moves[0]
        most = -1.0
        for place in range(listed):
            self.trial._copy_from(self.imagined)
            self.trial._play(self.imagined.moves[place])
            if self.trial.table.phase == OVER:
                self.evaluator._evaluate_end(self.trial)
            else:
                self.evaluator._evaluate(self.trial)
            if self.evaluator.chances[seat] > most:
                most = self.evaluator.chances[seat]
                best = self.imagined.moves[place]
        return best

    def _record_position(self):
        self.evaluator._prepare(self.policy, self.table)
        for seat in range(self.table.seats):
            self.evaluator._encode(self.policy, self.table, seat)
            for place in range(INPUTS):
                self.inputs[self.recorded, INPUTS * seat + place] = self.evaluator.inputs[place]
        self.recorded += 1

    def _record_outcome(self, first):
        """Record the chances in the finished game for every position of this game."""
        self.evaluator._evaluate_end(self.policy)
        for at in range(first, self.recorded):
            for seat in range(self.table.seats):
                self.chances[at, seat] = self.evaluator.chances[seat]
