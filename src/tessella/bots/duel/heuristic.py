"""The heuristic value of a move of Azul Duel: lines that can be placed, plates that fit them, few broken tiles.

Only what the mover may know is used: both boards, the factories and, of plates, those that lie open or that the mover
has looked at; never the contents of the bag or the stack.
"""

from functools import lru_cache
from math import fsum

from tessella.games.duel.pieces import (
    BROKEN_COSTS,
    BROKEN_SPACES,
    CHIP_COLOURS,
    COLOURS,
    EMPTY,
    JOKER,
    PLATE_ROUNDS,
    ROUNDS,
    SIZE,
    SPECIAL,
    SPECIAL_POINTS,
    START_TILE_COST,
    Colour,
    Face,
    Plate,
    Tiles,
)
from tessella.games.duel.scoring import FACES, runs, tile_points
from tessella.games.duel.state import (
    Board,
    Draw,
    Move,
    Pay,
    Place,
    PlacePlate,
    Return,
    Stack,
    State,
    Stop,
    Take,
    TakeChip,
)

STARTED_WEIGHT = 0.85
"""Discount of an incomplete line while rounds are left, beyond its filled fraction: it may never be completed."""
PAYABLE_WEIGHT = 0.8
"""Discount of a line that the player's chips could complete."""
WAITING_VALUE = 1.0
"""The value, in points, of a complete line that waits for a plate."""
STUCK_TILE_VALUE = -1.0
"""Points per tile of a line that can never be placed."""
FILL_PROBABILITIES = (0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
"""Probability that a space of each row is filled, if several rounds are left."""
SPACE_WEIGHT = 0.4
"""Weight of a new space, before the probability that it is filled."""
SPECIAL_FRACTIONS = (0.15, 0.3, 1.0)
"""Fraction of a special tile's points credited to the first, second and third tile of its plate."""
JOKER_FRACTION = 0.7
"""Fraction of a joker space's points to count on, because all of them must be filled."""
CHIP_VALUE, MATCHING_CHIP_VALUE = 0.9, 0.4
"""The value of a chip, in points, and what it gains per line that it could help to complete."""
SPENT_CHIP_COST = 0.3
START_VALUE = 0.5
"""The value, in points, of starting the next round."""
FIRST_DRAW_VALUE = -0.5
NEXT_DRAW_VALUE = -1.0
"""The value, in points, of drawing a plate: it costs a point, and the plate may not fit."""


def move_value(state: State, move: Move) -> float:  # noqa: PLR0911  one case per move
    """Return how much the move adds to the expected score of the mover's board."""
    board = state.boards[move.seat]
    match move:
        case Take():
            return _take(state, board, move)
        case Stack():
            return -_gain_from_tile(state, state.boards[1 - move.seat], move.tiles[-1])
        case TakeChip():
            return _chip(board, state.factories[move.factory].chip)
        case PlacePlate():
            return _plate(state, board, move)
        case Draw():
            return FIRST_DRAW_VALUE if state.phase == "act" else NEXT_DRAW_VALUE
        case Stop() | Return():
            return 0.0
        case Place():
            colour = board.lines[move.row][0]
            return _space(board.dome, board.tiles, state.config.faces, (move.row, move.column), colour)
        case Pay():
            return _pay(state, board, move)


def careless_value(state: State, move: Move) -> float:
    """Return the value of a move to a player who forgets what broken tiles and the start tile cost."""
    if not isinstance(move, Take):
        return move_value(state, move)
    return _laid(state, state.boards[move.seat], move, _taken(state, move)[0])[1]


# Tiles


def _take(state: State, board: Board, move: Take) -> float:
    """Return the gain of the line, less the cost of broken tiles; the start tile costs points and brings the start."""
    number, start_tile = _taken(state, move)
    start = START_VALUE - START_TILE_COST if start_tile else 0.0
    laid, gain = _laid(state, board, move, number)
    broken = len(board.broken)
    return start + gain - BROKEN_COSTS[min(BROKEN_SPACES, broken + number - laid)] + BROKEN_COSTS[broken]


def _laid(state: State, board: Board, move: Take, number: int) -> tuple[int, float]:
    """Return how many of the taken tiles go to the line, and what the line gains."""
    if move.line is None:
        return 0, 0.0
    tiles = board.lines[move.line]
    laid = min(number, move.line + 1 - len(tiles))
    return laid, _line(state, board, move.line, tiles + move.colour * laid) - _line(state, board, move.line, tiles)


def _taken(state: State, move: Take) -> tuple[int, bool]:
    """Return how many tiles are taken, and whether the start tile comes along (DU23 to DU25)."""
    if move.factory is not None:
        sun = state.factories[move.factory].sun
        return sun.count(move.colour), move.factory == 0 and len(set(sun)) == 1
    large, *small = state.factories
    lying = large.moon.count(move.colour)
    return lying + sum(factory.moon[-1:] == move.colour for factory in small), lying > 0 and state.holder is None


def _line(state: State, board: Board, row: int, tiles: Tiles) -> float:
    """Return the expected points of a line: higher the fuller it is and the more rounds are left."""
    if not tiles:
        return 0.0
    best = _best_space(board.dome, board.tiles, state.config.faces, row, tiles[0])
    missing = row + 1 - len(tiles)
    if best is None:
        waits = "" in board.dome[row // 2 * 3 : row // 2 * 3 + 3] and state.round <= PLATE_ROUNDS
        return WAITING_VALUE * len(tiles) / (row + 1) if waits else STUCK_TILE_VALUE * len(tiles)
    if not missing:
        return best
    if 3 * missing <= len(board.chips) and state.round >= ROUNDS - 1:
        return PAYABLE_WEIGHT * best
    later = min(ROUNDS + 1 - state.round, 4) / 4
    return STARTED_WEIGHT * later * best * len(tiles) / (row + 1)


def _gain_from_tile(state: State, board: Board, colour: Colour) -> float:
    """Return how much one tile of a colour would gain a player."""
    lines = [(row, tiles) for row, tiles in enumerate(board.lines) if len(tiles) <= row and tiles[:1] in ("", colour)]
    gains = [_line(state, board, row, tiles + colour) - _line(state, board, row, tiles) for row, tiles in lines]
    return max(gains, default=0.0)


# Spaces of the dome


@lru_cache(maxsize=8192)
def _best_space(
    dome: tuple[Plate, ...], tiles: tuple[Tiles, ...], faces: tuple[Face, ...], row: int, colour: Colour
) -> float | None:
    """Return the value of the best free space of a row for a colour, if there is one."""
    spaces = "".join(plate[row % 2 * 2 :][:2] or EMPTY * 2 for plate in dome[row // 2 * 3 : row // 2 * 3 + 3])
    columns = [column for column in range(SIZE) if spaces[column] in (colour, JOKER) and tiles[row][column] == EMPTY]
    return max([_space(dome, tiles, faces, (row, column), colour) for column in columns], default=None)


def _space(
    dome: tuple[Plate, ...], tiles: tuple[Tiles, ...], faces: tuple[Face, ...], spot: tuple[int, int], colour: Colour
) -> float:
    """DU33: return the points of a tile there, plus its progress towards a special tile and the faces in play."""
    row, column = spot
    slot = row // 2 * 3 + column // 2
    plate, top, left = dome[slot], row // 2 * 2, column // 2 * 2
    lying = tiles[top][left : left + 2] + tiles[top + 1][left : left + 2]
    there = sum(tile != EMPTY for tile in lying)
    value = float(tile_points(*runs(tiles, row, column)))
    if SPECIAL in plate:
        points = SPECIAL_POINTS[top + plate.index(SPECIAL) // 2] + 3 * ("empty_specials" in faces)
        value += points * SPECIAL_FRACTIONS[there]
    joker = plate[row % 2 * 2 + column % 2] == JOKER
    return value + fsum(_face(face, tiles, spot, there, colour, joker=joker) for face in faces)


def _face(  # noqa: PLR0911  one case per face
    face: Face, tiles: tuple[Tiles, ...], spot: tuple[int, int], there: int, colour: Colour, *, joker: bool
) -> float:
    """DU50 to DU57: return the part of a face's points credited to a tile; the last tile of a set gets the most."""
    (row, column), each = spot, FACES[face][-1][1]
    match face:
        case "rows":
            return each * _progress(SIZE - tiles[row].count(EMPTY), SIZE)
        case "colour_rows":
            return each * _progress(min(4, len({*tiles[row]} - {EMPTY})), 5) * (colour not in tiles[row])
        case "columns":
            return each * _progress(sum(other[column] != EMPTY for other in tiles), SIZE)
        case "outer":
            return float(row in (0, SIZE - 1) or column in (0, SIZE - 1))
        case "diagonals":
            return each * fsum(_progress(number, SIZE) for number in _on_diagonals(tiles, row, column))
        case "corners":
            corner = row // 2 != 1 and column // 2 != 1
            return corner * FACES[face][row > SIZE // 2][1] * _progress(there, 4)
        case "jokers":
            return each * JOKER_FRACTION if joker else 0.0
        case "empty_specials":
            return 0.0


def _on_diagonals(tiles: tuple[Tiles, ...], row: int, column: int) -> list[int]:
    """Return how many tiles lie on each diagonal through a space."""
    found = [sum(tiles[place][place] != EMPTY for place in range(SIZE))] if row == column else []
    if row + column == SIZE - 1:
        found.append(sum(tiles[place][-1 - place] != EMPTY for place in range(SIZE)))
    return found


def _progress(there: int, full: int) -> float:
    return (2 * there + 1) / full**2


# Plates and chips


def _plate(state: State, board: Board, move: PlacePlate) -> float:
    """Return what the plate adds: room for the lines beside it, and spaces that may be filled later."""
    dome = (*board.dome[: move.slot], move.plate, *board.dome[move.slot + 1 :])
    laid = Board(lines=board.lines, dome=dome, tiles=board.tiles, chips=board.chips)
    top, left = move.slot // 3 * 2, move.slot % 3 * 2
    rows = (top, top + 1)
    gain = fsum(_line(state, laid, row, board.lines[row]) - _line(state, board, row, board.lines[row]) for row in rows)
    later = (ROUNDS + 1 - max(1, state.round)) / ROUNDS
    for place, space in enumerate(move.plate):
        row, column = top + place // 2, left + place % 2
        if space in COLOURS:
            value = _space(dome, board.tiles, state.config.faces, (row, column), space)
            gain += SPACE_WEIGHT * FILL_PROBABILITIES[row] * later * value
        elif space == JOKER:
            gain += FILL_PROBABILITIES[row] * later
        else:
            gain += FILL_PROBABILITIES[top + 1] * later * SPECIAL_POINTS[row] / 2
    return gain


def _chip(board: Board, chip: str) -> float:
    wanted = {tiles[0] for row, tiles in enumerate(board.lines) if 0 < len(tiles) <= row}
    return CHIP_VALUE + MATCHING_CHIP_VALUE * len(wanted.intersection(CHIP_COLOURS[chip]))


def _pay(state: State, board: Board, move: Pay) -> float:
    """Return the gain of placing the tile now, less the value of the chips, which is nearly 0 in the last round."""
    if not move.chips:
        return 0.0
    tiles = board.lines[move.row]
    best = _best_space(board.dome, board.tiles, state.config.faces, move.row, tiles[0]) or 0.0
    if state.round == ROUNDS:
        return best - 0.01 * len(move.chips)
    return best - STARTED_WEIGHT * best * len(tiles) / (move.row + 1) - SPENT_CHIP_COST * len(move.chips)
