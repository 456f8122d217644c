"""Setup: players, factories, tiles, the first deal (AZ01 to AZ04)."""

from collections import Counter
from random import Random

import pytest

from tessella.core.game import BadNotation, Chance, Choose
from tessella.games import azul
from tessella.games.azul.events import FactoryFilled, RoundStarted

from .positions import CONFIGS, board, play, random_game, refusal, table


@pytest.mark.parametrize(("seats", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_AZ01_two_to_four_players_have_5_7_or_9_factories(seats, factories):
    state = azul.setup(azul.Config(seats))
    assert len(state.boards) == seats
    assert state.factories == ("",) * factories
    assert azul.turn(state) == Chance()


@pytest.mark.parametrize("seats", [-2, 0, 1, 5])
def test_AZ01_no_other_number_of_players(seats):
    with pytest.raises(ValueError, match="AZ01"):
        azul.Config(seats)


def test_AZ01_a_take_from_an_unknown_factory_is_refused():
    state = table(factories="bbyk")
    assert refusal(state, "6b1") == "AZ01"
    assert refusal(state, azul.Take(0, -1, "b", 0)) == "AZ01"


def test_AZ01_a_placement_by_an_unknown_seat_is_refused():
    state = table(board("-/bb/-/-/-"), kind="2g")
    assert refusal(state, azul.Place(2, 1, 0)) == "AZ01"
    assert refusal(state, azul.Place(-1, 1, 0)) == "AZ01"


def test_AZ01_a_deal_fills_every_factory_and_no_more():
    state = azul.setup(azul.Config(2))
    assert refusal(state, "*0:bbbb yyyy rrrr kkkk") == "AZ01"
    assert refusal(state, "*0:bbbb yyyy rrrr kkkk wwww bbbb") == "AZ01"


def test_AZ02_twenty_tiles_of_each_colour_start_in_the_bag():
    state = azul.setup(azul.Config(2))
    assert state.bag == (20, 20, 20, 20, 20)
    assert state.lid == (0, 0, 0, 0, 0)
    assert azul.inventory(state) == {"b": 20, "y": 20, "r": 20, "k": 20, "w": 20}


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_AZ02_no_move_loses_or_makes_a_tile(config):
    for _, after, _ in random_game(config, Random(2)):
        assert azul.inventory(after) == {"b": 20, "y": 20, "r": 20, "k": 20, "w": 20}


def test_AZ02_there_is_no_sixth_colour():
    state = table(factories="bbyk")
    for colour in ("g", "", "by", "B"):
        assert refusal(state, azul.Take(0, 0, colour, 0)) == "AZ02"
    first = azul.setup(azul.Config(2))
    assert refusal(first, azul.Deal(("bbbg", "yyyy", "rrrr", "kkkk", "wwww"), 0)) == "AZ02"
    assert refusal(first, azul.Deal(("mbbb", "yyyy", "rrrr", "kkkk", "wwww"), 0)) == "AZ02"


@pytest.mark.parametrize(("seats", "left"), [(2, 80), (3, 72), (4, 64)])
def test_AZ03_each_factory_gets_four_tiles_from_the_bag(seats, left):
    state = azul.setup(azul.Config(seats))
    dealt, events = azul.apply(state, azul.deal(state, Random(3)))
    assert [len(tiles) for tiles in dealt.factories] == [4] * (2 * seats + 1)
    assert sum(dealt.bag) == left
    assert [event.factory for event in events if isinstance(event, FactoryFilled)] == list(range(2 * seats + 1))


def test_AZ03_the_first_deal_emits_its_events():
    state, events = play(azul.setup(azul.Config(2)), "*1:bbyk byrw rrrr kkww bbbw")
    assert events == [
        RoundStarted(round=1, start=1),
        FactoryFilled(0, "bbyk"),
        FactoryFilled(1, "byrw"),
        FactoryFilled(2, "rrrr"),
        FactoryFilled(3, "kkww"),
        FactoryFilled(4, "bbbw"),
    ]
    assert state == table(round=1, order="1>1", factories="bbyk byrw rrrr kkww bbbw")


def test_AZ03_a_factory_gets_neither_fewer_nor_other_tiles_than_the_bag_gives():
    state = azul.setup(azul.Config(2))
    assert refusal(state, "*0:bbb yyyy rrrr kkkk wwww") == "AZ03"
    assert refusal(state, "*0:- yyyy rrrr kkkk wwww") == "AZ03"
    scarce = table(bag="3.20.20.20.20", lid="~")
    assert refusal(scarce, "*bbbb yyyy rrrr kkkk wwww") == "AZ03"
    assert refusal(scarce, azul.Deal(("bbbyy", "yyyy", "rrrr", "kkkk", "wwww"))) == "AZ03"


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


def test_AZ04_the_seat_that_is_drawn_drafts_first():
    state, _ = play(azul.setup(azul.Config(3)), "*2:bbyk byrw rrrr kkww bbbw yyyy kkkk")
    assert azul.turn(state) == Choose((2,))


def test_AZ04_only_the_first_deal_draws_a_start_player():
    first = azul.setup(azul.Config(2))
    assert refusal(first, "*bbbb yyyy rrrr kkkk wwww") == "AZ04"
    assert refusal(first, "*2:bbbb yyyy rrrr kkkk wwww") == "AZ04"
    assert refusal(first, azul.Deal(("bbbb", "yyyy", "rrrr", "kkkk", "wwww"), -1)) == "AZ04"
    later = table(centre="-")
    assert refusal(later, "*0:bbbb yyyy rrrr kkkk wwww") == "AZ04"
    assert azul.deal(later, Random(4)).start is None


@pytest.mark.parametrize("seat", [0, 1])
def test_AZ04_everybody_plays_the_same_side_of_the_wall(seat):
    boards = [board(), board()]
    boards[seat] = board(wall="....b/...../...../...../.....")
    assert table(*boards, kind="2g").config.wall == "grey"
    with pytest.raises(BadNotation, match="not a coloured wall"):
        table(*boards, kind="2c")


def test_AZ01_a_game_is_for_two_on_the_coloured_wall_unless_the_players_agree_otherwise():
    assert azul.Config() == azul.Config(seats=2, wall="coloured")
