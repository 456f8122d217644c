"""Preparing the next round (AZ40 to AZ44)."""

from random import Random

import pytest

from tessella.core.game import Chance, Choose, Over
from tessella.games import azul
from tessella.games.azul.events import (
    FactoryFilled,
    GameEnded,
    LidPoured,
    MarkerTaken,
    RoundStarted,
    StartDecided,
)
from tests.games.playing import only

from .positions import ALL_BUT_ONE, ALL_BUT_SIX, board, end_of_round, play, table

# AZ40: filling again


def test_AZ40_the_factories_are_filled_in_order_from_the_bag():
    state, events = play(table(), "*bbbb yyyy rrrr kkkk wwww")
    assert events == [
        RoundStarted(3, start=0),
        *(FactoryFilled(number, colour * 4) for number, colour in enumerate("byrkw")),
    ]
    assert state.bag == (16, 16, 16, 16, 16)
    assert (state.round, state.centre) == (3, "m")


@pytest.mark.parametrize(
    ("bag", "deal", "poured", "left"),
    [
        pytest.param("4.4.4.4.4", "*bbbb yyyy rrrr kkkk wwww", [], 0, id="not when the bag gets empty"),
        pytest.param("0.0.0.0.0", "*bbbb yyyy rrrr kkkk wwww", [LidPoured(100, 0, "AZ40")], 80, id="but when it is"),
        pytest.param("4.2.0.0.0", "*bbbb yykk rrrr kkkk wwww", [LidPoured(94, 1)], 80, id="in the middle of a factory"),
    ],
)
def test_AZ40_the_lid_is_poured_when_the_next_tile_is_needed(bag, deal, poured, left):
    state, events = play(table(bag=bag, lid="~"), deal)
    assert only(events, LidPoured) == poured
    assert (sum(state.bag), sum(state.lid)) == (left, 80 - left)


def test_AZ40_every_deal_that_is_drawn_may_be_dealt():
    rng = Random(40)
    for tiles in range(24):
        state = table(bag=f"{tiles // 2}.{tiles - tiles // 2}.0.0.0", lid="~")
        for _ in range(10):
            dealt, events = azul.apply(state, azul.deal(state, rng))
            assert len(only(events, LidPoured)) == (tiles < 20)
            assert sum(dealt.bag) + sum(dealt.lid) == 80


# AZ41, AZ42: too few tiles


def test_AZ41_when_bag_and_lid_are_empty_the_round_starts_with_what_there_is():
    """Six tiles are left: three yellow and a white one in the bag, a yellow and a red one in the lid."""
    before = table(*ALL_BUT_SIX, kind="4c", bag="0.3.0.0.1", lid="~")
    state, events = play(before, "*yyyw yr - - - - - - -")
    assert events == [
        RoundStarted(3, 0),
        FactoryFilled(0, "yyyw"),
        LidPoured(2, factory=1),
        FactoryFilled(1, "yr"),
        *(FactoryFilled(number, "") for number in range(2, 9)),
    ]
    assert {azul.write_move(state, move)[:2] for move in azul.legal_moves(state, 0)} == {"1y", "1w", "2y", "2r"}
    assert azul.deal(before, Random(41)) == azul.Deal(("yyyw", "yr", *[""] * 7))


def test_AZ42_without_a_tile_for_the_new_round_the_game_ends():
    """The last black tile goes into an incomplete line, and all hundred tiles lie on the boards."""
    state, events = play(table(*ALL_BUT_ONE, kind="4c", order="0>1", factories="k"), "1k4")
    assert state.bag == state.lid == (0, 0, 0, 0, 0)
    assert events[-1] == GameEnded(scores=(68, 68, 69, 67), places=(2, 2, 1, 4), rule="AZ42")
    assert azul.turn(state) == Over((68, 68, 69, 67), (2, 2, 1, 4))


def test_AZ42_one_tile_in_the_lid_is_enough_for_a_round():
    """The last black tile fell to the floor, and was the only one of the round to come."""
    state, events = play(table(*ALL_BUT_ONE, kind="4c", order="0>1", factories="k"), "1k-")
    assert only(events, GameEnded) == []
    assert (state.bag, state.lid) == ((0, 0, 0, 0, 0), (0, 0, 0, 1, 0))
    assert azul.turn(state) == Chance()
    state, events = play(state, "*k - - - - - - - -")
    assert events[:2] == [RoundStarted(3, 0), LidPoured(1, factory=0)]


# AZ43: nobody took from the centre


def test_AZ43_if_no_seat_took_from_the_centre_the_start_player_stays_the_same():
    state, events = play(table(order="1>1", factories="bbbb yyyy"), "1b4", "2y4")
    assert only(events, MarkerTaken) == []
    assert only(events, StartDecided) == [StartDecided(1, "AZ43")]
    state, _ = play(state, "*bbbb yyyy rrrr kkkk wwww")
    assert azul.turn(state) == Choose((1,))


# AZ44: the last round


@pytest.mark.parametrize(
    ("before", "last", "rule"),
    [
        (end_of_round(board(score=7), round=49), "1w5", None),
        (end_of_round(board(score=7), round=50), "1w5", "AZ44"),
        (end_of_round(board(wall=".yrkw/...../...../...../....."), tile="b", round=50), "1b1", "AZ50"),
    ],
    ids=["after round 49 another one follows", "after round 50 none does", "a row ends it by its own rule"],
)
def test_AZ44_the_game_ends_after_round_50(before, last, rule):
    state, events = play(before, last)
    ended = [GameEnded((7, 0), (1, 2), rule)] if rule else []
    assert only(events, GameEnded) == ended
    assert azul.turn(state) == (Over((7, 0), (1, 2)) if rule else Chance())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_AZ44_a_game_in_which_everybody_floors_everything_ends(seats):
    rng, acts = Random(44), 0
    state = azul.setup(azul.Config(seats))
    while not isinstance(turn := azul.turn(state), Over):
        act = azul.legal_moves(state, state.current)[-1] if isinstance(turn, Choose) else azul.deal(state, rng)
        assert not isinstance(act, azul.Take) or act.line is None
        state, _ = azul.apply(state, act)
        acts += 1
    assert (state.round, turn.scores, turn.places) == (50, (0,) * seats, (1,) * seats)
    assert acts <= azul.longest(state.config)
