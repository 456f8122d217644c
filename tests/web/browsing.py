"""Run the scripts of `web/e2e`."""

import os
import shutil
import signal
import subprocess
from pathlib import Path
from subprocess import PIPE

import pytest

ROOT = Path(__file__).parents[2]
E2E = ROOT / "web" / "e2e"
STATIC = ROOT / "src" / "tessella" / "server" / "static"

LONGEST_SECONDS = 900
"""For a script that hangs. Each step of a script has a limit of its own, so a busy machine may take its time."""


def samples(*names: str) -> list[object]:
    """Return the parameters of scripts that repeat much in other games and languages: a sample always, all nightly."""
    return [*(pytest.param(name, ("--some",), id=name) for name in names), *all_nightly(*names)]


def all_nightly(*names: str) -> list[object]:
    """Return the parameters of whole scripts that run every night only."""
    return [pytest.param(name, (), marks=pytest.mark.nightly, id=f"{name}-all") for name in names]


def run(name: str, *arguments: str, timeout_seconds: float = LONGEST_SECONDS) -> None:
    """Run a script against the built client and fail if it fails or times out."""
    assert shutil.which("chromium"), "install chromium (apt-get install chromium), or set CHROMIUM"
    assert (STATIC / "index.html").exists(), "scripts/web-build builds the client"
    command = ["node", str(E2E / f"{name}.mjs"), *arguments]
    with subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True, start_new_session=True) as script:
        try:
            stdout, stderr = script.communicate(timeout=timeout_seconds)
        except subprocess.TimeoutExpired:
            os.killpg(script.pid, signal.SIGKILL)  # its servers and browsers too
            raise
    assert script.returncode == 0, stdout + stderr
