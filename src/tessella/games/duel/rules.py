"""The rules of Azul Duel: whose turn it is, how phases follow each other, and how the game ends."""

from collections.abc import Sequence
from typing import get_args

from msgspec.structs import replace

from tessella.core import game
from tessella.core.game import Chance, Choose, IllegalMove, Over, Seat, Steps, Turn, collect, not_an_act, require_seat
from tessella.games.duel.chance import due, resolve
from tessella.games.duel.drafting import (
    actions,
    can_act,
    draw,
    place_plate,
    placements,
    put_back,
    stack,
    stackings,
    stop,
    take,
    take_chip,
)
from tessella.games.duel.events import AcquiringEnded, Event, GameEnded, Passed, StartDecided
from tessella.games.duel.pieces import ALL_TILES, FACTORY_TILES, NO_TILES, PLATES, ROUNDS, SEATS, SIZE, kind_of
from tessella.games.duel.scoring import final_places, score_faces
from tessella.games.duel.state import (
    Back,
    Board,
    Config,
    Deal,
    Draw,
    Factory,
    Move,
    Pay,
    Phase,
    Place,
    PlacePlate,
    Return,
    Stack,
    State,
    Stop,
    Take,
    TakeChip,
)
from tessella.games.duel.tiling import choices, choose_space, pay, tile_dome

MOVES: dict[Phase, tuple[type[Move], ...]] = {
    "prepare": (),
    "first": (PlacePlate,),
    "act": (Take, TakeChip, PlacePlate, Draw),
    "stack": (Stack,),
    "draw": (Draw, Stop),
    "keep": (PlacePlate,),
    "return": (Return,),
    "tile": (Place, Pay),
    "over": (),
}
"""The moves allowed in each phase."""

WRONG_PHASE: dict[Phase, tuple[str, str]] = {
    "prepare": ("DU40", "the next round is being prepared"),
    "first": ("DU12", "first each player takes an open plate"),
    "act": ("DU29", "in this phase you acquire plates, tiles and chips"),
    "stack": ("DU23", "first stack the leftover tiles"),
    "draw": ("DU20", "first draw another plate, or stop"),
    "keep": ("DU20", "first keep one of the drawn plates"),
    "return": ("DU20", "first put the other drawn plates under the stack"),
    "tile": ("DU30", "in this phase you tile the dome"),
    "over": ("DU58", "the game is over"),
}
"""The rule and reason why any other move is illegal."""


def setup(config: Config) -> State:
    """DU01 to DU06: return empty boards and factories, with all tiles in the bag and all plates in the stack."""
    return State(
        config,
        boards=(Board(),) * config.seats,
        bag=ALL_TILES,
        tower=NO_TILES,
        factories=(Factory(),) * len(FACTORY_TILES),
        stack=tuple(Back(kind_of(plate)) for plate in PLATES),
    )


def turn(state: State) -> Turn:
    """Return whose turn it is: chance, the current seat, all seats with a tiling choice, or none."""
    if due(state):
        return Chance()
    if state.phase == "tile":
        return Choose(tuple(seat for seat, board in enumerate(state.boards) if board.row < SIZE))
    if state.phase == "over":
        return Over(tuple(board.score for board in state.boards), final_places(state.boards, _favoured(state)))
    return Choose((state.current,))


def legal_moves(state: State, seat: Seat) -> Sequence[Move]:  # noqa: PLR0911
    """Return the legal moves, ordered by action, then by what it is done with and where."""
    require_seat(state.config, seat)
    board = state.boards[seat]
    if due(state) or (seat != state.current and state.phase != "tile"):
        return []
    match state.phase:
        case "first":
            return placements(board, seat, state.open)
        case "act":
            return actions(state, seat)
        case "stack":
            return stackings(seat, state.factories[state.stacking].sun)
        case "draw":
            return [Draw(seat), Stop(seat)]
        case "keep":
            return placements(board, seat, [back.face for back in state.hand])
        case "return":
            return [Return(seat, back.face) for back in state.hand]
        case "tile":
            return choices(board, seat)
        case "prepare" | "over":
            return []


_ACTS = frozenset(get_args(Move | Deal))
"""Looked up by type: to ask `isinstance` of all of them in turn would take a thirtieth of an act's time."""


def apply(state: State, act: Move | Deal) -> tuple[State, Sequence[Event]]:
    """Return the state after the act, and its events."""
    if type(act) not in _ACTS and not isinstance(act, Move | Deal):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise not_an_act(act)
    return collect(_play(state, act))


def _play(state: State, act: Move | Deal) -> Steps[Event, State]:
    if isinstance(act, game.Deal):
        state = yield from resolve(state, act)
    else:
        state = yield from make(state, act)
        if state.phase == "tile":
            state = yield from tile_dome(state, act.seat)
    return (yield from _advance(state))


def make(state: State, move: Move) -> Steps[Event, State]:  # noqa: PLR0911
    """Make a move, without what automatically follows from it."""
    _require_turn(state, move)
    match move:
        case Take():
            return take(state, move)
        case Stack():
            return stack(state, move)
        case TakeChip():
            return take_chip(state, move)
        case PlacePlate():
            return place_plate(state, move)
        case Draw():
            return draw(state, move)
        case Stop():
            return stop(state, move)
        case Return():
            return put_back(state, move)
        case Place():
            return choose_space(state, move)
        case Pay():
            return pay(state, move)


def _require_turn(state: State, move: Move) -> None:
    if not isinstance(move, MOVES[state.phase]):
        raise IllegalMove(*WRONG_PHASE[state.phase])
    now = turn(state)
    if not isinstance(now, Choose) or move.seat not in now.seats:
        raise IllegalMove("DU29", "it is not this seat's turn")


# What follows automatically


def _advance(state: State) -> Steps[Event, State]:
    if state.phase == "act" and not due(state):
        state = yield from _skip_or_tile(state)
    if state.phase == "tile" and all(board.row == SIZE for board in state.boards):
        state = yield from _finish_round(state)
    return state


def _skip_or_tile(state: State) -> Steps[Event, State]:
    """DU29: skip a player who has no action; begin phase 2 when neither has one."""
    if can_act(state, state.current):
        return state
    other = 1 - state.current
    if can_act(state, other):
        yield Passed(state.current)
        return replace(state, current=other)
    yield AcquiringEnded(state.round)
    state = replace(state, phase="tile", current=0)
    for seat in range(SEATS):
        state = yield from tile_dome(state, seat)
    return state


def _finish_round(state: State) -> Steps[Event, State]:
    """DU41: return the start tile, whose holder starts next; after round 5 end the game instead."""
    boards = tuple(replace(board, row=0) for board in state.boards)
    if state.round == ROUNDS:
        return (yield from _finish_game(replace(state, boards=boards)))
    start = _favoured(state)
    yield StartDecided(start)
    return replace(state, boards=boards, phase="prepare", start=start, holder=None)


def _finish_game(state: State) -> Steps[Event, State]:
    """DU50 to DU58: score the faces and determine the winner."""
    boards: list[Board] = []
    for seat, board in enumerate(state.boards):
        score = yield from score_faces(board, seat, state.config)
        boards.append(replace(board, score=score))
    yield GameEnded(tuple(board.score for board in boards), final_places(boards, _favoured(state)))
    return replace(state, boards=tuple(boards), phase="over")


def _favoured(state: State) -> Seat:
    """DU41, DU58: return the holder of the start tile or, if no seat took it, the start player."""
    return state.start if state.holder is None else state.holder
