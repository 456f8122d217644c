"""Blockers! on the full screen: the board on the left, the players beside it, the viewer's rack below."""

from collections.abc import Sequence

from tessella.core.game import Seat
from tessella.games.blockers.events import Tally
from tessella.games.blockers.pieces import (
    BLOCK_SIZE,
    EMPTY,
    EVERY_CELL,
    LETTERS,
    NUMBERS,
    SIZE,
    SYMBOLS,
    Cell,
    Colour,
    Face,
    name_cell,
)
from tessella.games.blockers.state import colours_of_game
from tessella.games.blockers.view import Hand, View
from tessella.terminal.tui.board_parts import Drawing, Hint, Owner, from_own_seat, heading, may_move, owner
from tessella.terminal.tui.canvas import Canvas
from tessella.terminal.tui.move_input import Parts
from tessella.text.blockers import GLYPHS, round_of, rounds
from tessella.text.style import Style

ASIDE = "aside"
STOCK = 10
"""The width of a player's stock in numbers, with the margins around the sum."""


def parts(text: str, view: View) -> Parts:  # noqa: ARG001
    """Return the parts of a move: a tile of the rack, then a cell."""
    tile, _, cell = text.partition("@")
    return tile, ASIDE if cell == "-" else cell[:2]


def draw(view: View, canvas: Canvas, hint: Hint, style: Style) -> None:
    """Draw the heading, the board, the players beside it, and the viewer's racks."""
    aim = style.texts(f"blockers.aim.{view.config.scoring}")
    title = style.texts("blockers.round", n=round_of(view), total=rounds(view))
    heading(canvas, title, [(aim, aim, _score_rule(view))])
    scale = 2 if canvas.width >= 98 and canvas.height >= 28 else 1
    on = Drawing(view, canvas, hint, style, scale)
    bottom = _board(on, 1, 1)
    _players(on, _board_width(on) + 3, 1, bottom)
    _racks(on, 1, bottom)


# The board


def _board_width(on: Drawing[View]) -> int:
    return 2 + SIZE * on.width + 4


def _at(on: Drawing[View], cell: Cell) -> tuple[int, int]:
    """Return the offset of a cell from the corner of the board; blocks have borders."""
    row, column = divmod(cell, SIZE)
    return 3 + column * on.width + column // BLOCK_SIZE, 2 + row * on.scale + row // BLOCK_SIZE


def _board(on: Drawing[View], x: int, y: int) -> int:
    """Draw the cells with the borders of their blocks; return the first free row."""
    for column, number in enumerate(NUMBERS):
        on.canvas.faint(x + _at(on, column)[0] + on.scale, y, number)
    for row, letter in enumerate(LETTERS):
        on.canvas.faint(x, y + _at(on, row * SIZE)[1], letter)
    _borders(on, x + 2, y + 1)
    for cell in EVERY_CELL:
        across, down = _at(on, cell)
        _cell(on, x + across, y + down, cell)
        on.canvas.spot(name_cell(cell), x + across, y + down, on.width, on.scale)
    return y + 2 + SIZE * on.scale + BLOCK_SIZE


def _borders(on: Drawing[View], x: int, y: int) -> None:
    span, high = BLOCK_SIZE * on.width, BLOCK_SIZE * on.scale
    for column in range(BLOCK_SIZE + 1):
        for row in range(BLOCK_SIZE * (high + 1)):
            on.canvas.rule(x + column * (span + 1), y + row, "│")
    for row, ends in enumerate(("┌┬┐", "├┼┤", "├┼┤", "└┴┘")):
        level = y + row * (high + 1)
        on.canvas.rule(x, level, ends[0] + ends[1].join(["─" * span] * BLOCK_SIZE) + ends[2])
        for place, symbol in enumerate(SYMBOLS[row * BLOCK_SIZE : (row + 1) * BLOCK_SIZE]):
            middle = x + place * (span + 1) + span // 2
            on.canvas.put(middle, level, GLYPHS[symbol])
            on.canvas.faint(middle + 1, level, f" {symbol}")


def _cell(on: Drawing[View], x: int, y: int, cell: Cell) -> None:
    """Draw a tile, an empty cell, or the tile of the move; highlight the cells that can be chosen."""
    canvas, scale, colour = on.canvas, on.scale, on.view.board.colours[cell]
    name = name_cell(cell)
    if on.hint.move and parts(on.hint.move, on.view)[1] == name:
        tile = parts(on.hint.move, on.view)[0]
        canvas.coming(x, y, tile[0] if len(tile) > 1 else _colour_of(on.view), scale, mark=glyph(tile[-1]))
    elif colour != EMPTY:
        canvas.piece(x, y, colour, glyph(on.view.board.faces[cell]), scale, after="×" if name in on.hint.open else " ")
    else:
        canvas.empty(x, y, scale)
        if name in on.hint.open:
            canvas.put(x + scale, y, "○", canvas.style(canvas.palette.accent, canvas.palette.panel, bold=True))


def _colour_of(view: View) -> str:
    """Return the viewer's colour, if each player has just one."""
    return next(hand.colour for hand in view.hands if hand.owner == view.seat)


def glyph(face: Face) -> str:
    """Return the character for a face."""
    return GLYPHS.get(face, face)


# The players


def _players(on: Drawing[View], x: int, y: int, bottom: int) -> None:
    seats = from_own_seat(on.view)
    pitch = max(3, min(7, (bottom - y) // len(seats)))
    for place, seat in enumerate(seats):
        _player(on, x, y + place * pitch, seat, roomy=pitch > 4)


def _player(on: Drawing[View], x: int, y: int, seat: Seat, *, roomy: bool) -> None:
    """Draw a player: name, colours, score with its sum, stock and captured tiles."""
    canvas, tally = on.canvas, on.view.tallies[seat]
    hands = [hand for hand in on.view.hands if hand.owner == seat]
    for place, hand in enumerate(hands):
        canvas.brick(x + 3 * place, y, hand.colour)
    left, score_sum = x + 3 * len(hands), sum_of(tally, on.style)
    whose = Owner(seat, str(tally.score), score_sum, _score_rule(on.view))
    owner(on, left, y, min(canvas.width - 1, x + 50) - left, whose)
    tight = not roomy and x + len(score_sum) + STOCK > canvas.width
    end = canvas.put(x + 3, y + 1, score_sum.rpartition(" = ")[0] if tight else score_sum) + 2
    _stock(on, x + 3 if roomy else end, y + 2 if roomy else y + 1, hands)
    below = y + 3 if roomy else y + 2
    end = _captured(on, x + 3, below, seat, spare=0 if roomy else _aside_width(on, hands))
    _aside(on, x + 3 if roomy else end, below + 1 if roomy else below, hands)


def _stock(on: Drawing[View], x: int, y: int, hands: Sequence[Hand]) -> None:
    """Draw the tiles in the racks and supplies, or only their numbers where space is short."""
    held, supply = sum(hand.held for hand in hands), sum(hand.supply for hand in hands)
    stock = on.style.texts("blockers.to_come", held=held, supply=supply)
    text = stock if x + len(stock) < on.canvas.width else f"{held}+{supply}"
    on.canvas.faint(x, y, text)
    on.canvas.note(x, y, len(text), on.style.texts("blockers.note.stock"), "BL16")


def _captured(on: Drawing[View], x: int, y: int, seat: Seat, spare: int) -> int:
    """Draw the captured tiles, or their number per colour if they are many; return the first free column."""
    heap = on.view.captured[seat]
    if len(heap) // 2 * 3 <= on.canvas.width - x - spare:
        for place in range(0, len(heap), 2):
            _token(on.canvas, x, y, heap[place], heap[place + 1])
            x += 3
        return x
    for colour, count in zip(colours_of_game(on.view.config), on.view.tallies[seat].captured, strict=True):
        if count:
            on.canvas.brick(x, y, colour)
            x = on.canvas.put(x + 2, y, f"×{count}") + 1
    return x


def _aside(on: Drawing[View], x: int, y: int, hands: Sequence[Hand]) -> None:
    """Draw the tiles put aside and, of other players, the visible ones they keep."""
    for hand in hands:
        for mark, faces in (("–", hand.aside), ("=", _kept(on, hand))):
            x = on.canvas.faint(x, y, f"{mark} ") if faces else x
            for face in faces:
                _token(on.canvas, x, y, hand.colour, face)
                x += 3


def _aside_width(on: Drawing[View], hands: Sequence[Hand]) -> int:
    return sum(2 + 3 * len(faces) for hand in hands for faces in (hand.aside, _kept(on, hand)) if faces)


def _kept(on: Drawing[View], hand: Hand) -> str:
    return hand.rack if hand.rack is not None and hand.owner != on.view.seat else ""


def _token(canvas: Canvas, x: int, y: int, colour: str, face: Face) -> None:
    body, ink = canvas.palette.tiles[colour]
    canvas.put(x, y, colour + glyph(face), canvas.style(ink, body, bold=True))


def sum_of(tally: Tally, style: Style) -> str:
    """Return the sum of the score: 3 groups + 2 captured (red) = 5."""
    groups = style.texts("blockers.groups", n=len(tally.groups))
    if tally.counted is None:
        return f"{groups} = {tally.score}"
    colour = style.texts(f"blockers.colour.{tally.counted}")
    captured = style.texts("blockers.counted", n=tally.score - len(tally.groups), colour=colour)
    return f"{groups} + {captured} = {tally.score}"


def _score_rule(view: View) -> str:
    if view.config.scoring == "uptown":
        return "BL23"
    return "BL33" if view.config.seats == 2 else "BL21"


# The racks


def _racks(on: Drawing[View], x: int, y: int) -> None:
    """Draw the viewer's tiles, with the letters to type for symbols."""
    own = [hand for hand in on.view.hands if hand.owner == on.view.seat and hand.rack]
    if not own:
        return
    left = on.canvas.strong(x, y, on.style.texts("blockers.rack")) + 2
    for hand in own:
        for face in hand.rack or "":
            _rack_tile(on, left, y, hand.colour, face)
            left += 6
        left += 1
    if ASIDE in on.hint.open:
        text = f"({on.style.texts('blockers.put_aside')})"
        on.canvas.accent(left, y, text)
        on.canvas.spot(ASIDE, left, y, len(text))


def _rack_tile(on: Drawing[View], x: int, y: int, colour: Colour, face: Face) -> None:
    body, ink = on.canvas.palette.tiles[colour]
    on.canvas.put(x, y, f" {colour}{glyph(face)} ", on.canvas.style(ink, body, bold=True))
    on.canvas.spot(colour + face if on.view.config.seats == 2 else face, x, y, 4)
    if face in SYMBOLS:
        on.canvas.faint(x + 4, y, face)


def todo(view: View, style: Style) -> str:
    """Return what the viewer has to do now, in a sentence."""
    return style.texts("blockers.todo") if view.seat is not None and may_move(view, view.seat) else ""


def label(part: str, style: Style) -> str:  # noqa: ARG001
    """Return the part itself: every part has a place on the table."""
    return part
