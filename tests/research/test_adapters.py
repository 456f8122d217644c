"""Tables as PettingZoo and Gymnasium know them, held to the checks of those libraries."""

import warnings

import numpy
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from tessella.games import azul, blockers
from tessella.research.gymnasium import SelfPlayEnv, SoloEnv
from tessella.research.pettingzoo import TableEnv

GAMES = [
    ("azul", None),
    ("azul", azul.Config(3, "grey")),
    ("blockers", blockers.Config(2)),
    ("blockers", None),
    ("duel", None),
]


@pytest.mark.parametrize(("name", "config"), GAMES)
def test_the_checker_of_pettingzoo_passes(name, config):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(TableEnv(name, config), num_cycles=150)
        seed_test(lambda: TableEnv(name, config), num_cycles=60)


@pytest.mark.parametrize(("name", "config"), GAMES)
def test_agents_play_a_whole_game(name, config):
    env = TableEnv(name, config, render_mode="ansi")
    env.reset(seed=4)
    rng = numpy.random.default_rng(1)
    moves = 0
    for agent in env.agent_iter():
        seen, reward, ended, cut, _ = env.last()
        assert not cut
        if ended:
            env.step(None)
            continue
        assert reward == 0
        assert env.observation_space(agent).contains(seen)
        env.step(rng.choice(seen["action_mask"].nonzero()[0]))
        moves += 1
    assert moves > 20
    assert not env.agents
    assert env.render()


@pytest.mark.parametrize("name", ["azul", "blockers", "duel"])
def test_the_checker_of_gymnasium_passes(name):
    class Allowed(SoloEnv):
        """Takes any action for an allowed one: the check knows no masks."""

        def step(self, action):
            mask = self._table.mask(self.seat)
            return super().step(action if mask[int(action)] else mask.argmax())

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(Allowed(name, opponent="random"), skip_render_check=True)


@pytest.mark.parametrize("seats", [2, 4])
def test_one_seat_plays_against_the_computer_to_the_end(seats):
    env = SoloEnv("azul", azul.Config(seats), opponent="greedy")
    results = []
    for game in range(6):
        _, info = env.reset(seed=game)
        over = False
        while not over:
            seen, reward, over, cut, info = env.step(info["action_mask"].argmax())
            assert env.observation_space.contains(seen)
            assert (env.action_masks() == info["action_mask"].astype(bool)).all()
            assert not cut
        results.append(reward)
        assert not info["action_mask"].any()
    assert results == [pytest.approx(-1 / (seats - 1))] * 6


def test_the_same_seed_deals_the_same_game():
    env = SoloEnv("blockers")
    first, _ = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    other, _ = env.reset()
    assert (first == again).all()
    assert (first != other).any()


def test_a_learner_plays_every_seat_of_many_tables():
    env = SelfPlayEnv("azul", 5)
    seen, info = env.reset(seed=2)
    assert env.observation_space.contains(seen)
    rng = numpy.random.default_rng(3)
    ended = 0
    for _ in range(200):
        actions = numpy.array([rng.choice(mask.nonzero()[0]) for mask in info["action_mask"]])
        movers = info["seats"]
        seen, gained, over, cut, info = env.step(actions)
        assert env.observation_space.contains(seen)
        assert not cut.any()
        assert not gained[~over].any()
        assert (gained == info["rewards"][numpy.arange(5), movers]).all()
        ended += over.sum()
    assert ended > 5
