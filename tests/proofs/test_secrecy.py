"""What is hidden stays hidden. That leaks are found is proved by `prove mutants`."""

import asyncio
import subprocess
import sys
from random import Random

import pytest

from proofs import Ask, bot_blind, canary, twin_states
from proofs.in_process_server import serve_in_process
from proofs.mutants import MUTANTS
from proofs.noninterference import log_of
from tessella.core import wire
from tessella.games import GAMES, blockers
from tessella.server.cluster.heartbeats import record_outage
from tessella.server.services.retention import Retention
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


def test_a_tile_that_was_shown_later_may_have_been_drawn_at_another_time():
    rng = Random(2)
    line = twin_states.random_line(blockers, blockers.Config(3), rng).until(30)
    acts = [twin_states.other_world(blockers, line, 0, rng).acts for _ in range(30)]
    assert len({drawn_at(each, fifth_tile_of_seat_1(each)) for each in acts}) > 2


def fifth_tile_of_seat_1(acts):
    return [act.face for act in acts if isinstance(act, blockers.Place) and act.seat == 1][4]


def drawn_at(acts, face):
    draws = ((number, act) for number, act in enumerate(acts) if isinstance(act, blockers.DrawTiles) and act.owner == 1)
    return next(number for number, act in draws if face in act.tiles)


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


def test_a_pause_of_the_whole_machine_is_no_difference_between_two_states():
    """It looks like an outage, which all clients would hear of: in one state and, a moment later, in the other."""

    async def main():
        async with serve_in_process() as server:
            await record_outage(server.host.store, server.now - 20, server.now)
            assert not await server.host.reload_outages()
            assert server.host.outages == []

    asyncio.run(main())


def test_housekeeping_leaves_what_a_proof_has_planted():
    async def main():
        game = GAMES["azul"]
        line = twin_states.random_line(game, twin_states.configs(game)[0], Random(1)).until(3)
        async with serve_in_process() as server:
            await server.plant_game("planted", list(log_of(game, line)), bytes(32))
            await server.plant_person("spectator", "a-secret")
            done = await Retention(server.host, server.app.state.settings).step()
        assert not any(done.values()), done

    asyncio.run(main())
