"""Real processes of `tessella`, for tests: started, heard, and ended by their own id."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

from tests.server.waiting import LONGEST_SECONDS, wait_for

TESSELLA = (sys.executable, "-m", "tessella")


def environment(**more: str) -> dict[str, str]:
    """Nothing of ours from outside."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TESSELLA_")}
    return {**kept, **more}


@contextlib.contextmanager
def running(log: Path, *arguments: str, command=TESSELLA, **more: str):
    """A process that runs as long as the block; what it says on stderr is in the log."""
    with log.open("wb") as said:
        process = subprocess.Popen([*command, *arguments], stderr=said, env=environment(**more))
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)


def get(port: int, path: str) -> httpx.Response:
    return httpx.get(f"http://127.0.0.1:{port}{path}", timeout=LONGEST_SECONDS)


def wait_until_ready(port: int, process, seconds: float = LONGEST_SECONDS) -> None:
    def is_ready() -> bool:
        assert process.poll() is None, "it ended"
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(f"http://127.0.0.1:{port}/ready", timeout=3).status_code == 200
        return False

    wait_for(is_ready, seconds)


def lines(log: Path, event: str = "") -> list[dict[str, Any]]:
    """What a process has logged, or the lines of one event."""
    found = [json.loads(line) for line in log.read_text().splitlines()]
    return [line for line in found if event in ("", line["event"])]
