"""How points are counted: BL21 to BL23, BL33, and what a move would do to them."""

import pytest

from tessella.core.game import Over
from tessella.games import blockers
from tessella.games.blockers.events import SeatScored, Tally

from .positions import lay, moves, play

FIGURE_C = "yA@A1 y2@A2 y5@C5 yE@E1 yI@I9 b7@D7 b8@D8 bG@G2 b3@I3 gH@H5 g4@H4 g9@F9 rA@A4 rB@B7 rC@C9 rF@F1 r6@G6 r5@E5"
"""Four yellow groups, three blue, two green and six red."""

THREE_GROUPS = "bA@A1 b4@C4 b7@E7 yI@I9 yG@G7 y5@G5 r1@E1 r2@G2 r3@I3"
"""Three groups of each of three colours."""


SEVEN = "yA@A1 y2@A2 y3@A3 y4@A4 y5@A5 y6@A6 y7@A7"
TURNED = "bA@A1 b2@A2 b7@D7 yI@I9 yG@G7 y5@G5"

FINALS = {
    "figure C": (lay(FIGURE_C, {}, "r1r2", "b1", table="4b", played=24), (5, 5, 6, 2), (3, 2, 4, 1)),
    "two colours captured equally often": (lay(THREE_GROUPS, {}, "", "b1r4", played=24), (3, 4, 3), (1, 3, 1)),
    "three red, three blue and one green": (
        lay(f"{SEVEN} g1@C1 g3@C3 g5@C5 g7@C7", {}, "", "r1r2r3b1b2b3g2", table="4b", played=24),
        (0, 4, 0, 4),
        (1, 4, 1, 3),
    ),
    "no tile on the board": (lay("y7@D7", {}, "", "b1", played=24), (0, 2, 0), (1, 3, 1)),
    "fewer captures": (lay(THREE_GROUPS, {}, "y1r4", "b1", "b2", played=24), (4, 4, 4), (3, 1, 1)),
    "shared": (lay(THREE_GROUPS, {}, "y1", "b1", "b2", played=24), (4, 4, 4), (1, 1, 1)),
    "to be compared with Uptown": (lay(TURNED, {}, "r1r2r3", played=24), (5, 3, 0), (3, 2, 1)),
    "Uptown": (lay(TURNED, {}, "r1r2r3", table="3u", played=24), (2, 3, 0), (2, 3, 1)),
    "Uptown, fewer captures": (
        lay(THREE_GROUPS, {}, "y1r4", "b1", "b2", table="3u", played=24),
        (3, 3, 3),
        (3, 1, 1),
    ),
    "both colours": (lay("bA@A1 b2@A2 r7@D7 rI@I9 y4@D4", {}, table="2b", played=24), (3, 1), (2, 1)),
    "two players, fewer captures": (
        lay("bA@A1 b2@A2 y1@C1 yw@D9", {}, "y5r5", table="2b", played=24),
        (2, 2),
        (2, 1),
    ),
    "two players, shared": (lay("bA@A1 yI@I9", table="2b", played=24), (1, 1), (1, 1)),
}


@pytest.mark.parametrize(("state", "scores", "places"), FINALS.values(), ids=FINALS)
def test_BL21_BL22_BL23_BL33_groups_and_the_colour_captured_most_make_the_score(state, scores, places):
    assert blockers.turn(state) == Over(scores, places)


@pytest.mark.parametrize(
    ("state", "seat", "tally"),
    [
        (FINALS["figure C"][0], 0, Tally(groups=(2, 1, 1), captured=(0, 0, 2, 0), counted="r", score=5)),
        (FINALS["figure C"][0], 1, Tally(groups=(2, 1, 1, 1), captured=(1, 0, 0, 0), counted="b", score=5)),
        (FINALS["figure C"][0], 3, Tally(groups=(2, 1), captured=(0, 0, 0, 0), counted=None, score=2)),
        (
            FINALS["three red, three blue and one green"][0],
            1,
            Tally(groups=(7,), captured=(3, 0, 3, 1), counted="b", score=4),
        ),
        (FINALS["no tile on the board"][0], 0, Tally(groups=(), captured=(0, 0, 0), counted=None, score=0)),
        (FINALS["Uptown"][0], 0, Tally(groups=(2, 1), captured=(0, 0, 3), counted=None, score=2)),
        (FINALS["both colours"][0], 0, Tally(groups=(2, 1, 1), captured=(0, 0, 0, 0), counted=None, score=3)),
        (
            lay("bA@A1 b4@C4 b7@E7 gI@I9", {}, "r1r2y1", table="2b", played=24),
            0,
            Tally(groups=(1, 1, 1), captured=(0, 1, 2, 0), counted="r", score=5),
        ),
        (  # at any time
            lay("bA@A1 b2@A2 bI@I9 y7@D7", {}, "y1"),
            0,
            Tally(groups=(2, 1), captured=(0, 1, 0), counted="y", score=3),
        ),
    ],
)
def test_BL21_a_tally_shows_groups_captures_and_the_colour_that_counts(state, seat, tally):
    assert blockers.view(state, None).tallies[seat] == tally


@pytest.mark.parametrize("colour", "yrgv")
def test_BL21_captures_of_every_colour_count(colour):
    found = blockers.view(lay("bA@A1 b2@A2", {}, f"{colour}1{colour}2", table="5b"), None).tallies[0]
    assert (found.counted, found.score) == (colour, 1 + 2)


@pytest.mark.parametrize(("table", "rule"), [("3b", "BL21"), ("3u", "BL23"), ("2b", "BL33"), ("2u", "BL23")])
def test_BL21_the_final_score_names_its_rule(table, rule):
    state = lay(table=table, played=23)
    while not isinstance(blockers.turn(state), Over):
        state, events = play(state, moves(state)[0])
    assert {event.rule for event in events if isinstance(event, SeatScored)} == {rule}


# Preview


@pytest.mark.parametrize(
    ("state", "move", "points", "score"),
    [
        pytest.param(lay("bA@A1", {"b": "I7sdw"}), "7@D7", -1, 2, id="a new group"),
        pytest.param(lay("b4@D4 b6@D6", {"b": "D7sIw"}), "D@D5", 1, 1, id="two groups joined"),
        pytest.param(lay("b4@D4 y5@D5", {"b": "D7sIw"}), "D@D5x", -1, 2, id="a capture"),
        pytest.param(lay("b4@D4 bA@A1 y5@D5", {"b": "D7sIw"}, "r1"), "D@D5x", 0, 3, id="another colour counts"),
        pytest.param(lay("r7@D7", {"b": "D1ABC"}, table="2b"), "bD@D7x", -1, 2, id="both colours of the mover"),
    ],
)
def test_BL21_BL33_a_preview_shows_the_points_of_a_move(state, move, points, score):
    seen = blockers.preview(state, blockers.read_move(state, 0, move))
    assert (seen.points, seen.before.score, seen.after.score) == (points, score + points, score)
    assert (seen.captures is not None) == move.endswith("x")


def test_BL17_a_tile_put_aside_changes_no_score_in_the_preview():
    state = lay("bA@A1", {"b": "I7sdw"})
    seen = blockers.preview(state, blockers.PutAside(0, "b", "7"))
    assert (seen.points, seen.cell, seen.captures) == (0, None, None)
    assert seen.before == seen.after
