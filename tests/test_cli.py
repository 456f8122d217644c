"""The command line, as a person would use it."""

import json
import re
from pathlib import Path

import pytest

from tessella import cli
from tessella.bench import games
from tessella.core import record
from tessella.games import azul

RECORDS = Path(__file__).parents[1] / "records"
ROW = str(RECORDS / "azul" / "row.game")


def typed(monkeypatch, *lines: str) -> None:
    waiting = iter(lines)

    def answer(_prompt: str) -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)


def test_a_level_has_a_name_for_people(capsys, tmp_path):
    file = tmp_path / "x.game"
    assert cli.main(["play", "azul", "3", "4", "--language", "nl", "--save", str(file)]) == 0
    assert record.read(file.read_text()).names == ("Verzamelaar", "Leerling")


def test_play_saves_a_game_that_verifies(monkeypatch, capsys, tmp_path):
    file = tmp_path / "x.game"
    assert cli.main(["play", "azul", "greedy", "random", "greedy", "--save", str(file)]) == 0
    saved = record.read(file.read_text())
    assert record.verify(azul, saved) >= 5
    assert saved.names == ("Nimble", "Dreamer", "Nimble 2")
    shown = capsys.readouterr().out
    assert "The game is over." in shown
    assert "1. Nimble" in shown
    link = shown.split("to share: ")[1].split()[0]
    assert cli.main(["replay", link]) == 0


def test_play_by_hand_shows_preview_rules_and_refusals(monkeypatch, capsys):
    typed(
        monkeypatch,
        "?",
        "moves",
        "all",
        "rule az15",
        "rule zz99",
        "rules",
        "record",
        "look",
        "9b1",
        "nonsense",
        "1q1",
        "",
        "1b1",
        "quit",
    )
    assert cli.main(["play", "azul", "Ann", "Bob", "--seed", "00" * 32, "--language", "en"]) == 0
    shown = capsys.readouterr().out
    assert "3r4   all red tiles of factory 3" in shown
    assert "Rule AZ15" in shown
    assert "There is no rule ZZ99." in shown
    assert "Not allowed: there is no factory 9." in shown
    assert "'nonsense' is not a move" in shown
    assert "Stopped." in shown


@pytest.mark.parametrize(("language", "refusal"), [("nl", "Regel AZ01"), ("fr", "Règle AZ01")])
def test_a_refusal_is_told_in_the_readers_language(monkeypatch, capsys, language, refusal):
    typed(monkeypatch, "9b1", "nonsense")
    assert cli.main(["play", "azul", "Ann", "Bob", "--language", language]) == 0
    assert refusal in capsys.readouterr().out


def test_options_of_a_game(capsys):
    assert cli.main(["play", "azul", "random", "random", "-o", "wall=grey"]) == 0
    assert cli.main(["play", "azul", "random", "random", "-o", "wall=pink"]) == 2
    assert "wall" in capsys.readouterr().err


def test_replay_prints_browses_and_shows_one_act(capsys, monkeypatch):
    assert cli.main(["replay", ROW]) == 0
    assert "Where" not in capsys.readouterr().err
    assert cli.main(["replay", ROW, "--at", "3"]) == 0
    assert "Act 3 of" in capsys.readouterr().out
    assert cli.main(["replay", ROW, "--seen"]) == 0
    assert "TilesTaken" in capsys.readouterr().out
    assert cli.main(["replay", ROW, "--short"]) == 0
    short_form = capsys.readouterr().out.strip()
    assert cli.main(["replay", short_form, "--at", "1"]) == 0


def test_verify_says_what_it_proves(capsys):
    assert cli.main(["verify", ROW]) == 0
    assert "does not prove" in capsys.readouterr().out


def test_verify_fails_for_a_changed_game(capsys, tmp_path):
    file = tmp_path / "x.game"
    file.write_text(Path(ROW).read_text().replace("scores 4", "scores 5"))
    assert file.read_text() != Path(ROW).read_text()
    assert cli.main(["verify", str(file)]) == 2
    assert "tessella:" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "chess/1\n\ne4\n", "azul/99 seats=2\n"])
def test_what_is_no_record_is_refused(tmp_path, text):
    file = tmp_path / "x.game"
    file.write_text(text)
    assert cli.main(["replay", str(file)]) == 2
    assert cli.main(["verify", str(tmp_path / "nothing.game")]) == 2


def test_perft_exits_0_only_if_every_count_holds(tmp_path, capsys):
    right = (RECORDS / "azul" / "drafting.perft").read_text().replace(" ; 3 1172880", "")
    good, bad = tmp_path / "good.perft", tmp_path / "bad.perft"
    good.write_text(right)
    bad.write_text(right.replace("13680", "13681"))
    assert cli.main(["perft", str(good)]) == 0
    assert cli.main(["perft", str(good), str(bad)]) == 1
    assert "WRONG" in capsys.readouterr().out


def test_bench_games_ends_with_json_and_judges_its_gate(capsys, monkeypatch):
    cli.main(["bench", "games", "azul", "--seconds", "0.2", "--json"])
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["moves_per_s"] > 1000
    monkeypatch.setitem(games.GATES, "azul", 10**9)
    assert cli.main(["bench", "games", "azul", "--seconds", "0.1"]) == 1


def test_says_which_version_it_is(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == 0
    assert re.fullmatch(r"tessella \d+\.\d+\S*\n", capsys.readouterr().out)


def test_play_needs_a_game_where_nobody_can_be_asked(capsys):
    assert cli.main(["play"]) == 2
    assert "which game? azul" in capsys.readouterr().err


def test_plain_text_is_for_this_keyboard_only(capsys):
    assert cli.main(["play", "azul", "--server", "http://club.example", "--plain"]) == 2
    assert cli.main(["play", "http://club.example/join/abc#secret"]) == 2
    assert capsys.readouterr().err.count("this keyboard only") == 2
    with pytest.raises(SystemExit):
        cli.main(["play", "chess"])


def test_who_listens_is_told_the_table_in_sentences_until_they_look(monkeypatch, capsys):
    typed(monkeypatch, "look", "read")
    assert cli.main(["play", "azul", "Ann", "Bob", "--aloud", "--seed", "00" * 32, "--language", "en"]) == 0
    shown = re.findall(r"Factory 1:|│", re.sub(r"│.*", "│", capsys.readouterr().out))
    assert [mark for mark, before in zip(shown, ["", *shown], strict=False) if mark != before] == [
        "Factory 1:",
        "│",
        "Factory 1:",
    ]
    assert cli.main(["replay", ROW, "--aloud", "--at", "1", "--language", "en"]) == 0
    assert "Centre: " in capsys.readouterr().out


def test_what_makes_no_sense_is_refused_before_anything_is_played(capsys):
    assert cli.main(["play", "azul", "--pair", "2"]) == 2
    assert "--pair needs --server" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["play", "azul", "--seed", "0x" + "0" * 62])
    assert "64 hexadecimal digits" in capsys.readouterr().err


def test_a_level_can_be_asked_by_its_name(capsys):
    assert cli.main(["play", "azul", "Newcomer", "newcomer"]) == 0
    assert "Newcomer 2 plays" in capsys.readouterr().out
