"""The components of Azul.

A tile is written as the letter of its colour, so a heap of tiles is a string: `"bbk"` is two blue tiles and a black
one. Where no order exists, as in the bag, only counts are kept.
"""

from collections.abc import Iterable
from typing import TypeAlias

Colour: TypeAlias = str
"""One letter of `COLOURS`."""

Tiles: TypeAlias = str
"""Face-up tiles that lie together, one letter each; in a factory and in the centre sorted as in `COLOURS`."""

Counts: TypeAlias = tuple[int, int, int, int, int]
"""How many tiles of each colour, in the order of `COLOURS`."""

COLOURS = "byrkw"
"""Blue, yellow, red, black, white."""

COLOUR_NAMES = {"b": "blue", "y": "yellow", "r": "red", "k": "black", "w": "white"}

MARKER = "m"
"""The start marker, where it lies among tiles: in the centre or on a floor line."""

EMPTY = "."
"""A wall space without a tile."""

SIZE = 5
"""Pattern lines, wall rows, wall columns and colours are five each."""

TILES_PER_COLOUR = 20
TILES_PER_FACTORY = 4
FLOOR_COSTS = (1, 1, 2, 2, 2, 3, 3)
LAST_ROUND = 50

NO_TILES: Counts = (0, 0, 0, 0, 0)
ALL_TILES: Counts = (20, 20, 20, 20, 20)


def factories_for(seats: int) -> int:
    """AZ01: return the number of factories: 5, 7 or 9."""
    return 2 * seats + 1


def counts(tiles: Iterable[str]) -> Counts:
    """Return the number of tiles of each colour; a marker among them is not counted.

    >>> counts("mbbk")
    (2, 0, 0, 1, 0)
    """
    heap = "".join(tiles)
    return heap.count("b"), heap.count("y"), heap.count("r"), heap.count("k"), heap.count("w")


def add(one: Counts, other: Counts) -> Counts:
    """Return the sum of two heaps."""
    b, y, r, k, w = one
    b2, y2, r2, k2, w2 = other
    return b + b2, y + y2, r + r2, k + k2, w + w2


def subtract(one: Counts, other: Counts) -> Counts:
    """Return one heap minus another; a negative count means that some tiles were missing."""
    b, y, r, k, w = one
    b2, y2, r2, k2, w2 = other
    return b - b2, y - y2, r - r2, k - k2, w - w2


def heap(counted: Counts) -> Tiles:
    """Return counted tiles as letters.

    >>> heap((2, 0, 0, 1, 0))
    'bbk'
    """
    return "".join(colour * count for colour, count in zip(COLOURS, counted, strict=True))


def wall_column(row: int, colour: Colour) -> int:
    """AZ21: return the column of a colour in a row of the coloured wall, both counted from 0.

    >>> wall_column(0, "b"), wall_column(1, "b"), wall_column(1, "w")
    (0, 1, 0)
    """
    return (COLOURS.index(colour) + row) % SIZE
