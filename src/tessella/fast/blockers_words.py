"""The words in which a table of Blockers! is written, and what the compiled game looks up instead of reckoning."""

from tessella.games.blockers.pieces import CELLS, FACES, NEIGHBOURS

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
UPPER_ROWS = sum([0x1FF << 10 * row for row in range(5)])
LOWER_ROWS = sum([0x1FF << 10 * row for row in range(1, 5)])
BOTH_ROWS = 0x1FF | 0x1FF << 10
"""The rows E and F in the lower word; 40 bits higher they are in the upper one."""

UPPER = [0] * 81
"""The bit of a cell in the upper word; 0 where it has none."""
LOWER = [0] * 81
HOUSE_UPPER = [0] * 28
"""The cells where a face belongs, in the rows for which the upper word speaks."""
HOUSE_LOWER = [0] * 28
CELL_UPPER = [0] * 64
"""The cell of a bit."""
CELL_LOWER = [0] * 64
NEAR = [0] * 324
"""Four for each cell: its neighbours; 81 is none."""
ALL_FACES = 2**28 - 1
UNKNOWN = -1
ASIDE = 81
FACE_COUNT = 28
RACK = 5
WORDS = 50
HEAPS = 466
"""The lengths of the rows in which a table is kept."""
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
