"""The state of a Blockers! table, and the acts that change it.

Each fact is stored once. How often a colour was played, whose turn it is, who must draw and whether the game is over
all follow from where the tiles lie. Racks and supplies are sets, written in the order of `FACES`: they have no
order that could reveal when a tile was, or will be, drawn.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from tessella.core import game
from tessella.core.game import Public, Seat
from tessella.games.blockers.pieces import (
    BESIDE,
    COLOURS,
    EMPTY,
    EMPTY_BOARD,
    FACES,
    NEIGHBOURS,
    PLAYS,
    RACK_SIZE,
    TILES_LEFT,
    Cell,
    Colour,
    Face,
    Faces,
    Tiles,
)


class Config(game.Config, frozen=True):
    """The options of a game of Blockers!. Two players have two colours each (BL30)."""

    seats: int = 4
    scoring: Literal["blockers", "uptown"] = "blockers"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.seats <= 5:
            raise ValueError("Blockers! is for 2 to 5 players (BL03, BL30)")


class Board(Public, frozen=True):
    """The 81 cells, row by row: the colour and the face of the tile on each."""

    colours: str = EMPTY_BOARD
    faces: str = EMPTY_BOARD


class Stock(Struct, frozen=True):
    """The tiles of a colour that are neither on the board nor captured. Tiles put aside lie face up (BL17)."""

    rack: Faces = ""
    supply: Faces = FACES
    aside: Faces = ""


class State(Struct, frozen=True):
    """The whole table: one stock per colour, captured tiles per seat; `start` is None until it is drawn."""

    config: Config
    stocks: tuple[Stock, ...]
    captured: tuple[Tiles, ...]
    board: Board = Board()
    start: Seat | None = None


class Place(game.Move, frozen=True):
    """BL10: place a tile of the rack on a cell, capturing a tile that lies there (BL11)."""

    colour: Colour
    face: Face
    cell: Cell


class PutAside(game.Move, frozen=True):
    """BL17: give up a tile of the rack, because none can be placed."""

    colour: Colour
    face: Face


Move: TypeAlias = Place | PutAside


class DrawStart(game.Deal, frozen=True):
    """BL03: the start player, drawn by chance."""

    start: Seat


class DrawTiles(game.Deal, frozen=True):
    """BL03, BL16: tiles go from a supply to its rack: five at the start, then one. Only the owner may read them."""

    owner: Seat
    colour: Colour
    tiles: Faces


Deal: TypeAlias = DrawStart | DrawTiles


# Whose tiles


def colours_of_game(config: Config) -> str:
    """BL03, BL30: return the colours in play: one per player, or two each for two players.

    >>> colours_of_game(Config(seats=3)), colours_of_game(Config(seats=2))
    ('byr', 'byrg')
    """
    return COLOURS[: 4 if config.seats == 2 else config.seats]


def owner_of(config: Config, colour: Colour) -> Seat:
    """Return the seat that owns a colour; two players take the colours in turn."""
    return COLOURS.index(colour) % config.seats


def colours_of(config: Config, seat: Seat) -> str:
    """Return the colour, or the two colours, of a seat.

    >>> colours_of(Config(seats=3), 1), colours_of(Config(seats=2), 1)
    ('y', 'yg')
    """
    return colours_of_game(config)[seat :: config.seats]


def every_tile(state: State) -> list[str]:
    """Return all tiles, wherever they lie."""
    heaps = [stock.rack + stock.supply + stock.aside for stock in state.stocks]
    tiles = [colour + face for colour, heap in zip(COLOURS, heaps, strict=False) for face in heap]
    tiles += [
        colour + face for colour, face in zip(state.board.colours, state.board.faces, strict=True) if colour != EMPTY
    ]
    return tiles + [heap[first : first + 2] for heap in state.captured for first in range(0, len(heap), 2)]


# How far the game is


def unplayed(stock: Stock) -> int:
    """Return how many tiles of a colour are on the rack or in the supply; the number is public."""
    return len(stock.rack) + len(stock.supply)


def plays(state: State) -> int:
    """Return how many turns were taken; every turn takes one tile from a rack."""
    return PLAYS * len(state.stocks) - plays_left(state)


def plays_left(state: State) -> int:
    """BL16: return how many turns are left: one per tile, except the four of each colour that are never played."""
    left = -TILES_LEFT * len(state.stocks)
    for stock in state.stocks:
        left += len(stock.rack) + len(stock.supply)
    return left


def is_finished(left: int) -> bool:
    """BL16, BL32: return whether a colour with this many unplayed tiles is finished."""
    return left == TILES_LEFT


def is_over(state: State) -> bool:
    """BL20, BL32: return whether every colour is finished."""
    return not plays_left(state)


def drawing(state: State) -> Colour | None:
    """BL03, BL16: return the colour whose rack must be filled before play continues."""
    for colour, stock in zip(COLOURS, state.stocks, strict=False):
        if len(stock.rack) < RACK_SIZE and stock.supply:
            return colour
    return None


# Groups


def group(colours: str, cell: Cell) -> list[Cell]:
    """BL12: return the cells connected to the tile on a cell, its own included."""
    colour = colours[cell]
    found = [cell]
    for place in found:
        for near in NEIGHBOURS[place]:
            if colours[near] == colour and near not in found:
                found.append(near)
    return found


def groups_beside(colours: str, cell: Cell, colour: Colour) -> tuple[int, ...]:
    """Return the sizes of the groups of a colour next to a cell, which itself holds no tile of the colour."""
    sizes: list[int] = []
    met: list[Cell] = []
    for near in NEIGHBOURS[cell]:
        if colours[near] == colour and near not in met:
            connected = group(colours, near)
            sizes.append(len(connected))
            met += connected
    return tuple(sizes)


def splits(colours: str, cell: Cell) -> bool:
    """BL12: return whether removing the tile on a cell would split its group."""
    colour = colours[cell]
    if BESIDE[cell](colours).count(colour) < 2:
        return False
    first, *others = [near for near in NEIGHBOURS[cell] if colours[near] == colour]
    return not set(others).issubset(group(with_cell(colours, cell, EMPTY), first))


def with_cell(cells: str, cell: Cell, mark: str) -> str:
    """Return the cells with one replaced."""
    return cells[:cell] + mark + cells[cell + 1 :]
