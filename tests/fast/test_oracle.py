"""Engines in C that share nothing with ours play random games; the fast games replay them to the same points."""

from collections.abc import Iterator
from itertools import islice

import pytest

from bench.yardsticks import yardstick
from tessella.fast import azul as fast_azul
from tessella.fast import blockers as fast_blockers
from tessella.fast.blockers.moves import encode_move, move_cell, move_face, move_hand
from tessella.fast.phases import OVER
from tessella.games import azul, blockers
from tessella.games.azul.pieces import heap
from tessella.games.blockers.pieces import COLOURS, FACES, in_order

DEAL, MOVE, SCORES, END = range(4)
START, DRAW, PUT = range(3)


def test_games_of_the_yardstick_of_azul_have_the_same_scores_after_every_round():
    numbers = iter(yardstick("azul").trace(0, 300, seed=5))
    ended = 0
    table = fast_azul.Azul()
    for kind in numbers:
        if kind == DEAL:
            start, *tiles = islice(numbers, 26)
            factories = tuple(heap(tuple(tiles[at : at + 5])) for at in range(0, 25, 5))  # type: ignore[arg-type]
            table.deal_these(azul.Deal(factories, start if table.round == 0 else None))
            assert table.start == start
        elif kind == MOVE:
            table.apply(next(numbers))
        elif kind == SCORES:
            scores = tuple(islice(numbers, 2))
            assert scores == table.scores() or table.phase == OVER, "before the bonuses"
        else:
            assert tuple(islice(numbers, 2)) == table.scores()
            assert table.phase == OVER
            table.reset()
            ended += 1
    assert ended == 300


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_games_of_the_yardstick_of_blockers_have_the_same_points(seats):
    numbers = iter(yardstick("blockers").trace(seats, 100, seed=5))
    games = [play_blockers(seats, numbers) for _ in range(100)]
    assert len(games) == 100
    assert all(points == scores for points, scores in games)


def play_blockers(seats: int, numbers: Iterator[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """One game of the trace; the points that it tells, and those of the fast game."""
    table = fast_blockers.Blockers(seats)
    drawn: list[tuple[int, int]] = []
    points: list[int] = []
    while len(points) < seats:
        kind, one, two = islice(numbers, 3)
        if kind == START:
            table.deal_these(blockers.DrawStart(one))
        elif kind == DRAW:
            drawn.append((one, two))
            if table.plays_left < 24 * table.colours or len(drawn) == 5:
                tiles = in_order("".join(FACES[face] for _, face in drawn))
                table.deal_these(blockers.DrawTiles(one % seats, COLOURS[one], tiles))
                drawn = []
        elif kind == PUT:
            table.apply(encode_move(move_hand(one) // seats, move_face(one), move_cell(one)))
        else:
            points.append(two)
    assert table.phase == OVER
    return tuple(points), table.scores()
