"""Games as files of decisions: what is read is what was played."""

import json
from pathlib import Path

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
    table = ENCODINGS[name].table(config, 1)
    assert block["mask"].shape == (counted["decisions"], table.width)
    assert block["mask"][numpy.arange(len(block["action"])), block["action"]].all()
    assert 1 < block["mask"].sum(axis=1).mean() < table.width / 2
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


def test_mixed_bots_splits_and_metadata_are_in_the_file_and_every_byte_can_be_made_again(tmp_path):
    files = [tmp_path / name for name in ("one", "two", "other")]
    for file, seed in zip(files, ("3", "3", "4"), strict=True):
        words = ["azul", "1,random", "greedy", "--games", "40", "--seed", seed, "--out", str(file)]
        assert cli.main(["dataset", *words]) == 0
    assert files[0].read_bytes() == files[1].read_bytes() != files[2].read_bytes()
    (block,) = dataset.blocks(files[0], 10_000)
    by_game: dict[tuple[int, int], str] = {}
    for game, seat, player in zip(block["game"], block["seat"], block["player"], strict=True):
        assert by_game.setdefault((game, seat), player) == player
    first = {player for (_, seat), player in by_game.items() if seat == 0}
    assert first == {"1", "random"}
    assert {player for (_, seat), player in by_game.items() if seat == 1} == {"greedy"}
    splits = dict(zip(block["game"].tolist(), block["split"].tolist(), strict=True))
    assert splits == {game: dataset.split_of(3, game) for game in range(40)}
    about = dataset.about(files[0])
    assert about["games"] == 40
    assert about["decisions"] == len(block["game"])
    assert about["seed"] == 3
    assert about["splits"] == {name: [*splits.values()].count(name) for name in sorted({*splits.values()})}


@pytest.mark.parametrize("name", ["azul", "duel", "blockers"])
def test_the_samples_are_what_the_command_in_the_data_card_gives(name, tmp_path):
    sample = Path(__file__).parents[2] / "examples" / "data" / f"{name}.parquet"
    file = tmp_path / "again"
    assert cli.main(["dataset", name, "1,2,3,4", "1,2,3,4", "--games", "5", "--out", str(file)]) == 0
    (again,), (block,) = dataset.blocks(file, 100_000), dataset.blocks(sample, 100_000)
    assert dataset.about(sample)["games"] == 20
    for column in ("move", "player", "split", "seen", "mask"):
        assert block[column][: len(again["game"])].tolist() == again[column].tolist()


def test_about_one_game_in_ten_is_held_out():
    splits = [dataset.split_of(1, game) for game in range(20_000)]
    assert {name: round(splits.count(name) / 20_000, 2) for name in ("train", "validation", "test")} == {
        "train": 0.9,
        "validation": 0.05,
        "test": 0.05,
    }


def test_two_processes_write_the_same_bytes_as_one(tmp_path):
    files = [tmp_path / f"{jobs}" for jobs in ("1", "2")]
    for file in files:
        words = ["azul", "1,4", "1,4", "--games", "70", "--jobs", file.name, "--out", str(file)]
        assert cli.main(["dataset", *words]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_set_in_parts_has_the_games_of_the_whole(tmp_path):
    whole, first, last = (tmp_path / name for name in ("whole", "first", "last"))
    for file, start, games in ((whole, "0", "6"), (first, "0", "4"), (last, "4", "2")):
        words = ["azul", "1,random", "random", "--first", start, "--games", games, "--out", str(file)]
        assert cli.main(["dataset", *words]) == 0
    (all_games,), *parts = (list(dataset.blocks(file)) for file in (whole, first, last))
    for name, column in all_games.items():
        assert column.tolist() == numpy.concatenate([part[name] for (part,) in parts]).tolist()


def test_the_number_of_the_first_game_is_not_negative(tmp_path, capsys):
    with pytest.raises(SystemExit):
        cli.main(["dataset", "azul", "1", "1", "--first", "-1", "--out", str(tmp_path / "x")])
    assert "it cannot be negative" in capsys.readouterr().err
