"""Tables as Gymnasium and PettingZoo render them: text, or an array of pixels."""

import sys
from io import BytesIO
from typing import Any

import numpy
from numpy.typing import NDArray

from tessella.core.game import Over, Seat
from tessella.research.indexed import IndexedTable
from tessella.research.notebook.display import Position
from tessella.svg.card import COLOURS, flat_svg
from tessella.svg.raster import png
from tessella.text.i18n import Translations
from tessella.text.narration import standings
from tessella.text.renderers import renderer_for
from tessella.text.style import Style

MODES = ("human", "ansi", "rgb_array")
"""`human` prints the table after each move, `ansi` returns it as text, `rgb_array` as pixels."""
FRAMES_PER_SECOND = 2


def check_mode(mode: str | None) -> None:
    """Raise `ValueError` for a mode that does not exist."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"{mode!r} is not a render mode; choose from {', '.join(MODES)}")


def render(table: IndexedTable, seat: Seat, mode: str | None) -> Any:  # noqa: ANN401
    """Return the table as a seat sees it: text, pixels, or nothing."""
    if mode == "ansi":
        return text(table, seat)
    return pixels(table, seat) if mode == "rgb_array" else None


def show(table: IndexedTable, seat: Seat, mode: str | None) -> None:
    """Print the table, in the mode `human`."""
    if mode == "human":
        sys.stdout.write(text(table, seat) + "\n")
        sys.stdout.flush()


def text(table: IndexedTable, seat: Seat) -> str:
    """Return the table as text, without colour codes, and the result once the game is over."""
    state = table.table.to_state()
    style = Style(Translations("en"), _names(table), colour=False)
    turn = table.game.turn(state)
    result = standings(turn, style) if isinstance(turn, Over) else []
    return "\n".join([*renderer_for(table.game.NAME).draw(table.game.view(state, seat), style), *result])


def pixels(table: IndexedTable, seat: Seat) -> NDArray[numpy.uint8]:
    """Return the picture that a notebook shows, as an array of rows, columns and colours."""
    from PIL import Image  # noqa: PLC0415  loaded when a picture is drawn

    picture = Position(table.game, table.table.to_state(), seat, _names(table)).picture()
    with Image.open(BytesIO(png(flat_svg(picture)))) as image:
        paper = Image.new("RGBA", image.size, COLOURS["plaster"])
        paper.alpha_composite(image.convert("RGBA"))
        return numpy.asarray(paper.convert("RGB"))


def _names(table: IndexedTable) -> tuple[str, ...]:
    return tuple(f"seat {seat}" for seat in range(table.config.seats))
