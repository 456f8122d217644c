"""The proofs of what a person is promised, each at a small size; CI runs them at their usual one by `scripts/check`."""

import asyncio

import pytest

from tessella.prove import PROOFS, Ask, abuse, crowds, mutants, privacy, replay


def test_every_game_replays():
    report = replay.prove(Ask(size=1))
    assert report.passed, str(report)


def test_who_goes_is_forgotten():
    report = privacy.prove(Ask(size=1))
    assert report.passed, str(report)


def test_neighbours_of_a_crowd_play_on(monkeypatch):
    monkeypatch.setattr(crowds, "VISITS", 1)
    monkeypatch.setattr(crowds, "TABLES", 10)
    lived = asyncio.run(crowds.live_beside_a_crowd(Ask(size=1)))
    assert lived.quiet
    assert lived.crowded
    assert lived.asked > 100
    assert lived.lost == 0
    assert lived.grown_mb < abuse.MOST_GROWTH_MB


def test_abuse_harms_nobody():
    report = abuse.prove(Ask(size=20))
    assert report.passed, str(report)


def test_there_are_enough_guards_and_each_names_its_proof():
    assert len(mutants.MUTANTS) >= mutants.LEAST_GUARDS
    assert {mutant.proof for mutant in mutants.MUTANTS.values()} <= {*PROOFS}


@pytest.mark.parametrize("name", ["leaky-view", "bare-remainder"])
def test_a_mutant_is_caught(name, monkeypatch):
    monkeypatch.setattr(mutants, "MUTANTS", {name: mutants.MUTANTS[name]})
    report = mutants.prove(Ask(size=1))
    assert report.passed, str(report)


def test_a_mutant_that_nobody_notices_is_told(monkeypatch):
    monkeypatch.setattr(mutants, "_run", lambda name, ask: mutants.Verdict(passed=True, failures=[]))
    assert not mutants.prove(Ask(size=1)).passed


def test_a_proof_without_a_verdict_does_not_count(monkeypatch):
    monkeypatch.setattr(mutants, "_run", lambda name, ask: None)
    assert not mutants.prove(Ask(size=1)).passed
