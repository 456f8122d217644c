"""Bit patterns and lookup tables of the compiled Azul Duel."""

from tessella.games.duel.pieces import CHIP_COLOURS, COLOURS, JOKER, PLATES, SPECIAL, TURNS, kind_of

# Phases of the readable game, and kinds of chance

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
"""Holder of the start tile while it lies on the large factory."""
HIDDEN = 1
"""A chip that lies face down; a revealed one is its face plus 2."""
FRESH = 18
"""A plate that no player has looked at is this plus its kind."""
FACE = 31
BROKEN_ROOM = 4
STATE_WORDS = 124
"""Number of 64-bit words of a saved table."""

# Named words: compiled, the name gives a large number its C type.
ONES = 0x0101010101
HIGHS = 0x8080808080
PAIRS = 0x0F0F0F0F0F
BIT = 1
ALL_LINES = 0x3F3F3F3F3F
ALL_TILES = 0x0D0D0D0D0D
ALL_CHIPS = 0x2222222222
ALL_PLATES = 0x3FFFF
PLATES_OF_KIND = 0x1FF
BLOCK = 0b11000011
"""The four spaces of the first slot."""

# Scoring

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
"""DU35: the total cost of 0 to 4 broken tiles."""

# Lookup tables, filled below.

ONE = [0] * 6
"""A tile of each colour, as a heap; or a tile in each line."""
CHIP = [0] * 10
"""A chip of each face, as a heap."""
MATCHING = [0] * 5
"""Mask of the chips that show a colour."""
KINDS = [0] * 80
"""Sixteen per colour: the three chips that show it, then the seven others."""
LINES = [0] * 1024
"""Eight per set of lines: its lines in order. Eight, because a machine copies eight as fast as one."""
LINE_COUNT = [0] * 128
RUN = [0] * 384
"""Six per row pattern of the dome: the points of a run through each space, its own tile included."""
FITS = [0] * 365
"""Five per placed plate: its spaces that accept a colour, as if in the first slot."""
JOKERS = [0] * 73
SPECIALS = [0] * 73
SHIFT = [0] * 9
"""Shift from the spaces of the first slot to those of a slot."""
PRINTED_KIND = [0] * 18
"""The kinds of the plates in the order of the box, before they are shuffled."""

NUMBERED = sorted(PLATES, key=lambda plate: (kind_of(plate), plate))
WAYS = ["", *[way for plate in NUMBERED for way in TURNS[plate]]]
"""What may lie in a slot: nothing, or a plate in one of its turns."""
CHIPS = list(CHIP_COLOURS)
KIND_NAMES = (SPECIAL, JOKER)


def _prepare():
    byte = 1
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
