"""The scoring of Azul Duel."""

from collections.abc import Callable, Sequence

from tessella.core.game import Seat, Steps, places
from tessella.games.duel.events import Event, FaceScored, ScoreRaised
from tessella.games.duel.pieces import COLOURS, EMPTY, JOKER, LOWER_CORNER, SIZE, SPECIAL, UPPER_CORNER, Face, Tiles
from tessella.games.duel.state import Board, Config, spaces_beside

# While tiling


def runs(tiles: Sequence[Tiles], row: int, column: int) -> tuple[int, int]:
    """DU33: return the lengths of the horizontal and vertical runs through a space, its own tile included."""
    return _run(tiles[row], column), _run([other[column] for other in tiles], row)


def _run(spaces: Sequence[str], place: int) -> int:
    first = last = place
    while first > 0 and spaces[first - 1] != EMPTY:
        first -= 1
    while last < SIZE - 1 and spaces[last + 1] != EMPTY:
        last += 1
    return last - first + 1


def tile_points(across: int, down: int) -> int:
    """DU33: return the points of a tile; a run of one counts nothing, but a tile without neighbours scores 1.

    >>> tile_points(1, 1), tile_points(3, 1), tile_points(6, 6)
    (1, 3, 12)
    """
    return (across if across > 1 else 0) + (down if down > 1 else 0) or 1


# The faces of the scoring tiles


def complete_rows(board: Board) -> int:
    """DU50: return the number of rows of six tiles."""
    return sum(EMPTY not in row for row in board.tiles)


def colour_rows(board: Board, config: Config) -> int:
    """DU51: return the number of rows with five colours or more; a special tile counts as one if the players agreed."""
    return sum(_has_five_colours(row, config) for row in board.tiles)


def _has_five_colours(row: Tiles, config: Config) -> bool:
    if config.special_counts_as_colour == "alone" and row.count(SPECIAL) > 1:
        return False
    uncounted = {EMPTY} if config.special_counts_as_colour else {EMPTY, SPECIAL}
    return len({*row} - uncounted) >= len(COLOURS)


def complete_columns(board: Board) -> int:
    """DU52: return the number of columns of six tiles."""
    return sum(EMPTY not in column for column in zip(*board.tiles, strict=True))


def outer_tiles(board: Board) -> int:
    """DU53: return the number of tiles on the twenty spaces of the border."""
    top, *middle, bottom = board.tiles
    border = top + bottom + "".join(row[0] + row[-1] for row in middle)
    return len(border) - border.count(EMPTY)


def diagonals(board: Board) -> int:
    """DU54: return the number of diagonals of six tiles."""
    down = [row[place] for place, row in enumerate(board.tiles)]
    up = [row[-1 - place] for place, row in enumerate(board.tiles)]
    return (EMPTY not in down) + (EMPTY not in up)


def filled_corners(board: Board, row: int) -> int:
    """DU55: return how many of the two corner plates with this upper row are completely filled."""
    upper, lower = board.tiles[row], board.tiles[row + 1]
    return sum(EMPTY not in upper[end] + lower[end] for end in (slice(2), slice(-2, None)))


def filled_jokers(board: Board) -> int:
    """DU56: return the number of joker spaces if all of them are filled, else 0."""
    spots = _tiles_on(board, JOKER)
    return 0 if EMPTY in spots else len(spots)


def empty_specials(board: Board) -> int:
    """DU57: return the number of empty spaces for special tiles."""
    return _tiles_on(board, SPECIAL).count(EMPTY)


def _tiles_on(board: Board, kind: str) -> str:
    """Return what lies on the spaces of one kind."""
    return "".join(
        tile
        for row, tiles in enumerate(board.tiles)
        for space, tile in zip(spaces_beside(board, row), tiles, strict=True)
        if space == kind
    )


FACES: dict[Face, tuple[tuple[str, int, Callable[[Board, Config], int]], ...]] = {
    "rows": (("DU50", 3, lambda board, _: complete_rows(board)),),
    "colour_rows": (("DU51", 4, colour_rows),),
    "columns": (("DU52", 7, lambda board, _: complete_columns(board)),),
    "outer": (("DU53", 1, lambda board, _: outer_tiles(board)),),
    "diagonals": (("DU54", 10, lambda board, _: diagonals(board)),),
    "corners": (
        ("DU55", UPPER_CORNER, lambda board, _: filled_corners(board, 0)),
        ("DU55", LOWER_CORNER, lambda board, _: filled_corners(board, SIZE - 2)),
    ),
    "jokers": (("DU56", 2, lambda board, _: filled_jokers(board)),),
    "empty_specials": (("DU57", -3, lambda board, _: empty_specials(board)),),
}
"""For each face: its rules, the points per unit, and a function that counts the units."""


def score_faces(board: Board, seat: Seat, config: Config) -> Steps[Event, int]:
    """DU50 to DU57: return the score with the points of all faces; a negative total becomes 0 at the end."""
    score = board.score
    for face in config.faces:
        for rule, each, count_of in FACES[face]:
            if count := count_of(board, config):
                yield FaceScored(seat, face, count, each, count * each, rule)
                score += count * each
    if score < 0:
        yield ScoreRaised(seat, -score)
    return max(0, score)


def final_places(boards: Sequence[Board], favoured: Seat) -> tuple[int, ...]:
    """DU58: return the places: most points, then the favoured seat, so that there is one winner."""
    return places([(board.score, int(seat == favoured)) for seat, board in enumerate(boards)])
