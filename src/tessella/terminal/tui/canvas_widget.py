"""The widget that shows a canvas and reports where the mouse points."""

from collections.abc import Callable

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tessella.terminal.tui.canvas import Canvas


class CanvasWidget(Widget):
    """A canvas on the screen; `paint` returns a canvas of a given width."""

    class Pointed(Message):
        """The mouse points at a place, or was pressed there."""

        def __init__(self, x: int, y: int, *, pressed: bool) -> None:
            super().__init__()
            self.x = x
            self.y = y
            self.pressed = pressed

    def __init__(self, paint: Callable[[int], Canvas]) -> None:
        super().__init__()
        self._paint = paint
        self.canvas = Canvas(80, 24)

    def repaint(self) -> None:
        """Paint the canvas again, and lay out the screen again if its height changed."""
        rows = self.canvas.rows
        self.canvas = self._paint(max(80, self.size.width or 80))
        self.refresh(layout=self.canvas.rows != rows)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Return the height of the canvas."""
        if self.canvas.width != width:
            self.canvas = self._paint(width)
        return self.canvas.rows

    def on_resize(self) -> None:
        """Paint the canvas in its new size."""
        self.repaint()

    def render_line(self, y: int) -> Strip:
        """Return a row of the canvas."""
        return self.canvas.strip(y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Report where the mouse points."""
        self.post_message(self.Pointed(event.x, event.y, pressed=False))

    def on_click(self, event: events.Click) -> None:
        """Report where the mouse was pressed."""
        self.post_message(self.Pointed(event.x, event.y, pressed=True))
