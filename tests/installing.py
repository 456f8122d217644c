"""Install the games of `examples/` into a folder, as people install them."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
GAMES = {"stairs": ROOT / "examples" / "fourth_game", "ribbon": ROOT / "examples" / "hidden_hands"}
"""The games of other packages, by name, and where their packages are."""


def install(folder: Path) -> None:
    """Install both games into a folder, which then belongs on the path of Python."""
    for name, source in GAMES.items():
        copy = folder / f"{name}.src"
        shutil.copytree(source, copy)  # building writes next to the source
        options = ["--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check", "--quiet"]
        command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), str(copy)]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
