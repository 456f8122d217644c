"""What is hidden stays hidden. That leaks are found is proved by `prove mutants`."""

import subprocess
import sys
from random import Random

import pytest

from proofs import Ask, bot_blind, canary, twin_states
from proofs.mutants import MUTANTS
from tessella.core import wire
from tessella.games import GAMES
from tests.tiers import nightly

FEW = Ask(size=4)
PAIRS = 30
"""More than any mutant needs; `scripts/prove noninterference` compares more."""


@pytest.mark.parametrize("name", ["blockers", "duel"])
def test_another_state_looks_the_same_and_differs(name):
    game, rng, different = GAMES[name], Random(5), 0
    for number in range(20):
        config = twin_states.configs(game)[number % len(twin_states.configs(game))]
        line = twin_states.random_line(game, config, rng)
        line = line.until(len(line.turns) // 2)
        viewer = rng.choice([*range(config.seats), None])
        other = twin_states.other_world(game, line, viewer, rng)
        different += other != line
        one = two = game.setup(config)
        for act, twin in zip(line.acts, other.acts, strict=True):
            assert (game.owner(act), type(act)) == (game.owner(twin), type(twin))
            one, two = game.apply(one, act)[0], game.apply(two, twin)[0]
            assert wire.encode(game.view(one, viewer)) == wire.encode(game.view(two, viewer))
    assert different > 10


@pytest.mark.parametrize("pairs", [6, *nightly(PAIRS)])
def test_two_states_look_alike(pairs):
    """The command itself, in a separate process; at night the size is more than twice what any of its mutants needs."""
    assert all(mutant.size < PAIRS for mutant in MUTANTS.values() if mutant.proof == "noninterference")
    call = [sys.executable, "-m", "proofs", "noninterference", "--size", str(pairs)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=2_400, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("proof", [canary, bot_blind])
def test_nothing_leaks(proof):
    report = proof.prove(FEW)
    assert report.passed, str(report)
