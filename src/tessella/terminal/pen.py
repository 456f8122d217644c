"""How things are drawn as text: tiles as coloured letters, readable without colour too.

A tile that is there is a capital letter in its colour, or in brackets where colours are off; the place of a tile
that is not there is a small, faint letter.
"""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TypeAlias

from tessella.core.game import Seat
from tessella.terminal.words import Words

_PAINT = {  # background, foreground and faint foreground of each colour letter, from the 256 colours of terminals
    "b": (26, 231, 68),
    "y": (178, 16, 179),
    "r": (160, 231, 167),
    "k": (237, 231, 245),
    "w": (254, 16, 252),
    "t": (37, 16, 73),
    "g": (34, 16, 71),
    "v": (91, 231, 134),
    "m": (231, 16, 231),
    "1": (231, 16, 231),
    "*": (253, 16, 253),
    "?": (253, 16, 253),
}
_EDGE = {"b": 153, "y": 94, "r": 217, "g": 22, "v": 183}
"""The letter at the edge of a tile that has a face: readable, but quieter than the face."""
Entry: TypeAlias = tuple[Seat, str, int]
"""A line of the ledger: the seat, the word for what scored, and the points."""

_RESET = "\x1b[0m"


class Pen:
    """Draws for one reader: in this language, with these names, in colour or not."""

    def __init__(self, words: Words, names: Sequence[str], *, colour: bool, width: int = 80) -> None:
        self.words = words
        self.names = names
        self.colour = colour
        self.width = width

    def name(self, seat: Seat) -> str:
        """The name of who sits there."""
        return self.names[seat] if seat < len(self.names) else self.words("seat", n=seat + 1)

    def tile(self, letter: str) -> str:
        """A tile, three columns wide."""
        if not self.colour:
            return f"[{letter.upper()}]"
        background, foreground, _ = _PAINT[letter]
        return f"\x1b[1;48;5;{background};38;5;{foreground}m {letter.upper()} {_RESET}"

    def chip(self, letter: str) -> str:
        """A capital letter or a small one in its colour, one column wide."""
        return self._wrap(f"1;38;5;{_PAINT[letter.lower()][2]}", letter)

    def brick(self, letter: str) -> str:
        """A tile where there is little room, two columns wide."""
        if not self.colour:
            return f" {letter.upper()}"
        background, foreground, _ = _PAINT[letter]
        return f"\x1b[1;48;5;{background};38;5;{foreground}m {letter.upper()}{_RESET}"

    def piece(self, letter: str, face: str) -> str:
        """A tile with a face: the letter of its colour at its edge, then what is printed on it."""
        if not self.colour:
            return letter + face
        background, foreground, _ = _PAINT[letter]
        edge = f"48;5;{background};38;5;{_EDGE[letter]}"
        return f"\x1b[{edge}m{letter}\x1b[1;38;5;{foreground}m{face}{_RESET}"

    def ghost(self, letter: str) -> str:
        """The place of a tile that is not there yet, three columns wide."""
        return self._wrap(f"38;5;{_PAINT[letter][2]}", f" {letter} ") if self.colour else f" {letter} "

    def empty(self) -> str:
        """A place for any tile, three columns wide."""
        return self.faint(" · ")

    def strong(self, text: str) -> str:
        """Text that matters most."""
        return self._wrap("1", text)

    def faint(self, text: str) -> str:
        """Text that may be overlooked."""
        return self._wrap("2", text)

    def gain(self, text: str) -> str:
        """Points won."""
        return self._wrap("32", text)

    def loss(self, text: str) -> str:
        """Points lost, or a refusal."""
        return self._wrap("31", text)

    def paragraph(self, text: str, indent: str = "") -> str:
        """Text in lines that fit."""
        return textwrap.fill(text, min(self.width, 100), initial_indent=indent, subsequent_indent=indent)

    def _wrap(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}{_RESET}" if self.colour else text


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
