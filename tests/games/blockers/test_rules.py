"""The board, a turn, the end, and two players: BL01 to BL17, BL20, BL30 to BL32."""

from collections import Counter
from random import Random

import pytest

from tessella.core.game import Chance, Choose, IllegalMove, Over
from tessella.core.local import LocalTable
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
    EMPTY,
    EVERY_CELL,
    FACES,
    LETTERS,
    NEIGHBOURS,
    NUMBERS,
    SYMBOLS,
    WILD,
    name_cell,
)
from tessella.games.blockers.scoring import group_sizes
from tessella.games.blockers.state import colours_of, splits

from .positions import ARCHES, lay, mover, moves, play, random_game, refusal

RING = "y3@A3 yA@A4 y5@A5 yh@A6 ys@B3 yB@B6 yC@C3 y6@C6 yD@D3 yd@D6 yp@E3 y4@E4 yE@E5 yw@E6"
"""Fourteen yellow tiles around an empty middle."""


def started(config: Config) -> State:
    return play(blockers.setup(config), "*start 0")[0]


def cells(*names: str) -> set[int]:
    return {LETTERS.index(name[0]) * 9 + NUMBERS.index(name[1]) for name in names}


# Setup


def test_BL01_every_letter_number_and_symbol_has_nine_cells_and_the_wild_81():
    assert len(CELLS[WILD]) == 81
    for kind in (LETTERS, NUMBERS, SYMBOLS):
        assert [len(CELLS[face]) for face in kind] == [9] * 9
        assert sorted(cell for face in kind for cell in CELLS[face]) == list(EVERY_CELL)


def test_BL01_rows_run_down_columns_to_the_right_and_symbols_block_by_block():
    assert set(CELLS["D"]) == cells(*(f"D{column}" for column in NUMBERS))
    assert set(CELLS["7"]) == cells(*(f"{row}7" for row in LETTERS))
    assert set(CELLS["d"]) == cells("D4", "D5", "D6", "E4", "E5", "E6", "F4", "F5", "F6")
    corners = [name_cell(CELLS[symbol][0]) for symbol in SYMBOLS]
    assert corners == ["A1", "A4", "A7", "D1", "D4", "D7", "G1", "G4", "G7"]


def test_BL01_G2_is_reached_by_G_2_moon_and_wild_only():
    (g2,) = cells("G2")
    assert [face for face in FACES if g2 in CELLS[face]] == ["G", "2", "m", "w"]


@pytest.mark.parametrize("cell", [-1, 81])
def test_BL01_a_cell_off_the_board_is_refused(cell):
    assert refusal(lay(racks={"b": "AD7sw"}), Place(0, "b", "w", cell)) == "BL01"


def test_BL02_a_colour_has_nine_letters_nine_numbers_nine_symbols_and_a_wild():
    assert len(FACES) == len(set(FACES)) == 28
    for seats, colours in ((2, "byrg"), (3, "byr"), (4, "byrg"), (5, "byrgv")):
        assert blockers.inventory(blockers.setup(Config(seats))) == dict.fromkeys(colours, 28)


def test_BL02_a_lost_tile_shows_in_the_inventory():
    state = lay("b7@D7")
    lost = blockers.State(state.config, state.stocks, state.captured, start=0)
    assert blockers.inventory(lost) == {"b": 27, "y": 28, "r": 28}


def test_BL02_tiles_are_drawn_from_the_supply_each_once():
    state = started(Config(3))
    for tiles in ("AAB12", "7A123"):
        assert refusal(state, blockers.DrawTiles(0, "b", tiles)) == "BL02"
    state, _ = play(state, "*b:AD7sw", "*y:12345", "*r:12345", "7@D7")
    assert refusal(state, "*b:7") == refusal(state, "*b:A") == "BL02"


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_BL03_two_to_five_can_play(seats):
    with pytest.raises(ValueError, match="2 to 5"):
        Config(seats)


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


def test_BL03_deals_at_the_wrong_moment_are_refused():
    empty = blockers.setup(Config(3))
    assert refusal(empty, "*b:AD7sw") == "BL03"
    assert refusal(empty, "*start 3") == "BL03"
    assert refusal(started(Config(3)), "*start 0") == "BL03"
    assert refusal(started(Config(3)), "*y:AD7sw") == "BL16"
    assert refusal(lay(), blockers.DrawTiles(0, "b", "7")) == "BL16"


def test_BL03_a_draw_belongs_to_the_seat_of_its_colour():
    assert refusal(started(Config(3)), blockers.DrawTiles(1, "b", "AD7sw")) == "BL03"


def test_BL03_a_play_before_the_racks_are_dealt_or_out_of_turn_is_refused():
    for state in (blockers.setup(Config(3)), started(Config(3)), lay(racks={"y": "AD7sw"})):
        assert refusal(state, Place(1, "y", "7", 6)) == "BL03"
        assert blockers.legal_moves(state, 1) == []


@pytest.mark.parametrize("colour", ["y", "v", ""])
def test_BL03_one_plays_the_own_colour(colour):
    state = lay(racks={"b": "AD7sw", "y": "AD7sw"})
    assert refusal(state, Place(0, colour, "7", 6)) == "BL03"


def test_BL03_the_same_seed_gives_the_same_racks():
    one, other = (LocalTable(blockers, Config(5), seed=bytes(32)) for _ in range(2))
    assert one.state == other.state
    assert one.state != LocalTable(blockers, Config(5), seed=b"1" * 32).state


# Placing


def test_BL10_a_letter_goes_in_its_row_a_number_in_its_column_a_symbol_in_its_block_the_wild_anywhere():
    listed = moves(lay(racks={"b": "D7dwI"}))
    assert [text for text in listed if text[0] == "D"] == [f"D@D{column}" for column in NUMBERS]
    assert [text for text in listed if text[0] == "7"] == [f"7@{row}7" for row in LETTERS]
    assert [text for text in listed if text[0] == "d"] == [f"d@{row}{column}" for row in "DEF" for column in "456"]
    assert [text for text in listed if text[0] == "w"] == [f"w@{row}{column}" for row in LETTERS for column in NUMBERS]


@pytest.mark.parametrize(("rack", "count"), [("ABCDE", 45), ("A1smo", 45), ("AD7sw", 117)])
def test_BL10_the_first_turn_has_nine_moves_a_tile_and_81_for_the_wild(rack, count):
    assert len(moves(lay(racks={"b": rack}))) == count


def test_BL10_a_refusal_says_where_the_tile_belongs():
    state = lay(racks={"b": "A7mw1"})
    for text, where in (("A@B1", "row A"), ("7@A1", "column 7"), ("m@A1", "the block of the moon")):
        with pytest.raises(IllegalMove, match=where):
            play(state, text)


def test_BL10_moves_are_listed_by_face_and_cell():
    listed = moves(lay("yE@E7", {"b": "w7sDA"}))
    assert listed == sorted(listed, key=lambda text: (FACES.index(text[0]), text[2:]))


@pytest.mark.parametrize("text", ["D@E1", "7@D8", "d@D7", "I@H9"])
def test_BL10_another_row_column_or_block_is_refused(text):
    assert refusal(lay(racks={"b": "D7dwI"}), text) == "BL10"


@pytest.mark.parametrize("face", ["8", "", "AD", "#"])
def test_BL10_a_tile_that_is_not_on_the_rack_is_refused(face):
    assert refusal(lay(racks={"b": "AD7sw"}), Place(0, "b", face, 7)) == "BL10"


def test_BL10_a_new_tile_may_join_groups_into_one():
    state, events = play(lay("bA@A4 bh@A6 b6@B6", {"b": "5BCDE"}), "5@A5")
    assert events == [TilePlaced(0, 4, "b", "5", joined=(1, 2), group=4)]
    assert blockers.view(state, None).tallies[0].groups == (4,)


# Empty cells and captures


def test_BL11_an_empty_cell_away_from_the_own_group_makes_a_new_group():
    state, events = play(lay("bA@A1 b2@A2", {"b": "I7sdw"}), "7@D7")
    assert events == [TilePlaced(0, 33, "b", "7", joined=(), group=1)]
    assert blockers.view(state, 0).tallies[0].groups == (2, 1)


def test_BL11_a_lone_tile_of_an_opponent_may_be_captured():
    _, events = play(lay("y7@D7", {"b": "AD7sw"}), "D@D7x")
    assert events == [
        TileCaptured(0, 33, "y", "7", group=1, rest=0),
        TilePlaced(0, 33, "b", "D", joined=(), group=1),
    ]


def test_BL11_blue_may_use_moon_G_or_2_to_replace_the_yellow_G():
    assert {"m@G2x", "G@G2x", "2@G2x"} < set(moves(lay("yG@G2", {"b": "mG2AI"})))


def test_BL12_either_tile_of_a_group_of_two_may_be_captured():
    state = lay("y7@D7 y8@D8", {"b": "D78wA"})
    assert {"D@D7x", "D@D8x", "7@D7x", "8@D8x", "w@D7x", "w@D8x"} < set(moves(state))
    _, events = play(state, "7@D7x")
    assert events[0] == TileCaptured(0, 33, "y", "7", group=2, rest=1)


def test_BL12_the_end_of_a_line_of_three_may_be_captured():
    assert {"D@D4x", "4@D4x", "D@D6x", "6@D6x"} < set(moves(lay("y4@D4 y5@D5 y6@D6", {"b": "D456A"})))


def test_BL12_the_middle_of_a_line_of_three_cannot_be_captured():
    state = lay("y4@D4 y5@D5 y6@D6", {"b": "D456A"})
    assert not {"D@D5x", "5@D5x"} & set(moves(state))
    assert refusal(state, "5@D5x") == refusal(state, "D@D5x") == "BL12"


def test_BL12_of_a_plus_every_arm_may_be_captured_but_not_the_centre():
    state = lay("yE@E5 y4@E4 y6@E6 yD@D5 yF@F5", {"b": "DEF5w"})
    assert [text for text in moves(state) if text[0] == "w" and text[-1] == "x"] == [
        "w@D5x",
        "w@E4x",
        "w@E6x",
        "w@F5x",
    ]
    assert refusal(state, "5@E5x") == "BL12"


def test_BL12_any_tile_of_a_two_by_two_block_may_be_captured():
    assert {"w@D4x", "w@D5x", "w@E4x", "w@E5x"} < set(moves(lay("yD@D4 y5@D5 yE@E4 yd@E5", {"b": "ABCDw"})))


def test_BL12_any_tile_of_a_ring_of_eight_may_be_captured():
    state = lay("y4@D4 yD@D5 y6@D6 yE@E4 yd@E6 yF@F4 y5@F5 yw@F6", {"b": "ABCDw"})
    assert {f"w@{cell}x" for cell in ("D4", "D5", "D6", "E4", "E6", "F4", "F5", "F6")} < set(moves(state))
    _, events = play(state, "w@D5x")
    assert events[0] == TileCaptured(0, 31, "y", "D", group=8, rest=7)


def test_BL12_neighbours_that_stay_connected_by_a_long_detour_do_not_split():
    _, events = play(lay(RING, {"b": "ABDEI"}), "A@A5x")
    assert events[0] == TileCaptured(0, 4, "y", "5", group=14, rest=13)
    assert refusal(lay(RING.replace("yE@E5 ", ""), {"b": "ABDEI"}), "A@A5x") == "BL12"


def test_BL12_diagonals_do_not_connect():
    state = lay("y4@D4 yE@E5 y6@F6", {"b": "ABDEI"})
    assert blockers.view(state, None).tallies[1].groups == (1, 1, 1)
    assert "E@E5x" in moves(state)


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


def test_BL12_a_wild_on_the_board_is_an_ordinary_tile_of_its_colour():
    state = lay("y4@D4 yw@D5 y6@D6", {"b": "ABDEI"})
    assert refusal(state, "D@D5x") == "BL12"
    after, _ = play(lay("yw@D5", {"b": "ABDEI"}), "D@D5x")
    assert after.captured == ("yw", "", "")


def groups(cells: set[int]) -> int:
    """An independent count: how many pieces a set of cells falls into."""
    count = 0
    while cells:
        count += 1
        reached, edge = set(), {min(cells)}
        while edge:
            reached |= edge
            edge = {cell for cell in cells - reached if any(_touch(cell, other) for other in edge)}
        cells = cells - reached
    return count


def _touch(one: int, other: int) -> bool:
    return abs(one // 9 - other // 9) + abs(one % 9 - other % 9) == 1


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8])
def test_BL12_an_independent_count_of_groups_agrees(share):
    rng = Random(share)
    for _ in range(4):
        colours = "".join("y" if rng.random() < share else EMPTY for _ in EVERY_CELL)
        tiles = {cell for cell in EVERY_CELL if colours[cell] == "y"}
        assert len(group_sizes(colours, "y")) == groups(tiles)
        for cell in tiles:
            alone = not any(_touch(cell, other) for other in tiles)
            assert splits(colours, cell) == (groups(tiles - {cell}) > groups(tiles) - alone)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_BL13_exactly_the_listed_moves_are_accepted(seats):
    for number, (_, state) in enumerate(random_game(Config(seats), Random(seats))):
        if number % 40 in (0, 1) and isinstance(blockers.turn(state), Choose):
            seat = mover(state)
            tiles = [(colour, face) for colour in colours_of(state.config, seat) for face in FACES]
            tries = [Place(seat, *tile, cell) for tile in tiles for cell in EVERY_CELL]
            assert [move for move in tries if accepted(state, move)] == blockers.legal_moves(state, seat)
            assert not any(accepted(state, PutAside(seat, *tile)) for tile in tiles)


def accepted(state: State, move: blockers.Move) -> bool:
    try:
        blockers.apply(state, move)
    except IllegalMove:
        return False
    return True


def test_BL13_one_may_capture_though_empty_cells_could_be_used():
    listed = moves(lay("y7@D7", {"b": "AD7sw"}))
    assert "7@D7x" in listed
    assert "7@E7" in listed


def test_BL13_one_must_capture_when_no_tile_fits_an_empty_cell():
    state = lay(ARCHES.replace("yc@D9 ", ""), {"b": "ABCsh"})
    assert moves(state) == ["C@C9x"]
    assert refusal(state, "A@-") == "BL17"


def test_BL13_passing_is_impossible():
    assert refusal(lay(racks={"b": "AD7sw"}), "7@-") == "BL17"


def test_BL13_a_full_board_of_five_goes_on_by_captures():
    rng = Random(5)
    state = blockers.setup(Config(5))
    on_full_board = 0
    while not isinstance(turn := blockers.turn(state), Over):
        if isinstance(turn, Choose):
            full = EMPTY not in state.board.colours
            listed = blockers.legal_moves(state, turn.seats[0])
            on_empty = [move for move in listed if isinstance(move, Place) and state.board.colours[move.cell] == EMPTY]
            assert not (full and on_empty)
            on_full_board += full
            state, _ = blockers.apply(state, (on_empty or listed)[0])
        else:
            state, _ = blockers.apply(state, blockers.deal(state, rng))
    assert on_full_board > 0
    assert sum(map(len, state.captured)) == 2 * (120 - 81)


def test_BL14_a_captured_tile_lies_open_before_its_captor_and_never_returns():
    state, _ = play(lay("y7@D7", {"b": "AD7sw", "y": "DAB12"}), "D@D7x")
    assert (state.board.colours[33], state.board.faces[33]) == ("b", "D")
    state, _ = play(state, "*b:9")
    for seat in (0, 1, 2, None):
        assert blockers.view(state, seat).captured == ("y7", "", "")
    state, _ = play(state, "D@D7x")
    assert state.captured == ("y7", "bD", "")
    assert "7" not in state.stocks[1].rack + state.stocks[1].supply


def test_BL15_the_own_tile_cannot_be_captured():
    state = lay("b7@D7", {"b": "AD8sw"})
    assert refusal(state, "D@D7x") == refusal(state, "w@D7x") == "BL15"
    assert not [text for text in moves(state) if text.endswith("x")]


# Drawing


def test_BL16_after_a_play_one_tile_is_drawn_from_the_same_colour():
    state, _ = play(lay(racks={"b": "AD7sw"}), "7@D7")
    assert blockers.turn(state) == Chance()
    assert refusal(state, Place(0, "b", "A", 0)) == refusal(state, "*y:7") == refusal(state, "*b:12") == "BL16"
    state, events = play(state, "*b:B")
    assert events == [Secret(TilesDrawn(0, "b", count=1, supply=22, tiles="B", rule="BL16"))]
    assert state.stocks[0].rack == "ABDsw"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_BL16_every_colour_draws_23_times_plays_24_times_and_keeps_four_tiles(seats):
    config = Config(seats)
    draws: list[str] = []
    plays: list[str] = []
    for act, after in random_game(config, Random(seats)):
        assert set(blockers.inventory(after).values()) == {28}
        match act:
            case blockers.DrawTiles(colour=colour, tiles=tiles) if len(tiles) == 1:
                draws.append(colour)
            case Place(colour=colour) | PutAside(colour=colour):
                plays.append(colour)
            case _:
                pass
    colours = list(blockers.inventory(blockers.setup(config)))
    assert [draws.count(colour) for colour in colours] == [23] * len(colours)
    assert [plays.count(colour) for colour in colours] == [24] * len(colours)
    assert [len(stock.rack) for stock in after.stocks] == [4] * len(colours)
    assert len(draws) + len(plays) + len(colours) + 1 == blockers.longest(config)


def test_BL16_without_a_supply_nothing_is_drawn_and_the_rack_of_four_never_plays():
    state, _ = play(lay(racks={"b": "AD7sw"}, played=23), "7@D7")
    assert blockers.turn(state) == Choose((1,))
    assert refusal(state, Place(0, "b", "A", 0)) == "BL03"


# No placement at all


def test_BL17_a_player_who_can_place_no_tile_chooses_one_to_put_aside():
    state = lay(ARCHES, {"b": "ABCsh"})
    assert blockers.turn(state) == Choose((0,))
    assert moves(state) == ["A@-", "B@-", "C@-", "s@-", "h@-"]
    assert refusal(state, "A@A1x") == "BL12"
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


def test_BL17_the_tile_put_aside_must_be_on_the_rack():
    assert refusal(lay(ARCHES, {"b": "ABCsh"}), "D@-") == "BL10"


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


def test_BL20_no_rack_is_shown_while_others_play_their_last_tile():
    state, events = play(lay(played=23), "A@A1")
    assert blockers.turn(state) == Choose((1,))
    assert [type(event) for event in events] == [TilePlaced]


def test_BL20_after_the_end_nothing_is_played():
    state = lay(played=24)
    assert refusal(state, Place(0, "b", state.stocks[0].rack[0], 0)) == "BL20"
    assert [blockers.legal_moves(state, seat) for seat in range(3)] == [[], [], []]


# Two players


def test_BL30_each_of_two_players_has_two_colours_with_own_racks_and_supplies():
    state = started(Config(2))
    state, events = play(state, "*b:AD7sw", "*y:ABCDE", "*r:12345", "*g:shapd")
    assert [event.drawn.seat for event in events if isinstance(event, Secret)] == [0, 1, 0, 1]
    assert [stock.rack for stock in state.stocks] == ["AD7sw", "ABCDE", "12345", "shapd"]


def test_BL30_a_turn_plays_a_tile_of_either_colour_and_draws_of_the_same():
    state = lay(racks={"b": "AD7sw", "r": "12345"}, table="2b")
    assert len(moves(state)) == 117 + 45
    assert moves(state)[0] == "bA@A1"
    assert moves(state)[-1] == "r5@I5"
    state, _ = play(state, "r5@D5")
    assert refusal(state, "*b:1") == "BL16"
    state, _ = play(state, "*r:A")
    assert blockers.turn(state) == Choose((1,))
    assert state.stocks[2].rack == "A1234"


def test_BL30_the_opponents_colours_are_not_played():
    state = lay(racks={"y": "AD7sw"}, table="2b")
    assert refusal(state, "y7@D7") == refusal(state, "v7@D7") == "BL30"


def test_BL31_the_own_other_colour_may_be_captured_as_the_opponents_may():
    state = lay("r7@D7 y4@D4", {"b": "D1ABC"}, table="2b")
    state, events = play(state, "bD@D7x")
    assert events[0] == TileCaptured(0, 33, "r", "7", group=1, rest=0)
    assert state.captured == ("r7", "")
    assert "bD@D4x" in moves(lay("r7@D7 y4@D4", {"b": "D1ABC"}, table="2b"))


def test_BL31_a_tile_of_the_same_colour_cannot_be_captured():
    assert refusal(lay("b7@D7", {"b": "DABC1"}, table="2b"), "bD@D7x") == "BL31"


def test_BL31_no_group_may_be_split_not_even_of_the_own_other_colour():
    state = lay("r4@D4 r5@D5 r6@D6", {"b": "DABC1"}, table="2b")
    assert refusal(state, "bD@D5x") == "BL12"


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


def test_BL32_two_players_play_48_times_each_in_turn():
    seats = [act.seat for act, _ in random_game(Config(2), Random(3)) if isinstance(act, Place | PutAside)]
    assert len(seats) == 96
    assert all(seats[turn] != seats[turn + 1] for turn in range(95))
