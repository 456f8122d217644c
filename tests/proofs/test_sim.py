"""The invented worlds: the same for the same seed, and without a guard some promise is broken in them."""

import asyncio
import gc
import subprocess
import sys

import pytest
from msgspec.structs import asdict

from proofs import Ask, sim
from proofs.mutants import MUTANTS
from proofs.sim import Play, Tally, prove, run_world
from proofs.sim.world import FarStore, Loop, World
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


def test_who_interrupts_it_is_told_what_was_found_so_far(monkeypatch):
    seen = iter([Tally(games=1), Tally(games=2, failures=("lost",))])

    def run_world(seed):
        if tally := next(seen, None):
            return tally
        raise KeyboardInterrupt

    monkeypatch.setattr(sim, "run_world", run_world)
    report = prove(Ask(5))
    figures = {figure.name: figure for figure in report.figures}
    assert (figures["worlds"].value, figures["games"].value, report.failures) == (2, 3, ("lost",))
    assert not figures["worlds"].passed


def test_the_same_seed_is_the_same_world():
    assert life_of(7) == life_of(7)
    assert life_of(7) != life_of(8)


def test_the_same_seed_is_the_same_world_in_every_process():
    """Where things lie in memory, and how words are hashed, is another in each."""
    call = [sys.executable, "-c", "from tests.proofs.test_sim import life_of; print(life_of(1))"]
    told = [subprocess.run(call, capture_output=True, check=True, timeout=120).stdout for _ in range(2)]
    assert len(told[0]) > 1000
    assert told[0] == told[1]


def test_time_goes_by_without_waiting():
    world = World(1)

    began = world.now()
    world.run(asyncio.sleep(1e6))
    assert isinstance(world.loop, Loop)
    assert world.loop.time() - began >= 1e6


def test_a_store_that_says_yes_too_early_is_caught(monkeypatch):
    def forgetful(self, file, write):
        return file.now() if self._life.rng.random() < 0.05 else append(self, file, write)

    append = FarStore._append
    monkeypatch.setattr(FarStore, "_append", forgetful)
    assert "not stored" in caught()


def test_a_worker_that_does_not_look_for_the_key_is_caught(monkeypatch):
    async def never(self, room, key):
        return None

    monkeypatch.setattr(host.Host, "_stored_already", never)
    assert "was refused" in caught()


def test_a_worker_that_fails_while_somebody_is_connected_is_caught(monkeypatch, caplog):
    def stumble(self, room):
        raise KeyError("nobody expects this")

    monkeypatch.setattr(host.Host, "publish_presence", stumble)
    assert "nobody expects this" in caught()
    gc.collect()
    assert "never retrieved" not in caplog.text


@pytest.mark.slow
def test_a_deadline_that_is_not_in_the_statement_is_caught(monkeypatch):
    monkeypatch.setattr(host, "_due", lambda table, entry: None)
    assert "after its time" in caught()


@pytest.mark.slow
def test_a_keeper_that_trusts_its_own_clock_is_caught(monkeypatch):
    async def sweep(self):
        self._known_until = self.host.clock()
        await judge(self)

    judge = Housekeeper._sweep
    monkeypatch.setattr(Housekeeper, "_sweep", sweep)
    assert "was flagged" in caught()
