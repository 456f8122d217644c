"""The table of Azul Duel in a few hundred bytes: what lies on it, how it is copied, and its key.

A heap of tiles is one word with a byte for each colour; a heap of chips is one with four bits for each face. A dome is
a word with a bit for each of its 36 spaces. Plates are numbered as a hand is sorted, the special ones first. A plate
that lies face down is its number (or 18, 19: a kind that nobody has looked at), then two bits for who knows it and two
for who lost track of it. The tower here already holds the broken tiles: it is not drawn from before they are cleared.

Like the files that build on it, this one runs as it is and, with the types of its .pxd, compiled. Compiled code checks
no bounds.
"""

from tessella.fast.phases import DEALING
from tessella.games.duel.pieces import CHIP_COLOURS, COLOURS, JOKER, PLATES, SPECIAL, TURNS, kind_of

# The phases of the readable game, and what chance decides

PREPARE = 0
FIRST = 1
ACT = 2
STACK = 3
DRAW = 4
KEEP = 5
RETURN = 6
TILE = 7
END = 8
STAGES = ("prepare", "first", "act", "stack", "draw", "keep", "return", "tile", "over")

NOTHING = 0
SHUFFLE = 1
OPEN = 2
FILL = 3
REVEAL = 4
LOOK = 5

NOBODY = 2
"""Who holds the start tile that lies on the large factory."""
HIDDEN = 1
"""A chip that lies face down; a revealed one is its face and 2."""
FRESH = 18
"""A plate that nobody has looked at is this and its kind."""
FACE = 31
WORDS = 124
"""The length of a row in which a table is kept."""

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
ONES = 0x0101010101
HIGHS = 0x8080808080
SEVENS = 0x7F7F7F7F7F
GATHER = 0x102040810
"""Times a word with at most the lowest bit of five bytes set: those bits, next to each other, from bit 32."""
PAIRS = 0x0F0F0F0F0F
BIT = 1
ALL_LINES = 0x3F3F3F3F3F
ALL_TILES = 0x0D0D0D0D0D
ALL_CHIPS = 0x2222222222
ALL_PLATES = 0x3FFFF
PLATES_OF_KIND = 0x1FF
BLOCK = 0b11000011
"""The four spaces of the first slot."""

ONE = [0] * 6
"""A tile of each colour, as a heap; or a tile in each line."""
CHIP = [0] * 10
"""A chip of each face, as a heap."""
MATCHING = [0] * 5
"""All places for chips that show a colour."""
KINDS = [0] * 80
"""Sixteen for each colour: the three chips that show it, then the seven others."""
LINES = [0] * 1024
"""Eight for each set of lines: its lines in order. Eight, because a machine copies eight as fast as one."""
LINE_COUNT = [0] * 128
RUN = [0] * 384
"""Six for each row of the dome: the points of a run through each space, its own tile included."""
FITS = [0] * 365
"""Five for each way in which a plate may lie: its spaces that take a colour, as if in the first slot."""
JOKERS = [0] * 73
SPECIALS = [0] * 73
SHIFT = [0] * 9
"""How far the spaces of a slot are from those of the first."""
PRINTED_KIND = [0] * 18
"""The kinds of the plates in the order of the box, in which they lie before they are shuffled."""

NUMBERED = sorted(PLATES, key=lambda plate: (kind_of(plate), plate))
WAYS = ["", *[way for plate in NUMBERED for way in TURNS[plate]]]
"""What may lie in a slot: nothing, or a plate in one of its turns."""
CHIPS = list(CHIP_COLOURS)
KIND_NAMES = (SPECIAL, JOKER)


def _prepare():
    byte = 1
    byte = byte & WORD
    for colour in range(6):
        ONE[colour] = byte
        byte = byte * 256
    byte = 1
    for chip in range(10):
        CHIP[chip] = byte
        byte = byte * 16
    for colour in range(5):
        count, others = 0, 3
        for chip in range(10):
            if COLOURS[colour] in CHIP_COLOURS[CHIPS[chip]]:
                MATCHING[colour] |= 15 * CHIP[chip]
                KINDS[16 * colour + count] = chip
                count += 1
            else:
                KINDS[16 * colour + others] = chip
                others += 1
    for lines in range(128):
        count = 0
        for line in range(7):
            if lines >> line & 1:
                LINES[8 * lines + count] = line
                count += 1
        LINE_COUNT[lines] = count
    _prepare_dome()


def _prepare_dome():
    for row in range(64):
        for space in range(6):
            first = last = space
            while first > 0 and row >> (first - 1) & 1:
                first -= 1
            while last < 5 and row >> (last + 1) & 1:
                last += 1
            RUN[6 * row + space] = last - first + 1 if last > first else 0
    for slot in range(9):
        SHIFT[slot] = slot // 3 * 12 + slot % 3 * 2
    for way in range(1, 73):
        for place in range(4):
            space = 1 << (place // 2 * 6 + place % 2)
            colour = COLOURS.find(WAYS[way][place])
            if colour >= 0:
                FITS[5 * way + colour] |= space
            elif WAYS[way][place] == JOKER:
                JOKERS[way] = space
            else:
                SPECIALS[way] = space
        for colour in range(5):
            FITS[5 * way + colour] |= JOKERS[way]
    for plate in range(18):
        PRINTED_KIND[plate] = JOKER in PLATES[plate]


_prepare()


class DuelTable:
    """What lies on the table, and its own generator.

    `moon` is the heap of the large one, `moons` are the stacks of the small ones, four bits a tile, the top one lowest.
    `stack` counts from the bottom. Each seat has `tokens` to place and chips `owed` to it this round, chips that are
    `mine` or `spent`; in each line tiles `held` and their `hue`, a byte each, of which `paid` are chips; `lines` with
    room for each colour; nine slots of the `dome`; spaces with a tile `laid`, and of each `tint`; and `broken` tiles,
    four bits each, so many as have `fallen`.
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
        """Write the table as a row of words, its generator not among them."""
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
        """Become the table that was saved from one with the same faces."""
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

    # The generator, and a new game

    def _next(self):
        """SplitMix64: 64 random bits."""
        self.random = (self.random + GOLDEN) & WORD
        return mixed(self.random)

    def _below(self, stop):
        return (self._next() >> 32) * stop >> 32

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

    # What lies there

    def _back(self, place):
        """A plate of the stack, from the bottom, or after it one of the hand."""
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

    # The key

    def _key(self):
        """Small factories, open plates and broken tiles have no order, and chips that were spent are forgotten."""
        key = mixed(self.bag + GOLDEN) + mixed(self.tower ^ MIX_1) + mixed(self.moon ^ MIX_2)
        key += mixed((self.sun[0] + MIX_1) & WORD) + mixed((self.chips + MIX_2) & WORD)
        for factory in range(1, 5):
            word = self.moons[factory] * 16 + self.chip[factory]
            if self.stacking == factory:
                word += BIT << 20
            key += mixed(word << 40 | self.sun[factory])
        word = self.stage | self.round << 4 | self.start << 7 | self.current << 8 | self.holder << 9
        word = word | self.faces << 11 | self.special_colour << 19
        for place in range(self.opened):
            word |= BIT << (20 + self.open[place])
        key += mixed((word + GOLDEN) & WORD) + self._key_of_plates()
        for seat in range(2):
            key += self._key_of_seat(seat)
        return key & WORD

    def _key_of_plates(self):
        """The plates that lie face down, seven to a word."""
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


def mixed(word):
    """The mixing of SplitMix64: every bit of the word stirs every bit of the result."""
    word = ((word ^ word >> 30) * MIX_1) & WORD
    word = ((word ^ word >> 27) * MIX_2) & WORD
    return word ^ word >> 31


def colours_of(tiles):
    """The colours in a heap, a bit for each."""
    return (((tiles + SEVENS) & HIGHS) >> 7) * GATHER >> 32 & 31


def is_single(tiles):
    """Whether all tiles of a heap have one colour."""
    colours = colours_of(tiles)
    return colours > 0 and colours & (colours - 1) == 0


def tile_count(tiles):
    """How many tiles a heap has."""
    return tiles * ONES >> 32 & 255


def chip_count(chips):
    """How many chips a heap has."""
    return ((chips & PAIRS) + (chips >> 4 & PAIRS)) * ONES >> 32 & 255


def size(spaces):
    """How many bits are set."""
    size = 0
    while spaces:
        spaces &= spaces - 1
        size += 1
    return size
