"""The view of a player of Blockers! (BL40): their own racks, and of other racks only the number of tiles.

A supply has no order; its owner knows which tiles are in it, because they are nowhere else. Of another colour, a
player knows which tiles have not been seen; any of them may be on the rack, all sets equally likely. Inferences
from how others play are left to the players.
"""

from msgspec.structs import replace

from tessella.core import game
from tessella.core.game import Public, Rng, Seat, require_seat
from tessella.games.blockers.events import Event, PublicEvent, Secret, Tally
from tessella.games.blockers.pieces import FACES, Colour, Faces, Tiles, draw, in_order, without
from tessella.games.blockers.rules import turn
from tessella.games.blockers.scoring import all_tallies
from tessella.games.blockers.state import (
    Board,
    Config,
    Deal,
    DrawTiles,
    Move,
    State,
    Stock,
    colours_of_game,
    is_finished,
    owner_of,
    unplayed,
)


class Hand(Public, frozen=True):
    """A colour as a seat sees it."""

    colour: Colour
    owner: Seat
    rack: Faces | None
    """None: hidden."""
    held: int
    """How many tiles are on the rack."""
    supply: int
    """How many tiles are still to be drawn."""
    played: int
    """How many of its 24 plays the colour has made."""
    unseen: Faces
    """Tiles that the seat cannot see: the supply, and for another player's colour also the rack."""
    aside: Faces


class View(game.View, frozen=True):
    """The table as a seat or a spectator sees it; see `State` for the fields."""

    config: Config
    board: Board
    hands: tuple[Hand, ...]
    captured: tuple[Tiles, ...]
    tallies: tuple[Tally, ...]
    """What each seat would score now."""
    start: Seat | None


def view(state: State, seat: Seat | None) -> View:
    """BL40: return the open table, and the racks that the seat may see."""
    require_seat(state.config, seat)
    visible = _visible_racks(state.config, seat, tuple(map(unplayed, state.stocks)))
    colours = colours_of_game(state.config)
    return View(
        seat=seat,
        turn=turn(state),
        config=state.config,
        board=state.board,
        hands=tuple(
            _hand(state.config, colour, stock, visible=colour in visible)
            for colour, stock in zip(colours, state.stocks, strict=True)
        ),
        captured=state.captured,
        tallies=all_tallies(state),
        start=state.start,
    )


def _hand(config: Config, colour: Colour, stock: Stock, *, visible: bool) -> Hand:
    return Hand(
        colour=colour,
        owner=owner_of(config, colour),
        rack=stock.rack if visible else None,
        held=len(stock.rack),
        supply=len(stock.supply),
        played=len(FACES) - unplayed(stock),
        unseen=stock.supply if visible else in_order(stock.rack + stock.supply),
        aside=stock.aside,
    )


def _visible_racks(config: Config, seat: Seat | None, left: tuple[int, ...]) -> list[Colour]:
    """BL32, BL40: return the colours of visible racks: own ones, with two players finished ones, at the end all."""
    colours = colours_of_game(config)
    finished = [colour for colour, count in zip(colours, left, strict=True) if is_finished(count)]
    shown = finished if config.seats == 2 or len(finished) == len(colours) else []
    return [colour for colour in colours if colour in shown or owner_of(config, colour) == seat]


def witness(event: Event, seat: Seat | None) -> PublicEvent:
    """Return the event as the seat saw it: the faces of drawn tiles are hidden from others."""
    if not isinstance(event, Secret):
        return event
    return event.drawn if event.drawn.seat == seat else replace(event.drawn, tiles=None)


def owner(act: Move | Deal) -> Seat | None:
    """BL40: return the owner of a draw, who alone may read which tiles were drawn."""
    return act.owner if isinstance(act, DrawTiles) else None


def imagine(view: View, rng: Rng) -> State:
    """Return a state with the unseen tiles dealt to racks and supplies, all ways equally likely."""
    visible = _visible_racks(view.config, view.seat, tuple(hand.held + hand.supply for hand in view.hands))
    stocks = [_seen(hand) if hand.colour in visible else _imagined(hand, rng) for hand in view.hands]
    return State(view.config, tuple(stocks), view.captured, view.board, view.start)


def _seen(hand: Hand) -> Stock:
    assert hand.rack is not None, "a seat sees its own rack"
    return Stock(hand.rack, hand.unseen, hand.aside)


def _imagined(hand: Hand, rng: Rng) -> Stock:
    rack = draw(hand.unseen, hand.held, rng)
    return Stock(rack, without(hand.unseen, rack), hand.aside)
