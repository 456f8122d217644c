"""Open-loop Monte Carlo tree search over a round of Azul Duel.

Each descent redraws what the seat cannot see, walks down the tree, adds a move, and plays the rollout policy to the end
of the round; then the boards are evaluated. Chance decides on the way as it does at the table, so chips and plates
differ in every descent (open loop). The search does not look beyond the round.

The same file runs as plain Python and, with the types of mcts.pxd, compiled. Compiled code does not check bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from math import exp

from tessella.fast.duel.evaluation import Evaluator
from tessella.fast.duel.policy import RolloutPolicy
from tessella.fast.phases import DEALING, DRAFTING, TILING
from tessella.fast.tree import Tree

MIN_WIDTH = 6
"""Moves of each kind considered at first; more are added with the square root of the visits."""
EXPLORATION = 0.6
TEMPERATURE = 1.6
"""Temperature of the prior, in points of value."""
CLOCK_DESCENTS = 4
"""Descents between two clock checks."""
DECISION_DESCENTS = 64
"""Descents between two checks whether the most visited move can still be overtaken."""
NO_MOVE = -1


class OpenLoopTree(Tree):
    """The search of one seat in one position; the same seed and number of descents give the same move."""

    def __init__(
        self,
        table,
        seat,
        seed=0,
        capacity=100_000,
        net=None,
        exploration=EXPLORATION,
        temperature=TEMPERATURE,
    ):
        """Start from a table as a seat that may move; what this seat cannot see makes no difference."""
        self.temperature = temperature
        self.seat = seat
        self.root = RolloutPolicy()
        self.root.table._assign(table)
        self.root._evaluate_dome(0)
        self.root._evaluate_dome(1)
        self.evaluator = Evaluator()
        if net is not None:
            self.evaluator.load_net(net)
        self.policy = self.evaluator.policy
        self.table = self.policy.table
        self.policy.tiles_first = seat
        self.table.random = seed
        self._allocate(capacity, exploration, CLOCK_DESCENTS)
        self.forced = NO_MOVE
        self.chances = self.leads = 0.0
        self._restart()
        if self.table.phase not in (DRAFTING, TILING) or self.policy._mover() != seat:
            raise ValueError(f"seat {seat} is not to move")
        self.static_best = self.policy._best_move()
        self.choices = self.policy._evaluate_moves()

    # Search

    def choose(self, descents, deadline):
        """Return the best move within a number of descents and a deadline on the thread's CPU clock, in ns.

        Stop early when no other move can still overtake the most visited one.
        """
        if self.choices > 1:
            self._search(descents, deadline)
        return self._most_visited(self.static_best)

    def _is_decided(self, done, descents, used, left):
        """Whether no other move can still overtake the most visited one."""
        return done % DECISION_DESCENTS == 0 and self._visit_lead() > min(1.1 * done * left / used, descents - done)

    # Evaluation of a move

    def evaluate(self, move, descents):
        """Return the seat's mean win probability and mean lead over descents that begin with a legal move.

        Call it once per tree, and not together with `choose`.
        """
        self.forced = move
        with cython.nogil:
            self._descend_often(descents)
        chance = self.chances / descents
        lead = self.leads / descents
        return (1.0 - chance, -lead) if self.seat else (chance, lead)

    def moves_made(self):
        """Return how many moves were made in all descents."""
        return self.policy.moves_made

    # One descent

    def _descend(self):
        """Walk down the tree, add a move, play the policy to the end of the round, and back up the result."""
        self._restart()
        self._start_walk()
        while self.going and not self.policy._is_done():
            if self.table.phase == DEALING:
                self.policy._resolve_chance()
            else:
                self._step()
        self.policy._finish()
        self.results[0] = self.evaluator._win_value()
        self.results[1] = 1.0 - self.results[0]
        self._backpropagate()
        self._add_outcome()

    def _restart(self):
        self.policy._copy_from(self.root)
        self.table._imagine(1 << self.seat)

    def _step(self):
        """Select a move among the candidates, and play it."""
        listed = self._list_candidates(self.path[self.depth])
        self._set_priors(listed)
        self.policy._play(self._next_move(self.policy.moves, listed, self.policy._mover()))

    def _add_outcome(self):
        """Add up the first seat's outcome at the end of the round."""
        self.chances += self.evaluator.chance
        self.leads += self.evaluator.lead

    # Candidates

    def _list_candidates(self, node):
        """Move the best moves of each kind to the front, more of them after more visits; return how many."""
        if node == 0 and self.forced != NO_MOVE:
            self.policy.moves[0] = self.forced
            return 1
        listed = self.policy._evaluate_moves()
        plates = self.policy.plates_at
        width = MIN_WIDTH
        while (width - MIN_WIDTH + 1) * (width - MIN_WIDTH + 1) <= self.visits[node]:
            width += 1
        self._partition(0, plates, width)
        self._partition(plates, listed, plates + width)
        taken = width if width < plates else plates
        place = plates
        while place < listed and place < plates + width:
            self.policy.moves[taken] = self.policy.moves[place]
            self.policy.values[taken] = self.policy.values[place]
            taken += 1
            place += 1
        return taken

    def _set_priors(self, listed):
        top = self.policy.values[0]
        for place in range(1, listed):
            top = max(top, self.policy.values[place])
        for place in range(listed):
            self.priors[place] = exp((self.policy.values[place] - top) / self.temperature)

    def _partition(self, start, stop, middle):
        """Reorder moves so that none before the middle has a lower value than any after it (quickselect)."""
        while middle < stop and stop - start > 1:
            pivot = self.policy.values[(start + stop) // 2]
            low = start
            high = stop - 1
            while low <= high:
                while self.policy.values[low] > pivot:
                    low += 1
                while self.policy.values[high] < pivot:
                    high -= 1
                if low <= high:
                    self._swap(low, high)
                    low += 1
                    high -= 1
            if middle <= high:
                stop = high + 1
            elif middle >= low:
                start = low
            else:
                return

    def _swap(self, one, other):
        move = self.policy.moves[one]
        value = self.policy.values[one]
        self.policy.moves[one] = self.policy.moves[other]
        self.policy.values[one] = self.policy.values[other]
        self.policy.moves[other] = move
        self.policy.values[other] = value
