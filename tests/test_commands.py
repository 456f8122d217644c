"""Every command of ours in the documentation is run, in the order of its page.

What would take long is run with less effort, which `SMALLER` says; what a page takes for granted is put there first.
Commands for hosts are run in `tests/server/test_host_guides.py`; what is run nowhere, or elsewhere, says why.
"""

import os
import subprocess
import sys

import pytest
from tests.pages import ROOT, WITH_COMMANDS, blocks, commands, is_ours, lines_of, read_line

from tessella import cli

LEARNING = ["--games", "20", "--generations", "1", "--epochs", "1", "--nodes", "2", "--jobs", "1"]
TRYING = ["--games", "20", "--steps", "1", "--jobs", "1"]
"""For what is learned by trying, without a net."""
SMALLER = {
    "analyse": ["--nodes", "1"],
    "arena": ["--games", "2", "--nodes", "2", "--jobs", "1"],
    "bench": ["--seconds", "0.1"],
    "calibrate": ["--games", "1"],
    "dataset": ["--games", "1"],
    "puzzles": ["--games", "1", "--most", "1"],
    "train": LEARNING,
}
"""Said after what the page says, so that it counts instead: the same work, a few seconds of it."""
MEASURING = ["arena"], ["calibrate"], ["train", "blockers"]
"""They end with 1 if what they measured is not good enough, which nobody can expect of so few games."""
FOR_HOSTS = {"admin", "serve", "work"}
"""Run in `tests/server/test_host_guides.py`."""
FINISHED = (ROOT / "records" / "azul" / "row.game").read_text()


def is_run_elsewhere(arguments: list[str]) -> str:
    """Where else a command is run, or why it is not; nothing if it is run here."""
    if arguments[0] in FOR_HOSTS:
        return "tests/server/test_host_guides.py"
    if arguments == ["play"]:
        return "it needs a whole screen: tests/terminal/test_real_terminal.py"
    if any(word == "--server" or "://" in word for word in arguments):
        return "it needs somebody else at the table: tests/server/test_play_online.py"
    if any(word.startswith(("imitate:", "ppo:")) for word in arguments):
        return "what plays must have learned before: tests/test_examples.py"
    if "--ray" in arguments:
        return "it needs a cluster: tests/arena/test_arena.py, with one that it starts itself"
    return ""


def is_measuring(arguments: list[str]) -> bool:
    """Whether it may end with 1."""
    return any(arguments[: len(words)] == words for words in MEASURING)


def shorter(arguments: list[str]) -> list[str]:
    """The same with less effort; files that a shell would find are found."""
    if arguments[0] == "perft":
        return ["perft", *(str(path) for path in sorted((ROOT / "records").glob("*/*first-move*.perft")))]
    less = TRYING if arguments[:2] in MEASURING else SMALLER.get(arguments[0], [])
    if arguments[0] == "puzzles" and "--games" not in arguments:
        less = less[2:]  # games that were played before: one that is there
    return [*arguments, *less]


def prepare(path, folder):
    """What the page takes for granted: games that came to their end, and what it told to write into a file."""
    folder.joinpath("records").symlink_to(ROOT / "records")
    folder.joinpath("my-games").mkdir()
    folder.joinpath("my-games", "one.game").write_text(FINISHED)
    if path.name == "write-a-bot.md":
        folder.joinpath("mine.py").write_text(next(block for block in blocks(path, "python") if "def careful" in block))


def run_apart(arguments, folder, variables):
    """In a process of its own, since the page sets something for it."""
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
        if not is_ours(words) or is_run_elsewhere(words[1:]):
            continue
        for name in ("friday.game", "evening.game", "game.game"):  # what was begun above has come to its end
            tmp_path.joinpath(name).write_text(FINISHED)
        arguments = shorter(words[1:])
        if variables:
            done = run_apart(arguments, tmp_path, variables)
            code, wrong = done.returncode, done.stderr
        else:
            code, wrong = cli.main(arguments), capsys.readouterr().err
        assert code == 0 or (code == 1 and is_measuring(arguments)), (arguments, wrong)
        assert "Traceback" not in wrong


def test_what_is_run_elsewhere_is_run_there():
    reasons = {is_run_elsewhere(each) for path in WITH_COMMANDS for each in commands(path)} - {""}
    for reason in reasons:
        (file,) = (word.rstrip(",") for word in reason.split() if word.startswith("tests/"))
        assert (ROOT / file).exists(), reason
    assert len(reasons) == 5


def test_nothing_is_made_smaller_that_no_page_names():
    assert SMALLER.keys() <= {each[0] for path in WITH_COMMANDS for each in commands(path)}
