"""The deals of Azul Duel: the start player, the plates, the tiles on the factories, the chips.

Everything is drawn as late as possible, when a player may first know it.
"""

from collections.abc import Sequence
from itertools import product
from math import comb, prod

from msgspec.structs import replace

from tessella.core import dice
from tessella.core.game import IllegalMove, Rng, Steps
from tessella.core.notation import quote
from tessella.games.duel.drafting import knows_hand, look
from tessella.games.duel.events import (
    ChipRevealed,
    Event,
    FactoryFilled,
    OpenRule,
    PlatesOpened,
    RoundStarted,
    StackShuffled,
    TowerPoured,
)
from tessella.games.duel.pieces import (
    COLOURS,
    FACE_DOWN,
    FACTORY_TILES,
    LARGE,
    NO_TILES,
    OPEN_PLATES,
    PLATES_OF,
    PRINTED,
    SEATS,
    Chips,
    Counts,
    Kind,
    Plate,
    Tiles,
    add,
    counts,
    heap,
    subtract,
    without,
)
from tessella.games.duel.state import (
    Back,
    Deal,
    Factory,
    Fill,
    Look,
    Open,
    Reveal,
    Shuffle,
    State,
    plates_on,
    with_factory,
)

# Which deal is due


def due(state: State) -> type[Deal] | None:
    """Return the type of the deal that comes next, if chance is to act."""
    match state.phase:
        case "prepare":
            if state.round == 0 and not state.open:
                return Shuffle
            return Open if to_open(state) else Fill
        case "first":
            return Open if to_open(state) else None
        case "act":
            return Reveal if to_reveal(state) else None
        case "keep":
            return None if knows_hand(state, state.current) else Look
        case "stack" | "draw" | "return" | "tile" | "over":
            return None


def to_open(state: State) -> tuple[Back, ...]:
    """DU12, DU40: return the top plates of the stack that will refill the open ones."""
    return state.stack[: OPEN_PLATES - len(state.open)]


def to_reveal(state: State) -> list[int]:
    """DU26: return the empty factories whose chip is to be turned over."""
    return [
        number
        for number, factory in enumerate(state.factories)
        if factory.chip == FACE_DOWN and not factory.sun and not factory.moon
    ]


def undecided(state: State) -> dict[Kind, list[Plate]]:
    """Return the plates that no player has seen yet, by kind."""
    seen = {*state.open, *(back.face for back in (*state.stack, *state.hand))}
    seen |= {PRINTED[plate] for board in state.boards for plate in board.dome if plate}
    return {kind: [plate for plate in plates if plate not in seen] for kind, plates in PLATES_OF.items()}


# Drawing


def deal(state: State, rng: Rng) -> Deal:
    """Return a random deal of the type that is due; the only use of random numbers."""
    kind = due(state)
    if kind is Shuffle:
        return _shuffle(state, rng)
    if kind is Open:
        return Open(_draw_plates(state, to_open(state), rng))
    if kind is Look:
        return Look(state.current, _draw_plates(state, state.hand, rng))
    if kind is Reveal:
        return Reveal(_draw_chips(state.chips, len(to_reveal(state)), rng))
    assert kind is Fill
    return Fill(_draw_factories(state, rng))


def _shuffle(state: State, rng: Rng) -> Shuffle:
    start, left = rng.randrange(SEATS), [*map(len, PLATES_OF.values())]
    kinds = "".join([*PLATES_OF][dice.draw(left, rng)] for _ in state.stack)
    return Shuffle(start, kinds, _draw_plates(state, [*map(Back, kinds[:OPEN_PLATES])], rng))


def _draw_plates(state: State, backs: Sequence[Back], rng: Rng) -> tuple[Plate, ...]:
    """Return the faces of these plates; an unseen one is any unseen plate of its kind, equally likely."""
    free = undecided(state)
    return tuple(
        free[back.kind].pop(rng.randrange(len(free[back.kind]))) if back.fresh else back.face for back in backs
    )


def _draw_chips(chips: Chips, number: int, rng: Rng) -> str:
    drawn = ""
    for _ in range(number):
        drawn += chips[rng.randrange(len(chips))]
        chips = without(chips, drawn[-1])
    return drawn


def _draw_factories(state: State, rng: Rng) -> tuple[Tiles, ...]:
    bag, tower = list(state.bag), list(state.tower)
    large = _draw_tiles(bag, tower, FACTORY_TILES[LARGE], rng)
    if _colours(large) == 1:
        large = _draw_again(bag, tower, large, rng)
    return heap(large), *(heap(_draw_tiles(bag, tower, number, rng)) for number in FACTORY_TILES[LARGE + 1 :])


def _draw_tiles(bag: list[int], tower: list[int], number: int, rng: Rng) -> Sequence[int]:
    """DU40: draw tiles from the bag; the tower refills it when empty; fewer tiles if both are empty."""
    drawn = [0] * len(COLOURS)
    for _ in range(number):
        if not any(bag):
            _pour(tower, bag)
        if any(bag):
            drawn[dice.draw(bag, rng)] += 1
    return drawn


_LARGE_TILES = FACTORY_TILES[LARGE]
TWO_COLOURED = tuple(fill for fill in product(range(_LARGE_TILES), repeat=len(COLOURS)) if sum(fill) == _LARGE_TILES)
"""DU11: every content of the large factory with at least two colours."""


def _draw_again(bag: list[int], tower: list[int], large: Sequence[int], rng: Rng) -> Sequence[int]:
    """DU11: put back tiles of a single colour and draw two colours or more, if the bag and then the tower allow it.

    Instead of redrawing until two colours show, sample from all such fills with the same distribution.
    """
    fills: Sequence[Sequence[int]] = [large]
    _pour(list(large), bag)
    if _colours(bag) == 1:
        _pour(tower, bag)
    if _colours(bag) > 1:
        fills = TWO_COLOURED
    again = fills[dice.draw([prod(map(comb, bag, fill)) for fill in fills], rng)]
    bag[:] = [number - taken for number, taken in zip(bag, again, strict=True)]
    return again


def _pour(source: list[int], target: list[int]) -> None:
    for colour in range(len(COLOURS)):
        target[colour] += source[colour]
        source[colour] = 0


def _colours(counted: Sequence[int]) -> int:
    """Return the number of colours among counted tiles."""
    return sum(number > 0 for number in counted)


# Applying a deal


def resolve(state: State, act: Deal) -> Steps[Event, State]:
    """Apply a deal; raise `IllegalMove` unless it is due and possible."""
    if type(act) is not due(state):
        raise IllegalMove("DU40", "a different deal is due")
    match act:
        case Shuffle():
            return (yield from _shuffled(state, act))
        case Open(plates=plates):
            return (yield from _open(state, plates))
        case Fill():
            return (yield from _fill(state, act))
        case Reveal():
            return (yield from _reveal(state, act))
        case Look():
            return (yield from _look(state, act))


def _shuffled(state: State, act: Shuffle) -> Steps[Event, State]:
    """DU10, DU12: set the start player and the order of the backs; then open the first three plates."""
    if not 0 <= act.start < SEATS:
        raise IllegalMove("DU12", f"there is no seat {act.start}")
    if sorted(act.kinds) != sorted(back.kind for back in state.stack):
        raise IllegalMove("DU03", "there are nine special plates and nine joker plates")
    yield StackShuffled(act.start, act.kinds)
    state = replace(state, start=act.start, stack=tuple(map(Back, act.kinds)))
    return (yield from _open(state, act.plates))


def _open(state: State, plates: tuple[Plate, ...]) -> Steps[Event, State]:
    """DU10, DU12, DU40: open the top plates of the stack."""
    _require_plates(state, to_open(state), plates)
    rule: OpenRule = "DU12" if state.phase == "first" else "DU40" if state.round else "DU10"
    yield PlatesOpened(plates, rule)
    state = replace(state, open=(*state.open, *plates), stack=state.stack[len(plates) :])
    return replace(state, phase="act") if state.phase == "first" and all(map(plates_on, state.boards)) else state


def _look(state: State, act: Look) -> Steps[Event, State]:
    """DU20: give the drawn plates their faces, and let the player look at them."""
    if act.owner != state.current:
        raise IllegalMove("DU60", f"only seat {state.current} looks at these plates")
    _require_plates(state, state.hand, act.plates)
    hand = (replace(back, face=plate) for back, plate in zip(state.hand, act.plates, strict=True))
    return (yield from look(replace(state, hand=tuple(hand)), act.owner))


def _require_plates(state: State, backs: Sequence[Back], plates: Sequence[Plate]) -> None:
    """DU03: each plate must be the one a player has seen here, or an unseen one of the same kind."""
    free = undecided(state)
    if len(plates) != len(backs) or len({*plates}) != len(plates):
        raise IllegalMove("DU03", f"{len(backs)} different plates are turned over")
    for back, plate in zip(backs, plates, strict=True):
        if plate not in (free[back.kind] if back.fresh else [back.face]):
            raise IllegalMove("DU03", f"the plate {plate} cannot lie here")


def _reveal(state: State, act: Reveal) -> Steps[Event, State]:
    """DU26: turn over the chips of empty factories."""
    numbers, left = to_reveal(state), without(state.chips, act.chips)
    if len(act.chips) != len(numbers) or len(left) != len(state.chips) - len(numbers):
        raise IllegalMove("DU04", f"{quote(act.chips)} is not a choice of {len(numbers)} unrevealed chips")
    for number, chip in zip(numbers, act.chips, strict=True):
        yield ChipRevealed(number, chip)
        factory = replace(state.factories[number], chip=chip)
        state = replace(state, factories=with_factory(state.factories, number, factory))
    return replace(state, chips=left)


def _fill(state: State, act: Fill) -> Steps[Event, State]:
    """DU10, DU40: start a round by filling the factories, the large one first."""
    if len(act.factories) != len(FACTORY_TILES):
        raise IllegalMove("DU10", "there are five factories")
    yield RoundStarted(state.round + 1, state.start)
    for number, tiles in enumerate(act.factories):
        state = yield from _fill_factory(state, number, tiles)
    if state.round == 0:
        return replace(state, round=1, phase="first", current=1 - state.start)
    return replace(state, round=state.round + 1, phase="act", current=state.start)


def _fill_factory(state: State, number: int, tiles: Tiles) -> Steps[Event, State]:
    """DU10, DU11, DU40: fill a factory from the bag, and from the tower if the bag is empty or has only one colour."""
    wanted, size = counts(tiles), FACTORY_TILES[number]
    bag, tower = state.bag, state.tower
    if tiles != heap(wanted):
        raise IllegalMove("DU01", f"{quote(tiles)} is not a heap of tiles")
    again = number == LARGE and _may_draw_again(bag, tower)
    if tower != NO_TILES and (sum(bag) < size or again):
        if not again and min(subtract(wanted, bag)) < 0:
            raise IllegalMove("DU40", f"factory {number} gets the last tiles of the bag before the tower is poured in")
        yield TowerPoured(sum(tower), number, "DU40" if sum(bag) < size else "DU11")
        bag, tower = add(bag, tower), NO_TILES
    if sum(wanted) != min(size, sum(bag)) or min(subtract(bag, wanted)) < 0:
        raise IllegalMove("DU10", f"factory {number} cannot get {quote(tiles)} from this bag")
    if number == LARGE and _colours(wanted) == 1 < _colours(bag):
        raise IllegalMove("DU11", "the large factory must show two colours if possible")
    yield FactoryFilled(number, tiles)
    factories = with_factory(state.factories, number, Factory(tiles, chip="" if number == LARGE else FACE_DOWN))
    return replace(state, bag=subtract(bag, wanted), tower=tower, factories=factories)


def _may_draw_again(bag: Counts, tower: Counts) -> bool:
    """DU11: return whether the only colour in the bag may fill the large factory, so that it is drawn again."""
    size = FACTORY_TILES[LARGE]
    return _colours(bag) == 1 and any(b and b + t >= size for b, t in zip(bag, tower, strict=True))
