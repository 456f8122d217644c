"""Renderers of each game as text. A game without one of its own is rendered by its description of the board."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from tessella.games import GAMES
from tessella.text import azul, blockers, duel, screen_reader
from tessella.text.board import BoardText
from tessella.text.style import Entry, Style, written


class Renderer(Protocol):
    """How a game is rendered as text; a module can implement it."""

    def draw(self, view: Any, style: Style, /) -> list[str]:  # noqa: ANN401
        """Return the table as lines, from the seat of the view."""
        ...

    def narrate(self, event: Any, style: Style, /) -> str:  # noqa: ANN401
        """Return an event as a sentence, or nothing if it needs none."""
        ...

    def explain(self, preview: Any, style: Style, /) -> str:  # noqa: ANN401
        """Return what a move would do, in a sentence or two."""
        ...

    def round_of(self, view: Any, /) -> int:  # noqa: ANN401
        """Return the current round."""
        ...

    def points(self, event: Any, /) -> list[Entry]:  # noqa: ANN401
        """Return the ledger entries of an event."""
        ...


RENDERERS: Mapping[str, Renderer] = {"azul": azul, "blockers": blockers, "duel": duel}


def renderer_for(game: str) -> Renderer:
    """Return the renderer of the named game."""
    return RENDERERS.get(game) or BoardText(GAMES[game])


def show(game: str, view: Any, style: Style) -> list[str]:  # noqa: ANN401
    """Return the table drawn, or in sentences for a screen reader."""
    return screen_reader.describe(game, view, style) if style.aloud else renderer_for(game).draw(view, style)


def ledger(renderer: Renderer, events: Sequence[Struct], style: Style) -> list[str]:
    """Return how the points of each player were scored, as a table."""
    sums: dict[str, dict[int, int]] = {}
    for event in events:
        for seat, kind, points in renderer.points(event):
            column = sums.setdefault(kind, {})
            column[seat] = column.get(seat, 0) + points
    heads = [style.texts(kind) if style.texts.has(kind) else kind for kind in sums]
    seats = range(len(style.names))
    rows = [[style.name(seat), *[written(sums[kind].get(seat, 0)) for kind in sums]] for seat in seats]
    return _table([["", *heads], *rows], style.width)


def _table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return the cells in columns; transposed if the table is too wide."""
    first = max(len(row[0]) for row in rows)
    if first + 10 * (len(rows[0]) - 1) > width >= 10 * len(rows):
        return _table(list(zip(*rows, strict=True)), width)
    return [f"{row[0]:<{first}}" + "".join(f"{cell:>10}" for cell in row[1:]) for row in rows]
