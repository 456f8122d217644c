"""Real processes of `tessella`, for tests: started, heard, and ended by their own id."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import httpx

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


def wait_until_ready(port: int, process, seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        assert process.poll() is None, "it ended"
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"http://127.0.0.1:{port}/ready", timeout=3).status_code == 200:
                return
        time.sleep(0.05)
    raise AssertionError("it does not get ready")
