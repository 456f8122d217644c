"""What boards of Azul Duel are worth between two rounds: weighed by hand, or by a net that has learned it from games.

A board is shown to the net as some ninety numbers: points, how full each row and column is, what the lines hold and
what their tiles would bring, what plates and faces promise, chips, who starts. The net adds up what it has learned of
them after that round (24 numbers, those below zero left out; and what each input says by itself) and tells how good
the board is; the difference of both boards is how likely the first seat wins.

The same file runs as it is and, with the types of duel_value.pxd, compiled.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from math import exp

    from tessella.fast.duel_quick import CHIP_WORTH, FILLS, FIRST_NEXT, JOKER_SHARE, SPACE, DuelQuick
    from tessella.fast.duel_table import BIT, BLOCK, LINE_COUNT, MATCHING, SHIFT, SPECIALS, chip_count, size
    from tessella.fast.duel_tiling import (
        COLOUR_ROWS_FACE,
        COLUMNS_FACE,
        CORNERS_FACE,
        DIAGONALS_FACE,
        EMPTY_SPECIALS_FACE,
        FALLING,
        JOKERS_FACE,
        OUTER,
        OUTER_FACE,
        RISING,
        ROWS_FACE,
        column_of,
    )
    from tessella.fast.uncompiled import lowest

    HIDDEN = 24
    INPUTS = 98

from tessella.fast.phases import OVER

INPUT_NUMBERS = INPUTS
HIDDEN_NUMBERS = HIDDEN
ROUNDS = 4
"""After so many rounds another comes; there is a net for each."""
SPAN = INPUTS * HIDDEN + 2 * HIDDEN + INPUTS
"""The weights for a round: from each input to what is hidden, the bias, from there to what is said; from each input."""
WEIGHTS = ROUNDS * SPAN
SLOPE = [0.05, 0.06, 0.07, 0.085, 0.12, 0.3]
"""How much a point says about who wins, after each round, if the boards are weighed by hand."""
POINT = [0.1, 0.1, 0.105, 0.125, 0.175]
"""By how much the net finds a board better for each point by which it will end ahead, after each round (measured)."""
MARGIN = 0.1
"""How much of a game that is over counts by how far one is ahead; the rest counts as won or lost."""


class DuelValue(DuelQuick):
    """A table whose boards are weighed.

    Of the board that was weighed last: the `chance` of the first seat to win, and by how many points it is ahead.
    """

    def __init__(self):
        """A bare table, to become that of another."""
        DuelQuick.__init__(self)
        self.learned = False
        self.chance = self.lead = 0.0
        self.inputs = [0.0] * 98
        self.hidden = [0.0] * 24

    def learn(self, weights):
        """Take the weights of a net; without one the boards are weighed by hand."""
        if len(weights) != WEIGHTS:
            raise ValueError(f"a net of Azul Duel has {WEIGHTS} weights, not {len(weights)}")
        self.weights = weights
        self.learned = True

    def inputs_of(self, table, seat):
        """What a net is shown of a board, between two rounds."""
        self._assign(table)
        self.stale = 3
        self._show(seat)
        return [self.inputs[place] for place in range(INPUTS)]

    # The chance to win

    def _win(self):
        """What the first seat has won, for a search: its `chance`, and in a game that is over also its `lead`."""
        if self.phase == OVER:
            self.lead = self.score[0] - self.score[1]
            self.chance = 1.0 if self.lead > 0 or (self.lead == 0 and self._favoured() == 0) else 0.0
            return (1.0 - MARGIN) * self.chance + MARGIN / (1.0 + exp(-0.1 * self.lead))
        if self.learned:
            odds = self._judge(0) - self._judge(1)
            self.lead = odds / POINT[self.round]
        else:
            self.lead = self._promise(0) - self._promise(1)
            odds = SLOPE[self.round] * self.lead
        self.chance = 1.0 / (1.0 + exp(-odds))
        return self.chance

    # The net

    def _judge(self, seat):
        """How good the net finds a board."""
        self._show(seat)
        first = (self.round - 1) * SPAN
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

    def _put(self, number):
        self.inputs[self.put] = number
        self.put += 1

    def _show(self, seat):
        """Write the inputs of the net."""
        if self.stale >> seat & 1:
            self._survey(seat)
        self.put = 0
        self._put(self.score[seat] / 50.0)
        self._put(1.0 if self.start == seat else 0.0)
        self._put(chip_count(self.mine[seat]) / 8.0)
        for row in range(6):
            self._show_row(seat, row)
        for column in range(6):
            tiles = column_of(self.laid[seat], column)
            self._put(LINE_COUNT[tiles] / 6.0)
            self._put(self._begun(tiles) if self.faces & COLUMNS_FACE else 0.0)
        self._show_faces(seat)
        self._show_specials(seat)

    def _show_row(self, seat, row):
        """A row of the dome, and the line beside it."""
        tiles = self.laid[seat] >> 6 * row & 63
        held = self._held(seat, row)
        hue = self._hue(seat, row)
        best = self.best[30 * seat + 5 * row + hue]
        share = held / (row + 1.0)
        self._put(LINE_COUNT[tiles] / 6.0)
        self._put(self._begun(tiles) if self.faces & ROWS_FACE else 0.0)
        self._put(self._empty_slots(seat, row) / 3.0)
        self._put(share if best >= 0.0 else 0.0)
        self._put(share if best < 0.0 else 0.0)
        self._put(share * best / 10.0 if best >= 0.0 else 0.0)
        self._put(chip_count(self.mine[seat] & MATCHING[hue]) / 4.0 if 0 < held <= row else 0.0)
        self._show_colours(seat, row)

    def _empty_slots(self, seat, row):
        slot = 9 * seat + row // 2 * 3
        return (self.dome[slot] == 0) + (self.dome[slot + 1] == 0) + (self.dome[slot + 2] == 0)

    def _show_colours(self, seat, row):
        """What the colours would bring in a row: how many find a space, the best of them, all of them."""
        number = 0
        most = 0.0
        total = 0.0
        for colour in range(5):
            best = self.best[30 * seat + 5 * row + colour]
            if best >= 0.0:
                number += 1
                total += best
                if best > most:
                    most = best
        self._put(number / 5.0)
        self._put(most / 10.0)
        self._put(total / 30.0)
        self._put(self._colours_begun(seat, row) if self.faces & COLOUR_ROWS_FACE else 0.0)

    def _show_faces(self, seat):
        laid = self.laid[seat]
        diagonals = 1.0 if self.faces & DIAGONALS_FACE else 0.0
        self._put(diagonals * size(laid & FALLING) / 6.0)
        self._put(diagonals * _square(size(laid & FALLING)) / 36.0)
        self._put(diagonals * size(laid & RISING) / 6.0)
        self._put(diagonals * _square(size(laid & RISING)) / 36.0)
        corners = 1.0 if self.faces & CORNERS_FACE else 0.0
        self._put(corners * self._corner(laid, 0))
        self._put(corners * self._corner(laid, 4))
        self._put(corners * self._corner(laid, 24))
        self._put(corners * self._corner(laid, 28))
        self._put(size(laid & OUTER) / 20.0 if self.faces & OUTER_FACE else 0.0)
        jokers = self._joker_spaces(seat) if self.faces & JOKERS_FACE else 0
        self._put(size(jokers & laid) / 5.0)
        self._put(size(jokers & ~laid) / 5.0)
        self._put(self._faces_begun(seat) / 20.0)

    def _show_specials(self, seat):
        """The points of special tiles that miss one tile, two or three; and all that empty spaces promise."""
        one = two = three = 0.0
        empty = 0
        promise = 0.0
        for slot in range(9):
            way = self.dome[9 * seat + slot]
            left = BLOCK & ~(self.laid[seat] >> SHIFT[slot])
            promise += self._slot_promise(seat, slot)
            if left & SPECIALS[way]:
                empty += 1
                if size(left) == 2:
                    one += self._special_worth(way, slot)
                elif size(left) == 3:
                    two += self._special_worth(way, slot)
                else:
                    three += self._special_worth(way, slot)
        self._put(one / 10.0)
        self._put(two / 10.0)
        self._put(three / 10.0)
        self._put(empty / 5.0 if self.faces & EMPTY_SPECIALS_FACE else 0.0)
        self._put(promise / 10.0)

    # By hand

    def _promise(self, seat):
        """Points made and points to come, between rounds."""
        if self.stale >> seat & 1:
            self._survey(seat)
        promise = self.score[seat] + CHIP_WORTH * chip_count(self.mine[seat]) + self._faces_begun(seat)
        for row in range(6):
            if self._held(seat, row):
                promise += self._line(seat, row, self._hue(seat, row), self._held(seat, row))
        for slot in range(9):
            promise += self._slot_promise(seat, slot)
        if self.start == seat:
            promise += FIRST_NEXT
        return promise

    def _slot_promise(self, seat, slot):
        """What the plate in a slot may still bring: its empty spaces, its special tile."""
        way = self.dome[9 * seat + slot]
        if way == 0:
            return 0.0
        later = 0.2 * (5 - self.round)
        left = BLOCK & ~(self.laid[seat] >> SHIFT[slot])
        promise = 0.0
        if left & SPECIALS[way]:
            promise += self._special_worth(way, slot) * (0.05 + 0.2 * later) * (5 - size(left))
            if self.faces & EMPTY_SPECIALS_FACE:
                promise -= 3.0
        left &= ~SPECIALS[way]
        while left:
            space = lowest(left) + SHIFT[slot]
            promise += SPACE * FILLS[space // 6] * later * self.space[36 * seat + space]
            left &= left - 1
        return promise

    def _faces_begun(self, seat):
        """DU50 to DU56: the share of each face's points that is on the way; complete sets count in full."""
        laid = self.laid[seat]
        begun = 0.0
        if self.faces & ROWS_FACE:
            for row in range(6):
                begun += 3.0 * self._begun(laid >> 6 * row & 63)
        if self.faces & COLUMNS_FACE:
            for column in range(6):
                begun += 7.0 * self._begun(column_of(laid, column))
        if self.faces & DIAGONALS_FACE:
            begun += 10.0 * (_square(size(laid & FALLING)) + _square(size(laid & RISING))) / 36.0
        if self.faces & OUTER_FACE:
            begun += size(laid & OUTER)
        if self.faces & CORNERS_FACE:
            begun += 3.0 * self._corner(laid, 0) + 3.0 * self._corner(laid, 4)
            begun += 8.0 * self._corner(laid, 24) + 8.0 * self._corner(laid, 28)
        if self.faces & JOKERS_FACE:
            begun += 2.0 * JOKER_SHARE * size(laid & self._joker_spaces(seat))
        if self.faces & COLOUR_ROWS_FACE:
            for row in range(6):
                begun += 4.0 * self._colours_begun(seat, row)
        return begun

    def _begun(self, tiles):
        return _square(LINE_COUNT[tiles]) / 36.0

    def _corner(self, laid, shift):
        return _square(size(laid >> shift & BLOCK)) / 16.0

    def _colours_begun(self, seat, row):
        colours = 0
        for colour in range(5):
            colours += (self.tint[5 * seat + colour] >> 6 * row & 63) > 0
        if self.special_colour and self._special_spaces(seat) & self.laid[seat] & 63 * BIT << 6 * row:
            colours += 1
        return _square(colours if colours < 5 else 5) / 25.0


def _square(number):
    return 1.0 * number * number
