"""The components of Azul Duel.

A tile is written as the letter of its colour, so a heap of tiles is a string: `"bbk"` is two blue tiles and a black
one. A dome plate is a string of its four spaces as it lies: upper left, upper right, lower left, lower right. A bonus
chip is a letter too, so a player's chips are a string.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

Colour: TypeAlias = str
"""One letter of `COLOURS`."""

Tiles: TypeAlias = str
"""Tiles that lie together, one letter each; sorted as in `COLOURS` unless they form a stack (bottom first)."""

Counts: TypeAlias = tuple[int, int, int, int, int]
"""How many tiles of each colour, in the order of `COLOURS`."""

Plate: TypeAlias = str
"""Four spaces, each a colour, `SPECIAL` or `JOKER`."""

Kind: TypeAlias = str
"""What the back of a plate shows: `SPECIAL` or `JOKER`."""

Chip: TypeAlias = str
"""One letter of `CHIP_COLOURS`."""

Chips: TypeAlias = str
"""Bonus chips, sorted as in `CHIP_COLOURS`."""

Face: TypeAlias = Literal["rows", "colour_rows", "columns", "outer", "diagonals", "corners", "jokers", "empty_specials"]
"""A face of a scoring tile."""

# The tiles (DU01)

COLOURS = "byrkt"
"""Blue, yellow, red, black, turquoise."""

COLOUR_NAMES = {"b": "blue", "y": "yellow", "r": "red", "k": "black", "t": "turquoise"}

SPECIAL = "*"
"""The space for a special tile, and the tile itself."""

JOKER = "?"
"""A space for a tile of any colour."""

EMPTY = "."
"""A dome space without a tile, or without a plate."""

NO_TILES: Counts = (0, 0, 0, 0, 0)
ALL_TILES: Counts = (13, 13, 13, 13, 13)
SPECIAL_TILES = 9

# The board (DU02)

SEATS = 2
SIZE = 6
"""The number of pattern lines, dome rows and dome columns."""

SLOTS = 9
"""Three rows of three slots; each holds a plate of two rows and two columns."""

SPECIAL_POINTS = (1, 2, 3, 4, 5, 6)
"""DU34: points of a special tile in each dome row."""

START_SCORE = 5
BROKEN_COSTS = (0, 1, 3, 6, 10)
"""DU35: total cost of 0 to 4 broken tiles, in points."""

BROKEN_SPACES = len(BROKEN_COSTS) - 1
START_TILE_COST = 2

# The factories (DU10)

LARGE = 0
"""The large factory comes first; the four small ones follow."""

FACTORY_TILES = (5, 4, 4, 4, 4)
OPEN_PLATES = 3

# What each player does every round (DU20, DU26)

ROUNDS = 5
PLATE_ROUNDS = 4
PLATES_PER_ROUND = 2
CHIPS_PER_ROUND = 2

# Dome plates, as they are printed (DU03)

PLATES: tuple[Plate, ...] = (
    "ykt*", "?btk", "trb?", "kyr?", "k*tr", "ty?k", "*krb", "ybk*", "trb*",
    "yr?b", "y*kr", "tkr?", "bk*t", "rty?", "tb?y", "*tyb", "r?bk", "*ybr",
)  # fmt: skip


def kind_of(plate: Plate) -> Kind:
    """Return what the back of a plate shows."""
    return SPECIAL if SPECIAL in plate else JOKER


def turned(plate: Plate) -> Plate:
    """DU03: return the plate after a quarter turn to the right.

    >>> turned("ykt*")
    'ty*k'
    """
    return plate[2] + plate[0] + plate[3] + plate[1]


def _turns(plate: Plate) -> tuple[Plate, Plate, Plate, Plate]:
    right, half = turned(plate), turned(turned(plate))
    return plate, right, half, turned(half)


TURNS: dict[Plate, tuple[Plate, Plate, Plate, Plate]] = {plate: _turns(plate) for plate in PLATES}
"""The four orientations of each printed plate; no two plates have one in common."""

PRINTED: dict[Plate, Plate] = {way: plate for plate, ways in TURNS.items() for way in ways}
"""The printed plate behind each orientation."""

PLATES_OF: dict[Kind, tuple[Plate, ...]] = {
    kind: tuple(plate for plate in PLATES if kind in plate) for kind in (SPECIAL, JOKER)
}

# Bonus chips (DU04)

CHIP_COLOURS: dict[Chip, str] = {
    "b": "b", "y": "y", "r": "r", "k": "k", "t": "t",
    "B": "br", "Y": "yk", "R": "rt", "K": "kb", "T": "ty",
}  # fmt: skip
"""The colours of each chip: one, or (capital letter) two."""

ALL_CHIPS: Chips = "".join(chip * 2 for chip in CHIP_COLOURS)

FACE_DOWN = "#"
"""An unrevealed chip on a factory."""

# Scoring tiles (DU05)

FACE_TILES: dict[Face, str] = {
    "rows": "A", "colour_rows": "A",
    "columns": "B", "outer": "B",
    "diagonals": "C", "corners": "C",
    "jokers": "D", "empty_specials": "D",
}  # fmt: skip
"""Each face, and the scoring tile that it is on."""

UPPER_CORNER, LOWER_CORNER = 3, 8
"""DU55: points of a full corner plate."""

# Heaps


def counts(tiles: Iterable[str]) -> Counts:
    """Return the number of tiles of each colour; anything else among them is not counted.

    >>> counts("bb*k.")
    (2, 0, 0, 1, 0)
    """
    heap = "".join(tiles)
    return heap.count("b"), heap.count("y"), heap.count("r"), heap.count("k"), heap.count("t")


def add(one: Counts, other: Counts) -> Counts:
    """Return the sum of two heaps."""
    b, y, r, k, t = one
    b2, y2, r2, k2, t2 = other
    return b + b2, y + y2, r + r2, k + k2, t + t2


def subtract(one: Counts, other: Counts) -> Counts:
    """Return one heap minus another; a negative count means that some tiles were missing."""
    b, y, r, k, t = one
    b2, y2, r2, k2, t2 = other
    return b - b2, y - y2, r - r2, k - k2, t - t2


def heap(counted: Sequence[int]) -> Tiles:
    """Return counted tiles as letters.

    >>> heap((2, 0, 0, 1, 0))
    'bbk'
    """
    return "".join(colour * count for colour, count in zip(COLOURS, counted, strict=True))


def sorted_chips(chips: Iterable[Chip]) -> Chips:
    """Return the chips in the order of `CHIP_COLOURS`.

    >>> sorted_chips("TbtB")
    'btBT'
    """
    return "".join(sorted(chips, key=ALL_CHIPS.index))


def without(chips: Chips, some: Iterable[Chip]) -> Chips:
    """Return the chips that are left without some of them.

    >>> without("bbtT", "Tb")
    'bt'
    """
    for chip in some:
        chips = chips.replace(chip, "", 1)
    return chips
