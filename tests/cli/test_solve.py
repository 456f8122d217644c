"""The command `tessella solve`: positions, records, certificates, files of proved positions, and what it refuses."""

import json
from pathlib import Path

import pytest

from tessella.cli import main
from tessella.coach import solution

ROW = Path(__file__).parents[2] / "records" / "azul" / "row.game"
POSITION = (
    "2c 5 0>0 bbyr,-,-,-,- m ~ 0.0.0.0.0 20:w/-/-/-/-:byrk./wb.../k..../r..../y....:- "
    "24:-/b/-/-/-:...../...../...../...../.....:-"
)


def test_a_position_is_solved(capsys):
    assert main(["solve", POSITION, "--json"]) == 0
    said, _, line = capsys.readouterr().out.rstrip().rpartition("\n")
    found = json.loads(line)
    assert (found["result"], found["exact"], found["ending"]) == ("win", True, True)
    assert found["low"] == found["high"]
    assert "a proved win for seat 0" in said
    assert f"{found['low'] // 2:+} points" in said


def test_a_certificate_is_written_and_checked(tmp_path, capsys):
    assert main(["solve", POSITION, "--certify", str(tmp_path / "proof.json")]) == 0
    assert "positions checked" in capsys.readouterr().out
    assert json.loads((tmp_path / "proof.json").read_text())["claim"] == "at least"


def test_the_last_round_of_a_record_is_solved(capsys):
    assert main(["solve", str(ROW), "--left", "6"]) == 0
    assert "positions," in capsys.readouterr().out


def test_the_proved_positions_of_played_games_are_written(tmp_path, capsys):
    file = tmp_path / "proved.jsonl"
    assert main(["solve", "--games", "2", "--left", "6", "--out", str(file)]) == 0
    written = solution.read(file.read_text("utf-8"))
    assert f"{len(written)} proved positions of 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either a position or a game"),
        ([POSITION, "--games", "1"], "give either a position or a game"),
        ([str(ROW), "--act", "5000"], "there is no act 5000"),
        ([str(ROW), "--act", "0"], "only drafting with two players"),
        ([str(ROW.parents[1] / "duel" / "below-nothing.game")], "only Azul can be solved"),
    ],
)
def test_what_cannot_be_solved_is_refused(arguments, message, capsys):
    assert main(["solve", *arguments]) == 2
    assert message in capsys.readouterr().err
