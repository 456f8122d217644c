"""What is hidden stays hidden. That leaks are found is proved by `prove mutants`."""

import asyncio
import subprocess
import sys
from random import Random

import pytest

from tessella.core import wire
from tessella.games import GAMES, blockers
from tessella.prove import Ask, bot_blind, canary, worlds
from tessella.prove.tap import tapped
from tessella.server.beats import note_outage

FEW = Ask(size=4)


@pytest.mark.parametrize("name", ["blockers", "duel"])
def test_another_world_looks_the_same_and_is_another(name):
    game, rng, different = GAMES[name], Random(5), 0
    for number in range(20):
        config = worlds.configs(game)[number % len(worlds.configs(game))]
        line = worlds.random_line(game, config, rng)
        line = line.until(len(line.turns) // 2)
        viewer = rng.choice([*range(config.seats), None])
        other = worlds.other_world(game, line, viewer, rng)
        different += other != line
        one = two = game.setup(config)
        for act, twin in zip(line.acts, other.acts, strict=True):
            assert (game.owner(act), type(act)) == (game.owner(twin), type(twin))
            one, two = game.apply(one, act)[0], game.apply(two, twin)[0]
            assert wire.encode(game.view(one, viewer)) == wire.encode(game.view(two, viewer))
    assert different > 10


def test_a_tile_that_was_shown_later_may_have_been_drawn_at_another_time():
    rng = Random(2)
    line = worlds.random_line(blockers, blockers.Config(3), rng).until(30)
    acts = [worlds.other_world(blockers, line, 0, rng).acts for _ in range(30)]
    assert len({drawn_at(each, fifth_tile_of_seat_1(each)) for each in acts}) > 2


def fifth_tile_of_seat_1(acts):
    return [act.face for act in acts if isinstance(act, blockers.Place) and act.seat == 1][4]


def drawn_at(acts, face):
    draws = ((number, act) for number, act in enumerate(acts) if isinstance(act, blockers.DrawTiles) and act.owner == 1)
    return next(number for number, act in draws if face in act.tiles)


def test_two_worlds_look_alike():
    """The command itself at its usual size: in a process of its own, where nobody counts lines."""
    call = [sys.executable, "-m", "tessella", "prove", "noninterference"]
    done = subprocess.run(call, capture_output=True, text=True, timeout=2_400, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("proof", [canary, bot_blind])
def test_nothing_leaks(proof):
    report = proof.prove(FEW)
    assert report.passed, str(report)


def test_a_pause_of_the_whole_machine_is_no_difference_between_two_worlds():
    """It looks like an outage, of which everybody is told: in one world and, a moment later, in the other."""

    async def main():
        async with tapped() as tap:
            await note_outage(tap.host.store, tap.now - 20, tap.now)
            assert not await tap.host.learn_of_outages()
            assert tap.host.outages == []

    asyncio.run(main())
