"""Teaching a net of Blockers!: what is played can be played again, and what is learned is more than nothing."""

import json

import numpy as np
import pytest

from tessella.bots.blockers.net import net_for, read
from tessella.cli import main
from tessella.fast.blockers.evaluation import INPUT_NUMBERS, WEIGHTS
from tessella.train.blockers_net import Plan, Positions, Task, Weights, blank, entropy, gradient, learn, play

MINIATURE = [
    *("train", "blockers-net", "--seats", "3", "--seed", "5", "--games", "120"),
    *("--generations", "2", "--nodes", "3", "--epochs", "3"),
]


def test_the_same_task_is_the_same_games():
    task = Task(Plan(3, 1, 40, 1, 3, 1), 7, 5, None)
    one, other = play(task), play(task)
    assert len(one) > 20
    assert (one.inputs == other.inputs).all()
    assert (one.chances == other.chances).all()


def invented(number: int, seed: int) -> Positions:
    """Invented positions: the seat with the greatest first input wins."""
    rng = np.random.default_rng(seed)
    inputs = rng.random((number, 4, INPUT_NUMBERS), np.float32)
    return Positions(inputs, np.eye(4, dtype=np.float32)[inputs[:, :, 0].argmax(axis=1)])


def test_what_decides_is_learned():
    rng = np.random.default_rng(2)
    weights = learn(blank(rng), invented(6000, 1), 20, rng, 0.01)
    assert entropy(weights, invented(800, 5)) < 0.4 < entropy(blank(rng), invented(800, 5))


def test_the_gradient_is_the_slope_of_the_loss():
    rng = np.random.default_rng(4)
    weights: Weights = {name: value.astype(np.float64) for name, value in blank(rng).items()}
    seen = invented(50, 3)
    positions = Positions(seen.inputs.astype(np.float64), seen.chances.astype(np.float64))
    slopes = gradient(weights, positions)
    for name, place in (("inward", (0, 3)), ("bias", (3,)), ("outward", (5,)), ("straight", (2,))):
        change = {each: value.copy() for each, value in weights.items()}
        change[name][place] += 1e-5
        slope = (entropy(change, positions) - entropy(weights, positions)) / 1e-5
        assert slope == pytest.approx(float(slopes[name][place]), abs=1e-4)


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nets")
    return folder, main([*MINIATURE, "--jobs", "2", "--out", str(folder)])


def test_the_command_writes_a_net_and_its_card(taught):
    folder, code = taught
    assert code == 0
    assert len(read((folder / "blockers-3.net").read_bytes())) == WEIGHTS
    card = (folder / "blockers-3.md").read_text()
    assert "tessella train blockers-net --seats 3 --seed 5 --games 120 --generations 2" in card
    assert "## Calibration" in card


def test_the_same_seed_gives_the_same_net_in_one_process_and_in_two(taught, tmp_path, capsys):
    folder, _ = taught
    assert main([*MINIATURE, "--jobs", "1", "--out", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (tmp_path / "blockers-3.net").read_bytes() == (folder / "blockers-3.net").read_bytes()
    assert told["passed"]
    assert all(after < before for before, after in told["entropy"])


def test_nets_of_ones_own_play_as_a_level(taught, monkeypatch):
    folder, _ = taught
    monkeypatch.setenv("TESSELLA_NETS", str(folder))
    net_for.cache_clear()
    try:
        assert net_for(3) == read((folder / "blockers-3.net").read_bytes())
    finally:
        net_for.cache_clear()


def test_too_few_games_are_rejected(capsys):
    assert main(["train", "blockers-net", "--games", "10"]) == 2
    assert "at least" in capsys.readouterr().err
