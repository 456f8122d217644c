"""Phase 2 of Azul Duel: tile the dome. Each player goes through their lines from top to bottom.

What needs no choice happens automatically. A player chooses where a tile goes if several spaces accept it, and
whether and with which chips a line is completed.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from tessella.core.game import IllegalMove, Seat, Steps
from tessella.games.duel.drafting import shatter
from tessella.games.duel.events import BrokenScored, ChipsPaid, Event, SpecialPlaced, TilePlaced
from tessella.games.duel.pieces import (
    BROKEN_COSTS,
    CHIP_COLOURS,
    EMPTY,
    SIZE,
    SPECIAL,
    SPECIAL_POINTS,
    START_TILE_COST,
    Chips,
    Colour,
    Tiles,
    add,
    counts,
    sorted_chips,
    without,
)
from tessella.games.duel.scoring import runs, tile_points
from tessella.games.duel.state import (
    CHIP_TILE,
    Board,
    Move,
    Pay,
    Place,
    State,
    free_columns,
    slot_of,
    spaces_beside,
    with_board,
    with_row,
)


def choices(board: Board, seat: Seat) -> list[Move]:
    """DU30, DU31: return the moves for the line whose turn it is, by column or by payment (paying nothing last).

    A single move is forced; no move means that the line stays or breaks.
    """
    row = board.row
    tiles = board.lines[row] if row < SIZE else ""
    columns = free_columns(board, row, tiles[0]) if tiles else []
    if len(tiles) > row:
        return [Place(seat, row, column) for column in columns]
    sets = payments(board.chips, tiles[0], row + 1 - len(tiles)) if columns else ()
    return [Pay(seat, row, chips) for chips in (*sets, "")] if sets else []


@lru_cache(maxsize=4096)
def payments(chips: Chips, colour: Colour, missing: int) -> tuple[Chips, ...]:
    """DU31: return every set of chips that pays exactly for the missing tiles.

    Two chips of the colour pay for a tile, or any three chips. A set with two matching chips for each of some tiles
    needs three for each of the others, so the number of matching chips determines the size of the set.

    >>> payments("kkB", "k", 1)
    ('kk',)
    >>> payments("bkT", "k", 1)
    ('bkT',)
    """
    matching = "".join(chip for chip in chips if colour in CHIP_COLOURS[chip])
    others = without(chips, matching)
    return tuple(
        sorted_chips(some + more)
        for number in range(2 * missing, -1, -1)
        for some in _sets(matching, number)
        for more in _sets(others, 3 * missing - number // 2 - number)
    )


def _sets(chips: Chips, number: int) -> Iterator[Chips]:
    """Yield each distinct set of `number` of these chips."""
    return map("".join, dict.fromkeys(combinations(chips, number)))


def tile_dome(state: State, seat: Seat) -> Steps[Event, State]:
    """DU30: tile line by line from the top, up to the first choice; after the last line score the broken tiles."""
    while (board := state.boards[seat]).row < SIZE:
        match choices(board, seat):
            case []:
                state = yield from leave(state, seat)
            case [Place(column=column)]:
                state = yield from place(state, seat, column)
            case _:
                return state
    return (yield from score_broken(state, seat))


def place(state: State, seat: Seat, column: int) -> Steps[Event, State]:
    """DU30, DU33: place and score a tile of the line; its other tiles go into the tower, chips do not."""
    board = state.boards[seat]
    row = board.row
    colour, rest = board.lines[row][0], board.lines[row][1:].replace(CHIP_TILE, "")
    board = _with_tile(board, row, column, colour)
    across, down = runs(board.tiles, row, column)
    points = tile_points(across, down)
    yield TilePlaced(seat, row, column, colour, across, down, points, len(rest))
    board = replace(board, score=board.score + points, lines=with_row(board.lines, row, ""), row=row + 1)
    state = replace(state, boards=with_board(state.boards, seat, board), tower=add(state.tower, counts(rest)))
    return (yield from _place_special(state, seat, slot_of(row, column)))


def _place_special(state: State, seat: Seat, slot: int) -> Steps[Event, State]:
    """DU34: place the special tile as soon as the three coloured spaces of its plate are filled."""
    board = state.boards[seat]
    spot = special_spot(board, slot)
    if spot is None:
        return state
    row, column = spot
    points = SPECIAL_POINTS[row]
    yield SpecialPlaced(seat, row, column, points)
    board = replace(_with_tile(board, row, column, SPECIAL), score=board.score + points)
    return replace(state, boards=with_board(state.boards, seat, board), specials=state.specials - 1)


def special_spot(board: Board, slot: int) -> tuple[int, int] | None:
    """DU34: return where the special tile of this plate must be placed now, if it must."""
    tiles, spot = tiles_on(board, slot), board.dome[slot].find(SPECIAL)
    if spot < 0 or tiles.count(EMPTY) != 1 or tiles[spot] != EMPTY:
        return None
    return slot // 3 * 2 + spot // 2, slot % 3 * 2 + spot % 2


def tiles_on(board: Board, slot: int) -> Tiles:
    """Return the tiles on the four spaces of a slot, in the order of the plate's spaces."""
    top, left = slot // 3 * 2, slot % 3 * 2
    return board.tiles[top][left : left + 2] + board.tiles[top + 1][left : left + 2]


def _with_tile(board: Board, row: int, column: int, tile: str) -> Board:
    old = board.tiles[row]
    return replace(board, tiles=with_row(board.tiles, row, old[:column] + tile + old[column + 1 :]))


def leave(state: State, seat: Seat) -> Steps[Event, State]:
    """DU32: leave the line, or break it if its three slots are full and no space is left for its colour."""
    board = state.boards[seat]
    row, tiles = board.row, board.lines[board.row]
    board = replace(board, row=row + 1)
    spilt = ""
    if tiles and EMPTY not in spaces_beside(board, row) and not free_columns(board, row, tiles[0]):
        board = replace(board, lines=with_row(board.lines, row, ""))
        board, spilt = yield from shatter(board, seat, tiles, "DU32")
    return replace(state, boards=with_board(state.boards, seat, board), tower=add(state.tower, counts(spilt)))


def score_broken(state: State, seat: Seat) -> Steps[Event, State]:
    """DU35: subtract the cost of broken tiles and start tile, never below 0; the broken tiles go into the tower."""
    board = state.boards[seat]
    cost = BROKEN_COSTS[len(board.broken)]
    start_tile_cost = START_TILE_COST if state.holder == seat else 0
    if not cost + start_tile_cost:
        return state
    lost = min(board.score, cost + start_tile_cost)
    yield BrokenScored(seat, board.broken, cost, start_tile_cost, -lost)
    return replace(
        state,
        boards=with_board(state.boards, seat, replace(board, score=board.score - lost, broken="")),
        tower=add(state.tower, counts(board.broken)),
    )


# The player's choices


def choose_space(state: State, move: Place) -> Steps[Event, State]:
    """DU30: place the tile of a complete line in the chosen space."""
    board = state.boards[move.seat]
    _require_row(board, move.row)
    if len(board.lines[move.row]) <= move.row:
        raise IllegalMove("DU30", "line {line} is not complete", line=move.row + 1)
    if move not in choices(board, move.seat):
        reason = "no free space in column {column} accepts the tile of line {line}"
        raise IllegalMove("DU30", reason, column=move.column + 1, line=move.row + 1)
    return (yield from place(state, move.seat, move.column))


def pay(state: State, move: Pay) -> Steps[Event, State]:
    """DU31: complete a line with chips, or leave it."""
    board = state.boards[move.seat]
    _require_row(board, move.row)
    if len(board.lines[move.row]) > move.row:
        raise IllegalMove("DU31", "line {line} is complete", line=move.row + 1)
    if move not in choices(board, move.seat):
        raise IllegalMove("DU31", "a missing tile costs exactly two of your chips of its colour, or any three")
    if not move.chips:
        return (yield from leave(state, move.seat))
    missing = move.row + 1 - len(board.lines[move.row])
    yield ChipsPaid(move.seat, move.row, move.chips, missing)
    board = replace(
        board,
        lines=with_row(board.lines, move.row, board.lines[move.row] + CHIP_TILE * missing),
        chips=without(board.chips, move.chips),
        spent=sorted_chips(board.spent + move.chips),
    )
    return replace(state, boards=with_board(state.boards, move.seat, board))


def _require_row(board: Board, row: int) -> None:
    if row != board.row:
        raise IllegalMove("DU30", "it is the turn of line {line}", line=board.row + 1)
