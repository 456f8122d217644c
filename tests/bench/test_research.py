"""The bench of the environments: everything is measured, and every gate is judged."""

import json

import pytest

from bench import research
from bench.__main__ import main
from bench.research import GATES, Report


@pytest.mark.heavy
def test_it_ends_with_json(monkeypatch, capsys):
    monkeypatch.setattr(research, "TABLES", 64)
    monkeypatch.setitem(GATES, "azul_batch_vs_bare", 0.0)
    monkeypatch.setitem(GATES, "azul_batch_vs_open_spiel", 0.0)
    monkeypatch.setitem(GATES, "azul_batch_vs_pettingzoo", 0.0)
    assert main(["research", "--seconds", "1", "--json"]) == 0
    measured = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert {"azul_batch_vs_bare", "blockers_batch_vs_bare", "duel_batch_vs_bare"} <= set(measured["ratios"])
    assert {
        f"{name} {how}" for name in ("azul", "blockers", "duel") for how in ("batch", "bare batch", "single")
    } <= set(measured["steps_per_s"])
    assert all(rate > 0 for rate in measured["steps_per_s"].values())
    assert measured["passed"] is (None if measured["not_judged"] else True)


REACHED = {name: gate * 1.1 for name, gate in GATES.items()}


@pytest.mark.parametrize("name", GATES)
def test_each_gate_is_checked(name):
    assert Report({}, REACHED, 1).gates.passed is True
    missed = Report({}, {**REACHED, name: GATES[name] * 0.9}, 1)
    assert missed.gates.missed == (name,)
    assert "MISSED" in str(missed)


def test_a_comparison_that_is_not_installed_is_not_passed():
    measured = {name: ratio for name, ratio in REACHED.items() if "open_spiel" not in name}
    report = Report({}, measured, 1)
    assert report.gates.passed is None
    assert str(report).endswith("NOT JUDGED: what it is compared with is not installed: azul_batch_vs_open_spiel")
    assert json.loads(report.json())["not_judged"] == ["azul_batch_vs_open_spiel"]


def test_nothing_is_judged_by_a_moment():
    report = Report({}, dict.fromkeys(GATES, 0.0), 0.001)
    assert report.gates.missed == ()
    assert list(report.gates.not_judged) == [*GATES]
    assert "NOT JUDGED: each was measured 1.0 ms at a time (at least 5 ms are judged)" in str(report)
