"""Azul on the full screen: factories and centre above, the viewer's own board below on the left."""

from msgspec.structs import replace

from tessella.core.game import Seat
from tessella.games.azul.pieces import COLOURS, EMPTY, FLOOR_COSTS, MARKER, SIZE, Tiles, wall_column
from tessella.games.azul.preview import Preview
from tessella.games.azul.scoring import floor_costs
from tessella.games.azul.state import Board
from tessella.games.azul.view import View
from tessella.terminal.tui.board_parts import Drawing, Hint, Owner, from_own_seat, heading, may_move, owner
from tessella.terminal.tui.canvas import Canvas
from tessella.terminal.tui.move_input import Parts
from tessella.text.style import Style

GAP = 3
MINIATURE = 16
"""The width of a miniature board, which shows letters only."""


def parts(text: str, view: View) -> Parts:  # noqa: ARG001
    """Return the parts of a move: a colour of a source, then a line; or a space of the grey wall."""
    return (text,) if text[0] == "t" else (text[:2], text[2])


def draw(view: View, canvas: Canvas, hint: Hint, style: Style) -> None:
    """Draw the factories, the centre and every board."""
    texts = style.texts
    numbers = [
        (texts("azul.bag", n=sum(view.bag)), texts("azul.note.bag"), "AZ03"),
        (texts("azul.lid", n=sum(view.lid)), texts("azul.note.lid"), "AZ40"),
    ]
    heading(canvas, texts("azul.round", n=view.round), numbers)
    scale = 2 if canvas.width >= 100 and canvas.height >= 24 else 1
    on = Drawing(view, canvas, hint, style, scale)
    _boards(on, _offer(on) + 1)


# The offer


def _offer(on: Drawing[View]) -> int:
    """Draw the factories side by side, the centre after or below them; return the first free row."""
    factories = on.view.factories
    pitch = 2 * on.width + (3 if len(factories) < 9 else 2)
    for number, tiles in enumerate(factories):
        _factory(on, 1 + number * pitch, 2, number + 1, tiles)
    right, below = 1 + len(factories) * pitch, 3 + 2 * on.scale
    if on.canvas.width - right >= 9 * on.width:
        return max(below, _centre(on, right, 2))
    return _centre(on, 1, below + on.scale - 1)


def _factory(on: Drawing[View], x: int, y: int, number: int, tiles: Tiles) -> None:
    canvas, width = on.canvas, 2 * on.width
    canvas.rule(x, y, "╭" + "─" * (width - 2) + "╮")
    (canvas.strong if tiles else canvas.faint)(x + width // 2 - 1, y, str(number))
    for half in range(2):
        row, top = tiles[2 * half : 2 * half + 2], y + 1 + half * on.scale
        for place, tile in enumerate(row):
            canvas.tile(x + place * on.width, top, tile, on.scale)
        _name_runs(on, x, top, row, str(number))


def _centre(on: Drawing[View], x: int, y: int) -> int:
    """Draw the tiles of the centre, grouped by colour, and return the first free row."""
    canvas, centre = on.canvas, on.view.centre
    (canvas.strong if centre else canvas.faint)(x, y, "c")
    left = start = x + 2
    for kind in MARKER + COLOURS:
        run = kind * centre.count(kind)
        if run and left > start and left + len(run) * on.width > canvas.width:
            left, y = start, y + on.scale
        for place, tile in enumerate(run):
            canvas.tile(left + place * on.width, y, tile, on.scale)
        _name_runs(on, left, y, run, "c")
        left += len(run) * on.width + (1 if run else 0)
    return y + on.scale


def _name_runs(on: Drawing[View], x: int, y: int, tiles: Tiles, source: str) -> None:
    """Name each run of one colour as a single place to point at."""
    for colour in COLOURS:
        if colour in tiles:
            first, count = tiles.index(colour), tiles.count(colour)
            on.canvas.spot(source + colour, x + first * on.width, y, count * on.width, on.scale)


# The boards


def _boards(on: Drawing[View], y: int) -> None:
    """Draw the viewer's board first and largest, the others as large as fits."""
    first, *others = from_own_seat(on.view)
    _board(on, 1, y, first)
    left = 1 + _board_width(on.scale) + GAP
    room = (on.canvas.width - left) // len(others)
    small, high = replace(on, scale=1), SIZE + 4
    stacked = on.canvas.width - left >= _board_width(1) and on.canvas.height - y >= high * len(others)
    for number, seat in enumerate(others):
        if room >= _board_width(1):
            _board(on if room >= _board_width(on.scale) else small, left + number * room, y, seat)
        elif stacked:
            _board(small, left, y + number * high, seat)
        else:
            _miniature(on, left + number * room, y, min(room - 2, MINIATURE), seat)


def _board_width(scale: int) -> int:
    return 2 + 2 * SIZE * (2 * scale + 1) + 3


def _board(on: Drawing[View], x: int, y: int, seat: Seat) -> None:
    """Draw the pattern lines, the wall and the floor line."""
    board, canvas, own = on.view.boards[seat], on.canvas, seat == (on.view.seat or 0)
    score = on.style.texts("points", n=board.score)
    owner(on, x, y, _board_width(on.scale), Owner(seat, score, on.hint.sums.get(seat, ""), "AZ22"))
    lines, wall, top = x + 2, x + 2 + SIZE * on.width + 3, y + 1
    if on.view.config.wall == "grey":
        for column in range(SIZE):
            canvas.faint(wall + column * on.width + on.scale, top, str(column + 1))
        top += 1
    for row in range(SIZE):
        level, is_open = top + row * on.scale, own and str(row + 1) in on.hint.open
        (canvas.accent if is_open else canvas.faint)(x, level, str(row + 1))
        _line(on, lines, level, board, row)
        _seam(on, wall - 2, level, is_open=is_open)
        _wall(on, wall, level, board, row)
        if own:
            _name_row(on, lines, wall, level, row)
    floor = top + SIZE * on.scale + on.scale - 1
    _floor(on, x, floor, board, is_open=own and "-" in on.hint.open)
    if own:
        canvas.spot("-", lines, floor, len(FLOOR_COSTS) * on.width, on.scale)
        _coming(on, lines, top, board)


def _seam(on: Drawing[View], x: int, y: int, *, is_open: bool) -> None:
    """Draw what separates a line from the wall: an arrow if the tiles may go there."""
    for line in range(on.scale):
        on.canvas.rule(x, y + line, "│")
    if is_open:
        on.canvas.accent(x, y, "▸")


def _line(on: Drawing[View], x: int, y: int, board: Board, row: int) -> None:
    tiles = board.lines[row]
    for space in range(row + 1):
        left = x + (SIZE - 1 - space) * on.width
        if space < len(tiles):
            on.canvas.tile(left, y, tiles[space], on.scale)
        else:
            on.canvas.empty(left, y, on.scale)


def _wall(on: Drawing[View], x: int, y: int, board: Board, row: int) -> None:
    ghosts = {wall_column(row, colour): colour for colour in COLOURS}
    for column, space in enumerate(board.wall[row]):
        left = x + column * on.width
        if space != EMPTY:
            on.canvas.tile(left, y, space, on.scale)
        elif on.view.config.wall == "grey":
            on.canvas.empty(left, y, on.scale)
        else:
            on.canvas.ghost(left, y, ghosts[column], on.scale)


def _name_row(on: Drawing[View], lines: int, wall: int, y: int, row: int) -> None:
    length = (row + 1) * on.width
    on.canvas.spot(str(row + 1), lines + SIZE * on.width - length, y, length, on.scale)
    for column in range(SIZE):
        on.canvas.spot(f"t{row + 1}{column + 1}", wall + column * on.width, y, on.width, on.scale)


def _floor(on: Drawing[View], x: int, y: int, board: Board, *, is_open: bool) -> None:
    """Draw the floor line; an empty space shows its cost."""
    canvas = on.canvas
    (canvas.accent if is_open else canvas.faint)(x, y, "-")
    for space, cost in enumerate(FLOOR_COSTS):
        left = x + 2 + space * on.width
        if space < len(board.floor):
            canvas.tile(left, y, board.floor[space], on.scale)
        else:
            canvas.empty(left, y, on.scale, mark=f"−{cost}")
    total = sum(floor_costs(board.floor))
    if total:
        left, text = x + 3 + len(FLOOR_COSTS) * on.width, f"= −{total}"
        canvas.loss(left, y, text)
        canvas.note(left, y, len(text), on.style.texts("azul.note.floor", n=total), "AZ23")


def _coming(on: Drawing[View], lines: int, top: int, board: Board) -> None:
    """Draw what the move would do: tiles in the line, on the floor and, if the round ended now, on the wall."""
    preview, canvas, width, scale = on.hint.preview, on.canvas, on.width, on.scale
    if not isinstance(preview, Preview):
        return
    colour, wall, floor = on.hint.move[1], lines + SIZE * width + 3, top + SIZE * scale + scale - 1
    if preview.line is not None:
        for space in preview.spaces:
            canvas.coming(lines + (SIZE - 1 - space) * width, top + preview.line * scale, colour, scale)
    for place, space in enumerate(preview.floor):
        piece = MARKER if preview.marker and place == 0 else colour
        canvas.coming(lines + space * width, floor, piece, scale)
    for placed in preview.placed:
        if board.wall[placed.row][placed.column] == EMPTY:
            canvas.coming(wall + placed.column * width, top + placed.row * scale, placed.colour, scale)


# Boards of which only letters are shown


def _miniature(on: Drawing[View], x: int, y: int, width: int, seat: Seat) -> None:
    """Draw a small board: capitals are tiles, small letters empty spaces."""
    board, canvas = on.view.boards[seat], on.canvas
    owner(on, x, y, width, Owner(seat, str(board.score), on.hint.sums.get(seat, ""), "AZ22"))
    for row, tiles in enumerate(board.lines):
        _specks(canvas, x, y + 1 + row, ("·" * (row + 1 - len(tiles)) + tiles.upper()).rjust(SIZE))
        canvas.rule(x + SIZE, y + 1 + row, "│")
        _specks(canvas, x + SIZE + 1, y + 1 + row, _wall_row(on.view, board, row))
    _specks(canvas, x, y + 1 + SIZE, board.floor[: len(FLOOR_COSTS)].upper())
    total = sum(floor_costs(board.floor))
    if total:
        canvas.loss(x + len(FLOOR_COSTS) + 1, y + 1 + SIZE, f"−{total}")


def _wall_row(view: View, board: Board, row: int) -> str:
    grey = view.config.wall == "grey"
    ghosts = "·" * SIZE if grey else [COLOURS[(column - row) % SIZE] for column in range(SIZE)]
    return "".join(
        ghost if tile == EMPTY else tile.upper() for ghost, tile in zip(ghosts, board.wall[row], strict=True)
    )


def _specks(canvas: Canvas, x: int, y: int, letters: str) -> None:
    for place, letter in enumerate(letters, x):
        if letter == "·":
            canvas.faint(place, y, letter)
        elif letter != " ":
            canvas.speck(place, y, letter)


# Sentences


def todo(view: View, style: Style) -> str:
    """Return what the viewer has to do now, in a sentence."""
    key = "azul.todo.take" if any(view.factories) or view.centre.strip(MARKER) else "azul.todo.place"
    return style.texts(key) if view.seat is not None and may_move(view, view.seat) else ""


def label(part: str, style: Style) -> str:  # noqa: ARG001
    """Return the part itself: every part has a place on the table."""
    return part
