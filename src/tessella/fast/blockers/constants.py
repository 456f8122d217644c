"""Bit patterns and lookup tables of the compiled Blockers!."""

from tessella.games.blockers.pieces import CELLS, FACES, NEIGHBOURS

UPPER_ROWS = sum([0x1FF << 10 * row for row in range(5)])
LOWER_ROWS = sum([0x1FF << 10 * row for row in range(1, 5)])
BOTH_ROWS = 0x1FF | 0x1FF << 10
"""The rows E and F in the lower word; in the upper word they are 40 bits higher."""

UPPER = [0] * 81
"""The bit of a cell in the upper word; 0 if it has none."""
LOWER = [0] * 81
HOUSE_UPPER = [0] * 28
"""The cells where a face belongs, in the rows that the upper word owns."""
HOUSE_LOWER = [0] * 28
CELL_UPPER = [0] * 64
"""The cell of a bit."""
CELL_LOWER = [0] * 64
NEAR = [0] * 324
"""Four per cell: its neighbours; 81 is none."""
ALL_FACES = 2**28 - 1
UNKNOWN = -1
FACE_COUNT = 28
RACK = 5
STATE_WORDS = 50
STATE_BYTES = 466
"""Numbers of 64-bit words and of bytes of a saved table."""
STAYING = 4
"""Tiles of a colour that are never played."""


def _prepare():
    for cell in range(81):
        row, column = cell // 9, cell % 9
        if row < 6:
            UPPER[cell] = 2 ** (10 * row + column)
            CELL_UPPER[10 * row + column] = cell
        if row > 3:
            LOWER[cell] = 2 ** (10 * (row - 4) + column)
            CELL_LOWER[10 * (row - 4) + column] = cell
        for place in range(4):
            NEAR[4 * cell + place] = NEIGHBOURS[cell][place] if place < len(NEIGHBOURS[cell]) else 81
    for face in range(28):
        HOUSE_UPPER[face] = sum([2 ** (10 * (cell // 9) + cell % 9) for cell in CELLS[FACES[face]] if cell < 45])
        HOUSE_LOWER[face] = sum([2 ** (10 * (cell // 9 - 4) + cell % 9) for cell in CELLS[FACES[face]] if cell >= 45])


_prepare()
