"""The components of Blockers!: a board of 81 cells, and 28 tiles of each colour.

A tile is written as the letter of its colour and the character of its face: `b7` is the blue 7. No face looks
like a colour, so counting the letter of a colour in a string of tiles counts its tiles.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import TypeAlias

from tessella.core.game import Rng

Colour: TypeAlias = str
"""One letter of `COLOURS`."""

Face: TypeAlias = str
"""What is printed on a tile: one character of `FACES`."""

Faces: TypeAlias = str
"""Tiles of one known colour, by their faces; on a rack and in a supply sorted as in `FACES`."""

Tiles: TypeAlias = str
"""Tiles of several colours, two characters each: colour, face."""

Cell: TypeAlias = int
"""A cell of the board, numbered row by row: A1 is 0, A9 is 8, I9 is 80."""

COLOURS = "byrgv"
COLOUR_NAMES = {"b": "blue", "y": "yellow", "r": "red", "g": "green", "v": "violet"}

LETTERS = "ABCDEFGHI"
NUMBERS = "123456789"
SYMBOLS = "shapdcmto"
"""BL01: the symbols of the blocks, from left to right and from top to bottom."""

SYMBOL_NAMES = {
    "s": "sun",
    "h": "heart",
    "a": "star",
    "p": "spade",
    "d": "diamond",
    "c": "club",
    "m": "moon",
    "t": "triangle",
    "o": "circle",
}
WILD = "w"
FACES = LETTERS + NUMBERS + SYMBOLS + WILD
"""BL02: the 28 tiles of a colour."""

EMPTY = "."
"""A cell without a tile."""

SIZE = 9
BLOCK_SIZE = 3
RACK_SIZE = 5
TILES_LEFT = 4
"""BL16: how many tiles of a colour are never played."""

PLAYS = len(FACES) - TILES_LEFT
"""BL16: how many tiles of a colour are played."""

EVERY_CELL = range(SIZE * SIZE)
EMPTY_BOARD = EMPTY * len(EVERY_CELL)


def _in_block(symbol: Face) -> tuple[Cell, ...]:
    down, across = divmod(SYMBOLS.index(symbol), BLOCK_SIZE)
    first = (down * SIZE + across) * BLOCK_SIZE
    return tuple(first + row * SIZE + column for row in range(BLOCK_SIZE) for column in range(BLOCK_SIZE))


def _next_to(cell: Cell) -> tuple[Cell, ...]:
    row, column = divmod(cell, SIZE)
    near = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return tuple(r * SIZE + c for r, c in near if 0 <= r < SIZE and 0 <= c < SIZE)


def _reader(cells: tuple[Cell, ...]) -> Callable[[str], tuple[str, ...]]:
    first, second, *others = cells
    return itemgetter(first, second, *others)


CELLS: dict[Face, tuple[Cell, ...]] = (
    {letter: tuple(EVERY_CELL[row * SIZE : (row + 1) * SIZE]) for row, letter in enumerate(LETTERS)}
    | {number: tuple(EVERY_CELL[column::SIZE]) for column, number in enumerate(NUMBERS)}
    | {symbol: _in_block(symbol) for symbol in SYMBOLS}
    | {WILD: tuple(EVERY_CELL)}
)
"""BL10: the cells where a face may be placed."""

NEIGHBOURS = tuple(map(_next_to, EVERY_CELL))
"""BL12: the cells edge to edge with each cell."""

BESIDE = tuple(map(_reader, NEIGHBOURS))
"""For each cell, a function that picks its neighbours out of a board of 81 characters."""


def in_order(faces: Faces) -> Faces:
    """Return the tiles sorted, so that their order reveals nothing.

    >>> in_order("w7sA")
    'A7sw'
    """
    return "".join(sorted(faces, key=FACES.index))


def without(faces: Faces, gone: Faces) -> Faces:
    """Return the tiles that are left without some of them."""
    for face in gone:
        faces = faces.replace(face, "")
    return faces


def draw(faces: Faces, count: int, rng: Rng) -> Faces:
    """Return `count` random tiles, in order."""
    left = list(faces)
    return in_order("".join(left.pop(rng.randrange(len(left))) for _ in range(count)))


def home(face: Face) -> str:
    """BL10: return where a letter, number or symbol belongs, in words.

    >>> home("A"), home("7"), home("m")
    ('row A', 'column 7', 'the block of the moon')
    """
    if face in LETTERS:
        return f"row {face}"
    return f"column {face}" if face in NUMBERS else f"the block of the {SYMBOL_NAMES[face]}"


def name_cell(cell: Cell) -> str:
    """Return the name of a cell: its row and column.

    >>> name_cell(0), name_cell(33)
    ('A1', 'D7')
    """
    return LETTERS[cell // SIZE] + NUMBERS[cell % SIZE]
