"""The heuristic value of a move of Blockers!: few groups, few captures, room to grow, many groups for the others.

Boards are bitboards of 81 cells, so that groups are found by shifting. Only what the mover may know is used: the
board, the captured tiles, how many plays are left, and which of their own tiles are still to come; never other racks.
"""

from math import fsum

from tessella.games.blockers.pieces import CELLS, COLOURS, EMPTY, EVERY_CELL, PLAYS, SIZE, WILD, without
from tessella.games.blockers.state import Move, Place, State, colours_of, colours_of_game, plays_left, with_cell

OTHER_GROUP_VALUE = 0.3
"""The value, in points, of a group of another player."""
JOINABLE_DISCOUNT = 0.5
"""Part of a point not charged, at the start of the game, for a group that one or two tiles could still join."""
ROOM_VALUE = 0.1
"""Points per unplayed tile that would find room next to the mover's groups."""
CAPTURE_COST = 0.1
"""Points that any capture costs, because totals break ties; a capture that raises the score costs another point."""
WILD_VALUE = 3.0
"""The value, in points, of the wild on the rack at the start of the game."""

_BOARD = (1 << len(EVERY_CELL)) - 1
_NOT_FIRST = sum(1 << cell for cell in EVERY_CELL if cell % SIZE)
_NOT_LAST = sum(1 << cell for cell in EVERY_CELL if cell % SIZE < SIZE - 1)
_HOMES = {face: sum(1 << cell for cell in cells) for face, cells in CELLS.items()}
_DIGITS = {
    mark: str.maketrans({other: str(int(other == mark)) for other in COLOURS + EMPTY}) for mark in COLOURS + EMPTY
}


def move_value(state: State, move: Move) -> float:
    """Return the value of the board after the move, in points for the mover, less the cost of the tiles used."""
    later = plays_left(state) / (PLAYS * len(state.stocks))
    spent = WILD_VALUE * later if move.face == WILD else 0.0
    if not isinstance(move, Place):
        return -spent
    board = with_cell(state.board.colours, move.cell, move.colour)
    free = _cells(board, EMPTY)
    tiles = {colour: _cells(board, colour) for colour in colours_of_game(state.config)}
    groups = {colour: _expected_groups(cells, free, later) for colour, cells in tiles.items()}
    ours = fsum(groups[colour] for colour in colours_of(state.config, move.seat))
    theirs = fsum(groups.values()) - ours
    room = _room(state, move, _beside(tiles[move.colour]) & free)
    return ROOM_VALUE * room + OTHER_GROUP_VALUE * theirs - ours - _capture_cost(state, move) - spent


def fewest_groups(state: State, move: Move) -> int:
    """Return minus the number of the mover's groups after the move."""
    colours = colours_of(state.config, move.seat)
    board = with_cell(state.board.colours, move.cell, move.colour) if isinstance(move, Place) else state.board.colours
    return -sum(_count_groups(_cells(board, colour)) for colour in colours)


def _expected_groups(tiles: int, free: int, later: float) -> float:
    """Return the number of groups of a colour, less a discount for joinable ones that shrinks during the game."""
    now, joined = _count_groups(tiles), _count_groups(tiles | _beside(tiles) & free)
    return now - JOINABLE_DISCOUNT * later * (now - joined)


def _room(state: State, move: Place, near: int) -> float:
    """Return how many unplayed tiles of the mover fit on these cells; each further cell for a tile counts half."""
    stock = state.stocks[COLOURS.index(move.colour)]
    unplayed = without(stock.rack + stock.supply, move.face)
    return fsum(1 - 0.5 ** (near & _HOMES[face]).bit_count() for face in unplayed)


def _capture_cost(state: State, move: Place) -> float:
    """BL21, BL23, BL33: return the cost of a capture: a point more if no colour was captured more often."""
    there = state.board.colours[move.cell]
    if there == EMPTY:
        return 0.0
    captured = state.captured[move.seat]
    most = max(map(captured.count, colours_of_game(state.config)))
    counts = state.config.scoring == "blockers" and captured.count(there) == most
    return CAPTURE_COST + counts


# Bitboards


def _cells(board: str, mark: str) -> int:
    return int(board[::-1].translate(_DIGITS[mark]), 2)


def _beside(cells: int) -> int:
    """Return the cells next to these cells."""
    return (cells << SIZE | cells >> SIZE | (cells & _NOT_LAST) << 1 | (cells & _NOT_FIRST) >> 1) & _BOARD


def _count_groups(cells: int) -> int:
    count = 0
    while cells:
        group = cells & -cells
        while (grown := (group | _beside(group)) & cells) != group:
            group = grown
        cells &= ~group
        count += 1
    return count
