"""Boards of Azul after a round, and what they are worth: by a net that was shown them, or by hand."""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from math import exp
    from math import trunc as whole

    from tessella.fast.azul_inputs import SLOTS
    from tessella.fast.azul_table import complete
    from tessella.fast.azul_words import COLUMN, LOWEST, ONE, PENALTY, ROUNDS, RUN, SET_SIZE

from tessella.fast.azul_inputs import BAG, COLOUR_OF, COLUMN_OF, LID, LINE, MOST_POINTS, NEXT, ROW, TENS

WIN = 1000000
FAR = 1 << 30
FIRST_NEXT = 120
"""What it is worth to start the next round."""
BESIDE = 40
"""What each tile in the same column, and of the same colour, adds in view of the bonuses."""

# What a wall promises. A round more than these may come, never less: the game ends with a complete row.
CHANCE = [0] * 30
"""Six for each number of rounds to come: how likely, in %, a column or colour is completed that has so many tiles."""
LATER = [0] * 5
"""What the coming rounds add to the next one, in %, for each number of them."""
FILLED = [0] * 5
"""How likely, in %, an empty line of each row is completed in a round."""
SLOPE = [0.0] * 5
"""How much a point says about who wins, for each number of rounds to come (measured in games of equal players)."""


def _prepare():
    chances = [[0, 0, 2, 15, 50], [0, 0, 2, 15, 50], [0, 2, 12, 35, 65], [3, 10, 25, 45, 70], [8, 18, 32, 50, 75]]
    for rounds in range(5):
        for tiles in range(5):
            CHANCE[6 * rounds + tiles] = chances[rounds][tiles]
        CHANCE[6 * rounds + 5] = 100
    for rounds, (later, slope) in enumerate([(100, 0.173), (100, 0.173), (130, 0.139), (160, 0.111), (180, 0.086)]):
        LATER[rounds] = later
        SLOPE[rounds] = slope
    for row, filled in enumerate([90, 80, 65, 50, 35]):
        FILLED[row] = filled


_prepare()


class Boards:
    """The boards at which a search thinks."""

    def _weigh(self):
        """The share of each seat in the win, with these boards. The searcher's is the value; points decide the rest."""
        rounds = self._coming()
        if rounds == 0:
            self._share_by_place()
        elif self.learned:
            self._show(rounds)
            self.net._weigh(self.table.seats)
            return self._net_value()
        else:
            self._share_by_promise(rounds if rounds < 4 else 4)
        return whole(WIN * self.share[self.me]) + self._lead()

    def _coming(self):
        """The rounds that must still come before a row can be complete; 0 when the game is over."""
        if self.table.round >= ROUNDS:
            return 0
        rounds = 5
        for seat in range(self.table.seats):
            missing = self._missing(seat)
            if missing < rounds:
                rounds = missing
        return rounds

    def _missing(self, seat):
        """The tiles that a board needs at least to complete a row."""
        most = 0
        for row in range(5):
            tiles = SET_SIZE[self.wall[seat] >> 5 * row & 31]
            if tiles > most:
                most = tiles
        return 5 - most

    def _starter(self):
        """AZ24: who will start the next round."""
        return self.table.marker if self.table.marker < self.table.seats else self.table.start

    def _net_value(self):
        for seat in range(self.table.seats):
            self.share[seat] = self.net.win[seat]
            self.promise[seat] = whole(100 * self.net.margin[seat])
        return whole(WIN * self.share[self.me]) + self._lead()

    def _show(self, rounds):
        """Show the net the boards as they lie, and what all share."""
        lid = self.table.lid
        for seat in range(self.table.seats):
            self._show_board(seat)
            lid += self._given_back(seat)
        self._show_shared(rounds, lid)

    def _given_back(self, seat):
        """AZ20: what goes into the lid when complete lines are tiled."""
        tiles = 0
        for row in range(1, 5):
            if self.table.held[seat] >> 8 * row & 255 > row:
                tiles += row * ONE[self.table.hue[seat] >> 8 * row & 255]
        return tiles

    def _show_shared(self, rounds, lid):
        for colour in range(5):
            self.net.shown[BAG + colour] = self.table.bag >> 8 * colour & 255
            self.net.shown[LID + colour] = lid >> 8 * colour & 255
        self.net.shown[10] = self.table.round - 1 if self.table.round < 8 else 7
        self.net.shown[11] = rounds - 1
        self.net.shown[12] = self._starter()

    def _show_board(self, seat):
        at = SLOTS * seat
        points = self._settled(seat)
        self.net.points[seat] = points if points < MOST_POINTS else MOST_POINTS
        for group in range(5):
            self.net.inputs[at + group] = ROW + 32 * group + (self.wall[seat] >> 5 * group & 31)
            self.net.inputs[at + 5 + group] = COLUMN_OF + 32 * group + (self.turned[seat] >> 5 * group & 31)
            self.net.inputs[at + 10 + group] = COLOUR_OF + 32 * group + (self.taken[seat] >> 8 * group & 31)
        for line in range(4):
            self._show_line(seat, line)
        self.net.inputs[at + 23] = TENS + (points // 10 if points < 110 else 11)

    def _show_line(self, seat, line):
        """A line from the second on, if it stays on the board, and the points of its tile."""
        row = line + 1
        held = self.table.held[seat] >> 8 * row & 255
        laid = after = 0
        if 0 < held <= row:
            colour = self.table.hue[seat] >> 8 * row & 255
            column = self._column(seat, row, colour)
            laid = 4 * colour + held
            if column < 5:
                after = 10 * (row - held) + self._space_points(seat, row, column)
        self.net.inputs[SLOTS * seat + 15 + line] = LINE + 21 * line + laid
        self.net.inputs[SLOTS * seat + 19 + line] = NEXT + 41 * line + after

    def _settled(self, seat):
        """AZ23: the points after the floor, never below 0."""
        points = self.points[seat] - PENALTY[self.fallen[seat] if self.fallen[seat] < 7 else 7]
        return points if points > 0 else 0

    def _bonuses(self, seat, rounds):
        """AZ51: the bonuses, each as likely as it is to come."""
        hope = 0
        for group in range(5):
            hope += 200 * CHANCE[6 * rounds + SET_SIZE[self.wall[seat] >> 5 * group & 31]]
            hope += 700 * CHANCE[6 * rounds + SET_SIZE[self.turned[seat] >> 5 * group & 31]]
            hope += 1000 * CHANCE[6 * rounds + SET_SIZE[self.taken[seat] >> 8 * group & 31]]
        return hope // 100

    def _earned(self, seat):
        bonus = 2 * complete(self.wall[seat]) + 7 * complete(self.turned[seat])
        for colour in range(5):
            if self.taken[seat] >> 8 * colour & 31 == 31:
                bonus += 10
        return bonus

    def _rows(self, seat, rounds):
        """What the next tile of each row will score, as likely as its line is to be completed."""
        hope = 0
        for row in range(5):
            held = self.table.held[seat] >> 8 * row & 255
            if 0 < held <= row:
                colour = self.table.hue[seat] >> 8 * row & 255
                column = self._column(seat, row, colour)
                if column < 5:
                    likely = FILLED[row] + (100 - FILLED[row]) * held // (row + 1)
                    hope += likely * 100 * self._space_points(seat, row, column)
            else:
                hope += FILLED[row] * self._usual_points(seat, row)
        return hope * LATER[rounds] // 10000

    def _usual_points(self, seat, row):
        """The mean points, in hundredths, over the empty spaces of a row."""
        empty = ~(self.wall[seat] >> 5 * row) & 31
        spaces = SET_SIZE[empty]
        points = 0
        while empty:
            points += self._space_points(seat, row, LOWEST[empty])
            empty &= empty - 1
        return 100 * points // spaces if spaces else 0

    def _space_points(self, seat, row, column):
        """AZ22: the points of a tile there."""
        points = (
            RUN[5 * (self.wall[seat] >> 5 * row & 31) + column] + RUN[5 * (self.turned[seat] >> 5 * column & 31) + row]
        )
        return points if points else 1

    def _space_worth(self, seat, row, column, colour):
        beside = SET_SIZE[self.turned[seat] >> 5 * column & 31] + SET_SIZE[self.taken[seat] >> 8 * colour & 31]
        return 100 * self._space_points(seat, row, column) + BESIDE * beside

    def _column(self, seat, row, colour):
        """The column for a colour in a row; the best at first sight on a grey wall, and 5 if there is none."""
        if not self.table.grey:
            return COLUMN[5 * row + colour]
        columns = self._open_columns(seat, row, colour)
        best = 5
        most = -1
        while columns:
            column = LOWEST[columns]
            columns &= columns - 1
            worth = self._space_worth(seat, row, column, colour)
            if worth > most:
                most = worth
                best = column
        return best

    def _open_columns(self, seat, row, colour):
        """AZ30: the columns of a grey wall where a colour may go."""
        return ~(self.wall[seat] >> 5 * row | self.columns[seat] >> 8 * colour) & 31

    def _share_by_promise(self, rounds):
        """A board's chance to win grows with each point that it promises more than the best."""
        for seat in range(self.table.seats):
            self.promise[seat] = 100 * self._settled(seat) + self._bonuses(seat, rounds) + self._rows(seat, rounds)
        self.promise[self._starter()] += FIRST_NEXT
        slope = SLOPE[rounds] / 100
        best = -FAR
        for seat in range(self.table.seats):
            if self.promise[seat] > best:
                best = self.promise[seat]
        total = 0.0
        for seat in range(self.table.seats):
            self.share[seat] = exp(slope * (self.promise[seat] - best))
            total += self.share[seat]
        for seat in range(self.table.seats):
            self.share[seat] /= total

    def _share_by_place(self):
        """AZ52: most points win, then most complete rows; who is equal shares it."""
        for seat in range(self.table.seats):
            self.promise[seat] = 100 * (self._settled(seat) + self._earned(seat))
        best = -FAR
        winners = 0
        for seat in range(self.table.seats):
            rank = 8 * self.promise[seat] + complete(self.wall[seat])
            if rank > best:
                best = rank
                winners = 0
            if rank == best:
                winners += 1
        for seat in range(self.table.seats):
            rank = 8 * self.promise[seat] + complete(self.wall[seat])
            self.share[seat] = 1.0 / winners if rank == best else 0.0

    def _lead(self):
        """How much more the searcher's board promises than the best of the others."""
        best = -FAR
        for seat in range(self.table.seats):
            if seat != self.me and self.promise[seat] > best:
                best = self.promise[seat]
        return self.promise[self.me] - best
