"""Observation and action encoding of Azul Duel."""

from collections.abc import Iterator, Sequence
from typing import get_args

import numpy
from numpy.typing import NDArray

from tessella.core.game import Seat
from tessella.fast import duel as fast
from tessella.fast.duel import Batch, Duel
from tessella.fast.duel.constants import CHIPS, NUMBERED
from tessella.fast.duel.moves import (
    CHIP_MOVE,
    DRAW_MOVE,
    PLATE_MOVE,
    RETURN_MOVE,
    STACK_MOVE,
    STOP_MOVE,
    TILE_MOVE,
    WIDTH,
)
from tessella.fast.duel.observations import Observer
from tessella.games.duel.pieces import COLOURS, FACE_DOWN, JOKER, SIZE, SPECIAL, counts
from tessella.games.duel.state import CHIP_TILE, Board, Config, Phase, State
from tessella.games.duel.view import SeenBack, View
from tessella.research.fields import Field

VERSION = 1
"""The version of the encoding; raised whenever an observation or an action index changes its meaning."""
PHASES = get_args(Phase)
PLATES = len(NUMBERED)
COLOUR = ("colour", len(COLOURS))
CHIP = ("chip", len(CHIPS))
PLATE = ("plate", PLATES)
SPACES = (("row", SIZE), ("column", SIZE))
SMALL = ("factory", 4)
STACKED = 4
MOST = 255
TILES = 13


def fields(config: Config) -> tuple[Field, ...]:  # noqa: ARG001  the same for every scoring
    """Return the layout of an observation."""
    table = (
        Field("suns", (("factory", 5), COLOUR), 5, "tiles on the suns, the large factory first"),
        Field("large moon", (COLOUR,), TILES, "tiles on the moon of the large factory"),
        Field("moons", (SMALL, ("from the top", STACKED), COLOUR), 1, "stacks on the moons of small factories"),
        Field("chips", (SMALL, ("hidden, then chip", 1 + len(CHIPS))), 1, "the chip on each small factory"),
        Field("start tile", (), 1, "whether it lies on the large factory"),
        Field("bag", (COLOUR,), TILES, "tiles in the bag"),
        Field("tower", (COLOUR,), TILES, "tiles in the tower and broken ones, from where they go there"),
        Field("hidden chips", (CHIP,), 2, "chips that are still to be revealed"),
        Field("open", (PLATE,), 1, "plates that lie open"),
        Field("phase", (("phase", len(PHASES)),), 1, "what happens next"),
        Field("round", (), 5, "the number of the round"),
        Field("stacking", (), 4, "the small factory whose leftover is to be stacked"),
        *(field for heap in ("stack", "hand") for field in _back_fields(heap)),
        Field("lost", (PLATE,), 1, "plates that the seat has seen and lost track of"),
    )
    return (*table, *_board_fields("seat+0"), *_board_fields("seat+1"))


def _back_fields(heap: str) -> tuple[Field, Field]:
    axes = (("place", PLATES),)
    return (
        Field(f"{heap} kinds", axes, 2, "1 for a special plate, 2 for a joker plate"),
        Field(f"{heap} plates", axes, PLATES, "the number of the plate and 1, if the seat knows it"),
    )


def _board_fields(whose: str) -> tuple[Field, ...]:
    return (
        Field(f"{whose} score", (), MOST, "points so far"),
        Field(f"{whose} start", (), 1, "whether this seat starts the round or, once that is decided, the next"),
        Field(f"{whose} start tile", (), 1, "whether it holds the start tile"),
        Field(f"{whose} tokens", (), 2, "dome tokens still to be placed this round"),
        Field(f"{whose} chips due", (), 2, "chips still to be taken this round"),
        Field(f"{whose} line", (), SIZE, "the line whose turn it is in phase 2"),
        Field(f"{whose} paid", (), SIZE, "tiles in that line that chips stand for"),
        Field(f"{whose} broken", (), 4, "broken tiles"),
        Field(f"{whose} lines", (("line", SIZE), COLOUR), SIZE, "tiles in each pattern line"),
        Field(f"{whose} chips", (CHIP,), 2, "chips that it may pay with"),
        Field(f"{whose} spent", (CHIP,), 2, "chips that it has paid with"),
        Field(f"{whose} takes", (COLOUR, *SPACES), 1, "spaces of the dome that take a colour"),
        Field(f"{whose} joker spaces", SPACES, 1, "spaces that take every colour"),
        Field(f"{whose} special spaces", SPACES, 1, "spaces for special tiles"),
        Field(f"{whose} tiles", (COLOUR, *SPACES), 1, "tiles on the dome"),
        Field(f"{whose} special tiles", SPACES, 1, "special tiles on the dome"),
    )


def observe(view: View) -> NDArray[numpy.uint8]:
    """Return the observation for a seat's view."""
    assert view.seat is not None
    return numpy.fromiter(_numbers(view, view.seat), numpy.uint8)


def _numbers(view: View, viewer: Seat) -> Iterator[int]:
    yield from _factories(view)
    yield view.holder is None
    yield from view.bag
    broken = [counts(board.broken) for board in view.boards]
    yield from (sum(column) for column in zip(view.tower, *broken, strict=True))
    yield from (view.chips.count(chip) for chip in CHIPS)
    yield from (plate in view.open for plate in NUMBERED)
    yield from (view.phase == phase for phase in PHASES)
    yield view.round
    yield view.stacking
    yield from _backs(view.stack)
    yield from _backs(view.hand)
    yield from (plate in view.lost for plate in NUMBERED)
    for seat in (viewer, 1 - viewer):
        yield from _board(view, seat)


def _factories(view: View) -> Iterator[int]:
    large, *small = view.factories
    for factory in view.factories:
        yield from counts(factory.sun)
    yield from counts(large.moon)
    for factory in small:
        for tile in factory.moon[::-1].ljust(STACKED):
            yield from (tile == colour for colour in COLOURS)
    for factory in small:
        yield from (factory.chip == chip for chip in (FACE_DOWN, *CHIPS))


def _backs(backs: Sequence[SeenBack]) -> Iterator[int]:
    kinds = [1 if SPECIAL in back.face else 2 for back in backs]
    plates = [NUMBERED.index(back.face) + 1 if back.face in NUMBERED else 0 for back in backs]
    for numbers in (kinds, plates):
        yield from numbers
        yield from [0] * (PLATES - len(numbers))


def _board(view: View, seat: Seat) -> Iterator[int]:
    board = view.boards[seat]
    yield min(board.score, MOST)
    yield view.start == seat
    yield view.holder == seat
    yield view.tokens[seat]
    yield view.chips_due[seat]
    yield board.row
    yield sum(tiles.count(CHIP_TILE) for tiles in board.lines)
    yield len(board.broken)
    for tiles in board.lines:
        yield from (tiles.count(colour) for colour in COLOURS)
    for chips in (board.chips, board.spent):
        yield from (chips.count(chip) for chip in CHIPS)
    yield from _dome(board)


def _dome(board: Board) -> Iterator[int]:
    spaces = _spaces(board)
    tiles = "".join(board.tiles)
    for colour in COLOURS:
        yield from (space in (colour, JOKER) for space in spaces)
    for kind in (JOKER, SPECIAL):
        yield from (space == kind for space in spaces)
    for kind in (*COLOURS, SPECIAL):
        yield from (tile == kind for tile in tiles)


def _spaces(board: Board) -> str:
    """Return what is printed on the 36 spaces of a dome, row by row; a blank where no plate lies."""
    plates = [plate or " " * 4 for plate in board.dome]
    rows = [
        "".join(plate[2 * half : 2 * half + 2] for plate in plates[3 * across : 3 * across + 3])
        for across in range(3)
        for half in range(2)
    ]
    return "".join(rows)


def batch(tables: int, config: Config, seed: int) -> tuple[Batch, Observer]:
    """Return a batch of tables and its observer."""
    many = Batch(tables, config, seed)
    return many, Observer(many)


def table(config: Config, seed: int) -> Duel:
    """Return one table, before the first deal."""
    return Duel(config, seed)


def from_state(state: State) -> Duel:
    """Return the table of a state of the readable game."""
    return fast.from_state(state)


def actions(config: Config) -> Sequence[tuple[str, str]]:  # noqa: ARG001  the same for every scoring
    """Return the meaning of action indices: ranges and formulas."""
    return (
        (
            f"0 … {CHIP_MOVE - 1}",
            "35 · source + 7 · colour + line: five suns, then the moons; line 6 is the broken space",
        ),
        (f"{CHIP_MOVE} … {PLATE_MOVE - 1}", "take the chip of a small factory"),
        (f"{PLATE_MOVE} … {DRAW_MOVE - 1}", "36 · plate + 4 · slot + turn: lay a plate"),
        (f"{DRAW_MOVE}, {STOP_MOVE}", "draw a plate; draw no more"),
        (f"{STACK_MOVE} … {RETURN_MOVE - 1}", "the order in which tiles are stacked"),
        (f"{RETURN_MOVE} … {TILE_MOVE - 1}", "put a plate under the stack"),
        (
            f"{TILE_MOVE} … {WIDTH - 1}",
            "233 · seat: 6 · line + column of a tile; then payments, the last is: leave the line",
        ),
    )
