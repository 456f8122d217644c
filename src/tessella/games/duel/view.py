"""The view of a player of Azul Duel: everything but the faces of plates in the stack (DU60).

The bag is kept as counts and chips get their faces when they are revealed, so neither has anything to leak. Of the
plates that lie face down, everybody sees the kinds and who knows them; players also see the ones they know.
"""

from collections.abc import Sequence

from tessella.core import game
from tessella.core.game import Public, Rng, Seat, require_seat
from tessella.games.duel.events import (
    Event,
    GameEvent,
    PlatePutBack,
    PlateReturned,
    PlatesLookedAt,
    PlatesSeen,
    Witnessed,
)
from tessella.games.duel.pieces import PLATES_OF, PRINTED, Chips, Counts, Kind, Plate, kind_of
from tessella.games.duel.rules import turn
from tessella.games.duel.state import (
    Back,
    Board,
    Config,
    Deal,
    Factory,
    Look,
    Move,
    Phase,
    Return,
    State,
    chips_due,
    tokens_left,
)


class SeenBack(Public, frozen=True):
    """A plate that lies face down, as a seat sees it: the plate if the seat knows it, else its kind."""

    face: Plate | Kind
    known: tuple[Seat, ...]
    """The seats that know which plate it is; empty if no player has looked at it yet."""
    lost: tuple[Seat, ...]
    """Shown to seats that know the plate: those who have seen it but no longer know where it lies."""


class View(game.View, frozen=True):
    """The table as a seat or a spectator sees it; see `State` for the fields that are not explained here."""

    config: Config
    boards: tuple[Board, ...]
    tokens: tuple[int, ...]
    """How many dome tokens each player has left to place this round."""
    chips_due: tuple[int, ...]
    """How many chips each player has left to take this round."""
    bag: Counts
    tower: Counts
    factories: tuple[Factory, ...]
    stack: tuple[SeenBack, ...]
    open: tuple[Plate, ...]
    hand: tuple[SeenBack, ...]
    lost: tuple[Plate, ...]
    """Plates that the seat has seen and that lie face down in a place unknown to it."""
    chips: Chips
    specials: int
    phase: Phase
    round: int
    start: Seat
    current: Seat
    holder: Seat | None
    stacking: int


def view(state: State, seat: Seat | None) -> View:
    """Return what the seat may see, field by field."""
    require_seat(state.config, seat)
    return View(
        seat=seat,
        turn=turn(state),
        config=state.config,
        boards=state.boards,
        tokens=tuple(tokens_left(state, each) for each in range(state.config.seats)),
        chips_due=tuple(chips_due(state, each) for each in range(state.config.seats)),
        bag=state.bag,
        tower=state.tower,
        factories=state.factories,
        stack=tuple(_see(back, seat) for back in state.stack),
        open=state.open,
        hand=tuple(_see(back, seat) for back in state.hand),
        lost=tuple(sorted(back.face for back in (*state.stack, *state.hand) if seat in back.lost)),
        chips=state.chips,
        specials=state.specials,
        phase=state.phase,
        round=state.round,
        start=state.start,
        current=state.current,
        holder=state.holder,
        stacking=state.stacking,
    )


def _see(back: Back, seat: Seat | None) -> SeenBack:
    if seat in back.known:
        return SeenBack(back.face, back.known, back.lost)
    return SeenBack(back.kind, back.known, ())


def witness(event: Event, seat: Seat | None) -> Witnessed:
    """Return the event as the seat saw it: of another player's plates, only the backs."""
    match event:
        case PlatesLookedAt(seat=owner, plates=plates):
            return PlatesSeen(owner, plates if seat == owner else tuple(map(kind_of, plates)))
        case PlatePutBack(seat=owner, plate=plate):
            return PlateReturned(owner, plate if seat == owner else kind_of(plate))
        case GameEvent():
            return event


def owner(act: Move | Deal) -> Seat | None:
    """DU60: return the only seat that may read the act: drawn plates, and plates put back, belong to their owner."""
    match act:
        case Return(seat=seat) | Look(owner=seat):
            return seat
        case _:
            return None


def imagine(view: View, rng: Rng) -> State:
    """Return a random state consistent with the view.

    Plates that others have looked at may be any of their kind that the seat has not seen. A plate that the seat has
    seen and lost track of may be any plate unknown to the seat, all equally likely.
    """
    backs = _imagine_backs(view, rng)
    return State(
        config=view.config,
        boards=view.boards,
        bag=view.bag,
        tower=view.tower,
        factories=view.factories,
        stack=tuple(backs[: len(view.stack)]),
        open=view.open,
        hand=tuple(backs[len(view.stack) :]),
        chips=view.chips,
        specials=view.specials,
        phase=view.phase,
        round=view.round,
        start=view.start,
        current=view.current,
        holder=view.holder,
        stacking=view.stacking,
    )


def _imagine_backs(view: View, rng: Rng) -> list[Back]:
    """Return the stack, followed by the drawn plates."""
    backs = [Back(back.face, back.known, back.lost) for back in (*view.stack, *view.hand)]
    viewer = () if view.seat is None else (view.seat,)
    for kind in PLATES_OF:
        places = [place for place, back in enumerate(backs) if back.face == kind and back.known]
        lost = [plate for plate in view.lost if kind in plate]
        others = _draw(_unseen(view, kind), len(places) - len(lost), rng)
        for place, plate in zip(places, _draw([*lost, *others], len(places), rng), strict=True):
            backs[place] = Back(plate, backs[place].known, viewer if plate in lost else ())
    return backs


def _unseen(view: View, kind: Kind) -> list[Plate]:
    """Return the plates of a kind that the seat has never seen."""
    seen = {*view.open, *view.lost, *(back.face for back in (*view.stack, *view.hand))}
    seen |= {PRINTED[plate] for board in view.boards for plate in board.dome if plate}
    return [plate for plate in PLATES_OF[kind] if plate not in seen]


def _draw(plates: Sequence[Plate], number: int, rng: Rng) -> list[Plate]:
    left = list(plates)
    return [left.pop(rng.randrange(len(left))) for _ in range(number)]
