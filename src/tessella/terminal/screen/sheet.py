"""The widget that shows a canvas, and tells where on it somebody points."""

from collections.abc import Callable

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tessella.terminal.screen.canvas import Canvas


class Sheet(Widget):
    """A canvas on the screen. `paint` draws it anew, on as much room as there is."""

    class Pointed(Message):
        """Somebody points at a place, or presses there."""

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
        """Draw the canvas again; if it has become higher or lower, everything moves."""
        rows = self.canvas.rows
        self.canvas = self._paint(max(80, self.size.width or 80))
        self.refresh(layout=self.canvas.rows != rows)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As high as what is drawn."""
        if self.canvas.width != width:
            self.canvas = self._paint(width)
        return self.canvas.rows

    def on_resize(self) -> None:
        """Another size, another drawing."""
        self.repaint()

    def render_line(self, y: int) -> Strip:
        """A row of the canvas."""
        return self.canvas.strip(y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Somebody points."""
        self.post_message(self.Pointed(event.x, event.y, pressed=False))

    def on_click(self, event: events.Click) -> None:
        """Somebody presses."""
        self.post_message(self.Pointed(event.x, event.y, pressed=True))
