"""Static evaluation of Azul Duel between two rounds: by a heuristic, or by a learned net.

A board is encoded for the net as 129 numbers: points, how full each row and column is, what the lines hold and what
their tiles would bring, where there is room, what plates and faces are expected to score, chips, who starts. The net of
that round has 24 hidden ReLU units and direct weights from each input, and returns how good the board is; the
difference of both boards is the log-odds that the first seat wins.

The same file runs as plain Python and, with the types of evaluation.pxd, compiled.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from math import exp

    from tessella.fast.bits import lowest
    from tessella.fast.duel.constants import (
        BIT,
        BLOCK,
        COLOUR_ROWS_FACE,
        COLUMNS_FACE,
        CORNERS_FACE,
        DIAGONALS_FACE,
        EMPTY_SPECIALS_FACE,
        FALLING,
        JOKERS_FACE,
        LINE_COUNT,
        MATCHING,
        OUTER,
        OUTER_FACE,
        RISING,
        ROWS_FACE,
        SHIFT,
        SPECIALS,
    )
    from tessella.fast.duel.policy import CHIP_VALUE, FILLS, FIRST_NEXT, JOKER_FRACTION, SPACE
    from tessella.fast.duel.rules import chip_count, column_of, size

    HIDDEN = 24
    INPUTS = 129

from tessella.fast.duel.policy import RolloutPolicy
from tessella.fast.phases import OVER

INPUT_NUMBERS = INPUTS
HIDDEN_NUMBERS = HIDDEN
ROUNDS = 4
"""Rounds that are followed by another; there is a net for each."""
SPAN = INPUTS * HIDDEN + 2 * HIDDEN + INPUTS
"""Weights per round: inputs to hidden, bias, hidden to output, inputs to output."""
WEIGHTS = ROUNDS * SPAN
SLOPE = [0.05, 0.06, 0.07, 0.085, 0.12, 0.3]
"""Log-odds of winning per point, after each round, for the heuristic."""
POINT = [0.1, 0.1, 0.105, 0.125, 0.175]
"""Output of the net per point of the final lead, after each round (measured)."""
MARGIN = 0.1
"""Part of the result of a finished game that depends on the lead; the rest is for the win."""


class Evaluator:
    """The evaluation of the boards of a rollout policy.

    After an evaluation: the `chance` of the first seat to win, and its `lead` in points.
    """

    def __init__(self):
        """Allocate a policy with an empty table, to be copied into."""
        self.policy = RolloutPolicy()
        self.table = self.policy.table
        self.has_net = False
        self.chance = self.lead = 0.0
        self.inputs = [0.0] * 129
        self.hidden = [0.0] * 24

    def load_net(self, weights):
        """Use the weights of a net; without one, boards are evaluated by the heuristic."""
        if len(weights) != WEIGHTS:
            raise ValueError(f"a net of Azul Duel has {WEIGHTS} weights, not {len(weights)}")
        self.weights = weights
        self.has_net = True

    def inputs_of(self, table, seat):
        """Return the net's inputs for a board, between two rounds."""
        self.table._assign(table)
        self.policy.stale = 3
        self._encode(seat)
        return [self.inputs[place] for place in range(INPUTS)]

    # Win probability

    def _win_value(self):
        """Return what the first seat has won, for a search: its `chance`, and in a finished game also its `lead`."""
        if self.table.phase == OVER:
            self.lead = self.table.score[0] - self.table.score[1]
            self.chance = 1.0 if self.lead > 0 or (self.lead == 0 and self.table._favoured() == 0) else 0.0
            return (1.0 - MARGIN) * self.chance + MARGIN / (1.0 + exp(-0.1 * self.lead))
        if self.has_net:
            odds = self._net_output(0) - self._net_output(1)
            self.lead = odds / POINT[self.table.round]
        else:
            self.lead = self._expected_score(0) - self._expected_score(1)
            odds = SLOPE[self.table.round] * self.lead
        self.chance = 1.0 / (1.0 + exp(-odds))
        return self.chance

    # The net

    def _net_output(self, seat):
        """Return the output of the net for a board."""
        self._encode(seat)
        first = (self.table.round - 1) * SPAN
        last = first + INPUTS * HIDDEN
        said = 0.0
        for place in range(HIDDEN):
            self.hidden[place] = self.weights[last + place]
        for number in range(INPUTS):
            if self.inputs[number] != 0.0:
                self._add(self.inputs[number], first + HIDDEN * number)
                said += self.inputs[number] * self.weights[last + 2 * HIDDEN + number]
        for place in range(HIDDEN):
            if self.hidden[place] > 0.0:
                said += self.hidden[place] * self.weights[last + HIDDEN + place]
        return said

    def _add(self, times, first):
        for place in range(HIDDEN):
            self.hidden[place] += times * self.weights[first + place]

    def _push(self, number):
        self.inputs[self.pushed] = number
        self.pushed += 1

    def _encode(self, seat):
        """Write the inputs of the net."""
        if self.policy.stale >> seat & 1:
            self.policy._evaluate_dome(seat)
        self.pushed = 0
        self._push(self.table.score[seat] / 50.0)
        self._push(1.0 if self.table.start == seat else 0.0)
        self._push(chip_count(self.table.mine[seat]) / 8.0)
        for row in range(6):
            self._encode_row(seat, row)
        for column in range(6):
            tiles = column_of(self.table.laid[seat], column)
            self._push(LINE_COUNT[tiles] / 6.0)
            self._push(self._begun(tiles) if self.table.faces & COLUMNS_FACE else 0.0)
        self._encode_faces(seat)
        self._encode_specials(seat)
        self._encode_room(seat)
        self._encode_chips(seat)

    def _encode_row(self, seat, row):
        """Encode a row of the dome, and the line beside it."""
        tiles = self.table.laid[seat] >> 6 * row & 63
        held = self.policy._held(seat, row)
        hue = self.policy._hue(seat, row)
        best = self.policy.best[30 * seat + 5 * row + hue]
        share = held / (row + 1.0)
        self._push(LINE_COUNT[tiles] / 6.0)
        self._push(self._begun(tiles) if self.table.faces & ROWS_FACE else 0.0)
        self._push(self._empty_slots(seat, row) / 3.0)
        self._push(share if best >= 0.0 else 0.0)
        self._push(share if best < 0.0 else 0.0)
        self._push(share * best / 10.0 if best >= 0.0 else 0.0)
        self._push(chip_count(self.table.mine[seat] & MATCHING[hue]) / 4.0 if 0 < held <= row else 0.0)
        self._encode_colours(seat, row)

    def _empty_slots(self, seat, row):
        slot = 9 * seat + row // 2 * 3
        return (self.table.dome[slot] == 0) + (self.table.dome[slot + 1] == 0) + (self.table.dome[slot + 2] == 0)

    def _encode_colours(self, seat, row):
        """Encode the values of the colours in a row: how many fit a space, the best, the sum."""
        number = 0
        most = 0.0
        total = 0.0
        for colour in range(5):
            best = self.policy.best[30 * seat + 5 * row + colour]
            if best >= 0.0:
                number += 1
                total += best
                if best > most:
                    most = best
        self._push(number / 5.0)
        self._push(most / 10.0)
        self._push(total / 30.0)
        self._push(self._colours_begun(seat, row) if self.table.faces & COLOUR_ROWS_FACE else 0.0)

    def _encode_faces(self, seat):
        laid = self.table.laid[seat]
        diagonals = 1.0 if self.table.faces & DIAGONALS_FACE else 0.0
        self._push(diagonals * size(laid & FALLING) / 6.0)
        self._push(diagonals * _square(size(laid & FALLING)) / 36.0)
        self._push(diagonals * size(laid & RISING) / 6.0)
        self._push(diagonals * _square(size(laid & RISING)) / 36.0)
        corners = 1.0 if self.table.faces & CORNERS_FACE else 0.0
        self._push(corners * self._corner(laid, 0))
        self._push(corners * self._corner(laid, 4))
        self._push(corners * self._corner(laid, 24))
        self._push(corners * self._corner(laid, 28))
        self._push(size(laid & OUTER) / 20.0 if self.table.faces & OUTER_FACE else 0.0)
        jokers = self.table._joker_spaces(seat) if self.table.faces & JOKERS_FACE else 0
        self._push(size(jokers & laid) / 5.0)
        self._push(size(jokers & ~laid) / 5.0)
        self._push(self._faces_begun(seat) / 20.0)

    def _encode_specials(self, seat):
        """Encode the points of special tiles that lack one tile, two or three; and the value of all empty spaces."""
        one = two = three = 0.0
        empty = 0
        expected = 0.0
        for slot in range(9):
            way = self.table.dome[9 * seat + slot]
            left = BLOCK & ~(self.table.laid[seat] >> SHIFT[slot])
            expected += self._slot_value(seat, slot)
            if left & SPECIALS[way]:
                empty += 1
                if size(left) == 2:
                    one += self.policy._special_value(way, slot)
                elif size(left) == 3:
                    two += self.policy._special_value(way, slot)
                else:
                    three += self.policy._special_value(way, slot)
        self._push(one / 10.0)
        self._push(two / 10.0)
        self._push(three / 10.0)
        self._push(empty / 5.0 if self.table.faces & EMPTY_SPECIALS_FACE else 0.0)
        self._push(expected / 10.0)

    def _encode_room(self, seat):
        """Encode what each slot may bring, and the empty spaces of plates: by row, by column, and for each colour."""
        free = 0
        for slot in range(9):
            way = self.table.dome[9 * seat + slot]
            self._push(self._slot_value(seat, slot) / 5.0)
            if way:
                free |= (BLOCK & ~SPECIALS[way]) * BIT << SHIFT[slot]
        free &= ~self.table.laid[seat]
        for row in range(6):
            self._push(LINE_COUNT[free >> 6 * row & 63] / 6.0)
        for column in range(6):
            self._push(LINE_COUNT[column_of(free, column)] / 6.0)
        for colour in range(5):
            room = 0
            for row in range(6):
                room += LINE_COUNT[self.table._columns_for(seat, row, colour)]
            self._push(room / 12.0)

    def _encode_chips(self, seat):
        for colour in range(5):
            self._push(chip_count(self.table.mine[seat] & MATCHING[colour]) / 4.0)

    # Heuristic

    def _expected_score(self, seat):
        """Return points made and points to come, between rounds."""
        if self.policy.stale >> seat & 1:
            self.policy._evaluate_dome(seat)
        expected = self.table.score[seat] + CHIP_VALUE * chip_count(self.table.mine[seat]) + self._faces_begun(seat)
        for row in range(6):
            if self.policy._held(seat, row):
                expected += self.policy._line(seat, row, self.policy._hue(seat, row), self.policy._held(seat, row))
        for slot in range(9):
            expected += self._slot_value(seat, slot)
        if self.table.start == seat:
            expected += FIRST_NEXT
        return expected

    def _slot_value(self, seat, slot):
        """Return what the plate in a slot may still bring: its empty spaces, its special tile."""
        way = self.table.dome[9 * seat + slot]
        if way == 0:
            return 0.0
        later = 0.2 * (5 - self.table.round)
        left = BLOCK & ~(self.table.laid[seat] >> SHIFT[slot])
        expected = 0.0
        if left & SPECIALS[way]:
            expected += self.policy._special_value(way, slot) * (0.05 + 0.2 * later) * (5 - size(left))
            if self.table.faces & EMPTY_SPECIALS_FACE:
                expected -= 3.0
        left &= ~SPECIALS[way]
        while left:
            space = lowest(left) + SHIFT[slot]
            expected += SPACE * FILLS[space // 6] * later * self.policy.space[36 * seat + space]
            left &= left - 1
        return expected

    def _faces_begun(self, seat):
        """DU50 to DU56: return the expected points of each face; complete sets count in full."""
        laid = self.table.laid[seat]
        begun = 0.0
        if self.table.faces & ROWS_FACE:
            for row in range(6):
                begun += 3.0 * self._begun(laid >> 6 * row & 63)
        if self.table.faces & COLUMNS_FACE:
            for column in range(6):
                begun += 7.0 * self._begun(column_of(laid, column))
        if self.table.faces & DIAGONALS_FACE:
            begun += 10.0 * (_square(size(laid & FALLING)) + _square(size(laid & RISING))) / 36.0
        if self.table.faces & OUTER_FACE:
            begun += size(laid & OUTER)
        if self.table.faces & CORNERS_FACE:
            begun += 3.0 * self._corner(laid, 0) + 3.0 * self._corner(laid, 4)
            begun += 8.0 * self._corner(laid, 24) + 8.0 * self._corner(laid, 28)
        if self.table.faces & JOKERS_FACE:
            begun += 2.0 * JOKER_FRACTION * size(laid & self.table._joker_spaces(seat))
        if self.table.faces & COLOUR_ROWS_FACE:
            for row in range(6):
                begun += 4.0 * self._colours_begun(seat, row)
        return begun

    def _begun(self, tiles):
        return _square(LINE_COUNT[tiles]) / 36.0

    def _corner(self, laid, shift):
        return _square(size(laid >> shift & BLOCK)) / 16.0

    def _colours_begun(self, seat, row):
        colours = self.table._colours_of_row(seat, row)
        return _square(colours if colours < 5 else 5) / 25.0


def _square(number):
    return 1.0 * number * number
