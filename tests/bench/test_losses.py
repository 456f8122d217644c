"""The bench of losses: a judge finds what a weaker search loses, and the same seed gives the same positions."""

import json
from itertools import islice

import pytest

from bench.__main__ import main
from bench.losses import Judge, PlyLosses, Report, positions
from tessella.fast.phases import DRAFTING

NAMES = {"level 8", "wide search", "older level 8"}


@pytest.mark.heavy
def test_it_ends_with_json(capsys):
    assert main(["losses", "--seconds", "0.002", "--times", "5", "--positions", "2", "--json"]) in (0, 1)
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert {*told["mean_loss"]} == NAMES
    assert {*told["by_ply"]} == {"0", "1", "2", "3", "4", "5"}
    assert told["passed"] is not None


@pytest.mark.heavy
def test_positions_are_the_same_for_a_seed():
    first, again = ([table.key() for table in positions(3, 3, 7)] for _ in range(2))
    assert first == again
    assert len({*first}) == 3
    assert all(table.phase == DRAFTING for table in islice(positions(0, 2, 1), 2))


@pytest.mark.heavy
def test_a_bad_move_loses_and_the_best_does_not():
    judge, table = Judge(0.2), next(positions(5, 1, 1))
    best = judge.best(table)
    losses = {move: judge.loss(table, best, move) for move in table.moves()}
    assert losses[best] == 0
    assert max(losses.values()) > 5
    assert min(losses.values()) > -1


def test_the_gate_asks_for_half_of_the_older_loss():
    def report(new, old):
        losses = {"level 8": new, "wide search": 9.0, "older level 8": old}
        return Report((PlyLosses(0, 2, losses, dict.fromkeys(NAMES, 5.0)),), 0.1, 100)

    assert report(0.4, 1.0).gates.exit_status == 0
    assert report(0.6, 1.0).gates.exit_status == 1
    assert "MISSED" in str(report(0.6, 1.0))
    assert json.loads(report(0.6, 1.0).json())["passed"] is False
