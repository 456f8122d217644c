"""Tables as pictures, with the look of the browser: SVG in one string, without a script or another file."""

from collections.abc import Mapping
from typing import Any, Protocol

from tessella.research.pictures import azul, blockers, duel
from tessella.research.pictures.scene import Moment, Picture, Scene, new_token
from tessella.terminal.pen import Pen

__all__ = ["PAINTERS", "Moment", "Painter", "Picture", "Scene", "new_token"]


class Painter(Protocol):
    """What a game must be able to draw; modules fit it as they are."""

    def scene_of(self, config: Any, /) -> Scene:  # noqa: ANN401
        """The table before anything lies on it."""
        ...

    def moment_of(self, view: Any, pen: Pen, /) -> Moment:  # noqa: ANN401
        """What lies on it, as the seat of the view sees it."""
        ...


PAINTERS: Mapping[str, Painter] = {"azul": azul, "blockers": blockers, "duel": duel}
"""A game without one is shown as text."""
