"""What boards of Azul are worth between two rounds, as learned from games: a net so small that a search can ask it.

A board is shown as 24 numbers of inputs: the pattern of each row, column and colour of its wall, each unfinished line,
what its tile will score, and the tens of its points. The weights of those inputs are added up twice: as one's own
board, and as the board of an opponent. What all share is added too: the bag, the lid, the round, who starts. What is
left above zero (32 numbers for each seat) says how likely the seat wins, and by how many points.

Weights are whole numbers, so a net says the same compiled and plain, here and on every other machine.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from math import exp

    # compiled, these are in the .pxd: loops whose length is known are quick
    from tessella.fast.azul_inputs import HIDDEN, PAIR, SLOTS

from tessella.fast.azul_inputs import BOARD_INPUTS, COMING, POINTS, ROUND, SHARED_INPUTS, SHOWN, TURN, WEIGHTS


class Net:
    """A net for one number of players and one kind of wall."""

    def __init__(self, weights, first_scale, win_scale, margin_scale):
        """Take the weights; the scales say how much 1 is in sums, in chances to win and in points."""
        if len(weights) != WEIGHTS:
            raise ValueError(f"a net of Azul has {WEIGHTS} weights, not {len(weights)}")
        if not cython.compiled:
            for name, length in ROOM.items():
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
        """The same net again: two that are asked at the same time must not be one."""
        new = Net.__new__(Net)
        if not cython.compiled:
            for name, length in ROOM.items():
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

    def _weigh(self, seats):
        """Say for every seat its share of the win (`win`) and its points (`margin`), from what was shown."""
        for seat in range(seats):
            self._add_board(seat)
        self._say(seats)

    def _say(self, seats):
        """The same when the boards have been added up."""
        for place in range(HIDDEN):
            self.base[place] = self.bias[place]
        for shared in range(10):
            self._add_shared(shared, self.shown[shared])
        self._add_shared(ROUND + self.shown[10], 1)
        self._add_shared(COMING + self.shown[11], 1)
        for seat in range(seats):
            self._judge(seat, seats)
        self._share(seats)

    def _add_shared(self, shared, times):
        first = HIDDEN * shared
        for place in range(HIDDEN):
            self.base[place] += times * self.common[first + place]

    def _add_board(self, seat):
        """Add up the weights of a board, for its owner and for the others."""
        mine = PAIR * seat
        first = PAIR * POINTS
        times = self.points[seat]
        for place in range(PAIR):
            self.sums[mine + place] = times * self.board[first + place]
        for slot in range(SLOTS):
            self._add_input(mine, PAIR * self.inputs[SLOTS * seat + slot])

    def _add_input(self, mine, first):
        """A loop of its own, so that the compiler takes many weights at a time."""
        for place in range(PAIR):
            self.sums[mine + place] += self.board[first + place]

    def _judge(self, seat, seats):
        turn = seat - self.shown[12]
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

    def _share(self, seats):
        """Turn what was said of the seats into shares of one win."""
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
    ROOM = {"board": BOARD_INPUTS * PAIR, "common": SHARED_INPUTS * HIDDEN, "bias": HIDDEN, "last": 2 * HIDDEN}
    ROOM |= {"inputs": 4 * SLOTS, "points": 4, "shown": SHOWN, "base": HIDDEN, "sums": 4 * PAIR, "hidden": HIDDEN}
    ROOM |= {"win": 4, "margin": 4}
