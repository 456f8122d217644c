"""What a move would do, before it is made."""

from random import Random

import pytest

from tessella.core import wire
from tessella.core.game import Choose
from tessella.games import duel
from tessella.games.duel.events import SpecialPlaced, TilePlaced, TilesBroke

from .positions import CONFIGS, EMPTY_FACTORIES, Board, end_of_phase_1, play, random_acts, table


def preview(state: duel.State, text: str) -> duel.Preview:
    now = duel.turn(state)
    assert isinstance(now, Choose)
    return duel.preview(state, duel.read_move(state, now.seats[0], text))


def test_a_take_that_completes_a_line_shows_its_tile_on_the_dome():
    seen = preview(table(Board(plates="1ykt*")), "1y1")
    assert (seen.points, seen.score, seen.line, seen.spaces) == (1, 6, 0, (0,))
    assert seen.placed == (TilePlaced(0, 0, 0, "y", 1, 1, 1, tower=0),)
    assert (seen.broken, seen.tower, seen.broken_cost, seen.start_tile, seen.breaking) == ((), 0, 0, False, ())


def test_a_take_shows_what_breaks_and_what_it_costs():
    seen = preview(table(Board(broken="kkk", score=30), factories="-/yyy bbyk bbyk bbyk bbyk"), "my1")
    assert (seen.broken, seen.tower, seen.broken_cost, seen.start_tile) == ((3,), 1, 10, True)
    assert seen.points == -(10 - 6) - 2
    assert seen.score == 30 - 12


def test_a_tile_is_taken_to_go_where_it_scores_most():
    board = Board("-/t/-/-/-/-", "1ykt* 2bk*t 3rty?", "....../....y./....../....../....../......")
    seen = preview(table(board, tokens=(0, 2), factories="ttykb bbyk bbyk bbyk bbyk"), "0t2")
    assert seen.placed == (TilePlaced(0, 1, 3, "t", across=2, down=1, points=2, tower=1),)
    assert (seen.broken_cost, seen.points) == (1, 2 - 1)


def test_a_special_tile_counts():
    board = Board(plates="1ykt*", tiles=".k..../t...../....../....../....../......")
    seen = preview(table(board), "1y1")
    assert (seen.points, seen.placed[-1]) == (4 + 2, SpecialPlaced(0, 1, 1, 2))


def test_a_plate_may_make_a_line_break():
    state = table(Board("b/-/-/-/-/-", "1ykt* 2k*tr"), open="y*kr", tokens=(1, 2))
    seen = preview(state, "3y*kr")
    assert seen.breaking == (TilesBroke(0, "b", (0,), 0, "DU32"),)
    assert seen.points == -1
    assert preview(state, "4y*kr").points == 0


@pytest.mark.parametrize(("score", "points"), [(5, -1), (0, 0)])
def test_a_draw_costs_a_point_if_there_is_one(score, points):
    state = table(Board(score=score), factories=EMPTY_FACTORIES, due=(0, 0))
    assert preview(state, "d+").points == points


def test_chips_and_returned_plates_score_nothing_now():
    assert preview(table(factories="bbykt bbyk -/-/T bbyk bbyk"), "c2").points == 0
    state, _ = play(table(), "d+", "d+", "d+", "d=", "*k*tr *krb y*kr", "1k*tr")
    assert preview(state, "u*krb").points == 0


def test_in_phase_2_the_points_cover_all_lines_still_to_be_tiled():
    state, _ = play(end_of_phase_1(Board("-/tt/-/-/-/-", "1ykt* 2bk*t 3rty?", broken="b")), "c4")
    seen = preview(state, "t21")
    assert (seen.points, seen.score) == (1 - 1, 5)
    whole, _ = play(end_of_phase_1(Board("-/tt/-/-/-/-", "1ykt* 2bk*t 3rty?")), "c4")
    assert preview(whole, "t21").points == 1
    paying = Board("-/-/tt/-/-/-", "1bk*t 4tkr?", chips="RTk")
    state, _ = play(end_of_phase_1(paying, stage="2act"), "c4")
    assert [preview(state, move).points for move in ("p3RT", "p3-")] == [1, 0]


def test_previews_of_random_games_can_be_sent_and_say_where_tiles_land():
    for number in range(4):
        for state, act, after, _ in random_acts(duel.setup(CONFIGS[number]), Random(number)):
            if isinstance(act, duel.Move):
                seen = duel.preview(state, act)
                assert wire.encode(seen)
            if isinstance(act, duel.Take) and after.phase in ("act", "stack"):
                before, board = state.boards[act.seat], after.boards[act.seat]
                assert len(board.broken) == len(before.broken) + len(seen.broken)
                assert len("".join(board.lines)) == len("".join(before.lines)) + len(seen.spaces)
