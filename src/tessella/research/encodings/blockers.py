"""Observation and action encoding of Blockers!."""

from collections.abc import Iterator, Sequence

import numpy
from numpy.typing import NDArray

from tessella.core.game import Seat
from tessella.fast import blockers as fast
from tessella.fast.blockers import Batch, Blockers
from tessella.fast.blockers.moves import HAND_MOVES
from tessella.fast.blockers.observations import Observer
from tessella.games.blockers.pieces import COLOURS, FACES, PLAYS, RACK_SIZE, SIZE
from tessella.games.blockers.state import Config, State, colours_of, colours_of_game
from tessella.games.blockers.view import View
from tessella.research.fields import Field

VERSION = 1
"""The version of the encoding; raised whenever an observation or an action index changes its meaning."""
FACE = ("face", len(FACES))


def fields(config: Config) -> tuple[Field, ...]:
    """Return the layout of an observation, which depends on the number of seats."""
    colours = len(colours_of_game(config))
    seats = [field for turns in range(config.seats) for field in _seat_fields(turns, colours)]
    return (*seats, *(field for place in range(colours) for field in _colour_fields(place)))


def _seat_fields(turns: int, colours: int) -> tuple[Field, ...]:
    return (
        Field(f"seat+{turns} start", (), 1, "whether this seat has started"),
        Field(f"seat+{turns} captured", (("colour", colours),), PLAYS, "tiles that it has captured"),
    )


def _colour_fields(place: int) -> tuple[Field, ...]:
    whose = f"colour+{place}"
    return (
        Field(f"{whose} held", (), RACK_SIZE, "tiles on its rack"),
        Field(f"{whose} supply", (), len(FACES), "tiles in its supply"),
        Field(f"{whose} rack", (FACE,), 1, "its rack, if the seat may see it"),
        Field(f"{whose} unseen", (FACE,), 1, "its tiles that the seat has not seen"),
        Field(f"{whose} board", (("row", SIZE), ("column", SIZE)), 1, "its tiles on the board"),
    )


def observe(view: View) -> NDArray[numpy.uint8]:
    """Return the observation for a seat's view. Its own colours come first, then those of the next seats."""
    assert view.seat is not None
    return numpy.fromiter(_numbers(view, view.seat), numpy.uint8)


def _numbers(view: View, viewer: Seat) -> Iterator[int]:
    seats = [(viewer + turns) % view.config.seats for turns in range(view.config.seats)]
    colours = "".join(colours_of(view.config, seat) for seat in seats)
    for seat in seats:
        yield seat == view.start
        yield from (view.captured[seat].count(colour) for colour in colours)
    for colour in colours:
        hand = view.hands[COLOURS.index(colour)]
        yield hand.held
        yield hand.supply
        yield from (face in (hand.rack or "") for face in FACES)
        yield from (face in hand.unseen for face in FACES)
        yield from (cell == colour for cell in view.board.colours)


def batch(tables: int, config: Config, seed: int) -> tuple[Batch, Observer]:
    """Return a batch of tables and its observer."""
    many = Batch(tables, config.seats, config.scoring == "uptown", seed)
    return many, Observer(many)


def table(config: Config, seed: int) -> Blockers:
    """Return one table, before the first deal."""
    return Blockers(config.seats, config.scoring == "uptown", seed)


def from_state(state: State) -> Blockers:
    """Return the table of a state of the readable game."""
    return fast.from_state(state)


def actions(config: Config) -> Sequence[tuple[str, str]]:
    """Return the meaning of action indices: ranges and formulas."""
    listed = [(f"0 … {HAND_MOVES - 1}", "82 · face + cell, with the seat's colour; cell 81 is: put aside")]
    if config.seats == 2:
        listed.append((f"{HAND_MOVES} … {2 * HAND_MOVES - 1}", "the same with the seat's second colour"))
    return listed
