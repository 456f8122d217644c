"""Tables as PettingZoo and Gymnasium know them, held to the checks of those libraries."""

import copy
import multiprocessing
import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils import TerminateIllegalWrapper

from tessella.games import azul, blockers
from tessella.research import ENCODINGS
from tessella.research.gymnasium import IDS, SelfPlayEnv, SoloEnv
from tessella.research.pettingzoo import TableEnv, parallel_env

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
@pytest.mark.parametrize("on_illegal", ["lose", "replace"])
def test_the_checker_of_gymnasium_passes(name, on_illegal):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(SoloEnv(name, opponent="random", on_illegal=on_illegal))


@pytest.mark.parametrize("name", IDS)
def test_the_checker_of_gymnasium_passes_on_what_is_registered_and_renders_it(name, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gymnasium.make(name, opponent="random").unwrapped)
    assert "seat 0" in capsys.readouterr().out


def test_environments_can_be_made_by_the_name_of_their_module():
    code = "import gymnasium; print(gymnasium.make('tessella.research.gymnasium:tessella/Azul-v0', config='seats=3'))"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "SoloEnv" in made.stdout


def test_an_illegal_action_loses_raises_or_is_replaced():
    env = SoloEnv("azul", "seats=3", opponent="random")
    _, info = env.reset(seed=1)
    illegal = info["action_mask"].argmin()
    seen, reward, over, _, info = env.step(illegal)
    assert (reward, over, info["illegal_action"]) == (-0.5, True, True)
    assert not info["action_mask"].any()
    assert env.observation_space.contains(seen)
    env = SoloEnv("azul", opponent="random", on_illegal="raise")
    before, _ = env.reset(seed=1)
    for action in (illegal, -1, 10**6):
        with pytest.raises(ValueError, match="is not legal"):
            env.step(action)
    assert (env._table.observe(env.seat) == before).all()
    env = SoloEnv("azul", opponent="random", on_illegal="replace")
    env.reset(seed=1)
    _, _, over, _, info = env.step(illegal)
    assert info["illegal_action"]
    assert not over
    with pytest.raises(ValueError, match="choose from lose, raise, replace"):
        SoloEnv("azul", on_illegal="ignore")  # type: ignore[arg-type]


def test_the_wrapper_of_pettingzoo_ends_a_game_at_an_illegal_action():
    env = TerminateIllegalWrapper(TableEnv("azul"), illegal_reward=-1)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int(env.observe(agent)["action_mask"].argmin()))
    assert env.rewards[agent] == -1
    raw = TableEnv("azul")
    raw.reset(seed=1)
    with pytest.raises(ValueError, match="legal"):
        raw.step(int(raw.observe(raw.agent_selection)["action_mask"].argmin()))


@pytest.mark.parametrize(("name", "config"), GAMES)
def test_the_parallel_form_passes_the_checker_of_pettingzoo(name, config):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(parallel_env(name, config), num_cycles=100)


def test_the_parallel_form_plays_a_whole_game():
    env = parallel_env("azul")
    seen, _ = env.reset(seed=3)
    total = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        actions = {agent: int(seen[agent]["action_mask"].argmax()) for agent in env.agents}
        seen, gained, *_ = env.step(actions)
        total = {agent: total[agent] + gained[agent] for agent in total}
    assert sorted(total.values()) == [-1, 1]


@pytest.mark.parametrize("name", ["azul", "blockers", "duel"])
def test_every_environment_survives_pickle_and_deepcopy_and_plays_on_alike(name):
    solo = SoloEnv(name, opponent="random")
    _, info = solo.reset(seed=5)
    for copied in (pickle.loads(pickle.dumps(solo)), copy.deepcopy(solo)):
        assert _rest(copied, info) == _rest(copy.deepcopy(solo), info)
    table = TableEnv(name)
    table.reset(seed=5)
    table.step(int(table.last()[0]["action_mask"].argmax()))
    for copied in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        assert _rest_of_table(copied) == _rest_of_table(copy.deepcopy(table))
    many = SelfPlayEnv(name, 3)
    many.reset(seed=5)
    many.step(many._env.random.copy())
    for copied in (pickle.loads(pickle.dumps(many)), copy.deepcopy(many)):
        twin = copy.deepcopy(many)
        for _ in range(150):
            one, two = (env.step(env._env.random.copy()) for env in (copied, twin))
            assert (one[0] == two[0]).all()
            assert (one[1] == two[1]).all()


def _rest(env, info):
    played, over = [], False
    while not over:
        seen, reward, over, _, info = env.step(info["action_mask"].argmax())
        played.append((seen.tobytes(), reward))
    return played


def _rest_of_table(env):
    played = []
    for _ in env.agent_iter():
        seen, reward, ended, *_ = env.last()
        played.append((seen["observation"].tobytes(), reward))
        env.step(None if ended else int(seen["action_mask"].argmax()))
    return played


def test_ten_thousand_resets_without_a_seed_never_repeat():
    config = azul.Config(4)  # with two seats, 10,000 honest deals of 20 tiles may well hold two that are equal
    env = TableEnv("azul", config)
    assert len({_first(env) for _ in range(10_000)}) == 10_000
    solo = SoloEnv("azul", config, opponent="random")
    assert len({solo.reset()[0].tobytes() for _ in range(10_000)}) == 10_000
    many = SelfPlayEnv("azul", 100, config)
    rows = [row.tobytes() for _ in range(100) for row in many.reset()[0]]
    assert len(set(rows)) == 10_000


def _first(env):
    env.reset()
    return env.observe(env.agent_selection)["observation"].tobytes()


def _resets(env):
    return [env.reset()[0].tobytes() for _ in range(50)]


def test_workers_that_got_the_same_copy_never_repeat_each_other():
    env = SoloEnv("azul", azul.Config(4), opponent="random")
    env.reset()
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        played = pool.map(_resets, [env] * 4)
    assert len({seen for worker in played for seen in worker}) == 200


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_runs_environments_in_processes(name):
    envs = gymnasium.make_vec(name, 2, vectorization_mode="async", opponent="random")
    try:
        seen, info = envs.reset()
        assert (seen[0] != seen[1]).any()
        for _ in range(60):
            actions = info["action_mask"].argmax(axis=1)
            seen, _, _, _, info = envs.step(actions)
            assert envs.observation_space.contains(seen)
    finally:
        envs.close()


@pytest.mark.parametrize("name", ["azul", "blockers", "duel"])
@pytest.mark.parametrize("kind", [SoloEnv, TableEnv])
def test_tables_are_rendered_as_text_and_pixels(name, kind, capsys):
    text = kind(name, render_mode="ansi")
    text.reset(seed=1)
    assert "seat 1" in text.render()
    pixels = kind(name, render_mode="rgb_array")
    pixels.reset(seed=1)
    frame = pixels.render()
    assert frame.dtype == numpy.uint8
    assert frame.shape[2] == 3
    assert min(frame.shape[:2]) > 300
    assert len(numpy.unique(frame.reshape(-1, 3), axis=0)) > 50
    for place in ((0, 0), (40, 4)):
        assert (frame[place] == (0xF4, 0xEF, 0xE5)).all(), "the table is drawn in the light colours"
    assert not capsys.readouterr().out
    kind(name, render_mode="human").reset(seed=1)
    assert "seat 1" in capsys.readouterr().out
    with pytest.raises(ValueError, match="choose from human, ansi, rgb_array"):
        kind(name, render_mode="film")


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
    assert sum(result == pytest.approx(-1 / (seats - 1)) for result in results) >= 5


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


@pytest.mark.parametrize("name", ["azul", "blockers", "duel"])
def test_the_end_of_a_game_is_shown_to_the_seat_that_ended_it(name):
    env = SelfPlayEnv(name, 4)
    env.reset(seed=2)
    ended = 0
    for _ in range(300):
        before = [env._env.at(place) for place in range(4)]
        movers, actions = env._env.seats.copy(), env._env.random.astype(numpy.int64)
        _, _, over, _, info = env.step(actions)
        assert ("final_obs" in info) == over.any()
        for place in over.nonzero()[0]:
            before[place].apply(int(actions[place]))
            state = before[place].to_state()
            expected = ENCODINGS[name].observe(env._env.game.view(state, int(movers[place])))
            assert (info["final_obs"][place] == expected).all()
            assert tuple(info["final_info"]["scores"][place]) == before[place].scores()
            ended += 1
        if over.any():
            assert (info["_final_obs"] == over).all()
            assert [seen is None for seen in info["final_obs"]] == (~over).tolist()
    assert ended > 3
