"""The end of the game and the winner (AZ50 to AZ52)."""

import pytest

from tessella.core.game import Chance, Choose, Over
from tessella.games import azul
from tessella.games.azul.events import (
    BonusScored,
    DraftingEnded,
    FloorScored,
    GameEnded,
    StartDecided,
    TilePlaced,
    TilesLaid,
    TilesTaken,
)
from tessella.games.azul.scoring import complete_colours, complete_columns, complete_rows
from tests.games.playing import only

from .positions import board, end_of_round, play, table

ROW = "byrkw/...../...../...../....."

# AZ50: the last round


def test_AZ50_a_complete_row_ends_the_game_after_tiling():
    before = end_of_round(board(wall="byrk./...../...../...../.....", score=10), tile="w")
    state, events = play(before, "1w1")
    assert events == [
        TilesTaken(0, 0, "w", 1, ""),
        TilesLaid(0, 0, "w", (0,)),
        DraftingEnded(2),
        StartDecided(0, "AZ43"),
        TilePlaced(0, 0, 4, "w", across=5, down=1, points=5, lid=0),
        BonusScored(seat=0, kind="row", count=1, each=2, points=2, rule="AZ51"),
        GameEnded(scores=(17, 0), places=(1, 2), rule="AZ50"),
    ]
    assert azul.turn(state) == Over((17, 0), (1, 2))


def test_AZ50_everybody_finishes_the_last_tiling_phase():
    """Seat 0 completes its row first; seat 1 still tiles and pays for its floor before the bonuses."""
    before = table(
        board(wall="byrk./...../...../...../.....", score=10),
        board("-/kk/yyy/-/-", score=20, floor="mb"),
        factories="w",
    )
    state, events = play(before, "1w1")
    kinds = [type(event) for event in events[3:]]
    assert kinds == [TilePlaced, TilePlaced, TilePlaced, FloorScored, StartDecided, BonusScored, GameEnded]
    assert azul.turn(state) == Over((17, 20 + 1 + 1 - 2), (2, 1))


def test_AZ50_on_the_grey_wall_the_end_waits_for_those_who_still_choose():
    before = table(board(wall="byrk./...../...../...../.....", score=10), board("-/kk/-/-/-"), kind="2g", factories="w")
    state, events = play(before, "1w1")
    assert only(events, TilePlaced) and not only(events, BonusScored)
    assert azul.turn(state) == Choose((1,))
    state, events = play(state, "t23")
    assert only(events, GameEnded) == [GameEnded((17, 1), (1, 2), "AZ50")]


@pytest.mark.parametrize(
    ("wall", "complete"),
    [
        pytest.param(".y.../w..../k..../r..../y....", complete_columns, id="column"),
        pytest.param("...../.b.../..b../...b./....b", complete_colours, id="colour"),
    ],
)
def test_AZ50_a_complete_column_or_colour_does_not_end_the_game(wall, complete):
    state, events = play(end_of_round(board(wall=wall), tile="b"), "1b1")
    assert complete(state.boards[0].wall) == 1
    assert not only(events, BonusScored) and not only(events, GameEnded)
    assert azul.turn(state) == Chance()


# AZ51: bonus points


def test_AZ51_2_for_a_row_7_for_a_column_10_for_a_colour():
    """The tile that is missing in the corner completes a row, a column and a colour."""
    wall = ".yrkw/wb.../k.b../r..b./y...b"
    state, events = play(end_of_round(board(wall=wall), tile="b"), "1b1")
    assert only(events, TilePlaced)[0].points == 10
    assert only(events, BonusScored) == [
        BonusScored(0, "row", count=1, each=2, points=2),
        BonusScored(0, "column", count=1, each=7, points=7),
        BonusScored(0, "colour", count=1, each=10, points=10),
    ]
    assert state.boards[0].score == 10 + 2 + 7 + 10


def test_AZ51_a_full_wall_has_five_of_everything():
    wall = ("byrkw", "wbyrk", "kwbyr", "rkwby", "yrkwb")
    assert (complete_rows(wall), complete_columns(wall), complete_colours(wall)) == (5, 5, 5)
    before = end_of_round(board("-/-/-/-/bbbb", "byrkw/wbyrk/kwbyr/rkwby/yrkw."), tile="b")
    _, events = play(before, "1b5")
    assert [event.points for event in only(events, BonusScored)] == [10, 35, 50]


def test_AZ51_every_player_gets_bonuses_not_only_the_one_who_ended_the_game():
    before = end_of_round(
        board(wall="byrk./...../...../...../....."), board(wall="b..../w..../k..../r..../y....", score=15), tile="w"
    )
    state, events = play(before, "1w1")
    assert [(event.seat, event.kind) for event in only(events, BonusScored)] == [(0, "row"), (1, "column")]
    assert [seat.score for seat in state.boards] == [5 + 2, 15 + 7]


def test_AZ51_bonuses_come_after_the_floor_and_its_limit_at_0():
    """5 for the tile, 14 for the floor: 0. Then 2 for the row: 2, not 5 + 2 − 14 and so 0."""
    before = table(board(wall="byrk./...../...../...../.....", floor="mbbyykk"), factories="w")
    state, events = play(before, "1w1")
    assert only(events, FloorScored) == [FloorScored(0, "mbbyykk", (1, 1, 2, 2, 2, 3, 3), -5)]
    assert state.boards[0].score == 2


# AZ52: the winner

NO_ROW = "byrk./...../...../...../....."
TWO_ROWS = "byrkw/wbyrk/...../...../....."


@pytest.mark.parametrize(
    ("scores", "walls", "places"),
    [
        pytest.param((41, 36), (NO_ROW, ROW), (1, 2), id="most points"),
        pytest.param((40, 40), (NO_ROW, ROW), (2, 1), id="then more rows"),
        pytest.param((40, 40), (TWO_ROWS, ROW), (1, 2), id="two rows before one"),
        pytest.param((40, 40), (ROW, ROW), (1, 1), id="then shared"),
        pytest.param((30, 30, 30), (ROW, NO_ROW, ROW), (1, 3, 1), id="shared by two of three"),
        pytest.param((30, 30, 30), (ROW, ROW, ROW), (1, 1, 1), id="shared by three"),
        pytest.param((30, 31, 30), (ROW, NO_ROW, ROW), (2, 1, 2), id="a shared second place"),
        pytest.param((9, 9, 9, 9), (ROW, ROW, ROW, ROW), (1, 1, 1, 1), id="shared by four"),
        pytest.param((9, 9, 9, 9), (NO_ROW, ROW, NO_ROW, TWO_ROWS), (3, 2, 3, 1), id="rows among four"),
        pytest.param((0, 50, 20, 50), (TWO_ROWS, ROW, NO_ROW, ROW), (4, 1, 3, 1), id="rows do not beat points"),
    ],
)
def test_AZ52_most_points_then_more_rows_then_shared(scores, walls, places):
    boards = [board(wall=wall, score=score) for wall, score in zip(walls, scores, strict=True)]
    assert azul.turn(table(*boards, kind=f"{len(scores)}c")) == Over(scores, places)
