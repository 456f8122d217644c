"""The same seed and the same moves of people give the same record natively and in the Python of the tab.

One game per title on every commit, and one on each of the quick levels every night; `TESSELLA_PARITY_GAMES=200` plays
as many games.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tessella.core import record
from tessella.games import GAMES
from tests.tiers import nightly

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "web" / "python"
HOURS = 3_600 * 6

packed = (ROOT / "build" / "python" / "manifest.json").exists() and (ROOT / "web" / "node_modules" / "pyodide").exists()


@pytest.mark.skipif(not packed or shutil.which("node") is None, reason="scripts/web-build packs the Python of the tab")
@pytest.mark.parametrize("games", [3, *nightly(int(os.environ.get("TESSELLA_PARITY_GAMES", "9")))])
def test_games_in_the_tab_are_the_same_as_native_ones(games: int) -> None:
    code = f"FIRST, LAST = 0, {games}\n{(PYTHON / 'parity.py').read_text()}"
    native = _run([sys.executable, "-c", code])
    tab = _run(["node", str(PYTHON / "run.mjs"), str(PYTHON / "parity.py"), "FIRST=0", f"LAST={games}"])
    assert len(native) == games
    for ours, theirs in zip(native, tab, strict=True):
        assert ours == theirs
        whole = record.read(theirs)
        assert record.verify(GAMES[whole.game], whole) > 0


def _run(command: list[str]) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=HOURS, cwd=ROOT)
    return done.stdout.split("---\n")[:-1]
