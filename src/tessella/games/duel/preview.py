"""The preview of a move of Azul Duel: where each tile lands, what breaks, and the score of the round."""

from tessella.core import game
from tessella.core.game import Seat, Steps, collect
from tessella.games.duel.events import Event, SpecialPlaced, StartTileTaken, TilePlaced, TilesBroke, TilesLaid
from tessella.games.duel.pieces import BROKEN_COSTS, SIZE
from tessella.games.duel.rules import make
from tessella.games.duel.state import Move, Place, State
from tessella.games.duel.tiling import choices, leave, place, score_broken


class Preview(game.Preview, frozen=True):
    """The move's tiles, and the mover's board if the round were scored right after it.

    Tiles still to be placed are assumed to go where each scores most at that moment, and no chips are paid. In phase 2
    `points` covers all lines still to be tiled; before, it is what the move adds to that.
    """

    line: int | None
    """The pattern line, and the spaces of it that are filled, counted from the right."""
    spaces: tuple[int, ...]
    start_tile: bool
    """Whether the start tile comes along."""
    broken: tuple[int, ...]
    """The broken spaces that the move's surplus takes."""
    tower: int
    """Tiles that find no broken space."""
    breaking: tuple[TilesBroke, ...]
    """The lines that would break because they can never be placed."""
    broken_cost: int
    """What the broken tiles cost after the move, without the start tile."""
    placed: tuple[TilePlaced | SpecialPlaced, ...]
    """The tiles that would go to the dome, with their points."""
    score: int
    """The score that the mover would then have."""


def preview(state: State, move: Move) -> Preview:
    """Return what a legal move does, and how the round would be scored right after it."""
    after, events = collect(make(state, move))
    scored, later = _score_round(after, move.seat)
    now = state if state.phase == "tile" else _score_round(state, move.seat)[0]
    score = scored.boards[move.seat].score
    laid = next((event for event in events if isinstance(event, TilesLaid)), None)
    broke = next((event for event in events if isinstance(event, TilesBroke)), None)
    return Preview(
        points=score - now.boards[move.seat].score,
        line=laid.line if laid else None,
        spaces=laid.spaces if laid else (),
        start_tile=any(isinstance(event, StartTileTaken) for event in events),
        broken=broke.spaces if broke else (),
        tower=broke.tower if broke else 0,
        breaking=tuple(event for event in later if isinstance(event, TilesBroke)),
        broken_cost=BROKEN_COSTS[len(after.boards[move.seat].broken)],
        placed=tuple(event for event in [*events, *later] if isinstance(event, TilePlaced | SpecialPlaced)),
        score=score,
    )


def _score_round(state: State, seat: Seat) -> tuple[State, list[Event]]:
    """Tile the seat's dome and score its broken tiles, as if phase 1 were over."""
    return collect(_tile_and_score(state, seat))


def _tile_and_score(state: State, seat: Seat) -> Steps[Event, State]:
    while (board := state.boards[seat]).row < SIZE:
        columns = [move.column for move in choices(board, seat) if isinstance(move, Place)]
        if columns:
            state = yield from place(state, seat, max(columns, key=lambda column: _score(state, seat, column)))
        else:
            state = yield from leave(state, seat)
    return (yield from score_broken(state, seat))


def _score(state: State, seat: Seat, column: int) -> int:
    """Return the score after placing the next tile in a column."""
    placed, _ = collect(place(state, seat, column))
    return placed.boards[seat].score
