"""From nothing to a first move by two guests: at once."""

import asyncio
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.server.clients import Person, hear, key, say
from tests.server.processes import TESSELLA, environment, running, wait_until_ready

ROOT = Path(__file__).parents[3]
LIMIT = 15.0


async def first_move(port):
    """Two guests sit down, start, and one of them moves; both see it."""
    try:
        ann, bob = [await Person.arrive(port, name) for name in ("Ann", "Bob")]
        table = await ann.set_table()
        await bob.join(table)
        async with ann.connect(table["id"]) as a, bob.connect(table["id"]) as b:
            await say(a, type="command", key=key(), action="start")
            for socket in (a, b):
                await say(socket, type="hello")
            while not (step := await hear(a, "update"))["table"]["movers"]:
                pass
            mover = (a, b)[step["table"]["movers"][0]]
            while not step["table"]["moves"]:
                await say(mover, type="hello")
                step = await hear(mover, "update")
            table = step["table"]
            await say(mover, type="play", key=key(), number=table["number"], move=table["moves"][0])
            for socket in (a, b):
                while (await hear(socket, "update"))["table"]["number"] <= table["number"]:
                    pass
    finally:
        await Person.all_go_home()


def measure(command, tmp_path, port):
    """The seconds from starting the server to the first move."""
    began = time.monotonic()
    with running(
        tmp_path / "log", "serve", "--port", str(port), command=command, XDG_DATA_HOME=str(tmp_path / "data")
    ) as process:
        wait_until_ready(port, process)
        asyncio.run(asyncio.wait_for(first_move(port), 30))
        seconds = time.monotonic() - began
        print(f"first move after {seconds:.1f} s")  # noqa: T201  a figure for whoever runs it with -s
        return seconds


def test_the_first_move_comes_soon_after_the_start(tmp_path, port):
    assert measure(TESSELLA, tmp_path, port) < LIMIT


@pytest.mark.slow
def test_the_first_move_comes_soon_in_a_clean_environment(tmp_path, port):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True, timeout=120)
    python = str(tmp_path / "venv" / "bin" / "python")
    source = tmp_path / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
    (source / "docs" / "reference").mkdir(parents=True)
    for name in ("pyproject.toml", "README.md", "LICENSE", "docs/reference/tessella.1"):
        shutil.copy(ROOT / name, source / name)
    (source / "setup.py").write_text("from setuptools import setup\n\nsetup(long_description='')\n")  # compiles nothing
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{source}[server]"]
    subprocess.run(install, check=True, timeout=600, env=environment())
    assert measure((python, "-m", "tessella"), tmp_path, port) < LIMIT
