"""The notation of a position of Azul Duel: one line of thirteen words.

    rows,columns,diagonals:special   the scoring faces; `plain` or `alone` for the other readings of DU51; then
                                     `:forced` if players without points draw only when they must (DU22)
    2act                             round and phase; `2stack3` if factory 3 is to be stacked
    0>1                              who starts > who acts
    m-                               who holds the start tile
    bbykt/-,-/yk/#,-/-/T,…           the factories: sun, moon (bottom first) and, of a small one, chip (`#` unrevealed)
    ykt*,?btk                        the open plates
    *,?,trb*0,y*kr1~0,…              the stack from the top: a kind, or a plate and who knows it (~ who lost track)
    -                                the drawn plates, in the same way
    bbyyTT…                          the chips still to be revealed
    9.7.8.8.9                        the bag, as counts of blue, yellow, red, black and turquoise
    0.0.1.0.0                        the tower
    5:-/yy/-/-/-/-:ykt*,-,-,-,-,-,-,-,-:....../…:r:bT:-:0

The last two are the boards: score, lines (`+` is a tile that chips stand for), slots, tiles of the dome, broken tiles,
chips, spent chips, and the line whose turn it is. Stack, chips or bag may be written `~`: all that is nowhere else.
"""

from collections.abc import Callable
from typing import cast, get_args

from msgspec.structs import replace

from tessella.core.game import BadNotation, Choose
from tessella.core.notation import match_groups, quote
from tessella.games.duel.drafting import can_afford_draw, knows_hand
from tessella.games.duel.notation import CHIP, PLATE
from tessella.games.duel.pieces import (
    ALL_CHIPS,
    ALL_TILES,
    BROKEN_SPACES,
    CHIPS_PER_ROUND,
    COLOURS,
    EMPTY,
    FACE_DOWN,
    FACTORY_TILES,
    JOKER,
    LARGE,
    NO_TILES,
    OPEN_PLATES,
    PLATES,
    PLATES_OF,
    PLATES_PER_ROUND,
    PRINTED,
    ROUNDS,
    SEATS,
    SIZE,
    SLOTS,
    SPECIAL,
    SPECIAL_TILES,
    Counts,
    Face,
    Plate,
    Tiles,
    counts,
    heap,
    sorted_chips,
    subtract,
    without,
)
from tessella.games.duel.rules import legal_moves, setup, turn
from tessella.games.duel.state import (
    CHIP_TILE,
    Back,
    Board,
    Config,
    Factory,
    Phase,
    State,
    chips_due,
    chips_out_of_supply,
    inventory,
    plates_on,
    plates_out_of_stack,
    spaces_beside,
    tiles_out_of_bag,
    tokens_left,
)
from tessella.games.duel.tiling import special_spot, tiles_on

REST = "~"

# Writing


def write_state(state: State) -> str:
    """Return the notation of a position, in one line."""
    return " ".join(
        [
            _write_config(state.config),
            f"{state.round}{state.phase}{state.stacking or ''}",
            f"{state.start}>{state.current}",
            f"m{'-' if state.holder is None else state.holder}",
            ",".join(_write_factory(number, factory) for number, factory in enumerate(state.factories)),
            ",".join(state.open) or "-",
            ",".join(map(_write_back, state.stack)) or "-",
            ",".join(map(_write_back, state.hand)) or "-",
            state.chips or "-",
            ".".join(map(str, state.bag)),
            ".".join(map(str, state.tower)),
            *map(_write_board, state.boards),
        ]
    )


def _write_factory(number: int, factory: Factory) -> str:
    parts = [factory.sun, factory.moon] if number == LARGE else [factory.sun, factory.moon, factory.chip]
    return "/".join(part or "-" for part in parts)


def _write_back(back: Back) -> str:
    lost = f"{REST}{''.join(map(str, back.lost))}" if back.lost else ""
    return f"{back.face}{''.join(map(str, back.known))}{lost}"


def _write_board(board: Board) -> str:
    lines = "/".join(tiles or "-" for tiles in board.lines)
    slots = ",".join(plate or "-" for plate in board.dome)
    heaps = ":".join(heap or "-" for heap in (board.broken, board.chips, board.spent))
    return f"{board.score}:{lines}:{slots}:{'/'.join(board.tiles)}:{heaps}:{board.row}"


def _write_config(config: Config) -> str:
    special = {True: "special", False: "plain", "alone": "alone"}[config.special_counts_as_colour]
    return f"{','.join(config.faces)}:{special}{':forced' if config.free_draws == 'forced' else ''}"


# Reading


def read_state(text: str) -> State:
    """Parse a position; raise `BadNotation` unless it satisfies all of `CHECKS`."""
    words = text.split(" ")
    if len(words) != 13:
        raise BadNotation(f"a position has thirteen words, not {len(words)}")
    config, phase_word, order, holder, factories, plates, stack, hand, chips, bag, tower, *boards = words
    number, phase, stacking, start, current, held = match_groups(
        rf"([0-{ROUNDS}])([a-z]+)([1-4]?) ([01])>([01]) m([01-])",
        f"{phase_word} {order} {holder}",
        "a phase and its players",
    )
    known = State(
        _read_config(config),
        boards=tuple(map(_read_board, boards)),
        bag=NO_TILES,
        tower=_read_counts(tower),
        factories=_read_factories(factories),
        stack=(),
        open=_read_plates(plates),
        hand=_read_backs(hand),
        phase=_read_phase(phase),
        round=int(number),
        start=int(start),
        current=int(current),
        holder=None if held == "-" else int(held),
        stacking=int(stacking or 0),
    )
    return _require_sound(_with_rest(known, stack, chips, bag))


def _with_rest(known: State, stack: str, chips: str, bag: str) -> State:
    """Return the position with its supplies; `~` is all that is nowhere else."""
    elsewhere = [*plates_out_of_stack(known), *(back.face for back in known.hand)]
    fresh = (
        Back(kind) for kind, plates in PLATES_OF.items() for _ in plates[sum(kind in plate for plate in elsewhere) :]
    )
    return replace(
        known,
        stack=tuple(fresh) if stack == REST else _read_backs(stack),
        chips=without(ALL_CHIPS, chips_out_of_supply(known)) if chips == REST else _read_chips(chips),
        bag=subtract(ALL_TILES, tiles_out_of_bag(known)) if bag == REST else _read_counts(bag),
        specials=SPECIAL_TILES - sum(row.count(SPECIAL) for board in known.boards for row in board.tiles),
    )


def _read_config(text: str) -> Config:
    faces, special, forced = match_groups(
        "([a-z_,]+):(special|plain|alone)(:forced)?", text, "scoring faces, a reading of DU51 and one of DU22"
    )
    try:
        return Config(
            faces=cast("tuple[Face, ...]", tuple(faces.split(","))),
            special_counts_as_colour="alone" if special == "alone" else special == "special",
            free_draws="forced" if forced else "always",
        )
    except ValueError as exc:
        raise BadNotation(str(exc)) from None


def _read_phase(text: str) -> Phase:
    if text not in get_args(Phase):
        raise BadNotation(f"{quote(text)} is not a phase: expected {', '.join(get_args(Phase))}")
    return cast("Phase", text)


def _read_counts(text: str) -> Counts:
    b, y, r, k, t = map(
        int, match_groups(r"\.".join(["([0-9]{1,2})"] * len(COLOURS)), text, "counts of the five colours")
    )
    return b, y, r, k, t


def _read_chips(text: str) -> str:
    (chips,) = match_groups(f"({CHIP}*|-)", text, "a heap of chips")
    return sorted_chips(chips.strip("-"))


def _read_factories(text: str) -> tuple[Factory, ...]:
    small = f"([{COLOURS}]{{1,4}}|-)/([{COLOURS}]{{1,3}}|-)/({FACE_DOWN}|{CHIP}|-)"
    large = f"([{COLOURS}]{{1,5}}|-)/([{COLOURS}]{{1,4}}|-)"
    sun, moon, *parts = (
        part.strip("-") for part in match_groups(",".join([large, *[small] * 4]), text, "five factories")
    )
    smalls = (Factory(heap(counts(parts[i])), parts[i + 1], parts[i + 2]) for i in range(0, len(parts), 3))
    return Factory(heap(counts(sun)), heap(counts(moon))), *smalls


def _read_plates(text: str) -> tuple[Plate, ...]:
    (plates,) = match_groups(f"({PLATE}(?:,{PLATE}){{,{OPEN_PLATES - 1}}}|-)", text, "a row of open plates")
    return tuple(plates.split(",")) if plates != "-" else ()


def _read_backs(text: str) -> tuple[Back, ...]:
    return tuple(map(_read_back, text.split(","))) if text != "-" else ()


def _read_back(text: str) -> Back:
    if text in PLATES_OF:
        return Back(text)
    face, known, lost = match_groups(f"({PLATE})(01?|1)(?:{REST}([01]))?", text, "a plate that lies face down")
    return Back(face, tuple(map(int, known)), tuple(map(int, lost or "")))


def _read_board(text: str) -> Board:
    heaps = f"([{COLOURS}]{{1,{BROKEN_SPACES}}}|-):({CHIP}*|-):({CHIP}*|-)"
    pattern = f"([0-9]{{1,3}}):([^:]*):([^:]*):([^:]*):{heaps}:([0-{SIZE}])"
    score, lines, slots, tiles, broken, chips, spent, row = match_groups(pattern, text, "a board")
    return Board(
        int(score),
        _read_lines(lines),
        tuple(slot.strip("-") for slot in match_groups(",".join([f"({PLATE}|-)"] * SLOTS), slots, "nine slots")),
        match_groups("/".join([f"([{COLOURS}*.]{{{SIZE}}})"] * SIZE), tiles, "the tiles of a dome"),
        broken.strip("-"),
        _read_chips(chips),
        _read_chips(spent),
        int(row),
    )


def _read_lines(text: str) -> tuple[Tiles, ...]:
    lines = match_groups("/".join(["([^/]*)"] * SIZE), text, "six pattern lines")
    for row, tiles in enumerate(lines):
        match_groups(rf"-|(?=.{{1,{row + 1}}}$)([{COLOURS}])\1*\+*", tiles, f"a pattern line of {row + 1}")
    return tuple(tiles.strip("-") for tiles in lines)


# What no single word of a position shows


def _require_sound(state: State) -> State:
    for holds, problem in CHECKS:
        if not holds(state):
            raise BadNotation(problem)
    return state


def _inventory_is_complete(state: State) -> bool:
    return inventory(state) == inventory(setup(state.config)) and min(state.bag) >= 0


def _plates_are_different(state: State) -> bool:
    printed = [*state.open, *(back.face for back in _backs(state) if not back.fresh)]
    printed += [PRINTED.get(plate, "") for board in state.boards for plate in board.dome if plate]
    return len({*printed}) == len(printed) and {*printed} <= {*PLATES}


def _backs(state: State) -> tuple[Back, ...]:
    return (*state.stack, *state.hand)


def _knowledge_is_possible(state: State) -> bool:
    return not any({*back.known} & {*back.lost} for back in _backs(state))


def _domes_are_possible(state: State) -> bool:
    return all(_fits(board) and not any(special_spot(board, slot) for slot in range(SLOTS)) for board in state.boards)


def _fits(board: Board) -> bool:
    """DU30, DU34: return whether each tile lies on a space that accepts it, and special tiles on full plates."""
    for row, tiles in enumerate(board.tiles):
        for space, tile in zip(spaces_beside(board, row), tiles, strict=True):
            if tile not in (EMPTY, space) and (space != JOKER or tile == SPECIAL):
                return False
    return all(EMPTY not in tiles for slot in range(SLOTS) if SPECIAL in (tiles := tiles_on(board, slot)))


def _factories_are_possible(state: State) -> bool:
    large, *small = state.factories
    return (
        not any(factory.sun and factory.moon for factory in state.factories)
        and all(factory.chip == FACE_DOWN for factory in small if factory.sun or factory.moon)
        and not (large.sun and state.holder is not None)
    )


def _plates_and_chips_fit_the_round(state: State) -> bool:
    """DU12, DU21, DU26: a first plate, then two plates and two chips per player and round; those chips are there."""
    tokens = [tokens_left(state, seat) for seat in range(SEATS)]
    chips = [chips_due(state, seat) for seat in range(SEATS)]
    return (
        (state.round == 0 or state.phase == "first" or all(map(plates_on, state.boards)))
        and min(tokens) >= 0
        and max(tokens) <= PLATES_PER_ROUND
        and min(chips) >= 0
        and max(chips) <= CHIPS_PER_ROUND
        and sum(chips) == sum(factory.chip != "" for factory in state.factories)
    )


def _phase_is_possible(state: State) -> bool:  # noqa: PLR0911
    """Return whether the table fits the phase."""
    match state.phase:
        case "prepare":
            return state.round < ROUNDS and state.holder is None and _is_cleared(state) and _is_scored(state)
        case "first":
            refilling = len(state.open) < OPEN_PLATES
            return state.round == 1 and _first_plates(state) in ((0, 0, False), (1, 0, True), (1, 1, refilling))
        case "act":
            return True
        case "stack":
            rest = state.factories[state.stacking].sun
            return len({*rest}) > 1 and len(rest) < FACTORY_TILES[state.stacking]
        case "draw":
            return bool(state.hand and state.stack) and can_afford_draw(state, state.current)
        case "keep":
            return bool(state.hand)
        case "return":
            begun = tokens_left(state, state.current) < PLATES_PER_ROUND
            return begun and len(state.hand) > 1 and knows_hand(state, state.current)
        case "tile":
            return _is_cleared(state) and all(board.row < SIZE or not board.broken for board in state.boards)
        case "over":
            return state.round == ROUNDS and _is_cleared(state) and _is_scored(state)


def _is_cleared(state: State) -> bool:
    """DU29: return whether phase 1 is over."""
    return not any(tokens_left(state, seat) for seat in range(SEATS)) and {*state.factories} == {Factory()}


def _is_scored(state: State) -> bool:
    """DU35: return whether phase 2 is over; before the first round the boards must be new."""
    return not any(board.broken for board in state.boards) and (state.round > 0 or {*state.boards} == {Board()})


def _first_plates(state: State) -> tuple[int, int, bool]:
    """DU12: return the plates of the start player's opponent, of the start player, and whether the latter is next."""
    other, start = state.boards[1 - state.start], state.boards[state.start]
    return plates_on(other), plates_on(start), state.current == state.start


def _nothing_is_out_of_place(state: State) -> bool:
    """Return whether everything that belongs to some phases only is absent in the others."""
    return (
        (state.round > 0 or state.phase == "prepare")
        and (state.phase in ("draw", "keep", "return") or not state.hand)
        and (state.phase == "stack") == (state.stacking != 0)
        and (state.phase == "tile" or not any(board.row for board in state.boards))
        and (state.current == 0 or state.phase not in ("prepare", "tile", "over"))
        and all(map(_chip_tiles_fit, state.boards))
    )


def _chip_tiles_fit(board: Board) -> bool:
    """DU31: return whether chips stand for tiles only in the line whose turn it is, and complete it."""
    return all(
        CHIP_TILE not in tiles or (row == board.row and len(tiles) > row) for row, tiles in enumerate(board.lines)
    )


def _players_have_choices(state: State) -> bool:
    """Return whether every seat that is to move has a choice."""
    now = turn(state)
    least = 2 if state.phase == "tile" else 1
    return not isinstance(now, Choose) or (
        now.seats != () and all(len(legal_moves(state, seat)) >= least for seat in now.seats)
    )


CHECKS: tuple[tuple[Callable[[State], bool], str], ...] = (
    (_inventory_is_complete, "wrong inventory: 13 tiles per colour, 9 plates per kind and 2 chips per face"),
    (_plates_are_different, "duplicate or unknown plate: each of the 18 exists once, and is rotated only in a dome"),
    (_knowledge_is_possible, "a player both knows where a plate lies and has lost track of it"),
    (_domes_are_possible, "a tile lies on a space that does not accept it, or a special tile is missing or misplaced"),
    (
        _factories_are_possible,
        "impossible factory: tiles on sun and moon, on a revealed chip, or a full sun without start tile",
    ),
    (_plates_and_chips_fit_the_round, "plates or chips do not fit the round: two of each per player and round"),
    (_nothing_is_out_of_place, "a hand, a leftover, a line's turn or chips in a line belong to a different phase"),
    (_phase_is_possible, "the table does not fit the phase"),
    (_players_have_choices, "a seat is to move but has nothing to choose"),
)
"""Conditions on a whole position, and the error if one does not hold."""
