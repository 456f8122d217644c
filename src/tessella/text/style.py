"""Styles of text: tiles as coloured letters, readable without colour too.

A tile that is there is a capital letter in its colour, or in brackets where colours are off; the place of a tile
that is not there is a small, faint letter.
"""

import os
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from tessella.core.game import Seat
from tessella.text.i18n import Translations


class TileColours(Struct, frozen=True):
    """The terminal codes of a tile colour: its body, the letter on it, the letter alone, the letter at its edge."""

    body: str
    letter: str
    ink: str
    edge: str


class ColourScheme(Struct, frozen=True):
    """The colours of a style: tiles by letter, gains, losses and secondary text."""

    tiles: Mapping[str, TileColours]
    gain: str = "32"
    loss: str = "31"
    faint: str = "2"


def _tile_colours(body: int, letter: int, ink: int, edge: int) -> TileColours:
    """Return colours from the 256 of the terminal."""
    return TileColours(f"48;5;{body}", f"38;5;{letter}", f"38;5;{ink}", f"38;5;{edge}")


TERMINAL = ColourScheme(
    {
        "b": _tile_colours(26, 231, 68, 153),
        "y": _tile_colours(178, 16, 179, 94),
        "r": _tile_colours(160, 231, 167, 217),
        "k": _tile_colours(237, 231, 245, 231),
        "w": _tile_colours(254, 16, 252, 16),
        "t": _tile_colours(37, 16, 73, 16),
        "g": _tile_colours(34, 16, 71, 22),
        "v": _tile_colours(91, 231, 134, 183),
        "m": _tile_colours(231, 16, 231, 16),
        "1": _tile_colours(231, 16, 231, 16),
        "*": _tile_colours(253, 16, 253, 16),
        "?": _tile_colours(253, 16, 253, 16),
    }
)
"""The edge is readable, but less prominent than the face of a tile."""
Entry: TypeAlias = tuple[Seat, str, int]
"""A line of the ledger: the seat, the key of what scored, and the points."""

_RESET = "\x1b[0m"


class Style:
    """How text is written for one reader: language, player names, colours and width."""

    def __init__(
        self,
        texts: Translations,
        names: Sequence[str],
        *,
        colour: bool,
        width: int = 80,
        scheme: ColourScheme = TERMINAL,
        aloud: bool = False,
    ) -> None:
        self.texts = texts
        self.names = names
        self.colour = colour
        self.width = width
        self.scheme = scheme
        self.aloud = aloud
        """Whether to describe tables in sentences, for a screen reader."""

    def name(self, seat: Seat) -> str:
        """Return the name of the player in a seat."""
        return self.names[seat] if seat < len(self.names) else self.texts("seat", n=seat + 1)

    def tile(self, letter: str) -> str:
        """Return a tile, three columns wide."""
        if not self.colour:
            return f"[{letter.upper()}]"
        return self._on_tile(letter, f" {letter.upper()} ")

    def face(self, letter: str, text: str) -> str:
        """Return text on a tile of a colour, two columns wider than the text."""
        return self._on_tile(letter, f" {text} ") if self.colour else f"[{text}]"

    def chip(self, letter: str) -> str:
        """Return a letter in its colour, one column wide."""
        return self._wrap(f"1;{self.scheme.tiles[letter.lower()].ink}", letter)

    def brick(self, letter: str) -> str:
        """Return a narrow tile, two columns wide."""
        if not self.colour:
            return f" {letter.upper()}"
        return self._on_tile(letter, f" {letter.upper()}")

    def piece(self, letter: str, face: str) -> str:
        """Return a tile with a face: the letter of its colour, then the face."""
        if not self.colour:
            return letter + face
        colours = self.scheme.tiles[letter]
        return f"\x1b[{colours.body};{colours.edge}m{letter}\x1b[1;{colours.letter}m{face}{_RESET}"

    def ghost(self, letter: str) -> str:
        """Return the empty space of a tile, three columns wide."""
        return self._wrap(self.scheme.tiles[letter].ink, f" {letter} ")

    def empty(self) -> str:
        """Return a space for any tile, three columns wide."""
        return self.faint(" · ")

    def strong(self, text: str) -> str:
        """Return emphasised text."""
        return self._wrap("1", text)

    def faint(self, text: str) -> str:
        """Return secondary text."""
        return self._wrap(self.scheme.faint, text)

    def gain(self, text: str) -> str:
        """Return text in the colour of gains."""
        return self._wrap(self.scheme.gain, text)

    def loss(self, text: str) -> str:
        """Return text in the colour of losses and errors."""
        return self._wrap(self.scheme.loss, text)

    def points(self, points: int) -> str:
        """Return points with their sign, coloured."""
        if points == 0:
            return "+0"
        return self.gain(f"+{points}") if points > 0 else self.loss(written(points))

    def paragraph(self, text: str, indent: str = "") -> str:
        """Return text wrapped to the width."""
        return textwrap.fill(text, min(self.width, 100), initial_indent=indent, subsequent_indent=indent)

    def _on_tile(self, letter: str, text: str) -> str:
        colours = self.scheme.tiles[letter]
        return self._wrap(f"1;{colours.body};{colours.letter}", text)

    def _wrap(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}{_RESET}" if self.colour else text


def written(points: int) -> str:
    """Return a number with a typographic minus sign."""
    return f"−{-points}" if points < 0 else str(points)


def signed(points: int) -> str:
    """Return points with their sign."""
    return written(points) if points < 0 else f"+{points}"


def wants_colour() -> bool:
    """Return whether the terminal shows colours and the user wants them (see no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width() -> int:
    """Return the number of columns of the terminal."""
    return shutil.get_terminal_size().columns


def visible(text: str) -> int:
    """Return the number of columns a text takes, ignoring colour codes."""
    shown, escaped = 0, False
    for letter in text:
        if letter == "\x1b":
            escaped = True
        elif escaped:
            escaped = letter != "m"
        else:
            shown += 1
    return shown


def side_by_side(blocks: Sequence[Sequence[str]], width: int, gap: int = 3) -> list[str]:
    """Return blocks of lines side by side, wrapped to the width."""
    widest = max(visible(line) for block in blocks for line in block)
    per_row = max(1, (width + gap) // (widest + gap))
    lines: list[str] = []
    for first in range(0, len(blocks), per_row):
        row = blocks[first : first + per_row]
        height = max(map(len, row))
        padded = [[*block, *[""] * (height - len(block))] for block in row]
        for parts in zip(*padded, strict=True):
            line = (" " * gap).join(part + " " * (widest - visible(part)) for part in parts)
            lines += [line.rstrip()]
        lines += [""]
    return lines
