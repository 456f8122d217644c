"""The value of boards of Azul between rounds: by a net, or by a heuristic."""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from math import exp
    from math import trunc as whole

    from tessella.fast.azul.constants import COLUMN, LOWEST, ONE, PENALTY, ROUNDS, RUN, SET_SIZE
    from tessella.fast.azul.features import SLOTS
    from tessella.fast.azul.state import complete

from tessella.fast.azul.features import BAG, COLOUR_OF, COLUMN_OF, LID, LINE, MOST_POINTS, NEXT, ROW, TENS

WIN_VALUE = 1000000
INFINITE = 1 << 30
START_VALUE = 120
"""Value of starting the next round, in hundredths of a point."""
NEIGHBOUR_VALUE = 40
"""Value that each tile in the same column, and of the same colour, adds in view of the bonuses."""

# Parameters of the heuristic. More rounds than `_rounds_left` may come, never fewer: a complete row ends the game.
BONUS_PERCENT = [0] * 30
"""Six per number of rounds left: probability in % that a column or colour with 0 to 5 tiles is completed."""
LATER_PERCENT = [0] * 5
"""Weight of all rounds left relative to the next one, in %, by their number."""
FILL_PERCENT = [0] * 5
"""Probability in % that an empty line of each row is completed in a round."""
SLOPE = [0.0] * 5
"""Log-odds of winning per point, by the number of rounds left (measured in games of equal players)."""


def _prepare():
    chances = [[0, 0, 2, 15, 50], [0, 0, 2, 15, 50], [0, 2, 12, 35, 65], [3, 10, 25, 45, 70], [8, 18, 32, 50, 75]]
    for rounds in range(5):
        for tiles in range(5):
            BONUS_PERCENT[6 * rounds + tiles] = chances[rounds][tiles]
        BONUS_PERCENT[6 * rounds + 5] = 100
    for rounds, (later, slope) in enumerate([(100, 0.173), (100, 0.173), (130, 0.139), (160, 0.111), (180, 0.086)]):
        LATER_PERCENT[rounds] = later
        SLOPE[rounds] = slope
    for row, filled in enumerate([90, 80, 65, 50, 35]):
        FILL_PERCENT[row] = filled


_prepare()


class Evaluator:
    """Static evaluation of the boards of a search."""

    def _evaluate(self):
        """Set each seat's win probability for these boards; return the value for the searcher, points breaking ties."""
        rounds = self._rounds_left()
        if rounds == 0:
            self._set_win_by_place()
        elif self.has_net:
            self._encode(rounds)
            self.net._evaluate(self.table.seats)
            return self._net_value()
        else:
            self._set_win_by_expected_score(rounds if rounds < 4 else 4)
        return whole(WIN_VALUE * self.win_probability[self.me]) + self._lead()

    def _rounds_left(self):
        """Return the minimum number of rounds before a row can be complete; 0 when the game is over."""
        if self.table.round >= ROUNDS:
            return 0
        rounds = 5
        for seat in range(self.table.seats):
            missing = self._tiles_to_complete_row(seat)
            if missing < rounds:
                rounds = missing
        return rounds

    def _tiles_to_complete_row(self, seat):
        """Return the minimum number of tiles that a board needs to complete a row."""
        most = 0
        for row in range(5):
            tiles = SET_SIZE[self.wall[seat] >> 5 * row & 31]
            if tiles > most:
                most = tiles
        return 5 - most

    def _starter(self):
        """AZ24: return the seat that starts the next round."""
        return self.table.marker if self.table.marker < self.table.seats else self.table.start

    def _net_value(self):
        for seat in range(self.table.seats):
            self.win_probability[seat] = self.net.win[seat]
            self.expected_score[seat] = whole(100 * self.net.margin[seat])
        return whole(WIN_VALUE * self.win_probability[self.me]) + self._lead()

    def _encode(self, rounds):
        """Encode the boards and the shared inputs for the net."""
        lid = self.table.lid
        for seat in range(self.table.seats):
            self._encode_board(seat)
            lid += self._tiles_to_lid(seat)
        self._encode_shared(rounds, lid)

    def _tiles_to_lid(self, seat):
        """AZ20: return what goes into the lid when complete lines are tiled."""
        tiles = 0
        for row in range(1, 5):
            if self.table.held[seat] >> 8 * row & 255 > row:
                tiles += row * ONE[self.table.hue[seat] >> 8 * row & 255]
        return tiles

    def _encode_shared(self, rounds, lid):
        for colour in range(5):
            self.net.shared_inputs[BAG + colour] = self.table.bag >> 8 * colour & 255
            self.net.shared_inputs[LID + colour] = lid >> 8 * colour & 255
        self.net.shared_inputs[10] = self.table.round - 1 if self.table.round < 8 else 7
        self.net.shared_inputs[11] = rounds - 1
        self.net.shared_inputs[12] = self._starter()

    def _encode_board(self, seat):
        at = SLOTS * seat
        points = self._points_after_floor(seat)
        self.net.points[seat] = points if points < MOST_POINTS else MOST_POINTS
        for group in range(5):
            self.net.inputs[at + group] = ROW + 32 * group + (self.wall[seat] >> 5 * group & 31)
            self.net.inputs[at + 5 + group] = COLUMN_OF + 32 * group + (self.turned[seat] >> 5 * group & 31)
            self.net.inputs[at + 10 + group] = COLOUR_OF + 32 * group + (self.taken[seat] >> 8 * group & 31)
        for line in range(4):
            self._encode_line(seat, line)
        self.net.inputs[at + 23] = TENS + (points // 10 if points < 110 else 11)

    def _encode_line(self, seat, line):
        """Encode a line from the second on, if it stays on the board, and the points of its tile."""
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

    def _points_after_floor(self, seat):
        """AZ23: return the points after the floor penalty, never below 0."""
        points = self.points[seat] - PENALTY[self.fallen[seat] if self.fallen[seat] < 7 else 7]
        return points if points > 0 else 0

    def _expected_bonuses(self, seat, rounds):
        """AZ51: return the bonuses weighted by their probabilities."""
        expected = 0
        for group in range(5):
            expected += 200 * BONUS_PERCENT[6 * rounds + SET_SIZE[self.wall[seat] >> 5 * group & 31]]
            expected += 700 * BONUS_PERCENT[6 * rounds + SET_SIZE[self.turned[seat] >> 5 * group & 31]]
            expected += 1000 * BONUS_PERCENT[6 * rounds + SET_SIZE[self.taken[seat] >> 8 * group & 31]]
        return expected // 100

    def _final_bonus(self, seat):
        bonus = 2 * complete(self.wall[seat]) + 7 * complete(self.turned[seat])
        for colour in range(5):
            if self.taken[seat] >> 8 * colour & 31 == 31:
                bonus += 10
        return bonus

    def _expected_lines(self, seat, rounds):
        """Return the points of the next tile of each row weighted by the probability that its line is completed."""
        expected = 0
        for row in range(5):
            held = self.table.held[seat] >> 8 * row & 255
            if 0 < held <= row:
                colour = self.table.hue[seat] >> 8 * row & 255
                column = self._column(seat, row, colour)
                if column < 5:
                    likely = FILL_PERCENT[row] + (100 - FILL_PERCENT[row]) * held // (row + 1)
                    expected += likely * 100 * self._space_points(seat, row, column)
            else:
                expected += FILL_PERCENT[row] * self._mean_points(seat, row)
        return expected * LATER_PERCENT[rounds] // 10000

    def _mean_points(self, seat, row):
        """Return the mean points, in hundredths, over the empty spaces of a row."""
        empty = ~(self.wall[seat] >> 5 * row) & 31
        spaces = SET_SIZE[empty]
        points = 0
        while empty:
            points += self._space_points(seat, row, LOWEST[empty])
            empty &= empty - 1
        return 100 * points // spaces if spaces else 0

    def _space_points(self, seat, row, column):
        """AZ22: return the points of a tile on a space."""
        points = (
            RUN[5 * (self.wall[seat] >> 5 * row & 31) + column] + RUN[5 * (self.turned[seat] >> 5 * column & 31) + row]
        )
        return points if points else 1

    def _space_value(self, seat, row, column, colour):
        beside = SET_SIZE[self.turned[seat] >> 5 * column & 31] + SET_SIZE[self.taken[seat] >> 8 * colour & 31]
        return 100 * self._space_points(seat, row, column) + NEIGHBOUR_VALUE * beside

    def _column(self, seat, row, colour):
        """Return the column for a colour in a row; on a grey wall the one of greatest value, 5 if there is none."""
        if not self.table.grey:
            return COLUMN[5 * row + colour]
        columns = self._open_columns(seat, row, colour)
        best = 5
        most = -1
        while columns:
            column = LOWEST[columns]
            columns &= columns - 1
            value = self._space_value(seat, row, column, colour)
            if value > most:
                most = value
                best = column
        return best

    def _open_columns(self, seat, row, colour):
        """AZ30: return the columns of a grey wall that accept a colour."""
        return ~(self.wall[seat] >> 5 * row | self.columns[seat] >> 8 * colour) & 31

    def _set_win_by_expected_score(self, rounds):
        """Set the win probabilities by a softmax of the expected scores."""
        for seat in range(self.table.seats):
            self.expected_score[seat] = (
                100 * self._points_after_floor(seat)
                + self._expected_bonuses(seat, rounds)
                + self._expected_lines(seat, rounds)
            )
        self.expected_score[self._starter()] += START_VALUE
        slope = SLOPE[rounds] / 100
        best = -INFINITE
        for seat in range(self.table.seats):
            if self.expected_score[seat] > best:
                best = self.expected_score[seat]
        total = 0.0
        for seat in range(self.table.seats):
            self.win_probability[seat] = exp(slope * (self.expected_score[seat] - best))
            total += self.win_probability[seat]
        for seat in range(self.table.seats):
            self.win_probability[seat] /= total

    def _set_win_by_place(self):
        """AZ52: the most points win, then the most complete rows; ties share the win."""
        for seat in range(self.table.seats):
            self.expected_score[seat] = 100 * (self._points_after_floor(seat) + self._final_bonus(seat))
        best = -INFINITE
        winners = 0
        for seat in range(self.table.seats):
            rank = 8 * self.expected_score[seat] + complete(self.wall[seat])
            if rank > best:
                best = rank
                winners = 0
            if rank == best:
                winners += 1
        for seat in range(self.table.seats):
            rank = 8 * self.expected_score[seat] + complete(self.wall[seat])
            self.win_probability[seat] = 1.0 / winners if rank == best else 0.0

    def _lead(self):
        """Return the searcher's lead in expected score over the best of the others."""
        best = -INFINITE
        for seat in range(self.table.seats):
            if seat != self.me and self.expected_score[seat] > best:
                best = self.expected_score[seat]
        return self.expected_score[self.me] - best
