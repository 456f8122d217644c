"""Tables as SVG pictures that look like the browser client: one string, without scripts or other files."""

from collections.abc import Mapping
from typing import Any, Protocol

from tessella.svg import azul, blockers, duel
from tessella.svg.drawing import Contents, Layout, Picture, new_token
from tessella.text.style import Style

__all__ = ["PAINTERS", "Contents", "Layout", "Painter", "Picture", "new_token"]


class Painter(Protocol):
    """What the module of a game must provide to draw its table."""

    def layout_of(self, config: Any, /) -> Layout:  # noqa: ANN401
        """Return the layout: the table before anything lies on it."""
        ...

    def contents_of(self, view: Any, style: Style, /) -> Contents:  # noqa: ANN401
        """Return the contents, as the seat of the view sees them."""
        ...


PAINTERS: Mapping[str, Painter] = {"azul": azul, "blockers": blockers, "duel": duel}
"""Painters by game; a game without one is shown as text."""
