"""SVG of an Azul Duel table: factories with a sun and a moon half, dome plates, and both boards."""

from collections.abc import Iterator

from tessella.core.game import Choose, Seat
from tessella.games.duel.pieces import (
    BROKEN_COSTS,
    CHIPS_PER_ROUND,
    EMPTY,
    LARGE,
    OPEN_PLATES,
    ROUNDS,
    SIZE,
    SLOTS,
    START_TILE_COST,
    Plate,
    kind_of,
)
from tessella.games.duel.state import Board, Config, spaces_beside
from tessella.games.duel.view import View
from tessella.svg import drawing
from tessella.svg.drawing import Contents, Label, Layout, Panel, Place
from tessella.svg.tiles import DUEL, NAMES, space, tile
from tessella.text.style import Style

GAP, PAD = 16, 16
TOP = 52
HEAD = 44
TILE, STEP, SEAM = 30, 32, 3
"""Size of a tile, distance between tiles, and extra space between plates."""
RADII = (72, 56, 56, 56, 56)
MIDDLE = TOP + RADII[LARGE]
BOARDS = MIDDLE + RADII[LARGE] + 24
BOARD = 2 * PAD + 2 * SIZE * STEP + 2 * SEAM + 38
BOARD_HEIGHT = HEAD + SIZE * STEP + 3 * SEAM + 68
WIDTH = 3 * GAP + 2 * BOARD
PLATE = 64
PLATES = WIDTH - GAP - 4 * PLATE - 3 * 10
"""Left edge of the open plates; the stack, or the drawn plates, come after them."""
CHIPS = CHIPS_PER_ROUND * ROUNDS
CHIP = 22
PILE = 0.4
"""Visible fraction of a tile under the one that lies on it."""


def _left(seat: Seat) -> float:
    return GAP + seat * (BOARD + GAP)


def layout_of(config: Config) -> Layout:
    """Return the table before anything lies on it."""
    seats = range(config.seats)
    return Layout(
        width=WIDTH,
        height=BOARDS + BOARD_HEIGHT + GAP,
        panels={f"seat{seat}": Panel(_left(seat), BOARDS, BOARD, BOARD_HEIGHT) for seat in seats},
        printed="".join([*_factories(), *_open_slots(), *(part for seat in seats for part in _board(_left(seat)))]),
        places=dict(_offer_places()) | {name: place for seat in seats for name, place in _board_places(seat)},
        labels={
            "title": Label(GAP + 4, 34, "serif title"),
            "heaps": Label(GAP + 110, 34, "soft"),
            "faces": Label(WIDTH - GAP - 4, 34, "soft", "end"),
            "stack": Label(_plate_x(OPEN_PLATES) + PLATE / 2, MIDDLE + PLATE / 2 + 18, "soft small", "middle"),
        }
        | {name: label for seat in seats for name, label in _board_labels(seat)},
        symbols=DUEL,
    )


# Factories


def _factory_x(number: int) -> float:
    return GAP + sum(2 * radius + 10 for radius in RADII[:number]) + RADII[number]


def _factories() -> Iterator[str]:
    for number, radius in enumerate(RADII):
        x = _factory_x(number)
        for half, sweep in (("day", 0), ("night", 1)):
            arc = f"M{x} {MIDDLE - radius}A{radius} {radius} 0 0 {sweep} {x} {MIDDLE + radius}z"
            yield f'<path d="{arc}" fill="var(--{half})" stroke="var(--plate-edge)"/>'
        yield drawing.circle(x, MIDDLE, radius - 3, "rim")
        yield drawing.tag(x, MIDDLE + radius, str(number))


def _offer_places() -> Iterator[tuple[str, Place]]:
    for number in range(len(RADII)):
        yield from _sun(number)
        yield from _large_moon() if number == LARGE else _small_moon(number)
    for number in range(OPEN_PLATES):
        yield from _plate_places(f"open{number}", _plate_x(number), MIDDLE - PLATE / 2, PLATE)
    yield "stack", Place(_plate_x(OPEN_PLATES), MIDDLE - PLATE / 2, PLATE)


def _sun(number: int) -> Iterator[tuple[str, Place]]:
    """Yield the places on a sun: two columns, and on the large factory a fifth tile below them."""
    size = 26 if number == LARGE else 23
    right, top = _factory_x(number) - 5, MIDDLE - size - 1.5 - (13 if number == LARGE else 0)
    for spot in range(5 if number == LARGE else 4):
        column = 0.5 if spot == 4 else spot % 2
        yield f"s{number}-{spot}", Place(right - (2 - column) * (size + 2), top + spot // 2 * (size + 2), size)


def _large_moon() -> Iterator[tuple[str, Place]]:
    left, top = _factory_x(LARGE) + 7, MIDDLE - 40.5
    for spot in range(4):
        yield f"n0-{spot}", Place(left + spot % 2 * 28, top + spot // 2 * 28, 26)
    yield "start", Place(left + 14, top + 56, 26)


def _small_moon(number: int) -> Iterator[tuple[str, Place]]:
    """Yield the places of a stack on a chip: lower tiles are drawn first, and further down."""
    left, size = _factory_x(number) + 11, 25
    yield f"chip{number}", Place(left - 1, MIDDLE - 2, 27)
    for spot in range(3):
        yield f"n{number}-{spot}", Place(left, MIDDLE - 8 - spot * PILE * size, size)


# Plates


def _plate_x(number: int) -> float:
    return PLATES + number * (PLATE + 10)


def _plate_places(name: str, x: float, y: float, size: float) -> Iterator[tuple[str, Place]]:
    yield name, Place(x, y, size)
    for spot in range(4):
        inner = 40 / 92 * size
        across, down = (5 + 42 * step for step in (spot % 2, spot // 2))
        yield f"{name}-{spot}", Place(x + across / 92 * size, y + down / 92 * size, inner, "printed")


def _open_slots() -> Iterator[str]:
    for number in range(OPEN_PLATES + 1):
        x, y = _plate_x(number), MIDDLE - PLATE / 2
        yield f'<rect x="{x}" y="{y}" width="{PLATE}" height="{PLATE}" rx="9" class="dashed"/>'


def _lay(name: str, plate: Plate) -> Iterator[tuple[str, str]]:
    if plate:
        yield name, "plate"
    for spot, letter in enumerate(plate):
        yield f"{name}-{spot}", space(letter)


# Boards


def _row_y(row: int) -> float:
    return BOARDS + HEAD + row * STEP + row // 2 * SEAM


def _line_x(left: float, place: int) -> float:
    """Return the position of a space; spaces count from the right."""
    return left + PAD + (SIZE - 1 - place) * STEP


def _dome_x(left: float, column: int) -> float:
    return left + PAD + SIZE * STEP + 18 + column * STEP + column // 2 * SEAM


def _foot_y() -> float:
    return BOARDS + BOARD_HEIGHT - 46


def _board(left: float) -> Iterator[str]:
    for row in range(SIZE):
        y = _row_y(row)
        for place in range(row + 1):
            yield drawing.square(_line_x(left, place), y, TILE)
        yield f'<path d="M{left + PAD + SIZE * STEP + 3} {y + 10}l5 5-5 5" class="arrow"/>'
        yield drawing.words(_dome_x(left, SIZE) + 8, y + 20, str(row + 1), "serif soft", "middle")
    for slot in range(SLOTS):
        x, y = _slot(left, slot)
        yield f'<rect x="{x}" y="{y}" width="{2 * STEP}" height="{2 * STEP}" rx="7" class="dashed"/>'
        yield drawing.words(x + STEP, y + STEP + 5, str(slot + 1), "serif soft", "middle")
    for place, cost in enumerate(BROKEN_COSTS[1:]):
        x = left + PAD + place * STEP
        yield drawing.words(x + TILE / 2, _foot_y() - 5, f"−{cost}", "small bad", "middle")
        yield drawing.square(x, _foot_y(), TILE)
    x = left + PAD + 4 * STEP + 8 + TILE / 2
    yield drawing.words(x, _foot_y() - 5, f"−{START_TILE_COST}", "small bad", "middle")
    yield drawing.circle(x, _foot_y() + TILE / 2, TILE / 2, "slot")


def _slot(left: float, slot: int) -> tuple[float, float]:
    return _dome_x(left, slot % 3 * 2) - 1, _row_y(slot // 3 * 2) - 1


def _board_places(seat: Seat) -> Iterator[tuple[str, Place]]:
    left = _left(seat)
    for row in range(SIZE):
        for place in range(row + 1):
            yield f"l{seat}-{row}-{place}", Place(_line_x(left, place), _row_y(row), TILE)
    for slot in range(SLOTS):
        yield f"p{seat}-{slot}", Place(*_slot(left, slot), 2 * STEP)
    for row in range(SIZE):
        for column in range(SIZE):
            yield f"d{seat}-{row}-{column}", Place(_dome_x(left, column), _row_y(row), TILE, "printed")
    for row in range(SIZE):
        for column in range(SIZE):
            yield f"w{seat}-{row}-{column}", Place(_dome_x(left, column), _row_y(row), TILE)
    for place in range(len(BROKEN_COSTS) - 1):
        yield f"o{seat}-{place}", Place(left + PAD + place * STEP, _foot_y(), TILE)
    yield f"a{seat}", Place(left + PAD + 4 * STEP + 8, _foot_y(), TILE)
    for place in range(CHIPS):
        x = left + BOARD - PAD - (CHIPS - place) * (CHIP + 2)
        yield f"h{seat}-{place}", Place(x, _foot_y() + 4, CHIP)


def _board_labels(seat: Seat) -> Iterator[tuple[str, Label]]:
    left = _left(seat)
    yield f"name{seat}", Label(left + PAD, BOARDS + 29, "strong")
    yield f"due{seat}", Label(left + BOARD - PAD - 56, BOARDS + 28, "soft small", "end")
    yield f"score{seat}", Label(left + BOARD - PAD, BOARDS + 31, "serif score", "end")


# Contents


def contents_of(view: View, style: Style) -> Contents:
    """Return what lies on the table."""
    lies = dict(_offer(view))
    says = _headings(view, style)
    for seat, board in enumerate(view.boards):
        lies |= dict(_lying(view, seat, board))
        due = f"{style.texts('duel.plates')} {view.tokens[seat]} · {style.texts('duel.chips')} {view.chips_due[seat]}"
        says |= {f"name{seat}": style.name(seat), f"score{seat}": str(board.score)}
        says[f"due{seat}"] = f"{style.texts('duel.todo')}: {due}"
    seats = view.turn.seats if isinstance(view.turn, Choose) else ()
    return Contents(lies, says, [f"seat{seat}" for seat in seats])


def _headings(view: View, style: Style) -> dict[str, str]:
    faces = " · ".join(style.texts(f"duel.face.{face}") for face in view.config.faces)
    drawn = style.texts("duel.drawn", who=style.name(view.current), n=len(view.hand)) if view.hand else ""
    return {
        "title": style.texts("duel.round", n=view.round),
        "heaps": style.texts("duel.heaps", bag=sum(view.bag), tower=sum(view.tower)),
        "faces": f"{style.texts('duel.faces')}: {faces}",
        "stack": drawn or style.texts("duel.stack", n=len(view.stack)),
    }


def _offer(view: View) -> Iterator[tuple[str, str]]:
    for number, factory in enumerate(view.factories):
        for spot, letter in enumerate(factory.sun):
            yield f"s{number}-{spot}", tile(letter)
        for spot, letter in enumerate(factory.moon):
            yield f"n{number}-{spot}", tile(letter)
        if factory.chip:
            yield f"chip{number}", _chip(factory.chip)
    if view.holder is None:
        yield "start", "tile-m"
    for number, plate in enumerate(view.open):
        yield from _lay(f"open{number}", plate)
    if view.stack:
        yield "stack", f"plate-{NAMES[kind_of(view.stack[0].face)]}"


def _chip(chip: str) -> str:
    return f"chip-{NAMES.get(chip, chip)}"


def _lying(view: View, seat: Seat, board: Board) -> Iterator[tuple[str, str]]:
    for slot, plate in enumerate(board.dome):
        if plate:
            yield f"p{seat}-{slot}", "plate"
    for row in range(SIZE):
        for place, letter in enumerate(board.lines[row]):
            yield f"l{seat}-{row}-{place}", tile(letter)
        for column, (printed, letter) in enumerate(zip(spaces_beside(board, row), board.tiles[row], strict=True)):
            if letter != EMPTY:
                yield f"w{seat}-{row}-{column}", tile(letter)
            elif printed != EMPTY:
                yield f"d{seat}-{row}-{column}", space(printed)
    for place, letter in enumerate(board.broken):
        yield f"o{seat}-{place}", tile(letter)
    if view.holder == seat:
        yield f"a{seat}", "tile-m"
    chips = [*map(_chip, board.chips), *("chip-back" for _ in board.spent)]
    yield from ((f"h{seat}-{place}", chip) for place, chip in enumerate(chips))
