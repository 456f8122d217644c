"""Run the scripts of `web/e2e`."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
E2E = ROOT / "web" / "e2e"
STATIC = ROOT / "src" / "tessella" / "server" / "static"


def run(name: str, timeout_seconds: float, *arguments: str) -> None:
    """Run a script against the built client and fail if it fails or times out."""
    assert shutil.which("chromium"), "install chromium (apt-get install chromium), or set CHROMIUM"
    assert (STATIC / "index.html").exists(), "scripts/web-build builds the client"
    command = ["node", str(E2E / f"{name}.mjs"), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=timeout_seconds)
    assert done.returncode == 0, done.stdout + done.stderr
