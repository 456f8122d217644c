"""What is released, as users find it: clean environments, and the first steps of each kind of user."""

import json
import re
import subprocess
import sys
import tomllib

import pytest

from tessella.extras import EXTRAS
from tests.package.release import LOCKED, ROOT, run_script
from tests.tiers import nightly


@pytest.mark.nightly
def test_the_core_brings_three_distributions_at_most_and_a_local_server_sixteen(release):
    assert 1 < release.figures["core"] <= 3
    assert release.figures["core"] < release.figures["server"] <= 16


@pytest.mark.parametrize("path", nightly("player", "researcher", "host", "bot-author", "game-author"))
def test_the_first_steps_of_a(release, path, tmp_path):
    seconds = run_script(tmp_path, "first-time", path, "--wheel", str(release.wheel))
    assert len(seconds[path]) >= 4


@pytest.mark.nightly
def test_the_first_steps_of_a_contributor(tmp_path):
    """After scripts/setup, which CI runs first."""
    assert len(run_script(tmp_path, "first-time", "contributor", "--set-up")["contributor"]) == 5


@pytest.mark.slow
def test_the_first_steps_of_a_contributor_from_nothing(tmp_path):
    assert len(run_script(tmp_path, "first-time", "contributor")["contributor"]) == 5


@pytest.mark.slow
def test_the_release_works_with_every_python(release, tmp_path):
    assert run_script(tmp_path, "package-check", "--built", str(release.folder), "--out", str(tmp_path))["core"] == 2


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


DISTRIBUTIONS = {
    "PIL": "pillow",
    "argon2": "argon2-cffi",
    "nats": "nats-py",
    "opentelemetry": "opentelemetry-sdk",
    "prometheus_client": "prometheus-client",
    "resvg_py": "resvg-py",
}
"""Distributions whose module has another name."""


@pytest.mark.parametrize(("library", "extra"), EXTRAS.items())
def test_what_a_command_advises_brings_what_is_missing(library, extra):
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = DISTRIBUTIONS.get(library, library)
    assert any(re.match(rf"{named}\b(?!-)", one) for one in extras[extra])
