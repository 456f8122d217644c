"""What a move of Azul Duel is worth at first sight: lines that can be placed, plates that fit them, little that breaks.

Only what the mover may know is used: both boards, the factories and, of plates, those that lie open or that the mover
has looked at; never what is still in the bag or in the stack.
"""

from functools import lru_cache

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

STARTED = 0.85
"""A started line counts for this much of its share while rounds are left: it may never be completed."""
PAID_FOR = 0.8
"""A line that one's chips could complete."""
WAITING = 1.0
"""What a complete line is worth that waits for a plate."""
STUCK = -1.0
"""What each tile costs in a line that can never be placed."""
FILLS = (0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
"""How likely a space of each row is filled, if several rounds are left."""
SPACE = 0.4
"""What a new space adds in each row, before it is known how likely it is filled."""
SPECIAL_SHARE = (0.15, 0.3, 1.0)
"""How much of a special tile's points the first, second and third tile of its plate bring."""
JOKER_SHARE = 0.7
"""How much of a joker space's points to count on, as all of them must be filled."""
CHIP, MATCHING_CHIP = 0.9, 0.4
"""What a chip is worth, and what each line adds that it could help to complete."""
SPENT_CHIP = 0.3
FIRST_NEXT = 0.5
"""What it is worth to start the next round."""
UNSEEN_PLATE = -0.5
ANOTHER_PLATE = -1.0
"""What drawing is worth: it costs a point, and one must live with what comes."""


def worth(state: State, move: Move) -> float:  # noqa: PLR0911  one case a move
    """What the move adds to what the mover's board promises."""
    board = state.boards[move.seat]
    match move:
        case Take():
            return _take(state, board, move)
        case Stack():
            return -_wish(state, state.boards[1 - move.seat], move.tiles[-1])
        case TakeChip():
            return _chip(board, state.factories[move.factory].chip)
        case PlacePlate():
            return _plate(state, board, move)
        case Draw():
            return UNSEEN_PLATE if state.phase == "act" else ANOTHER_PLATE
        case Stop() | Return():
            return 0.0
        case Place():
            colour = board.lines[move.row][0]
            return _space(board.dome, board.tiles, state.config.faces, (move.row, move.column), colour)
        case Pay():
            return _pay(state, board, move)


# Tiles


def _take(state: State, board: Board, move: Take) -> float:
    """The hope of the line afterwards, less what breaks; the start tile costs two points and brings the first turn."""
    number, start_tile = _taken(state, move)
    gain = FIRST_NEXT - START_TILE_COST if start_tile else 0.0
    if move.line is not None:
        tiles = board.lines[move.line]
        laid = min(number, move.line + 1 - len(tiles))
        number -= laid
        gain += _line(state, board, move.line, tiles + move.colour * laid) - _line(state, board, move.line, tiles)
    broken = len(board.broken)
    return gain - BROKEN_COSTS[min(BROKEN_SPACES, broken + number)] + BROKEN_COSTS[broken]


def _taken(state: State, move: Take) -> tuple[int, bool]:
    """How many tiles are taken, and whether the start tile comes along (DU23 to DU25)."""
    if move.factory is not None:
        sun = state.factories[move.factory].sun
        return sun.count(move.colour), move.factory == 0 and len(set(sun)) == 1
    large, *small = state.factories
    lying = large.moon.count(move.colour)
    return lying + sum(factory.moon[-1:] == move.colour for factory in small), lying > 0 and state.holder is None


def _line(state: State, board: Board, row: int, tiles: Tiles) -> float:
    """What a line promises: the points of its tile, the surer the fuller it is and the more rounds are left."""
    if not tiles:
        return 0.0
    best = _best_space(board.dome, board.tiles, state.config.faces, row, tiles[0])
    missing = row + 1 - len(tiles)
    if best is None:
        waits = "" in board.dome[row // 2 * 3 : row // 2 * 3 + 3] and state.round <= PLATE_ROUNDS
        return WAITING * len(tiles) / (row + 1) if waits else STUCK * len(tiles)
    if not missing:
        return best
    if 3 * missing <= len(board.chips) and state.round >= ROUNDS - 1:
        return PAID_FOR * best
    later = min(ROUNDS + 1 - state.round, 4) / 4
    return STARTED * later * best * len(tiles) / (row + 1)


def _wish(state: State, board: Board, colour: Colour) -> float:
    """How much a player longs for one tile of a colour."""
    lines = [(row, tiles) for row, tiles in enumerate(board.lines) if len(tiles) <= row and tiles[:1] in ("", colour)]
    gains = [_line(state, board, row, tiles + colour) - _line(state, board, row, tiles) for row, tiles in lines]
    return max(gains, default=0.0)


# Spaces of the dome


@lru_cache(maxsize=8192)
def _best_space(
    dome: tuple[Plate, ...], tiles: tuple[Tiles, ...], faces: tuple[Face, ...], row: int, colour: Colour
) -> float | None:
    """The worth of the best free space of a row for a colour, if there is one."""
    spaces = "".join(plate[row % 2 * 2 :][:2] or EMPTY * 2 for plate in dome[row // 2 * 3 : row // 2 * 3 + 3])
    columns = [column for column in range(SIZE) if spaces[column] in (colour, JOKER) and tiles[row][column] == EMPTY]
    return max([_space(dome, tiles, faces, (row, column), colour) for column in columns], default=None)


def _space(
    dome: tuple[Plate, ...], tiles: tuple[Tiles, ...], faces: tuple[Face, ...], spot: tuple[int, int], colour: Colour
) -> float:
    """DU33 and what a tile there prepares: a special tile, and the faces in play."""
    row, column = spot
    slot = row // 2 * 3 + column // 2
    plate, top, left = dome[slot], row // 2 * 2, column // 2 * 2
    lying = tiles[top][left : left + 2] + tiles[top + 1][left : left + 2]
    there = sum(tile != EMPTY for tile in lying)
    value = float(tile_points(*runs(tiles, row, column)))
    if SPECIAL in plate:
        points = SPECIAL_POINTS[top + plate.index(SPECIAL) // 2] + 3 * ("empty_specials" in faces)
        value += points * SPECIAL_SHARE[there]
    joker = plate[row % 2 * 2 + column % 2] == JOKER
    return value + sum(_face(face, tiles, spot, there, colour, joker=joker) for face in faces)


def _face(  # noqa: PLR0911  one case a face
    face: Face, tiles: tuple[Tiles, ...], spot: tuple[int, int], there: int, colour: Colour, *, joker: bool
) -> float:
    """DU50 to DU57: the share of a face's points that a tile brings nearer; the last tile of a set brings most."""
    (row, column), each = spot, FACES[face][-1][1]
    match face:
        case "rows":
            return each * _nearer(SIZE - tiles[row].count(EMPTY), SIZE)
        case "colour_rows":
            return each * _nearer(min(4, len({*tiles[row]} - {EMPTY})), 5) * (colour not in tiles[row])
        case "columns":
            return each * _nearer(sum(other[column] != EMPTY for other in tiles), SIZE)
        case "outer":
            return float(row in (0, SIZE - 1) or column in (0, SIZE - 1))
        case "diagonals":
            return each * sum(_nearer(number, SIZE) for number in _on_diagonals(tiles, row, column))
        case "corners":
            corner = row // 2 != 1 and column // 2 != 1
            return corner * FACES[face][row > SIZE // 2][1] * _nearer(there, 4)
        case "jokers":
            return each * JOKER_SHARE if joker else 0.0
        case "empty_specials":
            return 0.0


def _on_diagonals(tiles: tuple[Tiles, ...], row: int, column: int) -> list[int]:
    """How many tiles lie on each diagonal through a space."""
    found = [sum(tiles[place][place] != EMPTY for place in range(SIZE))] if row == column else []
    if row + column == SIZE - 1:
        found.append(sum(tiles[place][-1 - place] != EMPTY for place in range(SIZE)))
    return found


def _nearer(there: int, full: int) -> float:
    return (2 * there + 1) / full**2


# Plates and chips


def _plate(state: State, board: Board, move: PlacePlate) -> float:
    """What the plate adds: room for the lines beside it, and spaces that may be filled later."""
    dome = (*board.dome[: move.slot], move.plate, *board.dome[move.slot + 1 :])
    laid = Board(lines=board.lines, dome=dome, tiles=board.tiles, chips=board.chips)
    top, left = move.slot // 3 * 2, move.slot % 3 * 2
    rows = (top, top + 1)
    gain = sum(_line(state, laid, row, board.lines[row]) - _line(state, board, row, board.lines[row]) for row in rows)
    later = (ROUNDS + 1 - max(1, state.round)) / ROUNDS
    for place, space in enumerate(move.plate):
        row, column = top + place // 2, left + place % 2
        if space in COLOURS:
            gain += SPACE * FILLS[row] * later * _space(dome, board.tiles, state.config.faces, (row, column), space)
        elif space == JOKER:
            gain += FILLS[row] * later
        else:
            gain += FILLS[top + 1] * later * SPECIAL_POINTS[row] / 2
    return gain


def _chip(board: Board, chip: str) -> float:
    wanted = {tiles[0] for row, tiles in enumerate(board.lines) if 0 < len(tiles) <= row}
    return CHIP + MATCHING_CHIP * len(wanted.intersection(CHIP_COLOURS[chip]))


def _pay(state: State, board: Board, move: Pay) -> float:
    """The tile now instead of maybe later, less the chips, which are of no use after the last round."""
    if not move.chips:
        return 0.0
    tiles = board.lines[move.row]
    best = _best_space(board.dome, board.tiles, state.config.faces, move.row, tiles[0]) or 0.0
    if state.round == ROUNDS:
        return best - 0.01 * len(move.chips)
    return best - STARTED * best * len(tiles) / (move.row + 1) - SPENT_CHIP * len(move.chips)
