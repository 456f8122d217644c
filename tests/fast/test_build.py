"""The fast games are compiled where they can be, and run as plain Python where they cannot."""

import ast
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tessella import fast

from .twins import module_name, typed_files


def test_the_games_are_compiled():
    assert fast.COMPILED


@pytest.mark.slow
def test_the_package_installs_without_a_compiler(tmp_path: Path):
    root = Path(__file__).parents[2]
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(root / name, tmp_path)
    shutil.copytree(root / "docs" / "reference", tmp_path / "docs" / "reference")
    shutil.copytree(root / "src", tmp_path / "src", ignore=shutil.ignore_patterns("*.so", "static", "*.egg-info"))
    build = [sys.executable, "-m", "pip", "wheel", ".", "--quiet", "--no-deps", "--no-build-isolation", "-w", "wheels"]
    subprocess.run(build, cwd=tmp_path, env={**os.environ, "CC": "/bin/false"}, check=True)
    (wheel,) = tmp_path.glob("wheels/*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "tessella/fast/azul/rules.py" in names
    assert not [name for name in names if name.endswith(".so")]


def test_without_a_compiler_the_plain_games_are_used_and_say_so_once(tmp_path: Path):
    """The package as it would be installed where nothing could be compiled, and without Cython or NumPy."""
    source = Path(fast.__file__).parents[1]
    for file in source.rglob("*.py"):
        copy = tmp_path / "tessella" / file.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    program = (
        "import sys; sys.modules.update(cython=None, numpy=None)\n"
        "import tessella.fast, tessella.fast.azul\n"
        "from tessella.fast.azul import Azul\n"
        "print(tessella.fast.COMPILED, Azul(seed=1).playout() > 20)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "False True\n"
    assert run.stderr.count("plain Python") == 1


GLOBALS = re.compile(r"^cdef (?:\w+ )+?([A-Z][A-Z_0-9]*(?:\[\d+\])?(?:, [A-Z][A-Z_0-9]*)*)$", re.MULTILINE)


@pytest.mark.parametrize("types", typed_files(), ids=module_name)
def test_every_number_that_has_a_type_has_a_value(types):
    """One that is not set where it is declared would be 0, and only when compiled."""
    source = ast.parse(types.with_suffix(".py").read_text())
    values = set()
    for node in ast.walk(source):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            values.add(node.id)
        elif isinstance(node, ast.ImportFrom):
            values.update(alias.asname or alias.name for alias in node.names)
    declared = {name.partition("[")[0] for names in GLOBALS.findall(types.read_text()) for name in names.split(", ")}
    assert declared <= values
