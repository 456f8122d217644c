"""When a player can do nothing, and when phase 1 ends (DU29)."""

from tessella.core.game import Chance, Choose
from tessella.games import duel
from tessella.games.duel.events import AcquiringEnded, Passed
from tests.games.playing import only

from .positions import EMPTY_FACTORIES, Board, end_of_phase_1, moves, play, table


def test_DU29_a_player_without_an_action_is_skipped_and_the_other_plays_on():
    state = table(factories="- - -/-/T -/-/t -/-/b", tokens=(0, 0), due=(1, 2))
    state, events = play(state, "c2")
    assert only(events, Passed) == []
    state, events = play(state, "c3")
    assert only(events, Passed) == [Passed(0)]
    assert (duel.turn(state), moves(state)) == (Choose((1,)), ["c4"])
    state, events = play(state, "c4")
    assert only(events, Passed) == []
    assert only(events, AcquiringEnded) == [AcquiringEnded(1)]


def test_DU29_passing_is_impossible_while_there_is_an_action():
    state = table(factories="- -/y - - -", tokens=(0, 0), due=(0, 1))
    assert moves(state) == ["my1", "my2", "my3", "my4", "my5", "my6", "my-"]


def test_DU29_passing_is_decided_after_chips_are_revealed():
    state = table(factories="- -/y - - -", tokens=(0, 0), due=(0, 1), order="0>1")
    state, events = play(state, "my1")
    assert (only(events, Passed), duel.turn(state)) == ([], Chance())
    state, events = play(state, "*T")
    assert only(events, Passed) == [Passed(0)]
    assert duel.turn(state) == Choose((1,))


def test_DU29_the_phase_ends_when_factories_are_empty_and_all_tokens_placed():
    state, events = play(end_of_phase_1(Board()), "c4")
    assert only(events, AcquiringEnded) == [AcquiringEnded(1)]
    assert state.phase == "prepare"
    waiting = table(factories=EMPTY_FACTORIES, open="ykt*", tokens=(0, 2), due=(0, 0), order="0>1")
    state, _ = play(waiting, "1ykt*")
    assert (state.phase, duel.turn(state)) == ("act", Choose((1,)))
