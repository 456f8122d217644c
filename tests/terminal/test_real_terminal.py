"""Whole games in a real terminal, by keys alone, reading nothing but what is on the screen."""

import os
import re
import shutil
import subprocess
import sys
import time

import pytest
from tests.terminal.test_online import port  # noqa: F401  a fixture

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not shutil.which("tmux"), reason="there is no tmux")]

ANSWERS = (
    ("Where the points came from", None),
    ("Enter: next", "Escape"),
    ("Enter: close", "Escape"),
    ("Pass the keyboard", "Enter"),
    ("Press Enter to hide", "Enter"),
    ("Enter plays it", "Enter"),
    ("legal move", "Enter"),
    ("your turn", "F3"),
)
"""What to press when the screen says so; at the first, the game is over."""

GAMES = ("azul", "blockers", "duel")
LONGEST = 900


class Terminal:
    """A terminal of its own, on a tmux server of its own."""

    def __init__(self, size, *arguments):
        self.name = f"tessella-test-{os.getpid()}-{time.monotonic_ns()}"
        columns, rows = map(str, size)
        command = " ".join([f"TERM=xterm-256color {sys.executable} -m tessella", *arguments, "--language en; sleep 60"])
        self.tmux("new-session", "-d", "-s", "it", "-x", columns, "-y", rows, command)

    def tmux(self, *arguments):
        done = subprocess.run(["tmux", "-L", self.name, *arguments], check=True, capture_output=True, text=True)
        return done.stdout

    def screen(self):
        return self.tmux("capture-pane", "-p", "-t", "it")

    def play(self):
        """Press what the screen asks for until the game is over; gives the last screen."""
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            shown = self.screen()
            key = next((key for words, key in ANSWERS if words in shown), "")
            if key is None:
                return shown
            if key:
                self.tmux("send-keys", "-t", "it", key)
            time.sleep(0.15)
        raise AssertionError(f"the game does not end:\n{self.screen()}")

    def close(self):
        self.tmux("kill-server")


def played(size, *arguments):
    terminal = Terminal(size, *arguments)
    try:
        return terminal.play()
    finally:
        terminal.close()


def assert_over(shown):
    assert re.search(r"1\. \w+, \d+ point", shown), shown


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("title", GAMES)
def test_against_a_bot(title, size):
    assert_over(played(size, "play", title, "Ann", "greedy"))


@pytest.mark.parametrize("title", GAMES)
def test_two_people_at_one_keyboard(title):
    assert_over(played((80, 24), "play", title, "Ann", "Bob"))


@pytest.mark.parametrize("title", GAMES)
def test_online(title, port, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert_over(played((80, 24), "play", title, "Ann", "greedy", "--server", f"http://127.0.0.1:{port}"))
