"""What a move of Azul is worth at first sight."""

from tessella.core.game import tell
from tessella.games.azul.pieces import EMPTY, SIZE, Colour, wall_column
from tessella.games.azul.rules import draft
from tessella.games.azul.scoring import floor_costs, runs, tile_points
from tessella.games.azul.state import Board, Move, Place, State

COMPLETE = 1.0
STARTED = 0.5
"""A started line counts for half of its share: it may never be completed."""
COLUMN = 0.4
"""What each tile in the same column, and of the same colour, adds in view of the bonuses."""


def worth(state: State, move: Move) -> float:
    """The points of a tile placed now; or the hope of the lines after a take, less what the floor costs."""
    if isinstance(move, Place):
        return _tile_worth(state.boards[move.seat], move.row, move.column, state.boards[move.seat].lines[move.row][0])
    after, _ = tell(draft(state, move))
    return _hope(state, after.boards[move.seat]) - _hope(state, state.boards[move.seat])


def _hope(state: State, board: Board) -> float:
    lines = sum(_line_worth(state, board, row) for row in range(SIZE) if board.lines[row])
    return lines - sum(floor_costs(board.floor))


def _line_worth(state: State, board: Board, row: int) -> float:
    tiles = board.lines[row]
    filled = len(tiles) / (row + 1)
    share = COMPLETE if filled == 1 else STARTED * filled
    if state.config.wall == "coloured":
        return share * _tile_worth(board, row, wall_column(row, tiles[0]), tiles[0])
    free = [column for column in range(SIZE) if board.wall[row][column] == EMPTY]
    return share * max(_tile_worth(board, row, column, tiles[0]) for column in free)


def _tile_worth(board: Board, row: int, column: int, colour: Colour) -> float:
    points = tile_points(*runs(board.wall, row, column))
    beside = sum(wall_row[column] != EMPTY for wall_row in board.wall) + "".join(board.wall).count(colour)
    return points + COLUMN * beside
