"""Self-play games of Blockers! are complete, repeatable, and the same compiled and plain."""

import numpy as np
import pytest

from tessella.bots.blockers.net import net_for
from tessella.bots.blockers.weights import learned
from tessella.fast.blockers import selfplay
from tessella.fast.blockers.evaluation import INPUT_NUMBERS
from tessella.fast.blockers.selfplay import ROWS_PER_GAME
from tests.fast.twins import PLAIN

PROGRESS = 5


def recorded(module, games, seats, net=None, seed=1):
    inputs = np.zeros((games * ROWS_PER_GAME, seats * INPUT_NUMBERS), np.float32)
    chances = np.zeros((games * ROWS_PER_GAME, seats), np.float32)
    number = module.Selfplay(seats, learned(seats), seed, net, 4).play(games, inputs, chances)
    return inputs[:number].reshape(number, seats, INPUT_NUMBERS), chances[:number]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_positions_of_whole_games_are_recorded(seats):
    inputs, chances = recorded(selfplay, 40, seats, net_for(seats))
    assert len(inputs) > 40 * 10
    assert np.allclose(chances.sum(axis=1), 1)
    assert (chances.max(axis=1) >= 1 / seats - 1e-6).all()
    assert inputs[:, :, PROGRESS].min() < 0.1
    assert inputs[:, :, PROGRESS].max() > 0.9


@pytest.mark.parametrize(("seats", "with_net"), [(2, True), (3, False), (3, True), (5, True)])
def test_one_seed_gives_the_same_games_compiled_and_plain(seats, with_net):
    net = net_for(seats) if with_net else None
    both = zip(recorded(selfplay, 1, seats, net), recorded(PLAIN["blockers.selfplay"], 1, seats, net), strict=True)
    for here, there in both:
        assert len(here) > 0
        assert (here == there).all()


def test_the_net_changes_the_games():
    assert len(recorded(selfplay, 3, 4)[0]) != len(recorded(selfplay, 3, 4, net_for(4))[0])


def test_too_few_rows_are_refused():
    inputs, chances = np.zeros((10, 4 * INPUT_NUMBERS), np.float32), np.zeros((10, 4), np.float32)
    with pytest.raises(ValueError, match="rows"):
        selfplay.Selfplay(4, learned(4)).play(1, inputs, chances)
