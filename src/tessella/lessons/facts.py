"""What the engine says about a step of a lesson: the source of every number in its texts.

A path begins with one of these names, followed by fields, `[index]` and `.#` for a length:

    preview.points          the preview of the move
    view.boards[0].score    the learner's view before the move; `after` is the one after it
    TilePlaced[1].points    the second event of this type since the step opened; without an index, the first
    pieces.FLOOR_COSTS[0]   a constant of the game, also `scoring.ROW_BONUS`
    move[2]                 a part of the move as it is written; `move[2:4]` for several characters; also `solution[2]`

A minus sign in front turns a loss into a number to be read: `-FloorScored.points`.
"""

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from msgspec import Struct

from tessella.lessons.lesson import Text

_PATH = re.compile(r"(?P<sign>-?)(?P<root>\w+)(?P<parts>(?:\.\w+|\.#|\[-?\d+(?::\d+)?\])*)")
_PART = re.compile(r"\.(?P<name>\w+)|\.(?P<length>#)|\[(?P<index>-?\d+)(?::(?P<end>\d+))?\]")
_BLANK = re.compile(r"\{(\w+)\}")


class Facts(Struct, frozen=True):
    """What is known about a step and a move in it; without a move, `after` is the view before it."""

    game: str
    events: Sequence[Any]
    view: Any
    after: Any
    preview: Any = None
    move: str = ""
    solution: str = ""

    def fill(self, text: Text, numbers: Mapping[str, str]) -> Text:
        """Return a text with the blanks filled in."""

        def fill(words: str) -> str:
            return _BLANK.sub(lambda blank: self.find(numbers[blank[1]]), words)

        return Text(*map(fill, text.in_each()))

    def find(self, path: str) -> str:
        """Return what a path leads to; raise `LookupError` or `AttributeError` if it leads nowhere."""
        found = _PATH.fullmatch(path)
        if found is None:
            raise LookupError(f"{path!r} is not a path: expected something like preview.points")
        parts = list(_PART.finditer(found["parts"]))
        value = self._root(found["root"], indexed=bool(parts and parts[0]["index"]))
        for part in parts:
            value = _follow(value, part)
        return str(-value if found["sign"] else value)

    def _root(self, name: str, *, indexed: bool) -> Any:  # noqa: ANN401
        match name:
            case "preview" | "view" | "after" | "move" | "solution":
                return getattr(self, name)
            case "pieces" | "scoring":
                return import_module(f"tessella.games.{self.game}.{name}")
            case _:
                found = [event for event in self.events if type(event).__name__ == name]
                return found if indexed else found[0]


def blanks(text: Text) -> set[str]:
    """Return the names of the blanks of a text."""
    return {name for each in text.in_each() for name in _BLANK.findall(each)}


def _follow(value: Any, part: re.Match[str]) -> Any:  # noqa: ANN401
    if part["name"]:
        return value[part["name"]] if isinstance(value, dict) else getattr(value, part["name"])  # pyright: ignore[reportUnknownVariableType]
    if part["length"]:
        return len(value)
    index = int(part["index"])
    return value[index : int(part["end"])] if part["end"] else value[index]
