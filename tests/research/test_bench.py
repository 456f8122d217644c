"""The bench of the environments: everything is measured, and every gate is judged."""

import json

import pytest

from tessella import cli
from tessella.bench import research
from tessella.bench.research import GATES, Report


def test_it_ends_with_json(monkeypatch, capsys):
    monkeypatch.setattr(research, "TABLES", 64)
    monkeypatch.setitem(GATES, "azul_batch_vs_bare", 0.0)
    monkeypatch.setitem(GATES, "azul_batch_vs_open_spiel", 0.0)
    monkeypatch.setitem(GATES, "azul_batch_vs_pettingzoo", 0.0)
    assert cli.main(["bench", "research", "--seconds", "1", "--json"]) == 0
    measured = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert {"azul_batch_vs_bare", "blockers_batch_vs_bare", "duel_batch_vs_bare"} <= set(measured["ratios"])
    assert {
        f"{name} {how}" for name in ("azul", "blockers", "duel") for how in ("batch", "bare batch", "single")
    } <= set(measured["steps_per_s"])
    assert all(rate > 0 for rate in measured["steps_per_s"].values())


@pytest.mark.parametrize("name", GATES)
def test_each_gate_is_judged(name):
    assert Report({}, {name: GATES[name] * 1.1}).passed
    missed = Report({}, {name: GATES[name] * 0.9})
    assert not missed.passed
    assert "MISSED" in str(missed)
