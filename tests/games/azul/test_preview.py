"""What a move would do, before it is made."""

from random import Random

import pytest

from tessella.core.game import IllegalMove
from tessella.games import azul
from tessella.games.azul.events import BonusScored, TilePlaced

from .positions import CONFIGS, board, only, random_act, table


def preview(state: azul.State, text: str) -> azul.Preview:
    seat = state.current
    return azul.preview(state, azul.read_move(state, seat, text))


def test_AZ13_a_preview_shows_which_spaces_are_filled():
    seen = preview(table(board("-/-/-/-/rr", score=4), factories="rrbk"), "1r5")
    assert seen == azul.Preview(
        points=0, line=4, spaces=(2, 3), marker=False, floor=(), lid=0, floor_cost=0, placed=(), score=4
    )


def test_AZ22_a_preview_shows_the_tile_and_its_points_if_the_line_gets_complete():
    seen = preview(table(board("-/-/yy/-/-", "...../...r./kwb../...b./....."), factories="yrbk"), "1y3")
    assert seen.placed == (TilePlaced(0, 2, 3, "y", across=4, down=3, points=7, lid=2),)
    assert (seen.points, seen.score) == (7, 7)


def test_AZ11_a_preview_shows_marker_surplus_and_cost():
    """The marker takes space 3, one red tile the line, two the spaces 4 and 5: 1 + 1 + 2 + 2 + 2."""
    seen = preview(table(board(floor="bb", score=30), factories="rrbk", centre="mrrr"), "cr1")
    assert (seen.line, seen.spaces, seen.marker, seen.floor, seen.lid) == (0, (0,), True, (2, 3, 4), 0)
    assert seen.floor_cost == 8
    assert seen.score == 30 + 1 - 8
    assert seen.points == 1 - 6  # the floor would have cost 2 anyway


def test_AZ17_a_preview_counts_what_goes_to_the_lid():
    seen = preview(table(board(floor="bbyyk", score=30), factories="kkkw"), "1k-")
    assert (seen.line, seen.spaces, seen.floor, seen.lid, seen.floor_cost) == (None, (), (5, 6), 1, 14)
    assert seen.points == -6


def test_AZ12_a_preview_shows_no_space_for_a_marker_beyond_the_floor_line():
    seen = preview(table(board(floor="bbyykkw", score=30), factories="kkkw", centre="mr"), "cr1")
    assert (seen.marker, seen.floor, seen.floor_cost) == (True, (), 14)
    assert seen.points == 1


def test_AZ23_a_preview_knows_that_the_score_stays_above_0():
    seen = preview(table(board(score=1), factories="kkkw"), "1k-")
    assert (seen.floor_cost, seen.score, seen.points) == (4, 0, -1)


def test_AZ30_on_the_grey_wall_a_preview_takes_the_columns_that_score_most():
    seen = preview(table(board(wall="b..kw/...../...../...../....."), kind="2g", factories="yrbk"), "1y1")
    assert [(event.column, event.points) for event in seen.placed] == [(2, 3)]


def test_AZ31_the_preview_of_a_placement_counts_what_follows_it():
    """1 for the tile; then row 2 beside it scores 2 in the column, and the floor costs 1."""
    state = table(board("r/kk/-/-/-", floor="b", score=5), kind="2g")
    seen = preview(state, "t13")
    assert [(event.row, event.column, event.points) for event in seen.placed] == [(0, 2, 1), (1, 2, 2)]
    assert (seen.line, seen.spaces, seen.marker, seen.floor) == (None, (), False, ())
    assert (seen.floor_cost, seen.points, seen.score) == (1, 2, 7)


def test_AZ32_a_preview_lets_a_line_without_a_column_fall():
    doomed = board("-/-/rr/-/-", "...r./....r/bkw../...../.....", score=10)
    seen = preview(table(doomed, kind="2g", factories="ryyy"), "1r3")
    assert seen.placed == ()
    assert (seen.points, seen.score) == (-4, 6)


def test_a_preview_of_an_illegal_take_names_the_rule():
    state = table(board("-/bb/-/-/-"), factories="bbyk")
    with pytest.raises(IllegalMove) as caught:
        preview(state, "1b2")
    assert caught.value.rule == "AZ14"


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_score_of_a_preview_comes_true_if_the_round_ends_with_the_move(config):
    """Whenever a move of a random game settles its mover's board, the preview had said the score before bonuses."""
    rng, settled = Random(9), 0
    for _ in range(5):
        state = azul.setup(config)
        while (act := random_act(state, rng)) is not None:
            after, events = azul.apply(state, act)
            if not isinstance(act, azul.Deal) and not any(after.factories) and after.centre == "":
                bonus = sum(event.points for event in only(events, BonusScored) if event.seat == act.seat)
                seen = azul.preview(state, act)
                if azul.legal_moves(after, act.seat) == []:
                    assert seen.score == after.boards[act.seat].score - bonus
                    settled += 1
            state = after
    assert settled > 20
