"""The command line, as a person would use it."""

import json
import re
import resource
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bench import games
from bench.__main__ import main as bench
from tessella import cli
from tessella.cli import completion
from tessella.core import record
from tessella.extras import EXTRAS, advice
from tessella.games import azul

RECORDS = Path(__file__).parents[2] / "records"
ROW = str(RECORDS / "azul" / "row.game")


HEAVY = ("arena", "bots", "coach", "fast", "games", "research", "server", "terminal", "text", "train")
"""Rooms that `tessella --help` must not load."""
CPU_SECONDS = 0.15
"""The most CPU time, user and system together, that `tessella --help` may take."""
IMPORTED_AS = {
    "argon2-cffi": "argon2",
    "nats-py": "nats",
    "pillow": "PIL",
    "prometheus-client": "prometheus_client",
    "opentelemetry-sdk": "opentelemetry",
    "opentelemetry-exporter-otlp-proto-http": "opentelemetry",
    "resvg-py": "resvg_py",
}
"""Distributions whose module has another name."""
OPTIONAL = {"uvloop", "httptools"}
"""Used by uvicorn where they are installed."""


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
    assert "There is no factory 9." in shown
    assert "'nonsense' is not a move" in shown
    assert "Stopped." in shown


@pytest.mark.parametrize(
    ("language", "refusal"),
    [("nl", "Regel AZ01"), ("fr", "Règle AZ01"), ("de", "Regel AZ01"), ("es", "Regla AZ01"), ("it", "Regola AZ01")],
)
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
    bench(["games", "azul", "--seconds", "0.2", "--json"])
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["moves_per_s"] > 1000
    assert figures["not_judged"] == []
    assert figures["passed"] is (figures["moves_per_s"] >= figures["gate"])
    monkeypatch.setitem(games.GATES, "azul", 10**9)
    assert bench(["games", "azul", "--seconds", "0.1"]) == 1
    assert "MISSED" in capsys.readouterr().out


def test_says_which_version_it_is(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == 0
    assert re.fullmatch(r"tessella \d+\.\d+\S*\n", capsys.readouterr().out)


def test_play_needs_a_game_where_nobody_can_be_asked(capsys):
    assert cli.main(["play"]) == 2
    assert "which game? azul" in capsys.readouterr().err


def test_plain_text_says_that_a_server_does_not_answer(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert cli.main(["play", "azul", "Ann", "open", "--server", "http://127.0.0.1:9", "--plain"]) == 2
    assert cli.main(["play", "http://127.0.0.1:9/join/abc#secret", "Ann"]) == 2
    assert capsys.readouterr().err.count("http://127.0.0.1:9 does not answer") == 2
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


# The command line itself


def loaded_by(*arguments: str) -> set[str]:
    """The modules that a command loads, in a process of its own."""
    command = [sys.executable, "-X", "importtime", "-m", "tessella", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}


def test_help_loads_no_game_bot_server_or_array():
    loaded = loaded_by("--help")
    assert "tessella.cli" in loaded
    assert not {f"tessella.{room}" for room in HEAVY} & loaded
    assert not {"numpy", "msgspec", "importlib.metadata", "difflib"} & loaded


def test_a_command_loads_only_what_it_needs():
    loaded = loaded_by("verify", ROW)
    assert not {f"tessella.{room}" for room in ("arena", "bots", "coach", "fast", "server", "train")} & loaded
    assert "numpy" not in loaded


def test_help_takes_little_cpu_time():
    def cpu_seconds() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    taken = []
    for _ in range(5):
        before = cpu_seconds()
        subprocess.run([sys.executable, "-m", "tessella", "--help"], capture_output=True, check=True)
        taken.append(cpu_seconds() - before)
    assert min(taken) <= CPU_SECONDS


def test_the_help_of_benchmark_says_why_installed_games_are_left_out(capsys):
    with pytest.raises(SystemExit):
        cli.main(["benchmark", "--help"])
    assert "the strength of its bots was never measured" in " ".join(capsys.readouterr().out.split())


def test_without_a_command_it_prints_its_help(capsys):
    assert cli.main([]) == 0
    shown = capsys.readouterr().out
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    assert shown == capsys.readouterr().out
    assert all(re.search(rf"^    {name}\b", shown, re.MULTILINE) for name in cli.COMMANDS)


@pytest.mark.parametrize(("word", "meant"), [("paly", "play"), ("analyze", "analyse"), ("server", "serve")])
def test_an_unknown_command_suggests_the_nearest(capsys, word, meant):
    with pytest.raises(SystemExit) as ended:
        cli.main([word])
    assert ended.value.code == 2
    assert f"unknown command {word!r}; did you mean {meant!r}?" in capsys.readouterr().err


def test_an_unknown_command_like_no_other_lists_them_all(capsys):
    with pytest.raises(SystemExit):
        cli.main(["xyzzy"])
    assert f"unknown command 'xyzzy'; choose from {', '.join(cli.COMMANDS)}" in capsys.readouterr().err


def test_completion_sees_the_options_of_every_command():
    whole = completion.command(cli.parser())
    assert [each.name for each in whole.below] == [f"tessella {name}" for name in cli.COMMANDS]
    assert all(each.arguments for each in whole if not each.below)


def test_every_library_of_an_extra_can_be_named_when_it_is_missing():
    project = tomllib.loads((RECORDS.parent / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {name: needed for name, needed in project["optional-dependencies"].items() if name != "compare"}
    for needed in extras.values():
        libraries = {re.split(r"[\[<>=;]", line)[0] for line in needed} - {"tessella"} - OPTIONAL
        assert {IMPORTED_AS.get(name, name) for name in libraries} <= EXTRAS.keys()
    assert set(EXTRAS.values()) <= extras.keys()


@pytest.mark.parametrize(("library", "extra"), [("textual", "terminal"), ("ray", "cluster")])
def test_a_missing_library_is_answered_with_its_extra(library, extra):
    assert f"pip install 'tessella[{extra}]'" in (advice(ModuleNotFoundError(name=f"{library}.app")) or "")
