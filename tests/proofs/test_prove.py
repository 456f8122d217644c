"""The room of proofs: what a report says, and when the command fails."""

import json
from pathlib import Path

import pytest

from proofs import PROOFS, Ask, Figure, Report, proving
from proofs.__main__ import main


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


SLOW = Figure("share", 0.135, at_least=0.15, timed=True)
LOST = Figure("lost", 2, at_most=0)


@pytest.mark.parametrize("share", [0.135, 0.2])
def test_17_10_a_gate_that_is_not_judged_is_not_passed(share):
    figures = (Figure("share", share, at_least=0.15, timed=True), Figure("ack", 3, timed=True))
    assert Report(figures, load=4.2).passed is None
    assert list(Report(figures, load=4.2).gates.not_judged) == ["share"]
    assert Report(figures, load=2.9).passed is (share > 0.15)


def test_17_10_a_judged_gate_is_missed_on_a_busy_machine_too():
    assert Report((SLOW, LOST), load=4.2).passed is False
    assert Report((SLOW,), ("a move was lost",), load=4.2).passed is False


def test_17_10_a_report_names_what_was_not_judged():
    shown = str(Report((SLOW, LOST), load=4.2)).splitlines()
    assert shown[0].endswith("NOT JUDGED")
    assert shown[1].endswith("MISSED")
    assert shown[2] == "NOT JUDGED: the machine is busy, load 4.2 (times are judged below 3): share"


def test_17_10_the_load_is_sampled_before_and_after_the_proof_and_then_kept(monkeypatch):
    loads = iter([4.2, 1.0])
    monkeypatch.setattr("os.getloadavg", lambda: (next(loads), 0, 0))
    monkeypatch.setattr("proofs.shuffle.prove", lambda ask: Report((SLOW,)))
    report = proving("shuffle")(Ask(1))
    assert report.load == 4.2
    assert report.passed is report.passed is None


@pytest.mark.parametrize("loads", [[4.2, 1.0], [1.0, 4.2]])
def test_17_10_the_command_says_what_was_not_judged(monkeypatch, capsys, loads):
    samples = iter(loads)
    monkeypatch.setattr("os.getloadavg", lambda: (next(samples), 0, 0))
    monkeypatch.setattr("proofs.shuffle.prove", lambda ask: Report((SLOW,)))
    assert main(["shuffle", "--json"]) == 0
    *_, words, line = capsys.readouterr().out.splitlines()
    assert words.startswith("NOT JUDGED: the machine is busy, load 4.2")
    told = json.loads(line)
    assert told["passed"] is None
    assert told["not_judged"] == ["share"]
    assert told["load"] == 4.2


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (Report((Figure("lost", 0, at_most=0),)), 0),
        (Report((Figure("lost", 2, at_most=0),)), 1),
        (Report((), ("seed 7 loses a move",)), 1),
    ],
)
def test_the_command_fails_when_a_promise_is_broken(monkeypatch, capsys, report, code):
    monkeypatch.setattr("proofs.shuffle.prove", lambda ask: report)
    assert main(["shuffle", "--size", "3", "--seed", "9", "--json"]) == code
    shown = capsys.readouterr().out
    assert ("again: scripts/prove shuffle --size 3 --seed 9" in shown) == bool(code)
    assert json.loads(shown.splitlines()[-1])["passed"] is (code == 0)


@pytest.mark.parametrize(("option", "size"), [([], "usual"), (["--full"], "full")])
def test_how_much_is_tried_is_said_in_the_table(monkeypatch, capsys, option, size):
    def tell(ask):
        return Report((Figure("size", ask.size),))

    monkeypatch.setattr("proofs.shuffle.prove", tell)
    main(["shuffle", *option, "--json"])
    shown = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert shown["figures"]["size"] == getattr(PROOFS["shuffle"], size)


def test_all_proofs_run_and_one_broken_promise_fails_the_command(monkeypatch, capsys):
    broken = {"shuffle": Report((), ("unfair",))}
    monkeypatch.setattr("proofs.__main__.proving", lambda name: lambda ask: broken.get(name, Report(())))
    assert main(["all"]) == 1
    shown = capsys.readouterr().out
    assert all(f"{proof.promise}: {proof.usual:,}" in shown for proof in PROOFS.values())
