"""Setup: players, factories, tiles, the first deal (AZ01 to AZ04)."""

from collections import Counter
from random import Random

import pytest

from tessella.core.game import Chance, Choose
from tessella.games import azul
from tessella.games.azul.events import FactoryFilled, RoundStarted

from .positions import play, table


@pytest.mark.parametrize(("seats", "factories", "left"), [(2, 5, 80), (3, 7, 72), (4, 9, 64)])
def test_AZ01_AZ03_for_each_number_of_players_the_factories_get_four_tiles_from_the_bag(seats, factories, left):
    state = azul.setup(azul.Config(seats))
    assert (len(state.boards), state.factories, azul.turn(state)) == (seats, ("",) * factories, Chance())
    dealt, events = azul.apply(state, azul.deal(state, Random(3)))
    assert [len(tiles) for tiles in dealt.factories] == [4] * factories
    assert sum(dealt.bag) == left
    assert [event.factory for event in events if isinstance(event, FactoryFilled)] == list(range(factories))


@pytest.mark.parametrize("seats", [-2, 0, 1, 5])
def test_AZ01_no_other_number_of_players(seats):
    with pytest.raises(ValueError, match="AZ01"):
        azul.Config(seats)


def test_AZ01_a_game_is_for_two_on_the_coloured_wall_unless_the_players_agree_otherwise():
    assert azul.Config() == azul.Config(seats=2, wall="coloured")


def test_AZ02_twenty_tiles_of_each_colour_start_in_the_bag():
    state = azul.setup(azul.Config(2))
    assert (state.bag, state.lid) == ((20, 20, 20, 20, 20), (0, 0, 0, 0, 0))
    assert azul.inventory(state) == {"b": 20, "y": 20, "r": 20, "k": 20, "w": 20}


def test_AZ03_AZ04_the_first_deal_fills_the_factories_and_its_seat_drafts_first():
    state, events = play(azul.setup(azul.Config(2)), "*1:bbyk byrw rrrr kkww bbbw")
    filled = [FactoryFilled(number, tiles) for number, tiles in enumerate(["bbyk", "byrw", "rrrr", "kkww", "bbbw"])]
    assert events == [RoundStarted(round=1, start=1), *filled]
    assert state == table(round=1, order="1>1", factories="bbyk byrw rrrr kkww bbbw")
    assert azul.turn(state) == Choose((1,))


def test_AZ03_every_tile_of_the_bag_is_as_likely_as_the_others():
    state, rng = table(bag="10.5.5.0.0", lid="~"), Random(33)
    drawn = Counter("".join(tiles for _ in range(2_000) for tiles in azul.deal(state, rng).factories[:1]))
    assert drawn["k"] == drawn["w"] == 0
    assert drawn["b"] == pytest.approx(4_000, abs=200)
    assert drawn["y"] == pytest.approx(2_000, abs=200)


def test_AZ04_the_first_start_player_is_drawn_at_random():
    state, rng = azul.setup(azul.Config(4)), Random(4)
    starts = Counter(azul.deal(state, rng).start for _ in range(2_000))
    assert set(starts) == {0, 1, 2, 3}
    assert all(count == pytest.approx(500, abs=100) for count in starts.values())
