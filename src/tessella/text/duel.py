"""Azul Duel as text.

Capital letters are tiles that lie there, small ones the spaces that wait for them; of a moon stack only the top can be
taken, so what lies below it is small too. A chip is written as in a payment, the other colour that it shows after it.
"""

from collections.abc import Sequence

from tessella.core.game import Choose, Seat
from tessella.games.duel.pieces import (
    BROKEN_COSTS,
    BROKEN_SPACES,
    CHIPS_PER_ROUND,
    EMPTY,
    FACE_DOWN,
    FACTORY_TILES,
    LARGE,
    PLATE_ROUNDS,
    PLATES_PER_ROUND,
    SIZE,
    START_TILE_COST,
    Kind,
    Plate,
    Tiles,
)
from tessella.games.duel.scoring import FACES
from tessella.games.duel.state import CHIP_TILE, Board, Factory
from tessella.games.duel.view import View
from tessella.text.duel_events import chip_text, chips_text, explain, narrate, plate_text, points, round_of
from tessella.text.style import Style, side_by_side, signed, visible, written

__all__ = ["draw", "explain", "narrate", "points", "round_of"]

START_TILE = "1"
NAME_WIDTH = 10

# The table


def draw(view: View, style: Style) -> list[str]:
    """Return the table as lines: factories and plates, then both boards."""
    boards = [_board(view, seat, style) for seat in _from_own_seat(view)]
    return [
        *_heading(view, style),
        "",
        *_plates_and_faces(view, style),
        *_stack(view, style),
        *_drawn(view, style),
        "",
        *([] if view.phase in ("tile", "over") else [*_factories(view, style), ""]),
        *side_by_side(boards, style.width),
    ]


def _from_own_seat(view: View) -> list[Seat]:
    return [1, 0] if view.seat == 1 else [0, 1]


def _heading(view: View, style: Style) -> list[str]:
    """Return the round, the counts of bag and tower, and what has to be done now."""
    counts = style.texts("duel.heaps", bag=sum(view.bag), tower=sum(view.tower))
    heading = f"{style.strong(style.texts('duel.round', n=view.round))}   {style.faint(counts)}"
    if not isinstance(view.turn, Choose):
        return [heading]
    who = style.texts("duel.and").join(map(style.name, view.turn.seats))
    todo = style.texts(f"duel.todo.{view.phase}", who=who, factory=view.stacking)
    return [heading, todo]


# Plates and scoring faces


def _plates_and_faces(view: View, style: Style) -> list[str]:
    faces = _faces(view, style)
    if not view.open:
        return faces
    return _beside(_row_of_plates([_plate(plate, style) for plate in view.open]), faces)


def _beside(left: Sequence[str], right: Sequence[str]) -> list[str]:
    width = max(map(visible, left))
    return [f"{one}{' ' * (width - visible(one))}   {other}" for one, other in zip(left, right, strict=True)]


def _row_of_plates(plates: Sequence[Sequence[str]]) -> list[str]:
    return [" ".join(parts) for parts in zip(*plates, strict=True)]


def _plate(plate: Plate, style: Style) -> list[str]:
    upper, lower = ("".join(map(style.ghost, half)) for half in (plate[:2], plate[2:]))
    return _framed(upper, lower, style)


def _back(kind: Kind, style: Style) -> list[str]:
    shade = style.faint("▒▒")
    return _framed(shade * 3, f"{shade}{style.strong(kind)} {shade}", style)


def _framed(upper: str, lower: str, style: Style) -> list[str]:
    side = style.faint("│")
    return [style.faint("┌──────┐"), f"{side}{upper}{side}", f"{side}{lower}{side}", style.faint("└──────┘")]


def _faces(view: View, style: Style) -> list[str]:
    """Return the scoring faces in play, and what each would score for both players now."""
    names = [style.texts(f"duel.face.{face}") for face in view.config.faces]
    prices = ["/".join(signed(each) for _, each, _ in FACES[face]) for face in view.config.faces]
    scores = [[written(points) for points in _face_points(view, seat)] for seat in _from_own_seat(view)]
    heads = [style.texts("duel.faces"), "", *[style.name(seat)[:NAME_WIDTH] for seat in _from_own_seat(view)]]
    first, *rest = [
        f"{head:<{NAME_WIDTH}}" + "".join(f"{cell:>{len(name) + 2}}" for cell, name in zip(cells, names, strict=True))
        for head, cells in zip(heads, [names, prices, *scores], strict=True)
    ]
    return [style.strong(first), style.faint(rest[0]), *rest[1:]]


def _face_points(view: View, seat: Seat) -> list[int]:
    board, config = view.boards[seat], view.config
    return [sum(each * count(board, config) for _, each, count in FACES[face]) for face in config.faces]


def _stack(view: View, style: Style) -> list[str]:
    """DU60: return the backs from the top; known plates show their spaces."""
    if not view.stack:
        return []
    texts = [style.strong(style.texts("duel.stack", n=len(view.stack)))]
    texts += [back.face if len(back.face) == 1 else plate_text(back.face, style) for back in view.stack]
    lines = _filled(texts, style.width)
    if view.lost:
        seen = [style.texts("duel.lost"), *[plate_text(plate, style) for plate in view.lost]]
        lines += _filled(seen, style.width)
    return lines


def _filled(parts: Sequence[str], width: int) -> list[str]:
    """Return the parts in as few lines as fit."""
    lines = [parts[0]]
    for word in parts[1:]:
        if visible(lines[-1]) + 1 + visible(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append("  " + word)
    return lines


def _drawn(view: View, style: Style) -> list[str]:
    """Return the plates in hand: faces for the player who drew them, backs for the other."""
    if not view.hand:
        return []
    blocks = [_plate(back.face, style) if len(back.face) > 1 else _back(back.face, style) for back in view.hand]
    heading = style.strong(style.texts("duel.drawn", who=style.name(view.current), n=len(view.hand)))
    return [heading, *[line for line in side_by_side(blocks, style.width, gap=1) if line]]


# Factories


def _factories(view: View, style: Style) -> list[str]:
    """Return each factory as a column of suns, moons and chip."""
    heads = [style.strong(str(number)) for number in range(len(FACTORY_TILES))]
    suns = [_heap(factory.sun, style) for factory in view.factories]
    moons = [_large_moon(view, style), *[_small_moon(factory, style) for factory in view.factories[1:]]]
    chips = ["", *[_chip_on(factory, style) for factory in view.factories[1:]]]
    labels = [style.texts(f"duel.{label}") for label in ("factory", "sun", "moon", "chip")]
    width = max(map(len, labels))
    return [
        style.faint(f"{label:<{width}}") + "".join(_columns(cells))
        for label, cells in zip(labels, [[f" {head}" for head in heads], suns, moons, chips], strict=True)
    ]


def _columns(cells: Sequence[str]) -> list[str]:
    widths = [3 * tiles for tiles in FACTORY_TILES]
    padded = ["  " + cell + " " * (width - visible(cell)) for cell, width in zip(cells, widths, strict=True)]
    return [*padded[:-1], padded[-1].rstrip()]


def _heap(tiles: Tiles, style: Style) -> str:
    return "".join(map(style.tile, tiles)) or style.faint(" –")


def _large_moon(view: View, style: Style) -> str:
    """DU25: return the tiles side by side, and the start tile until a player takes it."""
    on_factory = view.holder is None and view.phase not in ("prepare", "over")
    return _heap(view.factories[LARGE].moon + START_TILE * on_factory, style)


def _small_moon(factory: Factory, style: Style) -> str:
    """DU24: return the stack, its top last: only that can be taken."""
    return "".join(map(style.ghost, factory.moon[:-1])) + _heap(factory.moon[-1:], style)


def _chip_on(factory: Factory, style: Style) -> str:
    if factory.chip == FACE_DOWN:
        return style.faint(" ▒")
    return f" {chip_text(factory.chip, style)}" if factory.chip else style.faint(" –")


# Boards


def _board(view: View, seat: Seat, style: Style) -> list[str]:
    board = view.boards[seat]
    return [
        _owner(view, seat, style),
        style.faint(" " * 15 + " ".join(f" {column}  {column + 1} " for column in range(1, SIZE, 2))),
        *_dome(view, board, style),
        f"{_label('broken', style)}{_broken(board, style)}  {_start_tile(view, seat, style)}",
        f"{_label('todo', style)}{_still_to_do(view, seat, style)}",
        f"{_label('chips', style)}{chips_text(board.chips, style) or style.faint('–')}",
    ]


def _label(key: str, style: Style) -> str:
    width = max(len(style.texts(f"duel.{each}")) for each in ("broken", "todo", "chips"))
    return f"  {style.faint(style.texts(f'duel.{key}').ljust(width))} "


def _owner(view: View, seat: Seat, style: Style) -> str:
    turn = isinstance(view.turn, Choose) and seat in view.turn.seats
    score = style.texts("points", n=view.boards[seat].score)
    return f"{'▶' if turn else ' '} {style.strong(style.name(seat)[:20])}  {score}"


def _dome(view: View, board: Board, style: Style) -> list[str]:
    """Return the pattern lines beside the rows of the dome, with a seam around each slot."""
    rows = [_row(view, board, row, style) for row in range(SIZE)]
    above, between, below = _seam("┌", "┬", "┐", style), _seam("├", "┼", "┤", style), _seam("└", "┴", "┘", style)
    return [above, *rows[:2], between, *rows[2:4], between, *rows[4:], below]


def _seam(left: str, middle: str, right: str, style: Style) -> str:
    return style.faint(" " * 14 + left + middle.join(["──────"] * 3) + right)


def _row(view: View, board: Board, row: int, style: Style) -> str:
    mark = "▸" if view.phase == "tile" and board.row == row else " "
    seam = style.faint("│")
    slots = seam.join(_half_slot(board, row, slot, style) for slot in range(row // 2 * 3, row // 2 * 3 + 3))
    number = str(row + 1)
    return f"{style.strong(number)}{mark}{_line(board, row, style)}{seam}{slots}{seam}{style.faint(number)}"


def _line(board: Board, row: int, style: Style) -> str:
    tiles = board.lines[row]
    spaces = style.faint(" ·") * (row + 1 - len(tiles))
    laid = "".join(" " + CHIP_TILE if tile == CHIP_TILE else style.brick(tile) for tile in reversed(tiles))
    return "  " * (SIZE - row - 1) + spaces + laid


def _half_slot(board: Board, row: int, slot: int, style: Style) -> str:
    """Return one row of a slot: its spaces, or the number of an empty slot."""
    plate, column = board.dome[slot], slot % 3 * 2
    if not plate:
        return style.faint(f"  {slot + 1}   ") if row % 2 == 0 else " " * 6
    spaces, tiles = plate[row % 2 * 2 :][:2], board.tiles[row][column : column + 2]
    return "".join(
        style.ghost(space) if tile == EMPTY else style.tile(tile) for space, tile in zip(spaces, tiles, strict=True)
    )


def _broken(board: Board, style: Style) -> str:
    """Return the broken tiles; each empty space shows the total cost if it were filled."""
    costs = [f"{signed(-BROKEN_COSTS[number + 1]):<3}" for number in range(len(board.broken), BROKEN_SPACES)]
    return "".join(map(style.tile, board.broken)) + style.faint("".join(costs))


def _start_tile(view: View, seat: Seat, style: Style) -> str:
    return f"{style.tile(START_TILE)} {signed(-START_TILE_COST)}" if view.holder == seat else ""


def _still_to_do(view: View, seat: Seat, style: Style) -> str:
    """DU21, DU26: return the tokens to place and chips to take this round."""
    tokens = _pips(view.tokens[seat], PLATES_PER_ROUND) if view.round <= PLATE_ROUNDS else style.faint("–")
    chips = _pips(view.chips_due[seat], CHIPS_PER_ROUND)
    return f"{style.texts('duel.plates')} {tokens}  {style.texts('duel.chips')} {chips}"


def _pips(left: int, full: int) -> str:
    left = min(max(left, 0), full)
    return "●" * left + "○" * (full - left)
