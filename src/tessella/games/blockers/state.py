"""The table of Blockers! at one moment, and the acts that change it.

Each fact is kept once. How often a colour was played, whose turn it is, who must draw and whether the game is over
are all read from where the tiles lie. Racks and supplies are sets, written in the order of `FACES`: they have no
order that could tell when a tile was drawn, or will be.
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
    """What the players agree on before the game. Two players have two colours each (BL30)."""

    seats: int = 4
    scoring: Literal["blockers", "uptown"] = "blockers"

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= 5:
            raise ValueError("Blockers! is for 2 to 5 players (BL03, BL30)")


class Board(Public, frozen=True):
    """The 81 cells, row by row: the colour and the face of the tile on each."""

    colours: str = EMPTY_BOARD
    faces: str = EMPTY_BOARD


class Stock(Struct, frozen=True):
    """The tiles of a colour that are neither on the board nor captured. Those put aside lie open (BL17)."""

    rack: Faces = ""
    supply: Faces = FACES
    aside: Faces = ""


class State(Struct, frozen=True):
    """The whole table: a stock for each colour, captured tiles for each seat; `start` is None until it is drawn."""

    config: Config
    stocks: tuple[Stock, ...]
    captured: tuple[Tiles, ...]
    board: Board = Board()
    start: Seat | None = None


class Place(game.Move, frozen=True):
    """BL10: place a tile of the rack on a cell; if a tile lies there, it is captured (BL11)."""

    colour: Colour
    face: Face
    cell: Cell


class PutAside(game.Move, frozen=True):
    """BL17: give up a tile of the rack, because none can be placed."""

    colour: Colour
    face: Face


Move: TypeAlias = Place | PutAside


class DrawStart(game.Deal, frozen=True):
    """BL03: chance decides who starts."""

    start: Seat


class DrawTiles(game.Deal, frozen=True):
    """BL03, BL16: tiles go from a supply to its rack: five at the start, then one. Only the owner may read them."""

    owner: Seat
    colour: Colour
    tiles: Faces


Deal: TypeAlias = DrawStart | DrawTiles


# Whose tiles


def colours_of_game(config: Config) -> str:
    """BL03, BL30: a colour for each player, or two for each of two.

    >>> colours_of_game(Config(seats=3)), colours_of_game(Config(seats=2))
    ('byr', 'byrg')
    """
    return COLOURS[: 4 if config.seats == 2 else config.seats]


def owner_of(config: Config, colour: Colour) -> Seat:
    """Whose colour it is: two players take the colours in turn."""
    return COLOURS.index(colour) % config.seats


def colours_of(config: Config, seat: Seat) -> str:
    """The colour, or the two colours, of a seat.

    >>> colours_of(Config(seats=3), 1), colours_of(Config(seats=2), 1)
    ('y', 'yg')
    """
    return colours_of_game(config)[seat :: config.seats]


def every_tile(state: State) -> list[str]:
    """All tiles, wherever they lie."""
    heaps = [stock.rack + stock.supply + stock.aside for stock in state.stocks]
    tiles = [colour + face for colour, heap in zip(COLOURS, heaps, strict=False) for face in heap]
    tiles += [
        colour + face for colour, face in zip(state.board.colours, state.board.faces, strict=True) if colour != EMPTY
    ]
    return tiles + [heap[first : first + 2] for heap in state.captured for first in range(0, len(heap), 2)]


# How far the game is


def unplayed(stock: Stock) -> int:
    """How many tiles of a colour are on the rack or still to come: open knowledge, whatever they are."""
    return len(stock.rack) + len(stock.supply)


def plays(state: State) -> int:
    """How many turns were taken: every turn takes one tile from a rack."""
    return PLAYS * len(state.stocks) - plays_left(state)


def plays_left(state: State) -> int:
    """BL16: how many turns are still to be taken: one for each tile but the four of each colour that stay."""
    left = -TILES_LEFT * len(state.stocks)
    for stock in state.stocks:
        left += len(stock.rack) + len(stock.supply)
    return left


def is_finished(left: int) -> bool:
    """BL16, BL32: whether a colour is played no more, with so many tiles left on its rack and in its supply."""
    return left == TILES_LEFT


def is_over(state: State) -> bool:
    """BL20, BL32: the game ends when every colour is finished."""
    return not plays_left(state)


def drawing(state: State) -> Colour | None:
    """BL03, BL16: the colour whose rack must be filled before play goes on."""
    for colour, stock in zip(COLOURS, state.stocks, strict=False):
        if len(stock.rack) < RACK_SIZE and stock.supply:
            return colour
    return None


# Groups


def group(colours: str, cell: Cell) -> list[Cell]:
    """BL12: the tiles that are connected to the tile on a cell, with itself."""
    colour = colours[cell]
    found = [cell]
    for place in found:
        for near in NEIGHBOURS[place]:
            if colours[near] == colour and near not in found:
                found.append(near)
    return found


def groups_beside(colours: str, cell: Cell, colour: Colour) -> tuple[int, ...]:
    """The sizes of the groups of a colour that touch a cell, which holds no tile of the colour itself."""
    sizes: list[int] = []
    met: list[Cell] = []
    for near in NEIGHBOURS[cell]:
        if colours[near] == colour and near not in met:
            connected = group(colours, near)
            sizes.append(len(connected))
            met += connected
    return tuple(sizes)


def splits(colours: str, cell: Cell) -> bool:
    """BL12: whether its group would fall apart without the tile on a cell."""
    colour = colours[cell]
    if BESIDE[cell](colours).count(colour) < 2:
        return False
    first, *others = [near for near in NEIGHBOURS[cell] if colours[near] == colour]
    return not set(others).issubset(group(with_cell(colours, cell, EMPTY), first))


def with_cell(cells: str, cell: Cell, mark: str) -> str:
    """The cells, one of them exchanged."""
    return cells[:cell] + mark + cells[cell + 1 :]
