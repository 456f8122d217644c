"""The command that proves: what is judged, and when it fails."""

import json

import pytest

from proofs import PROOFS, Ask, Figure, Report, proving
from proofs.__main__ import main
from tests.pages import ROOT

FAST = Figure("share", 0.2, at_least=0.15, timed=True)
SLOW = Figure("share", 0.1, at_least=0.15, timed=True)
LOST = Figure("lost", 2, at_most=0)
FREE = Figure("ack", 3, timed=True)


def test_every_proof_of_the_table_has_its_module_and_is_explained():
    page = (ROOT / "docs" / "concepts" / "proofs.md").read_text()
    assert [name for name in PROOFS if f"`{name}`" not in page] == []
    assert all(callable(proving(name)) for name in PROOFS)


@pytest.mark.parametrize(
    ("figures", "failures", "quiet", "busy"),
    [
        ((FREE,), (), True, True),
        ((FAST, FREE), (), True, None),
        ((SLOW, FREE), (), False, None),
        ((FAST, LOST), (), False, False),
        ((FAST,), ("a move was lost",), False, False),
    ],
)
def test_times_are_judged_on_a_quiet_machine_only_and_all_else_always(figures, failures, quiet, busy):
    assert Report(figures, failures, load=2.9).passed is quiet
    report = Report(figures, failures, load=4.2)
    assert report.passed is busy
    assert list(report.gates.not_judged) == [figure.name for figure in figures if figure.needs_quiet]


@pytest.mark.parametrize("loads", [[4.2, 1.0], [1.0, 4.2]])
def test_the_load_before_and_after_counts_and_the_command_says_what_was_not_judged(monkeypatch, capsys, loads):
    samples = iter(loads)
    monkeypatch.setattr("os.getloadavg", lambda: (next(samples), 0, 0))
    monkeypatch.setattr("proofs.shuffle.prove", lambda ask: Report((SLOW,)))
    assert main(["shuffle", "--json"]) == 0
    *_, words, line = capsys.readouterr().out.splitlines()
    assert words.startswith("NOT JUDGED: the machine is busy, load 4.2")
    told = json.loads(line)
    assert (told["passed"], told["not_judged"], told["load"]) == (None, ["share"], 4.2)


@pytest.mark.parametrize(
    ("report", "code"), [(Report((FREE,)), 0), (Report((LOST,)), 1), (Report((), ("seed 7 loses a move",)), 1)]
)
def test_the_command_fails_when_a_promise_is_broken(monkeypatch, capsys, report, code):
    monkeypatch.setattr("proofs.shuffle.prove", lambda ask: report)
    assert main(["shuffle", "--size", "3", "--seed", "9", "--json"]) == code
    shown = capsys.readouterr().out
    assert ("again: scripts/prove shuffle --size 3 --seed 9" in shown) == bool(code)
    assert json.loads(shown.splitlines()[-1])["passed"] is (code == 0)


@pytest.mark.parametrize(("option", "size"), [([], "usual"), (["--full"], "full")])
def test_all_proofs_run_at_the_size_in_the_table_and_one_broken_promise_fails_the_command(monkeypatch, option, size):
    asked = {}

    def prove(name):
        def note(ask):
            asked[name] = ask
            return Report((), ("unfair",) if name == "shuffle" else ())

        return note

    monkeypatch.setattr("proofs.__main__.proving", prove)
    assert main(["all", *option]) == 1
    assert asked == {name: Ask(getattr(proof, size)) for name, proof in PROOFS.items()}
