"""Teaching Azul Duel: what is played can be played again, and what is learned is more than nothing."""

import json
from random import Random

import numpy as np
import pytest

from tessella.bots.duel.net import learned, read, write
from tessella.cli import main
from tessella.fast.duel.evaluation import INPUT_NUMBERS, WEIGHTS
from tessella.train.duel import (
    Boundaries,
    Task,
    cross_entropy,
    gathered,
    learn,
    nets_of,
    play,
    play_task,
    win_probabilities,
)

MINIATURE = ["train", "duel", "--seed", "5", "--games", "80", "--generations", "2", "--nodes", "2", "--epochs", "20"]


def test_a_game_shows_four_boundaries():
    boundaries = gathered(play(7, Random(1), 2, None))
    assert boundaries.round.tolist() == [1, 2, 3, 4]
    assert {*boundaries.game.tolist()} == {7}
    assert len({*boundaries.margin.tolist()}) == 1
    assert boundaries.first.shape == boundaries.other.shape == (4, INPUT_NUMBERS)
    assert float(np.abs(boundaries.first).max()) < 10


def test_the_same_task_is_the_same_games():
    task = Task(3, 2, 2, None)
    assert play_task(task) == play_task(task)


def better_boards(number: int, seed: int = 1) -> Boundaries:
    """Invented boundaries: who has more points (the first input) wins."""
    rng = np.random.default_rng(seed)
    boards = rng.random((2, number, INPUT_NUMBERS))
    margin = 30 * (boards[0, :, 0] - boards[1, :, 0])
    games = np.repeat(np.arange(number // 4), 4)
    rounds = np.tile(np.arange(1, 5), number // 4)
    return Boundaries(games, rounds, boards[0], boards[1], margin, (margin > 0).astype(np.float64))


def test_what_decides_is_learned():
    net = learn(better_boards(4000), 40, np.random.default_rng(2))
    assert len(net) == WEIGHTS
    assert max(cross_entropy(net, better_boards(800, seed=5))) < 0.4


def test_both_seats_are_seen_alike():
    boundaries = better_boards(40)
    swapped = Boundaries(
        boundaries.game, boundaries.round, boundaries.other, boundaries.first, -boundaries.margin, 1 - boundaries.won
    )
    for weights in nets_of(learn(better_boards(400), 2, np.random.default_rng(2))):
        assert np.allclose(win_probabilities(weights, boundaries) + win_probabilities(weights, swapped), 1)


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nets")
    return folder, main([*MINIATURE, "--jobs", "2", "--out", str(folder)])


def test_the_command_writes_nets_and_their_card(taught):
    folder, code = taught
    assert code == 0
    net = (folder / "duel.net").read_bytes()
    assert len(read(net)) == WEIGHTS
    assert write(read(net)) == net
    card = (folder / "duel.md").read_text()
    assert "tessella train duel --seed 5 --games 80 --generations 2" in card
    assert "## Calibration" in card


def test_the_same_seed_gives_the_same_nets_in_one_process_and_in_two(taught, tmp_path, capsys):
    folder, _ = taught
    assert main([*MINIATURE, "--jobs", "1", "--out", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (tmp_path / "duel.net").read_bytes() == (folder / "duel.net").read_bytes()
    assert told["passed"]
    assert all(after < before for before, after in told["entropy"])


def test_nets_of_ones_own_play_as_a_level(taught, monkeypatch):
    folder, _ = taught
    monkeypatch.setenv("TESSELLA_NETS", str(folder))
    learned.cache_clear()
    try:
        assert learned() == read((folder / "duel.net").read_bytes())
    finally:
        learned.cache_clear()


def test_too_few_games_are_rejected(capsys):
    assert main(["train", "duel", "--games", "10"]) == 2
    assert "at least" in capsys.readouterr().err
