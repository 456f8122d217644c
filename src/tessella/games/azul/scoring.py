"""The scoring of Azul."""

from collections.abc import Sequence

from tessella.core.game import Seat, Steps, places
from tessella.games.azul.events import BonusScored, Event
from tessella.games.azul.pieces import COLOURS, EMPTY, FLOOR_COSTS, SIZE, Tiles
from tessella.games.azul.state import Board, Wall

ROW_BONUS = 2
COLUMN_BONUS = 7
COLOUR_BONUS = 10


def runs(wall: Wall, row: int, column: int) -> tuple[int, int]:
    """AZ22: return the lengths of the horizontal and vertical runs through a space, its own tile included."""
    return _run(wall[row], column), _run([wall[r][column] for r in range(SIZE)], row)


def _run(spaces: Sequence[str], place: int) -> int:
    first = last = place
    while first > 0 and spaces[first - 1] != EMPTY:
        first -= 1
    while last < SIZE - 1 and spaces[last + 1] != EMPTY:
        last += 1
    return last - first + 1


def tile_points(across: int, down: int) -> int:
    """AZ22: return the points of a tile; a run of one counts nothing, but a tile without neighbours scores 1.

    >>> tile_points(1, 1), tile_points(3, 1), tile_points(4, 3)
    (1, 3, 7)
    """
    return (across if across > 1 else 0) + (down if down > 1 else 0) or 1


def floor_costs(floor: Tiles) -> tuple[int, ...]:
    """AZ17, AZ23: return the cost of every occupied space; a marker beyond the seventh is free.

    >>> floor_costs("mrrbb")
    (1, 1, 2, 2, 2)
    """
    return FLOOR_COSTS[: len(floor)]


def complete_rows(wall: Wall) -> int:
    """Return the number of full rows of the wall."""
    return sum(EMPTY not in row for row in wall)


def complete_columns(wall: Wall) -> int:
    """Return the number of full columns of the wall."""
    return sum(EMPTY not in column for column in zip(*wall, strict=True))


def complete_colours(wall: Wall) -> int:
    """Return the number of colours with all five tiles on the wall."""
    tiles = "".join(wall)
    return sum(tiles.count(colour) == SIZE for colour in COLOURS)


def score_bonuses(wall: Wall, seat: Seat) -> Steps[Event, int]:
    """AZ51: return the bonus points: 2 per complete row, 7 per column, 10 per colour."""
    rows, columns, colours = complete_rows(wall), complete_columns(wall), complete_colours(wall)
    if rows:
        yield BonusScored(seat, "row", rows, ROW_BONUS, rows * ROW_BONUS)
    if columns:
        yield BonusScored(seat, "column", columns, COLUMN_BONUS, columns * COLUMN_BONUS)
    if colours:
        yield BonusScored(seat, "colour", colours, COLOUR_BONUS, colours * COLOUR_BONUS)
    return rows * ROW_BONUS + columns * COLUMN_BONUS + colours * COLOUR_BONUS


def final_places(boards: Sequence[Board]) -> tuple[int, ...]:
    """AZ52: return the places: most points, then most complete rows; further ties share a place."""
    return places([(board.score, complete_rows(board.wall)) for board in boards])
