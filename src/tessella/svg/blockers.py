"""SVG of a Blockers! table: the board with its nine blocks, and a panel for each player."""

from collections.abc import Iterator, Sequence
from math import cos, pi, sin

from tessella.core.game import Choose, Seat
from tessella.games.blockers.pieces import (
    BLOCK_SIZE,
    COLOURS,
    EMPTY,
    FACES,
    LETTERS,
    NUMBERS,
    PLAYS,
    RACK_SIZE,
    SIZE,
    SYMBOLS,
    WILD,
)
from tessella.games.blockers.state import Config, colours_of, colours_of_game
from tessella.games.blockers.view import View
from tessella.svg import drawing
from tessella.svg.drawing import Contents, Label, Layout, Panel, Place, Symbols
from tessella.text.style import Style

CELL = 46
BESIDE, ABOVE = 0.1, 0.34
"""Space between blocks, and above them for their symbol, in cells."""
GAP, PAD, EDGE = 16, 12, 18
TOP = 48
PLAYER = 330
TINTS = ("#c0813a", "#b0596b", "#8a8f3c", "#5a7aa8", "#7d9b88", "#b3703f", "#8d6aa5", "#a8923a", "#4d8f96")
INKS = {"b": "#123764", "y": "#4f3403", "r": "#6e1a11", "g": "#0f4124", "v": "#40205f"}
CREAM = "#fcf7ec"

# Tiles: each colour has its own notches and medallion, so that they can be told apart without colour

RIM = 19.25


def _turned(turn: int, u: float, v: float) -> str:
    x, y = ((u, v), (-v, u), (-u, -v), (v, -u))[turn]
    return f"{x:g} {y:g}"


def _rim(notches: Sequence[float], corner: str = "round", every: int = 1) -> str:
    """Return the rim of a tile: notches on each side, or on every second one, and a kind of corner."""
    size = 6.5 if corner == "round" else 7.5
    path = [f"M{_turned(0, -RIM + size, -RIM)}"]
    for turn in range(4):
        for u in () if turn % every else notches:
            path += [f"L{_turned(turn, *spot)}" for spot in ((u - 2.4, -RIM), (u, -RIM + 4), (u + 2.4, -RIM))]
        end = _turned(turn, RIM, -RIM + size)
        bends = {"round": f"Q{_turned(turn, RIM, -RIM)} {end}", "cut": f"L{end}", "bite": f"A{size} {size} 0 0 0 {end}"}
        path += [f"L{_turned(turn, RIM - size, -RIM)}", bends[corner]]
    return "".join(path) + "z"


def _star(points: int, outer: float, inner: float) -> str:
    spots = [(inner if number % 2 else outer, number * pi / points - pi / 2) for number in range(2 * points)]
    return "M" + "L".join(f"{far * cos(angle):.2f} {far * sin(angle):.2f}" for far, angle in spots) + "z"


def _around(shape: str, times: int) -> str:
    return "".join(f'<g transform="rotate({360 * turn // times})">{shape}</g>' for turn in range(times))


LEAF = "M-12.2 1Q-12.2-12.2 1-12.2H12.2V-1Q12.2 12.2-1 12.2H-12.2z"
HOOP = f'<circle r="11.2"/><circle r="14" fill="none" stroke="{CREAM}" stroke-width="1.9"/>'
BODIES = {
    "b": ("#173f73", "#2a68b4", _rim([0]), f'<path d="{_star(8, 15.2, 12)}"/>'),
    "y": ("#96650a", "#eeb02c", _rim([-6, 6]), _around('<circle cy="-8" r="6"/>', 6) + '<circle r="9"/>'),
    "r": ("#7c1e14", "#c5402f", _rim([], "cut"), '<path d="M0-16.4L16.4 0 0 16.4-16.4 0z"/>'),
    "g": ("#14502c", "#2f8a4e", _rim([-8, 0, 8], every=2), f'<path d="{LEAF}"/>'),
    "v": ("#452169", "#7d4db3", _rim([], "bite"), HOOP),
}
"""The rim, the glaze, the outline and the medallion of each colour."""
MARKS = {
    "s": '<circle r="4.1"/>' + _around('<path d="M-1.1-5.4h2.2L0-8.8z"/>', 8),
    "h": '<path d="M0 7.8C-9.6 1.4-8.6-6.8-3.9-6.8-1.6-6.8 0-5 0-3.4 0-5 1.6-6.8 3.9-6.8 8.6-6.8 9.6 1.4 0 7.8z"/>',
    "a": f'<path d="{_star(5, 8.6, 3.7)}" transform="translate(0 0.7)"/>',
    "p": '<path d="M0-8.2C3-4 7.6-1.8 7.6 2 7.6 5 4.9 6.2 3 5.3 2.1 4.9 1.3 4.2.9 3.4L2.8 8.2H-2.8L-.9 3.4C-1.3 4.2'
    '-2.1 4.9-3 5.3-4.9 6.2-7.6 5-7.6 2-7.6-1.8-3-4 0-8.2z"/>',
    "d": '<path d="M0-8.6L6.2 0 0 8.6-6.2 0z"/>',
    "c": '<circle cy="-4.2" r="3.7"/><circle cx="-4" cy="1.9" r="3.7"/><circle cx="4" cy="1.9" r="3.7"/>'
    '<path d="M-1.2-2h2.4L2.8 8.2H-2.8z"/>',
    "m": '<path d="M3.6-8A8.2 8.2 0 1 0 8 4.4 7 7 0 0 1 3.6-8z" transform="translate(-0.6 0)"/>',
    "t": '<path d="M0-7.6L8.2 6.4H-8.2z"/>',
    "o": '<circle r="6.8"/>',
    WILD: _around('<path d="M0-9.2L3.7-4.6H1.2V0H-1.2V-4.6H-3.7z"/>', 4),
}


def _body(colour: str) -> str:
    dark, glaze, rim, medal = BODIES[colour]
    return (
        f'-20 -20 40 40|<path d="{rim}" fill="{dark}"/>'
        f'<path d="{rim}" fill="{glaze}" transform="translate(0 -0.7) scale(0.945)"/><g fill="{CREAM}">{medal}</g>'
    )


def _piece(colour: str, face: str) -> str:
    ink = INKS[colour]
    body = f"-20 -20 40 40|{drawing.use(f'body-{colour}', -20, -20, 40)}"
    if face in MARKS:
        return f'{body}<g fill="{ink}" transform="scale({1.05 if face == WILD else 0.95})">{MARKS[face]}</g>'
    return f'{body}<g fill="{ink}"><text y="6.6" text-anchor="middle" class="face">{face}</text></g>'


PIECES: Symbols = {f"body-{colour}": _body(colour) for colour in COLOURS} | {
    f"{colour}{face}": _piece(colour, face) for colour in COLOURS for face in FACES
}

# The table


def _x(column: int) -> float:
    return GAP + EDGE + CELL * (column + BESIDE * (column // BLOCK_SIZE))


def _y(row: int) -> float:
    return TOP + EDGE + CELL * (row + ABOVE * (row // BLOCK_SIZE + 1))


BOTTOM = _y(SIZE - 1) + CELL
LEFT = _x(SIZE - 1) + CELL + 2 * GAP
"""Left edge of the players' panels."""


def layout_of(config: Config) -> Layout:
    """Return the table before anything lies on it."""
    seats = range(config.seats)
    step = (BOTTOM - TOP + GAP) / config.seats
    tops = [TOP + seat * step for seat in seats]
    return Layout(
        width=LEFT + PLAYER + GAP,
        height=BOTTOM + GAP,
        panels={f"seat{seat}": Panel(LEFT, tops[seat], PLAYER, step - GAP / 2) for seat in seats},
        printed="".join(_board()),
        places={f"cell-{cell}": Place(_x(cell % SIZE) + 2.3, _y(cell // SIZE) + 2.3, CELL - 4.6) for cell in range(81)}
        | {name: place for seat in seats for name, place in _player_places(config, seat, tops[seat])},
        labels={"title": Label(GAP + 4, 36, "serif title"), "aim": Label(LEFT + PLAYER - 4, 36, "soft", "end")}
        | {name: label for seat in seats for name, label in _player_labels(config, seat, tops[seat])},
        symbols=PIECES,
    )


def _board() -> Iterator[str]:
    for place in range(SIZE):
        yield drawing.words(_x(place) + CELL / 2, TOP + EDGE - 5, NUMBERS[place], "soft small", "middle")
        yield drawing.words(GAP + EDGE - 8, _y(place) + CELL / 2 + 4, LETTERS[place], "soft small", "middle")
    for block, tint in enumerate(TINTS):
        yield _block(_x(block % 3 * 3), _y(block // 3 * 3), tint, MARKS[SYMBOLS[block]])
    for cell in range(SIZE * SIZE):
        x, y = _x(cell % SIZE) + 2.3, _y(cell // SIZE) + 2.3
        yield f'<rect x="{x:.1f}" y="{y:.1f}" width="{CELL - 4.6}" height="{CELL - 4.6}" rx="8" class="cell"/>'


def _block(x: float, y: float, tint: str, mark: str) -> str:
    """Return a tinted block with its symbol above it and, large and faint, in it."""
    above, side = ABOVE * CELL, 3 * CELL
    mixed, middle = f"color-mix(in srgb,{tint} 62%,var(--ink))", f"{x + side / 2:.1f}"
    return (
        f'<rect x="{x:.1f}" y="{y - above:.1f}" width="{side}" height="{side + above:.1f}" rx="8" '
        f'fill="color-mix(in srgb,{tint} var(--tint),var(--panel))" '
        f'stroke="color-mix(in srgb,{tint} 30%,var(--panel))"/>'
        f'<g fill="{mixed}" transform="translate({middle} {y - above / 2 + 1:.1f}) scale(.62)">{mark}</g>'
        f'<g fill="{mixed}" opacity=".17" transform="translate({middle} {y + side / 2:.1f}) scale(5.2)">'
        f"{mark}</g>"
    )


def _player_places(config: Config, seat: Seat, top: float) -> Iterator[tuple[str, Place]]:
    for row, colour in enumerate(colours_of(config, seat)):
        for spot in range(RACK_SIZE):
            yield f"rack-{colour}-{spot}", Place(LEFT + PAD + 35 * spot, _rack_y(top, row), 32, quiet=True)
    for spot, colour in enumerate(colours_of_game(config)):
        x, y = _captured(spot, top)
        yield f"captured-{seat}-{colour}", Place(x, y, 20)


def _rack_y(top: float, row: int) -> float:
    """Return the top of a rack; with two players the second rack is below the first."""
    return top + 35 + 56 * row


def _captured(spot: int, top: float) -> tuple[float, float]:
    return LEFT + PLAYER - PAD - 132 + 44 * (spot % 3), top + 36 + 24 * (spot // 3)


def _player_labels(config: Config, seat: Seat, top: float) -> Iterator[tuple[str, Label]]:
    yield f"name{seat}", Label(LEFT + PAD, top + 25, "strong")
    yield f"score{seat}", Label(LEFT + PLAYER - PAD, top + 27, "serif score", "end")
    yield f"sum{seat}", Label(LEFT + PLAYER - PAD - 44, top + 24, "soft small", "end")
    for row, colour in enumerate(colours_of(config, seat)):
        yield f"stock-{colour}", Label(LEFT + PAD, _rack_y(top, row) + 47, "soft small")
    for spot, colour in enumerate(colours_of_game(config)):
        x, y = _captured(spot, top)
        yield f"count-{seat}-{colour}", Label(x + 24, y + 15, "serif")


# Contents


def contents_of(view: View, style: Style) -> Contents:
    """Return what lies on the table; hidden racks show backs."""
    lies = dict(_lying(view))
    rounds = PLAYS * len(view.hands) // view.config.seats
    lap = min(sum(hand.played for hand in view.hands) // view.config.seats + 1, rounds)
    says = {"title": style.texts("blockers.round", n=lap, total=rounds)}
    says["aim"] = style.texts(f"blockers.aim.{view.config.scoring}")
    for seat, tally in enumerate(view.tallies):
        says |= {f"name{seat}": style.name(seat), f"score{seat}": str(tally.score)}
        says[f"sum{seat}"] = style.texts("blockers.groups", n=len(tally.groups))
        for colour, count in zip(colours_of_game(view.config), tally.captured, strict=True):
            if count:
                lies[f"captured-{seat}-{colour}"] = f"body-{colour}"
                says[f"count-{seat}-{colour}"] = str(count)
    for hand in view.hands:
        says[f"stock-{hand.colour}"] = style.texts("blockers.to_come", held=hand.held, supply=hand.supply)
    seats = view.turn.seats if isinstance(view.turn, Choose) else ()
    return Contents(lies, says, [f"seat{seat}" for seat in seats])


def _lying(view: View) -> Iterator[tuple[str, str]]:
    for cell, colour in enumerate(view.board.colours):
        if colour != EMPTY:
            yield f"cell-{cell}", colour + view.board.faces[cell]
    for hand in view.hands:
        for spot in range(hand.held):
            face = hand.rack[spot] if hand.rack is not None else ""
            yield f"rack-{hand.colour}-{spot}", hand.colour + face if face else f"body-{hand.colour}"
