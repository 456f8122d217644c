"""Every command of ours and every program in the documentation runs, in the order of its page.

Long commands run with less effort (`SMALLER`); the files that a page assumes are created first. Commands for hosts run
in `tests/server/test_host_guides.py`; a command that runs elsewhere or nowhere has its reason in `is_run_elsewhere`.
"""

import os
import subprocess
import sys

import pytest

from tessella import cli
from tessella.bots.azul.net import file_name
from tests.pages import (
    PAGES,
    ROOT,
    SCRIPTS,
    WITH_COMMANDS,
    blocks,
    commands,
    is_ours,
    is_script,
    lines_of,
    read_line,
    scripts,
)

LEARNING = ["--games", "60", "--generations", "1", "--epochs", "3", "--nodes", "10", "--jobs", "1"]
"""Enough for a net to get better."""
TRYING = ["--games", "20", "--steps", "1", "--jobs", "1"]
CHOOSING = ["--games", "20", "--generations", "1", "--nodes", "20", "--jobs", "1"]
"""For training weights of moves, which need no epochs."""
WITHOUT_NET = {"blockers": TRYING, "azul-policy": CHOOSING}
SMALLER = {
    "scripts/bench": ["--seconds", "0.1"],
    "scripts/prove": ["--size", "1"],
    "analyse": ["--nodes", "1"],
    "arena": ["--games", "2", "--nodes", "2", "--jobs", "1"],
    "benchmark": ["--deals", "1", "--reviews", "0"],
    "calibrate": ["--games", "1"],
    "dataset": ["--games", "1"],
    "engine": ["--games", "1"],
    "puzzles": ["--games", "1", "--most", "1"],
    "train": LEARNING,
}
"""Appended to the arguments on the page, so that they override them: the same work in a few seconds."""
MEASURING = ["arena"], ["calibrate"], ["train", "azul-policy"], ["train", "blockers"], ["scripts/prove", "load"]
"""Exit with 1 if a gate is missed, which so little work may do."""
FOR_HOSTS = {"admin", "serve", "work"}
"""Run in `tests/server/test_host_guides.py`."""
ELSEWHERE = {
    **dict.fromkeys(FOR_HOSTS, "tests/server/test_host_guides.py"),
    "bridge": "it needs a server: tests/server/test_bridge.py",
    "mcp": "it waits for a client: tests/models/test_mcp.py",
    "scripts/mutate": "a sample of the mutants: tests/proofs/test_mutation.py",
}
"""Where commands run that never run here."""
WITH_PROGRAMS = [path for path in PAGES if blocks(path, "python")]
FINISHED = (ROOT / "records" / "azul" / "row.game").read_text()


def is_run_elsewhere(arguments: list[str]) -> str:
    """Return where else a command runs, or why it does not run; empty if it runs here."""
    if arguments == ["scripts/prove", "all"]:
        return "every proof by itself: tests/proofs/test_prove.py"
    if arguments[0] in ELSEWHERE:
        return ELSEWHERE[arguments[0]]
    if arguments == ["play"]:
        return "it needs a whole screen: tests/terminal/test_real_terminal.py"
    if arguments[0] == "play" and arguments[1].endswith(".game"):
        return "it needs a game in progress: tests/terminal/test_keeping.py"
    if arguments[0] == "engine" and "--check" not in arguments:
        return "it waits for the lines of a controller: tests/engine/test_engine.py"
    if any(word == "--server" or "://" in word for word in arguments):
        return "it needs another player at the table: tests/server/http/test_play_online.py"
    if any(word.startswith(("imitate:", "ppo:", "alphazero:")) for word in arguments):
        return "what plays must have learned before: tests/test_examples.py"
    if any(word.startswith("sb3:") for word in arguments):
        return "it needs sb3-contrib and must have learned before: tests/test_examples.py, where that is installed"
    if "--ray" in arguments:
        return "it needs a cluster: tests/arena/test_arena.py, with one that it starts itself"
    return ""


def is_measuring(arguments: list[str]) -> bool:
    """Whether the command may exit with 1."""
    return any(arguments[: len(words)] == words for words in MEASURING)


def shorter(arguments: list[str]) -> list[str]:
    """Return the command with less effort; shell patterns are expanded."""
    if arguments[0] == "perft":
        return ["perft", *(str(path) for path in sorted((ROOT / "records").glob("*/*first-move*.perft")))]
    less = SMALLER.get(arguments[0], [])
    if arguments[0] == "train":
        less = WITHOUT_NET.get(arguments[1], less)
    if arguments[0] == "puzzles" and "find" not in arguments:
        less = []  # they are solved, by nobody
    elif arguments[0] == "puzzles" and "--games" not in arguments:
        less = less[2:]  # games that were played before: one that is there
    return [*arguments, *less]


def prepare(path, folder):
    """Create the files that the page assumes: finished games, and the module that it asks the reader to write."""
    folder.joinpath("records").symlink_to(ROOT / "records")
    folder.joinpath("examples").symlink_to(ROOT / "examples")
    folder.joinpath("my-games").mkdir()
    folder.joinpath("my-games", "one.game").write_text(FINISHED)
    if path.name == "train.md":
        little = ["--games", "20", "--generations", "1", "--epochs", "1", "--nodes", "2", "--jobs", "1", "--out", "old"]
        assert cli.main(["train", "azul", *little]) == 0
        folder.joinpath("old", file_name(2, "coloured")).rename(folder / "old.net")
    if path.name in ("write-a-bot.md", "benchmark.md"):
        page = path.with_name("write-a-bot.md")
        folder.joinpath("mine.py").write_text(next(block for block in blocks(page, "python") if "def careful" in block))


def arguments_of(words: list[str]) -> list[str]:
    """Return the arguments of a `tessella` command, or the words of a script with a command line; else nothing."""
    return words[1:] if is_ours(words) else words if is_script(words) else []


def run_here(arguments: list[str]) -> int:
    """Run a command in this process and return its exit code; help exits."""
    script = SCRIPTS.get(arguments[0])
    try:
        return script.main(arguments[1:]) if script else cli.main(arguments)
    except SystemExit as exc:
        return int(exc.code or 0)


def run_apart(arguments, folder, variables):
    """Run in a separate process, because the page sets environment variables."""
    path = os.pathsep.join([variables.get("PYTHONPATH", ""), str(ROOT / "src")]).lstrip(os.pathsep)
    environment = os.environ | variables | {"PYTHONPATH": path}
    command = [sys.executable, "-m", "tessella", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=lambda path: path.name)
def test_every_command_runs(path, tmp_path, monkeypatch, capsys):
    def end_of_input(_prompt=""):
        raise EOFError

    monkeypatch.setattr("builtins.input", end_of_input)
    monkeypatch.chdir(tmp_path)
    prepare(path, tmp_path)
    for variables, words in map(read_line, lines_of(path)):
        if not (arguments := arguments_of(words)) or is_run_elsewhere(arguments):
            continue
        for name in ("friday.game", "evening.game", "game.game"):  # what was begun above has come to its end
            tmp_path.joinpath(name).write_text(FINISHED)
        arguments = shorter(arguments)
        if variables:
            done = run_apart(arguments, tmp_path, variables)
            code, errors = done.returncode, done.stderr
        else:
            code, errors = run_here(arguments), capsys.readouterr().err
        assert code == 0 or (code == 1 and is_measuring(arguments)), (arguments, errors)
        assert "Traceback" not in errors


@pytest.mark.parametrize("path", WITH_PROGRAMS, ids=lambda path: path.name)
def test_every_program_in_python_runs(path):
    for program in blocks(path, "python"):
        command = [sys.executable, "-W", "error", "-c", program]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_readme_plays_a_whole_game_in_ten_lines():
    (block,) = blocks(ROOT / "README.md", "python")
    assert len([line for line in block.splitlines() if line.strip()]) <= 10
    assert "azul.Config(seats=2)" in block


def commands_of(path):
    return [*commands(path), *scripts(path)]


def test_what_is_run_elsewhere_is_run_there():
    reasons = {is_run_elsewhere(each) for path in WITH_COMMANDS for each in commands_of(path)} - {""}
    for reason in reasons:
        (file,) = (word.rstrip(",") for word in reason.split() if word.startswith("tests/"))
        assert (ROOT / file).exists(), reason
    assert len(reasons) == 12


def test_nothing_is_made_smaller_that_no_page_names():
    named = {each[0] for path in WITH_COMMANDS for each in commands_of(path)}
    assert named >= SMALLER.keys()
