"""SVG of an Azul table: the factories in a ring around the centre, and all boards."""

from collections.abc import Iterator
from math import cos, pi, sin

from tessella.core.game import Choose, Seat
from tessella.games.azul.pieces import COLOURS, EMPTY, FLOOR_COSTS, MARKER, SIZE, counts, factories_for
from tessella.games.azul.state import Board, Config
from tessella.games.azul.view import View
from tessella.svg import drawing
from tessella.svg.drawing import Contents, Label, Layout, Panel, Place
from tessella.svg.tiles import TILES, tile
from tessella.text.style import Style

GAP, PAD = 16, 16
OFFER = 392
"""Width of the ring of factories."""
TILE, STEP = 32, 35
HEAD = 44
"""Space for a name and a score above a board."""
BOARD = 2 * PAD + 2 * SIZE * STEP + 16
BOARD_HEIGHT = HEAD + SIZE * STEP + 66
TOP = 48
"""Space for the round above everything."""


def _columns(config: Config) -> int:
    return 1 if config.seats == 2 else 2


def _corner(config: Config, seat: Seat) -> tuple[float, float]:
    """Return the upper left corner of a seat's board."""
    row, column = divmod(seat, _columns(config))
    return GAP + OFFER + GAP + column * (BOARD + GAP), GAP + row * (BOARD_HEIGHT + GAP)


def layout_of(config: Config) -> Layout:
    """Return the table before anything lies on it."""
    seats, columns = range(config.seats), _columns(config)
    rows = -(-config.seats // columns)
    width = GAP + OFFER + columns * (GAP + BOARD) + GAP
    height = GAP + rows * (BOARD_HEIGHT + GAP)
    middle = TOP + (height - TOP) / 2
    corners = [_corner(config, seat) for seat in seats]
    printed = [*_ring(config, middle), *(part for corner in corners for part in _board(config, *corner))]
    return Layout(
        width=width,
        height=height,
        panels={f"seat{seat}": Panel(*corners[seat], BOARD, BOARD_HEIGHT) for seat in seats},
        printed="".join(printed),
        places=dict(_offer_places(config, middle))
        | {name: place for seat in seats for name, place in _board_places(seat, *corners[seat])},
        labels={"title": Label(GAP + 4, 40, "serif title"), "heaps": Label(GAP + OFFER - 4, 40, "soft", "end")}
        | {f"centre-{colour}": Label(x + 36, y + 22, "serif count") for colour, x, y in _heaps(middle)}
        | {name: label for seat in seats for name, label in _board_labels(seat, *corners[seat])},
        symbols=TILES,
    )


# The offer


def _factories(config: Config, middle: float) -> list[tuple[float, float]]:
    """Return the centres of the factories."""
    number = factories_for(config.seats)
    angles = [2 * pi * place / number - pi / 2 for place in range(number)]
    far = OFFER / 2 - _radius(config)
    return [(GAP + OFFER / 2 + far * cos(angle), middle + far * sin(angle)) for angle in angles]


def _radius(config: Config) -> float:
    return {5: 52, 7: 47, 9: 42}[factories_for(config.seats)]


def _ring(config: Config, middle: float) -> Iterator[str]:
    radius = _radius(config)
    yield drawing.circle(GAP + OFFER / 2, middle, OFFER / 2 - 2 * radius - 6, "dashed")
    for number, (x, y) in enumerate(_factories(config, middle), 1):
        yield drawing.circle(x, y, radius, "factory") + drawing.circle(x, y, radius - 5, "rim")
        yield drawing.tag(x, y + radius, str(number))


def _heaps(middle: float) -> list[tuple[str, float, float]]:
    """Return where each colour lies in the centre, and the marker after them."""
    left, top = GAP + OFFER / 2 - 56, middle - 52
    return [(colour, left + 62 * (place % 2), top + 37 * (place // 2)) for place, colour in enumerate(COLOURS + MARKER)]


def _offer_places(config: Config, middle: float) -> Iterator[tuple[str, Place]]:
    size = 0.58 * _radius(config)
    for number, (x, y) in enumerate(_factories(config, middle)):
        for spot in range(4):
            across, down = (spot % 2 - 1) * (size + 3) + 1.5, (spot // 2 - 1) * (size + 3) + 1.5
            yield f"f{number}-{spot}", Place(x + across, y + down, size)
    for colour, x, y in _heaps(middle):
        yield f"c-{colour}", Place(x, y, TILE)


# Boards


def _board(config: Config, left: float, top: float) -> Iterator[str]:
    for row in range(SIZE):
        y = top + HEAD + row * STEP
        for space in range(row + 1):
            yield drawing.square(_line_x(left, space), y, TILE)
        x = left + PAD + SIZE * STEP + 2
        yield f'<path d="M{x} {y + 11}l5 5-5 5" class="arrow"/>'
        for column in range(SIZE):
            x = _wall_x(left, column)
            yield drawing.square(x, y, TILE, "wall")
            if config.wall == "coloured":
                yield drawing.use(tile(COLOURS[(column - row) % SIZE]), x, y, TILE, "ghost")
    for space, cost in enumerate(FLOOR_COSTS):
        x = left + PAD + space * STEP
        yield drawing.words(x + TILE / 2, _floor_y(top) - 5, f"−{cost}", "small bad", "middle")
        yield drawing.square(x, _floor_y(top), TILE)


def _line_x(left: float, space: int) -> float:
    """Return the position of a space; spaces count from the right."""
    return left + PAD + (SIZE - 1 - space) * STEP


def _wall_x(left: float, column: int) -> float:
    return left + PAD + SIZE * STEP + 16 + column * STEP


def _floor_y(top: float) -> float:
    return top + HEAD + SIZE * STEP + 20


def _board_places(seat: Seat, left: float, top: float) -> Iterator[tuple[str, Place]]:
    for row in range(SIZE):
        y = top + HEAD + row * STEP
        for space in range(row + 1):
            yield f"l{seat}-{row}-{space}", Place(_line_x(left, space), y, TILE)
        for column in range(SIZE):
            yield f"w{seat}-{row}-{column}", Place(_wall_x(left, column), y, TILE)
    for space in range(len(FLOOR_COSTS) + 1):
        yield f"o{seat}-{space}", Place(left + PAD + space * STEP, _floor_y(top), TILE)


def _board_labels(seat: Seat, left: float, top: float) -> Iterator[tuple[str, Label]]:
    yield f"name{seat}", Label(left + PAD, top + 29, "strong")
    yield f"score{seat}", Label(left + BOARD - PAD, top + 31, "serif score", "end")


# Contents


def contents_of(view: View, style: Style) -> Contents:
    """Return what lies on the table."""
    lies = dict(_offer(view))
    says = {"title": style.texts("azul.round", n=view.round)}
    says["heaps"] = style.texts("azul.heaps", bag=sum(view.bag), lid=sum(view.lid))
    says |= {f"centre-{colour}": str(n) for colour, n in zip(COLOURS, counts(view.centre), strict=True) if n}
    for seat, board in enumerate(view.boards):
        lies |= dict(_lying(seat, board))
        says |= {f"name{seat}": style.name(seat), f"score{seat}": str(board.score)}
    seats = view.turn.seats if isinstance(view.turn, Choose) else ()
    return Contents(lies, says, [f"seat{seat}" for seat in seats])


def _offer(view: View) -> Iterator[tuple[str, str]]:
    for number, tiles in enumerate(view.factories):
        for spot, letter in enumerate(tiles):
            yield f"f{number}-{spot}", tile(letter)
    for letter in sorted(set(view.centre)):
        yield f"c-{letter}", tile(letter)


def _lying(seat: Seat, board: Board) -> Iterator[tuple[str, str]]:
    for row in range(SIZE):
        for space, letter in enumerate(board.lines[row]):
            yield f"l{seat}-{row}-{space}", tile(letter)
        for column, letter in enumerate(board.wall[row]):
            if letter != EMPTY:
                yield f"w{seat}-{row}-{column}", tile(letter)
    for space, letter in enumerate(board.floor):
        yield f"o{seat}-{space}", tile(letter)
