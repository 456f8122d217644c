"""What is released, built once for all tests, even if they run in several processes."""

import fcntl
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
_LOCK = (ROOT / "requirements" / "dev.txt").read_text("utf-8")
LOCKED = [name + version for name, version in re.findall(r"^([\w.-]+)(?:\[.+\])?(==[^\\\n]+)", _LOCK, re.MULTILINE)]
"""The locked requirements, each with the Python that it is for, if not for all; constraints name no extras."""


class Release(NamedTuple):
    """A built sdist and wheel, and the figures of scripts/package-check."""

    folder: Path
    figures: dict[str, Any]

    @property
    def wheel(self) -> Path:
        """The path of the wheel."""
        return self.folder / str(self.figures["wheel"])


def run_script(folder: Path, script: str, *arguments: str, **variables: str) -> dict[str, Any]:
    """Run one of our scripts with the locked versions, and return the figures on its last line."""
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(LOCKED))
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / script, *arguments],
        env=os.environ | {"PIP_CONSTRAINT": str(constraints)} | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def build_once(shared: Path) -> Release:
    """Build and check the release in a shared folder, unless another process has done so.

    It is compiled without optimisation, which takes a third of the time; `scripts/package-check` builds the real one.
    """
    folder = shared / "released"
    folder.mkdir(exist_ok=True)
    kept = folder / "figures.json"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            out = ("--out", str(folder), "--python", version)
            kept.write_text(json.dumps(run_script(folder, "package-check", *out, TESSELLA_FAST_FLAGS="-O0")))
    return Release(folder, json.loads(kept.read_text()))
