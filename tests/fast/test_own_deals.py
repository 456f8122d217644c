"""The deals that the compiled games draw with their own generator have the exact chances of the rules.

Seeds are fixed, so a test either always passes or always fails. A fair generator gets a p-value below `LEAST_P` once in
ten thousand tests; the faults these tests are for get one of 0.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any

import pytest
from msgspec.structs import replace

from proofs.chance import p_value, p_value_of_samples
from tessella.games import azul, blockers, duel
from tessella.games.blockers.pieces import FACES
from tessella.games.duel.pieces import PLATES
from tests.games.azul.positions import table as azul_table
from tests.games.duel.positions import between_rounds
from tests.games.duel.positions import table as duel_table
from tests.tiers import nightly

from .twins import TWINS, Twin

pytestmark = pytest.mark.heavy

LEAST_P = 1e-4
SAMPLES = {0: 10_000, 1: 1_500}
"""Of the compiled and of the plain game."""

both = pytest.mark.parametrize("which", [0, *nightly(1)], ids=["compiled", "plain"])


def dealt(name: str, state: Any, which: int, look: Callable[[Twin], Hashable]) -> Counter[Hashable]:
    """Deal from a position many times, with one generator; count what `look` finds on the table."""
    root = TWINS[name][which].from_state(state)
    table = TWINS[name][which].from_state(state, 2_024)
    counted: Counter[Hashable] = Counter()
    for _ in range(SAMPLES[which]):
        table.assign(root)
        table.deal()
        counted[look(table)] += 1
    return counted


def evenly(kinds: Iterable[Hashable]) -> dict[Hashable, float]:
    """Return equal chances."""
    listed = list(kinds)
    return {kind: 1 / len(listed) for kind in listed}


def heaps(bag: Sequence[int], number: int) -> dict[tuple[int, ...], Fraction]:
    """Return the exact chance of each heap of this many tiles drawn from a bag given as counts per colour."""
    found = product(*(range(min(count, number) + 1) for count in bag))
    ways = {heap: prod(map(comb, bag, heap)) for heap in found if sum(heap) == number}
    return {heap: Fraction(way, comb(sum(bag), number)) for heap, way in ways.items()}


def two_coloured(chances: dict[tuple[int, ...], Fraction]) -> dict[tuple[int, ...], Fraction]:
    """DU11: return the chances of drawing again until two colours show."""
    shown = {heap: chance for heap, chance in chances.items() if sum(map(bool, heap)) > 1}
    return {heap: chance / sum(shown.values()) for heap, chance in shown.items()}


def counts(tiles: str, colours: str) -> tuple[int, ...]:
    """Return the number of tiles of each colour."""
    return tuple(map(tiles.count, colours))


def require_fair(counted: Counter[Any], chances: dict[Any, Any]) -> None:
    """Fail if fair chance would hardly ever give such counts."""
    assert len(counted) > 1 or len(chances) == 1
    assert p_value(counted, {kind: float(chance) for kind, chance in chances.items()}) > LEAST_P


# Start players


@both
@pytest.mark.parametrize(
    ("game", "config"),
    [
        *((azul, azul.Config(seats)) for seats in (2, 3, 4)),
        *((blockers, blockers.Config(seats)) for seats in (2, 3, 4, 5)),
        (duel, duel.Config()),
    ],
)
def test_AZ04_BL03_DU12_every_seat_starts_equally_often(game, config, which):
    counted = dealt(game.NAME, game.setup(config), which, lambda table: table.to_state().start)
    require_fair(counted, evenly(range(config.seats)))


# Azul

SCARCE = (1, 2, 8, 19, 20)
"""The least and the greatest counts come first and last, where a wrong bound is seen."""


def azul_before(bag: tuple[int, ...], lid: tuple[int, ...] = (0,) * 5, kind: str = "2c") -> azul.State:
    """A table of Azul before a later deal."""
    return replace(azul_table(kind=kind), bag=bag, lid=lid)


def factory_of_azul(number: int) -> Callable[[Twin], Hashable]:
    return lambda table: counts(table.dealt().factories[number], "byrkw")


@both
@pytest.mark.parametrize("factory", [0, 4])
@pytest.mark.parametrize("bag", [(20,) * 5, SCARCE, SCARCE[::-1]], ids=str)
def test_AZ03_tiles_come_by_colour_as_often_as_they_are_in_the_bag(bag, factory, which):
    require_fair(dealt("azul", azul_before(bag), which, factory_of_azul(factory)), heaps(bag, 4))


@both
@pytest.mark.parametrize("colour", "byrkw")
def test_AZ03_a_single_tile_comes_to_each_factory_equally_often_or_stays(colour, which):
    """The last tile of the bag, in whatever order it counts its tiles, is drawn like any other."""
    bag = tuple(1 if each == colour else 8 for each in "byrkw")

    def place(table: Twin) -> Hashable:
        return next((at for at, tiles in enumerate(table.dealt().factories) if colour in tiles), None)

    chances: dict[Hashable, float] = dict.fromkeys(range(5), 4 / 33)
    require_fair(dealt("azul", azul_before(bag), which, place), chances | {None: 13 / 33})


@both
def test_AZ40_the_last_tiles_of_the_bag_come_first_and_the_rest_from_the_lid(which):
    lid = (3, 0, 9, 1, 14)
    counted = dealt("azul", azul_before((1, 1, 0, 0, 0), lid), which, factory_of_azul(0))
    chances = {(b + 1, y + 1, r, k, w): chance for (b, y, r, k, w), chance in heaps(lid, 2).items()}
    require_fair(counted, chances)


# Blockers!


@both
def test_BL03_every_tile_comes_to_a_first_rack_equally_often(which):
    state = replace(blockers.setup(blockers.Config(3)), start=0)
    racks = dealt("blockers", state, which, lambda table: table.to_state().stocks[0].rack)
    counted: Counter[str] = Counter()
    for rack, number in racks.items():
        counted.update(dict.fromkeys(str(rack), number))
    assert p_value_of_samples(counted, FACES, 5) > LEAST_P
    assert len(racks) > 1_000


@both
@pytest.mark.parametrize("supply", ["Aw", "AI19sow", FACES[:20]])
def test_BL16_every_tile_of_a_supply_is_drawn_equally_often(supply, which):
    rest = "".join(face for face in FACES if face not in supply)
    stocks = (blockers.Stock(rack=rest[:4], supply=supply, aside=rest[4:]), *[blockers.Stock("ABCDE", "")] * 2)
    state = replace(blockers.setup(blockers.Config(3)), start=0, stocks=stocks)

    def drawn(table: Twin) -> Hashable:
        return "".join({*table.to_state().stocks[0].rack} - {*rest[:4]})

    require_fair(dealt("blockers", state, which, drawn), evenly(supply))


# Azul Duel


def shuffled(which: int, look: Callable[[duel.Shuffle], Hashable]) -> Counter[Hashable]:
    return dealt("duel", duel.setup(duel.Config()), which, lambda table: look(table.dealt()))


@both
@pytest.mark.parametrize("part", [slice(4), slice(7, 11), slice(14, 18)], ids=["top", "middle", "bottom"])
def test_DU03_four_plates_of_the_stack_have_every_order_of_kinds_by_its_chance(part, which):
    chances = {"".join(kinds): comb(14, 9 - kinds.count("*")) / comb(18, 9) for kinds in product("*?", repeat=4)}
    require_fair(shuffled(which, lambda deal: deal.kinds[part]), chances)


@both
@pytest.mark.parametrize("place", [0, 2])
def test_DU10_every_plate_is_opened_equally_often(place, which):
    require_fair(shuffled(which, lambda deal: deal.plates[place]), evenly(PLATES))


@both
def test_DU10_two_open_plates_are_every_pair_equally_often(which):
    pairs = [(one, other) for one in PLATES for other in PLATES if one != other]
    require_fair(shuffled(which, lambda deal: deal.plates[:2]), evenly(pairs))


@both
def test_DU12_a_plate_that_is_opened_later_is_any_unseen_one_of_its_kind(which):
    """A plate was taken from the row before anybody had drawn one."""
    state = duel.setup(duel.Config())
    for act in (
        duel.Shuffle(0, "*?" * 9, ("ykt*", "?btk", "trb*")),
        duel.Fill(("bbykt", "bbyk", "byrk", "kktt", "yyrr")),
        duel.PlacePlate(1, "ykt*", 4),
    ):
        state, _ = duel.apply(state, act)
    unseen = {plate for plate in PLATES if "?" in plate} - {"?btk"}
    require_fair(dealt("duel", state, which, lambda table: table.dealt().plates[0]), evenly(unseen))


def fill(bag: tuple[int, ...], tower: tuple[int, ...], which: int, factory: int) -> Counter[Hashable]:
    state = replace(between_rounds(), bag=bag, tower=tower)
    return dealt("duel", state, which, lambda table: counts(table.dealt().factories[factory], "byrkt"))


NOTHING = (0,) * 5


@both
@pytest.mark.parametrize("bag", [(13,) * 5, (1, 2, 8, 12, 13), (13, 12, 8, 2, 1), (9, 1, 0, 0, 0)], ids=str)
def test_DU11_a_large_factory_shows_two_colours_as_if_drawn_until_it_does(bag, which):
    require_fair(fill(bag, NOTHING, which, 0), two_coloured(heaps(bag, 5)))


@both
@pytest.mark.parametrize("bag", [(7, 0, 0, 0, 0), (0, 0, 0, 0, 5)], ids=str)
def test_DU11_a_bag_of_one_colour_is_drawn_with_the_tower(bag, which):
    tower = (2, 3, 0, 4, 1)
    together = tuple(map(sum, zip(bag, tower, strict=True)))
    require_fair(fill(bag, tower, which, 0), two_coloured(heaps(together, 5)))


@both
def test_DU11_the_last_tiles_of_one_colour_go_back_if_the_tower_adds_only_that_colour(which):
    """Two blue tiles and three of the tower come first; if these are blue too, all are drawn again from everything."""
    bag, tower = (2, 0, 0, 0, 0), (4, 1, 2, 0, 0)
    again = two_coloured(heaps((6, 1, 2, 0, 0), 5))
    first = {(b + 2, *others): chance for (b, *others), chance in heaps(tower, 3).items()}
    one_colour = first.pop((5, 0, 0, 0, 0))
    chances = {heap: first.get(heap, Fraction(0)) + one_colour * again[heap] for heap in again}
    assert sum(chances.values()) == 1
    require_fair(fill(bag, tower, which, 0), chances)


@both
@pytest.mark.parametrize("colour", "byrkt")
def test_DU10_a_single_tile_comes_to_each_factory_by_its_chance(colour, which):
    """The last tile of the bag is drawn like any other; the large factory, drawn until two colours show, is first."""
    state = replace(between_rounds(), bag=tuple(1 if each == colour else 13 for each in "byrkt"), tower=NOTHING)

    def place(table: Twin) -> Hashable:
        return next((at for at, tiles in enumerate(table.dealt().factories) if colour in tiles), None)

    all_tiles = sum(state.bag)
    fills = two_coloured(heaps(state.bag, 5))
    large = float(sum(chance for heap, chance in fills.items() if heap["byrkt".index(colour)]))
    each = (1 - large) * 4 / (all_tiles - 5)
    chances: dict[Hashable, float] = {0: large, **dict.fromkeys(range(1, 5), each), None: 1 - large - 4 * each}
    require_fair(dealt("duel", state, which, place), chances)


@both
def test_DU40_the_last_tiles_of_the_bag_come_first_and_the_rest_from_the_tower(which):
    tower = (3, 0, 9, 1, 12)
    chances = {(b + 1, y + 1, *others): chance for (b, y, *others), chance in heaps(tower, 3).items()}
    require_fair(fill((1, 1, 0, 0, 0), tower, which, 0), chances)


def before_reveal(factories: str, **words: Any) -> duel.State:
    """The suns of small factories are empty above face-down chips."""
    return duel.apply(duel_table(factories=factories, **words), duel.Take(0, None, "y", 3))[0]


@both
def test_DU26_two_chips_revealed_together_are_drawn_without_return(which):
    state = before_reveal("bbykt -/y -/y bbyk bbyk")
    left = state.chips
    chances: Counter[Hashable] = Counter()
    for one, chip in enumerate(left):
        chances.update(chip + other for at, other in enumerate(left) if at != one)
    every = chances.total()
    counted = dealt("duel", state, which, lambda table: table.dealt().chips)
    require_fair(counted, {pair: number / every for pair, number in chances.items()})


@both
@pytest.mark.parametrize("place", [0, 1])
def test_DU20_a_drawn_plate_is_any_unseen_one_of_its_kind(place, which):
    state = duel_table(stack="*,*,?,*,?,*,?,*,?,*,?,*,?", open="trb? kyr? k*tr")
    for move in (duel.Draw(0), duel.Draw(0), duel.Stop(0)):
        state, _ = duel.apply(state, move)
    unseen = {plate for plate in PLATES if "*" in plate} - {"k*tr"}
    unseen -= {way for board in state.boards for way in board.dome}
    counted = dealt("duel", state, which, lambda table: table.dealt().plates[place])
    require_fair(counted, evenly(unseen))
