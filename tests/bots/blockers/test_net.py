"""The nets of Blockers!: a file is read as it was written, and there is one for every number of players."""

import pytest

from tessella.bots.blockers.net import net_for, read, write
from tessella.bots.netfile import BrokenNet
from tessella.fast.blockers.evaluation import WEIGHTS


def test_a_file_is_read_as_it_was_written():
    weights = [number / 64 for number in range(WEIGHTS)]
    assert list(read(write(weights, 3))) == weights


def test_a_changed_file_is_rejected():
    file = write([0.5] * WEIGHTS, 4)
    for wrong in (
        b"",
        b"{}\n",
        file[:-1],
        file.replace(b"blockers 1", b"blockers 2"),
        file.replace(b'sha256":"', b'sha256":"0'),
        write([0.5], 4),
    ):
        with pytest.raises(BrokenNet):
            read(wrong)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_there_is_a_net_for_every_number_of_players(seats):
    net = net_for(seats)
    assert net is not None
    assert len(net) == WEIGHTS


def test_for_another_number_there_is_none():
    assert net_for(6) is None
