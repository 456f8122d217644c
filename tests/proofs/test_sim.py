"""The invented worlds: the same for the same seed, and without a guard some promise is broken in them."""

import gc
import subprocess
import sys

import pytest
from msgspec.structs import asdict

from proofs import Ask, sim
from proofs.mutants import MUTANTS
from proofs.sim import Play, Tally, prove, run_world
from proofs.sim.world import FarStore
from tessella.server.rooms import host
from tessella.server.services.housekeeping import Housekeeper
from tests.tiers import nightly

WORLDS = 30
"""Twice as many as any mutant of the simulation needs; `scripts/prove sim` runs more."""
MOST_WORLDS = 40
"""Worlds within which a mutant must be caught."""


def caught() -> str:
    """The first broken promise, if there is any."""
    for seed in range(1, MOST_WORLDS):
        if failures := run_world(seed).failures:
            return failures[0]
    return ""


def life_of(seed):
    """What was committed in a world, and when; and what was counted there."""
    play = Play(seed, Tally())
    logs, judge = [], play._committed

    def note(game):
        logs.append((play.world.now(), play.world.file.log(game, -1)[-1]))
        judge(game)

    play.world.committed = note
    with sim.silence():
        play.run()
    return logs, asdict(play.tally)


@pytest.mark.parametrize("worlds", [8, *nightly(WORLDS)])
def test_all_promises_are_kept_in_many_worlds(worlds):
    assert all(mutant.size * 2 <= WORLDS for mutant in MUTANTS.values() if mutant.proof == "sim")
    report = prove(Ask(worlds))
    assert report.passed, str(report)
    figures = {figure.name: figure.value for figure in report.figures}
    assert figures["acks"] > 20 * worlds
    assert figures["outages"] > 0


def test_the_same_seed_is_the_same_world_in_every_process():
    """Where things lie in memory, and how words are hashed, is another in each."""
    call = [sys.executable, "-c", "from tests.proofs.test_sim import life_of; print(life_of(1))"]
    told = subprocess.run(call, capture_output=True, check=True, text=True).stdout
    assert len(told) > 1000
    assert told == f"{life_of(1)}\n" != f"{life_of(2)}\n"


def test_a_store_that_says_yes_too_early_is_caught(monkeypatch):
    def forgetful(self, file, write):
        return file.now() if self._life.rng.random() < 0.05 else append(self, file, write)

    append = FarStore._append
    monkeypatch.setattr(FarStore, "_append", forgetful)
    assert "not stored" in caught()


def test_a_worker_that_fails_while_somebody_is_connected_is_caught(monkeypatch, caplog):
    def stumble(self, room):
        raise KeyError("nobody expects this")

    monkeypatch.setattr(host.Host, "publish_presence", stumble)
    assert "nobody expects this" in caught()
    gc.collect()
    assert "never retrieved" not in caplog.text


@pytest.mark.slow
def test_a_keeper_that_trusts_its_own_clock_is_caught(monkeypatch):
    async def sweep(self):
        self._known_until = self.host.clock()
        await judge(self)

    judge = Housekeeper._sweep
    monkeypatch.setattr(Housekeeper, "_sweep", sweep)
    assert "was flagged" in caught()
