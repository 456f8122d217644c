"""Azul Duel on the full screen: factories above, then plates and scoring faces, then both domes.

Capital letters are tiles that lie there, small ones the spaces that wait for them; of a moon stack only the top, which
comes last, can be taken.
"""

from collections.abc import Sequence

from tessella.core.game import Seat
from tessella.games.duel.events import TilePlaced
from tessella.games.duel.pieces import (
    BROKEN_COSTS,
    BROKEN_SPACES,
    CHIP_COLOURS,
    CHIPS_PER_ROUND,
    COLOURS,
    EMPTY,
    FACE_DOWN,
    FACTORY_TILES,
    LARGE,
    PLATE_ROUNDS,
    PLATES_PER_ROUND,
    PRINTED,
    SIZE,
    SLOTS,
    SPECIAL,
    START_TILE_COST,
    TURNS,
    Plate,
    Tiles,
)
from tessella.games.duel.preview import Preview
from tessella.games.duel.scoring import FACES
from tessella.games.duel.state import CHIP_TILE, Board
from tessella.games.duel.view import View
from tessella.terminal.tui.board_parts import Drawing, Hint, Owner, heading, may_move, owner, shorten
from tessella.terminal.tui.canvas import Canvas
from tessella.terminal.tui.move_input import Parts
from tessella.text.duel import START_TILE
from tessella.text.style import Style, signed, written

FACES_AT = 34
"""The column of the scoring faces, or of what temporarily replaces them."""

FACE_RULES = {
    "rows": "DU50",
    "colour_rows": "DU51",
    "columns": "DU52",
    "outer": "DU53",
    "diagonals": "DU54",
    "corners": "DU55",
    "jokers": "DU56",
    "empty_specials": "DU57",
}


def parts(text: str, view: View) -> Parts:  # noqa: ARG001
    """Return the parts of a move: source and line for tiles; plate, slot and turn for a plate; else one."""
    if text[0] in "scdutp":
        return (text,)
    if len(text) == 5:
        return f"P{PRINTED[text[1:]]}", f"S{text[0]}", f"T{text[1:]}"
    return text[:2], text[2]


def draw(view: View, canvas: Canvas, hint: Hint, style: Style) -> None:
    """Draw the factories, the plates and both boards."""
    scale = 2 if canvas.width >= 112 and canvas.height >= 31 else 1
    on = Drawing(view, canvas, hint, style, scale)
    gap = 1 if canvas.height >= 23 else 0
    _heading(on)
    y = _factories(on, 1 + gap) + gap
    y = _plates(on, y) + gap
    for place, seat in enumerate(_seats(view)):
        _board(on, 1 + place * (_board_width(on) + 4), y, seat)


def _seats(view: View) -> tuple[Seat, Seat]:
    return (1, 0) if view.seat == 1 else (0, 1)


def _heading(on: Drawing[View]) -> None:
    view, texts = on.view, on.style.texts
    numbers = [
        (texts("duel.bag", n=sum(view.bag)), texts("duel.note.bag"), "DU40"),
        (texts("duel.tower", n=sum(view.tower)), texts("duel.note.tower"), "DU40"),
        (texts("duel.specials", n=view.specials), texts("duel.note.specials"), "DU34"),
    ]
    heading(on.canvas, texts("duel.round", n=view.round), numbers)


# The factories


def _factories(on: Drawing[View], y: int) -> int:
    """Draw each factory as a column of number, chip, suns and moons; return the first free row."""
    labels = [on.style.texts("duel.sun"), on.style.texts("duel.moon")]
    sun, moon, x = y + 1, y + 1 + on.scale, 2 + max(map(len, labels))
    on.canvas.faint(1, sun, labels[0])
    on.canvas.faint(1, moon, labels[1])
    for number, factory in enumerate(on.view.factories):
        end = on.canvas.strong(x + 1, y, str(number)) + 1
        _heap(on, x, sun, factory.sun)
        _name_runs(on, x, sun, factory.sun, str(number))
        if number == LARGE:
            _large_moon(on, x, moon)
        else:
            _chip(on.canvas, end, y, number, factory.chip)
            _small_moon(on, x, moon, factory.moon)
        x += FACTORY_TILES[number] * on.width + 1
    return moon + on.scale


def _heap(on: Drawing[View], x: int, y: int, tiles: Tiles) -> None:
    if not tiles:
        on.canvas.faint(x + 1, y, "–")
    for place, tile in enumerate(tiles):
        on.canvas.tile(x + place * on.width, y, tile, on.scale)


def _name_runs(on: Drawing[View], x: int, y: int, tiles: Tiles, source: str) -> None:
    """Name each run of one colour as a single place to point at."""
    for colour in COLOURS:
        if colour in tiles:
            first, count = tiles.index(colour), tiles.count(colour)
            on.canvas.spot(source + colour, x + first * on.width, y, count * on.width, on.scale)


def _large_moon(on: Drawing[View], x: int, y: int) -> None:
    """DU25: draw the tiles side by side, and the start tile until a player takes it."""
    on_factory = on.view.holder is None and on.view.phase not in ("prepare", "over")
    tiles = on.view.factories[LARGE].moon
    _heap(on, x, y, tiles + START_TILE * on_factory)
    _name_runs(on, x, y, tiles, "m")


def _small_moon(on: Drawing[View], x: int, y: int, stack: Tiles) -> None:
    """DU24: draw the stack, its top last: only that can be taken."""
    for tile in stack[:-1]:
        on.canvas.ghost(x, y, tile, on.scale)
        x += on.width
    _heap(on, x, y, stack[-1:])
    if stack:
        on.canvas.spot(f"m{stack[-1]}", x, y, on.width, on.scale)


def _chip(canvas: Canvas, x: int, y: int, number: int, chip: str) -> None:
    """Draw a chip: its back, or its colours."""
    if not chip or chip == FACE_DOWN:
        canvas.faint(x, y, "▒▒" if chip else "")
        return
    canvas.put(x, y, "(")
    end = _draw_chips(canvas, x + 1, y, chip_label(chip))
    canvas.put(end, y, ")")
    canvas.spot(f"c{number}", x, y, end + 1 - x)


def chip_label(chip: str) -> str:
    """Return the letter of a chip and, if it has two colours, the second one.

    >>> chip_label("b"), chip_label("B")
    ('b', 'Br')
    """
    return chip + CHIP_COLOURS[chip][1:]


def _draw_chips(canvas: Canvas, x: int, y: int, letters: str) -> int:
    for place, letter in enumerate(letters):
        canvas.chip(x + place, y, letter)
    return x + len(letters)


# Plates and scoring faces


def _plates(on: Drawing[View], y: int) -> int:
    """Draw the open plates and the stack; beside them the scoring faces or the plates in hand."""
    on.canvas.faint(1, y, on.style.texts("duel.open"))
    for place, plate in enumerate(on.view.open):
        _offered(on.canvas, 1 + 7 * place, y + 1, plate, f"P{PRINTED[plate]}")
    _stack(on, y + 3)
    options = sorted(part for part in on.hint.open if part[0] in "sp" or part == "d=")
    if len(on.hint.chosen) == 2:
        _turns(on, FACES_AT, y, on.hint.chosen[0][1:])
    elif on.view.hand:
        _hand(on, FACES_AT, y)
        _options(on, FACES_AT, y + 3, options)
    elif options:
        _options(on, FACES_AT, y, options)
    else:
        _scoring(on, FACES_AT, y)
    return y + 4


def _options(on: Drawing[View], x: int, y: int, options: Sequence[str]) -> None:
    """Draw buttons for choices without a place: stop drawing, how to stack, what to pay with."""
    left, bottom = x, y + 4
    for part in options:
        text = f"( {label(part, on.style)} )"
        if left + len(text) > on.canvas.width:
            left, y = x, y + 1
        if y == bottom:
            return
        on.canvas.put(left, y, text, on.canvas.style(on.canvas.palette.accent, on.canvas.palette.panel, bold=True))
        on.canvas.spot(part, left, y, len(text))
        left += len(text) + 1


def _offered(canvas: Canvas, x: int, y: int, plate: Plate, name: str) -> None:
    for place, space in enumerate(plate):
        canvas.ghost(x + place % 2 * 3, y + place // 2, space)
    canvas.spot(name, x, y, 6, 2)


def _turns(on: Drawing[View], x: int, y: int, plate: Plate) -> None:
    """Draw the four orientations of the plate."""
    on.canvas.accent(x, y, on.style.texts("duel.turn_it"))
    for place, turned in enumerate(TURNS[PRINTED[plate]]):
        _offered(on.canvas, x + place * 8, y + 1, turned, f"T{turned}")


def _hand(on: Drawing[View], x: int, y: int) -> None:
    """Draw the plates in hand: faces for the player who drew them, backs for the other."""
    view, canvas = on.view, on.canvas
    heading_text = on.style.texts("duel.drawn", who=on.style.name(view.current), n=len(view.hand))
    canvas.accent(x, y, shorten(heading_text, canvas.width - x))
    for back in view.hand:
        if len(back.face) > 1:
            name = f"u{back.face}" if view.phase == "return" else f"P{PRINTED[back.face]}"
            _offered(canvas, x, y + 1, back.face, name)
        else:
            canvas.faint(x, y + 1, "▒▒▒▒▒▒")
            canvas.faint(x, y + 2, f"▒▒{back.face} ▒▒")
        x += 7


def _stack(on: Drawing[View], y: int) -> None:
    """DU60: draw the number of plates left and their backs from the top; known plates show their spaces."""
    canvas, text = on.canvas, on.style.texts("duel.stack", n=len(on.view.stack))
    end = canvas.strong(1, y, text)
    canvas.note(1, y, len(text), on.style.texts("duel.note.stack"), "DU60")
    x = end + 1
    for back in on.view.stack:
        if x + len(back.face) >= FACES_AT:
            canvas.faint(x, y, "…")
            break
        x = _draw_chips(canvas, x, y, back.face) + (1 if len(back.face) > 1 else 0)
    if on.view.stack:
        canvas.spot("d+", 0, y, end + 1)


def _scoring(on: Drawing[View], x: int, y: int) -> None:
    """Draw the scoring faces in play, and what each would score for both players now."""
    canvas, room = on.canvas, 16 if on.canvas.width >= 100 else 10
    for row, seat in enumerate(_seats(on.view), y + 2):
        canvas.put(x, row, shorten(on.style.name(seat), room - 1))
    x += room
    for face in on.view.config.faces:
        name = on.style.texts(f"duel.face.{face}")
        canvas.strong(x, y, name)
        canvas.note(x, y, len(name), on.style.texts(f"duel.note.face.{face}"), FACE_RULES[face])
        canvas.faint(x, y + 1, "/".join(signed(each) for _, each, _ in FACES[face]))
        for row, seat in enumerate(_seats(on.view), y + 2):
            board, config = on.view.boards[seat], on.view.config
            canvas.put(x, row, written(sum(each * count(board, config) for _, each, count in FACES[face])))
        x += max(8, len(name) + 2)


# The boards


def _board_width(on: Drawing[View]) -> int:
    return 2 + SIZE * (on.scale + 1) + 2 + SIZE * on.width + 2


def _dome_at(on: Drawing[View], row: int, column: int) -> tuple[int, int]:
    """Return the offset of a space from the corner of the dome; plates have seams."""
    return column * on.width + column // 2, row * on.scale + row // 2


def _board(on: Drawing[View], x: int, y: int, seat: Seat) -> None:
    """Draw the pattern lines and the dome, then the broken tiles and what is still due."""
    board, own = on.view.boards[seat], seat == (on.view.seat or 0)
    score = on.style.texts("points", n=board.score)
    owner(on, x, y, _board_width(on), Owner(seat, score, on.hint.sums.get(seat, ""), "DU33"))
    lines, dome, top = x + 2, x + 4 + SIZE * (on.scale + 1), y + 1
    for row in range(SIZE):
        level = top + _dome_at(on, row, 0)[1]
        _row(on, x, level, board, row, own=own)
        if own:
            length = (row + 1) * (on.scale + 1)
            on.canvas.spot(str(row + 1), dome - 2 - length, level, length + 1, on.scale)
    for slot in range(SLOTS):
        _slot(on, dome, top, board, slot, own=own)
    for row in (2, 4):
        on.canvas.rule(dome, top + _dome_at(on, row, 0)[1] - 1, "┼".join(["─" * 2 * on.width] * 3))
    bottom = top + _dome_at(on, SIZE - 1, 0)[1] + on.scale
    _broken(on, x, bottom, seat)
    _still_to_do(on, x, bottom, seat)
    if own:
        on.canvas.spot("-", lines, bottom, 3 * BROKEN_SPACES)
        _coming(on, lines, dome, top)


def _row(on: Drawing[View], x: int, y: int, board: Board, row: int, *, own: bool) -> None:
    """Draw a line: its number, an arrow if it is next or can be chosen, and its tiles."""
    canvas, seam = on.canvas, x + 3 + SIZE * (on.scale + 1)
    is_open, due = own and str(row + 1) in on.hint.open, on.view.phase == "tile" and board.row == row
    (canvas.accent if is_open or due else canvas.faint)(x, y, str(row + 1))
    canvas.accent(x + 1, y, "▸" if due else " ")
    _line(on, x + 2, y, board, row)
    for line in range(on.scale):
        canvas.rule(seam, y + line, "│")
    if is_open:
        canvas.accent(seam, y, "▸")


def _line(on: Drawing[View], x: int, y: int, board: Board, row: int) -> None:
    tiles, canvas = board.lines[row], on.canvas
    for space in range(row + 1):
        left = x + (SIZE - 1 - space) * (on.scale + 1)
        if space < len(tiles) and tiles[space] != CHIP_TILE:
            canvas.brick(left, y, tiles[space], on.scale)
        else:
            canvas.hollow(left, y, CHIP_TILE if space < len(tiles) else "·", on.scale)


def _slot(on: Drawing[View], x: int, y: int, board: Board, slot: int, *, own: bool) -> None:
    """Draw a plate with its spaces and tiles, or the number of an empty slot."""
    canvas, plate = on.canvas, board.dome[slot]
    row, column = slot // 3 * 2, slot % 3 * 2
    across, down = _dome_at(on, row, column)
    if column:
        for line in range(2 * on.scale):
            canvas.rule(x + across - 1, y + down + line, "│")
    if not plate:
        canvas.faint(x + across + on.width - 1, y + down + on.scale - 1, str(slot + 1))
    if own:
        canvas.spot(f"S{slot + 1}", x + across, y + down, 2 * on.width, 2 * on.scale)
    for place, space in enumerate(plate):
        _space(on, x, y, board, (row + place // 2, column + place % 2), space, own=own)


def _space(on: Drawing[View], x: int, y: int, board: Board, at: tuple[int, int], space: str, *, own: bool) -> None:
    row, column = at
    across, down = _dome_at(on, row, column)
    tile = board.tiles[row][column]
    if tile == EMPTY:
        on.canvas.ghost(x + across, y + down, space, on.scale)
    else:
        on.canvas.tile(x + across, y + down, tile, on.scale)
    if own:
        on.canvas.spot(f"t{row + 1}{column + 1}", x + across, y + down, on.width, on.scale)


def _broken(on: Drawing[View], x: int, y: int, seat: Seat) -> None:
    """Draw the broken tiles, the cost of each further one, and the start tile."""
    board, canvas = on.view.boards[seat], on.canvas
    is_open = seat == on.view.seat and "-" in on.hint.open
    (canvas.accent if is_open else canvas.faint)(x, y, "-")
    for space in range(BROKEN_SPACES):
        if space < len(board.broken):
            canvas.tile(x + 2 + 3 * space, y, board.broken[space])
        else:
            canvas.empty(x + 2 + 3 * space, y, mark=f"{written(-BROKEN_COSTS[space + 1]):<3}")
    canvas.note(x + 2, y, 3 * BROKEN_SPACES, on.style.texts("duel.note.broken"), "DU35")
    if on.view.holder == seat:
        left = x + 3 + 3 * BROKEN_SPACES
        canvas.tile(left, y, START_TILE)
        canvas.loss(left + 4, y, written(-START_TILE_COST))


def _still_to_do(on: Drawing[View], x: int, y: int, seat: Seat) -> None:
    """DU21, DU26: draw the tokens to place and chips to take this round, then the chips held."""
    view, canvas, texts = on.view, on.canvas, on.style.texts
    tokens = _pips(view.tokens[seat] if 0 < view.round <= PLATE_ROUNDS else 0, PLATES_PER_ROUND)
    plates = f"{texts('duel.plates')} {tokens}"
    chips = f"{texts('duel.chips')} {_pips(view.chips_due[seat], CHIPS_PER_ROUND)}"
    canvas.faint(x + 24, y, plates)
    canvas.note(x + 24, y, len(plates), texts("duel.note.tokens"), "DU21")
    end = canvas.faint(x, y + 1, chips) + 2
    canvas.note(x, y + 1, len(chips), texts("duel.note.chips"), "DU26")
    for chip in view.boards[seat].chips:
        end = _draw_chips(canvas, end, y + 1, chip_label(chip)) + 1


def _pips(left: int, full: int) -> str:
    left = min(max(left, 0), full)
    return "●" * left + "○" * (full - left)


# What a move would bring


def _coming(on: Drawing[View], lines: int, dome: int, top: int) -> None:
    """Draw what the move would do: the plate as it would lie, or tiles in the line, broken and on the dome."""
    canvas, preview, board = on.canvas, on.hint.preview, on.view.boards[on.view.seat or 0]
    plate, slot = _plate_looked_at(on.hint)
    for place, letter in enumerate(plate if slot else ""):
        across, down = _dome_at(on, (slot - 1) // 3 * 2 + place // 2, (slot - 1) % 3 * 2 + place % 2)
        canvas.coming(dome + across, top + down, letter, on.scale, mark=letter)
    if not isinstance(preview, Preview):
        return
    if preview.line is not None:
        level = top + _dome_at(on, preview.line, 0)[1]
        for space in preview.spaces:
            left = lines + (SIZE - 1 - space) * (on.scale + 1)
            canvas.hollow(left, level, on.hint.move[1].upper(), on.scale, colour=on.hint.move[1])
    bottom = top + _dome_at(on, SIZE - 1, 0)[1] + on.scale
    for place in range(len(preview.broken)):
        canvas.coming(lines + 3 * (len(board.broken) + place), bottom, on.hint.move[1])
    for placed in preview.placed:
        across, down = _dome_at(on, placed.row, placed.column)
        if board.tiles[placed.row][placed.column] == EMPTY:
            colour = placed.colour if isinstance(placed, TilePlaced) else SPECIAL
            canvas.coming(dome + across, top + down, colour, on.scale)


def _plate_looked_at(hint: Hint) -> tuple[Plate, int]:
    """Return the plate being laid, turned as chosen, and its slot from 1, as far as they are chosen."""
    if len(hint.move) == 5 and hint.move[0].isdecimal():
        return hint.move[1:], int(hint.move[0])
    looked: Sequence[str] = [*hint.chosen, hint.cursor]
    plate = next((part[1:] for part in reversed(looked) if part[:1] in ("P", "T")), "")
    return plate, next((int(part[1:]) for part in looked if part[:1] == "S"), 0)


# Sentences


def todo(view: View, style: Style) -> str:
    """Return what the viewer has to do now, in a sentence."""
    if view.seat is None or not may_move(view, view.seat):
        return ""
    return style.texts(f"duel.do.{view.phase}", factory=view.stacking)


def label(part: str, style: Style) -> str:
    """Return the text of a button: stop drawing, stack, pay or do not pay with chips."""
    match part[0]:
        case "d":
            return style.texts("duel.stop" if part == "d=" else "duel.draw_one")
        case "s":
            return part[1:].upper()
        case "p" if part.endswith("-"):
            return style.texts("duel.leave_it")
        case "p":
            return " ".join(map(chip_label, part[2:]))
        case _:
            return part
