"""The preview of a move of Azul: where each tile lands, the cost of the floor, and the score of the round."""

from collections.abc import Sequence

from tessella.core import game
from tessella.core.game import Seat, Steps, collect
from tessella.games.azul.events import Event, MarkerTaken, TilePlaced, TilesFell, TilesLaid
from tessella.games.azul.pieces import FLOOR_COSTS, Tiles
from tessella.games.azul.rules import draft, drop, score_floor, tile
from tessella.games.azul.scoring import floor_costs, runs, tile_points
from tessella.games.azul.state import Board, Move, Place, State, Take, next_row, open_columns


class Preview(game.Preview, frozen=True):
    """The move's tiles, and the mover's board if the round ended right after it.

    On the grey wall the tiles still to be placed are assumed to go where each scores most at that moment.
    """

    line: int | None
    """The pattern line, and the spaces of it that are filled, counted from the right."""
    spaces: tuple[int, ...]
    marker: bool
    """Whether the start marker comes along."""
    floor: tuple[int, ...]
    """The spaces of the floor line that the marker and the surplus take."""
    lid: int
    """Tiles that find no space on the floor line."""
    floor_cost: int
    """What the whole floor line then costs."""
    placed: tuple[TilePlaced, ...]
    """The tiles that would go to the wall."""
    score: int
    """The score that the mover would then have."""


def preview(state: State, move: Move) -> Preview:
    """Return what a legal move does, and how the round would be scored if it ended right after it."""
    after, events = collect(_make(state, move))
    scored, placed = _score_round(after, move.seat)
    score = scored.boards[move.seat].score
    now = state if isinstance(move, Place) else _score_round(state, move.seat)[0]
    laid = next((event for event in events if isinstance(event, TilesLaid)), None)
    fell = next((event for event in events if isinstance(event, TilesFell)), None)
    return Preview(
        points=score - now.boards[move.seat].score,
        line=laid.line if laid else None,
        spaces=laid.spaces if laid else (),
        marker=any(isinstance(event, MarkerTaken) for event in events),
        floor=_new_spaces(state.boards[move.seat].floor, after.boards[move.seat].floor),
        lid=fell.lid if fell else 0,
        floor_cost=sum(floor_costs(after.boards[move.seat].floor)),
        placed=tuple(event for event in [*events, *placed] if isinstance(event, TilePlaced)),
        score=score,
    )


def _make(state: State, move: Move) -> Steps[Event, State]:
    match move:
        case Take():
            return draft(state, move)
        case Place(seat=seat, row=row, column=column):
            return tile(state, seat, row, column)


def _score_round(state: State, seat: Seat) -> tuple[State, list[Event]]:
    """Tile the seat's wall and score its floor, as if the round were over."""
    return collect(_tile_and_score(state, seat))


def _tile_and_score(state: State, seat: Seat) -> Steps[Event, State]:
    while (row := next_row(board := state.boards[seat])) is not None:
        columns = open_columns(state.config, board, row)
        if columns:
            state = yield from tile(state, seat, row, _best(board, row, columns))
        else:
            state = yield from drop(state, seat, row)
    return (yield from score_floor(state, seat))


def _best(board: Board, row: int, columns: Sequence[int]) -> int:
    return max(columns, key=lambda column: tile_points(*runs(board.wall, row, column)))


def _new_spaces(before: Tiles, after: Tiles) -> tuple[int, ...]:
    return tuple(range(len(before), min(len(after), len(FLOOR_COSTS))))
