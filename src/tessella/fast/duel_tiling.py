"""Phase 2 of Azul Duel, and the end: tile the dome, pay with chips, score the faces."""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.duel_chance import DuelChance
    from tessella.fast.duel_table import (
        BIT,
        BLOCK,
        CHIP,
        FITS,
        JOKERS,
        KINDS,
        MATCHING,
        ONE,
        ONES,
        RUN,
        SHIFT,
        SPECIALS,
        chip_count,
        size,
    )
    from tessella.fast.uncompiled import lowest

PAY_MOVE = 36
"""A seat's first payment, after a move for each space of the dome."""
LEAVE_MOVE = 232
"""To pay nothing."""
BROKEN_ROOM = 4

ROWS_FACE = 1
COLOUR_ROWS_FACE = 2
COLUMNS_FACE = 4
OUTER_FACE = 8
DIAGONALS_FACE = 16
CORNERS_FACE = 32
JOKERS_FACE = 64
EMPTY_SPECIALS_FACE = 128
ROW = 0x3F
COLUMN = 0x41041041
OUTER = 0xFE186187F
FALLING = 0x810204081
RISING = 0x42108420

COST = [0, 1, 3, 6, 10]
"""DU35: what 0 to 4 broken tiles cost together."""


class DuelTiling(DuelChance):
    """A table at which domes are tiled."""

    # Tiles

    def _shatter(self, seat, colour, number):
        """DU28: tiles go to the broken space, as many as find room."""
        self.tower += number * ONE[colour]
        while number and self.fallen[seat] < BROKEN_ROOM:
            self.broken[seat] |= (colour + 1) << 4 * self.fallen[seat]
            self.fallen[seat] += 1
            number -= 1

    def _free_columns(self, seat, row):
        """DU30: where a tile of the line may go, a bit for each column."""
        colour = self.hue[seat] >> 8 * row & 255
        columns = 0
        for place in range(3):
            fits = FITS[5 * self.dome[9 * seat + row // 2 * 3 + place] + colour]
            columns |= (fits >> 6 * (row & 1) & 3) << 2 * place
        return columns & ~(self.laid[seat] >> 6 * row) & 63

    def _tile_dome(self, seat):
        """DU30: line by line from the top, as far as no choice is needed; after the last line the broken are scored."""
        row = self.row[seat]
        while row < 6:
            held = self.held[seat] >> 8 * row & 255
            columns = self._free_columns(seat, row) if held else 0
            if columns and held > row:
                if columns & (columns - 1):
                    return
                self._place(seat, lowest(columns))
            elif columns and self._can_pay(seat):
                return
            else:
                self._leave(seat)
            row += 1
        self._score_broken(seat)

    def _place(self, seat, column):
        """DU30, DU33: a tile of the line goes to the dome and scores; its other tiles go into the tower, chips not."""
        row = self.row[seat]
        colour = self.hue[seat] >> 8 * row & 255
        laid = self.laid[seat]
        points = RUN[6 * (laid >> 6 * row & 63) + column] + RUN[6 * column_of(laid, column) + row]
        self.score[seat] += points if points else 1
        self.laid[seat] |= BIT << (6 * row + column)
        self.tint[5 * seat + colour] |= BIT << (6 * row + column)
        self.tower += (row - self.paid[seat]) * ONE[colour]
        self.paid[seat] = 0
        self._empty_line(seat, row)
        self.row[seat] = row + 1
        self._place_special(seat, row // 2 * 3 + column // 2)

    def _place_special(self, seat, slot):
        """DU34: at once when the three coloured spaces of a special plate are filled."""
        left = (BLOCK * BIT << SHIFT[slot]) & ~self.laid[seat]
        if left and left == SPECIALS[self.dome[9 * seat + slot]] * BIT << SHIFT[slot]:
            self.score[seat] += lowest(left) // 6 + 1
            self.laid[seat] |= left

    def _leave(self, seat):
        """DU32: the line stays, unless plates lie in all slots beside it and no space is left for it: it breaks."""
        row = self.row[seat]
        held = self.held[seat] >> 8 * row & 255
        slot = 9 * seat + row // 2 * 3
        plated = self.dome[slot] and self.dome[slot + 1] and self.dome[slot + 2]
        if held and plated and self._free_columns(seat, row) == 0:
            self._shatter(seat, self.hue[seat] >> 8 * row & 255, held)
            self._empty_line(seat, row)
        self.row[seat] = row + 1

    def _empty_line(self, seat, row):
        self.held[seat] -= (self.held[seat] >> 8 * row & 255) * ONE[row]
        self.hue[seat] -= (self.hue[seat] >> 8 * row & 255) * ONE[row]
        self.lines[seat] |= ONES << row

    def _score_broken(self, seat):
        """DU35: broken tiles and the start tile cost points, never below 0."""
        score = self.score[seat] - COST[self.fallen[seat]] - (2 if self.holder == seat else 0)
        self.score[seat] = score if score > 0 else 0
        self.broken[seat] = 0
        self.fallen[seat] = 0

    def _can_pay(self, seat):
        """DU31: whether there is a payment; the more chips match, the fewer others are needed."""
        row = self.row[seat]
        missing = row + 1 - (self.held[seat] >> 8 * row & 255)
        chips = self.mine[seat]
        matching = chip_count(chips & MATCHING[self.hue[seat] >> 8 * row & 255])
        others = chip_count(chips) - matching
        if matching > 2 * missing:
            matching = 2 * missing
        return others >= 3 * missing - matching // 2 - matching

    def _list_payments(self, seat):
        """DU31: write every payment for the line whose turn it is; give their number."""
        row = self.row[seat]
        missing = row + 1 - (self.held[seat] >> 8 * row & 255)
        self.found = 0
        matching = 2 * missing
        while matching >= 0:
            more = 3 * missing - matching // 2 - matching
            self._gather(16 * (self.hue[seat] >> 8 * row & 255), matching, more, self.mine[seat], 0)
            matching -= 1
        return self.found

    def _gather(self, at, matching, more, chips, payment):
        """Write each set of so many chips that match and so many more; `at` is the place of the next in `KINDS`."""
        if at & 15 >= 3:
            if matching or more > chip_count(chips):
                return
            if more == 0:
                self.payments[self.found] = payment
                self.found += 1
                return
        number = chips >> 4 * KINDS[at] & 15
        chips -= number * CHIP[KINDS[at]]
        wanted = matching if at & 15 < 3 else more
        if number > wanted:
            number = wanted
        while number >= 0:
            if at & 15 < 3:
                self._gather(at + 1, matching - number, more, chips, payment + number * CHIP[KINDS[at]])
            else:
                self._gather(at + 1, 0, more - number, chips, payment + number * CHIP[KINDS[at]])
            number -= 1

    def _choose_tiling(self, seat, choice):
        """DU30, DU31: a column for the tile of a line, or chips to complete it, or none."""
        row = self.row[seat]
        if choice < PAY_MOVE:
            self._place(seat, choice % 6)
        elif choice == LEAVE_MOVE:
            self._leave(seat)
        else:
            self._list_payments(seat)
            self.mine[seat] -= self.payments[choice - PAY_MOVE]
            self.spent[seat] += self.payments[choice - PAY_MOVE]
            self.paid[seat] = row + 1 - (self.held[seat] >> 8 * row & 255)
            self.held[seat] += self.paid[seat] * ONE[row]
        self._tile_dome(seat)

    # Faces

    def _face_points(self, seat):
        """DU50 to DU57: the points of every face in play."""
        laid = self.laid[seat]
        points = 0
        if self.faces & ROWS_FACE:
            for row in range(6):
                points += 3 * covers(laid, ROW << 6 * row)
        if self.faces & COLOUR_ROWS_FACE:
            points += 4 * self._colour_rows(seat)
        if self.faces & COLUMNS_FACE:
            for column in range(6):
                points += 7 * covers(laid, COLUMN << column)
        if self.faces & OUTER_FACE:
            points += size(laid & OUTER)
        if self.faces & DIAGONALS_FACE:
            points += 10 * (covers(laid, FALLING) + covers(laid, RISING))
        if self.faces & CORNERS_FACE:
            points += 3 * (covers(laid, BLOCK) + covers(laid, BLOCK * BIT << 4))
            points += 8 * (covers(laid, BLOCK * BIT << 24) + covers(laid, BLOCK * BIT << 28))
        if self.faces & JOKERS_FACE and covers(laid, self._joker_spaces(seat)):
            points += 2 * size(self._joker_spaces(seat))
        if self.faces & EMPTY_SPECIALS_FACE:
            points -= 3 * size(self._special_spaces(seat) & ~laid)
        return points

    def _joker_spaces(self, seat):
        spaces = 0
        for slot in range(9):
            spaces |= JOKERS[self.dome[9 * seat + slot]] * BIT << SHIFT[slot]
        return spaces

    def _special_spaces(self, seat):
        spaces = 0
        for slot in range(9):
            spaces |= SPECIALS[self.dome[9 * seat + slot]] * BIT << SHIFT[slot]
        return spaces

    def _colour_rows(self, seat):
        """DU51: rows of at least five different colours; a special tile is one more, if the players agreed on that."""
        special = self._special_spaces(seat) & self.laid[seat]
        rows = 0
        for row in range(6):
            colours = 0
            for colour in range(5):
                if self.tint[5 * seat + colour] >> 6 * row & 63:
                    colours += 1
            if self.special_colour and special >> 6 * row & 63:
                colours += 1
            if colours >= 5:
                rows += 1
        return rows


def covers(laid, spaces):
    """Whether a tile lies on each of these spaces."""
    return laid & spaces == spaces


def column_of(laid, column):
    """The tiles of a column of the dome, a bit for each row."""
    tiles = 0
    for row in range(6):
        tiles |= (laid >> (6 * row + column) & 1) << row
    return tiles
