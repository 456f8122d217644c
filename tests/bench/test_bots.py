"""The bench of the computer players: every search is measured, each against its own engine."""

import json

import pytest

from bench.__main__ import main


@pytest.mark.heavy
def test_it_ends_with_json(capsys):
    assert main(["bots", "--seconds", "0.5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    games = {"azul_by_hand", "azul_net", "azul_four", "duel_net", "blockers_four"}
    assert games == {*told["nodes_per_s"]} == {*told["bare_moves_per_s"]} == {*told["ratios"]}
    assert all(0 < ratio < 1 for ratio in told["ratios"].values())
