"""How Azul Duel is played: what may be done, what it does, how phase follows phase.

What the numbers of the moves mean is said in duel.py.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.duel_table import (
        ACT,
        BIT,
        CHIP,
        DRAW,
        END,
        FACE,
        FIRST,
        HIDDEN,
        KEEP,
        LINE_COUNT,
        LINES,
        NOBODY,
        NOTHING,
        ONE,
        ONES,
        PREPARE,
        RETURN,
        STACK,
        TILE,
        colours_of,
        is_single,
        tile_count,
    )
    from tessella.fast.duel_tiling import LEAVE_MOVE, PAY_MOVE, DuelTiling
    from tessella.fast.uncompiled import lowest

from tessella.fast.phases import DEALING, DRAFTING, OVER, TILING

# Moves

CHIP_MOVE = 210
PLATE_MOVE = 214
DRAW_MOVE = 862
STOP_MOVE = 863
STACK_MOVE = 864
RETURN_MOVE = 870
TILE_MOVE = 888
SEAT_MOVES = 233
WIDTH = 1354

MOONS = 5
"""The source of a take from the moons."""
BROKEN = 6
"""The line of a take that breaks."""


class DuelRules(DuelTiling):
    """A table at which moves are made."""

    # What may be done

    def _list(self):
        """Write every legal move to `listed`; give their number. A few places behind them are overwritten."""
        if self.due:
            return 0
        seat = self.current
        if self.stage == ACT:
            listed = self._list_takes(seat)
            if self.owed[seat]:
                for factory in range(1, 5):
                    if self.chip[factory] > HIDDEN:
                        self.listed[listed] = CHIP_MOVE - 1 + factory
                        listed += 1
            if self.tokens[seat] > 0:
                for place in range(self.opened):
                    listed = self._list_slots(seat, self.open[place], listed)
                if self.height:
                    self.listed[listed] = DRAW_MOVE
                    listed += 1
            return listed
        return self._list_others(seat)

    def _list_takes(self, seat):
        """DU23, DU24, DU27: colours of the suns, then of the moons; lines with room for them, then the broken space."""
        listed = 0
        for source in range(6):
            colours = self._moon_colours() if source == MOONS else colours_of(self.sun[source])
            while colours:
                colour = lowest(colours)
                colours &= colours - 1
                lines = self.lines[seat] >> 8 * colour & 63 | 64
                first = 35 * source + 7 * colour
                for lane in range(8):
                    self.listed[listed + lane] = first + LINES[8 * lines + lane]
                listed += LINE_COUNT[lines]
        return listed

    def _moon_colours(self):
        """DU24: the whole large moon counts, and the tops of stacks."""
        colours = colours_of(self.moon) << 1
        for factory in range(1, 5):
            colours |= BIT << (self.moons[factory] & 15)
        return colours >> 1

    def _list_slots(self, seat, plate, listed):
        """DU20: the plate on each empty slot in each turn."""
        for slot in range(9):
            if self.dome[9 * seat + slot] == 0:
                for way in range(4):
                    self.listed[listed + way] = PLATE_MOVE + 36 * plate + 4 * slot + way
                listed += 4
        return listed

    def _list_others(self, seat):
        listed = 0
        if self.stage == FIRST:
            for place in range(self.opened):
                listed = self._list_slots(seat, self.open[place], listed)
        elif self.stage == KEEP:
            for place in range(self.drawn):
                listed = self._list_slots(seat, self.hand[place] & FACE, listed)
        elif self.stage == STACK:
            while listed < orders_of(self.sun[self.stacking]):
                self.listed[listed] = STACK_MOVE + listed
                listed += 1
        elif self.stage == DRAW:
            self.listed[0] = DRAW_MOVE
            self.listed[1] = STOP_MOVE
            listed = 2
        elif self.stage == RETURN:
            while listed < self.drawn:
                self.listed[listed] = RETURN_MOVE + (self.hand[listed] & FACE)
                listed += 1
        elif self.stage == TILE:
            listed = self._list_tiling(1, self._list_tiling(0, 0))
        return listed

    def _list_tiling(self, seat, listed):
        """DU30, DU31: columns for the tile of the line whose turn it is; or payments for it, none last."""
        row = self.row[seat]
        if row == 6:
            return listed
        first = TILE_MOVE + SEAT_MOVES * seat
        if self.held[seat] >> 8 * row & 255 > row:
            columns = self._free_columns(seat, row)
            while columns:
                self.listed[listed] = first + 6 * row + lowest(columns)
                columns &= columns - 1
                listed += 1
            return listed
        for payment in range(self._list_payments(seat)):
            self.listed[listed] = first + PAY_MOVE + payment
            listed += 1
        self.listed[listed] = first + LEAVE_MOVE
        return listed + 1

    def _list_mask(self, masks, at):
        """List the moves of the seat that is to move, and write a row of a mask: 1 for each of them, 0 for others."""
        listed = self._list_tiling(self._seat(), 0) if self.stage == TILE else self._list()
        for move in range(WIDTH):
            masks[at, move] = 0
        for place in range(listed):
            masks[at, self.listed[place]] = 1
        return listed

    def _is_legal(self, move):
        for place in range(self._list()):
            if self.listed[place] == move:
                return True
        return False

    def _apply(self, move):
        """Make a legal move, and what follows from it by itself."""
        if move < CHIP_MOVE:
            self._take(move // 35, move % 35 // 7, move % 7)
        elif move < PLATE_MOVE:
            self._take_chip(move - CHIP_MOVE + 1)
        elif move < DRAW_MOVE:
            self._place_plate((move - PLATE_MOVE) // 36, (move - PLATE_MOVE) % 36 // 4, (move - PLATE_MOVE) % 4)
        elif move == DRAW_MOVE:
            self._draw()
        elif move == STOP_MOVE:
            self._stop()
        elif move < RETURN_MOVE:
            self._stack_leftover(move - STACK_MOVE)
        elif move < TILE_MOVE:
            self._return(move - RETURN_MOVE)
            self._return_rest()
        else:
            self._choose_tiling((move - TILE_MOVE) // SEAT_MOVES, (move - TILE_MOVE) % SEAT_MOVES)
        self._go_on()

    # Phase 1: dome plates

    def _place_plate(self, plate, slot, way):
        """DU12, DU20: lay an open plate, or one of those drawn, in an empty slot; it never moves again."""
        seat = self.current
        self.dome[9 * seat + slot] = 4 * plate + way + 1
        if self.stage == KEEP:
            self._drop_from_hand(plate)
            self.stage = RETURN
            self._return_rest()
            return
        place = 0
        while self.open[place] != plate:
            place += 1
        self.opened -= 1
        while place < self.opened:
            self.open[place] = self.open[place + 1]
            place += 1
        if self.stage == FIRST:
            self.current = self.start
        else:
            self.tokens[seat] -= 1
            self._end_turn()

    def _draw(self):
        """DU20, DU22: a point, if one has any, for the top plate of the stack; when that was the last one, look."""
        seat = self.current
        if self.stage == ACT:
            self.tokens[seat] -= 1
        if self.score[seat]:
            self.score[seat] -= 1
        self.stage = DRAW
        self.height -= 1
        self.hand[self.drawn] = self.stack[self.height]
        self.drawn += 1
        if self.height == 0:
            self._stop()

    def _stop(self):
        """DU20: draw no more, and look; what the player does not know yet, chance or the stack says first."""
        self.stage = KEEP
        if self._find_due() == NOTHING:
            self._look()

    def _return(self, plate):
        """DU20: a plate that was not kept goes under the stack."""
        back = self._drop_from_hand(plate)
        place = self.height
        while place > 0:
            self.stack[place] = self.stack[place - 1]
            place -= 1
        self.stack[0] = back
        self.height += 1

    def _return_rest(self):
        """The last plate goes back by itself; then the turn is over."""
        if self.drawn > 1:
            return
        if self.drawn == 1:
            self._return(self.hand[0] & FACE)
        self._end_turn()

    def _drop_from_hand(self, plate):
        place = 0
        while self.hand[place] & FACE != plate:
            place += 1
        back = self.hand[place]
        self.drawn -= 1
        while place < self.drawn:
            self.hand[place] = self.hand[place + 1]
            place += 1
        return back

    # Phase 1: tiles and chips

    def _take(self, source, colour, line):
        """DU23, DU24, DU27: take tiles from a sun or from the moons, and lay them in one line or break them."""
        seat = self.current
        number = self._take_moons(colour) if source == MOONS else self._take_sun(source, colour)
        if line < BROKEN:
            held = self.held[seat] >> 8 * line & 255
            laid = line + 1 - held
            if number < laid:
                laid = number
            number -= laid
            self.held[seat] += laid * ONE[line]
            if held == 0:
                self.hue[seat] += colour * ONE[line]
            self.lines[seat] &= ~(ONES << line)
            if held + laid <= line:
                self.lines[seat] |= ONE[colour] << line
        self._shatter(seat, colour, number)
        if self.stacking:
            self.stage = STACK
        else:
            self._end_turn()

    def _take_sun(self, factory, colour):
        """DU23, DU25: all tiles of the colour; the rest goes to the moon, on a small one in an order to be chosen."""
        number = self.sun[factory] >> 8 * colour & 255
        rest = self.sun[factory] - number * ONE[colour]
        if factory == 0:
            self.sun[0] = 0
            self.moon = rest
            if rest == 0:
                self.holder = self.current
        elif rest and not is_single(rest):
            self.sun[factory] = rest
            self.stacking = factory
        else:
            self.sun[factory] = rest
            self._pile(factory, 0)
        return number

    def _take_moons(self, colour):
        """DU24, DU25: the top tile of each small stack that shows the colour, and all such tiles of the large moon."""
        number = self.moon >> 8 * colour & 255
        self.moon -= number * ONE[colour]
        if number and self.holder == NOBODY:
            self.holder = self.current
        for factory in range(1, 5):
            if self.moons[factory] & 15 == colour + 1:
                self.moons[factory] >>= 4
                number += 1
        return number

    def _stack_leftover(self, order):
        """DU23: the leftover goes on the chip in the chosen order."""
        self._pile(self.stacking, order)
        self.stacking = 0
        self._end_turn()

    def _pile(self, factory, order):
        """Move the tiles of a sun to the moon in this one of their orders, the bottom tile first."""
        rest = self.sun[factory]
        colour = 0
        while rest:
            if rest >> 8 * colour & 255:
                orders = orders_of(rest - ONE[colour])
                if order < orders:
                    self.moons[factory] = self.moons[factory] << 4 | (colour + 1)
                    rest -= ONE[colour]
                    colour = -1
                else:
                    order -= orders
            colour += 1
        self.sun[factory] = 0

    def _take_chip(self, factory):
        """DU26: one revealed chip."""
        self.mine[self.current] += CHIP[self.chip[factory] - 2]
        self.owed[self.current] -= 1
        self.chip[factory] = 0
        self._end_turn()

    def _end_turn(self):
        self.stage = ACT
        self.current = 1 - self.current

    # What follows by itself

    def _deal(self):
        """Let chance decide, by the own generator."""
        self._decide()
        self._settle()
        self._go_on()

    def _go_on(self):
        """DU29: who can do nothing passes; when nobody can, phase 2 begins; after it comes a round or the end."""
        self.due = self._find_due()
        if self.stage == ACT and self.due == NOTHING and not self._can_act(self.current):
            if self._can_act(1 - self.current):
                self.current = 1 - self.current
            else:
                self.stage = TILE
                self.current = 0
                self._tile_dome(0)
                self._tile_dome(1)
        if self.stage == TILE and self.row[0] == 6 and self.row[1] == 6:
            self._finish_round()
        self._name_phase()

    def _name_phase(self):
        """What the table waits for."""
        if self.due:
            self.phase = DEALING
        elif self.stage == TILE:
            self.phase = TILING
        else:
            self.phase = OVER if self.stage == END else DRAFTING

    def _can_act(self, seat):
        """DU29: whether the player can do anything; while there are tiles, everybody can."""
        if self.moon:
            return True
        revealed = 0
        for factory in range(5):
            if self.sun[factory] or self.moons[factory]:
                return True
            if self.chip[factory] > HIDDEN:
                revealed += 1
        if revealed and self.owed[seat]:
            return True
        return self.tokens[seat] > 0 and self.opened + self.height > 0

    def _finish_round(self):
        """DU41, DU50 to DU58: who has the start tile starts; after round 5 the faces are scored instead."""
        self.row[0] = self.row[1] = 0
        if self.round == 5:
            self.stage = END
            for seat in range(2):
                self.score[seat] += self._face_points(seat)
                if self.score[seat] < 0:
                    self.score[seat] = 0
            return
        self.start = self._favoured()
        self.holder = NOBODY
        self.stage = PREPARE
        self.due = self._find_due()

    def _favoured(self):
        """DU41, DU58: the holder of the start tile or, if nobody took it, the start player."""
        return self.start if self.holder == NOBODY else self.holder

    # Play

    def _seat(self):
        if self.stage == TILE:
            return 0 if self.row[0] < 6 else 1
        return self.current

    def _playout(self):
        plies = 0
        while self.phase != OVER:
            if self.phase == DEALING:
                self._deal()
            else:
                listed = self._list()
                self.met += listed
                self._apply(self.listed[self._below(listed)])
                plies += 1
        return plies


def orders_of(tiles):
    """In how many orders at most three tiles may lie."""
    colours = colours_of(tiles)
    colours &= colours - 1
    if colours == 0:
        return 1
    return tile_count(tiles) if colours & (colours - 1) == 0 else 6
