"""The heuristic value of a move of Azul, in points, without lookahead."""

from math import fsum

from tessella.core.game import collect
from tessella.games.azul.pieces import EMPTY, SIZE, Colour, wall_column
from tessella.games.azul.rules import draft
from tessella.games.azul.scoring import floor_costs, runs, tile_points
from tessella.games.azul.state import Board, Move, Place, State, Take

COMPLETE_WEIGHT = 1.0
STARTED_WEIGHT = 0.5
"""Discount of an incomplete line, beyond its filled fraction: it may never be completed."""
NEIGHBOUR_VALUE = 0.4
"""Points that each tile in the same column, and of the same colour, adds in view of the bonuses."""


def move_value(state: State, move: Move) -> float:
    """Return the value of the tile placed, or by how much a take raises the value of the mover's board."""
    if isinstance(move, Place):
        return _tile_value(state.boards[move.seat], move.row, move.column, state.boards[move.seat].lines[move.row][0])
    after, _ = collect(draft(state, move))
    return _board_value(state, after.boards[move.seat]) - _board_value(state, state.boards[move.seat])


def tiles_laid(state: State, move: Move) -> int:
    """Return how many tiles a take lays in a line, and as many again if it completes the line."""
    if not isinstance(move, Take) or move.line is None:
        return 0
    after, _ = collect(draft(state, move))
    lines = state.boards[move.seat].lines[move.line], after.boards[move.seat].lines[move.line]
    laid = len(lines[1]) - len(lines[0])
    return 2 * laid if len(lines[1]) == move.line + 1 else laid


def _board_value(state: State, board: Board) -> float:
    lines = fsum(_line_value(state, board, row) for row in range(SIZE) if board.lines[row])
    return lines - sum(floor_costs(board.floor))


def _line_value(state: State, board: Board, row: int) -> float:
    tiles = board.lines[row]
    filled = len(tiles) / (row + 1)
    weight = COMPLETE_WEIGHT if filled == 1 else STARTED_WEIGHT * filled
    if state.config.wall == "coloured":
        return weight * _tile_value(board, row, wall_column(row, tiles[0]), tiles[0])
    free = [column for column in range(SIZE) if board.wall[row][column] == EMPTY]
    return weight * max(_tile_value(board, row, column, tiles[0]) for column in free)


def _tile_value(board: Board, row: int, column: int, colour: Colour) -> float:
    points = tile_points(*runs(board.wall, row, column))
    neighbours = sum(wall_row[column] != EMPTY for wall_row in board.wall) + "".join(board.wall).count(colour)
    return points + NEIGHBOUR_VALUE * neighbours
