"""What may be left out of a check: nothing that a change could break."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import selection
from tests.selection import ROOT, digest, inputs, selectable

pytestmark = pytest.mark.heavy

IMPORTED = """
import importlib, json, sys
from pathlib import Path
importlib.import_module(sys.argv[1])
files = [Path(module.__file__) for module in list(sys.modules.values()) if getattr(module, "__file__", None)]
print(json.dumps([str(file.relative_to(Path.cwd())) for file in files if file.is_relative_to(Path.cwd())]))
"""


def imported_by(test: str) -> set[str]:
    """Return the files of the checkout that Python has loaded after it has imported a test file."""
    command = [sys.executable, "-c", IMPORTED, test.removesuffix(".py").replace("/", ".")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in json.loads(done.stdout) if name.endswith(".py") and not name.startswith(".venv")}


@pytest.mark.parametrize("test", ["tests/bots/test_bots.py", "tests/coach/test_review.py", "tests/train/test_train.py"])
def test_every_file_that_a_test_imports_is_one_of_its_inputs(test):
    found = imported_by(test)
    assert len(found) > 50
    assert found <= inputs(test)


@pytest.fixture
def touched(monkeypatch):
    """Change a file as the digests see it."""

    def touch(name: str) -> None:
        read = selection.content
        monkeypatch.setattr(selection, "content", lambda other: read(other) + b"\n" * (other == name))

    return touch


@pytest.mark.parametrize(
    ("name", "selected"),
    [
        ("src/tessella/core/game.py", {"tests/bots/test_bots.py", "tests/test_examples.py", "tests/package"}),
        ("src/tessella/fast/azul/state.pxd", {"tests/fast/azul/test_mcts.py", "tests/train/test_train.py"}),
        ("tests/fast/twins.py", {"tests/fast/test_moves.py"}),
        ("docs/guides/train.md", {"tests/test_commands.py"}),
        ("examples/agents.py", {"tests/test_examples.py"}),
        ("web/src/main.ts", {"tests/package"}),
    ],
)
def test_a_changed_file_selects_the_tests_that_read_it(touched, name, selected):
    assert (ROOT / name).exists()
    before = {test: digest(test, "commit") for test in selectable()}
    touched(name)
    changed = [test for test in selectable() if digest(test, "commit") != before[test]]
    assert all(any(test.startswith(start) for test in changed) for start in selected)


@pytest.mark.parametrize("name", ["requirements/dev.txt", "scripts/check", "tests/conftest.py", "pyproject.toml"])
def test_a_change_that_may_matter_to_any_test_selects_all(touched, name):
    before = [digest(test, "commit") for test in selectable()]
    touched(name)
    assert not {*before} & {digest(test, "commit") for test in selectable()}


def test_what_passed_is_left_out_until_something_changes(monkeypatch, tmp_path, capsys, touched):
    def left_out(tier):
        selection.main(tier, str(tmp_path / "passed"))
        return capsys.readouterr().out.splitlines()

    monkeypatch.setattr(selection, "STORE", tmp_path)
    assert left_out("commit") == []
    for mark in (tmp_path / "passed").read_text().split():
        Path(mark).touch()
    assert left_out("commit") == [f"--ignore={test}" for test in selectable()]
    assert left_out("all") == []
    touched("src/tessella/train/__init__.py")
    assert "--ignore=tests/train/test_train.py" not in left_out("commit")
