"""Self-play games are complete, repeatable, the same compiled and plain, and some are long."""

import numpy as np
import pytest

from tessella.fast.azul import selfplay
from tessella.fast.azul.features import BOARD_INPUTS, POINTS, ROWS_PER_GAME, SHARED_NUMBERS, SLOTS
from tests.fast.twins import PLAIN


def recorded(module, games, seats=2, grey=False, seed=1, nodes=3):
    rows = games * ROWS_PER_GAME
    arrays = [
        np.zeros((rows, seats * SLOTS), np.int16),
        np.zeros((rows, seats), np.int16),
        np.zeros((rows, SHARED_NUMBERS), np.int16),
        np.zeros((rows, seats), np.float32),
        np.zeros((rows, seats), np.float32),
    ]
    number = module.Selfplay(seats, grey, seed, None, nodes).play(games, *arrays)
    return [array[:number] for array in arrays]


@pytest.mark.parametrize(("seats", "grey"), [(2, False), (2, True), (3, False), (4, True)])
def test_every_position_is_encoded_completely(seats, grey):
    inputs, points, shared, wins, scores = recorded(selfplay, 40, seats, grey)
    assert len(inputs) > 40
    assert ((inputs >= 0) & (inputs < BOARD_INPUTS)).all()
    assert (inputs != POINTS).all()
    assert (points >= 0).all()
    assert np.allclose(wins.sum(axis=1), 1)
    assert (scores.max(axis=1)[:, None] == scores)[wins > 0].all()
    assert (shared[:, :10] <= 20).all()
    assert (shared[:, 12] < seats).all()


def test_long_games_occur_too():
    _, _, shared, _, _ = recorded(selfplay, 300)
    assert (shared[:, 10] >= 5).sum() > 10  # the sixth round, and later ones


def test_one_seed_gives_the_same_games_compiled_and_plain():
    for here, there in zip(recorded(selfplay, 2), recorded(PLAIN["azul.selfplay"], 2), strict=True):
        assert (here == there).all()


def test_too_few_rows_are_refused():
    shapes = (10, 2 * SLOTS), (10, 2), (10, SHARED_NUMBERS)
    inputs, points, shared = (np.zeros(shape, np.int16) for shape in shapes)
    wins, scores = (np.zeros((10, 2), np.float32) for _ in range(2))
    with pytest.raises(ValueError, match="rows"):
        selfplay.Selfplay().play(1, inputs, points, shared, wins, scores)
