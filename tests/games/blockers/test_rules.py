"""The board, a turn, the end, and two players: BL01 to BL17, BL20, BL30 to BL32."""

from collections import Counter
from random import Random

import pytest

from tessella.core.game import Chance, Choose, IllegalMove, Over
from tessella.games import blockers
from tessella.games.blockers import Config, Place, PutAside, State
from tessella.games.blockers.events import (
    GameEnded,
    LastRoundStarted,
    RackShown,
    SeatScored,
    Secret,
    StartDrawn,
    TileCaptured,
    TilePlaced,
    TilePutAside,
    TilesDrawn,
)
from tessella.games.blockers.pieces import (
    CELLS,
    EVERY_CELL,
    FACES,
    LETTERS,
    NEIGHBOURS,
    NUMBERS,
    SYMBOLS,
    WILD,
    name_cell,
)

from .positions import ARCHES, lay, moves, play, random_acts, refusal

RING = "y3@A3 yA@A4 y5@A5 yh@A6 ys@B3 yB@B6 yC@C3 y6@C6 yD@D3 yd@D6 yp@E3 y4@E4 yE@E5 yw@E6"
"""Fourteen yellow tiles around an empty middle."""


def cells(*names: str) -> set[int]:
    return {LETTERS.index(name[0]) * 9 + NUMBERS.index(name[1]) for name in names}


# Setup


def test_BL01_every_letter_number_and_symbol_has_nine_cells_and_the_wild_81():
    assert set(CELLS["D"]) == cells(*(f"D{column}" for column in NUMBERS))
    assert set(CELLS["7"]) == cells(*(f"{row}7" for row in LETTERS))
    assert set(CELLS["d"]) == cells("D4", "D5", "D6", "E4", "E5", "E6", "F4", "F5", "F6")
    corners = [name_cell(CELLS[symbol][0]) for symbol in SYMBOLS]
    assert corners == ["A1", "A4", "A7", "D1", "D4", "D7", "G1", "G4", "G7"]
    assert len(CELLS[WILD]) == 81
    for kind in (LETTERS, NUMBERS, SYMBOLS):
        assert [len(CELLS[face]) for face in kind] == [9] * 9
        assert sorted(cell for face in kind for cell in CELLS[face]) == list(EVERY_CELL)


def test_BL02_a_colour_has_nine_letters_nine_numbers_nine_symbols_and_a_wild():
    assert len(FACES) == len(set(FACES)) == 28
    for seats, colours in ((2, "byrg"), (3, "byr"), (4, "byrg"), (5, "byrgv")):
        assert blockers.inventory(blockers.setup(Config(seats))) == dict.fromkeys(colours, 28)
    state = lay("b7@D7")
    assert blockers.inventory(State(state.config, state.stocks, state.captured, start=0)) == {"b": 27, "y": 28, "r": 28}


def test_BL03_the_start_player_is_drawn_then_five_tiles_for_each_colour():
    state = blockers.setup(Config(3))
    assert blockers.turn(state) == Chance()
    state, events = play(state, "*start 2")
    assert events == [StartDrawn(2)]
    state, events = play(state, "*b:w7sAD")
    assert events == [Secret(TilesDrawn(0, "b", count=5, supply=23, tiles="AD7sw", rule="BL03"))]
    state, _ = play(state, "*y:ABCDE")
    assert blockers.turn(state) == Chance()
    state, _ = play(state, "*r:12345")
    assert [stock.rack for stock in state.stocks] == ["AD7sw", "ABCDE", "12345"]
    assert [len(stock.supply) for stock in state.stocks] == [23, 23, 23]
    assert blockers.turn(state) == Choose((2,))


def test_BL03_a_game_is_for_four_with_the_scoring_of_blockers_unless_the_players_agree_otherwise():
    assert Config() == Config(seats=4, scoring="blockers")


def test_BL03_every_seat_is_as_likely_to_start():
    state, rng = blockers.setup(Config(5)), Random(3)
    starts = Counter(blockers.write_deal(state, blockers.deal(state, rng)) for _ in range(2_500))
    assert set(starts) == {f"start {seat}" for seat in range(5)}
    assert all(400 < count < 600 for count in starts.values()), "500 are expected of each"


def test_BL03_play_is_clockwise():
    state = lay(racks={"r": "AD7sw", "b": "AD7sw"}, start=2)
    state, _ = play(state, "7@D7", "*r:1")
    assert blockers.turn(state) == Choose((0,))
    state, _ = play(state, "7@C7", "*b:1")
    assert blockers.turn(state) == Choose((1,))


# Placing


def test_BL10_a_letter_goes_in_its_row_a_number_in_its_column_a_symbol_in_its_block_the_wild_anywhere():
    listed = moves(lay(racks={"b": "D7dwI"}))
    assert [text for text in listed if text[0] == "D"] == [f"D@D{column}" for column in NUMBERS]
    assert [text for text in listed if text[0] == "7"] == [f"7@{row}7" for row in LETTERS]
    assert [text for text in listed if text[0] == "d"] == [f"d@{row}{column}" for row in "DEF" for column in "456"]
    assert [text for text in listed if text[0] == "w"] == [f"w@{row}{column}" for row in LETTERS for column in NUMBERS]


def test_BL10_a_refusal_says_where_the_tile_belongs():
    state = lay(racks={"b": "A7mw1"})
    for text, where in (("A@B1", "row A"), ("7@A1", "column 7"), ("m@A1", "the block of the moon")):
        with pytest.raises(IllegalMove, match=where):
            play(state, text)


def test_BL10_a_new_tile_may_join_groups_into_one():
    state, events = play(lay("bA@A4 bh@A6 b6@B6", {"b": "5BCDE"}), "5@A5")
    assert events == [TilePlaced(0, 4, "b", "5", joined=(1, 2), group=4)]
    assert blockers.view(state, None).tallies[0].groups == (4,)


# Empty cells and captures


def test_BL11_a_lone_tile_of_an_opponent_may_be_captured():
    _, events = play(lay("y7@D7", {"b": "AD7sw"}), "D@D7x")
    assert events == [
        TileCaptured(0, 33, "y", "7", group=1, rest=0),
        TilePlaced(0, 33, "b", "D", joined=(), group=1),
    ]


def test_BL12_of_a_plus_every_arm_may_be_captured_but_not_the_centre():
    state = lay("yE@E5 y4@E4 y6@E6 yD@D5 yF@F5", {"b": "DEF5w"})
    assert [text for text in moves(state) if text[0] == "w" and text[-1] == "x"] == [
        "w@D5x",
        "w@E4x",
        "w@E6x",
        "w@F5x",
    ]
    assert refusal(state, "5@E5x") == "BL12"


def test_BL12_neighbours_that_stay_connected_by_a_long_detour_do_not_split():
    _, events = play(lay(RING, {"b": "ABDEI"}), "A@A5x")
    assert events[0] == TileCaptured(0, 4, "y", "5", group=14, rest=13)
    assert refusal(lay(RING.replace("yE@E5 ", ""), {"b": "ABDEI"}), "A@A5x") == "BL12"


def test_BL12_edges_of_the_board_do_not_wrap_around():
    (a9, b1, i9) = (8, 9, 80)
    assert b1 not in NEIGHBOURS[a9]
    assert NEIGHBOURS[0] == (1, 9)
    assert NEIGHBOURS[i9] == (71, 79)
    assert sorted(map(len, NEIGHBOURS)) == [2] * 4 + [3] * 28 + [4] * 49
    state = lay("y9@A9 yB@B1 yA@A1 y1@I1", {"b": "ABDEI"})
    assert blockers.view(state, None).tallies[1].groups == (2, 1, 1)


def test_BL12_only_the_captured_colour_matters():
    state, events = play(lay("b4@D4 b6@D6 y5@D5 rw@C5 r5@E5", {"b": "ABDEI"}), "D@D5x")
    assert events == [
        TileCaptured(0, 31, "y", "5", group=1, rest=0),
        TilePlaced(0, 31, "b", "D", joined=(1, 1), group=3),
    ]
    assert blockers.view(state, None).tallies[0].groups == (3,)


def test_BL13_one_must_capture_when_no_tile_fits_an_empty_cell():
    state = lay(ARCHES.replace("yc@D9 ", ""), {"b": "ABCsh"})
    assert moves(state) == ["C@C9x"]


def test_BL14_a_captured_tile_lies_open_before_its_captor_and_never_returns():
    state, _ = play(lay("y7@D7", {"b": "AD7sw", "y": "DAB12"}), "D@D7x")
    assert (state.board.colours[33], state.board.faces[33]) == ("b", "D")
    state, _ = play(state, "*b:9")
    for seat in (0, 1, 2, None):
        assert blockers.view(state, seat).captured == ("y7", "", "")
    state, _ = play(state, "D@D7x")
    assert state.captured == ("y7", "bD", "")
    assert "7" not in state.stocks[1].rack + state.stocks[1].supply


# Drawing


def test_BL16_after_a_play_one_tile_is_drawn_from_the_same_colour():
    state, _ = play(lay(racks={"b": "AD7sw"}), "7@D7")
    assert blockers.turn(state) == Chance()
    state, events = play(state, "*b:B")
    assert events == [Secret(TilesDrawn(0, "b", count=1, supply=22, tiles="B", rule="BL16"))]
    assert state.stocks[0].rack == "ABDsw"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_BL16_every_colour_is_played_24_times(seats):
    acts = [act for _, act, _, _ in random_acts(blockers.setup(Config(seats)), Random(seats))]
    plays = Counter(act.colour for act in acts if isinstance(act, Place | PutAside))
    assert plays == dict.fromkeys(blockers.inventory(blockers.setup(Config(seats))), 24)


# No placement at all


def test_BL17_a_player_who_can_place_no_tile_chooses_one_to_put_aside():
    state = lay(ARCHES, {"b": "ABCsh"})
    assert blockers.turn(state) == Choose((0,))
    assert moves(state) == ["A@-", "B@-", "C@-", "s@-", "h@-"]
    state, events = play(state, "C@-")
    assert events == [TilePutAside(0, "b", "C")]
    assert state.stocks[0].aside[-1] == "C"
    assert blockers.turn(state) == Chance()
    state, _ = play(state, "*b:D")
    assert state.stocks[0].rack == "ABDsh"
    assert blockers.turn(state) == Choose((1,))


def test_BL17_a_tile_put_aside_is_one_of_the_24_plays_and_needs_no_supply():
    state, _ = play(lay(ARCHES, {"b": "ABCsh"}, played=23), "C@-")
    assert blockers.turn(state) == Choose((1,))
    assert state.stocks[0].rack == "ABsh"


# The end


def test_BL20_the_last_draw_of_all_starts_the_last_round():
    state = lay(played=22)
    for seat in (0, 1, 2):
        state, _ = play(state, moves(state)[0])
        state, events = play(state, f"*{'byr'[seat]}:{state.stocks[seat].supply}")
        assert (LastRoundStarted() in events) == (seat == 2)


def test_BL20_everybody_plays_once_more_then_the_game_ends():
    state = lay(played=23, start=1)
    for seat in (1, 2, 0):
        assert blockers.turn(state) == Choose((seat,))
        state, events = play(state, moves(state)[0])
    over = blockers.turn(state)
    assert isinstance(over, Over)
    shown = [RackShown(seat, "byr"[seat], state.stocks[seat].rack, "BL20") for seat in range(3)]
    scored = [SeatScored(seat, tally, "BL21") for seat, tally in enumerate(blockers.view(state, 0).tallies)]
    assert events[-7:] == [*shown, *scored, GameEnded(over.scores, over.places, "BL20")]


# Two players


def test_BL30_each_of_two_players_has_two_colours_with_own_racks_and_supplies():
    state, events = play(blockers.setup(Config(2)), "*start 0", "*b:AD7sw", "*y:ABCDE", "*r:12345", "*g:shapd")
    assert [event.drawn.seat for event in events if isinstance(event, Secret)] == [0, 1, 0, 1]
    assert [stock.rack for stock in state.stocks] == ["AD7sw", "ABCDE", "12345", "shapd"]


def test_BL30_a_turn_plays_a_tile_of_either_colour_and_draws_of_the_same():
    state = lay(racks={"b": "AD7sw", "r": "12345"}, table="2b")
    assert len(moves(state)) == 117 + 45
    assert moves(state)[0] == "bA@A1"
    assert moves(state)[-1] == "r5@I5"
    state, _ = play(state, "r5@D5", "*r:A")
    assert blockers.turn(state) == Choose((1,))
    assert state.stocks[2].rack == "A1234"


@pytest.mark.parametrize(("cell", "captured"), [("D7", "r7"), ("D4", "y4")])
def test_BL31_the_own_other_colour_may_be_captured_as_the_opponents_may(cell, captured):
    state, _ = play(lay("r7@D7 y4@D4", {"b": "D1ABC"}, table="2b"), f"bD@{cell}x")
    assert state.captured == (captured, "")


def test_BL17_two_players_put_aside_a_tile_of_either_colour():
    arches = ARCHES.replace("r", "g") + " bD@D3 bc@D7"
    state = lay(arches, {"b": "ABCsh", "r": "ABCsh"}, table="2b")
    assert moves(state) == [f"{colour}{face}@-" for colour in "br" for face in "ABCsh"]
    state, events = play(state, "rs@-")
    assert events == [TilePutAside(0, "r", "s")]


def test_BL32_a_colour_with_four_tiles_and_no_supply_is_finished_and_shown_and_the_other_goes_on():
    state = lay(racks={"b": "AD7sw", "y": "AD7sw", "r": "12345"}, table="2b", played=23)
    state, events = play(state, "b7@D7")
    assert events[1:] == [RackShown(0, "b", "ADsw", "BL32")]
    assert [blockers.view(state, seat).hands[0].rack for seat in (0, 1, None)] == ["ADsw"] * 3
    assert [blockers.view(state, seat).hands[2].rack for seat in (0, 1, None)] == ["12345", None, None]
    state, _ = play(state, "yA@A1")
    assert refusal(state, "bA@A2") == "BL32"
    assert {text[0] for text in moves(state)} == {"r"}


def test_BL32_the_game_of_two_ends_when_all_four_colours_are_finished():
    state = lay(table="2b", played=23)
    for colour in "bgry":
        state, events = play(state, next(text for text in moves(state) if text[0] == colour))
    over = blockers.turn(state)
    assert isinstance(over, Over)
    assert [type(event) for event in events[-5:]] == [TilePlaced, RackShown, SeatScored, SeatScored, GameEnded]
    assert events[-1] == GameEnded(over.scores, over.places, "BL32")
    assert refusal(state, Place(0, "b", state.stocks[0].rack[0], 0)) == "BL32"


def test_BL32_two_players_have_no_common_last_round():
    """Each colour ends by itself, so the last draw of all announces nothing."""
    state = lay(table="2b", played=22)
    for colour in "bgry":
        state, _ = play(state, next(text for text in moves(state) if text[0] == colour))
        state, events = play(state, f"*{colour}:{state.stocks['byrg'.index(colour)].supply}")
        assert [type(event) for event in events] == [Secret]
