"""The net of Azul Duel: its file is read as it was written, and it knows a good board from a bad one."""

from array import array

import pytest

from tessella.bots.duel.net import learned, read, write
from tessella.bots.netfile import BrokenNet
from tessella.fast.duel import Duel
from tessella.fast.duel.evaluation import WEIGHTS, Evaluator
from tessella.fast.duel.mcts import OpenLoopTree
from tessella.fast.phases import DEALING


def test_a_file_is_read_as_it_was_written():
    weights = [number / 64 for number in range(-50, 50)]
    assert list(read(write(weights))) == weights


def test_a_changed_file_is_rejected():
    file = write([0.5, -0.25])
    for wrong in (
        b"",
        b"{}\n",
        file[:-1],
        file.replace(b"duel 1", b"duel 2"),
        file.replace(b'sha256":"', b'sha256":"0'),
    ):
        with pytest.raises(BrokenNet):
            read(wrong)


def test_the_shipped_net_has_all_its_weights():
    assert len(learned()) == WEIGHTS
    with pytest.raises(ValueError, match="weights"):
        Evaluator().load_net(array("d", [0.0]))


def test_with_a_net_the_same_rounds_end_otherwise():
    table = Duel(seed=4)
    while table.phase == DEALING:
        table.deal()
    tried = []
    for net in (None, learned()):
        thinker = OpenLoopTree(table, table.seat(), 1, 100, net)
        thinker.choose(40, 2**62)
        tried.append(thinker.tried())
    assert tried[0] != tried[1]
