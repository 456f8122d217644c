"""Games to learn from: whole, repeatable, the same compiled and plain, long ones among them."""

import numpy as np
import pytest

from tessella.fast import azul_selfplay
from tessella.fast.azul_inputs import BOARD_INPUTS, POINTS, ROWS_A_GAME, SHOWN, SLOTS

from .twins import plain


def kept(module, games, seats=2, grey=False, seed=1, nodes=3):
    rows = games * ROWS_A_GAME
    arrays = [
        np.zeros((rows, seats * SLOTS), np.int16),
        np.zeros((rows, seats), np.int16),
        np.zeros((rows, SHOWN), np.int16),
        np.zeros((rows, seats), np.float32),
        np.zeros((rows, seats), np.float32),
    ]
    number = module.Selfplay(seats, grey, seed, None, nodes).play(games, *arrays)
    return [array[:number] for array in arrays]


@pytest.mark.parametrize(("seats", "grey"), [(2, False), (2, True), (3, False), (4, True)])
def test_every_boundary_is_shown_whole(seats, grey):
    inputs, points, shown, wins, scores = kept(azul_selfplay, 40, seats, grey)
    assert len(inputs) > 40
    assert ((inputs >= 0) & (inputs < BOARD_INPUTS)).all()
    assert (inputs != POINTS).all()
    assert (points >= 0).all()
    assert np.allclose(wins.sum(axis=1), 1)
    assert (scores.max(axis=1)[:, None] == scores)[wins > 0].all()
    assert (shown[:, :10] <= 20).all()
    assert (shown[:, 12] < seats).all()


def test_long_games_are_seen_too():
    _, _, shown, _, _ = kept(azul_selfplay, 300)
    assert (shown[:, 10] >= 5).sum() > 10  # the sixth round, and later ones


def test_one_seed_gives_the_same_games_compiled_and_plain():
    parts = ("azul_table", "azul", "azul_net", "azul_boards", "azul_search", "azul_tree", "azul_selfplay")
    module = plain("tables", *parts)
    for here, there in zip(kept(azul_selfplay, 2), kept(module, 2), strict=True):
        assert (here == there).all()


def test_too_few_rows_are_refused():
    shapes = (10, 2 * SLOTS), (10, 2), (10, SHOWN)
    inputs, points, shown = (np.zeros(shape, np.int16) for shape in shapes)
    wins, scores = (np.zeros((10, 2), np.float32) for _ in range(2))
    with pytest.raises(ValueError, match="rows"):
        azul_selfplay.Selfplay().play(1, inputs, points, shown, wins, scores)
