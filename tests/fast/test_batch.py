"""Batches of tables move as each table alone would, and refuse what it would."""

import numpy
import pytest

from tessella.fast.phases import DEALING, OVER

from .twins import TWINS

USUAL, OTHER = (2, False), (2, True)
"""Seats, and the grey wall or the scoring of Uptown."""


@pytest.mark.heavy
@pytest.mark.parametrize("which", [0, 1], ids=["compiled", "plain"])
@pytest.mark.parametrize(
    ("name", "options"),
    [("azul", USUAL), ("azul", OTHER), ("blockers", USUAL), ("blockers", OTHER), ("duel", ())],
    ids=str,
)
def test_a_batch_moves_each_table_as_the_table_alone_would(name, options, which):
    batch = TWINS[name][which].Batch(5, *options, seed=3)
    ended = 0
    for _ in range(320 if which == 0 else 160):
        before = [batch.at(place) for place in range(5)]
        moves = batch.random.copy()
        for place, table in enumerate(before):
            own = [move for move in table.moves() if table.to_move(move).seat == table.seat()]
            assert [int(move) for move in batch.masks[place].nonzero()[0]] == sorted(own)
            assert batch.seats[place] == table.seat()
        batch.step(moves)
        for place, table in enumerate(before):
            table.apply(int(moves[place]))
            after = batch.at(place)
            assert bool(batch.over[place]) == (table.phase == OVER)
            if table.phase == OVER:
                assert tuple(batch.scores[place]) == table.scores()
                assert tuple(batch.places[place]) == table.places()
                ended += 1
            elif table.phase != DEALING:
                assert after.to_state() == table.to_state()
    assert ended >= 3


@pytest.mark.parametrize("name", TWINS)
def test_a_batch_refuses_what_a_table_would(name):
    batch = TWINS[name][0].Batch(3)
    good = batch.random.copy()
    bad = good.copy()
    for refused in (next(move for move in range(batch.table.width) if not batch.masks[1, move]), 65_535):
        bad[1] = refused
        with pytest.raises(ValueError, match="table 1"):
            batch.step(bad)
    with pytest.raises(ValueError, match="3 tables"):
        batch.step(good[:2])
    with pytest.raises((ValueError, TypeError)):
        batch.step(good.astype(numpy.float64))
    with pytest.raises(IndexError):
        batch.at(3)
