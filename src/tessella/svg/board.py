"""Any game that describes its board as one picture: the shared zones on top, the players below, side by side."""

from collections.abc import Mapping, Sequence
from html import escape

from tessella.core.board import Board, Piece, Space, Stack, Zone, board_of
from tessella.core.game import AnyGame, Choose, Seat, View
from tessella.svg.drawing import RADIUS, STYLE, square, words
from tessella.text.board import face, from_own_seat, piece_name, rows_of, say, zones_of
from tessella.text.style import Style

CELL, GAP, MARGIN, HEAD, CAPTION = 40, 6, 16, 40, 22
PER_ROW = 12
"""The most spaces of a track in one row."""
COLOURS: Mapping[str, tuple[str, str, str]] = {
    "blue": ("#143a6e", "#2763b6", "#fff"),
    "yellow": ("#a26c04", "#f3b42a", "#452c00"),
    "red": ("#7a1d13", "#cb4130", "#fff"),
    "black": ("#0f1216", "#363b44", "#f4efe2"),
    "white": ("#b3b6a8", "#fbfaf4", "#22303c"),
    "turquoise": ("#0a4d4a", "#137572", "#fff"),
    "green": ("#1f4d22", "#2f7a37", "#fff"),
    "violet": ("#3f2160", "#6d3fa0", "#fff"),
}
"""The rim, the face and the writing of each colour, as in the browser client."""
HIDDEN = ("#6d6552", "#a89d84", "#f3ead6")


def picture(game: AnyGame, view: View, style: Style) -> str | None:
    """Return the table as one SVG element, as the seat of the view sees it; None if the game describes no board."""
    board = board_of(game, view)
    if board is None:
        return None
    shared, low = _column(game, zones_of(board, None), style, MARGIN, MARGIN)
    shapes, x, bottom, right = [shared], MARGIN, low, _width(zones_of(board, None)) + 2 * MARGIN
    for seat in from_own_seat(view):
        drawn, width, end = _player(game, board, view, seat, style, x, low)
        shapes.append(drawn)
        x, bottom, right = x + width + MARGIN, max(bottom, end), max(right, x + width + MARGIN)
    height = bottom + MARGIN
    title = escape(f"{game.NAME.title()}: {', '.join(map(style.name, range(view.config.seats)))}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tessella" viewBox="0 0 {right} {height}" role="img" '
        f'aria-label="{title}" width="{right}" style="max-width:100%;height:auto"><style>{STYLE}</style>'
        f'<rect width="{right}" height="{height}" rx="{RADIUS}" fill="var(--plaster)"/>{"".join(shapes)}</svg>'
    )


def _player(game: AnyGame, board: Board, view: View, seat: Seat, style: Style, x: int, y: int) -> tuple[str, int, int]:
    """Return the panel of a player, its width, and where it ends."""
    zones = zones_of(board, seat)
    width = max(220, _width(zones) + 2 * MARGIN)
    drawn, end = _column(game, zones, style, x + MARGIN, y + HEAD)
    lit = " lit" if isinstance(view.turn, Choose) and seat in view.turn.seats else ""
    panel = f'<rect x="{x}" y="{y}" width="{width}" height="{end - y}" rx="{RADIUS}" class="panel{lit}"/>'
    name = words(x + MARGIN, y + 26, style.name(seat), "strong")
    score = words(x + width - MARGIN, y + 28, str(board.scores[seat]), "serif title", "end")
    return panel + name + score + drawn, width, end


def _column(game: AnyGame, zones: Sequence[Zone], style: Style, x: int, y: int) -> tuple[str, int]:
    """Return zones below each other, and where they end."""
    shapes = ""
    for zone in zones:
        shapes += words(x, y + 14, say(game, zone.name, style), "soft") + _zone(game, zone, style, x, y + CAPTION)
        y += CAPTION + len(_rows(zone)) * (CELL + GAP) + GAP
    return shapes, y


def _rows(zone: Zone) -> list[tuple[Space | None, ...]]:
    return [(Space(zone.id, zone.top),)] if isinstance(zone, Stack) else rows_of(zone, PER_ROW)


def _cell(zone: Zone) -> int:
    """Return the width of a space: dominoes are twice as wide as high."""
    pieces = [space.piece for row in _rows(zone) for space in row if space and space.piece]
    return 2 * CELL if any(piece.shape == "domino" for piece in pieces) else CELL


def _width(zones: Sequence[Zone]) -> int:
    return max((max(map(len, _rows(zone)), default=0) * (_cell(zone) + GAP) for zone in zones), default=0)


def _zone(game: AnyGame, zone: Zone, style: Style, x: int, y: int) -> str:
    width, shapes = _cell(zone), ""
    for down, row in enumerate(_rows(zone)):
        for across, space in enumerate(row):
            at = x + across * (width + GAP), y + down * (CELL + GAP)
            if space is not None:
                shapes += _piece(game, space.piece, style, *at, width) if space.piece else square(*at, CELL)
    count = words(x + width + 10, y + 26, f"×{zone.count}", "count") if isinstance(zone, Stack) else ""
    return shapes + count


def _piece(game: AnyGame, piece: Piece, style: Style, x: int, y: int, width: int) -> str:
    rim, body, ink = HIDDEN if piece.is_hidden else COLOURS[piece.colour]
    radius = CELL / 2 if piece.shape == "disc" else 8
    box = f'x="{x}" y="{y}" width="{width}" rx="{radius}"'
    text = "◇" if piece.is_hidden else face(piece)
    return (
        f"<g><title>{escape(piece_name(game, piece, style))}</title>"
        f'<rect {box} height="{CELL}" fill="{rim}"/><rect {box} height="{CELL - 3}" fill="{body}"/>'
        f'<g fill="{ink}">{words(x + width / 2, y + 26, text, "face", "middle")}</g></g>'
    )
