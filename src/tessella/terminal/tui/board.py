"""Any game that describes its board on the full screen: its shared zones on top, the players below, side by side."""

from msgspec import Struct
from rich.style import Style as RichStyle

from tessella.core.board import Board, Piece, Space, Stack, Zone, board_of, choice_for
from tessella.core.game import AnyGame, Choose, Seat, View
from tessella.terminal.tui.board_parts import Drawing, Hint, Owner, from_own_seat, heading, owner
from tessella.terminal.tui.canvas import Canvas
from tessella.terminal.tui.move_input import Parts
from tessella.text import plain
from tessella.text.board import COLOUR_CODES, FREE, cell_width, face, rows_of, say, zones_of
from tessella.text.style import Style

GAP = 4
"""Columns between zones and between players."""
LEAST_WIDTH = 26
"""The width of a player, at least."""
ROOMY = 26
"""From this many rows on, spaces are two rows high."""


class Size(Struct, frozen=True):
    """How many columns and rows something takes."""

    width: int
    height: int


class DescribedBoard:
    """The renderer of a game on the full screen; one that does not describe its board is shown field by field."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._labels: dict[str, str] = {}

    def parts(self, text: str, view: View) -> Parts:
        """Return the places to point at for a move; a move that lies nowhere is its own button."""
        choice = choice_for(self.game, view, text)
        if choice is None or not choice.steps:
            return (text,)
        return choice.steps

    def todo(self, view: View, style: Style) -> str:
        """Return what the viewer has to do now."""
        board = board_of(self.game, view)
        is_mine = isinstance(view.turn, Choose) and view.seat in view.turn.seats
        return say(self.game, board.todo, style) if board and board.todo and is_mine else ""

    def label(self, part: str, style: Style) -> str:  # noqa: ARG002
        """Return the move in words, as it was when the table was drawn last."""
        return self._labels.get(part, part)

    def draw(self, view: View, canvas: Canvas, hint: Hint, style: Style) -> None:
        """Draw the heading, the shared zones, and the players from the viewer's own seat on."""
        board = board_of(self.game, view)
        if board is None:
            for y, line in enumerate(plain.draw(view, Style(style.texts, style.names, colour=False))):
                canvas.put(1, y, line)
            return
        self._name_buttons(view, hint, style)
        facts = [say(self.game, words, style) for words in board.facts]
        heading(canvas, style.texts(f"screen.game.{self.game.NAME}"), [(fact, fact, "") for fact in facts])
        on = Drawing(view, canvas, hint, style, 2 if canvas.height >= ROOMY else 1)
        top = self._shared(on, zones_of(board, None), 2)
        self._players(on, board, top)

    def _name_buttons(self, view: View, hint: Hint, style: Style) -> None:
        for part in hint.open:
            try:
                choice = choice_for(self.game, view, part)
            except ValueError:  # a space of the board, no move
                continue
            if choice is not None and not choice.steps:
                self._labels[part] = say(self.game, choice.words, style)

    def _shared(self, on: Drawing[View], zones: list[Zone], y: int) -> int:
        """Draw zones from left to right, in as many rows as they need; return the first free row."""
        x, deep = 1, 0
        for zone in zones:
            size = self._size(on, zone)
            if x > 1 and x + size.width > on.canvas.width:
                x, y, deep = 1, y + deep + 1, 0
            self._zone(on, zone, x, y)
            x, deep = x + size.width + GAP, max(deep, size.height)
        return y + deep + (1 if zones else 0)

    def _players(self, on: Drawing[View], board: Board, y: int) -> None:
        x, deep = 1, 0
        for seat in from_own_seat(on.view):
            zones = zones_of(board, seat)
            sizes = [self._size(on, zone) for zone in zones]
            width = max([LEAST_WIDTH, *(size.width for size in sizes)])
            if x > 1 and x + width > on.canvas.width:
                x, y, deep = 1, y + deep + 1, 0
            self._player(on, board, seat, (x, y, width))
            x, deep = x + width + GAP, max(deep, 2 + sum(size.height for size in sizes))

    def _player(self, on: Drawing[View], board: Board, seat: Seat, at: tuple[int, int, int]) -> None:
        x, y, width = at
        score = on.style.texts("points", n=board.scores[seat])
        owner(on, x, y, width, Owner(seat, score, on.hint.sums.get(seat, score), ""))
        y += 1
        for zone in zones_of(board, seat):
            self._zone(on, zone, x + 2, y)
            y += self._size(on, zone).height

    def _size(self, on: Drawing[View], zone: Zone) -> Size:
        name = len(say(self.game, zone.name, on.style))
        if isinstance(zone, Stack):
            return Size(max(name, cell_width(zone) + 5), 1 + on.scale)
        rows = rows_of(zone, self._per_row(on, zone))
        columns = max(map(len, rows), default=0)
        return Size(max(name, columns * (cell_width(zone) + 1)), 1 + max(1, len(rows)) * on.scale)

    def _per_row(self, on: Drawing[View], zone: Zone) -> int:
        room = on.canvas.width - 4 if zone.seat is None else max(LEAST_WIDTH, on.canvas.width // 2 - GAP - 3)
        return room // (cell_width(zone) + 1)

    def _zone(self, on: Drawing[View], zone: Zone, x: int, y: int) -> None:
        canvas, width = on.canvas, cell_width(zone)
        canvas.faint(x, y, say(self.game, zone.name, on.style))
        if isinstance(zone, Stack):
            self._cell(on, Space(zone.id, zone.top), (x, y + 1, width))
            canvas.strong(x + width + 1, y + 1, f"×{zone.count}")
            return
        for down, row in enumerate(rows_of(zone, self._per_row(on, zone))):
            for across, space in enumerate(row):
                if space is not None:
                    self._cell(on, space, (x + across * (width + 1), y + 1 + down * on.scale, width))

    def _cell(self, on: Drawing[View], space: Space, at: tuple[int, int, int]) -> None:
        """Draw a space with its piece, or as free; mark those that can be chosen next."""
        canvas, (x, y, width), high = on.canvas, at, on.scale
        is_open = space.id in on.hint.open
        if space.piece is None:
            look = canvas.style(canvas.palette.accent if is_open else canvas.palette.faint, canvas.palette.panel)
            _fill(canvas, at, high, "○" if is_open else space.hint or FREE, look)
        else:
            _piece(canvas, at, high, space.piece)
        canvas.spot(space.id, x, y, width, high)


def _piece(canvas: Canvas, at: tuple[int, int, int], high: int, piece: Piece) -> None:
    if piece.is_hidden:
        _fill(canvas, at, high, face(piece), canvas.style(canvas.palette.faint, canvas.palette.panel))
        return
    body, ink = canvas.palette.tiles[COLOUR_CODES[piece.colour]]
    text = face(piece) if canvas.colour else f"[{face(piece)}]"
    _fill(canvas, at, high, text, canvas.style(ink, body, bold=True))


def _fill(canvas: Canvas, at: tuple[int, int, int], high: int, text: str, look: RichStyle) -> None:
    x, y, width = at
    for row in range(high):
        canvas.put(x, y + row, (text if row == 0 else "").center(width), look)
