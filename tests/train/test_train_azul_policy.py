"""Training the move policy of Azul in miniature: its file is read, and the same seed gives the same policy."""

import json

import numpy as np
import pytest

from tessella.bots.azul import policy as policies
from tessella.cli import main
from tessella.fast.azul.policy import FULL, PENALTY, WEIGHTS
from tessella.train.azul_policy import Choice, Trained, first_moves, fitted

MINIATURE = ["train", "azul-policy", "--games", "40", "--generations", "2", "--nodes", "300", "--seed", "5", "--json"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with a policy trained by the command; from so few positions it may not be better than points."""
    folder = tmp_path_factory.mktemp("policy")
    assert main([*MINIATURE, "--jobs", "2", "--out", str(folder)]) in (0, 1)
    return folder


def test_the_command_writes_a_policy_and_its_card(trained):
    policy = policies.read((trained / "azul-policy.json").read_bytes())
    assert len(policy) == WEIGHTS
    assert policy[PENALTY] < 0
    assert "--games 40 --generations 2 --nodes 300" in (trained / "azul-policy.md").read_text()


def test_the_same_seed_gives_the_same_policy_in_one_process_and_in_two(trained, tmp_path, capsys):
    status = main([*MINIATURE, "--jobs", "1", "--out", str(tmp_path)])
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (tmp_path / "azul-policy.json").read_bytes() == (trained / "azul-policy.json").read_bytes()
    assert figures["passed"] == (status == 0)
    assert all(0 < part < 1 for parts in figures["first_moves"].values() for part in parts)


def test_a_policy_passes_if_it_chooses_better_than_points():
    assert Trained((), (1,), before=(0.3, 0.6, 0.8), after=(0.4, 0.6, 0.8)).passed
    assert not Trained((), (1,), before=(0.3, 0.6, 0.8), after=(0.3, 0.6, 0.8)).passed


def test_weights_are_fitted_to_the_moves_that_were_chosen():
    rng = np.random.default_rng(1)
    choices = []
    for _ in range(200):
        inputs = np.zeros((6, WEIGHTS), np.float32)
        inputs[:, FULL] = rng.permutation(6)
        choices.append(Choice(inputs, int(inputs[:, FULL].argmax())))
    weights = fitted(choices)
    assert weights[FULL] > 1
    assert np.abs(np.delete(weights, FULL)).max() < 1e-3
    assert first_moves(weights, choices) == (1, 1, 1)
    assert first_moves(-weights, choices) == (0, 0, 1)
