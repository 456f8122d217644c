"""The bench of the server: every figure is measured, and every gate is judged."""

import json

import pytest

from bench import server
from bench.__main__ import main
from bench.server import figures, sockets
from bench.server.figures import GATES, Figure, Pair, Report
from tests.server.conftest import POSTGRES

RATIOS = ["sqlite_path", "postgres_path", "framework", "durable_vs_pgbench", "view_encode"]


def figure(name: str, value: float) -> Figure:
    return Figure(name, value, 2.0, 1.0, "{:.1f} µs; {:.1f} µs by the yardstick")


@pytest.fixture
def small(monkeypatch):
    """So little of everything that it takes seconds; too little to judge by."""
    monkeypatch.setattr(server, "ROUNDS", 2)
    monkeypatch.setattr(sockets, "IDLE_SOCKETS", 100)
    for name in GATES:
        monkeypatch.setitem(GATES, name, 0.0 if name in figures.AT_LEAST else 1e9)


def bench(*options: str) -> int:
    return main(["server", "--database", f"{POSTGRES}/postgres", "--seconds", "1", *options])


def test_bench_server_ends_with_json(small, capsys):
    assert bench("--json") == 0
    *table, last = capsys.readouterr().out.splitlines()
    measured = json.loads(last)
    assert list(measured["ratios"]) == RATIOS
    assert all(ratio > 0 for ratio in measured["ratios"].values())
    assert 1 < measured["idle_socket_kib"] < 500
    assert (measured["passed"], measured["not_judged"]) == (True, [])
    assert [line.split()[0] for line in table[1:]] == [*RATIOS, "idle_socket_kib"]
    assert "µs without a store" in table[1]


def test_bench_server_fails_when_a_gate_is_missed(monkeypatch, capsys):
    measured = Report((figure("framework", 1.0), figure("view_encode", 1000.0)))
    monkeypatch.setattr(server, "run", lambda _database, _seconds: measured)
    assert bench() == 1
    missed = [line for line in capsys.readouterr().out.splitlines() if line.endswith("MISSED")]
    assert [line.split()[0] for line in missed] == ["view_encode"]


def test_without_postgresql_it_says_so(capsys):
    assert main(["server", "--database", "postgresql://nobody@127.0.0.1:1/x"]) == 2
    assert "cannot connect to PostgreSQL" in capsys.readouterr().err


@pytest.mark.parametrize("name", GATES)
def test_each_gate_is_judged_by_its_own_side(name):
    gate = GATES[name]
    good, bad = (gate * 1.1, gate * 0.9) if name == "durable_vs_pgbench" else (gate * 0.9, gate * 1.1)
    assert figure(name, good).passed
    assert not figure(name, bad).passed
    report = Report((figure(name, bad),))
    assert report.gates.missed == (name,)
    assert "MISSED" in str(report)


def test_a_busy_moment_does_not_decide():
    pair = Pair()
    for ours, yardstick in [(12, 10), (11, 10), (1000, 10), (13, 10), (12, 400)]:
        pair.add(ours, yardstick)
    assert pair.figure("framework", "").value == pytest.approx(1.2)
