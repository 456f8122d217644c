"""The state of Azul Duel in a few hundred bytes: copies, saved rows, the hash key, conversion to the readable game.

A heap of tiles is one word with a byte per colour; a heap of chips is one with four bits per face. A dome is a word
with a bit for each of its 36 spaces. Plates are numbered as a hand is sorted, the special ones first. A plate that lies
face down is its number (or 18, 19: a kind that no player has looked at), then two bits for who knows it and two for who
lost track of it. The tower already includes the broken tiles: it is not drawn from before they are cleared.

Like the files that build on it, this one runs as plain Python and, with the types of its .pxd, compiled. Compiled code
does not check bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.bits import mixed

from tessella.fast.bits import GOLDEN, MIX_1, MIX_2, WORD, counted, packed
from tessella.fast.duel.constants import (
    BIT,
    CHIPS,
    FACE,
    FILL,
    FRESH,
    HIDDEN,
    KIND_NAMES,
    LOOK,
    NOBODY,
    NOTHING,
    NUMBERED,
    ONE,
    ONES,
    OPEN,
    REVEAL,
    STAGES,
    WAYS,
)
from tessella.games.duel.pieces import (
    COLOURS,
    EMPTY,
    FACE_DOWN,
    PRINTED,
    SPECIAL,
    SPECIAL_TILES,
    counts,
    heap,
)
from tessella.games.duel.state import (
    CHIP_TILE,
    Back,
    Board,
    Factory,
    Fill,
    Look,
    Open,
    Reveal,
    Shuffle,
    State,
    chips_due,
    tokens_left,
)


class DuelTable:
    """The state of a table; `Duel` adds the rules.

    `moon` is the heap of the large factory, `moons` are the stacks of the small ones, four bits per tile, the top one
    lowest. `stack` counts from the bottom. Each seat has `tokens` to place and chips `owed` to it this round, chips
    that are `mine` or `spent`; per line the tiles `held` and their `hue`, a byte each, of which `paid` are chips;
    `lines` with room for each colour; nine slots of the `dome`; spaces with a tile `laid`, and per colour its `tint`;
    and the `broken` tiles, four bits each, and their number `fallen`.
    """

    # Copies

    def _clear(self):
        self.decided = NOTHING
        self.found = self.met = self.showing = 0
        self.sun = [0] * 5
        self.moons = [0] * 5
        self.chip = [0] * 5
        self.open = [0] * 3
        self.stack = [0] * 18
        self.hand = [0] * 18
        self.dome = [0] * 18
        self.tint = [0] * 10
        self.score = [0] * 2
        self.tokens = [0] * 2
        self.owed = [0] * 2
        self.row = [0] * 2
        self.paid = [0] * 2
        self.fallen = [0] * 2
        self.broken = [0] * 2
        self.lines = [0] * 2
        self.held = [0] * 2
        self.hue = [0] * 2
        self.mine = [0] * 2
        self.spent = [0] * 2
        self.laid = [0] * 2
        self.shown = [0] * 18
        self.poured = [0] * 5
        self.places_of = [0] * 18
        self.listed = [0] * 704
        self.payments = [0] * 196
        self.points = [0] * 2

    def _assign(self, other):
        self.width = other.width
        self.seats = other.seats
        self.faces = other.faces
        self.special_colour = other.special_colour
        self.free_draws = other.free_draws
        self.bag = other.bag
        self.tower = other.tower
        self.moon = other.moon
        self.chips = other.chips
        self.unseen = other.unseen
        self.stage = other.stage
        self.due = other.due
        self.phase = other.phase
        self.round = other.round
        self.start = other.start
        self.current = other.current
        self.holder = other.holder
        self.stacking = other.stacking
        self.opened = other.opened
        self.height = other.height
        self.drawn = other.drawn
        for factory in range(5):
            self.sun[factory] = other.sun[factory]
            self.moons[factory] = other.moons[factory]
            self.chip[factory] = other.chip[factory]
        for place in range(3):
            self.open[place] = other.open[place]
        for place in range(18):
            self.stack[place] = other.stack[place]
            self.hand[place] = other.hand[place]
            self.dome[place] = other.dome[place]
        for place in range(10):
            self.tint[place] = other.tint[place]
        for seat in range(2):
            self.score[seat] = other.score[seat]
            self.tokens[seat] = other.tokens[seat]
            self.owed[seat] = other.owed[seat]
            self.row[seat] = other.row[seat]
            self.paid[seat] = other.paid[seat]
            self.fallen[seat] = other.fallen[seat]
            self.broken[seat] = other.broken[seat]
            self.lines[seat] = other.lines[seat]
            self.held[seat] = other.held[seat]
            self.hue[seat] = other.hue[seat]
            self.mine[seat] = other.mine[seat]
            self.spent[seat] = other.spent[seat]
            self.laid[seat] = other.laid[seat]

    def _save(self, rows, at):
        """Write the table as a row of words, without its random generator."""
        rows[at, 0] = self.bag
        rows[at, 1] = self.tower
        rows[at, 2] = self.moon
        rows[at, 3] = self.chips
        rows[at, 4] = self.unseen
        rows[at, 5] = self.stage
        rows[at, 6] = self.due
        rows[at, 7] = self.phase
        rows[at, 8] = self.round
        rows[at, 9] = self.start
        rows[at, 10] = self.current
        rows[at, 11] = self.holder
        rows[at, 12] = self.stacking
        rows[at, 13] = self.opened
        rows[at, 14] = self.height
        rows[at, 15] = self.drawn
        for factory in range(5):
            rows[at, 16 + factory] = self.sun[factory]
            rows[at, 21 + factory] = self.moons[factory]
            rows[at, 26 + factory] = self.chip[factory]
        for place in range(3):
            rows[at, 31 + place] = self.open[place]
        for place in range(18):
            rows[at, 34 + place] = self.stack[place]
            rows[at, 52 + place] = self.hand[place]
            rows[at, 70 + place] = self.dome[place]
        for place in range(10):
            rows[at, 88 + place] = self.tint[place]
        word = 98
        for seat in range(2):
            rows[at, word] = self.score[seat]
            rows[at, word + 1] = self.tokens[seat]
            rows[at, word + 2] = self.owed[seat]
            rows[at, word + 3] = self.row[seat]
            rows[at, word + 4] = self.paid[seat]
            rows[at, word + 5] = self.fallen[seat]
            rows[at, word + 6] = self.broken[seat]
            rows[at, word + 7] = self.lines[seat]
            rows[at, word + 8] = self.held[seat]
            rows[at, word + 9] = self.hue[seat]
            rows[at, word + 10] = self.mine[seat]
            rows[at, word + 11] = self.spent[seat]
            rows[at, word + 12] = self.laid[seat]
            word += 13

    def _load(self, rows, at):
        """Load a row that was saved from a table with the same faces."""
        self.bag = rows[at, 0]
        self.tower = rows[at, 1]
        self.moon = rows[at, 2]
        self.chips = rows[at, 3]
        self.unseen = rows[at, 4]
        self.stage = rows[at, 5]
        self.due = rows[at, 6]
        self.phase = rows[at, 7]
        self.round = rows[at, 8]
        self.start = rows[at, 9]
        self.current = rows[at, 10]
        self.holder = rows[at, 11]
        self.stacking = rows[at, 12]
        self.opened = rows[at, 13]
        self.height = rows[at, 14]
        self.drawn = rows[at, 15]
        for factory in range(5):
            self.sun[factory] = rows[at, 16 + factory]
            self.moons[factory] = rows[at, 21 + factory]
            self.chip[factory] = rows[at, 26 + factory]
        for place in range(3):
            self.open[place] = rows[at, 31 + place]
        for place in range(18):
            self.stack[place] = rows[at, 34 + place]
            self.hand[place] = rows[at, 52 + place]
            self.dome[place] = rows[at, 70 + place]
        for place in range(10):
            self.tint[place] = rows[at, 88 + place]
        word = 98
        for seat in range(2):
            self.score[seat] = rows[at, word]
            self.tokens[seat] = rows[at, word + 1]
            self.owed[seat] = rows[at, word + 2]
            self.row[seat] = rows[at, word + 3]
            self.paid[seat] = rows[at, word + 4]
            self.fallen[seat] = rows[at, word + 5]
            self.broken[seat] = rows[at, word + 6]
            self.lines[seat] = rows[at, word + 7]
            self.held[seat] = rows[at, word + 8]
            self.hue[seat] = rows[at, word + 9]
            self.mine[seat] = rows[at, word + 10]
            self.spent[seat] = rows[at, word + 11]
            self.laid[seat] = rows[at, word + 12]
            word += 13

    # Plates

    def _back(self, place):
        """Return a plate of the stack, from the bottom; beyond it, one of the hand."""
        return self.stack[place] if place < self.height else self.hand[place - self.height]

    def _put_back(self, place, back):
        if place < self.height:
            self.stack[place] = back
        else:
            self.hand[place - self.height] = back

    def _has_plate(self, seat):
        for slot in range(9):
            if self.dome[9 * seat + slot]:
                return True
        return False

    # Hash key

    def _key(self):
        """Return a hash that ignores spent chips and the order of small factories, open plates and broken tiles."""
        key = mixed(self.bag + GOLDEN) + mixed(self.tower ^ MIX_1) + mixed(self.moon ^ MIX_2)
        key += mixed((self.sun[0] + MIX_1) & WORD) + mixed((self.chips + MIX_2) & WORD)
        for factory in range(1, 5):
            word = self.moons[factory] * 16 + self.chip[factory]
            if self.stacking == factory:
                word += BIT << 20
            key += mixed(word << 40 | self.sun[factory])
        word = self.stage | self.round << 4 | self.start << 7 | self.current << 8 | self.holder << 9
        word = word | self.faces << 11 | BIT * self.special_colour << 38 | BIT * self.free_draws << 40
        for place in range(self.opened):
            word |= BIT << (20 + self.open[place])
        key += mixed((word + GOLDEN) & WORD) + self._key_of_plates()
        for seat in range(2):
            key += self._key_of_seat(seat)
        return key & WORD

    def _key_of_plates(self):
        """Return a hash of the plates that lie face down, seven per word."""
        key = self.height
        word = 0
        for place in range(self.height + self.drawn):
            if place % 7 == 6:
                key = mixed((key ^ word) + GOLDEN & WORD)
                word = 0
            word = word << 9 | self._back(place)
        return mixed((key ^ word) + GOLDEN & WORD)

    def _key_of_seat(self, seat):
        salt = MIX_1 if seat else MIX_2
        word = self.held[seat] + 8 * self.hue[seat]
        key = mixed((word + salt) & WORD)
        word = 0
        for slot in range(9):
            word = word << 7 | self.dome[9 * seat + slot]
        salt = (salt + GOLDEN) & WORD
        key += mixed(word ^ salt)
        salt = (salt + GOLDEN) & WORD
        word = self.laid[seat]
        for colour in range(5):
            word = (word * MIX_1 + self.tint[5 * seat + colour]) & WORD
        key += mixed(word ^ salt)
        salt = (salt + GOLDEN) & WORD
        word = self.score[seat] << 12 | self.fallen[seat] << 9 | self.row[seat] << 6 | self.paid[seat] << 3
        word = (word | self.owed[seat]) << 40
        key += mixed((word | self.mine[seat]) ^ salt)
        return key

    # Conversion from and to the readable game

    def to_state(self):
        """Return the state of the readable game."""
        tower = list(counted(self.tower))
        boards = (self._board(0), self._board(1))
        for board in boards:
            for colour, number in enumerate(counts(board.broken)):
                tower[colour] -= number
        specials = [board.tiles[row].count(SPECIAL) for board in boards for row in range(6)]
        return State(
            self.config,
            boards,
            bag=counted(self.bag),
            tower=tuple(tower),
            factories=tuple([self._factory(factory) for factory in range(5)]),
            stack=tuple([_read_back(self.stack[place]) for place in range(self.height - 1, -1, -1)]),
            open=tuple([NUMBERED[self.open[place]] for place in range(self.opened)]),
            hand=tuple([_read_back(self.hand[place]) for place in range(self.drawn)]),
            chips=chip_names(self.chips),
            specials=SPECIAL_TILES - sum(specials),
            phase=STAGES[self.stage],
            round=self.round,
            start=self.start,
            current=self.current,
            holder=None if self.holder == NOBODY else self.holder,
            stacking=self.stacking,
        )

    def _factory(self, factory):
        if factory == 0:
            return Factory(heap(counted(self.sun[0])), heap(counted(self.moon)))
        chip = self.chip[factory]
        name = CHIPS[chip - 2] if chip > HIDDEN else FACE_DOWN if chip else ""
        return Factory(heap(counted(self.sun[factory])), stacked_tiles(self.moons[factory])[::-1], name)

    def _board(self, seat):
        return Board(
            self.score[seat],
            tuple([self._line(seat, row) for row in range(6)]),
            tuple([WAYS[self.dome[9 * seat + slot]] for slot in range(9)]),
            tuple(["".join([self._space(seat, 6 * row + column) for column in range(6)]) for row in range(6)]),
            stacked_tiles(self.broken[seat]),
            chip_names(self.mine[seat]),
            chip_names(self.spent[seat]),
            self.row[seat],
        )

    def _line(self, seat, row):
        paid = self.paid[seat] if row == self.row[seat] else 0
        held = (self.held[seat] >> 8 * row & 255) - paid
        return COLOURS[self.hue[seat] >> 8 * row & 255] * held + CHIP_TILE * paid

    def _space(self, seat, space):
        if not self.laid[seat] >> space & 1:
            return EMPTY
        for colour in range(5):
            if self.tint[5 * seat + colour] >> space & 1:
                return COLOURS[colour]
        return SPECIAL

    def dealt(self):
        """Return the last deal as one of the readable game; call it before the next move."""
        if self.decided == FILL:
            return Fill(tuple([heap(counted(self.poured[factory])) for factory in range(5)]))
        shown = [self.shown[place] for place in range(self.showing)]
        if self.decided == REVEAL:
            return Reveal("".join([CHIPS[chip] for chip in shown]))
        plates = tuple([NUMBERED[face] for face in shown])
        if self.decided == LOOK:
            return Look(self.current, plates)
        if self.decided == OPEN:
            return Open(plates)
        if self.decided == NOTHING:
            raise ValueError("chance has decided nothing at this table")
        kinds = "".join([KIND_NAMES[face // 9] for face in shown])
        kinds += "".join([KIND_NAMES[self.stack[place] - FRESH] for place in range(self.height - 1, -1, -1)])
        return Shuffle(self.start, kinds, plates)

    def _read(self, state):
        self.bag = packed(state.bag)
        self.tower = packed(state.tower)
        self.chips = packed_chips(state.chips)
        self.round = state.round
        self.start = state.start
        self.current = state.current
        self.holder = NOBODY if state.holder is None else state.holder
        self.stacking = state.stacking
        self.stage = STAGES.index(state.phase)
        self.moon = packed(counts(state.factories[0].moon))
        for number, factory in enumerate(state.factories):
            self.sun[number] = packed(counts(factory.sun))
            if number:
                self.moons[number] = stacked(factory.moon[::-1])
                self.chip[number] = CHIPS.index(factory.chip) + 2 if factory.chip in CHIPS else bool(factory.chip)
        for seat, board in enumerate(state.boards):
            self._read_board(seat, board)
            self.tokens[seat] = tokens_left(state, seat)
            self.owed[seat] = chips_due(state, seat)
        self._read_plates(state)

    def _read_plates(self, state):
        self.height = len(state.stack)
        self.drawn = len(state.hand)
        self.opened = len(state.open)
        for place, back in enumerate(state.stack[::-1]):
            self.stack[place] = _written_back(back)
        for place, back in enumerate(state.hand):
            self.hand[place] = _written_back(back)
        for place, plate in enumerate(state.open):
            self.open[place] = NUMBERED.index(plate)
        seen = {*state.open, *[back.face for back in (*state.stack, *state.hand)]}
        seen |= {PRINTED[plate] for board in state.boards for plate in board.dome if plate}
        self.unseen = sum([1 << number for number, plate in enumerate(NUMBERED) if plate not in seen])

    def _read_board(self, seat, board):
        self.score[seat] = board.score
        self.row[seat] = board.row
        self.mine[seat] = packed_chips(board.chips)
        self.spent[seat] = packed_chips(board.spent)
        self.fallen[seat] = len(board.broken)
        for place, piece in enumerate(board.broken):
            self.broken[seat] |= COLOURS.index(piece) + 1 << 4 * place
            self.tower += ONE[COLOURS.index(piece)]
        for slot, plate in enumerate(board.dome):
            self.dome[9 * seat + slot] = WAYS.index(plate)
        for row, tiles in enumerate(board.tiles):
            for column, tile in enumerate(tiles):
                if tile != EMPTY:
                    self.laid[seat] |= BIT << (6 * row + column)
                if tile in COLOURS:
                    self.tint[5 * seat + COLOURS.index(tile)] |= BIT << (6 * row + column)
        for row, tiles in enumerate(board.lines):
            if tiles:
                self._read_line(seat, row, tiles)

    def _read_line(self, seat, row, tiles):
        colour = COLOURS.index(tiles[0])
        self.held[seat] += len(tiles) * ONE[row]
        self.hue[seat] += colour * ONE[row]
        self.lines[seat] &= ~(ONES << row)
        if len(tiles) <= row:
            self.lines[seat] |= ONE[colour] << row
        if CHIP_TILE in tiles:
            self.paid[seat] = tiles.count(CHIP_TILE)


def stacked_tiles(nibbles):
    """Return the tiles of a stack from the top, or broken tiles from the first."""
    return "".join([COLOURS[(nibbles >> 4 * place & 15) - 1] for place in range(4) if nibbles >> 4 * place])


def stacked(tiles):
    """Return a stack of tiles from the top as a word, four bits each."""
    return sum([COLOURS.index(tile) + 1 << 4 * place for place, tile in enumerate(tiles)])


def chip_names(chips):
    """Return the chips of a heap by name."""
    return "".join([name * (chips >> 4 * chip & 15) for chip, name in enumerate(CHIPS)])


def packed_chips(chips):
    """Return named chips as a heap."""
    return sum([1 << 4 * CHIPS.index(chip) for chip in chips])


def _read_back(back):
    face = back & FACE
    if face >= FRESH:
        return Back(KIND_NAMES[face - FRESH])
    return Back(NUMBERED[face], _seats(back >> 5 & 3), _seats(back >> 7))


def _seats(bits):
    return tuple([seat for seat in range(2) if bits >> seat & 1])


def _written_back(back):
    if back.fresh:
        return FRESH + KIND_NAMES.index(back.face)
    known = sum([1 << seat for seat in back.known])
    return NUMBERED.index(back.face) | known << 5 | sum([1 << seat for seat in back.lost]) << 7
