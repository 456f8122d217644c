"""The face of each game as text. A game without one of its own gets the plain face: nothing is missing, only beauty."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from tessella.terminal import aloud, azul, blockers, duel, plain
from tessella.terminal.pen import Entry, Pen, written


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

    def round_of(self, view: Any, /) -> int:  # noqa: ANN401
        """Which round is being played."""
        ...

    def points(self, event: Any, /) -> list[Entry]:  # noqa: ANN401
        """For a scoring event: what scored."""
        ...


FACES: Mapping[str, Face] = {"azul": azul, "blockers": blockers, "duel": duel}


def face_of(game: str) -> Face:
    """The face of the game of that name."""
    return FACES.get(game, plain)


def show(game: str, view: Any, pen: Pen) -> list[str]:  # noqa: ANN401
    """The table drawn, or told in sentences to who listens."""
    return aloud.read(game, view, pen) if pen.aloud else face_of(game).draw(view, pen)


def ledger(face: Face, events: Sequence[Struct], pen: Pen) -> list[str]:
    """Where everybody's points came from, as a table."""
    sums: dict[str, dict[int, int]] = {}
    for event in events:
        for seat, kind, points in face.points(event):
            column = sums.setdefault(kind, {})
            column[seat] = column.get(seat, 0) + points
    heads = [pen.words(kind) if pen.words.has(kind) else kind for kind in sums]
    seats = range(len(pen.names))
    rows = [[pen.name(seat), *[written(sums[kind].get(seat, 0)) for kind in sums]] for seat in seats]
    return _table([["", *heads], *rows], pen.width)


def _table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """The cells below each other, or turned on its side where that is too wide."""
    first = max(len(row[0]) for row in rows)
    if first + 10 * (len(rows[0]) - 1) > width >= 10 * len(rows):
        return _table(list(zip(*rows, strict=True)), width)
    return [f"{row[0]:<{first}}" + "".join(f"{cell:>10}" for cell in row[1:]) for row in rows]
