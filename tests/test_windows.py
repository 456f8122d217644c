"""Windows, as far as it can be imitated here: every module loads, games are played, servers serve and stop."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tessella.server import serve
from tessella.terminal.http import SavedServers
from tessella.terminal.lines import Lines
from tests.like_windows import WindowsLoop, modules
from tests.pages import ROOT
from tests.server.conftest import free_port
from tests.server.processes import running, wait_until_ready

COMMAND = (sys.executable, "-m", "tests.like_windows")
PYTHONPATH = os.pathsep.join([str(ROOT / "src"), str(ROOT)])


def run(*arguments: str, folder: Path = ROOT) -> str:
    environment = os.environ | {"PYTHONPATH": PYTHONPATH}
    done = subprocess.run(
        [*COMMAND, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.heavy
def test_every_module_loads_without_what_windows_lacks():
    names = modules()
    assert len(names) > 300
    assert len(names) - 5 < int(run()) <= len(names)


@pytest.mark.heavy
def test_a_game_is_played_and_verified(tmp_path):
    run("play", "azul", "greedy", "random", "--plain", "--save", "first.game", folder=tmp_path)
    assert "deals and the result follow from the seed" in run("verify", "first.game", folder=tmp_path)


@pytest.mark.heavy
def test_a_server_serves_and_stops(tmp_path):
    port = free_port()
    database = f"sqlite:{tmp_path / 'games.sqlite3'}"
    arguments = ("serve", "--no-open", "--port", str(port), "--database", database)
    with running(tmp_path / "log", *arguments, command=COMMAND, PYTHONPATH=PYTHONPATH) as process:
        wait_until_ready(port, process, 120)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_a_bot_worker_where_the_loop_handles_none(number):
    async def wait() -> None:
        stop = asyncio.Event()
        serve.stop_on_signals(stop.set)
        signal.raise_signal(number)
        await asyncio.wait_for(stop.wait(), 20)

    before = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)}
    try:
        with asyncio.Runner(loop_factory=WindowsLoop) as runner:
            runner.run(wait())
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def test_lines_are_read_by_a_thread_where_the_loop_cannot_wait_for_them():
    async def read(descriptor: int) -> list[str | None]:
        lines = Lines(descriptor)
        lines.start()
        found = [await asyncio.wait_for(lines.queue.get(), 20) for _ in range(3)]
        lines.stop()
        return found

    reader, writer = os.pipe()
    os.write(writer, b"1b2\r\nquit\n")
    os.close(writer)
    with asyncio.Runner(loop_factory=WindowsLoop) as runner:
        assert runner.run(read(reader)) == ["1b2", "quit", None]
    os.close(reader)


def test_what_the_terminal_saves_is_where_windows_keeps_it(monkeypatch, tmp_path):
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert SavedServers().path == tmp_path / "tessella" / "servers.json"
