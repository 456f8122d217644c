"""The room of proofs: what a report says, and when the command fails."""

import json
from pathlib import Path

import pytest

from tessella import cli
from tessella.prove import PROOFS, Figure, Report, proving


def test_every_proof_of_the_table_has_its_module():
    for name in PROOFS:
        assert callable(proving(name))


def test_every_proof_is_explained():
    page = (Path(__file__).parents[2] / "docs" / "concepts" / "proofs.md").read_text()
    assert [name for name in PROOFS if f"`{name}`" not in page] == []


def test_a_figure_is_judged_by_its_gate():
    assert Figure("lost", 0, at_most=0).passed
    assert not Figure("lost", 1, at_most=0).passed
    assert not Figure("share", 0.1, at_least=0.15).passed
    assert Figure("games", 3).passed


def test_time_is_judged_only_when_the_machine_is_quiet(monkeypatch):
    slow = Figure("ack", 900, at_most=100, timed=True)
    monkeypatch.setattr("os.getloadavg", lambda: (0.5, 0, 0))
    assert not slow.passed
    monkeypatch.setattr("os.getloadavg", lambda: (7.5, 0, 0))
    assert slow.passed


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (Report((Figure("lost", 0, at_most=0),)), 0),
        (Report((Figure("lost", 2, at_most=0),)), 1),
        (Report((), ("seed 7 loses a move",)), 1),
    ],
)
def test_the_command_fails_when_a_promise_is_broken(monkeypatch, capsys, report, code):
    monkeypatch.setattr("tessella.prove.shuffle.prove", lambda ask: report)
    assert cli.main(["prove", "shuffle", "--size", "3", "--seed", "9", "--json"]) == code
    shown = capsys.readouterr().out
    assert ("again: tessella prove shuffle --size 3 --seed 9" in shown) == bool(code)
    assert json.loads(shown.splitlines()[-1])["passed"] is (code == 0)


@pytest.mark.parametrize(("option", "size"), [([], "usual"), (["--full"], "full")])
def test_how_much_is_tried_is_said_in_the_table(monkeypatch, capsys, option, size):
    def tell(ask):
        return Report((Figure("size", ask.size),))

    monkeypatch.setattr("tessella.prove.shuffle.prove", tell)
    cli.main(["prove", "shuffle", *option, "--json"])
    shown = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert shown["figures"]["size"] == getattr(PROOFS["shuffle"], size)
