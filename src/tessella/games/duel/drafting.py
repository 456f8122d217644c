"""Phase 1 of Azul Duel: acquire plates, tiles and chips, one action per turn."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations

from msgspec.structs import replace

from tessella.core.game import IllegalMove, Seat, Steps
from tessella.core.notation import quote
from tessella.games.duel.events import (
    BreakRule,
    ChipTaken,
    Event,
    MoonsTaken,
    PlaceRule,
    PlateDrawn,
    PlatePlaced,
    PlatePutBack,
    PlatesLookedAt,
    StartTileTaken,
    SunTaken,
    TilesBroke,
    TilesLaid,
    TilesStacked,
    TokenPlaced,
)
from tessella.games.duel.pieces import (
    BROKEN_SPACES,
    COLOUR_NAMES,
    COLOURS,
    FACE_DOWN,
    FACTORY_TILES,
    LARGE,
    PRINTED,
    SIZE,
    SLOTS,
    TURNS,
    Colour,
    Plate,
    Tiles,
    add,
    counts,
    sorted_chips,
)
from tessella.games.duel.state import (
    Back,
    Board,
    Draw,
    Move,
    PlacePlate,
    Return,
    Stack,
    State,
    Stop,
    Take,
    TakeChip,
    chips_due,
    tokens_left,
    with_board,
    with_factory,
    with_row,
)

# What a player may do


def actions(state: State, seat: Seat) -> list[Move]:
    """Return the actions: suns, moons, chips, open plates, stack; then by factory, colour and line (broken last)."""
    board = state.boards[seat]
    lines = _open_lines(board)
    moves: list[Move] = []
    for factory, colours in _sources(state):
        for colour in COLOURS:
            if colour in colours:
                moves += _takes(seat, factory, colour, lines[colour])
    if chips_due(state, seat):
        moves += [TakeChip(seat, factory) for factory in _revealed(state)]
    if tokens_left(state, seat):
        moves += placements(board, seat, state.open)
        moves += [Draw(seat)] if state.stack and (can_afford_draw(state, seat) or not moves) else []
    return moves


def can_act(state: State, seat: Seat) -> bool:
    """DU29: return whether the player has any action; while there are tiles, everybody has."""
    if any(factory.sun or factory.moon for factory in state.factories):
        return True
    if chips_due(state, seat) and _revealed(state):
        return True
    return tokens_left(state, seat) > 0 and bool(state.open or state.stack)


def can_afford_draw(state: State, seat: Seat) -> bool:
    """DU22: return whether the player may draw a plate by choice: it costs a point, unless draws are always free."""
    return state.boards[seat].score > 0 or state.config.free_draws == "always"


def stackings(seat: Seat, rest: Tiles) -> list[Move]:
    """DU23: return every order of the leftover."""
    return [Stack(seat, "".join(tiles)) for tiles in dict.fromkeys(permutations(rest))]


def placements(board: Board, seat: Seat, plates: Iterable[Plate]) -> list[Move]:
    """DU20: return each plate in each empty slot in each orientation."""
    slots = [slot for slot in range(SLOTS) if not board.dome[slot]]
    return [move for plate in plates for slot in slots for move in _turns(seat, plate, slot)]


def _sources(state: State) -> Iterator[tuple[int | None, Tiles]]:
    """DU23, DU24: yield every sun; then (None) the moons: all of the large one, and the tops of the stacks."""
    yield from ((number, factory.sun) for number, factory in enumerate(state.factories))
    large, *small = state.factories
    yield None, large.moon + "".join(factory.moon[-1:] for factory in small)


def _open_lines(board: Board) -> dict[Colour, tuple[int | None, ...]]:
    """DU27: return per colour the lines that accept it, whatever the dome accepts, and (None) the broken space."""
    room = [(row, tiles[:1]) for row, tiles in enumerate(board.lines) if len(tiles) <= row]
    return {colour: (*[row for row, held in room if held in ("", colour)], None) for colour in COLOURS}


def _revealed(state: State) -> list[int]:
    return [number for number, factory in enumerate(state.factories) if factory.chip not in ("", FACE_DOWN)]


@cache
def _takes(seat: Seat, factory: int | None, colour: Colour, lines: tuple[int | None, ...]) -> tuple[Take, ...]:
    return tuple(Take(seat, factory, colour, line) for line in lines)


@cache
def _turns(seat: Seat, plate: Plate, slot: int) -> tuple[PlacePlate, ...]:
    return tuple(PlacePlate(seat, way, slot) for way in TURNS[plate])


# Dome plates


def place_plate(state: State, move: PlacePlate) -> Steps[Event, State]:
    """DU12, DU20: lay an open or drawn plate in an empty slot; it never moves again."""
    if state.phase == "act":
        yield from _place_token(state, move.seat)
    plate = _require_plate(state, move)
    rule: PlaceRule = "DU12" if state.phase == "first" else "DU20"
    yield PlatePlaced(move.seat, move.plate, move.slot, state.phase == "keep", rule)
    board = state.boards[move.seat]
    board = replace(board, dome=(*board.dome[: move.slot], move.plate, *board.dome[move.slot + 1 :]))
    state = replace(state, boards=with_board(state.boards, move.seat, board))
    if state.phase == "keep":
        rest = tuple(back for back in state.hand if back.face != plate)
        return (yield from _return_rest(replace(state, phase="return", hand=rest)))
    state = replace(state, open=tuple(other for other in state.open if other != plate))
    return replace(state, current=state.start) if state.phase == "first" else _end_turn(state)


def _require_plate(state: State, move: PlacePlate) -> Plate:
    plate = PRINTED.get(move.plate)
    if plate is None:
        reason = "there is no plate {plate}: plates may be rotated, not mirrored"
        raise IllegalMove("DU03", reason, plate=quote(move.plate))
    if plate not in (state.open if state.phase != "keep" else [back.face for back in state.hand]):
        raise IllegalMove("DU20", "plate {plate} is not available", plate=quote(move.plate))
    if not 0 <= move.slot < SLOTS:
        raise IllegalMove("DU02", "a dome has nine slots")
    if state.boards[move.seat].dome[move.slot]:
        raise IllegalMove("DU20", "slot {slot} already has a plate", slot=move.slot + 1)
    return plate


def _place_token(state: State, seat: Seat) -> Steps[Event, None]:
    """DU20, DU21: place a token; each player has two per round, and none in the last."""
    left = tokens_left(state, seat) - 1
    if left < 0:
        raise IllegalMove("DU21", "no dome token is left to place this round")
    yield TokenPlaced(seat, left)


def draw(state: State, move: Draw) -> Steps[Event, State]:
    """DU20, DU22: pay a point, if the player has one, and draw the top plate; look when no other can be drawn."""
    if state.phase == "act":
        yield from _place_token(state, move.seat)
    if not state.stack:
        raise IllegalMove("DU22", "the stack is empty")
    if not can_afford_draw(state, move.seat) and actions(state, move.seat) != [move]:
        raise IllegalMove("DU22", "a plate costs a point; without one you draw only if you can do nothing else")
    board = state.boards[move.seat]
    top, *rest = state.stack
    paid = min(1, board.score)
    yield PlateDrawn(move.seat, top.kind, -paid, "DU20" if paid else "DU22")
    state = replace(
        state,
        phase="draw",
        boards=with_board(state.boards, move.seat, replace(board, score=board.score - paid)),
        stack=tuple(rest),
        hand=(*state.hand, top),
    )
    return state if rest and can_afford_draw(state, move.seat) else (yield from stop(state, Stop(move.seat)))


def stop(state: State, move: Stop) -> Steps[Event, State]:
    """DU20: stop drawing and look at the plates; a deal comes first if the player does not know them all."""
    state = replace(state, phase="keep")
    return (yield from look(state, move.seat)) if knows_hand(state, move.seat) else state


def knows_hand(state: State, seat: Seat) -> bool:
    """Return whether the player knows all drawn plates."""
    return all(seat in back.known for back in state.hand)


def look(state: State, seat: Seat) -> Steps[Event, State]:
    """DU20: show the player the faces; from now on the player knows where these plates lie."""
    kinds = [back.kind for back in state.hand]
    hand = [_looked_at(back, seat, alone=kinds.count(back.kind) == 1) for back in state.hand]
    hand.sort(key=lambda back: (back.kind, back.face))
    yield PlatesLookedAt(seat, tuple(back.face for back in hand))
    return replace(state, hand=tuple(hand))


def _looked_at(back: Back, seat: Seat, *, alone: bool) -> Back:
    """DU60: others distinguish plates in a hand by their backs only, so they may lose track of one."""
    others = {*back.known, *back.lost} - {seat}
    known = {*back.known} - {seat} if alone else set[Seat]()
    return Back(back.face, tuple(sorted({*known, seat})), tuple(sorted(others - known)))


def put_back(state: State, move: Return) -> Steps[Event, State]:
    """DU20: put a plate that was not kept under the stack; the player chooses the order."""
    if move.plate not in [back.face for back in state.hand]:
        raise IllegalMove("DU20", "plate {plate} is not among those to return", plate=quote(move.plate))
    state = yield from _return(state, move.plate)
    return (yield from _return_rest(state))


def _return(state: State, plate: Plate) -> Steps[Event, State]:
    yield PlatePutBack(state.current, plate)
    back = next(back for back in state.hand if back.face == plate)
    return replace(state, stack=(*state.stack, back), hand=tuple(other for other in state.hand if other.face != plate))


def _return_rest(state: State) -> Steps[Event, State]:
    """Return the last plate without asking; then end the turn."""
    if len(state.hand) > 1:
        return state
    for back in state.hand:
        state = yield from _return(state, back.face)
    return _end_turn(state)


# Tiles


def take(state: State, move: Take) -> Steps[Event, State]:
    """DU23, DU24, DU27: take tiles from a sun or from the moons, and lay them in one line or break them."""
    _require_takeable(state, move)
    board = state.boards[move.seat]
    if move.line is not None:
        _require_open(board, move.line, move.colour)
    state, tiles = yield from _take_tiles(state, move)
    if move.line is not None:
        board, tiles = yield from lay(board, move.seat, move.line, tiles)
    board, spilt = yield from shatter(board, move.seat, tiles, "DU27")
    state = replace(state, boards=with_board(state.boards, move.seat, board), tower=add(state.tower, counts(spilt)))
    return replace(state, phase="stack") if state.stacking else _end_turn(state)


def lay(board: Board, seat: Seat, line: int, tiles: Tiles) -> Steps[Event, tuple[Board, Tiles]]:
    """DU27: fill the line from the right; return the board and the surplus."""
    old = board.lines[line]
    laid = tiles[: line + 1 - len(old)]
    yield TilesLaid(seat, line, tiles[0], tuple(range(len(old), len(old) + len(laid))))
    return replace(board, lines=with_row(board.lines, line, old + laid)), tiles[len(laid) :]


def shatter(board: Board, seat: Seat, tiles: Tiles, rule: BreakRule) -> Steps[Event, tuple[Board, Tiles]]:
    """DU28: put tiles in the broken space; return the board and the tiles that go into the tower."""
    if not tiles:
        return board, ""
    first = len(board.broken)
    fallen = tiles[: BROKEN_SPACES - first]
    spilt = tiles[len(fallen) :]
    yield TilesBroke(seat, tiles[0], tuple(range(first, first + len(fallen))), len(spilt), rule)
    return replace(board, broken=board.broken + fallen), spilt


def _require_takeable(state: State, move: Take) -> None:
    if move.factory is not None and not 0 <= move.factory < len(FACTORY_TILES):
        raise IllegalMove("DU10", "there is no factory {factory}", factory=move.factory)
    if move.colour not in COLOUR_NAMES:
        raise IllegalMove("DU01", "there is no colour {colour}", colour=quote(move.colour))
    if move.colour not in dict(_sources(state))[move.factory]:
        colour = COLOUR_NAMES[move.colour]
        if move.factory is None:
            raise IllegalMove("DU24", "no moon shows a {colour} tile", colour=colour)
        reason = "there is no {colour} tile on the sun of factory {factory}"
        raise IllegalMove("DU23", reason, colour=colour, factory=move.factory)


def _require_open(board: Board, line: int, colour: Colour) -> None:
    if not 0 <= line < SIZE:
        raise IllegalMove("DU02", "there are six pattern lines")
    tiles = board.lines[line]
    if len(tiles) > line:
        raise IllegalMove("DU27", "line {line} is full", line=line + 1)
    if tiles and tiles[0] != colour:
        raise IllegalMove("DU27", "line {line} holds {colour} tiles", line=line + 1, colour=COLOUR_NAMES[tiles[0]])


def _take_tiles(state: State, move: Take) -> Steps[Event, tuple[State, Tiles]]:
    if move.factory is None:
        return (yield from _take_moons(state, move))
    return (yield from _take_sun(state, move, move.factory))


def _take_sun(state: State, move: Take, number: int) -> Steps[Event, tuple[State, Tiles]]:
    """DU23: take all tiles of the colour; the rest goes to the moon, on a small factory in a chosen order."""
    factory = state.factories[number]
    rest = factory.sun.replace(move.colour, "")
    taken = move.colour * (len(factory.sun) - len(rest))
    yield SunTaken(move.seat, number, move.colour, len(taken), rest)
    if number != LARGE and len(set(rest)) > 1:
        factories = with_factory(state.factories, number, replace(factory, sun=rest))
        return replace(state, factories=factories, stacking=number), taken
    state = replace(state, factories=with_factory(state.factories, number, replace(factory, sun="", moon=rest)))
    if number == LARGE and not rest:
        state = yield from _take_start_tile(state, move.seat)
    return state, taken


def _take_moons(state: State, move: Take) -> Steps[Event, tuple[State, Tiles]]:
    """DU24: take the top tile of each small stack that shows the colour, and all such tiles of the large moon."""
    large, *small = state.factories
    tops = [factory.moon[-1:] == move.colour for factory in small]
    numbers = (large.moon.count(move.colour), *map(int, tops))
    yield MoonsTaken(move.seat, move.colour, numbers)
    left = (
        replace(factory, moon=factory.moon[:-1]) if top else factory for factory, top in zip(small, tops, strict=True)
    )
    state = replace(state, factories=(replace(large, moon=large.moon.replace(move.colour, "")), *left))
    if numbers[LARGE] and state.holder is None:
        state = yield from _take_start_tile(state, move.seat)
    return state, move.colour * sum(numbers)


def _take_start_tile(state: State, seat: Seat) -> Steps[Event, State]:
    """DU25: take the start tile, with the first tile of the large moon or a large sun that leaves no rest."""
    yield StartTileTaken(seat)
    return replace(state, holder=seat)


def stack(state: State, move: Stack) -> Steps[Event, State]:
    """DU23: stack the leftover on the chip in the chosen order."""
    number = state.stacking
    rest = state.factories[number].sun
    if sorted(move.tiles) != sorted(rest):
        raise IllegalMove("DU23", "wrong tiles: stack {tiles}, in any order", tiles=quote(rest))
    yield TilesStacked(move.seat, number, move.tiles)
    factories = with_factory(state.factories, number, replace(state.factories[number], sun="", moon=move.tiles))
    return _end_turn(replace(state, factories=factories, stacking=0))


# Chips


def take_chip(state: State, move: TakeChip) -> Steps[Event, State]:
    """DU26: take one revealed chip; each player takes two per round."""
    if move.factory not in _revealed(state):
        raise IllegalMove("DU26", "factory {factory} shows no revealed chip", factory=move.factory)
    if not chips_due(state, move.seat):
        raise IllegalMove("DU26", "each player takes exactly two chips per round")
    factory, board = state.factories[move.factory], state.boards[move.seat]
    yield ChipTaken(move.seat, move.factory, factory.chip)
    board = replace(board, chips=sorted_chips(board.chips + factory.chip))
    state = replace(state, factories=with_factory(state.factories, move.factory, replace(factory, chip="")))
    return _end_turn(replace(state, boards=with_board(state.boards, move.seat, board)))


def _end_turn(state: State) -> State:
    return replace(state, phase="act", current=1 - state.current)
