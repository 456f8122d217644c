"""The face of each game as text. A game without one of its own gets the plain face: nothing is missing, only beauty."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from tessella.terminal import azul, plain
from tessella.terminal.pen import Pen


class Face(Protocol):
    """What a game must be able to draw; modules fit it as they are."""

    def draw(self, view: Any, pen: Pen, /) -> list[str]:  # noqa: ANN401
        """The table as lines of text, from the seat of the view."""
        ...

    def tell(self, event: Any, pen: Pen, /) -> str:  # noqa: ANN401
        """What happened, in a sentence, or nothing if it goes without saying."""
        ...

    def explain(self, preview: Any, pen: Pen, /) -> str:  # noqa: ANN401
        """What a move would do, in a sentence or two."""
        ...

    def points(self, event: Any, /) -> tuple[int, str, int] | None:  # noqa: ANN401
        """For a scoring event: the seat, the word for what scored, and the points."""
        ...


FACES: Mapping[str, Face] = {"azul": azul}


def face_of(game: str) -> Face:
    """The face of the game of that name."""
    return FACES.get(game, plain)


def ledger(face: Face, events: Sequence[Struct], pen: Pen) -> list[str]:
    """Where everybody's points came from, as a table."""
    sums: dict[str, dict[int, int]] = {}
    for event in events:
        if scored := face.points(event):
            seat, kind, points = scored
            column = sums.setdefault(kind, {})
            column[seat] = column.get(seat, 0) + points
    heads = [pen.words(kind) if pen.words.has(kind) else kind for kind in sums]
    width = max([len(pen.name(seat)) for seat in range(len(pen.names))], default=8)
    lines = [" " * width + "".join(f"{head:>10}" for head in heads)]
    for seat in range(len(pen.names)):
        cells = "".join(f"{signed(sums[kind].get(seat, 0)):>10}" for kind in sums)
        lines.append(f"{pen.name(seat):<{width}}{cells}")
    return lines


def signed(points: int) -> str:
    """A number of points with a true minus sign."""
    return f"−{-points}" if points < 0 else str(points)
