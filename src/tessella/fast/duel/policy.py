"""The rollout policy of Azul Duel: a static value for each move.

The value of a move is what it adds to the mover's board: points that a line will bring, room that a plate gives, less
what breaks. It follows `tessella.bots.duel.heuristic`, but spaces are evaluated once per change of a dome, not once per
move.

The same file runs as plain Python and, with the types of policy.pxd, compiled. Compiled code does not check bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.bits import colours_of, lowest
    from tessella.fast.duel.constants import (
        ACT,
        BIT,
        BLOCK,
        CHIP,
        COLOUR_ROWS_FACE,
        COLUMNS_FACE,
        CORNERS_FACE,
        COST,
        DIAGONALS_FACE,
        DRAW,
        EMPTY_SPECIALS_FACE,
        FACE,
        FALLING,
        FIRST,
        FITS,
        HIDDEN,
        JOKERS,
        JOKERS_FACE,
        KEEP,
        LINE_COUNT,
        MATCHING,
        NOBODY,
        ONE,
        OUTER,
        OUTER_FACE,
        PREPARE,
        RETURN,
        RISING,
        ROWS_FACE,
        RUN,
        SHIFT,
        SPECIALS,
        STACK,
        TILE,
    )
    from tessella.fast.duel.moves import (
        BROKEN,
        DRAW_MOVE,
        LEAVE_CHOICE,
        MOONS,
        PAY_CHOICE,
        PLATE_MOVE,
        STOP_MOVE,
        encode_chip,
        encode_order,
        encode_plate,
        encode_return,
        encode_space,
        encode_take,
        encode_tiling,
        placed_plate,
    )
    from tessella.fast.duel.rules import chip_count, column_of, orders_of, size

from tessella.fast.duel.rules import Duel
from tessella.fast.phases import DEALING, OVER

NO_SPACE = -1.0
"""Value of the best space for a colour if there is none."""

STARTED = 0.85
"""Weight of a started line while rounds are left: it may never be completed."""
PAID_FOR = 0.8
"""Weight of a line that the seat's chips could complete."""
WAITING = 1.0
"""Value of a complete line that waits for a plate."""
STUCK = -1.0
"""Value of each tile in a line that can never be placed."""
FILLS = [0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
"""Probability that a space of each row is filled, if several rounds are left."""
SPACE = 0.4
"""Weight of an empty space, before the probability that it is filled."""
SPECIAL_FRACTION = [0.15, 0.3, 1.0, 0.0]
"""Fraction of a special tile's points that the first, second and third tile of its plate bring."""
JOKER_FRACTION = 0.7
"""Fraction of a joker space's points to expect, as all of them must be filled."""
CHIP_VALUE = 0.9
MATCHING_CHIP = 0.4
"""Value of a chip, and what each line adds that it could help to complete."""
SPENT_CHIP = 0.3
LAST_CHIP = 0.01
"""Cost of a spent chip, and in the last round."""
START_COST = 2.0
FIRST_NEXT = 0.5
"""Value of starting the next round, in points."""
UNSEEN_PLATE = -0.5
ANOTHER_PLATE = -1.0
"""Values of drawing: it costs a point, and the player must accept what comes."""
NO_PLATE = -1000.0
"""Value if no plate can be drawn: less than that of any plate."""


class RolloutPolicy:
    """A table on which rollouts are played.

    Per seat: the value of a tile on each `space` of the dome, and the `best` of them in each row for each colour.
    `moves` and their `values` are those listed last; `moves_made` counts all moves made here.
    """

    def __init__(self):
        """Allocate an empty table, to be copied into."""
        self.table = Duel()
        self.moves_made = 0
        self.stale = 3
        self.tiles_first = 0
        self.space = [0.0] * 72
        self.best = [0.0] * 60
        self.column = [0] * 6
        self.plate_move = [0] * 2
        self.plate_value = [0.0] * 2
        self.moves = [0] * 960
        self.values = [0.0] * 960

    def _copy_from(self, other):
        """Copy another table with all cached values."""
        self.table._assign(other.table)
        self.stale = other.stale
        self.plate_move[0] = self.plate_move[1] = 0
        for place in range(72):
            self.space[place] = other.space[place]
        for place in range(60):
            self.best[place] = other.best[place]

    def _play(self, move):
        """Make a move, and mark the domes that it changes as stale."""
        self.moves_made += 1
        if self.table.stage == TILE:
            self.stale |= 1 << self._mover()
            self.table._apply(move)
            return
        if PLATE_MOVE <= move < DRAW_MOVE:
            self.stale |= 1 << self.table.current
            self.plate_move[self.table.current] = 0
        self.table._apply(move)
        self._mark_stale()

    def _resolve_chance(self):
        """Decide what chance decides, at random."""
        self.table._deal()
        self._mark_stale()

    def _mark_stale(self):
        """Mark both domes as stale once phase 1 is over: tiles may have been placed on both."""
        if self.table.stage >= TILE or self.table.stage == PREPARE:
            self.stale = 3

    def _mover(self):
        """Return the seat to move; of two that tile their domes, `tiles_first`."""
        if self.table.stage == TILE:
            return self.tiles_first if self.table.row[self.tiles_first] < 6 else 1 - self.tiles_first
        return self.table.current

    # Spaces of the dome

    def _evaluate_dome(self, seat):
        """Evaluate every space of a dome, also where no plate lies yet."""
        laid = self.table.laid[seat]
        for column in range(6):
            self.column[column] = column_of(laid, column)
        for slot in range(9):
            self._evaluate_slot(seat, slot)
        for row in range(6):
            for colour in range(5):
                self.best[30 * seat + 5 * row + colour] = self._best_space(seat, row, colour)
        self.stale &= ~(1 << seat)

    def _evaluate_slot(self, seat, slot):
        """DU33: evaluate the spaces of a slot, with the special tile and the faces in play that they prepare."""
        laid = self.table.laid[seat]
        there = size(laid & BLOCK * BIT << SHIFT[slot])
        way = self.table.dome[9 * seat + slot]
        common = self._special_value(way, slot) * SPECIAL_FRACTION[there] if there < 4 else 0.0
        if self.table.faces & CORNERS_FACE and slot != 4 and slot & 1 == 0:
            common += (8.0 if slot > 4 else 3.0) * (2 * there + 1) / 16.0
        for place in range(4):
            row = slot // 3 * 2 + (place >> 1)
            column = slot % 3 * 2 + (place & 1)
            across = laid >> 6 * row & 63
            points = RUN[6 * across + column] + RUN[6 * self.column[column] + row]
            value = common + (points if points else 1)
            if self.table.faces & ROWS_FACE:
                value += 3.0 * (2 * LINE_COUNT[across] + 1) / 36.0
            if self.table.faces & COLUMNS_FACE:
                value += 7.0 * (2 * LINE_COUNT[self.column[column]] + 1) / 36.0
            if self.table.faces & OUTER_FACE and OUTER >> (6 * row + column) & 1:
                value += 1.0
            if self.table.faces & DIAGONALS_FACE:
                if row == column:
                    value += 10.0 * (2 * size(laid & FALLING) + 1) / 36.0
                if row + column == 5:
                    value += 10.0 * (2 * size(laid & RISING) + 1) / 36.0
            if self.table.faces & JOKERS_FACE and JOKERS[way] >> (6 * (place >> 1) + (place & 1)) & 1:
                value += 2.0 * JOKER_FRACTION
            self.space[36 * seat + 6 * row + column] = value

    def _special_value(self, way, slot):
        """DU34: return the points of the special tile of a plate, if it has one."""
        if SPECIALS[way] == 0:
            return 0.0
        return slot // 3 * 2 + lowest(SPECIALS[way]) // 6 + 1 + (3.0 if self.table.faces & EMPTY_SPECIALS_FACE else 0.0)

    def _best_space(self, seat, row, colour):
        columns = self.table._columns_for(seat, row, colour)
        if columns == 0:
            return NO_SPACE
        best = 0.0
        while columns:
            if self.space[36 * seat + 6 * row + lowest(columns)] > best:
                best = self.space[36 * seat + 6 * row + lowest(columns)]
            columns &= columns - 1
        return best + self._new_colour(seat, row, colour)

    def _new_colour(self, seat, row, colour):
        """DU51: return what a colour adds that the row does not have yet."""
        if not self.table.faces & COLOUR_ROWS_FACE or self.table.tint[5 * seat + colour] >> 6 * row & 63:
            return 0.0
        colours = 0
        for other in range(5):
            colours += (self.table.tint[5 * seat + other] >> 6 * row & 63) > 0
        return 4.0 * (2 * colours + 1) / 25.0

    # Lines

    def _later(self):
        """Return how much of what is begun can still be finished: all while four rounds are left."""
        return 0.25 * (6 - self.table.round) if self.table.round > 2 else 1.0

    def _line(self, seat, row, colour, held):
        """Return the expected points of a line: more if it is fuller and if more rounds are left."""
        if held == 0:
            return 0.0
        best = self.best[30 * seat + 5 * row + colour]
        missing = row + 1 - held
        if best < 0.0:
            return WAITING * held / (row + 1) if self._waits(seat, row) else STUCK * held
        if missing == 0:
            return best
        if self.table.round >= 4 and 3 * missing <= chip_count(self.table.mine[seat]):
            return PAID_FOR * best
        return STARTED * self._later() * best * held / (row + 1)

    def _waits(self, seat, row):
        """DU32: whether a plate may still come beside the line."""
        slot = 9 * seat + row // 2 * 3
        return self.table.round < 5 and not (
            self.table.dome[slot] and self.table.dome[slot + 1] and self.table.dome[slot + 2]
        )

    def _held(self, seat, row):
        return self.table.held[seat] >> 8 * row & 255

    def _hue(self, seat, row):
        return self.table.hue[seat] >> 8 * row & 255

    # Moves and their values

    def _evaluate_moves(self):
        """List the moves of the seat to move with their values, plates last; return their number."""
        seat = self._mover()
        if self.stale >> seat & 1:
            self._evaluate_dome(seat)
        self.plates_at = 0
        if self.table.stage == ACT:
            listed = self._evaluate_chips(seat, self._evaluate_takes(seat))
            self.plates_at = listed
            if self.table.tokens[seat] > 0:
                if self._may_draw(seat, listed):
                    self.moves[listed] = DRAW_MOVE
                    self.values[listed] = UNSEEN_PLATE
                    listed += 1
                for place in range(self.table.opened):
                    listed = self._evaluate_slots(seat, self.table.open[place], listed)
            return listed
        return self._evaluate_others(seat)

    def _may_draw(self, seat, listed):
        """DU22: whether the player may draw a plate; `listed` takes and chips are possible instead."""
        if self.table.height == 0:
            return False
        return self.table._can_afford_draw(seat) or (listed == 0 and self.table.opened == 0)

    def _evaluate_others(self, seat):
        listed = 0
        if self.table.stage == FIRST:
            for place in range(self.table.opened):
                listed = self._evaluate_slots(seat, self.table.open[place], listed)
        elif self.table.stage == KEEP:
            for place in range(self.table.drawn):
                listed = self._evaluate_slots(seat, self.table.hand[place] & FACE, listed)
        elif self.table.stage == STACK:
            listed = self._evaluate_orders(seat)
        elif self.table.stage == DRAW:
            self.moves[0] = STOP_MOVE
            self.values[0] = 0.0
            self.moves[1] = DRAW_MOVE
            self.values[1] = ANOTHER_PLATE
            listed = 2
        elif self.table.stage == RETURN:
            while listed < self.table.drawn:
                self.moves[listed] = encode_return(self.table.hand[listed] & FACE)
                self.values[listed] = 0.0
                listed += 1
        elif self.table.stage == TILE:
            listed = self._evaluate_tiling(seat)
        return listed

    # Takes

    def _evaluate_takes(self, seat):
        """DU23 to DU27: list colours of the suns, then of the moons; lines with room for them, and the broken space."""
        listed = 0
        for source in range(6):
            colours = self.table._moon_colours() if source == MOONS else colours_of(self.table.sun[source])
            while colours:
                colour = lowest(colours)
                colours &= colours - 1
                number = self._number(source, colour)
                gain = FIRST_NEXT - START_COST if self._brings_start(source, colour) else 0.0
                lines = self.table.lines[seat] >> 8 * colour & 63
                while lines:
                    self.moves[listed] = encode_take(source, colour, lowest(lines))
                    self.values[listed] = gain + self._lay_value(seat, lowest(lines), colour, number)
                    lines &= lines - 1
                    listed += 1
                self.moves[listed] = encode_take(source, colour, BROKEN)
                self.values[listed] = gain - self._break_cost(seat, number)
                listed += 1
        return listed

    def _number(self, source, colour):
        """Return how many tiles a take brings."""
        if source != MOONS:
            return self.table.sun[source] >> 8 * colour & 255
        number = self.table.moon >> 8 * colour & 255
        for factory in range(1, 5):
            number += self.table.moons[factory] & 15 == colour + 1
        return number

    def _brings_start(self, source, colour):
        """DU25: whether the start tile comes along."""
        if source == MOONS:
            return self.table.holder == NOBODY and self.table.moon >> 8 * colour & 255 > 0
        return source == 0 and self.table.sun[0] == (self.table.sun[0] >> 8 * colour & 255) * ONE[colour]

    def _lay_value(self, seat, line, colour, number):
        held = self._held(seat, line)
        laid = line + 1 - held
        if number < laid:
            laid = number
        value = self._line(seat, line, colour, held + laid) - self._line(seat, line, colour, held)
        return value - self._break_cost(seat, number - laid)

    def _break_cost(self, seat, number):
        """DU28, DU35: return the cost of breaking more tiles."""
        broken = self.table.fallen[seat] + number
        return COST[broken if broken < 4 else 4] - COST[self.table.fallen[seat]]

    def _evaluate_orders(self, seat):
        """DU23: evaluate the orders of a leftover: its top tile is what the other player may take next."""
        if self.stale >> (1 - seat) & 1:
            self._evaluate_dome(1 - seat)
        orders = orders_of(self.table.sun[self.table.stacking])
        rest = self.table.sun[self.table.stacking]
        for order in range(orders):
            self.table._pile(self.table.stacking, order)
            self.moves[order] = encode_order(order)
            self.values[order] = -self._best_gain(1 - seat, (self.table.moons[self.table.stacking] & 15) - 1)
            self.table.moons[self.table.stacking] = 0
            self.table.sun[self.table.stacking] = rest
        return orders

    def _best_gain(self, seat, colour):
        """Return the gain of one tile of a colour for a player."""
        most = 0.0
        lines = self.table.lines[seat] >> 8 * colour & 63
        while lines:
            gain = self._lay_value(seat, lowest(lines), colour, 1)
            if gain > most:
                most = gain
            lines &= lines - 1
        return most

    # Chips and plates

    def _evaluate_chips(self, seat, listed):
        if self.table.owed[seat]:
            for factory in range(1, 5):
                if self.table.chip[factory] > HIDDEN:
                    self.moves[listed] = encode_chip(factory)
                    self.values[listed] = CHIP_VALUE + MATCHING_CHIP * self._lines_helped(
                        seat, self.table.chip[factory] - 2
                    )
                    listed += 1
        return listed

    def _lines_helped(self, seat, chip):
        """Return how many colours of started lines the chip shows."""
        colours = 0
        for row in range(6):
            if 0 < self._held(seat, row) <= row and CHIP[chip] & MATCHING[self._hue(seat, row)]:
                colours |= 1 << self._hue(seat, row)
        return LINE_COUNT[colours]

    def _evaluate_slots(self, seat, plate, listed):
        """DU20: list the plate on each empty slot in each turn."""
        for slot in range(9):
            if self.table.dome[9 * seat + slot] == 0:
                for way in range(4):
                    self.moves[listed] = encode_plate(plate, slot, way)
                    self.values[listed] = self._plate_gain(seat, 4 * plate + way + 1, slot)
                    listed += 1
        return listed

    def _plate_gain(self, seat, way, slot):
        """Return what the plate adds: room for the lines beside it, and spaces that may be filled later."""
        later = 0.2 * (6 - self.table.round)
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
                gain += SPACE * FILLS[row] * later * (space + SPECIAL_FRACTION[0] * self._special_value(way, slot))
        return gain + self._room(seat, way, slot, 0) + self._room(seat, way, slot, 1)

    def _room(self, seat, way, slot, half):
        """Return what the plate adds to the line beside its upper or lower half."""
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

    def _evaluate_tiling(self, seat):
        """DU30, DU31: list columns for the tile of the line; or payments for it, or none."""
        row = self.table.row[seat]
        colour = self._hue(seat, row)
        listed = 0
        if self._held(seat, row) > row:
            columns = self.table._free_columns(seat, row)
            while columns:
                self.moves[listed] = encode_tiling(seat, encode_space(row, lowest(columns)))
                self.values[listed] = self.space[36 * seat + 6 * row + lowest(columns)]
                columns &= columns - 1
                listed += 1
            return listed
        best = self.best[30 * seat + 5 * row + colour]
        kept = 0.0 if self.table.round == 5 else STARTED * best * self._held(seat, row) / (row + 1)
        for payment in range(self.table._list_payments(seat)):
            self.moves[listed] = encode_tiling(seat, PAY_CHOICE + payment)
            self.values[listed] = best - kept - self._price(self.table.payments[payment])
            listed += 1
        self.moves[listed] = encode_tiling(seat, LEAVE_CHOICE)
        self.values[listed] = 0.0
        return listed + 1

    def _price(self, chips):
        return (LAST_CHIP if self.table.round == 5 else SPENT_CHIP) * chip_count(chips)

    # Play

    def _best_move(self):
        """Return the move of greatest value. The best plate move is cached until its plate is gone."""
        if self.table.stage != ACT:
            return self.moves[self._best_of(self._evaluate_moves())]
        seat = self.table.current
        if self.stale >> seat & 1:
            self._evaluate_dome(seat)
        listed = self._evaluate_chips(seat, self._evaluate_takes(seat))
        if self.table.tokens[seat] > 0:
            if not self._is_open(self.plate_move[seat]):
                self._find_plate_move(seat, listed)
            self.moves[listed] = self.plate_move[seat]
            self.values[listed] = self.plate_value[seat]
            listed += self.plate_move[seat] > 0
        return self.moves[self._best_of(listed)]

    def _best_of(self, listed):
        best = 0
        for place in range(1, listed):
            if self.values[place] > self.values[best]:
                best = place
        return best

    def _is_open(self, move):
        """Whether a move takes a plate that lies open, or draws one because none does."""
        if move == DRAW_MOVE:
            return self.table.opened == 0 and self.table.height > 0
        for place in range(self.table.opened):
            if move > 0 and placed_plate(move) == self.table.open[place]:
                return True
        return False

    def _find_plate_move(self, seat, listed):
        """Cache the best move with an open plate, if it brings more than drawing or if nothing else is possible."""
        first = listed
        for place in range(self.table.opened):
            listed = self._evaluate_slots(seat, self.table.open[place], listed)
        self.plate_move[seat] = DRAW_MOVE if self._may_draw(seat, listed) else 0
        self.plate_value[seat] = UNSEEN_PLATE if first or self.plate_move[seat] else NO_PLATE
        for place in range(first, listed):
            if self.values[place] > self.plate_value[seat]:
                self.plate_move[seat] = self.moves[place]
                self.plate_value[seat] = self.values[place]

    def _finish(self):
        """Play the policy until the round is over."""
        while not self._is_done():
            if self.table.phase == DEALING:
                self._resolve_chance()
            else:
                self._play(self._best_move())

    def _is_done(self):
        """Whether the round is over, and the next has not begun."""
        return self.table.phase == OVER or (self.table.stage == PREPARE and self.table.round > 0)
