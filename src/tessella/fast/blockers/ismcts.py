"""Information-set Monte Carlo tree search for Blockers!.

Each descent redeals the hidden tiles, walks down the seat's own moves, adds one, and rolls out: to the end of the game,
or, with a net, for a few turns, after which the net evaluates the position. The others play the rollout policy: their
tiles differ in every descent, so a tree of their moves would learn nothing before the seat's next move was ever tried.

The same file runs as plain Python and, with the types of ismcts.pxd, compiled. Compiled code does not check bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from math import exp

    from tessella.fast.bits import bits_set
    from tessella.fast.blockers.constants import HOUSE_LOWER, HOUSE_UPPER, STAYING
    from tessella.fast.blockers.moves import move_cell, move_hand
    from tessella.fast.blockers.policy import TREE_MOVES, UNITS_PER_POINT, WILD, RolloutPolicy
    from tessella.fast.phases import DEALING, OVER

from tessella.fast.blockers.evaluation import Evaluator
from tessella.fast.clock import thread_time_ns
from tessella.fast.tree import Tree

ROOT_MOVES = 16
"""Moves considered at the root."""
EXPLORATION = 1.0
TEMPERATURE = 0.4
"""Temperature of the prior, in points of value."""
EAGER_REJECTION = 0.75
"""Probability of rejecting a tile for another's rack, if it was so good that it would have been played."""
LINES_PER_DESCENT, LINE_NANOSECONDS = 10, 500
"""Lines of play that may be solved in place of one descent, and roughly how long one takes."""
CLOCK_LINES = 64
"""Lines of play between two clock checks."""
CLOCK_DESCENTS = 8
"""Descents between two clock checks."""
ROLLOUT_TURNS = 4
"""Turns of a rollout before the net evaluates the position."""


class InformationSetTree(Tree):
    """The search of one seat in one position; the same seed and number of descents give the same move."""

    def __init__(self, table, weights, seed=0, capacity=100_000, net=None):
        """Start from a table as the seat to move; the racks of the others make no difference."""
        self.evaluator = Evaluator()
        if net is not None:
            self.evaluator.load_net(net)
        self.policy = RolloutPolicy(table, weights, seed)
        self.root = self.policy.root
        self.table = self.policy.table
        self.seat = self.root.current
        self._allocate(capacity, EXPLORATION, CLOCK_DESCENTS)
        self._clear()
        if self.root._list() == 0:
            raise ValueError("nobody is to move")
        self._find_eager()
        self._rank_root()

    def _clear(self):
        self.eager = [0] * 5
        self.root_moves = [0] * 16
        self.root_values = [0] * 16
        self.won = [0.0] * 10
        self.solved = [0.0] * 30
        self.tried_cells = [0] * 984

    # Search

    def choose(self, descents, deadline):
        """Return the best move within a number of descents and a deadline on the thread's CPU clock, in ns."""
        move = self._solve(LINES_PER_DESCENT * descents, deadline)
        if move >= 0:
            return move
        if self.listed > 1:
            self._search(descents, deadline)
        return self._most_visited(self.root_moves[0])

    def ranked(self):
        """Return the moves considered at the root and their values, best first."""
        return [
            (self.root_moves[place], 1.0 * self.root_values[place] / UNITS_PER_POINT) for place in range(self.listed)
        ]

    # The last lap

    def _solve(self, lines, deadline):
        """Return the first move of the best line of the last lap; -1 before that lap, or if there is no time."""
        now = thread_time_ns()
        if self._count_lines() > min(lines, (deadline - now) // (2 * LINE_NANOSECONDS)):
            return -1
        self.tables = [self.root.copy() for _ in range(self.root.plays_left + 1)]
        self.lines_left = lines
        self.solve_deadline = now + (deadline - now) // 2
        move = self._solve_from(0)
        return move if self.lines_left > 0 else -1

    def _count_lines(self):
        """Return roughly how many lines of play are left if all supplies are empty, otherwise a huge number."""
        lines = 1.0
        for colour in range(self.root.colours):
            if self.root.supply[colour]:
                return 1e99
        self.policy._restart()
        for _ in range(self.root.plays_left):
            lines *= self.table._list()
            self.table.current = (self.table.current + 1) % self.table.seats
        return lines

    def _solve_from(self, depth):
        """Search every line of play; set what each seat wins by the best one, and return its first move.

        Every colour is played once more, so it makes no difference which tile goes to a cell.
        """
        table = self.tables[depth]
        after = self.tables[depth + 1]
        for place in range(164):
            self.tried_cells[164 * depth + place] = 0
        best = -1
        for place in range(table._list()):
            move = table.listed[place]
            cell = 164 * depth + 82 * move_hand(move) + move_cell(move)
            if not self.tried_cells[cell] and self.lines_left > 0:
                self.tried_cells[cell] = 1
                after._assign(table)
                after._apply(move)
                self._solve_after(after, depth)
                if best < 0 or self.policy.rewards[table.current] > self.solved[5 * depth + table.current]:
                    best = move
                    for seat in range(table.seats):
                        self.solved[5 * depth + seat] = self.policy.rewards[seat]
        for seat in range(table.seats):
            self.policy.rewards[seat] = self.solved[5 * depth + seat]
        return best

    def _solve_after(self, after, depth):
        if after.phase != OVER:
            self._solve_from(depth + 1)
            return
        self._score_end(after)
        self.lines_left -= 1
        if self.lines_left % CLOCK_LINES == 0 and thread_time_ns() > self.solve_deadline:
            self.lines_left = 0

    def _score_end(self, table):
        for seat in range(table.seats):
            self.policy.keys[seat] = table._score(seat) + table.catches[seat] / 64.0
        self.policy._set_rewards()

    # One descent

    def _descend(self):
        """Redeal, walk down the tree, add a move, roll out, and back up the reward of the seat."""
        self.policy._restart()
        self._imagine()
        self._start_walk()
        while self.going and self.table.phase != OVER:
            if self.table.phase == DEALING:
                self.table._deal()
            elif self.table.current != self.seat and (self.depth > 0 or self.listed == 0):
                self.policy._play(self.policy._choose_move())
            else:
                self._step()
        if self.evaluator.has_net:
            self._roll_out()
            self.results[self.seat] = self.evaluator.chances[self.seat]
        else:
            self.policy._finish()
            self.results[self.seat] = self.policy.rewards[self.seat]
        self._backpropagate()

    def _roll_out(self):
        """Play some turns, and evaluate the position."""
        turns = 0
        while self.table.phase == DEALING or (turns < ROLLOUT_TURNS and self.table.phase != OVER):
            if self.table.phase == DEALING:
                self.table._deal()
            else:
                self.policy._play(self.policy._choose_move())
                turns += 1
        if self.table.phase == OVER:
            self.evaluator._evaluate_end(self.policy)
        else:
            self.evaluator._evaluate(self.policy)

    def _step(self):
        """Select a move of the seat, and play it."""
        listed = self._recall_root() if self.depth == 0 else self.policy._list_best(TREE_MOVES)
        self._set_priors(listed)
        self.policy._play(self._next_move(self.policy.moves, listed, self.seat))

    def _set_priors(self, listed):
        for place in range(listed):
            self.priors[place] = exp(
                (self.policy.values[place] - self.policy.values[0]) / (TEMPERATURE * UNITS_PER_POINT)
            )

    def _imagine(self):
        """BL40: redeal what the seat cannot see; tiles that would have been played already are less likely."""
        for colour in range(self.table.colours):
            shown = self.table.seats == 2 and self.table.unplayed[colour] == STAYING
            if colour % self.table.seats != self.seat and not shown:
                unseen = self.table.rack[colour] | self.table.supply[colour]
                held = bits_set(self.table.rack[colour])
                rack = self.table._drawn(unseen, 1)
                while bits_set(rack) < held:
                    face = self.table._drawn(unseen & ~rack, 1)
                    if not face & self.eager[colour] or self.policy._uniform() > EAGER_REJECTION:
                        rack |= face
                self.table.rack[colour] = rack
                self.table.supply[colour] = unseen ^ rack

    def _find_eager(self):
        """Find the tiles with which a colour could join groups on an empty cell; they are rarely held back."""
        upper = lower = 0
        for colour in range(self.root.colours):
            upper |= self.root.upper[colour]
            lower |= self.root.lower[colour]
        for colour in range(self.root.colours):
            for face in range(WILD):
                cells = self.policy.join_upper[colour] & ~upper & HOUSE_UPPER[face]
                if cells | self.policy.join_lower[colour] & ~lower & HOUSE_LOWER[face]:
                    self.eager[colour] |= 1 << face

    # Evaluation of a position

    def evaluate(self, seat, move, descents):
        """Return each seat's win probability and mean lead in points after a move; -1 means no move.

        The seat knows its own racks only: nothing about the mover's, unless it moves itself. All rollouts go on to the
        end of the game.
        """
        self.evaluator.has_net = False
        self.seat = seat
        self.listed = 1 if move >= 0 else 0
        self.root_moves[0] = move
        for place in range(10):
            self.won[place] = 0.0
        with cython.nogil:
            for _ in range(descents):
                self._descend()
                self._count_win()
        return [(self.won[one] / descents, self.won[5 + one] / descents) for one in range(self.root.seats)]

    def _count_win(self):
        for seat in range(self.table.seats):
            best = 1e9
            winners = 1
            for other in range(self.table.seats):
                if other != seat and self.policy.keys[other] < best:
                    best = self.policy.keys[other]
                winners += other != seat and self.policy.keys[other] == self.policy.keys[seat]
            if self.policy.keys[seat] <= best:
                self.won[seat] += 1.0 / winners
            self.won[5 + seat] += best - self.policy.keys[seat]

    # The root

    def _recall_root(self):
        if self.listed == 0:
            return self.policy._list_best(TREE_MOVES)
        for place in range(self.listed):
            self.policy.moves[place] = self.root_moves[place]
            self.policy.values[place] = self.root_values[place]
        return self.listed

    def _rank_root(self):
        """List the best moves at the root by their values."""
        self.policy._restart()
        self.listed = self.policy._list_best(ROOT_MOVES)
        for place in range(self.listed):
            self.root_moves[place] = self.policy.moves[place]
            self.root_values[place] = self.policy.values[place]
