"""The end of the game and the winner (AZ50 to AZ52)."""

from random import Random

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

from .positions import CONFIGS, board, end_of_round, only, play, random_game, refusal, table

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


def test_AZ50_a_line_that_will_complete_the_row_does_not_end_drafting():
    state, events = play(table(board(wall="byrk./...../...../...../....."), factories="w bbbb"), "1w1")
    assert azul.turn(state) == Choose((1,))
    assert only(events, GameEnded) == []


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


def test_AZ50_nothing_can_be_done_after_the_end():
    state = table(board(wall=ROW, score=7))
    assert azul.turn(state) == Over((7, 0), (1, 2))
    assert azul.legal_moves(state, 0) == azul.legal_moves(state, 1) == []
    assert refusal(state, azul.Take(0, 0, "b", 0)) == "AZ18"
    assert refusal(state, azul.Place(0, 0, 0)) == "AZ20"


def test_AZ50_the_shortest_game_has_five_rounds():
    """The first seat to draft puts a new colour in line 1 each round, and everything else falls to the floor."""
    state = azul.setup(azul.Config(2))
    for round, colour in enumerate("byrkw"):
        assert azul.turn(state) == Chance()
        state, _ = play(state, ("*" if round else "*0:") + "byrk byrw bykw brkw yrkw")
        if state.current == 1:
            state, _ = play(state, "5r-" if colour != "r" else "5k-")
        state, _ = play(state, f"{1 if colour != 'w' else 2}{colour}1")
        while isinstance(azul.turn(state), Choose):
            state, _ = azul.apply(state, azul.legal_moves(state, state.current)[-1])
    assert isinstance(azul.turn(state), Over)
    assert state.round == 5
    assert state.boards[0].wall == ("byrkw", ".....", ".....", ".....", ".....")


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_AZ50_no_game_is_shorter_because_a_round_adds_at_most_one_tile_to_a_row(config):
    for seed in range(3):
        rows = {(seat, row): 0 for seat in range(config.seats) for row in range(5)}
        for _, after, events in random_game(config, Random(seed)):
            for event in only(events, TilePlaced):
                assert rows[event.seat, event.row] < after.round
                rows[event.seat, event.row] = after.round
        assert after.round >= 5


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


def test_AZ51_two_rows_of_one_round_both_count():
    before = end_of_round(board("-/kk/-/-/-", "byrk./wbyr./...../...../....."), tile="w")
    state, events = play(before, "1w1")
    assert [event.points for event in only(events, TilePlaced)] == [5, 5 + 2]
    assert only(events, BonusScored) == [BonusScored(0, "row", count=2, each=2, points=4)]
    assert state.boards[0].score == 5 + 7 + 4


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


def test_AZ52_rows_break_the_tie_that_bonuses_made():
    """Both end with 17: seat 0 by its row, seat 1 by its column."""
    before = end_of_round(board(wall=NO_ROW, score=10), board(wall="b..../w..../k..../r..../y....", score=10), tile="w")
    state, events = play(before, "1w1")
    assert only(events, GameEnded) == [GameEnded((17, 17), (1, 2), "AZ50")]
    assert azul.turn(state) == Over((17, 17), (1, 2))
