"""Teaching Blockers!: contests can be played again, and what is learned wins more."""

import json

import pytest

from tessella.bots.blockers.weights import read
from tessella.cli import main
from tessella.fast.blockers.policy import FEATURES
from tessella.train.blockers import BY_HAND, Task, contest

MINIATURE = ["train", "blockers", "--seed", "3", "--games", "100", "--steps", "6"]
HAND = tuple(weight for mark in FEATURES for weight in BY_HAND[mark])


def test_the_same_task_is_the_same_contest():
    task = Task(3, HAND, HAND, 30, 5)
    assert contest(task) == contest(task)


def test_equal_players_win_equally_often():
    won, _ = contest(Task(4, HAND, HAND, 2000, 1))
    assert won == pytest.approx(0.25, abs=0.04)


def test_a_policy_that_ignores_captures_wins_less():
    careless = tuple(0.0 if FEATURES[at // 2] in {"catch", "costly"} else weight for at, weight in enumerate(HAND))
    won, _ = contest(Task(4, careless, HAND, 2000, 1))
    assert won < 0.2


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nets")
    return folder, main([*MINIATURE, "--jobs", "2", "--out", str(folder), "--json"])


@pytest.mark.nightly
def test_a_few_steps_already_win_more_than_by_hand(taught):
    folder, code = taught
    assert code == 0
    assert sorted(read((folder / "blockers.json").read_bytes())) == [2, 3, 4, 5]


@pytest.mark.nightly
def test_the_card_describes_the_training(taught):
    card = (taught[0] / "blockers.md").read_text("utf-8")
    assert "tessella train blockers --seed 3 --games 100 --steps 6" in card
    assert all(f"| {mark} |" in card for mark in FEATURES)


def test_the_same_seed_learns_the_same_however_many_processes_play(tmp_path, capsys):
    files = []
    for jobs in ("1", "2"):
        main(["train", "blockers", "--games", "20", "--steps", "1", "--jobs", jobs, "--out", str(tmp_path), "--json"])
        files.append((tmp_path / "blockers.json").read_bytes())
        numbers = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert sorted(numbers["shares"]) == ["2", "3", "4", "5"]
    assert files[0] == files[1]
