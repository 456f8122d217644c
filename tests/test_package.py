"""What is released, as those find it who install it: clean environments, and the first steps of everybody.

The wheel is built once and compiled without optimisation, which takes a third of the time; `scripts/package-check`
builds the real one.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tessella.server.extras import EXTRAS

ROOT = Path(__file__).parents[1]
LOCKED = re.findall(r"^[\w.-]+==[^\\\n]+", (ROOT / "requirements" / "dev.txt").read_text(), re.MULTILINE)
"""Each with the Python that it is for, if not for all."""


def run(folder: Path, script: str, *arguments: str, **more: str) -> dict[str, Any]:
    """Run one of our scripts with the versions that are locked; its last line is its figures."""
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(LOCKED))
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / script, *arguments],
        env=os.environ | {"PIP_CONSTRAINT": str(constraints)} | more,
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """What scripts/package-check made and found, with the running Python."""
    folder = tmp_path_factory.mktemp("released")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    figures = run(folder, "package-check", "--out", str(folder), "--python", version, TESSELLA_FAST_FLAGS="-O0")
    return folder, figures


def test_the_core_brings_three_distributions_at_most_and_a_local_server_fifteen(released):
    _, figures = released
    assert 1 < figures["core"] <= 3
    assert figures["core"] < figures["server"] <= 15


@pytest.mark.parametrize("path", ["player", "researcher", "host"])
def test_the_first_steps_of_a(released, path):
    folder, figures = released
    seconds = run(folder, "first-time", path, "--wheel", str(folder / figures["wheel"]))
    assert len(seconds[path]) >= 4


def test_the_first_steps_of_a_contributor(tmp_path):
    """After scripts/setup, with which CI itself begins."""
    assert len(run(tmp_path, "first-time", "contributor", "--set-up")["contributor"]) == 5


@pytest.mark.slow
def test_the_first_steps_of_a_contributor_from_nothing(tmp_path):
    assert len(run(tmp_path, "first-time", "contributor")["contributor"]) == 5


@pytest.mark.slow
def test_what_is_released_works_with_every_python(tmp_path):
    assert run(tmp_path, "package-check")["core"] == 2


def test_the_list_of_parts_is_whole():
    done = subprocess.run([sys.executable, ROOT / "scripts" / "sbom"], capture_output=True, text=True, check=True)
    whole = json.loads(done.stdout)
    assert (whole["bomFormat"], whole["specVersion"]) == ("CycloneDX", "1.6")
    parts = {part["name"]: part for part in whole["components"]}
    assert {"msgspec", "starlette", "asyncpg", "numpy", "textual", "svelte"} <= parts.keys()
    assert "pytest" not in parts
    refs = {part["bom-ref"] for part in [*parts.values(), whole["metadata"]["component"]]}
    assert {each["ref"] for each in whole["dependencies"]} | {
        ref for each in whole["dependencies"] for ref in each["dependsOn"]
    } == refs
    for name, part in parts.items():
        if part["purl"].startswith("pkg:pypi/"):
            assert f"{name}=={part['version']}" in {one.partition(" ")[0].lower().replace("_", "-") for one in LOCKED}
            assert part["hashes"]


@pytest.mark.parametrize(("library", "extra"), EXTRAS.items())
def test_what_a_command_advises_brings_what_is_missing(library, extra):
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {"argon2": "argon2-cffi", "nats": "nats-py"}.get(library, library)
    assert any(re.match(rf"{named}\b(?!-)", one) for one in extras[extra])
