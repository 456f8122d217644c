"""The rules of Azul Duel on machine words, for millions of moves per second; `tessella.games.duel` is the reference.

state.py explains the representation, moves.py how moves are numbered. The file follows the rulebook: chance, legal
moves, phase 1 (plates, tiles, chips), phase 2 (the domes), the end.

A deal is drawn first (`shown` plates or chips, tiles `poured`), at random or as a deal of the readable game says; then
it is applied.

The same file runs as plain Python and, with the types of rules.pxd, compiled. Compiled code does not check bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.bits import colours_of, lowest, mixed, tile_count
    from tessella.fast.duel.moves import (
        BROKEN,
        CHIP_MOVE,
        DRAW_MOVE,
        LEAVE_CHOICE,
        MOONS,
        PAY_CHOICE,
        PLATE_MOVE,
        RETURN_MOVE,
        STACK_MOVE,
        STOP_MOVE,
        TILE_MOVE,
        WIDTH,
        chip_factory,
        encode_chip,
        encode_order,
        encode_plate,
        encode_return,
        encode_space,
        encode_take,
        encode_tiling,
        placed_plate,
        placed_slot,
        placed_way,
        returned_plate,
        space_column,
        space_row,
        stacked_order,
        take_colour,
        take_line,
        take_source,
        tiling_choice,
        tiling_seat,
    )

from tessella.fast.batch import BatchBase
from tessella.fast.bits import GOLDEN, WORD, packed
from tessella.fast.duel import constants
from tessella.fast.duel.constants import (
    ACT,
    ALL_CHIPS,
    ALL_LINES,
    ALL_PLATES,
    ALL_TILES,
    BIT,
    BLOCK,
    BROKEN_ROOM,
    CHIPS,
    COLOUR_ROWS_FACE,
    COLUMN,
    COLUMNS_FACE,
    CORNERS_FACE,
    DIAGONALS_FACE,
    DRAW,
    EMPTY_SPECIALS_FACE,
    END,
    FACE,
    FALLING,
    FILL,
    FIRST,
    FRESH,
    HIDDEN,
    HIGHS,
    JOKERS_FACE,
    KEEP,
    KIND_NAMES,
    LOOK,
    NOBODY,
    NOTHING,
    NUMBERED,
    ONES,
    OPEN,
    OUTER,
    OUTER_FACE,
    PAIRS,
    PLATES_OF_KIND,
    PREPARE,
    RETURN,
    REVEAL,
    RISING,
    ROW,
    ROWS_FACE,
    SHUFFLE,
    STACK,
    STATE_WORDS,
    TILE,
    WAYS,
)
from tessella.fast.duel.state import DuelTable, chip_names, packed_chips, stacked_tiles
from tessella.fast.phases import DEALING, DRAFTING, OVER, TILING
from tessella.games.duel.notation import read_move, write_move
from tessella.games.duel.pieces import COLOURS, FACE_TILES, JOKER, SPECIAL, counts
from tessella.games.duel.scoring import final_places
from tessella.games.duel.state import (
    Config,
    Draw,
    Fill,
    Look,
    Open,
    Pay,
    Place,
    PlacePlate,
    Return,
    Reveal,
    Shuffle,
    Stack,
    Stop,
    Take,
    TakeChip,
)

# Compiled, each is a C array of this module: faster than an array of another one.
CHIP = constants.CHIP
COST = constants.COST
FITS = constants.FITS
JOKERS = constants.JOKERS
KINDS = constants.KINDS
LINES = constants.LINES
LINE_COUNT = constants.LINE_COUNT
MATCHING = constants.MATCHING
ONE = constants.ONE
PRINTED_KIND = constants.PRINTED_KIND
RUN = constants.RUN
SHIFT = constants.SHIFT
SPECIALS = constants.SPECIALS


class Duel(DuelTable):
    """A mutable table of Azul Duel, with its own random generator for chance and random play."""

    def __init__(self, config=None, seed=0):
        """Set up a table before the first deal."""
        self._clear()
        self.config = Config() if config is None else config
        self.width = WIDTH
        self.seats = 2
        self.faces = sum([1 << bit for bit, face in enumerate(FACE_TILES) if face in self.config.faces])
        self.special_colour = (
            2 if self.config.special_counts_as_colour == "alone" else self.config.special_counts_as_colour
        )
        self.free_draws = self.config.free_draws == "always"
        self.random = seed & WORD
        self._reset()

    # Copies

    def copy(self):
        """Return a copy with the same random generator: both would play on alike."""
        new = Duel.__new__(Duel)
        if not cython.compiled:
            new._clear()  # compiled, the arrays are zero already
        new.config = self.config
        new.random = self.random
        new._assign(self)
        return new

    def assign(self, other):
        """Copy another table into this one; keep this random generator."""
        self.config = other.config
        self._assign(other)

    def generator(self):
        """Return the state of the random generator, for `reseed`."""
        return self.random

    def reseed(self, seed):
        """Set the random generator: the same number deals the same."""
        self.random = seed & WORD

    def __reduce__(self):
        return from_state, (self.to_state(), self.random)

    def __deepcopy__(self, memo):
        return self.copy()

    # What chance decides

    def _next(self):
        """SplitMix64: return 64 random bits."""
        self.random = (self.random + GOLDEN) & WORD
        return mixed(self.random)

    def _below(self, stop):
        return (self._next() >> 32) * stop >> 32

    def reset(self):
        """Start a new game; the random generator runs on."""
        self._reset()

    def _reset(self):
        for factory in range(5):
            self.sun[factory] = 0
            self.moons[factory] = 0
            self.chip[factory] = 0
        for place in range(18):
            self.stack[place] = FRESH + PRINTED_KIND[17 - place]
            self.dome[place] = 0
        for place in range(10):
            self.tint[place] = 0
        for seat in range(2):
            self._reset_seat(seat)
        self.bag = ALL_TILES
        self.tower = 0
        self.moon = 0
        self.chips = ALL_CHIPS
        self.unseen = ALL_PLATES
        self.round = 0
        self.start = 0
        self.current = 0
        self.holder = NOBODY
        self.stacking = 0
        self.opened = 0
        self.height = 18
        self.drawn = 0
        self.stage = PREPARE
        self.due = SHUFFLE
        self.phase = DEALING

    def _reset_seat(self, seat):
        self.score[seat] = 5
        self.tokens[seat] = 0
        self.owed[seat] = 0
        self.row[seat] = 0
        self.paid[seat] = 0
        self.fallen[seat] = 0
        self.broken[seat] = 0
        self.lines[seat] = ALL_LINES
        self.held[seat] = 0
        self.hue[seat] = 0
        self.mine[seat] = 0
        self.spent[seat] = 0
        self.laid[seat] = 0

    def deal(self):
        """Decide what chance has to decide now, at random."""
        if self.due == NOTHING:
            raise ValueError("chance decides nothing while a seat is to move (DU40)")
        self._deal()

    def _deal(self):
        """Decide what chance decides, at random."""
        self._decide()
        self._resolve()
        self._go_on()

    def _find_due(self):
        """Return what chance decides now, if anything: as late as possible, when a player may first know it."""
        if self.stage == ACT:
            for factory in range(1, 5):
                if self._is_to_reveal(factory):
                    return REVEAL
        elif self.stage == KEEP:
            for place in range(self.drawn):
                if not self.hand[place] >> (5 + self.current) & 1:
                    return LOOK
        elif self.stage <= FIRST:
            if self.round == 0 and self.opened == 0:
                return SHUFFLE
            if self.opened < 3 and self.height:
                return OPEN
            return FILL if self.stage == PREPARE else NOTHING
        return NOTHING

    def _is_to_reveal(self, factory):
        """DU26: whether the factory is empty and its chip is turned over."""
        return self.chip[factory] == HIDDEN and self.sun[factory] == 0 and self.moons[factory] == 0

    def _number_due(self):
        """Return how many factories are filled, chips revealed or plates turned over."""
        if self.due == FILL:
            return 5
        if self.due == LOOK:
            return self.drawn
        if self.due != REVEAL:
            return 3 - self.opened if self.height > 3 - self.opened else self.height
        number = 0
        for factory in range(1, 5):
            if self._is_to_reveal(factory):
                number += 1
        return number

    # Drawing

    def _decide(self):
        """Draw what is due: the only use of random numbers in the rules."""
        if self.due == FILL:
            self._draw_factories()
        elif self.due == REVEAL:
            self._draw_chips()
        else:
            if self.due == SHUFFLE:
                self._draw_kinds()
            self._draw_plates()

    def _draw_kinds(self):
        """DU12: draw who starts, and the kinds of all plates of the stack."""
        self.start = self._below(2)
        special = 9
        for place in range(18):
            if self._below(18 - place) < special:
                self.stack[place] = FRESH
                special -= 1
            else:
                self.stack[place] = FRESH + 1

    def _draw_plates(self):
        """Draw which plates are turned over, at random among the unseen ones of the kind."""
        unseen = self.unseen
        for place in range(self._number_due()):
            face = (self.hand[place] if self.due == LOOK else self.stack[self.height - 1 - place]) & FACE
            if face >= FRESH:
                face = self._pick(unseen & PLATES_OF_KIND << 9 * (face - FRESH))
                unseen &= ~(1 << face)
            self.shown[place] = face

    def _pick(self, plates):
        """Return one of a set of plates at random, all equally likely."""
        number = self._below(size(plates))
        while number:
            plates &= plates - 1
            number -= 1
        return lowest(plates)

    def _draw_chips(self):
        """DU26: draw the chips of all factories that have just become empty."""
        chips = self.chips
        place = 0
        for factory in range(1, 5):
            if self._is_to_reveal(factory):
                number = self._below(chip_count(chips))
                chip = 0
                while number >= (chips >> 4 * chip & 15):
                    number -= chips >> 4 * chip & 15
                    chip += 1
                chips -= CHIP[chip]
                self.shown[place] = chip
                place += 1

    def _draw_factories(self):
        """DU10, DU11, DU40: draw the tiles of the factories; a large one of a single colour is drawn again."""
        bag = self.bag
        tower = self.tower
        self._draw_tiles(0)
        if is_single(self.poured[0]):
            self.bag += self.poured[0]
            if is_single(self.bag):
                self.bag += self.tower
                self.tower = 0
            again = not is_single(self.bag)
            self._draw_tiles(0)
            while again and is_single(self.poured[0]):
                self.bag += self.poured[0]
                self._draw_tiles(0)
        for factory in range(1, 5):
            self._draw_tiles(factory)
        self.bag = bag
        self.tower = tower

    def _draw_tiles(self, factory):
        """DU40: draw from the bag and, whenever it is empty, the tower; fewer when both are empty."""
        bag = self.bag
        tiles = 0
        for _ in range(4 if factory else 5):
            if bag == 0:
                bag = self.tower
                self.tower = 0
                if bag == 0:
                    break
            # per byte: the number of tiles of this colour or an earlier one
            reached = bag * ONES
            number = self._below(reached >> 32 & 255)
            beyond = (reached + (127 - number) * ONES) & HIGHS
            colour = 5 - ((beyond >> 7) * ONES >> 32 & 255)
            bag -= ONE[colour]
            tiles += ONE[colour]
        self.bag = bag
        self.poured[factory] = tiles

    # Applying what was drawn

    def _resolve(self):
        """Apply what was drawn: `shown` plates or chips, or tiles `poured` on the factories."""
        self.decided = self.due
        self.showing = self._number_due()
        if self.due == FILL:
            self._fill()
        elif self.due == REVEAL:
            self._reveal()
        elif self.due == LOOK:
            for place in range(self.drawn):
                self.hand[place] = self.hand[place] & ~FACE | self.shown[place]
                self.unseen &= ~(1 << self.shown[place])
            self._look()
        else:
            self._open_plates()

    def _open_plates(self):
        """DU10, DU12, DU40: the top plates of the stack fill up the open ones."""
        for place in range(self.showing):
            self.open[self.opened] = self.shown[place]
            self.opened += 1
            self.unseen &= ~(1 << self.shown[place])
        self.height -= self.showing
        if self.stage == FIRST and self._has_plate(0) and self._has_plate(1):
            self.stage = ACT

    def _reveal(self):
        place = 0
        for factory in range(1, 5):
            if self._is_to_reveal(factory):
                self.chip[factory] = self.shown[place] + 2
                self.chips -= CHIP[self.shown[place]]
                place += 1

    def _fill(self):
        """DU10, DU40: start a round with new tiles and chips on the factories, and new tokens."""
        for factory in range(5):
            self._fill_factory(factory)
        self.round += 1
        for seat in range(2):
            self.owed[seat] += 2
            if self.round < 5:
                self.tokens[seat] += 2
        self.current = self.start
        self.stage = ACT
        if self.round == 1:
            self.current = 1 - self.start
            self.stage = FIRST

    def _fill_factory(self, factory):
        """DU10, DU11, DU40: take tiles from the bag and, when that is empty or of one colour, from the tower."""
        if tile_count(self.bag) < (4 if factory else 5) or (factory == 0 and self._may_draw_again()):
            self.bag += self.tower
            self.tower = 0
        self.bag -= self.poured[factory]
        self.sun[factory] = self.poured[factory]
        self.moons[factory] = 0
        self.chip[factory] = HIDDEN if factory else 0

    def _may_draw_again(self):
        """DU11: whether five tiles of the only colour in the bag may come first, to be drawn again from everything."""
        if not is_single(self.bag):
            return False
        for colour in range(5):
            if self.bag >> 8 * colour & 255 and (self.bag + self.tower) >> 8 * colour & 255 >= 5:
                return True
        return False

    def _look(self):
        """DU20, DU60: the player looks at the drawn plates; the other player may lose track of some."""
        seat = self.current
        kinds = 0
        for place in range(self.drawn):
            kinds += 1 << 8 * ((self.hand[place] & FACE) // 9)
        for place in range(self.drawn):
            face = self.hand[place] & FACE
            known = self.hand[place] >> 5 & 3
            others = (known | self.hand[place] >> 7) & 2 - seat
            known = known & 2 - seat if kinds >> 8 * (face // 9) & 255 == 1 else 0
            self.hand[place] = face | (known | 1 << seat) << 5 | (others & ~known) << 7
        for last in range(1, self.drawn):
            back = self.hand[last]
            place = last
            while place > 0 and self.hand[place - 1] & FACE > back & FACE:
                self.hand[place] = self.hand[place - 1]
                place -= 1
            self.hand[place] = back

    # Hidden information

    def imagine(self, seat=None):
        """Redraw at random what the seat (None: a spectator) cannot see.

        Plates that others have looked at become any of their kind that the seat has not seen; a plate that the seat has
        seen and lost track of may lie anywhere that it does not know.
        """
        self._imagine(0 if seat is None else 1 << seat)

    def _imagine(self, viewer):
        for kind in range(2):
            free = self.unseen & PLATES_OF_KIND << 9 * kind
            lost = 0
            places = 0
            for place in range(self.height + self.drawn):
                if self._is_hidden(place, kind, viewer):
                    self.places_of[places] = place
                    places += 1
                    if self._back(place) >> 7 & viewer:
                        lost |= 1 << (self._back(place) & FACE)
                    else:
                        free |= 1 << (self._back(place) & FACE)
            chosen = lost
            for _ in range(places - size(lost)):
                chosen |= 1 << self._pick(free & ~chosen)
            self.unseen = self.unseen & ~(PLATES_OF_KIND << 9 * kind) | free & ~chosen
            for number in range(places):
                face = self._pick(chosen)
                chosen &= ~(1 << face)
                back = self._back(self.places_of[number]) & 3 << 5 | face
                self._put_back(self.places_of[number], back | viewer << 7 if lost >> face & 1 else back)

    def _is_hidden(self, place, kind, viewer):
        """Whether a plate of the kind lies here that a player has looked at, but that the viewer does not know."""
        known = self._back(place) >> 5 & 3
        return known and not known & viewer and (self._back(place) & FACE) // 9 == kind

    # Legal moves

    def _list(self):
        """Write every legal move to `listed`, and return their number; up to 7 entries behind them are overwritten."""
        if self.due:
            return 0
        seat = self.current
        if self.stage == ACT:
            listed = self._list_takes(seat)
            if self.owed[seat]:
                for factory in range(1, 5):
                    if self.chip[factory] > HIDDEN:
                        self.listed[listed] = encode_chip(factory)
                        listed += 1
            if self.tokens[seat] > 0:
                for place in range(self.opened):
                    listed = self._list_slots(seat, self.open[place], listed)
                if self.height and (self._can_afford_draw(seat) or listed == 0):
                    self.listed[listed] = DRAW_MOVE
                    listed += 1
            return listed
        return self._list_others(seat)

    def _can_afford_draw(self, seat):
        """DU22: whether the player may draw a plate by choice: it costs a point, unless draws are always free."""
        return self.score[seat] > 0 or self.free_draws

    def _list_takes(self, seat):
        """DU23, DU24, DU27: list colours of the suns, then of the moons, each with the lines that accept it."""
        listed = 0
        for source in range(6):
            colours = self._moon_colours() if source == MOONS else colours_of(self.sun[source])
            while colours:
                colour = lowest(colours)
                colours &= colours - 1
                lines = self.lines[seat] >> 8 * colour & 63 | 64
                first = encode_take(source, colour, 0)
                for lane in range(8):
                    self.listed[listed + lane] = first + LINES[8 * lines + lane]
                listed += LINE_COUNT[lines]
        return listed

    def _moon_colours(self):
        """DU24: return the colours of the whole large moon and of the tops of the stacks."""
        colours = colours_of(self.moon) << 1
        for factory in range(1, 5):
            colours |= BIT << (self.moons[factory] & 15)
        return colours >> 1

    def _list_slots(self, seat, plate, listed):
        """DU20: list the plate on each empty slot in each turn."""
        for slot in range(9):
            if self.dome[9 * seat + slot] == 0:
                for way in range(4):
                    self.listed[listed + way] = encode_plate(plate, slot, way)
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
                self.listed[listed] = encode_order(listed)
                listed += 1
        elif self.stage == DRAW:
            self.listed[0] = DRAW_MOVE
            self.listed[1] = STOP_MOVE
            listed = 2
        elif self.stage == RETURN:
            while listed < self.drawn:
                self.listed[listed] = encode_return(self.hand[listed] & FACE)
                listed += 1
        elif self.stage == TILE:
            listed = self._list_tiling(1, self._list_tiling(0, 0))
        return listed

    def _list_tiling(self, seat, listed):
        """DU30, DU31: list columns for the tile of the current line; or payments for it, none last."""
        row = self.row[seat]
        if row == 6:
            return listed
        if self.held[seat] >> 8 * row & 255 > row:
            columns = self._free_columns(seat, row)
            while columns:
                self.listed[listed] = encode_tiling(seat, encode_space(row, lowest(columns)))
                columns &= columns - 1
                listed += 1
            return listed
        for payment in range(self._list_payments(seat)):
            self.listed[listed] = encode_tiling(seat, PAY_CHOICE + payment)
            listed += 1
        self.listed[listed] = encode_tiling(seat, LEAVE_CHOICE)
        return listed + 1

    def _list_mask(self, masks, at):
        """List the moves of the seat to move, and write them as a row of a mask."""
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
        """Make a legal move, and what follows from it without a choice."""
        if move < CHIP_MOVE:
            self._take(take_source(move), take_colour(move), take_line(move))
        elif move < PLATE_MOVE:
            self._take_chip(chip_factory(move))
        elif move < DRAW_MOVE:
            self._place_plate(placed_plate(move), placed_slot(move), placed_way(move))
        elif move == DRAW_MOVE:
            self._draw()
        elif move == STOP_MOVE:
            self._stop()
        elif move < RETURN_MOVE:
            self._stack_leftover(stacked_order(move))
        elif move < TILE_MOVE:
            self._return(returned_plate(move))
            self._return_rest()
        else:
            self._choose_tiling(tiling_seat(move), tiling_choice(move))
        self._go_on()

    # Dome plates

    def _place_plate(self, plate, slot, way):
        """DU12, DU20: place an open or drawn plate in an empty slot; it never moves again."""
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
        """DU20, DU22: pay a point, if there is one, for the top plate; look when no other can be drawn."""
        seat = self.current
        if self.stage == ACT:
            self.tokens[seat] -= 1
        if self.score[seat]:
            self.score[seat] -= 1
        self.stage = DRAW
        self.height -= 1
        self.hand[self.drawn] = self.stack[self.height]
        self.drawn += 1
        if self.height == 0 or not self._can_afford_draw(seat):
            self._stop()

    def _stop(self):
        """DU20: stop drawing and look; unknown plates are first decided by chance."""
        self.stage = KEEP
        if self._find_due() == NOTHING:
            self._look()

    def _return(self, plate):
        """DU20: put a plate that was not kept under the stack."""
        back = self._drop_from_hand(plate)
        place = self.height
        while place > 0:
            self.stack[place] = self.stack[place - 1]
            place -= 1
        self.stack[0] = back
        self.height += 1

    def _return_rest(self):
        """Return the last plate without a choice, and end the turn."""
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

    # Tiles and chips

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
        """DU23, DU25: take all tiles of the colour; the rest goes to the moon, on a small factory in a chosen order."""
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
        """DU24, DU25: take the top tile of each small stack that shows the colour, and all on the large moon."""
        number = self.moon >> 8 * colour & 255
        self.moon -= number * ONE[colour]
        if number and self.holder == NOBODY:
            self.holder = self.current
        for factory in range(1, 5):
            if self.moons[factory] & 15 == colour + 1:
                self.moons[factory] >>= 4
                number += 1
        return number

    def _shatter(self, seat, colour, number):
        """DU28: tiles go to the broken space, as many as there is room for."""
        self.tower += number * ONE[colour]
        while number and self.fallen[seat] < BROKEN_ROOM:
            self.broken[seat] |= (colour + 1) << 4 * self.fallen[seat]
            self.fallen[seat] += 1
            number -= 1

    def _stack_leftover(self, order):
        """DU23: stack the leftover on the chip in the chosen order."""
        self._pile(self.stacking, order)
        self.stacking = 0
        self._end_turn()

    def _pile(self, factory, order):
        """Move the tiles of a sun to the moon in one of their orders, the bottom tile first."""
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
        """DU26: take one revealed chip."""
        self.mine[self.current] += CHIP[self.chip[factory] - 2]
        self.owed[self.current] -= 1
        self.chip[factory] = 0
        self._end_turn()

    def _end_turn(self):
        self.stage = ACT
        self.current = 1 - self.current

    # What follows without a choice

    def _go_on(self):
        """DU29: a player who cannot act passes; when neither can, phase 2 begins; after it comes a round or the end."""
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
        """Set what the table waits for."""
        if self.due:
            self.phase = DEALING
        elif self.stage == TILE:
            self.phase = TILING
        else:
            self.phase = OVER if self.stage == END else DRAFTING

    def _can_act(self, seat):
        """DU29: whether the player can act; while there are tiles, both can."""
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

    # Tiling the dome

    def _tile_dome(self, seat):
        """DU30: tile line by line from the top until a choice is needed; after the last line score the broken tiles."""
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

    def _free_columns(self, seat, row):
        """DU30: return where a tile of the line may go, a bit per column."""
        return self._columns_for(seat, row, self.hue[seat] >> 8 * row & 255)

    def _columns_for(self, seat, row, colour):
        """DU30: return where a tile of a colour may go in a row, a bit per column."""
        columns = 0
        for place in range(3):
            fits = FITS[5 * self.dome[9 * seat + row // 2 * 3 + place] + colour]
            columns |= (fits >> 6 * (row & 1) & 3) << 2 * place
        return columns & ~(self.laid[seat] >> 6 * row) & 63

    def _place(self, seat, column):
        """DU30, DU33: a tile of the line goes to the dome and scores; its other tiles, not chips, go into the tower."""
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
        """DU34: place the special tile once the three coloured spaces of its plate are filled."""
        left = (BLOCK * BIT << SHIFT[slot]) & ~self.laid[seat]
        if left and left == SPECIALS[self.dome[9 * seat + slot]] * BIT << SHIFT[slot]:
            self.score[seat] += lowest(left) // 6 + 1
            self.laid[seat] |= left

    def _leave(self, seat):
        """DU32: the line stays, unless all slots beside it have plates and none has a space for it: then it breaks."""
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
        """DU35: subtract the cost of broken tiles and the start tile, never below 0."""
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
        return others >= 3 * missing - matching // 2 - matching

    def _list_payments(self, seat):
        """DU31: write every payment for the current line to `payments`, and return their number."""
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
        """Write each set of `matching` chips that match and `more` others; `at` is the index of the next in `KINDS`."""
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
        """DU30, DU31: place the tile of a line in a column, or pay chips to complete it, or leave it."""
        row = self.row[seat]
        if choice < PAY_CHOICE:
            self._place(seat, space_column(choice))
        elif choice == LEAVE_CHOICE:
            self._leave(seat)
        else:
            self._list_payments(seat)
            self.mine[seat] -= self.payments[choice - PAY_CHOICE]
            self.spent[seat] += self.payments[choice - PAY_CHOICE]
            self.paid[seat] = row + 1 - (self.held[seat] >> 8 * row & 255)
            self.held[seat] += self.paid[seat] * ONE[row]
        self._tile_dome(seat)

    # Next round and end

    def _finish_round(self):
        """DU41, DU50 to DU58: the holder of the start tile starts; after round 5 the faces are scored instead."""
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
        """DU41, DU58: return the holder of the start tile or, if it was not taken, the start player."""
        return self.start if self.holder == NOBODY else self.holder

    def _is_better(self, seat, other):
        """DU58: whether a seat ranks before another: by points, and on a tie by the start tile."""
        if self.score[seat] != self.score[other]:
            return self.score[seat] > self.score[other]
        return seat != other and seat == self._favoured()

    def _face_points(self, seat):
        """DU50 to DU57: return the points of every face in play."""
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
        """DU51: return how many rows have at least five colours."""
        rows = 0
        for row in range(6):
            if self._colours_of_row(seat, row) >= 5:
                rows += 1
        return rows

    def _colours_of_row(self, seat, row):
        """DU51: return the colours of a row; as configured, a special tile is one more, or two spoil the row."""
        colours = 0
        for colour in range(5):
            if self.tint[5 * seat + colour] >> 6 * row & 63:
                colours += 1
        special = (self._special_spaces(seat) & self.laid[seat]) >> 6 * row & 63
        if self.special_colour == 2 and special & (special - 1):
            return 0
        return colours + 1 if self.special_colour and special else colours

    # Play

    def apply(self, move):
        """Make a move; raise ValueError if it is not legal."""
        if not self._is_legal(move):
            raise ValueError(f"move {move} is not legal here")
        self._apply(move)

    def is_legal(self, move):
        """Whether the move is legal now."""
        return self._is_legal(move)

    def moves(self):
        """Return every legal move, of all seats that may move, in the order of the readable game."""
        listed = self._list()
        return [self.listed[place] for place in range(listed)]

    def choose(self):
        """Return a legal move at random, all equally likely."""
        listed = self._list()
        if listed == 0:
            raise ValueError("nobody is to move")
        return self.listed[self._below(listed)]

    def seat(self):
        """Return the seat to move; of two that tile their domes, the first."""
        return self._seat()

    def _seat(self):
        if self.stage == TILE:
            return 0 if self.row[0] < 6 else 1
        return self.current

    def scores(self):
        """Return the points of each seat."""
        return self.score[0], self.score[1]

    def places(self):
        """DU58: return the place of each seat, 1 for the best; on a tie the start tile decides."""
        return final_places(self.to_state().boards, self._favoured())

    def playout(self):
        """Play at random until the game is over, and return the number of moves."""
        return self._playout()

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

    def playouts(self, games):
        """Play random games from here without the interpreter's lock; the table itself stays as it is.

        Return the sums of moves made, legal moves listed and rounds ended, and of the points of each seat.
        """
        table = self.copy()
        self._next()
        with cython.nogil:
            table._playouts(self, games)
        return table.plies, table.met, table.rounds, (table.points[0], table.points[1])

    def _playouts(self, root, games):
        self.plies = self.met = self.rounds = 0
        self.points[0] = self.points[1] = 0
        for _ in range(games):
            self._assign(root)
            self.plies += self._playout()
            self.rounds += self.round
            for seat in range(2):
                self.points[seat] += self.score[seat]

    def key(self):
        """Return a 64-bit hash, equal for positions that play on alike.

        Small factories, open plates and broken tiles have no order, and spent chips do not count. A move remembered by
        this key may name a factory; the same factory may hold something else when the key occurs again.
        """
        return self._key()

    # Conversion from and to the readable game

    def _read_phase(self):
        self.due = self._find_due()
        self._name_phase()

    def deal_these(self, deal):
        """Apply a deal of the readable game."""
        if type(deal) is not DEALS[self.due] or len(_decisions(deal)) != self._number_due():
            raise ValueError("this is not what chance decides now (DU40)")
        if isinstance(deal, Fill):
            for factory, tiles in enumerate(deal.factories):
                self.poured[factory] = packed(counts(tiles))
        else:
            names = CHIPS if isinstance(deal, Reveal) else NUMBERED
            for place, name in enumerate(_decisions(deal)):
                self.shown[place] = names.index(name)
        if isinstance(deal, Shuffle):
            self._shuffle(deal)
        self._resolve()
        self._go_on()

    def _shuffle(self, deal):
        if sorted(deal.kinds) != 9 * [SPECIAL] + 9 * [JOKER]:
            raise ValueError("there are nine special plates and nine joker plates (DU03)")
        self.start = deal.start
        for place, kind in enumerate(deal.kinds[::-1]):
            self.stack[place] = FRESH + KIND_NAMES.index(kind)

    def to_move(self, number):
        """Return the move of the readable game, made by the seat to move."""
        if not (0 <= number < STACK_MOVE or self._is_legal(number)):
            raise ValueError(f"move {number} means nothing here")
        seat = self.current
        if number < CHIP_MOVE:
            source, line = take_source(number), take_line(number)
            colour = COLOURS[take_colour(number)]
            return Take(seat, None if source == MOONS else source, colour, None if line == BROKEN else line)
        if number < PLATE_MOVE:
            return TakeChip(seat, chip_factory(number))
        if number < DRAW_MOVE:
            return PlacePlate(seat, WAYS[4 * placed_plate(number) + placed_way(number) + 1], placed_slot(number))
        if number <= STOP_MOVE:
            return Draw(seat) if number == DRAW_MOVE else Stop(seat)
        if number < RETURN_MOVE:
            return self._to_stack(stacked_order(number))
        if number < TILE_MOVE:
            return Return(seat, NUMBERED[returned_plate(number)])
        return self._to_tiling(tiling_seat(number), tiling_choice(number))

    def _to_stack(self, order):
        after = self.copy()
        after._pile(self.stacking, order)
        return Stack(self.current, stacked_tiles(after.moons[self.stacking])[::-1])

    def _to_tiling(self, seat, choice):
        if choice < PAY_CHOICE:
            return Place(seat, space_row(choice), space_column(choice))
        if choice == LEAVE_CHOICE:
            return Pay(seat, self.row[seat], "")
        self._list_payments(seat)
        return Pay(seat, self.row[seat], chip_names(self.payments[choice - PAY_CHOICE]))

    def from_move(self, move):
        """Return the number of a move of the readable game; an order or a payment must be possible now."""
        match move:
            case Take(factory=factory, colour=colour, line=line):
                source = MOONS if factory is None else factory
                return encode_take(source, COLOURS.index(colour), BROKEN if line is None else line)
            case TakeChip(factory=factory):
                return encode_chip(factory)
            case PlacePlate(plate=plate, slot=slot):
                way = WAYS.index(plate) - 1
                return encode_plate(way // 4, slot, way % 4)
            case Draw():
                return DRAW_MOVE
            case Stop():
                return STOP_MOVE
            case Return(plate=plate):
                return encode_return(NUMBERED.index(plate))
            case Place(seat=seat, row=row, column=column):
                return encode_tiling(seat, encode_space(row, column))
            case Pay(seat=seat, chips=""):
                return encode_tiling(seat, LEAVE_CHOICE)
            case Pay(seat=seat, chips=chips):
                payments = [self.payments[payment] for payment in range(self._list_payments(seat))]
                return encode_tiling(seat, PAY_CHOICE + payments.index(packed_chips(chips)))
            case Stack():
                orders = [self._to_stack(order) for order in range(orders_of(self.sun[self.stacking]))]
                return encode_order(orders.index(move))

    def write_move(self, number):
        """Return the notation of a move: 3r4, mr-, sykk, c3, 5ykt*, d+, d=, uykt*, t24, p3tT or p3-."""
        return write_move(None, self.to_move(number))

    def read_move(self, text):
        """Return the number of a written move of the seat to move."""
        return self.from_move(read_move(None, self._seat(), text))


DEALS = (None, Shuffle, Open, Fill, Reveal, Look)


def from_state(state, seed=0):
    """Return the table of a state of the readable game, with a random generator of this seed."""
    table = Duel(state.config, seed)
    table._read(state)
    table._read_phase()
    return table


def _decisions(deal):
    match deal:
        case Fill(factories=decisions) | Reveal(chips=decisions):
            return decisions
        case _:
            return deal.plates


def is_single(tiles):
    """Whether all tiles of a heap have one colour."""
    colours = colours_of(tiles)
    return colours > 0 and colours & (colours - 1) == 0


def chip_count(chips):
    """Return how many chips a heap has."""
    return ((chips & PAIRS) + (chips >> 4 & PAIRS)) * ONES >> 32 & 255


def size(spaces):
    """Return the number of set bits."""
    size = 0
    while spaces:
        spaces &= spaces - 1
        size += 1
    return size


def orders_of(tiles):
    """Return in how many orders up to three tiles may lie."""
    colours = colours_of(tiles)
    colours &= colours - 1
    if colours == 0:
        return 1
    return tile_count(tiles) if colours & (colours - 1) == 0 else 6


def covers(laid, spaces):
    """Whether a tile lies on each of these spaces."""
    return laid & spaces == spaces


def column_of(laid, column):
    """Return the tiles of a column of the dome, a bit per row."""
    tiles = 0
    for row in range(6):
        tiles |= (laid >> (6 * row + column) & 1) << row
    return tiles


class Batch(BatchBase):
    """Tables of Azul Duel that move together."""

    def __init__(self, tables, config=None, seed=0):
        """Set up and deal the tables; they share one random generator."""
        self.table = Duel(config, seed)
        self._allocate(tables, 2, WIDTH, STATE_WORDS, 0)
        for at in range(tables):
            self.table._reset()
            self._publish(at)

    def _arguments(self):
        return self.tables, self.table.config

    def _load(self, at):
        self.table._load(self.rows, at)

    def _move(self, at, move):
        self._load(at)
        self.table._apply(move)
        self.over_view[at] = 0
        if self.table.phase == OVER:
            self.over_view[at] = 1
            self._score(at)

    def _score(self, at):
        """Write the points and the place of each seat."""
        for seat in range(self.table.seats):
            self.scores_view[at, seat] = self.table.score[seat]
            self.places_view[at, seat] = 1
            for other in range(self.table.seats):
                if self.table._is_better(other, seat):
                    self.places_view[at, seat] += 1

    def _publish(self, at):
        """Resolve chance, save the table, and write its seat to move, its legal moves, and one of them at random."""
        if self.table.phase == OVER:
            self.table._reset()
        while self.table.phase == DEALING:
            self.table._deal()
        self.table._save(self.rows, at)
        self.seats_view[at] = self.table._seat()
        self.random_view[at] = self.table.listed[self.table._below(self.table._list_mask(self.masks_view, at))]
