"""The house itself: the map shows it, imports point one way, the README runs, lock files name no registry."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import importlinter.cli, sys; sys.exit(importlinter.cli.lint_imports_command())"]
    return subprocess.run(
        [*command, "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy_of_the_house(tmp_path):
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("room", "planted"),
    [
        ("core/dice.py", "import tessella.games.azul"),
        ("games/azul/rules.py", "import time"),
        ("games/azul/rules.py", "import tessella.bots"),
        ("bots/greedy.py", "import tessella.cli"),
    ],
)
def test_an_import_against_the_direction_is_caught(copy_of_the_house, room, planted):
    assert lint_imports(copy_of_the_house).returncode == 0
    path = copy_of_the_house / "src" / "tessella" / room
    path.write_text(path.read_text() + f"\n{planted}\n")
    linted = lint_imports(copy_of_the_house)
    assert linted.returncode != 0
    assert "BROKEN" in linted.stdout


# The map


def rooms_on_the_map(indent: int) -> set[str]:
    page = (ROOT / "docs" / "concepts" / "architecture.md").read_text()
    (plan,) = re.findall(r"```text\n(src/tessella/\n.*?)```", page, re.DOTALL)
    return set(re.findall(rf"^ {{{indent}}}([\w-]+(?:\.py|/))", plan, re.MULTILINE))


def rooms_under(folder: Path) -> set[str]:
    known = subprocess.run(["git", "ls-files"], cwd=folder, capture_output=True, text=True, check=True).stdout.split()
    parts = {(name.partition("/")[0], "/" in name or (folder / name).is_dir()) for name in known}
    return {f"{name}/" if is_folder else name for name, is_folder in parts}


def test_every_room_is_on_the_map_and_every_room_of_the_map_is_there():
    assert rooms_on_the_map(2) == {
        room for room in rooms_under(ROOT / "src" / "tessella") if re.match(r"[a-z]+(/|\.py$)", room)
    }
    top = {room for room in rooms_under(ROOT) if room.endswith("/") and not room.startswith(".")}
    assert rooms_on_the_map(0) | {"src/"} == top


def test_every_file_that_the_map_names_is_there():
    page = (ROOT / "docs" / "concepts" / "architecture.md").read_text()
    (plan,) = re.findall(r"```text\n(src/tessella/\n.*?)```", page, re.DOTALL)
    kept = {path.name for path in (ROOT / "src" / "tessella").rglob("*.py")}
    assert set(re.findall(r"\b(\w+\.py)\b", plan)) <= kept


def python_blocks(path: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL)


@pytest.mark.heavy
@pytest.mark.parametrize(
    "path", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda path: path.name
)
def test_every_python_block_of_the_documentation_runs(path):
    for block in python_blocks(path):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", block], capture_output=True, text=True, check=False, cwd=ROOT
        )
        assert done.returncode == 0, done.stderr


def test_the_readme_plays_a_whole_game_in_ten_lines():
    (block,) = python_blocks(ROOT / "README.md")
    assert len([line for line in block.splitlines() if line.strip()]) <= 10
    assert "azul.Config(seats=2)" in block


def test_lock_files_name_no_registry():
    locks = [*(ROOT / "requirements").glob("*.txt"), ROOT / "package-lock.json"]
    assert locks
    for lock in locks:
        text = lock.read_text()
        assert "registry" not in text, lock
        text = re.sub(r'"funding": (\{[^}]*\}|\[[^]]*\])', "", text)  # where npm says how to thank authors
        assert not re.search(r"https?://|file://|--index|--find-links|\"resolved\"", text), lock
