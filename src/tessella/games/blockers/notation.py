"""The notation of Blockers!: moves by tile and cell, deals, and whole positions in one line.

    7@D7    place the 7 on D7                            7@D7x   capture the tile on D7 with it
    7@-     put the 7 aside                              b7@D7   with two players: the blue 7

    start 2         seat 2 starts                        b:7     blue draws a 7; at the start b:AD7sw

    3b 1 ...b4...../.../yI.......y9 AD7sw:~:- … … y7 - bAy2

Letters and numbers are themselves; symbols are s sun, h heart, a star, p spade, d diamond, c club, m moon, t triangle,
o circle; w is the wild. Colours are b blue, y yellow, r red, g green, v violet. Two players always write the colour
of a tile: leaving it out where it is clear would reveal what the other rack holds. The `x` is required if and only
if a tile lies on the cell, so that no capture is made by oversight.

A position names: seats and scoring (b Blockers!, u Uptown), start player, the rows of the board, for each colour its
rack, supply and tiles put aside, and for each seat its captured tiles. `-` is nothing; a supply may be written `~`:
all tiles of the colour that are nowhere else.
"""

import re

from msgspec.structs import replace

from tessella.core.game import BadNotation, Seat
from tessella.core.notation import match_groups, quote
from tessella.games.blockers.pieces import (
    CELLS,
    COLOURS,
    EMPTY,
    FACES,
    LETTERS,
    NUMBERS,
    RACK_SIZE,
    SIZE,
    TILES_LEFT,
    Cell,
    Faces,
    Tiles,
    home,
    in_order,
    name_cell,
)
from tessella.games.blockers.state import (
    Board,
    Config,
    Deal,
    DrawStart,
    DrawTiles,
    Move,
    Place,
    PutAside,
    State,
    Stock,
    colours_of,
    colours_of_game,
    every_tile,
    owner_of,
    plays,
    unplayed,
)

REST = "~"
"""A supply of all tiles that are nowhere else."""

# Moves and deals


def write_move(state: State, move: Move) -> str:
    """Return the notation of a move: tile and cell, and `x` for a capture."""
    tile = move.colour + move.face if state.config.seats == 2 else move.face
    if isinstance(move, PutAside):
        return f"{tile}@-"
    return f"{tile}@{name_cell(move.cell)}{'' if state.board.colours[move.cell] == EMPTY else 'x'}"


def read_move(state: State, seat: Seat, text: str) -> Move:
    """Parse a move, legal or not."""
    letter = f"[{COLOURS}]" if state.config.seats == 2 else ""
    move = re.fullmatch(f"({letter})([{FACES}])@(?:([{LETTERS}][{NUMBERS}])(x?)|-)", text)
    if move is None:
        raise BadNotation(f"{quote(text)} is not a move: write tile and cell, as in {'b' if letter else ''}7@D7")
    colour = move[1] or colours_of(state.config, seat)
    if move[3] is None:
        return PutAside(seat, colour, move[2])
    cell = _read_cell(move[3])
    if (move[4] == "x") == (state.board.colours[cell] == EMPTY):
        raise BadNotation(f"{quote(text)}: write x if, and only if, a tile lies on {move[3]}")
    return Place(seat, colour, move[2], cell)


def _read_cell(text: str) -> Cell:
    return LETTERS.index(text[0]) * SIZE + NUMBERS.index(text[1])


def write_deal(state: State, deal: Deal) -> str:  # noqa: ARG001
    """Return the notation of a deal: the start player, or the tiles that a colour draws."""
    return f"start {deal.start}" if isinstance(deal, DrawStart) else f"{deal.colour}:{deal.tiles}"


def read_deal(state: State, text: str) -> Deal:
    """Parse a deal, possible or not."""
    if start := re.fullmatch("start ([0-4])", text):
        return DrawStart(int(start[1]))
    if drawn := re.fullmatch(f"([{COLOURS}]):([{FACES}]{{1,{RACK_SIZE}}})", text):
        return DrawTiles(owner_of(state.config, drawn[1]), drawn[1], in_order(drawn[2]))
    raise BadNotation(f"{quote(text)} is not a deal: write colour and tiles, as in b:7, or start 2")


# Positions


def write_state(state: State) -> str:
    """Return the notation of a position, in one line."""
    return " ".join(
        [
            f"{state.config.seats}{state.config.scoring[0]}",
            "-" if state.start is None else str(state.start),
            _write_board(state.board),
            *(f"{stock.rack or '-'}:{stock.supply or '-'}:{stock.aside or '-'}" for stock in state.stocks),
            *(tiles or "-" for tiles in state.captured),
        ]
    )


def _write_board(board: Board) -> str:
    cells = [
        EMPTY if colour == EMPTY else colour + face for colour, face in zip(board.colours, board.faces, strict=True)
    ]
    return "/".join("".join(cells[first : first + SIZE]) for first in range(0, len(cells), SIZE))


def read_state(text: str) -> State:
    """Parse a position; raise `BadNotation` unless every tile exists once and lies where it may."""
    table, *words = text.split(" ")
    config = _read_config(table)
    count = len(colours_of_game(config))
    if len(words) != 2 + count + config.seats:
        raise BadNotation(f"a position for {config.seats} has {3 + count + config.seats} words, not {1 + len(words)}")
    start, board, *rest = words
    known = State(
        config,
        stocks=tuple(map(_read_stock, rest[:count])),
        captured=tuple(_read_tiles(config, tiles) for tiles in rest[count:]),
        board=_read_board(config, board),
        start=None if start == "-" else _read_seat(config, start),
    )
    state = _with_supplies(known)
    _require_sound(state)
    return state


def _read_config(text: str) -> Config:
    seats, scoring = match_groups("([2-5])([bu])", text, "a number of seats and a scoring, as in 3b")
    return Config(int(seats), "blockers" if scoring == "b" else "uptown")


def _read_seat(config: Config, text: str) -> Seat:
    (seat,) = match_groups(f"([0-{config.seats - 1}])", text, "a seat at this table")
    return int(seat)


def _read_stock(text: str) -> Stock:
    faces = f"([{FACES}]+|-)"
    rack, supply, aside = match_groups(f"{faces}:({REST}|[{FACES}]+|-):{faces}", text, "rack:supply:aside")
    return Stock(_sorted(rack), supply if supply == REST else _sorted(supply), aside.strip("-"))


def _sorted(faces: Faces) -> Faces:
    return in_order(faces.strip("-"))


def _read_tiles(config: Config, text: str) -> Tiles:
    (tiles,) = match_groups(f"((?:{_tile(config)})+|-)", text, "captured tiles")
    return tiles.strip("-")


def _read_board(config: Config, text: str) -> Board:
    row = f"((?:\\.|{_tile(config)}){{{SIZE}}})"
    rows = match_groups("/".join([row] * SIZE), text, "a board of nine rows")
    cells = re.findall(f"\\.|{_tile(config)}", "".join(rows))
    for cell, tile in enumerate(cells):
        if tile != EMPTY and cell not in CELLS[tile[1]]:
            raise BadNotation(f"{tile} cannot lie on {name_cell(cell)}: it belongs in {home(tile[1])}")
    return Board("".join(tile[0] for tile in cells), "".join(tile[-1] for tile in cells))


def _tile(config: Config) -> str:
    return f"[{colours_of_game(config)}][{FACES}]"


def _with_supplies(state: State) -> State:
    """Fill the supplies written as `~` with the tiles that are nowhere else."""
    found = set(every_tile(state))
    rest = ["".join(face for face in FACES if colour + face not in found) for colour in colours_of_game(state.config)]
    stocks = [
        replace(stock, supply=faces) if stock.supply == REST else stock
        for stock, faces in zip(state.stocks, rest, strict=True)
    ]
    return replace(state, stocks=tuple(stocks))


def _require_sound(state: State) -> None:
    """Check what no single word of a position shows."""
    colours = colours_of_game(state.config)
    if sorted(every_tile(state)) != sorted(colour + face for colour in colours for face in FACES):
        raise BadNotation("missing or duplicate tiles: there are 28 different ones of each colour")
    if state.start is None or not plays(state):
        _require_set_up(state)
    else:
        _require_full_racks(state, (state.start + plays(state) - 1) % state.config.seats)
        for seat in range(state.config.seats):
            _require_in_turn(state, seat, (seat - state.start) % state.config.seats)


def _require_set_up(state: State) -> None:
    """BL03: the start player is drawn first, then each rack in the order of the colours."""
    sizes = [len(stock.rack) for stock in state.stocks]
    if state.start is None and (any(sizes) or plays(state)):
        raise BadNotation("tiles are outside the supplies before the start player is drawn")
    if not {0, RACK_SIZE}.issuperset(sizes) or sizes != sorted(sizes, reverse=True):
        raise BadNotation("wrong racks before the first play: racks of five are dealt in the order of the colours")


def _require_full_racks(state: State, last: Seat) -> None:
    """BL16: a rack holds five tiles; four if the supply is empty, or if its owner has just played and must draw."""
    sizes = [len(stock.rack) for stock in state.stocks]
    short = [seat for seat, stock in _owned_stocks(state) if len(stock.rack) < RACK_SIZE and stock.supply]
    if not {TILES_LEFT, RACK_SIZE}.issuperset(sizes) or short not in ([], [last]):
        raise BadNotation("wrong rack size: five tiles, or four if the supply is empty or its owner must draw")


def _require_in_turn(state: State, seat: Seat, place: int) -> None:
    """BL03, BL15: seats play in turn, capture at most one tile per play, and never their only colour."""
    own = [stock for owner, stock in _owned_stocks(state) if owner == seat]
    played = sum(len(FACES) - unplayed(stock) for stock in own)
    if played != (plays(state) + state.config.seats - 1 - place) // state.config.seats:
        raise BadNotation(f"seat {seat} has played {played} tiles, which does not fit the order of play")
    captured = state.captured[seat]
    if len(captured) // 2 > played - sum(len(stock.aside) for stock in own):
        raise BadNotation(f"seat {seat} has captured more tiles than it has placed")
    if state.config.seats > 2 and colours_of(state.config, seat) in captured:
        raise BadNotation(f"seat {seat} has captured its own colour")


def _owned_stocks(state: State) -> list[tuple[Seat, Stock]]:
    owners = [owner_of(state.config, colour) for colour in colours_of_game(state.config)]
    return list(zip(owners, state.stocks, strict=True))
