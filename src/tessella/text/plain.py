"""Any game as text: its view and events, field by field."""

from msgspec import Struct

from tessella.core.game import Preview, View
from tessella.text.style import Entry, Style


def draw(view: View, style: Style) -> list[str]:
    """Return each field of the view on its own line."""
    return [f"{style.strong(field)}: {getattr(view, field)}" for field in view.__struct_fields__]


def narrate(event: Struct, style: Style) -> str:  # noqa: ARG001
    """Return the name and the fields of the event."""
    fields = ", ".join(f"{field} {getattr(event, field)}" for field in event.__struct_fields__)
    return f"{type(event).__name__}: {fields}"


def round_of(view: View) -> int:
    """Return the current round, or 0 if the game has none."""
    number = getattr(view, "round", 0)
    return number if isinstance(number, int) else 0


def explain(preview: Preview, style: Style) -> str:
    """Return the points of the move."""
    return style.texts("worth", n=preview.points)


def points(event: Struct) -> list[Entry]:
    """Return a ledger entry for an event that has a seat and points, named after its class."""
    seat, scored = getattr(event, "seat", None), getattr(event, "points", None)
    return [(seat, type(event).__name__, scored)] if isinstance(seat, int) and isinstance(scored, int) else []
