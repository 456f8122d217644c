"""The face of Azul Duel as text.

Capital letters are tiles that lie there, small ones the spaces that wait for them; of a moon stack only the top can be
taken, so what lies below it is small too. A chip is written as in a payment, the other colour that it shows after it.
"""

from collections.abc import Sequence

from tessella.core.game import Choose, Seat
from tessella.games.duel.pieces import (
    BROKEN_COSTS,
    BROKEN_SPACES,
    CHIPS_A_ROUND,
    EMPTY,
    FACE_DOWN,
    FACTORY_TILES,
    LARGE,
    PLATE_ROUNDS,
    PLATES_A_ROUND,
    SIZE,
    START_TILE_COST,
    Kind,
    Plate,
    Tiles,
)
from tessella.games.duel.scoring import FACES
from tessella.games.duel.state import CHIP_TILE, Board, Factory
from tessella.games.duel.view import View
from tessella.terminal.duel_told import (
    chip_text,
    chips_text,
    explain,
    plate_text,
    points,
    round_of,
    tell,
)
from tessella.terminal.pen import Pen, side_by_side, signed, visible, written

__all__ = ["draw", "explain", "points", "round_of", "tell"]

START_TILE = "1"
NAME_WIDTH = 10

# The table


def draw(view: View, pen: Pen) -> list[str]:
    """What is on offer in the middle, and both boards."""
    boards = [_board(view, seat, pen) for seat in _from_own_seat(view)]
    return [
        *_heading(view, pen),
        "",
        *_plates_and_faces(view, pen),
        *_stack(view, pen),
        *_drawn(view, pen),
        "",
        *([] if view.phase in ("tile", "over") else [*_factories(view, pen), ""]),
        *side_by_side(boards, pen.width),
    ]


def _from_own_seat(view: View) -> list[Seat]:
    return [1, 0] if view.seat == 1 else [0, 1]


def _heading(view: View, pen: Pen) -> list[str]:
    """The round, what is in the heaps, and what is to be done now."""
    counts = pen.words("duel.heaps", bag=sum(view.bag), tower=sum(view.tower))
    heading = f"{pen.strong(pen.words('duel.round', n=view.round))}   {pen.faint(counts)}"
    if not isinstance(view.turn, Choose):
        return [heading]
    who = pen.words("duel.and").join(map(pen.name, view.turn.seats))
    todo = pen.words(f"duel.todo.{view.phase}", who=who, factory=view.stacking)
    return [heading, todo]


# Plates and scoring faces


def _plates_and_faces(view: View, pen: Pen) -> list[str]:
    faces = _faces(view, pen)
    if not view.open:
        return faces
    return _beside(_row_of_plates([_plate(plate, pen) for plate in view.open]), faces)


def _beside(left: Sequence[str], right: Sequence[str]) -> list[str]:
    width = max(map(visible, left))
    return [f"{one}{' ' * (width - visible(one))}   {other}" for one, other in zip(left, right, strict=True)]


def _row_of_plates(plates: Sequence[Sequence[str]]) -> list[str]:
    return [" ".join(parts) for parts in zip(*plates, strict=True)]


def _plate(plate: Plate, pen: Pen) -> list[str]:
    upper, lower = ("".join(map(pen.ghost, half)) for half in (plate[:2], plate[2:]))
    return _framed(upper, lower, pen)


def _back(kind: Kind, pen: Pen) -> list[str]:
    shade = pen.faint("▒▒")
    return _framed(shade * 3, f"{shade}{pen.strong(kind)} {shade}", pen)


def _framed(upper: str, lower: str, pen: Pen) -> list[str]:
    side = pen.faint("│")
    return [pen.faint("┌──────┐"), f"{side}{upper}{side}", f"{side}{lower}{side}", pen.faint("└──────┘")]


def _faces(view: View, pen: Pen) -> list[str]:
    """The scoring faces in play, and what each would bring both players now."""
    names = [pen.words(f"duel.face.{face}") for face in view.config.faces]
    prices = ["/".join(signed(each) for _, each, _ in FACES[face]) for face in view.config.faces]
    scores = [[written(points) for points in _face_points(view, seat)] for seat in _from_own_seat(view)]
    heads = [pen.words("duel.faces"), "", *[pen.name(seat)[:NAME_WIDTH] for seat in _from_own_seat(view)]]
    first, *rest = [
        f"{head:<{NAME_WIDTH}}" + "".join(f"{cell:>{len(name) + 2}}" for cell, name in zip(cells, names, strict=True))
        for head, cells in zip(heads, [names, prices, *scores], strict=True)
    ]
    return [pen.strong(first), pen.faint(rest[0]), *rest[1:]]


def _face_points(view: View, seat: Seat) -> list[int]:
    board, config = view.boards[seat], view.config
    return [sum(each * count(board, config) for _, each, count in FACES[face]) for face in config.faces]


def _stack(view: View, pen: Pen) -> list[str]:
    """DU60: the backs from the top; plates that the reader knows by their spaces."""
    if not view.stack:
        return []
    words = [pen.strong(pen.words("duel.stack", n=len(view.stack)))]
    words += [back.face if len(back.face) == 1 else plate_text(back.face, pen) for back in view.stack]
    lines = _filled(words, pen.width)
    if view.lost:
        seen = [pen.words("duel.lost"), *[plate_text(plate, pen) for plate in view.lost]]
        lines += _filled(seen, pen.width)
    return lines


def _filled(words: Sequence[str], width: int) -> list[str]:
    """The words in as few lines as fit."""
    lines = [words[0]]
    for word in words[1:]:
        if visible(lines[-1]) + 1 + visible(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append("  " + word)
    return lines


def _drawn(view: View, pen: Pen) -> list[str]:
    """The drawn plates: faces for who has looked at them, backs for all others."""
    if not view.hand:
        return []
    blocks = [_plate(back.face, pen) if len(back.face) > 1 else _back(back.face, pen) for back in view.hand]
    heading = pen.strong(pen.words("duel.drawn", who=pen.name(view.current), n=len(view.hand)))
    return [heading, *[line for line in side_by_side(blocks, pen.width, gap=1) if line]]


# Factories


def _factories(view: View, pen: Pen) -> list[str]:
    """Suns, moons and chips below each other; every factory a column."""
    heads = [pen.strong(str(number)) for number in range(len(FACTORY_TILES))]
    suns = [_heap(factory.sun, pen) for factory in view.factories]
    moons = [_large_moon(view, pen), *[_small_moon(factory, pen) for factory in view.factories[1:]]]
    chips = ["", *[_chip_on(factory, pen) for factory in view.factories[1:]]]
    labels = [pen.words(f"duel.{label}") for label in ("factory", "sun", "moon", "chip")]
    width = max(map(len, labels))
    return [
        pen.faint(f"{label:<{width}}") + "".join(_columns(cells))
        for label, cells in zip(labels, [[f" {head}" for head in heads], suns, moons, chips], strict=True)
    ]


def _columns(cells: Sequence[str]) -> list[str]:
    widths = [3 * tiles for tiles in FACTORY_TILES]
    padded = ["  " + cell + " " * (width - visible(cell)) for cell, width in zip(cells, widths, strict=True)]
    return [*padded[:-1], padded[-1].rstrip()]


def _heap(tiles: Tiles, pen: Pen) -> str:
    return "".join(map(pen.tile, tiles)) or pen.faint(" –")


def _large_moon(view: View, pen: Pen) -> str:
    """DU25: tiles side by side, and the start tile until somebody takes it."""
    on_factory = view.holder is None and view.phase not in ("prepare", "over")
    return _heap(view.factories[LARGE].moon + START_TILE * on_factory, pen)


def _small_moon(factory: Factory, pen: Pen) -> str:
    """DU24: only the top of the stack can be taken; it comes last."""
    return "".join(map(pen.ghost, factory.moon[:-1])) + _heap(factory.moon[-1:], pen)


def _chip_on(factory: Factory, pen: Pen) -> str:
    if factory.chip == FACE_DOWN:
        return pen.faint(" ▒")
    return f" {chip_text(factory.chip, pen)}" if factory.chip else pen.faint(" –")


# Boards


def _board(view: View, seat: Seat, pen: Pen) -> list[str]:
    board = view.boards[seat]
    return [
        _owner(view, seat, pen),
        pen.faint(" " * 15 + " ".join(f" {column}  {column + 1} " for column in range(1, SIZE, 2))),
        *_dome(view, board, pen),
        f"{_label('broken', pen)}{_broken(board, pen)}  {_start_tile(view, seat, pen)}",
        f"{_label('todo', pen)}{_still_to_do(view, seat, pen)}",
        f"{_label('chips', pen)}{chips_text(board.chips, pen) or pen.faint('–')}",
    ]


def _label(key: str, pen: Pen) -> str:
    width = max(len(pen.words(f"duel.{each}")) for each in ("broken", "todo", "chips"))
    return f"  {pen.faint(pen.words(f'duel.{key}').ljust(width))} "


def _owner(view: View, seat: Seat, pen: Pen) -> str:
    turn = isinstance(view.turn, Choose) and seat in view.turn.seats
    score = pen.words("points", n=view.boards[seat].score)
    return f"{'▶' if turn else ' '} {pen.strong(pen.name(seat)[:20])}  {score}"


def _dome(view: View, board: Board, pen: Pen) -> list[str]:
    """Pattern lines beside the rows of the dome, a seam around every slot."""
    rows = [_row(view, board, row, pen) for row in range(SIZE)]
    above, between, below = _seam("┌", "┬", "┐", pen), _seam("├", "┼", "┤", pen), _seam("└", "┴", "┘", pen)
    return [above, *rows[:2], between, *rows[2:4], between, *rows[4:], below]


def _seam(left: str, middle: str, right: str, pen: Pen) -> str:
    return pen.faint(" " * 14 + left + middle.join(["──────"] * 3) + right)


def _row(view: View, board: Board, row: int, pen: Pen) -> str:
    mark = "▸" if view.phase == "tile" and board.row == row else " "
    seam = pen.faint("│")
    slots = seam.join(_half_slot(board, row, slot, pen) for slot in range(row // 2 * 3, row // 2 * 3 + 3))
    number = str(row + 1)
    return f"{pen.strong(number)}{mark}{_line(board, row, pen)}{seam}{slots}{seam}{pen.faint(number)}"


def _line(board: Board, row: int, pen: Pen) -> str:
    tiles = board.lines[row]
    spaces = pen.faint(" ·") * (row + 1 - len(tiles))
    laid = "".join(" " + CHIP_TILE if tile == CHIP_TILE else pen.brick(tile) for tile in reversed(tiles))
    return "  " * (SIZE - row - 1) + spaces + laid


def _half_slot(board: Board, row: int, slot: int, pen: Pen) -> str:
    """One row of a slot: its spaces, or the number of the slot while no plate lies there."""
    plate, column = board.dome[slot], slot % 3 * 2
    if not plate:
        return pen.faint(f"  {slot + 1}   ") if row % 2 == 0 else " " * 6
    spaces, tiles = plate[row % 2 * 2 :][:2], board.tiles[row][column : column + 2]
    return "".join(
        pen.ghost(space) if tile == EMPTY else pen.tile(tile) for space, tile in zip(spaces, tiles, strict=True)
    )


def _broken(board: Board, pen: Pen) -> str:
    """The broken tiles; each empty space says what all would cost if it were taken too."""
    costs = [f"{signed(-BROKEN_COSTS[number + 1]):<3}" for number in range(len(board.broken), BROKEN_SPACES)]
    return "".join(map(pen.tile, board.broken)) + pen.faint("".join(costs))


def _start_tile(view: View, seat: Seat, pen: Pen) -> str:
    return f"{pen.tile(START_TILE)} {signed(-START_TILE_COST)}" if view.holder == seat else ""


def _still_to_do(view: View, seat: Seat, pen: Pen) -> str:
    """DU21, DU26: tokens and chips that this player has still to place and to take this round."""
    tokens = _pips(view.tokens[seat], PLATES_A_ROUND) if view.round <= PLATE_ROUNDS else pen.faint("–")
    chips = _pips(view.chips_due[seat], CHIPS_A_ROUND)
    return f"{pen.words('duel.plates')} {tokens}  {pen.words('duel.chips')} {chips}"


def _pips(left: int, full: int) -> str:
    left = min(max(left, 0), full)
    return "●" * left + "○" * (full - left)
