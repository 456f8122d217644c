"""The rules of Azul: setup, drafting, tiling the wall, the next round, the end; in the order of the rulebook."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tessella.core import dice
from tessella.core.game import (
    Chance,
    Choose,
    IllegalMove,
    Over,
    Rng,
    Seat,
    Steps,
    Turn,
    collect,
    not_an_act,
    require_seat,
)
from tessella.core.notation import quote
from tessella.games.azul.events import (
    DraftingEnded,
    EndRule,
    Event,
    FactoryFilled,
    FallRule,
    FloorScored,
    GameEnded,
    LidPoured,
    MarkerTaken,
    RoundStarted,
    StartDecided,
    TilePlaced,
    TilesFell,
    TilesLaid,
    TilesTaken,
)
from tessella.games.azul.pieces import (
    ALL_TILES,
    COLOUR_NAMES,
    COLOURS,
    FLOOR_COSTS,
    LAST_ROUND,
    MARKER,
    NO_TILES,
    SIZE,
    TILES_PER_FACTORY,
    Colour,
    Tiles,
    add,
    counts,
    factories_for,
    heap,
    subtract,
)
from tessella.games.azul.scoring import complete_rows, final_places, floor_costs, runs, score_bonuses, tile_points
from tessella.games.azul.state import (
    Board,
    Config,
    Deal,
    Move,
    Place,
    State,
    Take,
    drafting,
    next_row,
    open_columns,
    with_board,
    with_line,
    with_tile,
)

# Setup


def setup(config: Config) -> State:
    """AZ01, AZ02: return empty boards and factories, with all tiles in the bag."""
    return State(
        config,
        boards=(Board(),) * config.seats,
        bag=ALL_TILES,
        lid=NO_TILES,
        factories=("",) * factories_for(config.seats),
    )


def turn(state: State) -> Turn:
    """Return whose turn it is: the drafting seat, all seats with a tiling choice, chance, or none."""
    if drafting(state):
        return Choose((state.current,))
    if choosing := tuple(seat for seat, board in enumerate(state.boards) if next_row(board) is not None):
        return Choose(choosing)
    if state.round and _ending(state):
        return Over(tuple(board.score for board in state.boards), final_places(state.boards))
    return Chance()


def apply(state: State, act: Move | Deal) -> tuple[State, Sequence[Event]]:
    """Return the state after the act, and its events."""
    match act:
        case Take():
            return collect(_take(state, act))
        case Place():
            return collect(_place(state, act))
        case Deal():
            return collect(_deal(state, act))
        case _:
            raise not_an_act(act)


# Drafting: the factory offer


def legal_moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves by source (centre last), colour and line (floor last); when tiling, by column."""
    require_seat(state.config, seat)
    if drafting(state):
        return _legal_takes(state, seat) if seat == state.current else []
    board = state.boards[seat]
    row = next_row(board)
    return [] if row is None else [Place(seat, row, column) for column in open_columns(state.config, board, row)]


def _legal_takes(state: State, seat: Seat) -> list[Move]:
    board = state.boards[seat]
    lines = {colour: [*_open_lines(board, colour), None] for colour in COLOURS}
    return [
        Take(seat, source, colour, line)
        for source, tiles in _sources(state)
        for colour in COLOURS
        if colour in tiles
        for line in lines[colour]
    ]


def _sources(state: State) -> Iterator[tuple[int | None, Tiles]]:
    yield from ((factory, tiles) for factory, tiles in enumerate(state.factories) if tiles)
    yield None, state.centre


def _open_lines(board: Board, colour: Colour) -> list[int]:
    return [row for row, tiles in enumerate(board.lines) if _accepts(board, row, tiles, colour)]


def _accepts(board: Board, row: int, tiles: Tiles, colour: Colour) -> bool:
    """AZ14, AZ15: a line accepts a colour if it has room, holds no other colour, and its wall row lacks the colour."""
    return len(tiles) <= row and (not tiles or tiles[0] == colour) and colour not in board.wall[row]


def _take(state: State, move: Take) -> Steps[Event, State]:
    state = yield from draft(state, move)
    return state if drafting(state) else (yield from _tile_walls(state))


def draft(state: State, move: Take) -> Steps[Event, State]:
    """AZ10 to AZ17: take tiles, lay them, and drop the surplus; the turn passes to the next seat."""
    tiles = _require_takeable(state, move)
    board = state.boards[move.seat]
    if move.line is not None:
        _require_open(board, move.line, move.colour)
    state, taken, board = yield from _take_tiles(state, move, tiles, board)
    board, surplus = yield from _lay(board, move, taken)
    board, spilt = yield from _fall(board, move.seat, surplus, "AZ16" if move.line is None else "AZ13")
    return replace(
        state,
        boards=with_board(state.boards, move.seat, board),
        lid=add(state.lid, counts(spilt)),
        current=(move.seat + 1) % state.config.seats,
    )


def _require_takeable(state: State, move: Take) -> Tiles:
    """AZ10: return the tiles of the source; it must be the seat's turn and the source must have the colour."""
    if not drafting(state):
        raise IllegalMove("AZ18", "drafting is over")
    if move.seat != state.current:
        raise IllegalMove("AZ10", "it is the turn of seat {seat}", seat=state.current)
    if move.source is not None and not 0 <= move.source < len(state.factories):
        raise IllegalMove("AZ01", "there is no factory {factory}", factory=move.source + 1)
    tiles = state.centre if move.source is None else state.factories[move.source]
    if move.colour == MARKER:
        raise IllegalMove("AZ12", "the start marker cannot be taken by itself")
    if move.colour not in COLOUR_NAMES:
        raise IllegalMove("AZ02", "there is no colour {colour}", colour=quote(move.colour))
    if move.colour not in tiles:
        colour = COLOUR_NAMES[move.colour]
        if move.source is None:
            raise IllegalMove("AZ10", "there is no {colour} tile in the centre", colour=colour)
        raise IllegalMove(
            "AZ10", "there is no {colour} tile in factory {factory}", colour=colour, factory=move.source + 1
        )
    return tiles


def _require_open(board: Board, line: int, colour: Colour) -> None:
    if not 0 <= line < SIZE:
        raise IllegalMove("AZ13", "there are five pattern lines")
    tiles = board.lines[line]
    if len(tiles) > line:
        raise IllegalMove("AZ14", "line {line} is full", line=line + 1)
    if tiles and tiles[0] != colour:
        raise IllegalMove("AZ14", "line {line} holds {colour} tiles", line=line + 1, colour=COLOUR_NAMES[tiles[0]])
    if colour in board.wall[line]:
        raise IllegalMove(
            "AZ15", "row {line} of the wall already has a {colour} tile", line=line + 1, colour=COLOUR_NAMES[colour]
        )


def _take_tiles(state: State, move: Take, tiles: Tiles, board: Board) -> Steps[Event, tuple[State, Tiles, Board]]:
    """AZ10, AZ11: all tiles of the colour; a factory's rest goes to the centre, the centre's marker to the floor."""
    taken = move.colour * tiles.count(move.colour)
    rest = tiles.replace(move.colour, "")
    if move.source is not None:
        yield TilesTaken(move.seat, move.source, move.colour, len(taken), rest)
        factories = (*state.factories[: move.source], "", *state.factories[move.source + 1 :])
        return replace(state, factories=factories, centre=_sorted(state.centre + rest)), taken, board
    yield TilesTaken(move.seat, None, move.colour, len(taken), "")
    if MARKER in rest:
        space = len(board.floor) if len(board.floor) < len(FLOOR_COSTS) else None
        yield MarkerTaken(move.seat, space, "AZ11" if space is not None else "AZ12")
        board = replace(board, floor=board.floor + MARKER)
        rest = rest.replace(MARKER, "")
    return replace(state, centre=rest), taken, board


def _lay(board: Board, move: Take, taken: Tiles) -> Steps[Event, tuple[Board, Tiles]]:
    """AZ13: fill the line from the right; return the board and the surplus."""
    if move.line is None:
        return board, taken
    old = board.lines[move.line]
    laid = taken[: move.line + 1 - len(old)]
    yield TilesLaid(move.seat, move.line, move.colour, tuple(range(len(old), len(old) + len(laid))))
    return replace(board, lines=with_line(board.lines, move.line, old + laid)), taken[len(laid) :]


def _fall(board: Board, seat: Seat, tiles: Tiles, rule: FallRule) -> Steps[Event, tuple[Board, Tiles]]:
    """AZ17: tiles fall to the floor line from the left; return the board and the tiles that go into the lid."""
    if not tiles:
        return board, ""
    first = len(board.floor)
    fallen = tiles[: max(0, len(FLOOR_COSTS) - first)]
    spilt = tiles[len(fallen) :]
    yield TilesFell(seat, tiles[0], tuple(range(first, first + len(fallen))), len(spilt), rule)
    return replace(board, floor=board.floor + fallen), spilt


def _sorted(tiles: Tiles) -> Tiles:
    return (MARKER if MARKER in tiles else "") + heap(counts(tiles))


# Tiling the wall


def _tile_walls(state: State) -> Steps[Event, State]:
    """AZ20: tile every wall as far as no choice is needed."""
    yield DraftingEnded(state.round)
    if MARKER in state.centre:
        yield StartDecided(state.start, "AZ43")
    state = replace(state, centre="", current=0)
    for seat in range(state.config.seats):
        state = yield from _tile_wall(state, seat)
    return (yield from _finish_round(state))


def _tile_wall(state: State, seat: Seat) -> Steps[Event, State]:
    """AZ20: tile line by line from the top, up to the first choice; after the last line score the floor."""
    while (row := next_row(state.boards[seat])) is not None:
        columns = open_columns(state.config, state.boards[seat], row)
        if len(columns) > 1:
            return state
        state = yield from tile(state, seat, row, columns[0]) if columns else drop(state, seat, row)
    return (yield from score_floor(state, seat))


def tile(state: State, seat: Seat, row: int, column: int) -> Steps[Event, State]:
    """AZ20, AZ22: one tile of the line goes to the wall and scores; the others go into the lid."""
    board = state.boards[seat]
    colour = board.lines[row][0]
    board = with_tile(board, row, column, colour)
    across, down = runs(board.wall, row, column)
    points = tile_points(across, down)
    yield TilePlaced(seat, row, column, colour, across, down, points, lid=row)
    board = replace(board, score=board.score + points, lines=with_line(board.lines, row, ""))
    return replace(state, boards=with_board(state.boards, seat, board), lid=add(state.lid, counts(colour * row)))


def drop(state: State, seat: Seat, row: int) -> Steps[Event, State]:
    """AZ32: drop the whole line to the floor, because no column accepts its tile."""
    board = state.boards[seat]
    tiles = board.lines[row]
    board, spilt = yield from _fall(replace(board, lines=with_line(board.lines, row, "")), seat, tiles, "AZ32")
    return replace(state, boards=with_board(state.boards, seat, board), lid=add(state.lid, counts(spilt)))


def score_floor(state: State, seat: Seat) -> Steps[Event, State]:
    """AZ23, AZ24: subtract the cost of the floor, never below 0; its tiles go into the lid, the marker stays."""
    board = state.boards[seat]
    if not board.floor:
        return state
    costs = floor_costs(board.floor)
    lost = min(board.score, sum(costs))
    yield FloorScored(seat, board.floor, costs, -lost)
    if MARKER in board.floor:
        yield StartDecided(seat, "AZ24")
        state = replace(state, start=seat)
    return replace(
        state,
        boards=with_board(state.boards, seat, replace(board, score=board.score - lost, floor="")),
        lid=add(state.lid, counts(board.floor)),
    )


def _place(state: State, move: Place) -> Steps[Event, State]:
    """AZ30, AZ31: place the tile in the chosen column; then tile on up to the next choice."""
    _require_placeable(state, move)
    state = yield from tile(state, move.seat, move.row, move.column)
    state = yield from _tile_wall(state, move.seat)
    return (yield from _finish_round(state))


def _require_placeable(state: State, move: Place) -> None:
    if drafting(state):
        raise IllegalMove("AZ18", "the wall is tiled when all factories and the centre are empty")
    if not 0 <= move.seat < state.config.seats:
        raise IllegalMove("AZ01", f"there is no seat {move.seat}")
    board = state.boards[move.seat]
    row = next_row(board)
    if row is None:
        raise IllegalMove("AZ20", "there is no complete line left to tile")
    if row != move.row:
        raise IllegalMove("AZ31", "line {line} comes first", line=row + 1)
    if move.column not in open_columns(state.config, board, row):
        raise IllegalMove("AZ30", "the tile does not fit in column {column}", column=move.column + 1)


# The next round, and the end


def _finish_round(state: State) -> Steps[Event, State]:
    """AZ50, AZ51: score the bonuses if no choice is left and the game ends."""
    if any(next_row(board) is not None for board in state.boards):
        return state
    rule = _ending(state)
    if rule is None:
        return state
    boards: list[Board] = []
    for seat, board in enumerate(state.boards):
        bonus = yield from score_bonuses(board.wall, seat)
        boards.append(replace(board, score=board.score + bonus))
    yield GameEnded(tuple(board.score for board in boards), final_places(boards), rule)
    return replace(state, boards=tuple(boards))


def _ending(state: State) -> EndRule | None:
    """AZ50, AZ42, AZ44: return the rule by which the game ends after this round, if it does."""
    if any(complete_rows(board.wall) for board in state.boards):
        return "AZ50"
    if state.bag == NO_TILES == state.lid:
        return "AZ42"
    return "AZ44" if state.round >= LAST_ROUND else None


def deal(state: State, rng: Rng) -> Deal:
    """AZ03, AZ04, AZ40: fill the factories in order; pour the lid into the bag whenever the bag is empty."""
    start = rng.randrange(state.config.seats) if state.round == 0 else None
    bag, lid = list(state.bag), list(state.lid)
    factories: list[Tiles] = []
    for _ in state.factories:
        drawn = [0] * SIZE
        for _ in range(TILES_PER_FACTORY):
            if not any(bag):
                bag, lid = lid, [0] * SIZE
            if any(bag):
                drawn[dice.draw(bag, rng)] += 1
        b, y, r, k, w = drawn
        factories.append(heap((b, y, r, k, w)))
    return Deal(tuple(factories), start)


def _deal(state: State, act: Deal) -> Steps[Event, State]:
    start = _require_dealable(state, act)
    yield RoundStarted(state.round + 1, start)
    for factory, tiles in enumerate(act.factories):
        state = yield from _fill(state, factory, tiles)
    return replace(state, factories=act.factories, centre=MARKER, round=state.round + 1, start=start, current=start)


def _require_dealable(state: State, act: Deal) -> Seat:
    if not isinstance(turn(state), Chance):
        raise IllegalMove("AZ40", "the factories are filled when a round is over and another follows")
    if len(act.factories) != len(state.factories):
        raise IllegalMove("AZ01", f"there are {len(state.factories)} factories")
    if (act.start is None) == (state.round == 0) or act.start not in (None, *range(state.config.seats)):
        raise IllegalMove("AZ04", "the first deal, and only the first, draws a start player")
    return state.start if act.start is None else act.start


def _fill(state: State, factory: int, tiles: Tiles) -> Steps[Event, State]:
    """AZ40, AZ41: fill a factory with four tiles; the lid refills an empty bag; fewer tiles if both are empty."""
    wanted = counts(tiles)
    bag, lid = state.bag, state.lid
    if tiles != heap(wanted):
        raise IllegalMove("AZ02", f"{quote(tiles)} is not a heap of tiles")
    if sum(bag) < TILES_PER_FACTORY and lid != NO_TILES:
        if min(subtract(wanted, bag)) < 0:
            raise IllegalMove(
                "AZ40", f"factory {factory + 1} gets the last tiles of the bag before the lid is poured in"
            )
        yield LidPoured(sum(lid), factory)
        bag, lid = add(bag, lid), NO_TILES
    if sum(wanted) != min(TILES_PER_FACTORY, sum(bag)) or min(subtract(bag, wanted)) < 0:
        raise IllegalMove("AZ03", f"factory {factory + 1} cannot get {quote(tiles)} from this bag")
    yield FactoryFilled(factory, tiles)
    return replace(state, bag=subtract(bag, wanted), lid=lid)
