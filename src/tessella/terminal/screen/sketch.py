"""What all tables draw alike: the heading, and who sits where with how many points."""

from collections.abc import Mapping, Sequence
from typing import Generic

from msgspec import Struct

from tessella.core.game import Choose, Preview, Seat, V, View
from tessella.terminal.pen import Pen
from tessella.terminal.screen.canvas import Canvas
from tessella.terminal.screen.chooser import Parts


class Hint(Struct, frozen=True):
    """What to draw beside the table itself: the move that is being looked at, and what is known of each seat."""

    move: str = ""
    preview: Preview | None = None
    chosen: Parts = ()
    cursor: str = ""
    open: frozenset[str] = frozenset()
    """The parts that can be chosen next."""
    tags: Mapping[Seat, str] = {}
    """A clock, or that somebody is away."""
    sums: Mapping[Seat, str] = {}
    """Where the points of each seat came from."""


class Drawing(Struct, Generic[V], frozen=True):
    """A table that is being drawn. The scale is 1, or 2 where there is room for large tiles."""

    view: V
    canvas: Canvas
    hint: Hint
    pen: Pen
    scale: int = 1

    @property
    def width(self) -> int:
        """The columns of a tile; it is `scale` rows high."""
        return 2 * self.scale + 1


def from_own_seat(view: View) -> list[Seat]:
    """The seats clockwise, who looks first."""
    seats, first = view.config.seats, view.seat or 0
    return [(first + step) % seats for step in range(seats)]


def may_move(view: View, seat: Seat) -> bool:
    """Whether it is the turn of the seat."""
    return isinstance(view.turn, Choose) and seat in view.turn.seats


def heading(canvas: Canvas, title: str, numbers: Sequence[tuple[str, str, str]]) -> None:
    """The first row: what is played and how far it is, then numbers, each with its meaning and its rule."""
    x = canvas.strong(1, 0, title) + 3
    for number, meaning, rule in numbers:
        end = canvas.faint(x, 0, number)
        canvas.note(x, 0, end - x, meaning, rule)
        x = end + 3


class Owner(Struct, frozen=True):
    """Who sits at a board, with how many points, what those are made of and by which rule."""

    seat: Seat
    score: str
    meaning: str
    rule: str


def owner(on: Drawing[V], x: int, y: int, width: int, whose: Owner) -> None:
    """Whose board it is, with a mark if it is their turn, and at the right the clock and the points."""
    canvas, score = on.canvas, whose.score
    turn, tag = may_move(on.view, whose.seat), on.hint.tags.get(whose.seat, "")
    room = width - 2 - len(score) - 1 - (len(tag) + 1 if tag else 0)
    canvas.accent(x, y, "▶" if turn else " ")
    (canvas.accent if turn else canvas.strong)(x + 2, y, shorten(on.pen.name(whose.seat), room))
    end = canvas.strong(x + width - len(score), y, score)
    canvas.note(end - len(score), y, len(score), whose.meaning, whose.rule)
    if tag:
        canvas.faint(end - len(score) - 1 - len(tag), y, tag)


def shorten(text: str, room: int) -> str:
    """The text, or as much of it as there is room for; the number by which a name is told from its like stays.

    >>> shorten("Ann", 5), shorten("Anneleen", 5), shorten("Newcomer 2", 7)
    ('Ann', 'Anne…', 'Newco…2')
    """
    if len(text) <= room:
        return text
    number = text.rpartition(" ")[2]
    tail = number if number.isdecimal() and len(number) + 2 <= room else ""
    return text[: max(0, room - 1 - len(tail))] + "…" + tail
