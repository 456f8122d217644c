"""Bit patterns and lookup tables of the compiled Azul."""

from tessella.games.azul.pieces import FLOOR_COSTS, LAST_ROUND

FLOOR_SPACES = 7
MARKER_NIBBLE = 6
"""The marker on a floor line, where the colours are 1 to 5."""
IN_CENTRE = 7
NOWHERE = 8
"""Where the marker is between rounds; otherwise it is in the centre, or with a seat."""
ROUNDS = LAST_ROUND
NOT_FORCED = -1_000
"""The solver's value of a round that does not end the game: worse than any result."""
STATE_WORDS = 78
"""Number of 64-bit words of a saved table."""

# Named words: compiled, the name gives a large number its C type.
BIT = 1
EVERY_COLOUR = 31
NIBBLES = 0x1111111

# A byte per colour.
ONES = 0x0101010101
HIGHS = 0x8080808080
EVERY_LINE = 0x1F1F1F1F1F
FLOORS = 0x2020202020
ALL_TILES = 0x1414141414

# Lookup tables, filled below.
ONE = [0] * 5
"""A tile of each colour, as a heap."""
LINES = [0] * 512
"""Eight per set of lines: its lines in order. Eight, because a machine copies eight as fast as one."""
LINE_COUNT = [0] * 64
RUN = [0] * 160
"""Five per row pattern of the wall: the points of a run through each space, its own tile included."""
SET_SIZE = [0] * 32
LOWEST = [0] * 32
COLUMN = [0] * 25
"""Five per row: the column of a colour on the coloured wall."""
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
