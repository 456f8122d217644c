"""The table of each game on a full screen. A game without one of its own is shown as plain text, and still playable."""

from collections.abc import Mapping
from typing import Any, Protocol

from tessella.terminal import plain
from tessella.terminal.pen import Pen
from tessella.terminal.screen import azul, blockers, duel
from tessella.terminal.screen.canvas import Canvas
from tessella.terminal.screen.chooser import Parts
from tessella.terminal.screen.sketch import Hint


class ScreenFace(Protocol):
    """What a game must be able to draw; modules fit it as they are."""

    def parts(self, text: str, view: Any, /) -> Parts:  # noqa: ANN401
        """A move in notation as the places that one points at, one after the other."""
        ...

    def draw(self, view: Any, canvas: Canvas, hint: Hint, pen: Pen, /) -> None:  # noqa: ANN401
        """The table from the seat of the view; places that can be pointed at are named as in `parts`."""
        ...

    def todo(self, view: Any, pen: Pen, /) -> str:  # noqa: ANN401
        """What who looks is to do now, in a sentence; nothing if it is not their turn."""
        ...

    def label(self, part: str, pen: Pen, /) -> str:
        """What to write on the button of a part that has no place on the table."""
        ...


class PlainFace:
    """Any game: its view field by field, its moves as buttons."""

    def parts(self, text: str, view: Any) -> Parts:  # noqa: ANN401, ARG002
        """A move is chosen whole."""
        return (text,)

    def draw(self, view: Any, canvas: Canvas, hint: Hint, pen: Pen) -> None:  # noqa: ANN401, ARG002
        """Every field of the view on its own line."""
        for y, line in enumerate(plain.draw(view, Pen(pen.words, pen.names, colour=False))):
            canvas.put(1, y, line)

    def todo(self, view: Any, pen: Pen) -> str:  # noqa: ANN401, ARG002
        """Nothing is known of the game."""
        return ""

    def label(self, part: str, pen: Pen) -> str:  # noqa: ARG002
        """The move as it is written."""
        return part


FACES: Mapping[str, ScreenFace] = {"azul": azul, "blockers": blockers, "duel": duel}


def screen_face(game: str) -> ScreenFace:
    """The table of the game of that name."""
    return FACES.get(game) or PlainFace()
