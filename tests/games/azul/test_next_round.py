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

from .positions import FULL, board, end_of_round, only, play, refusal, table

# AZ40: filling again


def test_AZ40_the_factories_are_filled_in_order_from_the_bag():
    state, events = play(table(), "*bbbb yyyy rrrr kkkk wwww")
    assert events == [
        RoundStarted(3, start=0),
        *(FactoryFilled(number, colour * 4) for number, colour in enumerate("byrkw")),
    ]
    assert state.bag == (16, 16, 16, 16, 16)
    assert (state.round, state.centre) == (3, "m")


def test_AZ40_a_bag_that_is_empty_after_the_last_factory_is_not_refilled_yet():
    before = table(bag="4.4.4.4.4", lid="~")
    state, events = play(before, "*bbbb yyyy rrrr kkkk wwww")
    assert only(events, LidPoured) == []
    assert state.bag == (0, 0, 0, 0, 0)
    assert state.lid == (16, 16, 16, 16, 16)


def test_AZ40_the_lid_is_poured_when_the_next_tile_is_needed():
    """The bag was emptied by the last fill: the first tile of the next round comes from the lid."""
    state, events = play(table(bag="0.0.0.0.0", lid="~"), "*bbbb yyyy rrrr kkkk wwww")
    assert events[1:3] == [LidPoured(tiles=100, factory=0, rule="AZ40"), FactoryFilled(0, "bbbb")]
    assert state.bag == (16, 16, 16, 16, 16)
    assert state.lid == (0, 0, 0, 0, 0)


def test_AZ40_the_lid_is_poured_in_the_middle_of_a_factory():
    """Six tiles in the bag: four, then the last two and two that come back from the lid."""
    before = table(bag="4.2.0.0.0", lid="~")
    state, events = play(before, "*bbbb yykk rrrr kkkk wwww")
    assert events[1:4] == [FactoryFilled(0, "bbbb"), LidPoured(94, factory=1), FactoryFilled(1, "yykk")]
    assert state.lid == (0, 0, 0, 0, 0)
    assert sum(state.bag) == 80


def test_AZ40_the_last_tiles_of_the_bag_come_before_those_of_the_lid():
    before = table(bag="4.2.0.0.0", lid="~")
    assert refusal(before, "*bbbb ykkk rrrr kkkk wwww") == "AZ40"
    assert refusal(before, "*bbbb kkkk rrrr kkkk wwww") == "AZ40"
    assert refusal(before, "*bbyk bbyk rrrr kkkk wwww") == "AZ03"


def test_AZ40_every_deal_that_is_drawn_may_be_dealt():
    rng = Random(40)
    for tiles in range(24):
        state = table(bag=f"{tiles // 2}.{tiles - tiles // 2}.0.0.0", lid="~")
        for _ in range(10):
            dealt, events = azul.apply(state, azul.deal(state, rng))
            assert len(only(events, LidPoured)) == (tiles < 20)
            assert sum(dealt.bag) + sum(dealt.lid) == 80


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(table(factories="bbbb"), id="drafting"),
        pytest.param(table(board("r/-/-/-/-"), kind="2g"), id="tiling"),
        pytest.param(table(board(wall="byrkw/...../...../...../.....")), id="over"),
    ],
)
def test_AZ40_no_deal_before_the_round_is_over_or_after_the_game_is(state):
    assert refusal(state, azul.Deal(("bbbb", "yyyy", "rrrr", "kkkk", "wwww"))) == "AZ40"


# AZ41, AZ42: too few tiles


def test_AZ41_when_bag_and_lid_are_empty_the_round_starts_with_what_there_is():
    """Six tiles are left: three yellow and a white one in the bag, a yellow and a red one in the lid."""
    boards = [
        FULL[0].replace("yyyy:", "-:"),
        FULL[1],
        FULL[2].replace("/w/", "/-/"),
        FULL[3].replace("-/r/", "-/-/"),
    ]
    before = table(*boards, kind="4c", bag="0.3.0.0.1", lid="~")
    state, events = play(before, "*yyyw yr - - - - - - -")
    assert events == [
        RoundStarted(3, 0),
        FactoryFilled(0, "yyyw"),
        LidPoured(2, factory=1),
        FactoryFilled(1, "yr"),
        *(FactoryFilled(number, "") for number in range(2, 9)),
    ]
    assert azul.turn(state) == Choose((0,))
    assert {azul.write_move(state, move)[:2] for move in azul.legal_moves(state, 0)} == {"1y", "1w", "2y", "2r"}
    assert azul.deal(before, Random(41)) == azul.Deal(("yyyw", "yr", *[""] * 7))
    assert refusal(before, "*yyyw y r - - - - - -") == "AZ03"
    assert refusal(before, "*yyyw y - - - - - - -") == "AZ03"


def test_AZ42_without_a_tile_for_the_new_round_the_game_ends():
    """The last black tile goes into an incomplete line, and all hundred tiles lie on the boards."""
    boards = [FULL[0], FULL[1].replace("/kk/-", "/k/-"), *FULL[2:]]
    state, events = play(table(*boards, kind="4c", order="0>1", factories="k"), "1k4")
    assert state.bag == state.lid == (0, 0, 0, 0, 0)
    assert events[-1] == GameEnded(scores=(68, 68, 69, 67), places=(2, 2, 1, 4), rule="AZ42")
    assert azul.turn(state) == Over((68, 68, 69, 67), (2, 2, 1, 4))


def test_AZ42_one_tile_is_enough_for_a_round():
    boards = [FULL[0], FULL[1].replace("/kk/-", "/k/-"), *FULL[2:]]
    before = table(*boards, kind="4c")
    assert azul.turn(before) == Chance()
    state, _ = play(before, "*k - - - - - - - -")
    assert [azul.write_move(state, move) for move in azul.legal_moves(state, 0)] == ["1k3", "1k-"]


def test_AZ42_one_tile_in_the_lid_is_enough_for_a_round():
    """The last black tile fell to the floor, and was the only one of the round to come."""
    boards = [FULL[0], FULL[1].replace("/kk/-", "/k/-"), *FULL[2:]]
    state, events = play(table(*boards, kind="4c", order="0>1", factories="k"), "1k-")
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


def test_AZ43_a_whole_round_without_the_centre():
    state, _ = play(azul.setup(azul.Config(2)), "*1:bbbb yyyy rrrr kkkk wwww", "1b4", "2y4", "3r5", "4k5", "5w3")
    assert azul.turn(state) == Chance()
    assert (state.start, state.boards[0].floor, state.centre) == (1, "", "")


# AZ44: the last round


def test_AZ44_the_game_ends_after_round_50():
    state, events = play(end_of_round(board(score=7), round=50), "1w5")
    assert events[-1] == GameEnded((7, 0), (1, 2), "AZ44")
    assert azul.turn(state) == Over((7, 0), (1, 2))


def test_AZ50_a_complete_row_ends_round_50_by_its_own_rule():
    state, events = play(end_of_round(board(wall=".yrkw/...../...../...../....."), tile="b", round=50), "1b1")
    assert events[-1] == GameEnded((5 + 2, 0), (1, 2), "AZ50")
    assert azul.turn(state) == Over((5 + 2, 0), (1, 2))


def test_AZ44_after_round_49_another_one_follows():
    state, events = play(end_of_round(board(score=7), round=49), "1w5")
    assert only(events, GameEnded) == []
    assert azul.turn(state) == Chance()


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
