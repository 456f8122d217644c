"""The proofs of what a person is promised, each at a small size; they run at their usual one every night."""

import asyncio
import subprocess
import sys

import pytest

from proofs import (
    PROOFS,
    Ask,
    abuse,
    bot_workers,
    mutants,
    notifications,
    privacy,
    replay,
    seal,
    sim,
    soak,
    tournaments,
)
from proofs.abuse import askers, bot_flood, crowds
from tests.pages import ROOT
from tests.tiers import nightly


def test_every_game_replays():
    report = replay.prove(Ask(size=1))
    assert report.passed, str(report)


def test_who_goes_is_forgotten():
    report = privacy.prove(Ask(size=1))
    assert report.passed, str(report)


def test_news_of_a_turn_arrive_once_or_are_given_up_visibly():
    report = notifications.prove(Ask(size=40))
    assert report.passed is not False, str(report)
    figures = {figure.name: figure.value for figure in report.figures}
    assert figures["sent"] + figures["uncertain"] + figures["given_up"] == 40


def test_every_result_of_a_tournament_counts_once_though_workers_die():
    report = tournaments.prove(Ask(size=4))
    assert report.passed, str(report)


def test_finished_games_are_sealed_while_people_play_and_workers_die():
    report = seal.prove(Ask(size=30))
    assert report.passed is not False, str(report)
    figures = {figure.name: figure.value for figure in report.figures}
    assert (figures["sealed"], figures["lost"], figures["left"]) == (30, 0, 16)
    assert figures["workers_killed"] >= 1


def test_neighbours_of_a_crowd_play_on(monkeypatch):
    monkeypatch.setattr(crowds, "VISITS", 1)
    monkeypatch.setattr(crowds, "TABLES", 10)
    lived = asyncio.run(crowds.live_beside_a_crowd(Ask(size=1)))
    assert lived.quiet
    assert lived.crowded
    assert lived.asked > 100
    assert lived.lost == 0
    assert lived.grown_mb < abuse.MOST_GROWTH_MB


def test_17_14_neighbours_of_expensive_askers_play_on(monkeypatch):
    monkeypatch.setattr(askers, "VISIT_SECONDS", 6.0)
    monkeypatch.setattr(crowds, "TABLES", 10)
    figures = {figure.name: figure for figure in asyncio.run(askers.live_beside_askers(Ask(size=1)))}
    assert all(figure.passed for figure in figures.values() if not figure.timed), list(map(str, figures.values()))
    assert figures["askers_bots_p99"].at_most == 1
    assert figures["askers_ratio"].at_most == 2


def test_abuse_harms_nobody():
    report = abuse.prove(Ask(size=20))
    assert report.passed, str(report)


def test_there_are_enough_guards_and_each_names_its_proof():
    assert len(mutants.MUTANTS) >= mutants.MIN_GUARDS
    assert {mutant.proof for mutant in mutants.MUTANTS.values()} <= {*PROOFS}


def test_every_mutant_can_be_planted():
    """In a process of its own, which they spoil: each finds what it patches."""
    program = "from proofs.mutants import MUTANTS\nfor mutant in MUTANTS.values(): mutant.plant()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["leaky-view", *nightly("modulo-bias")])
def test_a_mutant_is_caught(name, monkeypatch):
    monkeypatch.setattr(mutants, "MUTANTS", {name: mutants.MUTANTS[name]})
    report = mutants.prove(Ask(size=1))
    assert report.passed, str(report)


def test_a_mutant_that_nobody_notices_is_told(monkeypatch):
    monkeypatch.setattr(mutants, "_run", lambda name, ask: mutants.Verdict(passed=True, failures=[]))
    assert not mutants.prove(Ask(size=1)).passed


def test_17_10_a_mutant_whose_proof_did_not_judge_is_not_caught_but_named(monkeypatch):
    unjudged = mutants.Verdict(passed=None, failures=[], not_judged=["crowd_ratio"])
    monkeypatch.setattr(mutants, "_run", lambda name, ask: unjudged)
    name, mutant = next(iter(mutants.MUTANTS.items()))
    report = mutants.prove(Ask(size=1))
    assert report.passed is None
    assert {figure.name: figure.value for figure in report.figures} == {"guards": 1, "caught": 0, "escaped": 0}
    assert f"NOT JUDGED: {mutant.proof} did not judge crowd_ratio: {name}" in str(report)


def test_a_proof_without_a_verdict_does_not_count(monkeypatch):
    monkeypatch.setattr(mutants, "_run", lambda name, ask: None)
    assert not mutants.prove(Ask(size=1)).passed


def test_a_flood_of_bot_tables_delays_nobody(monkeypatch):
    monkeypatch.setattr(crowds, "TABLES", 5)
    monkeypatch.setattr(bot_flood, "TABLES", 6)
    monkeypatch.setattr(bot_flood, "FLOOD_SECONDS", 4.0)
    figures = {figure.name: figure for figure in asyncio.run(bot_flood.live_beside_bots(Ask(size=1)))}
    assert figures["flood_asked"].value >= 6
    assert figures["flood_lost"].value == 0
    assert figures["flood_bots"].value > 0


def test_after_quiet_days_nothing_unfinished_is_left():
    with soak.slow_chores(), sim.silence():
        days = soak.Days(soak.QUIET_DAYS + 5, 1)
        days.world.run(days.go_by())
    assert days.failures == []
    assert days.made > 20
    assert len(days.played) == 10


def test_two_bot_workers_share_the_work():
    report = bot_workers.prove(Ask(size=3))
    assert report.passed is not False, str(report)
