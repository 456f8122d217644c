"""The view of a player of Azul: everything but the order of the bag.

The state keeps the bag as counts, so there is no order to leak; a view shows the same counts (AZ60).
"""

from msgspec.structs import replace

from tessella.core import game
from tessella.core.game import Choose, Rng, Seat, require_seat
from tessella.games.azul.events import Event
from tessella.games.azul.pieces import Counts, Tiles
from tessella.games.azul.rules import turn
from tessella.games.azul.state import Board, Config, Deal, Move, State, drafting


class View(game.View, frozen=True):
    """The table as a seat or a spectator sees it; see `State` for the fields."""

    config: Config
    boards: tuple[Board, ...]
    bag: Counts
    lid: Counts
    factories: tuple[Tiles, ...]
    centre: Tiles
    round: int
    start: Seat


def view(state: State, seat: Seat | None) -> View:
    """Return the table, which looks the same from every seat."""
    require_seat(state.config, seat)
    return View(
        seat=seat,
        turn=turn(state),
        config=state.config,
        boards=state.boards,
        bag=state.bag,
        lid=state.lid,
        factories=state.factories,
        centre=state.centre,
        round=state.round,
        start=state.start,
    )


def witness(event: Event, seat: Seat | None) -> Event:  # noqa: ARG001
    """Return the event unchanged: everybody sees everything."""
    return event


def owner(act: Move | Deal) -> None:
    """Return None: no act of Azul is private."""


def imagine(view: View, rng: Rng) -> State:  # noqa: ARG001
    """Return the only state consistent with the view."""
    state = State(
        config=view.config,
        boards=view.boards,
        bag=view.bag,
        lid=view.lid,
        factories=view.factories,
        centre=view.centre,
        round=view.round,
        start=view.start,
    )
    if drafting(state) and isinstance(view.turn, Choose):
        return replace(state, current=view.turn.seats[0])
    return state
