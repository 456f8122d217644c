"""Counting lines of play."""

import pytest

from tessella.core import perft
from tessella.core.game import BadNotation
from tessella.core.perft import Case
from tessella.games import azul

EMPTY = "0:-/-/-/-/-:...../...../...../...../.....:-"
TWO_TAKES = f"2c 2 0>0 b,r,-,-,- m ~ 0.0.0.0.0 {EMPTY} {EMPTY}"


def count(position: str, depth: int) -> int:
    return perft.count(azul, azul.read_state(position), depth)


def test_lines_of_play_are_counted_by_depth():
    """Two tiles: 2 × 6 ways to take the first, 6 to take the second, and then chance comes."""
    assert [count(TWO_TAKES, depth) for depth in range(4)] == [1, 12, 12 * 6, 0]


def test_every_seat_that_may_move_counts():
    """Both choose among five columns, in either order."""
    state = "2g 2 0>0 -,-,-,-,- - ~ 0.0.0.0.0 " + " ".join([EMPTY.replace("0:-", "0:r")] * 2)
    assert [count(state, depth) for depth in range(4)] == [1, 5 + 5, 2 * 5 * 5, 0]


def test_a_file_names_the_game_and_its_positions():
    text = f"azul/1\n# two takes\n{TWO_TAKES} ; 1 12 ; 2 72\n\n{TWO_TAKES} ; 3 1\n"
    rules, cases = perft.read(text)
    assert rules == "azul/1"
    assert cases == [Case(TWO_TAKES, [(1, 12), (2, 72)]), Case(TWO_TAKES, [(3, 1)])]
    assert [list(perft.check(azul, case)) for case in cases] == [[(1, 12, 12), (2, 72, 72)], [(3, 1, 0)]]


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "azul\n", "azul/1\n2c\n", "azul/1\n2c ; 1\n", "azul/1\n2c ; 1 x\n"]
)
def test_what_is_not_a_perft_file(text):
    with pytest.raises(BadNotation):
        perft.read(text)
