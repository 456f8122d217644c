"""The workflows of GitHub and the hooks of pre-commit: they parse, and run commands of ours that exist."""

import re
import shlex
import subprocess
import tomllib
from typing import Any

import pytest
import yaml

from tessella import cli
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


def test_there_is_a_workflow_for_tests_docs_images_releases_the_site_and_the_night():
    assert [path.stem for path in WORKFLOWS] == ["docs", "images", "nightly", "release", "site", "tests"]


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
    assert {"scripts/test", ".ci/run"} <= {*commands(workflow)}


def test_images_are_tried_first_and_are_for_two_machines_with_their_origin_and_parts():
    workflow = read(ROOT / ".github" / "workflows" / "images.yml")
    publish = workflow["jobs"]["publish"]
    assert publish["needs"] == "check"
    assert "pull_request" in publish["if"], "nothing of a pull request is published"
    assert any("scripts/container-check" in command for command in commands(workflow))
    (build,) = [step["with"] for step in publish["steps"] if "build-push-action" in step.get("uses", "")]
    assert build["platforms"] == "linux/amd64,linux/arm64"
    assert (build["provenance"], build["sbom"]) == ("mode=max", True)
    assert any(step.get("uses", "").startswith("actions/attest-build-provenance@") for step in publish["steps"])


def workflow_of_releases() -> dict[Any, Any]:
    return read(ROOT / ".github" / "workflows" / "release.yml")


def test_only_a_tag_that_agrees_with_the_version_is_released_and_only_after_all_wheels():
    workflow = workflow_of_releases()
    assert workflow[True]["push"] == {"tags": ["v*"]}
    source, publish = workflow["jobs"]["source"], workflow["jobs"]["publish"]
    (notes,) = [step for step in source["steps"] if "release-notes --tag" in step.get("run", "")]
    assert notes["if"] == publish["if"] == "github.ref_type == 'tag'", "a rehearsal publishes nothing"
    assert publish["needs"] == ["source", "wheels"]
    assert publish["environment"] == "pypi"
    assert workflow["env"]["TESSELLA_REPOSITORY"] == "${{ github.server_url }}/${{ github.repository }}"


def test_wheels_are_for_four_systems_from_the_source_distribution_and_play_a_game():
    wheels = workflow_of_releases()["jobs"]["wheels"]
    machines = wheels["strategy"]["matrix"]["machine"]
    assert [machine.split("-")[0] for machine in machines] == ["ubuntu", "ubuntu", "macos", "windows"]
    (build,) = [step["run"] for step in wheels["steps"] if "cibuildwheel" in step.get("run", "")]
    assert build.endswith("dist/tessella-*.tar.gz")
    assert not any("setup-node" in step.get("uses", "") for step in wheels["steps"])
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]
    assert options["build"] == "cp311-*"
    assert "TESSELLA_REPOSITORY" in options["linux"]["environment-pass"]
    compiled, play, verify = options["test-command"]
    assert "rules.__file__" in compiled
    for command in (play, verify):
        program, *arguments = shlex.split(command)
        assert program == "tessella"
        assert cli.parser().parse_args(arguments).run


def test_what_is_published_has_checksums_that_are_attested_before():
    steps_ = workflow_of_releases()["jobs"]["publish"]["steps"]
    said = [step.get("run") or step["uses"] for step in steps_]
    order = ["sha256sum", "attest-build-provenance", "uv publish --trusted-publishing always", "gh release create"]
    found = [next(place for place, text in enumerate(said) if part in text) for part in order]
    assert found == sorted(found)
    assert steps_[found[1]]["with"] == {"subject-path": "dist/*"}


def test_the_checksums_are_those_of_all_files(tmp_path):
    (line,) = [line for line in commands(workflow_of_releases()) if "sha256sum" in line]
    (tmp_path / "dist").mkdir()
    for name in ("tessella-1.tar.gz", "tessella-1.whl"):
        (tmp_path / "dist" / name).write_text(name)
    subprocess.run(["bash", "-e", "-c", line], cwd=tmp_path, check=True, capture_output=True)
    check = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    done = subprocess.run(check, cwd=tmp_path / "dist", check=True, capture_output=True, text=True)
    assert done.stdout.count(": OK") == 2


def test_the_tools_of_a_release_are_locked():
    locked = (ROOT / "requirements" / "wheels.txt").read_text()
    assert re.search(r"^cibuildwheel==\S+ \\\n +--hash=", locked, re.MULTILINE)
    assert re.search(r"^uv==(\S+)", locked, re.MULTILINE)[1] in (ROOT / "requirements" / "dev.txt").read_text()  # type: ignore[index]


def test_every_action_is_pinned():
    used = [step["uses"] for path in WORKFLOWS for step in steps(read(path)) if "uses" in step]
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@v\d+", action) for action in used)


def test_all_tests_proofs_and_mutants_run_every_night():
    workflow = read(ROOT / ".github" / "workflows" / "nightly.yml")
    (night,) = workflow[True]["schedule"]
    assert re.fullmatch(r"\d+ \d+ \* \* \*", night["cron"])
    for wanted in ("scripts/check --all", "pytest -m slow tests", "scripts/prove all", "scripts/mutate all"):
        assert any(wanted in command for command in commands(workflow)), wanted


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
