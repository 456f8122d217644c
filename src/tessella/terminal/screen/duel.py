"""The table of Azul Duel on a full screen: factories above, then plates and scoring faces, then both domes.

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
    CHIPS_A_ROUND,
    COLOURS,
    EMPTY,
    FACE_DOWN,
    FACTORY_TILES,
    LARGE,
    PLATE_ROUNDS,
    PLATES_A_ROUND,
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
from tessella.terminal.duel import START_TILE
from tessella.terminal.pen import Pen, signed, written
from tessella.terminal.screen.canvas import Canvas
from tessella.terminal.screen.chooser import Parts
from tessella.terminal.screen.sketch import Drawing, Hint, Owner, heading, may_move, owner, shorten

FACES_AT = 34
"""The column of the scoring faces, and of what takes their place for a while."""

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
    """Tiles are a source and a line; a plate is a plate, a slot and a turn; all else is one thing to choose."""
    if text[0] in "scdutp":
        return (text,)
    if len(text) == 5:
        return f"P{PRINTED[text[1:]]}", f"S{text[0]}", f"T{text[1:]}"
    return text[:2], text[2]


def draw(view: View, canvas: Canvas, hint: Hint, pen: Pen) -> None:
    """What is on offer in the middle, and both boards."""
    scale = 2 if canvas.width >= 112 and canvas.height >= 31 else 1
    on = Drawing(view, canvas, hint, pen, scale)
    gap = 1 if canvas.height >= 23 else 0
    _heading(on)
    y = _factories(on, 1 + gap) + gap
    y = _plates(on, y) + gap
    for place, seat in enumerate(_seats(view)):
        _board(on, 1 + place * (_board_width(on) + 4), y, seat)


def _seats(view: View) -> tuple[Seat, Seat]:
    return (1, 0) if view.seat == 1 else (0, 1)


def _heading(on: Drawing[View]) -> None:
    view, words = on.view, on.pen.words
    numbers = [
        (words("duel.bag", n=sum(view.bag)), words("duel.note.bag"), "DU40"),
        (words("duel.tower", n=sum(view.tower)), words("duel.note.tower"), "DU40"),
        (words("duel.specials", n=view.specials), words("duel.note.specials"), "DU34"),
    ]
    heading(on.canvas, words("duel.round", n=view.round), numbers)


# The factories


def _factories(on: Drawing[View], y: int) -> int:
    """Numbers with their chips, suns and moons below each other; every factory a column. Gives the first free row."""
    labels = [on.pen.words("duel.sun"), on.pen.words("duel.moon")]
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
    """Tiles of a colour that lie beside each other are one place to point at."""
    for colour in COLOURS:
        if colour in tiles:
            first, count = tiles.index(colour), tiles.count(colour)
            on.canvas.spot(source + colour, x + first * on.width, y, count * on.width, on.scale)


def _large_moon(on: Drawing[View], x: int, y: int) -> None:
    """DU25: tiles side by side, and the start tile until somebody takes it."""
    on_factory = on.view.holder is None and on.view.phase not in ("prepare", "over")
    tiles = on.view.factories[LARGE].moon
    _heap(on, x, y, tiles + START_TILE * on_factory)
    _name_runs(on, x, y, tiles, "m")


def _small_moon(on: Drawing[View], x: int, y: int, stack: Tiles) -> None:
    """DU24: only the top of the stack can be taken; it comes last."""
    for tile in stack[:-1]:
        on.canvas.ghost(x, y, tile, on.scale)
        x += on.width
    _heap(on, x, y, stack[-1:])
    if stack:
        on.canvas.spot(f"m{stack[-1]}", x, y, on.width, on.scale)


def _chip(canvas: Canvas, x: int, y: int, number: int, chip: str) -> None:
    """A chip that lies face down, or its colours."""
    if not chip or chip == FACE_DOWN:
        canvas.faint(x, y, "▒▒" if chip else "")
        return
    canvas.put(x, y, "(")
    end = _letters(canvas, x + 1, y, chip_letters(chip))
    canvas.put(end, y, ")")
    canvas.spot(f"c{number}", x, y, end + 1 - x)


def chip_letters(chip: str) -> str:
    """The letter of a chip and, if it is of two colours, the other one.

    >>> chip_letters("b"), chip_letters("B")
    ('b', 'Br')
    """
    return chip + CHIP_COLOURS[chip][1:]


def _letters(canvas: Canvas, x: int, y: int, letters: str) -> int:
    for place, letter in enumerate(letters):
        canvas.chip(x + place, y, letter)
    return x + len(letters)


# Plates and scoring faces


def _plates(on: Drawing[View], y: int) -> int:
    """The open plates and the stack; beside them the scoring faces or, while plates are in hand, those."""
    on.canvas.faint(1, y, on.pen.words("duel.open"))
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
    """What can be chosen and lies nowhere: to stop drawing, how to stack, what to pay with."""
    left, bottom = x, y + 4
    for part in options:
        text = f"( {label(part, on.pen)} )"
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
    """The four ways in which the plate may lie."""
    on.canvas.accent(x, y, on.pen.words("duel.turn_it"))
    for place, turned in enumerate(TURNS[PRINTED[plate]]):
        _offered(on.canvas, x + place * 8, y + 1, turned, f"T{turned}")


def _hand(on: Drawing[View], x: int, y: int) -> None:
    """The drawn plates: faces for who has looked at them, backs for all others."""
    view, canvas = on.view, on.canvas
    told = on.pen.words("duel.drawn", who=on.pen.name(view.current), n=len(view.hand))
    canvas.accent(x, y, shorten(told, canvas.width - x))
    for back in view.hand:
        if len(back.face) > 1:
            name = f"u{back.face}" if view.phase == "return" else f"P{PRINTED[back.face]}"
            _offered(canvas, x, y + 1, back.face, name)
        else:
            canvas.faint(x, y + 1, "▒▒▒▒▒▒")
            canvas.faint(x, y + 2, f"▒▒{back.face} ▒▒")
        x += 7


def _stack(on: Drawing[View], y: int) -> None:
    """DU60: how many plates are left, and the backs from the top; plates that the reader knows by their spaces."""
    canvas, text = on.canvas, on.pen.words("duel.stack", n=len(on.view.stack))
    end = canvas.strong(1, y, text)
    canvas.note(1, y, len(text), on.pen.words("duel.note.stack"), "DU60")
    x = end + 1
    for back in on.view.stack:
        if x + len(back.face) >= FACES_AT:
            canvas.faint(x, y, "…")
            break
        x = _letters(canvas, x, y, back.face) + (1 if len(back.face) > 1 else 0)
    if on.view.stack:
        canvas.spot("d+", 0, y, end + 1)


def _scoring(on: Drawing[View], x: int, y: int) -> None:
    """The scoring faces in play, and what each would bring both players now."""
    canvas, room = on.canvas, 16 if on.canvas.width >= 100 else 10
    for row, seat in enumerate(_seats(on.view), y + 2):
        canvas.put(x, row, shorten(on.pen.name(seat), room - 1))
    x += room
    for face in on.view.config.faces:
        name = on.pen.words(f"duel.face.{face}")
        canvas.strong(x, y, name)
        canvas.note(x, y, len(name), on.pen.words(f"duel.note.face.{face}"), FACE_RULES[face])
        canvas.faint(x, y + 1, "/".join(signed(each) for _, each, _ in FACES[face]))
        for row, seat in enumerate(_seats(on.view), y + 2):
            board, config = on.view.boards[seat], on.view.config
            canvas.put(x, row, written(sum(each * count(board, config) for _, each, count in FACES[face])))
        x += max(8, len(name) + 2)


# The boards


def _board_width(on: Drawing[View]) -> int:
    return 2 + SIZE * (on.scale + 1) + 2 + SIZE * on.width + 2


def _dome_at(on: Drawing[View], row: int, column: int) -> tuple[int, int]:
    """Where a space of the dome lies, from the corner of the dome: plates have seams."""
    return column * on.width + column // 2, row * on.scale + row // 2


def _board(on: Drawing[View], x: int, y: int, seat: Seat) -> None:
    """Pattern lines beside the dome, then what broke and what is still to be done."""
    board, own = on.view.boards[seat], seat == (on.view.seat or 0)
    score = on.pen.words("points", n=board.score)
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
    """The number of a line, an arrow where it is its turn or may be chosen, and its tiles."""
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
    """A plate with its spaces and tiles, or the number of the slot while no plate lies there."""
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
    """What broke, with what each further tile would make it cost; and the start tile."""
    board, canvas = on.view.boards[seat], on.canvas
    is_open = seat == on.view.seat and "-" in on.hint.open
    (canvas.accent if is_open else canvas.faint)(x, y, "-")
    for space in range(BROKEN_SPACES):
        if space < len(board.broken):
            canvas.tile(x + 2 + 3 * space, y, board.broken[space])
        else:
            canvas.empty(x + 2 + 3 * space, y, mark=f"{written(-BROKEN_COSTS[space + 1]):<3}")
    canvas.note(x + 2, y, 3 * BROKEN_SPACES, on.pen.words("duel.note.broken"), "DU35")
    if on.view.holder == seat:
        left = x + 3 + 3 * BROKEN_SPACES
        canvas.tile(left, y, START_TILE)
        canvas.loss(left + 4, y, written(-START_TILE_COST))


def _still_to_do(on: Drawing[View], x: int, y: int, seat: Seat) -> None:
    """DU21, DU26: tokens and chips that are still to be placed and taken this round; then the chips one has."""
    view, canvas, words = on.view, on.canvas, on.pen.words
    tokens = _pips(view.tokens[seat] if 0 < view.round <= PLATE_ROUNDS else 0, PLATES_A_ROUND)
    plates = f"{words('duel.plates')} {tokens}"
    chips = f"{words('duel.chips')} {_pips(view.chips_due[seat], CHIPS_A_ROUND)}"
    canvas.faint(x + 24, y, plates)
    canvas.note(x + 24, y, len(plates), words("duel.note.tokens"), "DU21")
    end = canvas.faint(x, y + 1, chips) + 2
    canvas.note(x, y + 1, len(chips), words("duel.note.chips"), "DU26")
    for chip in view.boards[seat].chips:
        end = _letters(canvas, end, y + 1, chip_letters(chip)) + 1


def _pips(left: int, full: int) -> str:
    left = min(max(left, 0), full)
    return "●" * left + "○" * (full - left)


# What a move would bring


def _coming(on: Drawing[View], lines: int, dome: int, top: int) -> None:
    """A plate as it would lie; or tiles in the line, broken and, if the round ended now, on the dome."""
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
    """The plate that is being laid, as it would lie, and its slot from 1; as far as they are chosen."""
    if len(hint.move) == 5 and hint.move[0].isdecimal():
        return hint.move[1:], int(hint.move[0])
    looked: Sequence[str] = [*hint.chosen, hint.cursor]
    plate = next((part[1:] for part in reversed(looked) if part[:1] in ("P", "T")), "")
    return plate, next((int(part[1:]) for part in looked if part[:1] == "S"), 0)


# Sentences


def todo(view: View, pen: Pen) -> str:
    """What is to be done now, in a sentence."""
    if view.seat is None or not may_move(view, view.seat):
        return ""
    return pen.words(f"duel.do.{view.phase}", factory=view.stacking)


def label(part: str, pen: Pen) -> str:
    """The buttons: to stop drawing, to stack, to pay or not to pay with chips."""
    match part[0]:
        case "d":
            return pen.words("duel.stop" if part == "d=" else "duel.draw_one")
        case "s":
            return part[1:].upper()
        case "p" if part.endswith("-"):
            return pen.words("duel.leave_it")
        case "p":
            return " ".join(map(chip_letters, part[2:]))
        case _:
            return part
