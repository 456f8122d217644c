"""The workflows of GitHub and the hooks of pre-commit: they parse, and run commands of ours that exist."""

import re
import shlex
import subprocess
from typing import Any

import pytest
import yaml

from tests.pages import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
HOOKS = ROOT / ".pre-commit-config.yaml"
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def read(path) -> dict[Any, Any]:
    whole = yaml.safe_load(path.read_text("utf-8"))
    assert isinstance(whole, dict)
    return whole


def triggers(workflow) -> set[str]:
    return {*workflow[True]}  # YAML 1.1 reads the key `on` as true


def steps(workflow) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def commands(workflow) -> list[str]:
    return [step["run"] for step in steps(workflow) if "run" in step]


def hooks() -> list[dict[str, Any]]:
    return [hook for repo in read(HOOKS)["repos"] for hook in repo["hooks"]]


def test_there_is_a_workflow_for_style_tests_proofs_docs_and_the_site():
    assert [path.stem for path in WORKFLOWS] == ["docs", "lint", "proofs", "site", "tests"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_checks_out_the_code_and_runs_scripts_that_exist(path):
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert job["runs-on"]
        assert job["timeout-minutes"]
        assert "needs" in job or job["steps"][0]["uses"].startswith("actions/checkout@")
    scripts = [
        word for command in commands(workflow) for word in shlex.split(command) if re.match(r"scripts/|\.ci/", word)
    ]
    assert scripts
    for script in scripts:
        assert (ROOT / script).stat().st_mode & 0o111, script


def test_tests_run_with_every_supported_python():
    workflow = read(ROOT / ".github" / "workflows" / "tests.yml")
    assert workflow["jobs"]["quick"]["strategy"]["matrix"]["python"] == PYTHONS
    assert {"push", "pull_request"} <= triggers(workflow)
    assert "scripts/test" in commands(workflow)
    assert ".ci/run" in commands(workflow)


def test_proofs_run_every_night():
    workflow = read(ROOT / ".github" / "workflows" / "proofs.yml")
    (night,) = workflow[True]["schedule"]
    assert re.fullmatch(r"\d+ \d+ \* \* \*", night["cron"])
    assert any("scripts/prove all" in command for command in commands(workflow))


def test_hooks_run_tools_that_setup_installs_or_scripts_that_exist():
    assert {"ruff-check", "ruff-format", "lint-imports", "mypy"} <= {hook["id"] for hook in hooks()}
    locked = (ROOT / "requirements" / "dev.txt").read_text()
    packages = {"lint-imports": "import-linter"}
    for hook in hooks():
        program, *rest = shlex.split(hook["entry"])
        tool = program.removeprefix(".venv/bin/")
        assert tool == "python" or f"\n{packages.get(tool, tool)}==" in locked
        assert tool != "python" or (ROOT / rest[0]).exists()


def test_hooks_look_at_files_that_exist():
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for hook in hooks():
        if pattern := hook.get("files"):
            assert any(re.search(pattern, name) for name in files), hook["id"]
