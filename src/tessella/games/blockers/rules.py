"""The rules of Blockers!: setup, a turn, drawing, the end; in the order of the rulebook."""

from collections.abc import Iterator, Sequence
from functools import cache

from msgspec.structs import replace

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
from tessella.games.blockers.events import (
    EndRule,
    Event,
    GameEnded,
    LastRoundStarted,
    RackShown,
    SeatScored,
    Secret,
    StartDrawn,
    TileCaptured,
    TilePlaced,
    TilePutAside,
    TilesDrawn,
)
from tessella.games.blockers.pieces import (
    CELLS,
    COLOUR_NAMES,
    COLOURS,
    EMPTY,
    EVERY_CELL,
    RACK_SIZE,
    Colour,
    Face,
    Faces,
    draw,
    home,
    in_order,
    name_cell,
    without,
)
from tessella.games.blockers.scoring import all_tallies, final_places, score_rule
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
    drawing,
    groups_beside,
    is_finished,
    is_over,
    owner_of,
    plays,
    plays_left,
    splits,
    unplayed,
    with_cell,
)

# Setup


def setup(config: Config) -> State:
    """BL01 to BL03: return an empty board, with all tiles in the supplies."""
    return State(config, stocks=(Stock(),) * len(colours_of_game(config)), captured=("",) * config.seats)


def turn(state: State) -> Turn:
    """Return whose turn it is: chance while a rack must be filled, else the next seat, clockwise (BL03)."""
    if state.start is None or drawing(state) is not None:
        return Chance()
    left = plays_left(state)
    if not left:
        tallies = all_tallies(state)
        return Over(tuple(each.score for each in tallies), final_places(tallies))
    return Choose(((state.start - left) % state.config.seats,))  # every seat has equally many plays


def apply(state: State, act: Move | Deal) -> tuple[State, Sequence[Event]]:
    """Return the state after the act, and its events."""
    match act:
        case Place():
            return collect(_place(state, act))
        case PutAside():
            return collect(_put_aside(state, act))
        case DrawStart():
            return collect(_draw_start(state, act))
        case DrawTiles():
            return collect(_draw_tiles(state, act))
        case _:
            raise not_an_act(act)


# A turn


def legal_moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return the legal moves by colour, face and cell; tiles to put aside only if none can be placed (BL13, BL17)."""
    require_seat(state.config, seat)
    if turn(state) != Choose((seat,)):
        return []
    return _placements(state, seat) or [
        PutAside(seat, colour, face) for colour, rack in _racks(state, seat) for face in rack
    ]


def _racks(state: State, seat: Seat) -> Iterator[tuple[Colour, Faces]]:
    """BL30, BL32: yield the racks from which a seat may play."""
    for colour in colours_of(state.config, seat):
        stock = _stock(state, colour)
        if not is_finished(unplayed(stock)):
            yield colour, stock.rack


def _placements(state: State, seat: Seat) -> Sequence[Move]:
    """BL10 to BL12, BL15, BL31: return every tile on every cell where it belongs, unless a tile there must stay."""
    colours = state.board.colours
    return [
        move
        for colour, rack in _racks(state, seat)
        for face in rack
        for move in _everywhere(seat, colour, face)
        if colours[move.cell] == EMPTY or (colours[move.cell] != colour and not splits(colours, move.cell))
    ]


@cache
def _everywhere(seat: Seat, colour: Colour, face: Face) -> tuple[Place, ...]:
    """BL10: return the placements of a tile on every cell where it belongs."""
    return tuple(Place(seat, colour, face, cell) for cell in CELLS[face])


def _place(state: State, move: Place) -> Steps[Event, State]:
    _require_playable(state, move)
    _require_takes(state, move)
    state = yield from place(state, move)
    return (yield from _finish_turn(state, move))


def place(state: State, move: Place) -> Steps[Event, State]:
    """BL10, BL14: move the tile from the rack to the cell; a tile that lay there goes to its captor."""
    state = yield from _capture(state, move)
    joined = groups_beside(state.board.colours, move.cell, move.colour)
    yield TilePlaced(move.seat, move.cell, move.colour, move.face, joined, group=1 + sum(joined))
    return replace(
        state,
        board=Board(
            with_cell(state.board.colours, move.cell, move.colour), with_cell(state.board.faces, move.cell, move.face)
        ),
        stocks=_with_stock(state, move.colour, _without(_stock(state, move.colour), move)),
    )


def _capture(state: State, move: Place) -> Steps[Event, State]:
    """BL14: remove the tile on the cell, if any; it lies open before its captor and never returns."""
    colours, face = state.board.colours, state.board.faces[move.cell]
    colour = colours[move.cell]
    if colour == EMPTY:
        return state
    colours = with_cell(colours, move.cell, EMPTY)
    rest = sum(groups_beside(colours, move.cell, colour))
    yield TileCaptured(move.seat, move.cell, colour, face, group=1 + rest, rest=rest)
    captured = list(state.captured)
    captured[move.seat] += colour + face
    return replace(
        state, board=Board(colours, with_cell(state.board.faces, move.cell, EMPTY)), captured=tuple(captured)
    )


def _put_aside(state: State, move: PutAside) -> Steps[Event, State]:
    """BL17: put a tile of the rack aside, face up; the turn is over."""
    _require_playable(state, move)
    if _placements(state, move.seat):
        raise IllegalMove("BL17", "a tile is put aside only when none of the rack can be placed")
    yield TilePutAside(move.seat, move.colour, move.face)
    stock = _without(_stock(state, move.colour), move)
    stock = replace(stock, aside=stock.aside + move.face)
    return (yield from _finish_turn(replace(state, stocks=_with_stock(state, move.colour, stock)), move))


def _require_playable(state: State, move: Move) -> None:
    """BL03, BL10, BL30, BL32: it must be the seat's turn, and the tile must be on its rack."""
    now = turn(state)
    if isinstance(now, Over):
        raise IllegalMove(_end_rule(state.config), "the game is over")
    if isinstance(now, Chance):
        raise IllegalMove("BL16" if plays(state) else "BL03", "a draw comes first")
    if move.seat not in now.seats:
        raise IllegalMove("BL03", "it is the turn of seat {seat}", seat=now.seats[0])
    if move.colour not in [*colours_of(state.config, move.seat)]:
        raise IllegalMove("BL30" if state.config.seats == 2 else "BL03", "you may only play tiles of your own colour")
    stock = _stock(state, move.colour)
    if is_finished(unplayed(stock)):
        raise IllegalMove("BL32", "{colour} is finished", colour=COLOUR_NAMES[move.colour])
    if move.face not in [*stock.rack]:
        colour, face = COLOUR_NAMES[move.colour], quote(move.face)
        raise IllegalMove("BL10", "there is no {colour} {face} on the rack", colour=colour, face=face)


def _require_takes(state: State, move: Place) -> None:
    """BL10 to BL12, BL15: the face must belong on the cell, and a tile there must be one that may be captured."""
    if move.cell not in EVERY_CELL:
        raise IllegalMove("BL01", "there is no such cell")
    where = name_cell(move.cell)
    if move.cell not in CELLS[move.face]:
        reason = "{face} belongs in {home}, which does not contain {cell}"
        raise IllegalMove("BL10", reason, face=move.face, home=home(move.face), cell=where)
    there = state.board.colours[move.cell]
    if there == move.colour:
        raise IllegalMove(
            "BL31" if state.config.seats == 2 else "BL15",
            "the tile on {cell} is of the same colour and cannot be captured",
            cell=where,
        )
    if there != EMPTY and splits(state.board.colours, move.cell):
        raise IllegalMove("BL12", "capturing the tile on {cell} would split its group", cell=where)


def _stock(state: State, colour: Colour) -> Stock:
    return state.stocks[COLOURS.index(colour)]


def _with_stock(state: State, colour: Colour, stock: Stock) -> tuple[Stock, ...]:
    place = COLOURS.index(colour)
    return (*state.stocks[:place], stock, *state.stocks[place + 1 :])


def _without(stock: Stock, move: Move) -> Stock:
    return replace(stock, rack=without(stock.rack, move.face))


# Drawing


def deal(state: State, rng: Rng) -> Deal:
    """BL03, BL16: draw the start player, then what the rack of a colour lacks."""
    if state.start is None:
        return DrawStart(rng.randrange(state.config.seats))
    colour = drawing(state)
    assert colour is not None, "no rack needs tiles"
    stock = _stock(state, colour)
    tiles = draw(stock.supply, RACK_SIZE - len(stock.rack), rng)
    return DrawTiles(owner_of(state.config, colour), colour, tiles)


def _draw_start(state: State, act: DrawStart) -> Steps[Event, State]:
    if state.start is not None:
        raise IllegalMove("BL03", "the start player has already been drawn")
    if act.start not in range(state.config.seats):
        raise IllegalMove("BL03", f"there is no seat {act.start}")
    yield StartDrawn(act.start)
    return replace(state, start=act.start)


def _draw_tiles(state: State, act: DrawTiles) -> Steps[Event, State]:
    """BL03, BL16, BL20: tiles go from the supply to the rack; after the last draw of all the last round starts."""
    stock = _require_drawable(state, act)
    supply = without(stock.supply, act.tiles)
    yield Secret(
        TilesDrawn(act.owner, act.colour, len(act.tiles), len(supply), act.tiles, rule="BL16" if stock.rack else "BL03")
    )
    stock = replace(stock, rack=in_order(stock.rack + act.tiles), supply=supply)
    state = replace(state, stocks=_with_stock(state, act.colour, stock))
    if state.config.seats > 2 and not any(stock.supply for stock in state.stocks):
        yield LastRoundStarted()
    return state


def _require_drawable(state: State, act: DrawTiles) -> Stock:
    if state.start is None:
        raise IllegalMove("BL03", "the start player is drawn first")
    if act.colour != drawing(state):
        raise IllegalMove("BL16", "this colour has nothing to draw now")
    if act.owner != owner_of(state.config, act.colour):
        raise IllegalMove("BL03", f"{COLOUR_NAMES[act.colour]} is not the colour of seat {act.owner}")
    stock = _stock(state, act.colour)
    if len(act.tiles) != RACK_SIZE - len(stock.rack):
        raise IllegalMove("BL16", f"a rack is filled to {RACK_SIZE} tiles")
    left = without(stock.supply, act.tiles)
    if len(left) + len(act.tiles) != len(stock.supply) or act.tiles != in_order(act.tiles):
        raise IllegalMove("BL02", f"{quote(act.tiles)} are not tiles of the supply, in order")
    return stock


# The end


def _finish_turn(state: State, move: Move) -> Steps[Event, State]:
    """BL20, BL32: with two players show a finished colour; score the game when every colour is finished."""
    if state.config.seats == 2 and is_finished(unplayed(_stock(state, move.colour))):
        yield RackShown(move.seat, move.colour, _stock(state, move.colour).rack, "BL32")
    if is_over(state):
        yield from _score(state)
    return state


def _score(state: State) -> Iterator[Event]:
    """BL20 to BL23, BL33: show the unplayed tiles and score every seat."""
    if state.config.seats > 2:
        for seat, stock in enumerate(state.stocks):
            yield RackShown(seat, COLOURS[seat], stock.rack, "BL20")
    tallies = all_tallies(state)
    for seat, each in enumerate(tallies):
        yield SeatScored(seat, each, score_rule(state.config))
    yield GameEnded(tuple(each.score for each in tallies), final_places(tallies), _end_rule(state.config))


def _end_rule(config: Config) -> EndRule:
    return "BL32" if config.seats == 2 else "BL20"
