"""What a move would do, before it is made."""

from random import Random

import pytest

from tessella.games import azul
from tessella.games.azul.events import BonusScored, TilePlaced
from tests.games.playing import only

from .positions import CONFIGS, board, random_acts, table


def preview(state: azul.State, text: str) -> azul.Preview:
    seat = state.current
    return azul.preview(state, azul.read_move(state, seat, text))


@pytest.mark.parametrize(
    ("state", "move", "shown"),
    [
        pytest.param(
            table(board("-/-/-/-/rr", score=4), factories="rrbk"),
            "1r5",
            {
                "points": 0,
                "line": 4,
                "spaces": (2, 3),
                "floor": (),
                "lid": 0,
                "floor_cost": 0,
                "placed": (),
                "score": 4,
            },
            id="spaces that are filled",
        ),
        pytest.param(
            table(board("-/-/yy/-/-", "...../...r./kwb../...b./....."), factories="yrbk"),
            "1y3",
            {"placed": (TilePlaced(0, 2, 3, "y", across=4, down=3, points=7, lid=2),), "points": 7, "score": 7},
            id="a line that gets complete",
        ),
        pytest.param(  # the floor would have cost 2 anyway
            table(board(floor="bb", score=30), factories="rrbk", centre="mrrr"),
            "cr1",
            {"spaces": (0,), "marker": True, "floor": (2, 3, 4), "lid": 0, "floor_cost": 8, "score": 23, "points": -5},
            id="marker, surplus and cost",
        ),
        pytest.param(
            table(board(floor="bbyyk", score=30), factories="kkkw"),
            "1k-",
            {"line": None, "spaces": (), "floor": (5, 6), "lid": 1, "floor_cost": 14, "points": -6},
            id="what goes to the lid",
        ),
        pytest.param(
            table(board(floor="bbyykkw", score=30), factories="kkkw", centre="mr"),
            "cr1",
            {"marker": True, "floor": (), "floor_cost": 14, "points": 1},
            id="no space for the marker",
        ),
        pytest.param(
            table(board(score=1), factories="kkkw"),
            "1k-",
            {"floor_cost": 4, "score": 0, "points": -1, "marker": False},
            id="never below 0",
        ),
        pytest.param(
            table(board(wall="b..kw/...../...../...../....."), kind="2g", factories="yrbk"),
            "1y1",
            {"placed": (TilePlaced(0, 0, 2, "y", across=3, down=1, points=3, lid=0),)},
            id="the column that scores most",
        ),
        pytest.param(
            table(board("-/-/rr/-/-", "...r./....r/bkw../...../.....", score=10), kind="2g", factories="ryyy"),
            "1r3",
            {"placed": (), "points": -4, "score": 6},
            id="a line without a column falls",
        ),
    ],
)
def test_AZ11_to_AZ32_a_preview_shows_what_a_take_does(state, move, shown):
    seen = preview(state, move)
    assert {name: getattr(seen, name) for name in shown} == shown


def test_AZ31_the_preview_of_a_placement_counts_what_follows_it():
    """1 for the tile; then row 2 beside it scores 2 in the column, and the floor costs 1."""
    state = table(board("r/kk/-/-/-", floor="b", score=5), kind="2g")
    seen = preview(state, "t13")
    assert [(event.row, event.column, event.points) for event in seen.placed] == [(0, 2, 1), (1, 2, 2)]
    assert (seen.line, seen.spaces, seen.marker, seen.floor) == (None, (), False, ())
    assert (seen.floor_cost, seen.points, seen.score) == (1, 2, 7)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_score_of_a_preview_comes_true_if_the_round_ends_with_the_move(config):
    """Whenever a move of a random game settles its mover's board, the preview had said the score before bonuses."""
    rng, settled = Random(9), 0
    for _ in range(5):
        for state, act, after, events in random_acts(azul.setup(config), rng):
            if isinstance(act, azul.Deal) or any(after.factories) or after.centre or azul.legal_moves(after, act.seat):
                continue
            bonus = sum(event.points for event in only(events, BonusScored) if event.seat == act.seat)
            assert azul.preview(state, act).score == after.boards[act.seat].score - bonus
            settled += 1
    assert settled > 20
