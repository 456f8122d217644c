"""What is hidden (BL40): views, events and imagined worlds."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from tessella.core import wire
from tessella.core.game import Over
from tessella.core.laws import check_laws
from tessella.games import blockers
from tessella.games.blockers import DrawTiles, Place, PutAside, Stock
from tessella.games.blockers.events import Secret, TilesDrawn
from tessella.games.blockers.pieces import FACES, in_order
from tests.games.playing import MANY_GAMES

from .positions import ARCHES, CONFIGS, lay, moves, play


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize(("games", "every"), [(1, 8), MANY_GAMES])
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_BL40_blockers_keeps_the_laws(config, games, every):
    for seed in range(games):
        whole = check_laws(blockers, config, Random(seed), every=every)
        assert len(whole.acts) == blockers.longest(config)


# Views


def test_BL40_a_seat_sees_its_own_rack_and_of_the_others_only_how_many_tiles():
    state = lay("y7@D7 bA@A1 r1@B1", {"b": "BD7sw"})
    own, other, _ = blockers.view(state, 0).hands
    assert (own.rack, own.held, own.supply, own.played) == ("BD7sw", 5, 22, 1)
    assert own.unseen == state.stocks[0].supply
    assert (other.rack, other.held, other.supply, other.played) == (None, 5, 22, 1)
    assert [hand.rack for hand in blockers.view(state, None).hands] == [None, None, None]
    assert other.unseen == FACES.replace("7", "")


def test_BL30_each_of_two_players_sees_both_own_racks():
    hands = blockers.view(lay(racks={"y": "AD7sw", "g": "12345"}, table="2b"), 1).hands
    assert [hand.rack for hand in hands] == [None, "AD7sw", None, "12345"]
    assert [hand.owner for hand in hands] == [0, 1, 0, 1]


def test_BL40_racks_stay_hidden_in_the_last_round_and_are_shown_when_the_game_is_over():
    state = lay(played=23, racks={"b": "ABC12"})
    while not isinstance(blockers.turn(state), Over):
        assert [hand.rack for hand in blockers.view(state, None).hands] == [None, None, None]
        state, _ = play(state, moves(state)[0])
    assert [hand.rack for hand in blockers.view(state, None).hands] == [stock.rack for stock in state.stocks]


def test_BL40_captured_tiles_and_tiles_put_aside_are_open():
    state = lay("y7@D7 bA@A1", {}, "y8")
    for seat in (0, 1, 2, None):
        assert blockers.view(state, seat).captured == ("y8", "", "")
        assert [hand.aside for hand in blockers.view(state, seat).hands] == ["w", "", "wo"]


# Events and acts


def test_BL40_only_its_owner_sees_which_tile_was_drawn():
    drawn = TilesDrawn(1, "y", count=1, supply=20, tiles="7", rule="BL16")
    assert blockers.witness(Secret(drawn), 1) == drawn
    for seat in (0, 2, None):
        assert blockers.witness(Secret(drawn), seat) == replace(drawn, tiles=None)


def test_BL40_the_secret_itself_cannot_be_sent():
    secret: Any = Secret(TilesDrawn(1, "y", count=1, supply=20, tiles="7", rule="BL16"))
    with pytest.raises(TypeError, match="Secret"):
        wire.encode(secret)


def test_BL40_a_draw_is_read_by_its_owner_everything_else_by_all():
    assert blockers.owner(DrawTiles(1, "g", "7")) == 1
    assert blockers.owner(blockers.DrawStart(1)) is None
    assert blockers.owner(Place(1, "g", "7", 33)) is None
    assert blockers.owner(PutAside(1, "g", "7")) is None


def test_BL17_before_it_is_made_nobody_can_tell_that_a_tile_must_be_put_aside():
    stuck = lay(ARCHES, {"b": "ABCsh"})
    free = replace(stuck, stocks=(_exchange(stuck.stocks[0], "A", "D"), *stuck.stocks[1:]))
    assert isinstance(blockers.legal_moves(stuck, 0)[0], PutAside)
    assert isinstance(blockers.legal_moves(free, 0)[0], Place)
    for seat in (1, 2, None):
        assert wire.encode(blockers.view(stuck, seat)) == wire.encode(blockers.view(free, seat))


def test_BL17_a_tile_put_aside_is_seen_as_one_of_the_24_plays():
    state, _ = play(lay(ARCHES, {"b": "ABCsh"}), "C@-")
    for seat in (0, 1, None):
        assert blockers.view(state, seat).hands[0].played == 16


def _exchange(stock: Stock, given: str, taken: str) -> Stock:
    rack, supply = stock.rack.replace(given, taken), stock.supply.replace(taken, given)
    return replace(stock, rack=in_order(rack), supply=in_order(supply))


# Imagined worlds


def test_BL40_what_a_seat_can_see_is_imagined_as_it_is():
    state = lay("y7@D7 bA@A1 r1@B1", {"b": "BD7sw"}, "y8")
    other = blockers.imagine(blockers.view(state, 0), Random(1))
    assert other.stocks[0] == state.stocks[0]
    assert (other.board, other.captured, other.start) == (state.board, state.captured, state.start)
    assert [stock.aside for stock in other.stocks] == [stock.aside for stock in state.stocks]
    assert [len(stock.rack) for stock in other.stocks] == [5, 5, 5]


def test_BL40_every_unseen_tile_is_as_likely_on_a_hidden_rack_as_another():
    seen = blockers.view(lay("y7@D7"), 0)
    rng = Random(7)
    worlds = [blockers.imagine(seen, rng).stocks[1].rack for _ in range(2700)]
    counts = Counter("".join(worlds))
    assert sorted(counts) == sorted(FACES.replace("7", ""))
    assert all(400 < count < 600 for count in counts.values()), "500 are expected of each"
    pairs = Counter((one, other) for rack in worlds for one in rack for other in rack if one < other)
    assert len(pairs) == 27 * 26 // 2
