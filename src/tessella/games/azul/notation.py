"""The notation of Azul: moves of three characters, deals, and whole positions in one line.

    3r4     take red from factory 3 into line 4          ck-    take black from the centre to the floor
    t24     put the tile of line 2 in column 4 (grey wall)

    0:bbyk byrw …       the first deal: seat 0 starts, then the tiles of each factory; `-` is an empty one
    bbyk byrw …         a later deal

    2c 3 0>1 bbyk,-,… mrrk 12.9.15.10.14 0.4.2.1.3 8:b/yy/-/-/kkk:b..../.b.../...../...../.....:mrr 5:…

A position names: seats and wall (c coloured, g grey), round, who starts and who drafts, the factories, the centre
(`m` is the marker), the bag and the lid as counts of blue, yellow, red, black and white, and each board as score,
pattern lines, wall rows and floor. The bag may be written `~`: all tiles that are nowhere else.
"""

import re

from msgspec.structs import replace

from tessella.core.game import BadNotation, Seat
from tessella.core.notation import match_groups, quote
from tessella.games.azul.pieces import (
    ALL_TILES,
    COLOURS,
    EMPTY,
    FLOOR_COSTS,
    MARKER,
    SIZE,
    TILES_PER_FACTORY,
    Counts,
    Tiles,
    add,
    counts,
    factories_for,
    heap,
    subtract,
    wall_column,
)
from tessella.games.azul.rules import setup
from tessella.games.azul.state import (
    Board,
    Config,
    Deal,
    Lines,
    Move,
    Place,
    State,
    Take,
    Wall,
    drafting,
    next_row,
    open_columns,
)

# Moves and deals

SOURCES = {None: "c"} | {factory: str(factory + 1) for factory in range(factories_for(4))}
LINES = {None: "-"} | {row: str(row + 1) for row in range(SIZE)}
"""Notation of sources and lines, precomputed: every legal move is written whenever a seat is to move."""

TAKE = re.compile(f"([1-9c])([{COLOURS}])([1-5-])")
PLACE = re.compile("t([1-5])([1-5])")


def write_move(state: State, move: Move) -> str:  # noqa: ARG001
    """Return the notation of a move: three characters."""
    match move:
        case Take():
            return SOURCES[move.source] + move.colour + LINES[move.line]
        case Place():
            return f"t{move.row + 1}{move.column + 1}"


def read_move(state: State, seat: Seat, text: str) -> Move:  # noqa: ARG001
    """Parse a move, legal or not."""
    if take := TAKE.fullmatch(text):
        source, colour, line = take.groups()
        return Take(seat, None if source == "c" else int(source) - 1, colour, None if line == "-" else int(line) - 1)
    if place := PLACE.fullmatch(text):
        return Place(seat, int(place[1]) - 1, int(place[2]) - 1)
    raise BadNotation(f"{quote(text)} is not a move: write source, colour and line, as in 3r4, ck- or (grey wall) t24")


def write_deal(state: State, deal: Deal) -> str:  # noqa: ARG001
    """Return the notation of a deal: the start player, if drawn, and the tiles of each factory."""
    start = "" if deal.start is None else f"{deal.start}:"
    return start + " ".join(tiles or "-" for tiles in deal.factories)


def read_deal(state: State, text: str) -> Deal:  # noqa: ARG001
    """Parse a deal, possible or not."""
    deal = re.fullmatch(rf"(?:([0-3]):)?((?:[{COLOURS}]{{1,4}}|-)(?: (?:[{COLOURS}]{{1,4}}|-))*)", text)
    if deal is None:
        raise BadNotation(f"{quote(text)} is not a deal: write the tiles of each factory, as in bbyk byrw - …")
    factories = tuple(heap(counts(tiles)) for tiles in deal[2].split(" "))
    return Deal(factories, None if deal[1] is None else int(deal[1]))


# Positions


def write_state(state: State) -> str:
    """Return the notation of a position, in one line."""
    return " ".join(
        [
            f"{state.config.seats}{state.config.wall[0]}",
            str(state.round),
            f"{state.start}>{state.current}",
            ",".join(tiles or "-" for tiles in state.factories),
            state.centre or "-",
            ".".join(map(str, state.bag)),
            ".".join(map(str, state.lid)),
            *map(_write_board, state.boards),
        ]
    )


def _write_board(board: Board) -> str:
    lines = "/".join(tiles or "-" for tiles in board.lines)
    return f"{board.score}:{lines}:{'/'.join(board.wall)}:{board.floor or '-'}"


def read_state(text: str) -> State:
    """Parse a position; raise `BadNotation` unless every tile exists once and lies where it may."""
    words = text.split(" ")
    if len(words) < 7:
        raise BadNotation(f"a position has at least nine words, not {len(words)}")
    table, number, order, factories, centre, bag, lid, *boards = words
    config = _read_config(table)
    start, current = match_groups("([0-3])>([0-3])", order, "who starts > who drafts")
    seats, dishes = config.seats, factories_for(config.seats)
    if len(boards) != seats or factories.count(",") != dishes - 1:
        raise BadNotation(
            f"wrong number of boards or factories: {seats} players have {seats} boards and {dishes} factories"
        )
    known = State(
        config,
        boards=tuple(_read_board(config, board) for board in boards),
        bag=(0, 0, 0, 0, 0),
        lid=_read_counts(lid),
        factories=tuple(_read_heap(f"[{COLOURS}]{{1,{TILES_PER_FACTORY}}}", tiles) for tiles in factories.split(",")),
        centre=_read_heap(f"{MARKER}?[{COLOURS}]{{0,{3 * dishes}}}", centre),
        round=int(match_groups("([0-9]|[1-4][0-9]|50)", number, "a round")[0]),
        start=int(start),
        current=int(current),
    )
    rest = subtract(ALL_TILES, tiles_out_of_bag(known))
    state = replace(known, bag=rest if bag == "~" else _read_counts(bag))
    _require_sound(state)
    return state


def tiles_out_of_bag(state: State) -> Counts:
    """Return the counts of all tiles that are not in the bag."""
    heaps = [*state.factories, state.centre]
    for board in state.boards:
        heaps += [*board.lines, *board.wall, board.floor]
    return add(state.lid, counts(heaps))


def _read_config(text: str) -> Config:
    seats, wall = match_groups("([2-4])([cg])", text, "a number of seats and a wall, as in 2c")
    return Config(int(seats), "coloured" if wall == "c" else "grey")


def _read_counts(text: str) -> Counts:
    b, y, r, k, w = map(int, match_groups(r"\.".join(["([0-9]{1,2})"] * SIZE), text, "counts of the five colours"))
    return b, y, r, k, w


def _read_heap(pattern: str, text: str) -> Tiles:
    """Parse tiles in any order and sort them; `-` is none."""
    (tiles,) = match_groups(f"({pattern}|-)", text, "a heap of tiles")
    return (MARKER if MARKER in tiles else "") + heap(counts(tiles))


def _read_board(config: Config, text: str) -> Board:
    score, lines, wall, floor = match_groups("([0-9]{1,3}):([^:]*):([^:]*):([^:]*)", text, "score:lines:wall:floor")
    (pieces,) = match_groups(f"([{COLOURS}m]{{0,8}}|-)", floor, "a floor line")
    return Board(int(score), _read_lines(lines), _read_wall(config, wall), pieces.strip("-"))


def _read_lines(text: str) -> Lines:
    a, b, c, d, e = match_groups("/".join(["([^/]*)"] * SIZE), text, "five pattern lines")
    for row, tiles in enumerate((a, b, c, d, e)):
        match_groups(f"-|([{COLOURS}])\\1{{0,{row}}}", tiles, f"a pattern line of {row + 1}")
    return a.strip("-"), b.strip("-"), c.strip("-"), d.strip("-"), e.strip("-")


def _read_wall(config: Config, text: str) -> Wall:
    a, b, c, d, e = match_groups("/".join([f"([{COLOURS}.]{{5}})"] * SIZE), text, "a wall")
    wall = (a, b, c, d, e)
    for line in (*wall, *map("".join, zip(*wall, strict=True))):
        if any(line.count(colour) > 1 for colour in COLOURS):
            raise BadNotation(f"{quote(text)} has the same colour twice in a row or column")
    for row, tiles in enumerate(wall):
        for colour in tiles.replace(EMPTY, ""):
            if config.wall == "coloured" and tiles.index(colour) != wall_column(row, colour):
                raise BadNotation(
                    f"{quote(text)} is not a coloured wall: {colour} lies in the wrong column of row {row + 1}"
                )
    return wall


def _require_sound(state: State) -> None:
    """Check what no single word of a position shows."""
    seats = state.config.seats
    if max(state.start, state.current) >= seats:
        raise BadNotation(f"unknown start or drafting player: the seats are 0 to {seats - 1}")
    if state.current and not drafting(state):
        raise BadNotation("a player drafts although no tile is left: expected seat 0")
    if add(tiles_out_of_bag(state), state.bag) != ALL_TILES or min(state.bag) < 0:
        raise BadNotation("wrong number of tiles: there are 20 of each colour")
    if not state.round and state != setup(state.config):
        raise BadNotation("the table is not empty before the first deal")
    for board in state.boards:
        _require_sound_board(state, board)
    if (state.centre + "".join(board.floor for board in state.boards)).count(MARKER) not in _markers(state):
        raise BadNotation(
            "misplaced start marker: there is one, in the centre or on a floor line while tiles are drafted"
        )


def _require_sound_board(state: State, board: Board) -> None:
    if any(tiles and tiles[0] in row for tiles, row in zip(board.lines, board.wall, strict=True)):
        raise BadNotation("a pattern line holds a colour that its wall row already has")
    if len(board.floor.removesuffix(MARKER)) > len(FLOOR_COSTS):
        raise BadNotation("too many tiles on a floor line: it has seven spaces")
    if drafting(state):
        return
    row = next_row(board)
    if row is None and board.floor:
        raise BadNotation("a floor line is not empty after tiling")
    if row is not None and len(open_columns(state.config, board, row)) < 2:
        raise BadNotation("a complete line is left after drafting that gives its player no choice")


def _markers(state: State) -> tuple[int, ...]:
    if drafting(state):
        return (1,)
    return () if state.centre else (0, 1)
