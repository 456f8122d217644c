"""A small net that evaluates boards of Azul between two rounds, fast enough to be called by a search.

A board is encoded as 24 input indices: the pattern of each row, column and colour of its wall, each unfinished line,
the points of its tile, and the tens of its score. The weights of those inputs are summed twice: as the owner's board,
and as an opponent's. The shared inputs (bag, lid, round, who starts) are added. After a ReLU the 64 hidden units of
each seat give its win probability and its margin in points.

Weights are integers, so a net gives the same result compiled and plain, on every machine.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from math import exp

    # compiled, these are in the .pxd: loops of known length are vectorised
    from tessella.fast.azul.features import HIDDEN, PAIR, SLOTS

from tessella.fast.azul.features import (
    BOARD_INPUTS,
    POINTS,
    ROUND,
    ROUNDS_LEFT,
    SHARED_INPUTS,
    SHARED_NUMBERS,
    TURN,
    WEIGHTS,
)


class Net:
    """A net for one number of players and one kind of wall."""

    def __init__(self, weights, first_scale, win_scale, margin_scale):
        """Store the weights; the scales are the fixed-point units of sums, win logits and points."""
        if len(weights) != WEIGHTS:
            raise ValueError(f"a net of Azul has {WEIGHTS} weights, not {len(weights)}")
        if not cython.compiled:
            for name, length in ARRAYS.items():
                setattr(self, name, [0] * length)
        rest = iter(weights)
        for place in range(BOARD_INPUTS * PAIR):
            self.board[place] = next(rest)
        for place in range(SHARED_INPUTS * HIDDEN):
            self.common[place] = next(rest)
        for place in range(HIDDEN):
            self.bias[place] = next(rest)
        for place in range(2 * HIDDEN):
            self.last[place] = next(rest)
        self.win_unit = 1.0 / (first_scale * win_scale)
        self.margin_unit = 1.0 / (first_scale * margin_scale)

    def copy(self):
        """Return a copy: two searches that run at the same time must not share a net."""
        new = Net.__new__(Net)
        if not cython.compiled:
            for name, length in ARRAYS.items():
                setattr(new, name, [0] * length)
        new._assign(self)
        return new

    def _assign(self, other):
        for place in range(BOARD_INPUTS * PAIR):
            self.board[place] = other.board[place]
        for place in range(SHARED_INPUTS * HIDDEN):
            self.common[place] = other.common[place]
        for place in range(HIDDEN):
            self.bias[place] = other.bias[place]
        for place in range(2 * HIDDEN):
            self.last[place] = other.last[place]
        self.win_unit = other.win_unit
        self.margin_unit = other.margin_unit

    def _evaluate(self, seats):
        """Set each seat's win probability (`win`) and lead in points (`margin`) from the encoded inputs."""
        for seat in range(seats):
            self._add_board(seat)
        self._evaluate_sums(seats)

    def _evaluate_sums(self, seats):
        """Do the same when the boards are already summed."""
        for place in range(HIDDEN):
            self.base[place] = self.bias[place]
        for shared in range(10):
            self._add_shared(shared, self.shared_inputs[shared])
        self._add_shared(ROUND + self.shared_inputs[10], 1)
        self._add_shared(ROUNDS_LEFT + self.shared_inputs[11], 1)
        for seat in range(seats):
            self._run_output(seat, seats)
        self._normalise(seats)

    def _add_shared(self, shared, times):
        first = HIDDEN * shared
        for place in range(HIDDEN):
            self.base[place] += times * self.common[first + place]

    def _add_board(self, seat):
        """Sum the weights of a board, for its owner and for the others."""
        mine = PAIR * seat
        first = PAIR * POINTS
        times = self.points[seat]
        for place in range(PAIR):
            self.sums[mine + place] = times * self.board[first + place]
        for slot in range(SLOTS):
            self._add_input(mine, PAIR * self.inputs[SLOTS * seat + slot])

    def _add_input(self, mine, first):
        """Add one input; a loop of its own, so that the compiler vectorises it."""
        for place in range(PAIR):
            self.sums[mine + place] += self.board[first + place]

    def _run_output(self, seat, seats):
        turn = seat - self.shared_inputs[12]
        if turn < 0:
            turn += seats
        first = HIDDEN * (TURN + turn)
        mine = PAIR * seat
        for place in range(HIDDEN):
            self.hidden[place] = self.base[place] + self.common[first + place] + self.sums[mine + place]
        for other in range(seats):
            if other != seat:
                first = PAIR * other + HIDDEN
                for place in range(HIDDEN):
                    self.hidden[place] += self.sums[first + place]
        win = 0
        margin = 0
        for place in range(HIDDEN):
            number = self.hidden[place]
            number = number if number > 0 else 0
            win += number * self.last[place]
            margin += number * self.last[HIDDEN + place]
        self.win[seat] = win * self.win_unit
        self.margin[seat] = margin * self.margin_unit

    def _normalise(self, seats):
        """Turn the win logits of the seats into probabilities (softmax)."""
        best = self.win[0]
        for seat in range(1, seats):
            if self.win[seat] > best:
                best = self.win[seat]
        total = 0.0
        for seat in range(seats):
            self.win[seat] = exp(self.win[seat] - best)
            total += self.win[seat]
        for seat in range(seats):
            self.win[seat] /= total


if not cython.compiled:
    ARRAYS = {"board": BOARD_INPUTS * PAIR, "common": SHARED_INPUTS * HIDDEN, "bias": HIDDEN, "last": 2 * HIDDEN}
    ARRAYS |= {
        "inputs": 4 * SLOTS,
        "points": 4,
        "shared_inputs": SHARED_NUMBERS,
        "base": HIDDEN,
        "sums": 4 * PAIR,
        "hidden": HIDDEN,
    }
    ARRAYS |= {"win": 4, "margin": 4}
