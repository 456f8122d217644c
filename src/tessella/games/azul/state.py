"""The state of an Azul table, and the acts that change it.

Each fact is stored once. The marker is where its letter is: in the centre, on a floor line, or, between rounds,
with the seat that starts next. Whether players draft, tile or are done follows from where the tiles lie.
"""

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tessella.core import game
from tessella.core.game import Public, Seat
from tessella.games.azul.pieces import EMPTY, MARKER, SIZE, Colour, Counts, Tiles, wall_column

Wall: TypeAlias = tuple[Tiles, Tiles, Tiles, Tiles, Tiles]
Lines: TypeAlias = tuple[Tiles, Tiles, Tiles, Tiles, Tiles]

EMPTY_WALL: Wall = (".....", ".....", ".....", ".....", ".....")
EMPTY_LINES: Lines = ("", "", "", "", "")
EVERY_COLUMN = tuple(range(SIZE))


class Config(game.Config, frozen=True):
    """The options of a game of Azul."""

    seats: int = 2
    wall: Literal["coloured", "grey"] = "coloured"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.seats <= 4:
            raise ValueError("Azul is for 2 to 4 players (AZ01)")


class Board(Public, frozen=True):
    """The open board of one player. Rows and lines count from the top, columns from the left."""

    score: int = 0
    lines: Lines = EMPTY_LINES
    wall: Wall = EMPTY_WALL
    floor: Tiles = ""
    """From left to right; the marker may follow as an eighth piece, which costs nothing (AZ12)."""


class State(Struct, frozen=True):
    """The whole table.

    `round` is 0 before the first deal; `start` is the seat that starts this round or, once decided, the next;
    `current` is the drafting seat, and 0 outside drafting.
    """

    config: Config
    boards: tuple[Board, ...]
    bag: Counts
    lid: Counts
    factories: tuple[Tiles, ...]
    centre: Tiles = ""
    round: int = 0
    start: Seat = 0
    current: Seat = 0


class Take(game.Move, frozen=True):
    """AZ10, AZ13: take all tiles of a colour from a source and put them in a line, or on the floor (None).

    A source is a factory, from 0, or None for the centre.
    """

    source: int | None
    colour: Colour
    line: int | None


class Place(game.Move, frozen=True):
    """AZ31: choose the column for the tile of a complete line (grey wall)."""

    row: int
    column: int


Move: TypeAlias = Take | Place


class Deal(game.Deal, frozen=True):
    """AZ03, AZ40: the new content of every factory; in the first deal also the start player (AZ04)."""

    factories: tuple[Tiles, ...]
    start: Seat | None = None


def with_board(boards: tuple[Board, ...], seat: Seat, board: Board) -> tuple[Board, ...]:
    """Return the boards with one replaced."""
    return (*boards[:seat], board, *boards[seat + 1 :])


def with_line(lines: Lines, row: int, tiles: Tiles) -> Lines:
    """Return the pattern lines with one replaced."""
    new = list(lines)
    new[row] = tiles
    a, b, c, d, e = new
    return a, b, c, d, e


def with_tile(board: Board, row: int, column: int, colour: Colour) -> Board:
    """Return the board with one more tile on its wall."""
    old = board.wall[row]
    new = old[:column] + colour + old[column + 1 :]
    return replace(board, wall=with_line(board.wall, row, new))


def drafting(state: State) -> bool:
    """AZ18: return whether a factory or the centre still holds a tile; the marker is not a tile."""
    return state.centre not in ("", MARKER) or any(state.factories)


def next_row(board: Board) -> int | None:
    """AZ20: return the topmost complete line, which is tiled next."""
    for row, tiles in enumerate(board.lines):
        if len(tiles) > row:
            return row
    return None


def open_columns(config: Config, board: Board, row: int) -> tuple[int, ...]:
    """AZ21, AZ30: return the columns where the tile of a complete line may go."""
    colour = board.lines[row][0]
    if config.wall == "coloured":
        return (wall_column(row, colour),)
    spaces = board.wall[row]
    return tuple(
        column
        for column in EVERY_COLUMN
        if spaces[column] == EMPTY and all(other[column] != colour for other in board.wall)
    )
