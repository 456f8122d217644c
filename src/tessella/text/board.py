"""Any game that describes its board, as text: its zones with their pieces, and its events in its own words.

A game that does not describe its board is rendered field by field, as `plain` does.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from tessella.core.board import Board, Grid, Piece, Space, Stack, Track, Words, Zone, board_of
from tessella.core.game import AnyGame, Choose, Preview, Seat, View
from tessella.text import plain
from tessella.text.style import Entry, Style, side_by_side, visible

COLOUR_CODES: Mapping[str, str] = {
    "blue": "b",
    "yellow": "y",
    "red": "r",
    "black": "k",
    "white": "w",
    "turquoise": "t",
    "green": "g",
    "violet": "v",
}
HIDDEN = "▒▒"
FREE = "·"
LEAST_TEXT = 2
"""Spaces have room for two letters, so that they do not grow while a game is played."""


class BoardText:
    """The renderer of a game that describes its board."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def draw(self, view: View, style: Style) -> list[str]:
        """Return the shared zones, then those of each player side by side, from the seat of the view."""
        board = board_of(self.game, view)
        if board is None:
            return plain.draw(view, style)
        lines = [style.faint("   ".join(say(self.game, words, style) for words in board.facts)), ""]
        for zone in zones_of(board, None):
            lines += self._zone(zone, style)
        blocks = [self._player(board, view, seat, style) for seat in from_own_seat(view)]
        return [*lines, "", *side_by_side(blocks, style.width)]

    def _player(self, board: Board, view: View, seat: Seat, style: Style) -> list[str]:
        moves = isinstance(view.turn, Choose) and seat in view.turn.seats
        score = style.texts("points", n=board.scores[seat])
        head = f"{'▶ ' if moves else '  '}{style.strong(style.name(seat))}  {score}"
        return [head, *(line for zone in zones_of(board, seat) for line in self._zone(zone, style))]

    def _zone(self, zone: Zone, style: Style) -> list[str]:
        name = style.faint(say(self.game, zone.name, style))
        if isinstance(zone, Stack):
            return [f"  {name} {zone.count} {_drawn(zone.top, cell_width(zone), style) if zone.top else ''}".rstrip()]
        width = cell_width(zone)
        rows = [
            "  " + " ".join(_space(space, width, style) for space in row)
            for row in rows_of(zone, (style.width - 2) // (width + 1))
        ]
        return [f"  {name}", *(row.rstrip() for row in rows)]

    def describe(self, view: View, style: Style) -> list[str]:
        """Return the whole table in sentences, for a screen reader."""
        board = board_of(self.game, view)
        if board is None:
            return plain.draw(view, style)
        lines = [say(self.game, words, style) + "." for words in board.facts]
        lines += [self._sentence(zone, style) for zone in zones_of(board, None)]
        for seat in from_own_seat(view):
            moves = isinstance(view.turn, Choose) and seat in view.turn.seats
            score = style.texts("points", n=board.scores[seat])
            key = "aloud.owner_to_move" if moves else "aloud.owner"
            lines.append(style.texts(key, who=style.name(seat), score=score))
            lines += [self._sentence(zone, style) for zone in zones_of(board, seat)]
        return lines

    def _sentence(self, zone: Zone, style: Style) -> str:
        name, nothing = say(self.game, zone.name, style), style.texts("aloud.nothing")
        if isinstance(zone, Stack):
            top = f", {piece_name(self.game, zone.top, style)}" if zone.top else ""
            return f"{name}: {zone.count}{top}."
        laid = [self._named(space, style) for space in zone.spaces if space and space.piece]
        return f"{name}: {', '.join(laid) or nothing}."

    def _named(self, space: Space, style: Style) -> str:
        place = f"{say(self.game, space.name, style)} " if space.name else ""
        return place + (piece_name(self.game, space.piece, style) if space.piece else style.texts("aloud.nothing"))

    def narrate(self, event: Struct, style: Style) -> str:
        """Return the event in the words of the game; of its fields if it has none."""
        fields = {field: getattr(event, field) for field in event.__struct_fields__}
        key = type(event).__name__
        key = f"{key}.hidden" if None in fields.values() else key
        if not style.texts.has(f"{self.game.NAME}.{key}"):
            return plain.narrate(event, style)
        return say(self.game, Words(key, fields), style)

    def round_of(self, view: View) -> int:
        """Return the current round, or 0 if the game has none."""
        return plain.round_of(view)

    def explain(self, preview: Preview, style: Style) -> str:
        """Return the points of the move."""
        return plain.explain(preview, style)

    def points(self, event: Struct) -> list[Entry]:
        """Return a ledger entry for an event that has a seat and points."""
        return [(seat, f"{self.game.NAME}.{kind}.points", scored) for seat, kind, scored in plain.points(event)]


def say(game: AnyGame, words: Words, style: Style) -> str:
    """Return a text of the game; its key if there is no text."""
    key, blanks = f"{game.NAME}.{words.key}", dict[str, Any](words.blanks)
    if not style.texts.has(key):
        return words.key
    if isinstance(seat := blanks.get("seat"), int):
        blanks["seat"] = style.name(seat)
    return style.texts(key, **blanks)


def zones_of(board: Board, seat: Seat | None) -> list[Zone]:
    """Return the zones of a seat, or those that belong to everybody."""
    return [zone for zone in board.zones if zone.seat == seat]


def from_own_seat(view: View) -> list[Seat]:
    """Return the seats clockwise, from the viewer's own."""
    seats, first = view.config.seats, view.seat or 0
    return [(first + step) % seats for step in range(seats)]


def rows_of(zone: Grid | Track, per_row: int) -> list[tuple[Space | None, ...]]:
    """Return the spaces of a zone in rows; a track is wrapped."""
    columns = zone.columns if isinstance(zone, Grid) else max(1, per_row)
    return [zone.spaces[start : start + columns] for start in range(0, len(zone.spaces), columns)]


def cell_width(zone: Zone) -> int:
    """Return the columns that every space of a zone takes: its longest text, and one on each side."""
    spaces = [Space(zone.id, zone.top)] if isinstance(zone, Stack) else [space for space in zone.spaces if space]
    return 2 + max([LEAST_TEXT, *(len(face(space.piece)) if space.piece else len(space.hint) for space in spaces)])


def face(piece: Piece) -> str:
    """Return what is on a piece, as letters.

    >>> face(Piece("35", shape="domino")), face(Piece(colour="red"))
    ('3|5', 'R')
    """
    if piece.is_hidden:
        return HIDDEN
    if piece.shape == "domino":
        return "|".join(piece.text)
    return piece.text or COLOUR_CODES[piece.colour].upper()


def piece_name(game: AnyGame, piece: Piece, style: Style) -> str:
    """Return the name of a piece for people who cannot see it."""
    if piece.is_hidden:
        return style.texts("aloud.hidden")
    return say(game, piece.name, style) if piece.name else face(piece)


def _space(space: Space | None, width: int, style: Style) -> str:
    if space is None:
        return " " * width
    if space.piece is None:
        return style.faint((space.hint or FREE).center(width))
    return _drawn(space.piece, width, style)


def _drawn(piece: Piece, width: int, style: Style) -> str:
    text = face(piece)
    if piece.is_hidden:
        return style.faint(text.center(width))
    drawn = style.face(COLOUR_CODES[piece.colour], text)
    return drawn + " " * (width - visible(drawn))
