"""The proofs of what a person is promised, each at a small size; they run at their usual one every night."""

import asyncio
import subprocess
import sys

import pytest

from proofs import PROOFS, mutants, sim, soak
from proofs.abuse import MOST_GROWTH_MB, askers, bot_flood, crowds
from tests.pages import ROOT
from tests.proofs.small import ask, kept
from tests.tiers import nightly, nightly_cases

LONGER = nightly_cases(("tournaments", 4), ("bot-workers", 3))


@pytest.mark.parametrize(("name", "size"), [("replay", 1), ("privacy", 1), ("abuse", 20), *LONGER])
def test_the_promise_is_kept(name, size):
    assert kept(name, size)


@pytest.mark.nightly
def test_news_of_a_turn_arrive_once_or_are_given_up_visibly():
    figures = kept("notifications", 40)
    assert figures["sent"] + figures["uncertain"] + figures["given_up"] == 40


@pytest.mark.nightly
def test_finished_games_are_sealed_while_people_play_and_workers_die():
    figures = kept("seal", 30)
    assert (figures["sealed"], figures["lost"], figures["left"]) == (30, 0, 16)
    assert figures["workers_killed"] >= 1


@pytest.mark.nightly
def test_after_quiet_days_nothing_unfinished_is_left():
    with soak.slow_chores(), sim.silence():
        days = soak.Days(soak.QUIET_DAYS + 5, 1)
        days.world.run(days.go_by())
    assert days.failures == []
    assert days.made > 20
    assert len(days.played) == 10


# Beside a crowd


@pytest.mark.nightly
def test_neighbours_of_a_crowd_play_on(monkeypatch):
    monkeypatch.setattr(crowds, "VISITS", 1)
    monkeypatch.setattr(crowds, "TABLES", 10)
    lived = asyncio.run(crowds.live_beside_a_crowd(ask(1)))
    assert lived.quiet
    assert lived.crowded
    assert lived.asked > 0
    assert lived.lost == 0
    assert lived.grown_mb < MOST_GROWTH_MB


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("module", "seconds", "live"),
    [
        (askers, {"VISIT_SECONDS": 6.0}, askers.live_beside_askers),
        (bot_flood, {"FLOOD_SECONDS": 4.0, "TABLES": 6}, bot_flood.live_beside_bots),
    ],
)
def test_neighbours_of_expensive_askers_and_of_a_flood_of_bots_play_on(monkeypatch, module, seconds, live):
    monkeypatch.setattr(crowds, "TABLES", 5)
    for name, value in seconds.items():
        monkeypatch.setattr(module, name, value)
    figures = asyncio.run(live(ask(1)))
    assert [str(figure) for figure in figures if not (figure.passed or figure.timed)] == []


# Mutants


def test_there_are_enough_guards_and_each_names_its_proof():
    assert len(mutants.MUTANTS) >= mutants.MIN_GUARDS
    assert {mutant.proof for mutant in mutants.MUTANTS.values()} <= {*PROOFS}


def test_every_mutant_can_be_planted():
    """In a process of its own, which they spoil: each finds what it patches."""
    program = "from proofs.mutants import MUTANTS\nfor mutant in MUTANTS.values(): mutant.plant()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["leaky-view", *nightly("no-primary-key", "no-deadline")])
def test_a_mutant_is_caught(name, monkeypatch):
    monkeypatch.setattr(mutants, "MUTANTS", {name: mutants.MUTANTS[name]})
    report = mutants.prove(ask(1))
    assert report.passed, str(report)


@pytest.mark.parametrize(
    ("verdict", "passed", "counts"),
    [
        (mutants.Verdict(passed=False, failures=["lost"]), True, (1, 0)),
        (mutants.Verdict(passed=True, failures=[]), False, (0, 1)),
        (mutants.Verdict(passed=None, failures=[], not_judged=["crowd_ratio"]), None, (0, 0)),
        (None, False, (0, 1)),
    ],
)
def test_a_mutant_counts_as_caught_only_if_its_proof_fails(monkeypatch, verdict, passed, counts):
    monkeypatch.setattr(mutants, "_run", lambda name, ask: verdict)
    report = mutants.prove(ask(1))
    assert report.passed is passed
    assert tuple(figure.value for figure in report.figures[1:]) == counts
