"""Engines as processes: ours, the examples in four languages, and rogues that break one rule each."""

import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tessella import cli
from tessella.bots import Budget
from tessella.core import link, wire
from tessella.core.local import LocalTable
from tessella.core.record import write_rules
from tessella.engine import process
from tessella.engine.check import RULES, check
from tessella.engine.messages import Info, Ok, read_answer, write_command
from tessella.engine.process import EngineError, EnginePool, EngineProcess, engine_bot, find_move, started
from tessella.engine.speaker import Speaker
from tessella.games import GAMES, azul, blockers, duel

EXAMPLES = Path(__file__).parents[2] / "examples" / "engines"
OURS = shlex.join([sys.executable, "-m", "tessella", "engine", "--level", "1"])
RULES_OF_A_TITLE = 4


def rogue(fault: str = "") -> str:
    return shlex.join([sys.executable, "-S", str(Path(__file__).parent / "rogue.py"), *([fault] if fault else [])])


def a_table(game, moves=9, seats=2, seed=0):
    table, rng = LocalTable(game, game.Config(seats=seats), seed=bytes([seed] * 32)), Random(seed)
    for _ in range(moves):
        table.play(rng.choice(table.moves))
    return table


# What an engine may know


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.NAME)
def test_an_engine_gets_nothing_that_its_seat_may_not_know(game, monkeypatch):
    """The lines for two states that look the same to the seat are the same."""
    sent: list[str] = []
    monkeypatch.setattr(EngineProcess, "ask", lambda _, command: sent.append(write_command(command)))
    for number in range(5):
        table = a_table(game, moves=10 + 3 * number, seed=number)
        seat = table.seats[0]
        other = game.imagine(game.view(table.state, seat), Random(99))
        lines = []
        for state in (table.state, other):
            sent.clear()
            EngineProcess.show(EngineProcess.__new__(EngineProcess), game, game.view(state, seat), Random(7))
            lines.append(tuple(sent))
        assert lines[0] == lines[1]
        assert [line.partition(" ")[0] for line in lines[0]] == ["view", "position", "moves"]


def test_the_position_of_azul_is_the_true_one(monkeypatch):
    sent: list[str] = []
    monkeypatch.setattr(EngineProcess, "ask", lambda _, command: sent.append(write_command(command)))
    table = a_table(azul)
    EngineProcess.show(EngineProcess.__new__(EngineProcess), azul, azul.view(table.state, table.seats[0]), Random(7))
    assert sent[1] == f"position {table.seats[0]} {azul.write_state(table.state)}"


def test_the_positions_of_the_page_are_read_and_written_the_same():
    page = (EXAMPLES.parents[1] / "docs" / "reference" / "engine-protocol.md").read_text()
    examples = dict(re.findall(r"\*\*(.+?)\*\*\n\n```text\n(.+)\n```", page.partition("## Positions")[2]))
    for title, game in {"Azul": azul, "Azul Duel": duel, "Blockers!": blockers}.items():
        assert game.write_state(game.read_state(examples[title])) == examples[title]


# Ours


def answers(*lines: str, level="1"):
    speaker = Speaker(level)
    return [answer for line in lines for answer in speaker.answer(line)]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.NAME)
def test_a_view_a_position_and_a_record_lead_to_the_same_move(game):
    table = a_table(game)
    seat = table.seats[0]
    new = f"new {write_rules(game, game.Config(seats=2))}"
    view = f"view {wire.encode(game.view(table.state, seat)).decode()}"
    position = f"position {seat} {game.write_state(table.state)}"
    record = f"record {link.shorten(game, table.record())}"
    asked = [[new, view], [new, position], [record]]
    moves = [answers("option seed 5", *lines, "go nodes 20", level="4")[-1] for lines in asked]
    assert len({*moves}) == 1
    text = moves[0].removeprefix("move ")
    assert find_move(game, game.view(table.state, seat), text, Random(1)).seat == seat


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.NAME)
def test_with_info_the_value_and_the_line_come_before_the_move(game):
    table = a_table(game)
    position = f"position {table.seats[0]} {game.write_state(table.state)}"
    new = f"new {write_rules(game, game.Config(seats=2))}"
    *_, info, move = answers("option info on", new, position, "go nodes 20", level="4")
    found = read_answer(info)
    assert isinstance(found, Info)
    assert found.value is not None
    assert 0 <= found.value <= 1
    assert found.line[0] == move.removeprefix("move ")


AZUL = f"new {write_rules(azul, azul.Config())}"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["tessella 2"], "version 2 is not spoken here: expected 1"),
        (["option colour red"], "there is no option 'colour': expected level, seed, info"),
        (["option level 9"], "'9' is no level: expected 1, 2"),
        (["new azul/1 wall=red"], "'wall=red': expected coloured, grey"),
        (["view {}"], "there is no game: send new first"),
        ([AZUL, "view {}"], "this is not a view of azul"),
        ([AZUL, "position 0 nonsense"], "a position has at least nine words"),
        ([AZUL, f"position 3 {azul.write_state(a_table(azul).state)}"], "there is no seat 3"),
        ([AZUL, f"position {1 - a_table(azul).seats[0]} {azul.write_state(a_table(azul).state)}"], "is not to move"),
        ([AZUL, f"position 0 {azul.write_state(a_table(azul, seats=3).state)}"], "a game with other options"),
        (["record chess1.abc"], "is not the one-line form of a game of azul"),
        (["go"], "there is no game"),
        ([AZUL, "go"], "there is no position: send view, position or record first"),
    ],
)
def test_our_engine_says_what_is_wrong(lines, expected):
    last = answers(*lines)[-1]
    assert last.startswith("error ")
    assert expected in last


def test_our_engine_speaks_through_the_command_line():
    lines = "tessella 1\nquit\n"
    done = subprocess.run(shlex.split(OURS), input=lines, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[0] == "name Tessella, level 1"
    assert done.stdout.splitlines()[-1] == "ok"


# The check


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The commands of the examples, by language; those without a compiler are missing."""
    folder = tmp_path_factory.mktemp("engines")
    found = {"python": shlex.join([sys.executable, str(EXAMPLES / "engine.py")])}
    if shutil.which("node"):
        found["javascript"] = shlex.join(["node", str(EXAMPLES / "engine.js")])
    for language, words in {
        "c": ["gcc", "-O2", "-Wall", "-Wextra", "-Werror"],
        "rust": ["rustc", "-Dwarnings"],
    }.items():
        if shutil.which(words[0]):
            out = folder / language
            source = EXAMPLES / f"engine.{'c' if language == 'c' else 'rs'}"
            subprocess.run([*words, "-o", str(out), str(source)], check=True, cwd=folder)
            found[language] = str(out)
    return found


@pytest.mark.heavy
@pytest.mark.parametrize("language", ["python", "javascript", "c", "rust"])
def test_every_example_keeps_all_rules(compiled, language):
    if language not in compiled:
        pytest.skip(f"NOT RUN: the example in {language} needs its compiler, which is not installed")
    findings = list(check(compiled[language], games=1))
    assert [finding.reason for finding in findings if not finding.passed] == []
    assert len(findings) == 1 + len(RULES) + RULES_OF_A_TITLE * len(GAMES)


def test_every_example_is_short_and_tested():
    files = {path.name: len(path.read_text().splitlines()) for path in EXAMPLES.iterdir() if path.suffix != ".md"}
    assert files.keys() == {"engine.c", "engine.js", "engine.py", "engine.rs"}
    assert max(files.values()) < 60


@pytest.mark.heavy
def test_our_engine_keeps_all_rules():
    assert [str(finding) for finding in check(OURS, games=1) if not finding.passed] == []


FAULTS = {
    "nameless": "hello",
    "wrong title": "hello",
    "any version": "version",
    "unknown": "unknown",
    "no option": "options",
    "any option": "wrong-option",
    "any game": "wrong-game",
    "no position": "no-position",
    "stop": "idle-stop",
    "quit": "quit",
    "exit code": "quit",
    "end": "end",
    "crash": "azul legal",
    "illegal": "azul legal",
    "chatter": "azul legal",
    "no move": "azul legal",
    "wrong line": "azul legal",
    "wrong value": "azul legal",
    "late": "azul time",
}


@pytest.mark.heavy
@pytest.mark.parametrize(("fault", "rule"), FAULTS.items())
def test_a_broken_rule_is_found(fault, rule, monkeypatch):
    monkeypatch.setattr("tessella.engine.check.GAMES", {"azul": azul, "blockers": blockers, "duel": duel})
    monkeypatch.setattr("tessella.engine.check.END_SECONDS", 1.0)
    broken: list[str] = []
    for finding in check(rogue(fault), games=1):
        broken += [] if finding.passed else [finding.rule]
        if rule in broken or finding.rule.startswith("blockers"):
            break
    assert broken[-1:] == [rule]


@pytest.mark.heavy
def test_the_command_prints_every_rule_and_ends_with_json(capsys):
    assert cli.main(["engine", "--check", rogue("exit code"), "--games", "1", "--json"]) == 1
    *lines, last = capsys.readouterr().out.splitlines()
    found = json.loads(last)
    assert not found["passed"]
    assert [rule["rule"] for rule in found["rules"] if not rule["passed"]] == ["quit"]
    assert "FAIL  quit" in "\n".join(lines)
    assert lines[-1] == "21 of 22 rules kept"


def test_a_command_that_does_not_exist_fails_the_first_rule():
    (finding,) = check("./no-such-engine")
    assert not finding.passed
    assert "cannot start './no-such-engine'" in finding.reason


# The process


ONE_NODE = Budget(nodes=1)


def ask(fault: str, budget=ONE_NODE):
    view = azul.view(a_table(azul).state, a_table(azul).seats[0])
    with started(rogue(fault)) as engine:
        return engine_bot(azul, engine)(view, budget, Random(1))


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("crash", "the engine ended with exit code 1: ZeroDivisionError: too many moves"),
        ("illegal", "illegal move '9z9'"),
        ("chatter", "'let me think' is not an answer: expected name, author"),
        ("no move", "an answer to go without a move"),
        ("wrong value", "with V from 0 to 1"),
    ],
)
def test_a_failure_says_why(fault, why):
    with pytest.raises(EngineError, match=why.replace("[", r"\[")):
        ask(fault)


def test_an_engine_that_does_not_answer_is_ended(monkeypatch):
    monkeypatch.setattr(process, "OVERRUN_SECONDS", 0.1)
    monkeypatch.setattr(process, "STOP_SECONDS", 0.2)
    began = time.monotonic()
    with pytest.raises(EngineError, match="no answer within"):
        ask("silent", Budget(seconds=0.1))
    assert time.monotonic() - began < 30


def test_whatever_an_engine_started_ends_with_it():
    with started(rogue("child")) as engine:
        until = time.monotonic() + 10
        while not engine._errors and time.monotonic() < until:
            time.sleep(0.01)
        child = int(engine._errors[0])
        os.kill(child, 0)
    time.sleep(0.2)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, 0)
        status = Path(f"/proc/{child}/status")
        assert not status.exists() or "Z (zombie)" in status.read_text()


def test_a_pool_lends_the_same_process_again_but_not_one_that_failed():
    pool = EnginePool()
    try:
        with pool.lend(rogue()) as first:
            pass
        with pool.lend(rogue()) as again:
            assert again is first
        with contextlib.suppress(KeyError), pool.lend(rogue()):
            raise KeyError
        assert not first.is_running
        with pool.lend(rogue()) as fresh:
            assert fresh is not first
    finally:
        pool.close()
    assert not fresh.is_running


def test_stop_without_go_has_no_answer():
    with started(rogue()) as engine:
        engine.send_line("stop")
        engine.send_line("option pace fast")
        assert engine.answer(10) == Ok()
