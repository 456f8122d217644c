"""A canvas of characters with styles, and the places on it that can be pointed at.

Tiles are coloured letters, or letters in brackets where colours are off, so colour alone carries no meaning. A place
that can be pointed at is a `Spot`; a number that can explain itself is a `Note`.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tessella.text.style import ColourScheme, TileColours

MOTIFS = {"b": "✶", "y": "✿", "r": "❖", "k": "◎", "w": "≈", "t": "✕"}
"""The motif of each colour, on tiles large enough to show it."""


class Palette(Struct, frozen=True):
    """The colours of a theme: ground, ink, and the body and letter of each tile."""

    ground: str
    panel: str
    line: str
    ink: str
    faint: str
    accent: str
    gain: str
    loss: str
    tiles: Mapping[str, tuple[str, str]]


_CERAMICS = {
    "b": ("#2f66b3", "#ffffff"),
    "y": ("#dca72c", "#2a2008"),
    "r": ("#bd3b2e", "#ffffff"),
    "w": ("#dfe5e6", "#26323a"),
    "t": ("#2b9c93", "#061f1d"),
    "g": ("#4a9a4c", "#08200a"),
    "v": ("#7a4aa6", "#ffffff"),
    "m": ("#f7f3e8", "#1f4fa8"),
    "1": ("#f7f3e8", "#1f4fa8"),
    "*": ("#d9cdf0", "#3a2466"),
    "?": ("#cfc6b4", "#2a2620"),
}
DARK = Palette(
    "#24221e", "#2e2b26", "#575146", "#ece8df", "#9a9284", "#86b0f5", "#93c47d", "#ec8b7c",
    {**_CERAMICS, "k": ("#5a5f69", "#ffffff")},
)  # fmt: skip
LIGHT = Palette(
    "#efe9dd", "#faf7f0", "#bcb09a", "#2b2722", "#7a7162", "#1f4fa8", "#356f24", "#b3392b",
    {**_CERAMICS, "k": ("#2c2e33", "#ffffff"), "w": ("#c9d3d6", "#1d272d")},
)  # fmt: skip


def paint(palette: Palette) -> ColourScheme:
    """Return the colour scheme for sentences in the colours of this palette."""
    tiles = {letter: _tile_colours(palette, letter, *tones) for letter, tones in palette.tiles.items()}
    return ColourScheme(tiles, gain=_ink(palette.gain), loss=_ink(palette.loss), faint=_ink(palette.faint))


def _tile_colours(palette: Palette, letter: str, body: str, ink: str) -> TileColours:
    alone, edge = _ink_of(palette, letter), _mix(ink, body, 0.15)
    return TileColours(_code(48, body), _ink(ink), _ink(alone), _ink(edge))


def _ink(colour: str) -> str:
    return _code(38, colour)


def _code(kind: int, colour: str) -> str:
    """Return a colour as a terminal code.

    >>> _code(38, "#ff8000")
    '38;2;255;128;0'
    """
    return f"{kind};2;" + ";".join(str(int(colour[place : place + 2], 16)) for place in (1, 3, 5))


def _ink_of(palette: Palette, letter: str) -> str:
    """Return the colour of a tile as ink, readable on the ground."""
    body, _ = palette.tiles[letter]
    pale = letter in "mw1*?"
    if palette is DARK:
        return body if pale else _mix(body, "#ffffff", 0.25)
    return _mix(body, "#000000", 0.45 if pale else 0.25)


class Spot(Struct, frozen=True):
    """A place that can be pointed at. Several may share a name: all the red tiles of a factory."""

    name: str
    x: int
    y: int
    width: int = 1
    height: int = 1

    def holds(self, x: int, y: int) -> bool:
        """Return whether the point lies in the place."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """Return the middle, in columns; a row is about as high as two columns are wide."""
        return self.x + self.width / 2, 2 * self.y + self.height


class Note(Struct, frozen=True):
    """The explanation of a number, and its rule."""

    text: str
    rule: str = ""


class Canvas:
    """A canvas of fixed width that grows downwards."""

    def __init__(self, width: int, height: int, palette: Palette = DARK, *, colour: bool = True) -> None:
        self.width = width
        self.height = height
        """The rows that fit on the screen; a drawing may need more."""
        self.palette = palette
        self.colour = colour
        self.spots: list[Spot] = []
        self.notes: list[tuple[Spot, Note]] = []
        self._rows: list[list[tuple[str, Style]]] = []
        self._ground = self.style(palette.ink)

    # Text

    def style(self, ink: str, ground: str = "", *, bold: bool = False, underline: bool = False) -> Style:
        """Return a style; without colours only its weight remains."""
        if not self.colour:
            return _style("", "", bold, underline)
        return _style(ink, ground or self.palette.ground, bold, underline)

    def put(self, x: int, y: int, text: str, style: Style | None = None) -> int:
        """Write at a place, clipped to the canvas, and return the column after the text."""
        row = self._row(y)
        for place, letter in enumerate(text, x):
            if 0 <= place < self.width:
                row[place] = (letter, style or self._ground)
        return x + len(text)

    def strong(self, x: int, y: int, text: str) -> int:
        """Write emphasised text."""
        return self.put(x, y, text, self.style(self.palette.ink, bold=True))

    def faint(self, x: int, y: int, text: str) -> int:
        """Write secondary text."""
        return self.put(x, y, text, self.style(self.palette.faint))

    def accent(self, x: int, y: int, text: str) -> int:
        """Write text that asks for attention."""
        return self.put(x, y, text, self.style(self.palette.accent, bold=True))

    def loss(self, x: int, y: int, text: str) -> int:
        """Write a cost."""
        return self.put(x, y, text, self.style(self.palette.loss))

    def rule(self, x: int, y: int, text: str) -> int:
        """Draw lines."""
        return self.put(x, y, text, self.style(self.palette.line))

    def _row(self, y: int) -> list[tuple[str, Style]]:
        while len(self._rows) <= y:
            self._rows.append([(" ", self._ground)] * self.width)
        return self._rows[y]

    # Tiles: three columns wide and one row high; where there is room, five and two

    def tile(self, x: int, y: int, letter: str, scale: int = 1) -> None:
        """Draw a tile."""
        body, ink = self.palette.tiles[letter]
        motif = MOTIFS.get(letter, " ") if self.colour else " "
        self._block(x, y, scale, ("[", letter.upper(), "]"), motif, self.style(ink, body, bold=True))

    def coming(self, x: int, y: int, letter: str, scale: int = 1, *, mark: str = "") -> None:
        """Draw the outline of a tile that the move would place here."""
        style = self.style(self.ink_of(letter), self.palette.panel, bold=True)
        edges = ("┆", "┆") if self.colour else ("{", "}")
        for row in range(scale):
            text = (mark or letter.upper() if row == 0 else " ").center(2 * scale - 1)
            self.put(x, y + row, edges[0] + text + edges[1], style)

    def ghost(self, x: int, y: int, letter: str, scale: int = 1) -> None:
        """Draw the empty space of a tile."""
        style = self.style(self.ink_of(letter), self.palette.panel)
        self._block(x, y, scale, (" ", letter, " "), " ", style)

    def empty(self, x: int, y: int, scale: int = 1, *, mark: str = "·") -> None:
        """Draw a space for any tile, with its printed mark."""
        style = self.style(self.palette.faint, self.palette.panel)
        for row in range(scale):
            self.put(x, y + row, (mark if row == 0 else "").center(2 * scale + 1), style)

    def piece(self, x: int, y: int, letter: str, face: str, scale: int = 1, *, after: str = " ") -> None:
        """Draw a tile with a face: the letter of its colour, the face, then a mark."""
        body, ink = self.palette.tiles[letter]
        style = self.style(ink, body, bold=True)
        space = " " * (scale - 1)
        self.put(x, y, letter + space + face + space + after, style)
        for row in range(1, scale):
            self.put(x, y + row, " " * (2 * scale + 1) if self.colour else "└───┘", style)

    def brick(self, x: int, y: int, letter: str, scale: int = 1) -> None:
        """Draw a narrow tile, one column less per scale."""
        body, ink = self.palette.tiles[letter]
        self._narrow(x, y, letter.upper(), scale, self.style(ink, body, bold=True))

    def hollow(self, x: int, y: int, mark: str, scale: int = 1, *, colour: str = "") -> None:
        """Draw the space of a narrow tile, with a mark, in the colour that would fill it."""
        ink = self.ink_of(colour) if colour else self.palette.faint
        style = self.style(ink, self.palette.panel, bold=bool(colour))
        self._narrow(x, y, mark, scale, style, edge="┆" if colour else " ")

    def _narrow(self, x: int, y: int, mark: str, scale: int, style: Style, edge: str = " ") -> None:
        for row in range(scale):
            self.put(x, y + row, edge + (mark if row == 0 else " ") + " " * (scale - 1), style)

    def speck(self, x: int, y: int, letter: str) -> None:
        """Draw a tile one column wide."""
        if letter.isupper() or not letter.isalpha():
            body, ink = self.palette.tiles[letter.lower()]
            self.put(x, y, letter, self.style(ink, body, bold=True))
        else:
            self.put(x, y, letter, self.style(self.ink_of(letter), self.palette.panel))

    def chip(self, x: int, y: int, letter: str) -> None:
        """Draw a letter in its colour, one column wide."""
        self.put(x, y, letter, self.style(self.ink_of(letter.lower()), bold=True))

    def ink_of(self, letter: str) -> str:
        """Return the colour of a tile as ink."""
        return _ink_of(self.palette, letter)

    def _block(self, x: int, y: int, scale: int, marks: tuple[str, str, str], motif: str, style: Style) -> None:
        """Draw a tile's letter between its edges; brackets only without colours."""
        left, letter, right = marks
        if self.colour:
            left = right = " "
        middle = letter.center(2 * scale - 1)
        self.put(x, y, left + middle + right, style)
        for row in range(1, scale):
            self.put(x, y + row, left + motif.center(2 * scale - 1) + right, style)

    # What can be pointed at

    def spot(self, name: str, x: int, y: int, width: int, height: int = 1) -> None:
        """Name a place that can be pointed at."""
        self.spots.append(Spot(name, x, y, width, height))

    def note(self, x: int, y: int, width: int, text: str, rule: str = "") -> None:
        """Add an explanation to a place."""
        self.notes.append((Spot(f"note{len(self.notes)}", x, y, width), Note(text, rule)))

    def spot_at(self, x: int, y: int) -> str | None:
        """Return the name of the topmost place at a point, or None."""
        return next((spot.name for spot in reversed(self.spots) if spot.holds(x, y)), None)

    def note_at(self, x: int, y: int) -> Note | None:
        """Return the explanation at a point, or None."""
        return next((note for spot, note in reversed(self.notes) if spot.holds(x, y)), None)

    def frame(self, spots: Iterable[Spot], *, chosen: bool = False) -> None:
        """Frame places: the cursor, or the chosen parts."""
        ink = self.palette.accent if chosen else self.palette.ink
        marks = ("▌", "▐") if self.colour else ("<", ">")
        for spot in spots:
            for y in range(spot.y, spot.y + spot.height):
                if spot.width < 3 or not self.colour:
                    self._underline(spot.x, y, spot.width)
                self._mark(spot.x, y, marks[0], ink)
                if spot.width > 2:
                    self._mark(spot.x + spot.width - 1, y, marks[1], ink)

    def shine(self, spots: Iterable[Spot]) -> None:
        """Highlight places whose letters must stay readable."""
        for spot in spots:
            row = self._row(spot.y)
            for place in range(max(0, spot.x), min(spot.x + spot.width, self.width)):
                letter, under = row[place]
                row[place] = (letter, under + _SHINING)

    def _mark(self, x: int, y: int, mark: str, ink: str) -> None:
        if 0 <= x < self.width:
            row = self._row(y)
            _, under = row[x]
            row[x] = (mark, under + Style(color=ink if self.colour else None, bold=True))

    def _underline(self, x: int, y: int, width: int) -> None:
        row = self._row(y)
        for place in range(max(0, x), min(x + width, self.width)):
            letter, style = row[place]
            row[place] = (letter, style + Style(underline=True, bold=True))

    # Output

    @property
    def rows(self) -> int:
        """Return the number of rows drawn."""
        return len(self._rows)

    def strip(self, y: int) -> Strip:
        """Return a row for Textual."""
        if y >= len(self._rows):
            return Strip([Segment(" " * self.width, self._ground)], self.width)
        return Strip(_runs(self._rows[y]), self.width)

    def text(self) -> str:
        """Return the canvas as text without colours."""
        return "\n".join("".join(letter for letter, _ in row).rstrip() for row in self._rows)


_SHINING = Style(reverse=True, bold=True)


def _runs(row: Sequence[tuple[str, Style]]) -> list[Segment]:
    """Return the row as segments of equal style."""
    segments: list[Segment] = []
    start = 0
    for place in range(1, len(row) + 1):
        if place == len(row) or row[place][1] is not row[start][1]:
            segments.append(Segment("".join(letter for letter, _ in row[start:place]), row[start][1]))
            start = place
    return segments


@cache
def _style(ink: str, ground: str, bold: bool, underline: bool) -> Style:  # noqa: FBT001
    return Style(color=ink or None, bgcolor=ground or None, bold=bold or None, underline=underline or None)


@cache
def _mix(one: str, other: str, share: float) -> str:
    """Return a colour between two.

    >>> _mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    parts = [(int(one[place : place + 2], 16), int(other[place : place + 2], 16)) for place in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)
