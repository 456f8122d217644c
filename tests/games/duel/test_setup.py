"""Setup, and how factories are filled (DU10 to DU12, DU40, DU41)."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from tessella.core.game import Chance, Choose
from tessella.games import duel
from tessella.games.duel.events import (
    ChipRevealed,
    FactoryFilled,
    PlatePlaced,
    PlatesOpened,
    RoundStarted,
    StackShuffled,
    StartDecided,
    StartTileTaken,
    TowerPoured,
)
from tessella.games.duel.pieces import NO_TILES
from tests.games.playing import only

from .positions import CROWDED, Always, Board, between_rounds, end_of_phase_1, play

KINDS = "*?" * 9
SHUFFLE = f"*1:{KINDS} ykt* ?btk trb*"
FILL = "*bbykt bbyk byrk kktt yyrr"
START = duel.setup(duel.Config())
FILLED = "bbykt bbyk byrk kktt yyrr"


# DU10


def test_DU10_three_plates_lie_open_and_the_kinds_of_the_others_are_seen():
    state, events = play(START, SHUFFLE)
    assert state.open == ("ykt*", "?btk", "trb*")
    assert "".join(back.face for back in state.stack) == KINDS[3:]
    assert events == [StackShuffled(1, KINDS), PlatesOpened(("ykt*", "?btk", "trb*"), "DU10")]


def test_DU10_every_order_of_kinds_may_lie_in_the_stack():
    rng = Random(10)
    shuffles = [duel.deal(START, rng) for _ in range(400)]
    kinds = [shuffle.kinds for shuffle in shuffles if isinstance(shuffle, duel.Shuffle)]
    assert all(sorted(each) == sorted(KINDS) for each in kinds)
    for place in range(18):
        assert 150 < sum(each[place] == "*" for each in kinds) < 250, "200 are expected at each place"


def test_DU12_either_seat_may_start():
    rng = Random(12)
    starts = Counter(shuffle.start for _ in range(400) if isinstance(shuffle := duel.deal(START, rng), duel.Shuffle))
    assert set(starts) == {0, 1}
    assert 150 < starts[0] < 250, "200 are expected of each"


def test_DU04_every_unrevealed_chip_is_as_likely():
    """At the start of the round factory 1 is empty, so its chip is revealed at once."""
    state, _ = play(between_rounds(*CROWDED, bag="0.0.0.0.13"), "*ttttt tttt tttt - -")
    rng, expected = Random(4), len(state.chips)
    drawn = Counter("".join(deal.chips for _ in range(1_500) if isinstance(deal := duel.deal(state, rng), duel.Reveal)))
    assert sum(drawn.values()) == 2 * 1_500
    for chip in {*state.chips}:
        assert drawn[chip] == pytest.approx(3_000 * state.chips.count(chip) / expected, rel=0.25)


def test_DU10_the_large_factory_gets_5_tiles_and_the_small_ones_4_and_a_hidden_chip():
    state, events = play(START, SHUFFLE, FILL)
    assert [factory.sun for factory in state.factories] == FILLED.split()
    assert [factory.chip for factory in state.factories] == ["", "#", "#", "#", "#"]
    assert state.holder is None
    assert [event.factory for event in only(events, FactoryFilled)] == [0, 1, 2, 3, 4]
    assert only(events, RoundStarted) == [RoundStarted(1, start=1)]


# DU11


def test_DU11_a_large_factory_of_one_colour_is_drawn_again():
    state, _ = play(START, SHUFFLE)
    deal = duel.deal(state, Always())
    assert isinstance(deal, duel.Fill)
    assert len({*deal.factories[0]}) > 1


def test_DU11_fills_of_two_colours_come_as_often_as_if_one_drew_until_two_show():
    """Five blue and two yellow tiles: 10 ways to draw one yellow tile, 10 to draw both, and 1 that is drawn again."""
    state = between_rounds(Board("-/-/-/-/-/bbbbbb"), bag="5.2.0.0.0", tower="~")
    fills = Counter(
        deal.factories[0] for seed in range(600) if isinstance(deal := duel.deal(state, Random(seed)), duel.Fill)
    )
    assert {*fills} == {"bbbby", "bbbyy"}
    assert abs(fills["bbbby"] - fills["bbbyy"]) < 100


def test_DU11_a_bag_of_one_colour_gets_the_tower_first_so_that_drawing_again_ends():
    state = between_rounds(bag="7.0.0.0.0", tower="~")
    for rng in (Always(), Random(1)):
        deal = duel.deal(state, rng)
        after, events = duel.apply(state, deal)
        assert len({*after.factories[0].sun}) > 1
        assert only(events, TowerPoured) == [TowerPoured(58, 0, "DU11")]
    assert play(state, "*yyrkt bbyk byrk kktt yyrr")


def test_DU11_the_last_tiles_of_a_bag_may_go_back_when_five_of_their_colour_come():
    state = between_rounds(bag="2.0.0.0.0", tower="~")
    _, events = play(state, "*yyrkt bbyk byrk kktt yyrr")
    assert only(events, TowerPoured) == [TowerPoured(63, 0, "DU40")]


def test_DU11_a_fill_of_one_colour_stands_if_bag_and_tower_show_no_other():
    state = between_rounds(*CROWDED, bag="0.0.0.0.6", tower="~")
    for rng in (Always(), Random(5)):
        deal = duel.deal(state, rng)
        assert deal == duel.Fill(("ttttt", "tttt", "tttt", "", ""))
    after, events = duel.apply(state, deal)
    assert only(events, TowerPoured) == [TowerPoured(7, 0, "DU11")]
    after, events = play(after, "*rY", "0t-")
    assert only(events, StartTileTaken) == [StartTileTaken(0)]
    assert after.holder == 0


# DU12


def test_DU12_the_other_player_places_a_plate_first_then_the_start_player_and_the_row_is_refilled_each_time():
    state, _ = play(START, SHUFFLE, FILL)
    assert duel.turn(state) == Choose((0,))
    state, events = play(state, "5ty*k")
    assert events == [PlatePlaced(0, "ty*k", 4, drawn=False, rule="DU12")]
    assert (state.open, duel.turn(state)) == (("?btk", "trb*"), Chance())
    state, events = play(state, "*kyr?")
    assert events == [PlatesOpened(("kyr?",), "DU12")]
    assert duel.turn(state) == Choose((1,))
    state, _ = play(state, "9?btk", "*y*kr")
    assert state.open == ("trb*", "kyr?", "y*kr")
    assert (state.phase, duel.turn(state)) == ("act", Choose((1,)))
    assert [duel.view(state, None).tokens, len(state.stack)] == [(2, 2), 13]


# DU40: the next round


def test_DU40_plates_are_opened_first_then_the_large_factory_is_filled_then_the_small_ones():
    state = end_of_phase_1(Board(), open="trb?", stack="*,?,*,?,*,?,*,?,*,?,*")
    state, _ = play(state, "c4")
    assert (duel.turn(state), state.open) == (Chance(), ("trb?",))
    state, events = play(state, "*ykt* ?btk")
    assert events == [PlatesOpened(("ykt*", "?btk"), "DU40")]
    state, events = play(state, FILL)
    assert [type(event) for event in events] == [RoundStarted, *[FactoryFilled] * 5]
    assert [event.factory for event in only(events, FactoryFilled)] == [0, 1, 2, 3, 4]
    assert (state.round, state.phase) == (2, "act")
    assert duel.view(state, 0).tokens == (2, 2)
    assert duel.view(state, 0).chips_due == (2, 2)


def test_DU40_the_tower_is_poured_into_an_empty_bag_also_in_the_middle_of_a_factory():
    state = between_rounds(bag="1.1.0.0.0", tower="~")
    state, events = play(state, "*byrkt bbyk byrk kktt yyrr")
    assert only(events, TowerPoured) == [TowerPoured(63, 0, "DU40")]
    assert (state.tower, sum(state.bag)) == ((0, 0, 0, 0, 0), 65 - 21)


def test_DU40_the_last_tiles_of_the_bag_go_to_the_factory_before_the_tower_is_poured_in():
    state = between_rounds(bag="4.2.0.0.0", tower="~")
    _, events = play(state, "*bbbby ykkr byrk kktt yyrr")
    assert only(events, TowerPoured) == [TowerPoured(59, 1, "DU40")]


def test_DU40_the_chip_of_an_empty_small_factory_is_revealed_at_once():
    state = between_rounds(*CROWDED, bag="0.0.0.0.6", tower="~")
    state, _ = play(state, "*ttttt tttt tttt - -")
    assert duel.turn(state) == Chance()
    state, events = play(state, "*rY")
    assert events == [ChipRevealed(3, "r"), ChipRevealed(4, "Y")]
    assert duel.turn(state) == Choose((0,))


# DU41


def test_DU41_the_holder_returns_the_start_tile_and_starts():
    state, events = play(end_of_phase_1(Board(), holder="1"), "c4")
    assert only(events, StartDecided) == [StartDecided(1)]
    assert (state.start, state.holder) == (1, None)
    state, events = play(state, "*k*tr ykt* *krb", FILL)
    assert only(events, RoundStarted) == [RoundStarted(2, start=1)]
    assert duel.turn(state) == Choose((1,))


def test_DU41_without_a_tile_on_the_large_factory_the_start_player_stays_the_same():
    state = replace(between_rounds(order="1>0"), bag=NO_TILES)
    assert duel.deal(state, Random(1)) == duel.Fill(("",) * 5)
    state, _ = play(
        state, "*- - - - -", "*ktBY", "c1", "c2", "c3", "c4", "1trb?", "1kyr?", "2k*tr", "d+", "d=", "*ykt*"
    )
    state, events = play(state, "2ykt*")
    assert only(events, StartDecided) == [StartDecided(1)]
    assert (state.start, state.holder) == (1, None)
