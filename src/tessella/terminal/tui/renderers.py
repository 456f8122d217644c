"""Renderers of each game on the full screen. A game without one of its own is drawn by its description of the board."""

from collections.abc import Mapping
from typing import Any, Protocol

from tessella.games import GAMES
from tessella.terminal.tui import azul, blockers, duel
from tessella.terminal.tui.board import DescribedBoard
from tessella.terminal.tui.board_parts import Hint
from tessella.terminal.tui.canvas import Canvas
from tessella.terminal.tui.move_input import Parts
from tessella.text.style import Style


class BoardRenderer(Protocol):
    """How a game is drawn on the full screen; a module can implement it."""

    def parts(self, text: str, view: Any, /) -> Parts:  # noqa: ANN401
        """Return the places to point at for a move, one after the other."""
        ...

    def draw(self, view: Any, canvas: Canvas, hint: Hint, style: Style, /) -> None:  # noqa: ANN401
        """Draw the table from the seat of the view, with its places named as in `parts`."""
        ...

    def todo(self, view: Any, style: Style, /) -> str:  # noqa: ANN401
        """Return what the viewer has to do now, in a sentence; nothing if it is not their turn."""
        ...

    def label(self, part: str, style: Style, /) -> str:
        """Return the button text of a part that has no place on the table."""
        ...


RENDERERS: Mapping[str, BoardRenderer] = {"azul": azul, "blockers": blockers, "duel": duel}


def board_renderer_for(game: str) -> BoardRenderer:
    """Return the board renderer of the named game."""
    return RENDERERS.get(game) or DescribedBoard(GAMES[game])
