"""Where taken tiles go: into a pattern line, and what finds no room there into the broken space."""

from msgspec.structs import replace

from tessella.core.game import Seat, Story
from tessella.games.duel.events import BreakRule, Event, TilesBroke, TilesLaid
from tessella.games.duel.pieces import BROKEN_SPACES, Tiles
from tessella.games.duel.state import Board, with_row


def lay(board: Board, seat: Seat, line: int, tiles: Tiles) -> Story[Event, tuple[Board, Tiles]]:
    """DU27: fill the line from the right; say what finds no room."""
    old = board.lines[line]
    laid = tiles[: line + 1 - len(old)]
    yield TilesLaid(seat, line, tiles[0], tuple(range(len(old), len(old) + len(laid))))
    return replace(board, lines=with_row(board.lines, line, old + laid)), tiles[len(laid) :]


def shatter(board: Board, seat: Seat, tiles: Tiles, rule: BreakRule) -> Story[Event, tuple[Board, Tiles]]:
    """DU28: tiles go to the broken space; say which found no room and go into the tower."""
    if not tiles:
        return board, ""
    first = len(board.broken)
    fallen = tiles[: BROKEN_SPACES - first]
    spilt = tiles[len(fallen) :]
    yield TilesBroke(seat, tiles[0], tuple(range(first, first + len(fallen))), len(spilt), rule)
    return replace(board, broken=board.broken + fallen), spilt
