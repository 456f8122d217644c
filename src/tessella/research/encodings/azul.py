"""Observation and action encoding of Azul."""

from collections.abc import Iterator, Sequence

import numpy
from numpy.typing import NDArray

from tessella.core.game import Choose, Seat
from tessella.fast import azul as fast
from tessella.fast.azul import Azul, Batch
from tessella.fast.azul.moves import encode_place, first_place
from tessella.fast.azul.observations import Observer
from tessella.games.azul.pieces import COLOURS, EMPTY, LAST_ROUND, MARKER, SIZE, counts
from tessella.games.azul.rules import turn
from tessella.games.azul.state import Board, Config, State, drafting
from tessella.games.azul.view import View, imagine
from tessella.research.fields import Field

VERSION = 1
"""The version of the encoding; raised whenever an observation or an action index changes its meaning."""
MOST = 255
TILES = 20
"""Tiles of a colour in the box."""
COLOUR = ("colour", SIZE)


def fields(config: Config) -> tuple[Field, ...]:
    """Return the layout of an observation, which depends on the number of seats and the wall."""
    factories = 2 * config.seats + 1
    table = (
        Field("factories", (("factory", factories), COLOUR), 4, "tiles on each factory"),
        Field("centre", (COLOUR,), TILES, "tiles in the centre"),
        Field("marker", (), 1, "whether the marker lies in the centre"),
        Field("bag", (COLOUR,), TILES, "tiles in the bag"),
        Field("lid", (COLOUR,), TILES, "tiles in the lid, and on the floor lines from where they go there"),
        Field("round", (), LAST_ROUND, "the number of the round, from 1"),
        Field("tiling", (), 1, "whether columns are chosen on grey walls"),
    )
    return table + tuple(field for turns in range(config.seats) for field in _board_fields(config, turns))


def _board_fields(config: Config, turns: int) -> tuple[Field, ...]:
    whose = f"seat+{turns}"
    wall = (("row", SIZE), ("column", SIZE))
    return (
        Field(f"{whose} start", (), 1, "whether this seat starts the round or, once that is decided, the next"),
        Field(f"{whose} score", (), MOST, "points so far"),
        Field(f"{whose} fallen", (), 8, "pieces on the floor line"),
        Field(f"{whose} marker", (), 1, "whether the marker is among them"),
        Field(f"{whose} lines", (("line", SIZE), COLOUR), SIZE, "tiles in each pattern line"),
        Field(f"{whose} wall", wall if config.wall == "coloured" else (*wall, COLOUR), 1, "tiles on the wall"),
    )


def observe(view: View) -> NDArray[numpy.uint8]:
    """Return the observation for a seat's view."""
    assert view.seat is not None
    return numpy.fromiter(_numbers(view, view.seat, imagine(view, _NoDice())), numpy.uint8)


class _NoDice:
    """A random source that is never used: nothing is hidden in Azul."""

    def randrange(self, stop: int) -> int:
        raise AssertionError(stop)


def _numbers(view: View, viewer: Seat, state: State) -> Iterator[int]:
    for tiles in (*view.factories, view.centre):
        yield from counts(tiles)
    yield MARKER in view.centre
    yield from view.bag
    floors = [counts(board.floor) for board in view.boards]
    yield from (sum(column) for column in zip(view.lid, *floors, strict=True))
    yield view.round
    yield isinstance(turn(state), Choose) and not drafting(state)
    for turns in range(view.config.seats):
        seat = (viewer + turns) % view.config.seats
        yield seat == view.start
        yield from _board(view.config, view.boards[seat])


def _board(config: Config, board: Board) -> Iterator[int]:
    yield min(board.score, MOST)
    yield len(board.floor)
    yield MARKER in board.floor
    for tiles in board.lines:
        yield from (tiles.count(colour) for colour in COLOURS)
    for space in "".join(board.wall):
        if config.wall == "coloured":
            yield space != EMPTY
        else:
            yield from (space == colour for colour in COLOURS)


def batch(tables: int, config: Config, seed: int) -> tuple[Batch, Observer]:
    """Return a batch of tables and its observer."""
    many = Batch(tables, config.seats, config.wall == "grey", seed)
    return many, Observer(many)


def table(config: Config, seed: int) -> Azul:
    """Return one table, before the first deal."""
    return Azul(config.seats, config.wall == "grey", seed)


def from_state(state: State) -> Azul:
    """Return the table of a state of the readable game."""
    return fast.from_state(state)


def actions(config: Config) -> Sequence[tuple[str, str]]:
    """Return the meaning of action indices: ranges and formulas."""
    factories = 2 * config.seats + 1
    takes = first_place(factories)
    listed = [(f"0 … {takes - 1}", "30 · source + 6 · colour + line: factories, then the centre; line 5 is the floor")]
    if config.wall == "grey":
        last = encode_place(factories, config.seats, 0, 0) - 1
        listed.append((f"{takes} … {last}", f"{takes} + 25 · seat + 5 · row + column: the column of a complete line"))
    return listed
