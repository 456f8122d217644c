"""Parts that all games draw alike: the heading, and the players with their points."""

from collections.abc import Mapping, Sequence
from typing import Generic

from msgspec import Struct

from tessella.core.game import Choose, Preview, Seat, V, View
from tessella.terminal.tui.canvas import Canvas
from tessella.terminal.tui.move_input import Parts
from tessella.text.style import Style


class Hint(Struct, frozen=True):
    """What to draw on top of the table: the move being chosen, and tags for each seat."""

    move: str = ""
    preview: Preview | None = None
    chosen: Parts = ()
    cursor: str = ""
    open: frozenset[str] = frozenset()
    """The parts that can be chosen next."""
    tags: Mapping[Seat, str] = {}
    """The clock of each seat, or a note that the player is away."""
    sums: Mapping[Seat, str] = {}
    """How the points of each seat were scored."""


class Drawing(Struct, Generic[V], frozen=True):
    """A drawing in progress. The scale is 1, or 2 where large tiles fit."""

    view: V
    canvas: Canvas
    hint: Hint
    style: Style
    scale: int = 1

    @property
    def width(self) -> int:
        """Return the width of a tile; it is `scale` rows high."""
        return 2 * self.scale + 1


def from_own_seat(view: View) -> list[Seat]:
    """Return the seats clockwise, from the viewer's own."""
    seats, first = view.config.seats, view.seat or 0
    return [(first + step) % seats for step in range(seats)]


def may_move(view: View, seat: Seat) -> bool:
    """Return whether it is this seat's turn."""
    return isinstance(view.turn, Choose) and seat in view.turn.seats


def heading(canvas: Canvas, title: str, numbers: Sequence[tuple[str, str, str]]) -> None:
    """Draw the first row: the round, then numbers, each with its explanation and rule."""
    x = canvas.strong(1, 0, title) + 3
    for number, meaning, rule in numbers:
        end = canvas.faint(x, 0, number)
        canvas.note(x, 0, end - x, meaning, rule)
        x = end + 3


class Owner(Struct, frozen=True):
    """The owner of a board: the points, how they were scored, and the rule."""

    seat: Seat
    score: str
    meaning: str
    rule: str


def owner(on: Drawing[V], x: int, y: int, width: int, whose: Owner) -> None:
    """Draw the owner of a board, with a mark on their turn, and on the right the clock and the points."""
    canvas, score = on.canvas, whose.score
    turn, tag = may_move(on.view, whose.seat), on.hint.tags.get(whose.seat, "")
    room = width - 2 - len(score) - 1 - (len(tag) + 1 if tag else 0)
    canvas.accent(x, y, "▶" if turn else " ")
    (canvas.accent if turn else canvas.strong)(x + 2, y, shorten(on.style.name(whose.seat), room))
    end = canvas.strong(x + width - len(score), y, score)
    canvas.note(end - len(score), y, len(score), whose.meaning, whose.rule)
    if tag:
        canvas.faint(end - len(score) - 1 - len(tag), y, tag)


def shorten(text: str, room: int) -> str:
    """Return the text cut to a width; the number that distinguishes equal names stays.

    >>> shorten("Ann", 5), shorten("Anneleen", 5), shorten("Newcomer 2", 7)
    ('Ann', 'Anne…', 'Newco…2')
    """
    if len(text) <= room:
        return text
    number = text.rpartition(" ")[2]
    tail = number if number.isdecimal() and len(number) + 2 <= room else ""
    return text[: max(0, room - 1 - len(tail))] + "…" + tail
