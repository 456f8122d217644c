"""How a script of `web/e2e` is run."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
E2E = ROOT / "web" / "e2e"
STATIC = ROOT / "src" / "tessella" / "server" / "static"


def run(name: str, seconds: float, *words: str) -> None:
    """Run a script against the client that was built, for so long at most."""
    assert shutil.which("chromium"), "install chromium (apt-get install chromium), or set CHROMIUM"
    assert (STATIC / "index.html").exists(), "scripts/web-build builds the client"
    command = ["node", str(E2E / f"{name}.mjs"), *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stdout + done.stderr
