"""How things are drawn as text: tiles as coloured letters, readable without colour too.

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
from tessella.terminal.words import Words


class Stain(Struct, frozen=True):
    """A colour of tiles in codes of the terminal: its body, the letter on it, the letter alone, the one at its edge."""

    body: str
    letter: str
    ink: str
    edge: str


class Paint(Struct, frozen=True):
    """The colours of a pen: of tiles by their letters, of gains and losses, and of what may be overlooked."""

    tiles: Mapping[str, Stain]
    gain: str = "32"
    loss: str = "31"
    faint: str = "2"


def _stain(body: int, letter: int, ink: int, edge: int) -> Stain:
    """From the 256 colours that every terminal has."""
    return Stain(f"48;5;{body}", f"38;5;{letter}", f"38;5;{ink}", f"38;5;{edge}")


TERMINAL = Paint(
    {
        "b": _stain(26, 231, 68, 153),
        "y": _stain(178, 16, 179, 94),
        "r": _stain(160, 231, 167, 217),
        "k": _stain(237, 231, 245, 231),
        "w": _stain(254, 16, 252, 16),
        "t": _stain(37, 16, 73, 16),
        "g": _stain(34, 16, 71, 22),
        "v": _stain(91, 231, 134, 183),
        "m": _stain(231, 16, 231, 16),
        "1": _stain(231, 16, 231, 16),
        "*": _stain(253, 16, 253, 16),
        "?": _stain(253, 16, 253, 16),
    }
)
"""The edge is readable, but quieter than the face of a tile."""
Entry: TypeAlias = tuple[Seat, str, int]
"""A line of the ledger: the seat, the word for what scored, and the points."""

_RESET = "\x1b[0m"


class Pen:
    """Draws for one reader: in this language, with these names, in colour or not."""

    def __init__(
        self,
        words: Words,
        names: Sequence[str],
        *,
        colour: bool,
        width: int = 80,
        paint: Paint = TERMINAL,
        aloud: bool = False,
    ) -> None:
        self.words = words
        self.names = names
        self.colour = colour
        self.width = width
        self.paint = paint
        self.aloud = aloud
        """Whether the reader listens: then a table is told in sentences."""

    def name(self, seat: Seat) -> str:
        """The name of who sits there."""
        return self.names[seat] if seat < len(self.names) else self.words("seat", n=seat + 1)

    def tile(self, letter: str) -> str:
        """A tile, three columns wide."""
        if not self.colour:
            return f"[{letter.upper()}]"
        return self._on_tile(letter, f" {letter.upper()} ")

    def chip(self, letter: str) -> str:
        """A capital letter or a small one in its colour, one column wide."""
        return self._wrap(f"1;{self.paint.tiles[letter.lower()].ink}", letter)

    def brick(self, letter: str) -> str:
        """A tile where there is little room, two columns wide."""
        if not self.colour:
            return f" {letter.upper()}"
        return self._on_tile(letter, f" {letter.upper()}")

    def piece(self, letter: str, face: str) -> str:
        """A tile with a face: the letter of its colour at its edge, then what is printed on it."""
        if not self.colour:
            return letter + face
        stain = self.paint.tiles[letter]
        return f"\x1b[{stain.body};{stain.edge}m{letter}\x1b[1;{stain.letter}m{face}{_RESET}"

    def ghost(self, letter: str) -> str:
        """The place of a tile that is not there yet, three columns wide."""
        return self._wrap(self.paint.tiles[letter].ink, f" {letter} ")

    def empty(self) -> str:
        """A place for any tile, three columns wide."""
        return self.faint(" · ")

    def strong(self, text: str) -> str:
        """Text that matters most."""
        return self._wrap("1", text)

    def faint(self, text: str) -> str:
        """Text that may be overlooked."""
        return self._wrap(self.paint.faint, text)

    def gain(self, text: str) -> str:
        """Points won."""
        return self._wrap(self.paint.gain, text)

    def loss(self, text: str) -> str:
        """Points lost, or a refusal."""
        return self._wrap(self.paint.loss, text)

    def points(self, points: int) -> str:
        """What a thing brings, with its sign."""
        if points == 0:
            return "+0"
        return self.gain(f"+{points}") if points > 0 else self.loss(written(points))

    def paragraph(self, text: str, indent: str = "") -> str:
        """Text in lines that fit."""
        return textwrap.fill(text, min(self.width, 100), initial_indent=indent, subsequent_indent=indent)

    def _on_tile(self, letter: str, text: str) -> str:
        stain = self.paint.tiles[letter]
        return self._wrap(f"1;{stain.body};{stain.letter}", text)

    def _wrap(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}{_RESET}" if self.colour else text


def written(points: int) -> str:
    """A number of points with a true minus sign."""
    return f"−{-points}" if points < 0 else str(points)


def signed(points: int) -> str:
    """Points with their sign."""
    return written(points) if points < 0 else f"+{points}"


def wants_colour() -> bool:
    """Whether the terminal shows colours and its owner wants them (see no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width() -> int:
    """How many columns there are."""
    return shutil.get_terminal_size().columns


def visible(text: str) -> int:
    """How many columns a text takes: colours take none."""
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
    """Blocks of lines beside each other, in as many rows as the width asks for."""
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
