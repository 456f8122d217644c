"""The words in which a table of Azul is written, and what the compiled game looks up instead of reckoning."""

from tessella.games.azul.pieces import FLOOR_COSTS, LAST_ROUND

FLOOR = 5
"""The line of a move to the floor."""
FLOOR_SPACES = 7
MARKER_NIBBLE = 6
"""The marker on a floor line, where the colours are 1 to 5."""
IN_CENTRE = 7
NOWHERE = 8
"""Where the marker is between rounds; else it is in the centre, or with a seat."""
ROUNDS = LAST_ROUND
WORDS = 78
"""The length of a row in which a table is kept."""

# Words; compiled, a name is what gives a large number its type.
WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
BIT = 1
EVERY_COLOUR = 31
NIBBLES = 0x1111111

# A byte for each colour.
ONES = 0x0101010101
HIGHS = 0x8080808080
SEVENS = 0x7F7F7F7F7F
EVERY_LINE = 0x1F1F1F1F1F
FLOORS = 0x2020202020
ALL_TILES = 0x1414141414
GATHER = 0x102040810
"""Times a word with at most the lowest bit of five bytes set: those bits, next to each other, from bit 32."""

# Tables, filled below.
ONE = [0] * 5
"""A tile of each colour, as a heap."""
LINES = [0] * 512
"""Eight for each set of lines: its lines in order. Eight, because a machine copies eight as fast as one."""
LINE_COUNT = [0] * 64
RUN = [0] * 160
"""Five for each row of the wall: the points of a run through each space, its own tile included."""
SET_SIZE = [0] * 32
LOWEST = [0] * 32
COLUMN = [0] * 25
"""Five for each row: where a colour lies on the coloured wall."""
PENALTY = [0] * 9


def _prepare():
    for colour, tile in enumerate([1, 1 << 8, 1 << 16, 1 << 24, 1 << 32]):
        ONE[colour] = tile
    for lines in range(64):
        members = [line for line in range(6) if lines >> line & 1]
        LINE_COUNT[lines] = len(members)
        for place, line in enumerate(members):
            LINES[8 * lines + place] = line
    for row in range(32):
        SET_SIZE[row] = LINE_COUNT[row]
        LOWEST[row] = LINES[8 * row]
        for space in range(5):
            RUN[5 * row + space] = _run_points(row, space)
    for row in range(5):
        for colour in range(5):
            COLUMN[5 * row + colour] = (row + colour) % 5
    for pieces in range(9):
        PENALTY[pieces] = sum(FLOOR_COSTS[:pieces])


def _run_points(row, space):
    first = last = space
    while first > 0 and row >> (first - 1) & 1:
        first -= 1
    while last < 4 and row >> (last + 1) & 1:
        last += 1
    return last - first + 1 if last > first else 0


_prepare()
