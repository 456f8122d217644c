"""Quick players of Azul Duel: what each move is worth at first sight.

The worth of a move is what it adds to the board of the mover: points that a line will bring, room that a plate gives,
less what breaks. As in `tessella.bots.duel_worth`, but for millions of moves: spaces are looked at once for every
change of a dome, not once for every move.

The same file runs as it is and, with the types of duel_quick.pxd, compiled. Compiled code checks no bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.duel_rules import (
        BROKEN,
        CHIP_MOVE,
        DRAW_MOVE,
        MOONS,
        PLATE_MOVE,
        RETURN_MOVE,
        SEAT_MOVES,
        STACK_MOVE,
        STOP_MOVE,
        TILE_MOVE,
        DuelRules,
        orders_of,
    )
    from tessella.fast.duel_table import (
        ACT,
        BIT,
        BLOCK,
        CHIP,
        DRAW,
        FACE,
        FIRST,
        FITS,
        HIDDEN,
        JOKERS,
        KEEP,
        LINE_COUNT,
        MATCHING,
        NOBODY,
        ONE,
        PREPARE,
        RETURN,
        RUN,
        SHIFT,
        SPECIALS,
        STACK,
        TILE,
        chip_count,
        colours_of,
        size,
    )
    from tessella.fast.duel_tiling import (
        COLOUR_ROWS_FACE,
        COLUMNS_FACE,
        CORNERS_FACE,
        COST,
        DIAGONALS_FACE,
        EMPTY_SPECIALS_FACE,
        FALLING,
        JOKERS_FACE,
        LEAVE_MOVE,
        OUTER,
        OUTER_FACE,
        PAY_MOVE,
        RISING,
        ROWS_FACE,
        column_of,
    )
    from tessella.fast.uncompiled import lowest

from tessella.fast.phases import DEALING, OVER

NONE = -1.0
"""The worth of the best space for a colour where there is none."""

STARTED = 0.85
"""A started line counts for this much of its share while rounds are left: it may never be completed."""
PAID_FOR = 0.8
"""A line that one's chips could complete."""
WAITING = 1.0
"""What a complete line is worth that waits for a plate."""
STUCK = -1.0
"""What each tile costs in a line that can never be placed."""
FILLS = [0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
"""How likely a space of each row is filled, if several rounds are left."""
SPACE = 0.4
"""What a space adds in each row, before it is known how likely it is filled."""
SPECIAL_SHARE = [0.15, 0.3, 1.0, 0.0]
"""How much of a special tile's points the first, second and third tile of its plate bring."""
JOKER_SHARE = 0.7
"""How much of a joker space's points to count on, as all of them must be filled."""
CHIP_WORTH = 0.9
MATCHING_CHIP = 0.4
"""What a chip is worth, and what each line adds that it could help to complete."""
SPENT_CHIP = 0.3
LAST_CHIP = 0.01
"""What a spent chip costs, and in the last round."""
START_COST = 2.0
FIRST_NEXT = 0.5
"""What it is worth to start the next round."""
UNSEEN_PLATE = -0.5
ANOTHER_PLATE = -1.0
"""What drawing is worth: it costs a point, and one must live with what comes."""


class DuelQuick(DuelRules):
    """A table at which quick players sit.

    For each seat: what a tile is worth on each `space` of the dome, and the `best` of them in each row for each colour.
    `moves` and their `worths` are those looked at last; so many moves were `made` here.
    """

    def __init__(self):
        """A bare table, to become that of another."""
        self._clear()
        self.made = 0
        self.stale = 3
        self.eldest = 0
        self.space = [0.0] * 72
        self.best = [0.0] * 60
        self.column = [0] * 6
        self.fancied = [0] * 2
        self.fancy = [0.0] * 2
        self.moves = [0] * 960
        self.worths = [0.0] * 960

    def _become(self, other):
        """Become the table of another quick player, with all that was looked at."""
        self._assign(other)
        self.stale = other.stale
        self.fancied[0] = self.fancied[1] = 0
        for place in range(72):
            self.space[place] = other.space[place]
        for place in range(60):
            self.best[place] = other.best[place]

    def _play(self, move):
        """Make a move, and remember whose dome changes by it."""
        self.made += 1
        if self.stage == TILE:
            self.stale |= 1 << self._mover()
            self._apply(move)
            return
        if PLATE_MOVE <= move < DRAW_MOVE:
            self.stale |= 1 << self.current
            self.fancied[self.current] = 0
        self._apply(move)
        self._notice()

    def _let_chance(self):
        """Let chance decide."""
        self._deal()
        self._notice()

    def _notice(self):
        """When phase 1 is over, tiles may have been placed on both domes."""
        if self.stage >= TILE or self.stage == PREPARE:
            self.stale = 3

    def _mover(self):
        """Who is to move; of two that tile their domes, the `eldest` first."""
        if self.stage == TILE:
            return self.eldest if self.row[self.eldest] < 6 else 1 - self.eldest
        return self.current

    # Spaces of the dome

    def _survey(self, seat):
        """Look at every space of a dome, also where no plate lies yet."""
        laid = self.laid[seat]
        for column in range(6):
            self.column[column] = column_of(laid, column)
        for slot in range(9):
            self._survey_slot(seat, slot)
        for row in range(6):
            for colour in range(5):
                self.best[30 * seat + 5 * row + colour] = self._best_space(seat, row, colour)
        self.stale &= ~(1 << seat)

    def _survey_slot(self, seat, slot):
        """DU33 and what a tile there prepares: a special tile, and the faces in play."""
        laid = self.laid[seat]
        there = size(laid & BLOCK * BIT << SHIFT[slot])
        way = self.dome[9 * seat + slot]
        common = self._special_worth(way, slot) * SPECIAL_SHARE[there] if there < 4 else 0.0
        if self.faces & CORNERS_FACE and slot != 4 and slot & 1 == 0:
            common += (8.0 if slot > 4 else 3.0) * (2 * there + 1) / 16.0
        for place in range(4):
            row = slot // 3 * 2 + (place >> 1)
            column = slot % 3 * 2 + (place & 1)
            across = laid >> 6 * row & 63
            points = RUN[6 * across + column] + RUN[6 * self.column[column] + row]
            worth = common + (points if points else 1)
            if self.faces & ROWS_FACE:
                worth += 3.0 * (2 * LINE_COUNT[across] + 1) / 36.0
            if self.faces & COLUMNS_FACE:
                worth += 7.0 * (2 * LINE_COUNT[self.column[column]] + 1) / 36.0
            if self.faces & OUTER_FACE and OUTER >> (6 * row + column) & 1:
                worth += 1.0
            if self.faces & DIAGONALS_FACE:
                if row == column:
                    worth += 10.0 * (2 * size(laid & FALLING) + 1) / 36.0
                if row + column == 5:
                    worth += 10.0 * (2 * size(laid & RISING) + 1) / 36.0
            if self.faces & JOKERS_FACE and JOKERS[way] >> (6 * (place >> 1) + (place & 1)) & 1:
                worth += 2.0 * JOKER_SHARE
            self.space[36 * seat + 6 * row + column] = worth

    def _special_worth(self, way, slot):
        """DU34: the points of the special tile of a plate, if it has one."""
        if SPECIALS[way] == 0:
            return 0.0
        return slot // 3 * 2 + lowest(SPECIALS[way]) // 6 + 1 + (3.0 if self.faces & EMPTY_SPECIALS_FACE else 0.0)

    def _best_space(self, seat, row, colour):
        columns = 0
        for place in range(3):
            columns |= (FITS[5 * self.dome[9 * seat + row // 2 * 3 + place] + colour] >> 6 * (row & 1) & 3) << 2 * place
        columns &= ~(self.laid[seat] >> 6 * row) & 63
        if columns == 0:
            return NONE
        best = 0.0
        while columns:
            if self.space[36 * seat + 6 * row + lowest(columns)] > best:
                best = self.space[36 * seat + 6 * row + lowest(columns)]
            columns &= columns - 1
        return best + self._new_colour(seat, row, colour)

    def _new_colour(self, seat, row, colour):
        """DU51: what a colour adds that the row does not have yet."""
        if not self.faces & COLOUR_ROWS_FACE or self.tint[5 * seat + colour] >> 6 * row & 63:
            return 0.0
        colours = 0
        for other in range(5):
            colours += (self.tint[5 * seat + other] >> 6 * row & 63) > 0
        return 4.0 * (2 * colours + 1) / 25.0

    # Lines

    def _later(self):
        """How much of what is begun can still be finished: all while four rounds are left."""
        return 0.25 * (6 - self.round) if self.round > 2 else 1.0

    def _line(self, seat, row, colour, held):
        """What a line promises: the points of its tile, the surer the fuller it is and the more rounds are left."""
        if held == 0:
            return 0.0
        best = self.best[30 * seat + 5 * row + colour]
        missing = row + 1 - held
        if best < 0.0:
            return WAITING * held / (row + 1) if self._waits(seat, row) else STUCK * held
        if missing == 0:
            return best
        if self.round >= 4 and 3 * missing <= chip_count(self.mine[seat]):
            return PAID_FOR * best
        return STARTED * self._later() * best * held / (row + 1)

    def _waits(self, seat, row):
        """DU32: whether a plate may still come beside the line."""
        slot = 9 * seat + row // 2 * 3
        return self.round < 5 and not (self.dome[slot] and self.dome[slot + 1] and self.dome[slot + 2])

    def _held(self, seat, row):
        return self.held[seat] >> 8 * row & 255

    def _hue(self, seat, row):
        return self.hue[seat] >> 8 * row & 255

    # What may be done, and what it is worth

    def _weigh(self):
        """Write the moves of the seat to move and what each is worth; give their number. Plates come last."""
        seat = self._mover()
        if self.stale >> seat & 1:
            self._survey(seat)
        self.plates_at = 0
        if self.stage == ACT:
            listed = self._weigh_chips(seat, self._weigh_takes(seat))
            self.plates_at = listed
            if self.tokens[seat] > 0:
                if self.height:
                    self.moves[listed] = DRAW_MOVE
                    self.worths[listed] = UNSEEN_PLATE
                    listed += 1
                for place in range(self.opened):
                    listed = self._weigh_slots(seat, self.open[place], listed)
            return listed
        return self._weigh_others(seat)

    def _weigh_others(self, seat):
        listed = 0
        if self.stage == FIRST:
            for place in range(self.opened):
                listed = self._weigh_slots(seat, self.open[place], listed)
        elif self.stage == KEEP:
            for place in range(self.drawn):
                listed = self._weigh_slots(seat, self.hand[place] & FACE, listed)
        elif self.stage == STACK:
            listed = self._weigh_orders(seat)
        elif self.stage == DRAW:
            self.moves[0] = STOP_MOVE
            self.worths[0] = 0.0
            self.moves[1] = DRAW_MOVE
            self.worths[1] = ANOTHER_PLATE
            listed = 2
        elif self.stage == RETURN:
            while listed < self.drawn:
                self.moves[listed] = RETURN_MOVE + (self.hand[listed] & FACE)
                self.worths[listed] = 0.0
                listed += 1
        elif self.stage == TILE:
            listed = self._weigh_tiling(seat)
        return listed

    # Takes

    def _weigh_takes(self, seat):
        """DU23 to DU27: colours of the suns, then of the moons; lines with room for them, and the broken space."""
        listed = 0
        for source in range(6):
            colours = self._moon_colours() if source == MOONS else colours_of(self.sun[source])
            while colours:
                colour = lowest(colours)
                colours &= colours - 1
                number = self._number(source, colour)
                gain = FIRST_NEXT - START_COST if self._brings_start(source, colour) else 0.0
                lines = self.lines[seat] >> 8 * colour & 63
                while lines:
                    self.moves[listed] = 35 * source + 7 * colour + lowest(lines)
                    self.worths[listed] = gain + self._lay_worth(seat, lowest(lines), colour, number)
                    lines &= lines - 1
                    listed += 1
                self.moves[listed] = 35 * source + 7 * colour + BROKEN
                self.worths[listed] = gain - self._break_cost(seat, number)
                listed += 1
        return listed

    def _number(self, source, colour):
        """How many tiles a take brings."""
        if source != MOONS:
            return self.sun[source] >> 8 * colour & 255
        number = self.moon >> 8 * colour & 255
        for factory in range(1, 5):
            number += self.moons[factory] & 15 == colour + 1
        return number

    def _brings_start(self, source, colour):
        """DU25: whether the start tile comes along."""
        if source == MOONS:
            return self.holder == NOBODY and self.moon >> 8 * colour & 255 > 0
        return source == 0 and self.sun[0] == (self.sun[0] >> 8 * colour & 255) * ONE[colour]

    def _lay_worth(self, seat, line, colour, number):
        held = self._held(seat, line)
        laid = line + 1 - held
        if number < laid:
            laid = number
        worth = self._line(seat, line, colour, held + laid) - self._line(seat, line, colour, held)
        return worth - self._break_cost(seat, number - laid)

    def _break_cost(self, seat, number):
        """DU28, DU35."""
        broken = self.fallen[seat] + number
        return COST[broken if broken < 4 else 4] - COST[self.fallen[seat]]

    def _weigh_orders(self, seat):
        """DU23: what lies on top is what the other may take next."""
        if self.stale >> (1 - seat) & 1:
            self._survey(1 - seat)
        orders = orders_of(self.sun[self.stacking])
        rest = self.sun[self.stacking]
        for order in range(orders):
            self._pile(self.stacking, order)
            self.moves[order] = STACK_MOVE + order
            self.worths[order] = -self._wish(1 - seat, (self.moons[self.stacking] & 15) - 1)
            self.moons[self.stacking] = 0
            self.sun[self.stacking] = rest
        return orders

    def _wish(self, seat, colour):
        """How much a player longs for one tile of a colour."""
        most = 0.0
        lines = self.lines[seat] >> 8 * colour & 63
        while lines:
            gain = self._lay_worth(seat, lowest(lines), colour, 1)
            if gain > most:
                most = gain
            lines &= lines - 1
        return most

    # Chips and plates

    def _weigh_chips(self, seat, listed):
        if self.owed[seat]:
            for factory in range(1, 5):
                if self.chip[factory] > HIDDEN:
                    self.moves[listed] = CHIP_MOVE - 1 + factory
                    self.worths[listed] = CHIP_WORTH + MATCHING_CHIP * self._lines_helped(seat, self.chip[factory] - 2)
                    listed += 1
        return listed

    def _lines_helped(self, seat, chip):
        """How many colours of started lines the chip shows."""
        colours = 0
        for row in range(6):
            if 0 < self._held(seat, row) <= row and CHIP[chip] & MATCHING[self._hue(seat, row)]:
                colours |= 1 << self._hue(seat, row)
        return LINE_COUNT[colours]

    def _weigh_slots(self, seat, plate, listed):
        """DU20: the plate on each empty slot in each turn."""
        for slot in range(9):
            if self.dome[9 * seat + slot] == 0:
                for way in range(4):
                    self.moves[listed] = PLATE_MOVE + 36 * plate + 4 * slot + way
                    self.worths[listed] = self._plate_gain(seat, 4 * plate + way + 1, slot)
                    listed += 1
        return listed

    def _plate_gain(self, seat, way, slot):
        """What the plate adds: room for the lines beside it, and spaces that may be filled later."""
        later = 0.2 * (6 - self.round)
        gain = 0.0
        for place in range(4):
            row = slot // 3 * 2 + (place >> 1)
            spot = BIT << (6 * (place >> 1) + (place & 1))
            if SPECIALS[way] & spot:
                gain += FILLS[slot // 3 * 2 + 1] * later * (row + 1) / 2.0
            elif JOKERS[way] & spot:
                gain += FILLS[row] * later
            else:
                space = self.space[36 * seat + 6 * row + slot % 3 * 2 + (place & 1)]
                gain += SPACE * FILLS[row] * later * (space + SPECIAL_SHARE[0] * self._special_worth(way, slot))
        return gain + self._room(seat, way, slot, 0) + self._room(seat, way, slot, 1)

    def _room(self, seat, way, slot, half):
        """What the plate adds to the line beside its upper or lower half."""
        row = slot // 3 * 2 + half
        held = self._held(seat, row)
        if held == 0:
            return 0.0
        colour = self._hue(seat, row)
        fits = FITS[5 * way + colour] >> 6 * half & 3
        if fits == 0:
            return 0.0
        at = 30 * seat + 5 * row + colour
        best = self.best[at]
        before = self._line(seat, row, colour, held)
        space = self.space[36 * seat + 6 * row + slot % 3 * 2 + (fits >> 1)]
        if space > best:
            self.best[at] = space
        gain = self._line(seat, row, colour, held) - before
        self.best[at] = best
        return gain

    # Phase 2

    def _weigh_tiling(self, seat):
        """DU30, DU31: a column for the tile of the line; or payments for it, or none."""
        row = self.row[seat]
        first = TILE_MOVE + SEAT_MOVES * seat
        colour = self._hue(seat, row)
        listed = 0
        if self._held(seat, row) > row:
            columns = self._free_columns(seat, row)
            while columns:
                self.moves[listed] = first + 6 * row + lowest(columns)
                self.worths[listed] = self.space[36 * seat + 6 * row + lowest(columns)]
                columns &= columns - 1
                listed += 1
            return listed
        best = self.best[30 * seat + 5 * row + colour]
        kept = 0.0 if self.round == 5 else STARTED * best * self._held(seat, row) / (row + 1)
        for payment in range(self._list_payments(seat)):
            self.moves[listed] = first + PAY_MOVE + payment
            self.worths[listed] = best - kept - self._price(self.payments[payment])
            listed += 1
        self.moves[listed] = first + LEAVE_MOVE
        self.worths[listed] = 0.0
        return listed + 1

    def _price(self, chips):
        return (LAST_CHIP if self.round == 5 else SPENT_CHIP) * chip_count(chips)

    # Play

    def _best_move(self):
        """The move that looks best. A plate that a player fancies is fancied until it is gone."""
        if self.stage != ACT:
            return self.moves[self._best_of(self._weigh())]
        seat = self.current
        if self.stale >> seat & 1:
            self._survey(seat)
        listed = self._weigh_chips(seat, self._weigh_takes(seat))
        if self.tokens[seat] > 0:
            if not self._is_open(self.fancied[seat]):
                self._fancy(seat, listed)
            self.moves[listed] = self.fancied[seat]
            self.worths[listed] = self.fancy[seat]
            listed += self.fancied[seat] > 0
        return self.moves[self._best_of(listed)]

    def _best_of(self, listed):
        best = 0
        for place in range(1, listed):
            if self.worths[place] > self.worths[best]:
                best = place
        return best

    def _is_open(self, move):
        """Whether a move takes a plate that lies open, or draws one because none does."""
        if move == DRAW_MOVE:
            return self.opened == 0 and self.height > 0
        for place in range(self.opened):
            if move > 0 and (move - PLATE_MOVE) // 36 == self.open[place]:
                return True
        return False

    def _fancy(self, seat, listed):
        """Look at the open plates; where none lies, only drawing is left."""
        first = listed
        for place in range(self.opened):
            listed = self._weigh_slots(seat, self.open[place], listed)
        self.fancied[seat] = DRAW_MOVE if self.height else 0
        self.fancy[seat] = UNSEEN_PLATE
        for place in range(first, listed):
            if self.worths[place] > self.fancy[seat]:
                self.fancied[seat] = self.moves[place]
                self.fancy[seat] = self.worths[place]

    def _finish(self):
        """Let quick players play until the round is over."""
        while not self._is_done():
            if self.phase == DEALING:
                self._let_chance()
            else:
                self._play(self._best_move())

    def _is_done(self):
        """Whether the round is over, and the next has not begun."""
        return self.phase == OVER or (self.stage == PREPARE and self.round > 0)
