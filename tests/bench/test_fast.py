"""The bench of the compiled games: every gate is judged, and two threads only where there is a core for each."""

import json

import pytest

from bench import fast
from bench.__main__ import main
from bench.fast import DUEL_PLIES, GATES, Figure, Report


def report(load: float = 0.0, duel: float = DUEL_PLIES, **ratios: float) -> Report:
    """All gates are reached, but for those that are named."""
    reached = {name: ratios.get(name, gate) for name, gate in GATES.items()}
    return Report(tuple(Figure(name, "", duel, 1, ratio) for name, ratio in reached.items()), load)


@pytest.mark.parametrize("name", GATES)
def test_each_gate_is_judged(name):
    assert report().gates.passed is True
    missed = report(**{name: GATES[name] * 0.9})
    assert missed.gates.missed == (name,)
    assert [line.split()[0] for line in str(missed).splitlines() if line.endswith("MISSED")] == [name]
    assert json.loads(missed.json())["passed"] is False


def test_the_moves_of_azul_duel_are_judged():
    missed = report(duel=DUEL_PLIES - 1)
    assert missed.gates.missed == ("duel_plies_per_s",)
    assert str(missed).endswith("MISSED")


@pytest.mark.parametrize("ratio", [1.2, 1.9])
def test_two_threads_are_not_judged_on_a_busy_machine(ratio):
    busy = report(load=4.2, threads=ratio)
    assert busy.gates.passed is None
    assert busy.gates.exit_status == 0
    assert str(busy).endswith("NOT JUDGED: the machine is busy, load 4.2 (times are judged below 3): threads")
    assert report(load=4.2, azul_list=0.1).gates.passed is False


def test_it_ends_with_json_that_names_what_was_not_judged(monkeypatch, capsys):
    loads = iter([4.2, 1.0])
    monkeypatch.setattr("os.getloadavg", lambda: (next(loads), 0, 0))
    monkeypatch.setattr(fast, "measured", lambda pairs, seconds, label: report().figures)
    assert main(["fast", "--seconds", "1", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (printed["passed"], printed["not_judged"]) == (None, ["threads"])
