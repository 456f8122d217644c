"""Games as files of decisions: what is read is what was played."""

import json

import numpy
import pytest

from tessella import cli
from tessella.games import GAMES
from tessella.research import ENCODINGS, dataset, fields


@pytest.mark.parametrize(("name", "seats"), [("azul", 2), ("blockers", 3), ("duel", 2)])
def test_what_is_read_is_what_was_played(name, seats, tmp_path, capsys):
    file = tmp_path / "games.parquet"
    players = ["greedy"] * (seats - 1) + ["random"]
    assert cli.main(["dataset", name, *players, "--games", "3", "--out", str(file), "--json"]) == 0
    counted = json.loads(capsys.readouterr().out.splitlines()[-1])
    (block,) = dataset.blocks(file)
    assert len(block["game"]) == counted["decisions"]
    assert counted["bytes"] == file.stat().st_size
    config = GAMES[name].Config(seats)
    assert block["seen"].shape == (counted["decisions"], fields.size(ENCODINGS[name].fields(config)))
    assert set(block["game"]) == {0, 1, 2}
    assert set(block["seat"]) == set(range(seats))
    for game in range(3):
        mine = block["game"] == game
        assert block["number"][mine].tolist() == list(range(mine.sum()))
        gained = {int(seat): float(it) for seat, it in zip(block["seat"][mine], block["reward"][mine], strict=True)}
        assert sum(gained.values()) == pytest.approx(0, abs=1e-6)
    told = dataset.about(file)
    assert told["players"] == players
    assert told["observation"] == f"{name}/1"
    assert told["rules"].startswith(f"{name}/1 seats={seats}")


def test_games_come_in_blocks_and_from_the_same_seed_alike(tmp_path):
    first, second = tmp_path / "1", tmp_path / "2"
    for file in (first, second):
        assert cli.main(["dataset", "azul", "random", "random", "--games", "2", "--out", str(file)]) == 0
    blocks = list(dataset.blocks(first, 20))
    assert len(blocks) > 2
    assert max(len(block["game"]) for block in blocks) == 20
    again = numpy.concatenate([block["seen"] for block in dataset.blocks(second, 33)])
    assert (numpy.concatenate([block["seen"] for block in blocks]) == again).all()


@pytest.mark.parametrize(("name", "seats"), [("azul", 3), ("blockers", 2), ("duel", 2)])
def test_an_annotator_adds_its_move_and_expected_reward_and_changes_no_game(name, seats, tmp_path):
    plain, judged = tmp_path / "plain", tmp_path / "judged"
    players = ["random"] * seats
    assert cli.main(["dataset", name, *players, "--games", "3", "--out", str(plain)]) == 0
    judge = ["--judge", "3", "--judge-nodes", "20"]
    assert cli.main(["dataset", name, *players, "--games", "3", *judge, "--out", str(judged)]) == 0
    (before,), (block,) = dataset.blocks(plain), dataset.blocks(judged)
    assert block["move"].tolist() == before["move"].tolist()
    assert (block["seen"] == before["seen"]).all()
    assert "value" not in before
    assert dataset.about(judged)["judge"] == {"level": "3", "nodes": 20}
    assert block["value"].min() >= -1.001
    assert block["value"].max() <= 1.001
    assert block["value"].std() > 0.1
    agrees = block["best"] == block["action"]
    assert agrees.any()
    assert not agrees.all()
    assert (block["best_move"][agrees] == block["move"][agrees]).all()
    config = GAMES[name].Config(seats)
    assert block["best"].max() < ENCODINGS[name].table(config, 1).width


def test_an_annotator_sees_who_is_about_to_win(tmp_path):
    file = tmp_path / "azul"
    judge = ["--judge", "5", "--judge-nodes", "200"]
    assert cli.main(["dataset", "azul", "4", "random", "--games", "2", *judge, "--out", str(file)]) == 0
    (block,) = dataset.blocks(file)
    late = block["number"] > 30
    assert (numpy.sign(block["value"][late]) == block["reward"][late]).mean() > 0.9


def test_an_unknown_player_is_rejected(tmp_path, capsys):
    assert cli.main(["dataset", "azul", "deep", "blue", "--out", str(tmp_path / "x")]) == 2
    assert "'deep' is not a bot for azul" in capsys.readouterr().err
    assert cli.main(["dataset", "azul", "1", "1", "--judge", "deep", "--out", str(tmp_path / "x")]) == 2
    assert "'deep' is not a bot for azul" in capsys.readouterr().err
