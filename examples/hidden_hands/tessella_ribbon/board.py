"""The table of Ribbon as every client draws it, from a view."""

from tessella.core.board import Board, Choice, Piece, Space, Stack, Track, Words
from tessella.core.game import Choose, Seat
from tessella_ribbon import rules

BACK = Piece(shape="domino", is_hidden=True)


def describe(view: rules.View) -> Board:
    """Return the ribbon with a free space at each end, the stock, and the hands: the viewer's own, and backs."""
    left = len(rules.TILES) - len(view.ribbon) - sum(view.held)
    hands = tuple(_hand(view, seat) for seat in range(view.config.seats))
    stock = Stack("stock", Words("stock"), left, BACK if left else None)
    todo = Words("todo" if left else "todo.empty") if isinstance(view.turn, Choose) else None
    return Board((_ribbon(view), stock, *hands), view.scores, (Words("left", {"n": left}),), todo)


def _ribbon(view: rules.View) -> Track:
    tiles = tuple(Space(f"ribbon{number}", _piece(tile)) for number, tile in enumerate(view.ribbon))
    first = (Space("left", name=Words("end.left"), hint="◂"),) if tiles else ()
    return Track("ribbon", Words("ribbon"), (*first, *tiles, Space("right", name=Words("end.right"), hint="▸")))


def _hand(view: rules.View, seat: Seat) -> Track:
    """Return the tiles of a seat; only their number if they are not the viewer's."""
    pieces = tuple(map(_piece, view.hand)) if seat == view.seat else (BACK,) * view.held[seat]
    ids = view.hand if seat == view.seat else tuple(map(str, range(len(pieces))))
    spaces = tuple(Space(f"hand{seat}.{each}", piece) for each, piece in zip(ids, pieces, strict=True))
    return Track(f"hand{seat}", Words("hand"), spaces, seat)


def _piece(tile: rules.Tile) -> Piece:
    return Piece(
        tile, "black" if tile[0] == tile[1] else "white", "domino", name=Words("tile", {"tile": "–".join(tile)})
    )


def compose(view: rules.View, move: rules.Move) -> Choice:
    """Return the tile of the hand and the end of the ribbon to point at."""
    match move:
        case rules.Lay():
            words = Words(f"lay.{move.end}", {"tile": "–".join(move.tile)})
            return Choice(words, (f"hand{move.seat}.{move.tile}", move.end))
        case rules.Take():
            return Choice(Words("take"), ("stock",))
        case rules.Pass():
            return Choice(Words("pass"))
