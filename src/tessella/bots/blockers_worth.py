"""What a move of Blockers! is worth at first sight: few groups, few captures, room to grow, trouble for the others.

Cells are kept as bits here, one for each of the 81, so that groups are found by shifting. Only what the mover may
know is used: the board, the captured tiles, how many plays are left, and which of the own tiles are still to come;
never the racks of others.
"""

from tessella.games.blockers.pieces import CELLS, COLOURS, EMPTY, EVERY_CELL, PLAYS, SIZE, WILD, without
from tessella.games.blockers.state import Move, Place, State, colours_of, colours_of_game, plays_left, with_cell

TROUBLE = 0.3
"""What a group of another player is worth."""
HOPE = 0.5
"""How far a group is written off that one or two tiles could still join to another, while all plays are to come."""
ROOM = 0.1
"""What it is worth that a tile still to be played would find room beside the own groups."""
CAPTURE = 0.1
"""What any capture costs, as totals break ties; one that makes the colour count that counts costs a point besides."""
WILD_LATER = 3.0
"""What the wild is worth on the rack, while all plays are to come."""

_BOARD = (1 << len(EVERY_CELL)) - 1
_NOT_FIRST = sum(1 << cell for cell in EVERY_CELL if cell % SIZE)
_NOT_LAST = sum(1 << cell for cell in EVERY_CELL if cell % SIZE < SIZE - 1)
_HOMES = {face: sum(1 << cell for cell in cells) for face, cells in CELLS.items()}
_DIGITS = {
    mark: str.maketrans({other: str(int(other == mark)) for other in COLOURS + EMPTY}) for mark in COLOURS + EMPTY
}


def worth(state: State, move: Move) -> float:
    """What the move leaves: few groups of one's own that may grow, many of the others; less what it spends."""
    later = plays_left(state) / (PLAYS * len(state.stocks))
    spent = WILD_LATER * later if move.face == WILD else 0.0
    if not isinstance(move, Place):
        return -spent
    board = with_cell(state.board.colours, move.cell, move.colour)
    free = _cells(board, EMPTY)
    tiles = {colour: _cells(board, colour) for colour in colours_of_game(state.config)}
    groups = {colour: _groups_to_come(cells, free, later) for colour, cells in tiles.items()}
    ours = sum(groups[colour] for colour in colours_of(state.config, move.seat))
    theirs = sum(groups.values()) - ours
    room = _room(state, move, _beside(tiles[move.colour]) & free)
    return ROOM * room + TROUBLE * theirs - ours - _capture_cost(state, move) - spent


def _groups_to_come(tiles: int, free: int, later: float) -> float:
    """The groups of a colour; those that can still be joined count for less, the more so the earlier it is."""
    now, joined = _count_groups(tiles), _count_groups(tiles | _beside(tiles) & free)
    return now - HOPE * later * (now - joined)


def _room(state: State, move: Place, near: int) -> float:
    """How many tiles of the mover's colour would find a cell among these; a second cell is half as good."""
    stock = state.stocks[COLOURS.index(move.colour)]
    to_come = without(stock.rack + stock.supply, move.face)
    return sum(1 - 0.5 ** (near & _HOMES[face]).bit_count() for face in to_come)


def _capture_cost(state: State, move: Place) -> float:
    """BL21, BL23, BL33: a captured tile costs a point if no colour was captured more often."""
    there = state.board.colours[move.cell]
    if there == EMPTY:
        return 0.0
    captured = state.captured[move.seat]
    most = max(map(captured.count, colours_of_game(state.config)))
    counts = state.config.scoring == "blockers" and captured.count(there) == most
    return CAPTURE + counts


# Cells as bits


def _cells(board: str, mark: str) -> int:
    return int(board[::-1].translate(_DIGITS[mark]), 2)


def _beside(cells: int) -> int:
    """The cells edge to edge with some cells."""
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
