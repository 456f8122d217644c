"""The rivals of Azul: legal, within their time, and the old net is another one than the new."""

import time
from random import Random

import pytest
from tests.bots.test_azul_levels import positions

from tessella.bots import Budget, nets
from tessella.bots.azul_rivals import dragging, flat, old_net
from tessella.games import azul

SECONDS = 0.01


@pytest.mark.parametrize("maker", [flat, dragging, old_net])
@pytest.mark.parametrize("config", [azul.Config(2), azul.Config(2, "grey")], ids=str)
def test_a_rival_moves_legally_and_in_time(maker, config):
    choose = maker(azul)
    for view, moves in positions(config, 3, 12):
        begun = time.thread_time()
        assert choose(view, Budget(seconds=SECONDS), Random(1)) in moves
        assert time.thread_time() - begun < 3 * SECONDS + 0.02


def test_the_old_net_is_another_one():
    assert nets.net_named("azul-2-coloured-old.net") is not None
    assert nets.net_named("nobody.net") is None
