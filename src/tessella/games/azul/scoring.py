"""How points are counted in Azul."""

from collections.abc import Sequence

from tessella.core.game import Seat, Story, places
from tessella.games.azul.events import BonusScored, Event
from tessella.games.azul.pieces import COLOURS, EMPTY, FLOOR_COSTS, SIZE, Tiles
from tessella.games.azul.state import Board, Wall

ROW_BONUS = 2
COLUMN_BONUS = 7
COLOUR_BONUS = 10


def runs(wall: Wall, row: int, column: int) -> tuple[int, int]:
    """AZ22: how long the horizontal and the vertical run through a space are, its own tile included."""
    return _run(wall[row], column), _run([wall[r][column] for r in range(SIZE)], row)


def _run(spaces: Sequence[str], place: int) -> int:
    first = last = place
    while first > 0 and spaces[first - 1] != EMPTY:
        first -= 1
    while last < SIZE - 1 and spaces[last + 1] != EMPTY:
        last += 1
    return last - first + 1


def tile_points(across: int, down: int) -> int:
    """AZ22: a run of one gives nothing by itself; a tile without neighbours scores 1.

    >>> tile_points(1, 1), tile_points(3, 1), tile_points(4, 3)
    (1, 3, 7)
    """
    return (across if across > 1 else 0) + (down if down > 1 else 0) or 1


def floor_costs(floor: Tiles) -> tuple[int, ...]:
    """AZ17, AZ23: the cost of every occupied space; a marker beyond the seventh is free.

    >>> floor_costs("mrrbb")
    (1, 1, 2, 2, 2)
    """
    return FLOOR_COSTS[: len(floor)]


def complete_rows(wall: Wall) -> int:
    """How many rows of the wall are full."""
    return sum(EMPTY not in row for row in wall)


def complete_columns(wall: Wall) -> int:
    """How many columns of the wall are full."""
    return sum(EMPTY not in column for column in zip(*wall, strict=True))


def complete_colours(wall: Wall) -> int:
    """How many colours have all five tiles on the wall."""
    tiles = "".join(wall)
    return sum(tiles.count(colour) == SIZE for colour in COLOURS)


def score_bonuses(wall: Wall, seat: Seat) -> Story[Event, int]:
    """AZ51: 2 for each complete row, 7 for each column, 10 for each colour."""
    rows, columns, colours = complete_rows(wall), complete_columns(wall), complete_colours(wall)
    if rows:
        yield BonusScored(seat, "row", rows, ROW_BONUS, rows * ROW_BONUS)
    if columns:
        yield BonusScored(seat, "column", columns, COLUMN_BONUS, columns * COLUMN_BONUS)
    if colours:
        yield BonusScored(seat, "colour", colours, COLOUR_BONUS, colours * COLOUR_BONUS)
    return rows * ROW_BONUS + columns * COLUMN_BONUS + colours * COLOUR_BONUS


def final_places(boards: Sequence[Board]) -> tuple[int, ...]:
    """AZ52: most points, then more complete rows; after that a place is shared."""
    return places([(board.score, complete_rows(board.wall)) for board in boards])
