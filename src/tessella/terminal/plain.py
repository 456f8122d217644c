"""The plain face: any game's view and events, field by field."""

from msgspec import Struct

from tessella.core.game import Preview, View
from tessella.terminal.pen import Entry, Pen


def draw(view: View, pen: Pen) -> list[str]:
    """Every field of the view on its own line."""
    return [f"{pen.strong(field)}: {getattr(view, field)}" for field in view.__struct_fields__]


def tell(event: Struct, pen: Pen) -> str:  # noqa: ARG001
    """The event's name and fields."""
    fields = ", ".join(f"{field} {getattr(event, field)}" for field in event.__struct_fields__)
    return f"{type(event).__name__}: {fields}"


def round_of(view: View) -> int:
    """The round that is played, if the game has any."""
    number = getattr(view, "round", 0)
    return number if isinstance(number, int) else 0


def explain(preview: Preview, pen: Pen) -> str:
    """The points of the move."""
    return pen.words("worth", n=preview.points)


def points(event: Struct) -> list[Entry]:
    """Any event that has a seat and points, under the name of its class."""
    seat, scored = getattr(event, "seat", None), getattr(event, "points", None)
    return [(seat, type(event).__name__, scored)] if isinstance(seat, int) and isinstance(scored, int) else []
