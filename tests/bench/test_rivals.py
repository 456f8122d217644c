"""The rivals of Azul: legal, within their time, and the old net is another one than the new."""

import json
import time
from pathlib import Path
from random import Random

import pytest

from bench import rivals
from bench.__main__ import main
from bench.rivals.azul import dragging, flat, old_net, wide_master
from tessella.bots import Budget, netfile
from tessella.bots.azul import net as nets
from tessella.games import azul
from tests.bots.azul.test_levels import positions

SECONDS = 0.01


@pytest.mark.parametrize("maker", [flat, dragging, old_net, wide_master])
@pytest.mark.parametrize("config", [azul.Config(2), azul.Config(2, "grey")], ids=str)
def test_a_rival_moves_legally_and_in_time(maker, config):
    choose = maker(azul)
    for view, moves in positions(config, 3, 12):
        begun = time.thread_time()
        assert choose(view, Budget(seconds=SECONDS), Random(1)) in moves
        assert time.thread_time() - begun < 3 * SECONDS + 0.02


def test_the_gauntlet_plays_all_of_them(capsys):
    assert main(["gauntlet", "3", "--games", "2", "--seconds", "0.002", "--json", "--at-least", "0"]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert list(found["meetings"]) == list(rivals.RIVALS["azul"])
    assert len(found["meetings"]) == 8


def test_the_old_net_is_another_one():
    old = Path(rivals.__file__).with_name("azul-2-coloured-old.net").read_bytes()
    assert nets.read(old)[1] is not None
    assert old != netfile.find("azul-2-coloured.net") is not None
    assert nets.net_named("nobody.net") is None
