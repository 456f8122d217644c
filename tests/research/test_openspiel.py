"""The games as OpenSpiel plays them, held to its own checks; skipped where it is not installed."""

import random

import numpy
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402

from tessella.research import ENCODINGS  # noqa: E402
from tessella.research.openspiel import short_name  # noqa: E402

GAMES = [
    ("azul", ""),
    ("azul", "(players=3,options=wall:grey)"),
    ("blockers", "(players=2)"),
    ("blockers", ""),
    ("duel", ""),
]


def _start(name, parameters="", seed=1):
    game = pyspiel.load_game(short_name(name) + parameters)
    state = game.new_initial_state()
    state.apply_action(seed)
    return game, state


@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_the_checks_of_openspiel_pass(name, parameters):
    parameters = parameters[:-1] + ",deals=8)" if parameters else "(deals=8)"
    pyspiel.random_sim_test(
        pyspiel.load_game(short_name(name) + parameters), num_sims=1, serialize=False, verbose=False
    )


@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_a_history_replays_and_observations_are_ours(name, parameters):
    game, state = _start(name, parameters)
    rng = random.Random(3)
    observer = game.make_py_observer()
    while not state.is_terminal():
        if not state.is_chance_node():
            player = state.current_player()
            observer.set_from(state, player)
            assert (observer.tensor == ENCODINGS[name].observe(state.view(player))).all()
            assert len(state.observation_tensor(player)) == len(observer.tensor)
        state.apply_action(rng.choice(state.legal_actions()))
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert str(again) == str(state)
    assert again.returns() == state.returns()
    assert sum(state.returns()) == pytest.approx(0, abs=1e-6)
    assert state.move_number() <= game.max_game_length() + game.max_chance_nodes_in_history()


def test_a_state_survives_serialization():
    game, state = _start("duel")
    state.apply_action(state.legal_actions()[0])
    assert str(game.deserialize_state(state.serialize())) == str(state)


def test_a_resampled_state_looks_the_same_and_differs_in_what_is_hidden():
    _, state = _start("blockers")
    player = state.current_player()
    others = [state.resample_from_infostate(player, random.Random(seed).random) for seed in range(5)]
    assert {other.observation_string(player) for other in others} == {state.observation_string(player)}
    assert len({str(other) for other in others}) > 1


def test_searches_of_openspiel_play():
    game, state = _start("azul", "(deals=8)")
    evaluator = mcts.RandomRolloutEvaluator(1, numpy.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2, 6, evaluator, random_state=numpy.random.RandomState(1))
    assert bot.step(state) in state.legal_actions()
    game, state = _start("blockers", "(players=2,deals=8)")
    hidden = ismcts.ISMCTSBot(
        game=game,
        evaluator=evaluator,
        uct_c=2.0,
        max_simulations=4,
        use_observation_string=True,
        random_state=numpy.random.RandomState(1),
    )
    assert hidden.step(state) in state.legal_actions()
