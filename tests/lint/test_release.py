"""What a release says: its notes, its version, its metadata, and the addresses in its long description."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from email import message_from_string
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

import pytest

from tests.pages import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def notes():
    loader = SourceFileLoader("release_notes", str(ROOT / "scripts" / "release-notes"))
    module = module_from_spec(spec_from_loader(loader.name, loader))  # type: ignore[arg-type]
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    loader.exec_module(module)
    sys.dont_write_bytecode = before
    return module


@pytest.fixture
def project(tmp_path):
    """A project with two fragments, and a changelog that has notes already."""
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.2.0"\n')
    (tmp_path / "CITATION.cff").write_text("title: x\nversion: 0.2.0\n")
    old = "## 0.1.0 (2026-11-18)\n\nThe first.\n\n### For players\n- A\n"
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{old}")
    news = tmp_path / "news"
    news.mkdir()
    (news / "README.md").write_text("# News\n")
    (news / "quicker.hosts.md").write_text("Starts\nquicker.\n")
    (news / "louder.players.md").write_text("Sounds are louder.\n")
    return tmp_path


def test_fragments_become_points_for_their_readers(notes, project, capsys):
    assert notes.main([], project) == 0
    assert capsys.readouterr().out == "### For players\n- Sounds are louder.\n\n### For hosts\n- Starts quicker.\n"


def test_written_notes_are_above_those_of_the_version_before_and_the_fragments_are_gone(notes, project, capsys):
    notes.main(["--write"], project)
    changelog = (project / "CHANGELOG.md").read_text()
    assert re.fullmatch(
        r"# Changelog\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n### For players\n- Sounds are louder\.\n\n### For hosts\n"
        r"- Starts quicker\.\n\n## 0\.1\.0 \(2026-11-18\)\n\nThe first\.\n\n### For players\n- A\n",
        changelog,
    )
    assert [path.name for path in (project / "news").iterdir()] == ["README.md"]
    notes.main(["--tag", "v0.2.0"], project)
    assert capsys.readouterr().out == "### For players\n- Sounds are louder.\n\n### For hosts\n- Starts quicker.\n"


def test_notes_join_those_that_the_version_has(notes, project):
    text = "# Changelog\n\n## 0.2.0 (unreleased)\n\nIntro.\n\n### For players\n- A\n- B\n\n### For researchers\n- C\n"
    (project / "CHANGELOG.md").write_text(text)
    notes.main(["--write"], project)
    _, _, written = (project / "CHANGELOG.md").read_text().partition(")\n\n")
    assert written == (
        "Intro.\n\n### For players\n- A\n- B\n- Sounds are louder.\n\n### For researchers\n- C\n\n"
        "### For hosts\n- Starts quicker.\n"
    )


@pytest.mark.parametrize("tag", ["v0.2.0", "v0.3.0", "0.2.0"])
def test_a_tag_is_refused_before_the_notes_are_written_or_if_it_is_of_another_version(notes, project, tag):
    with pytest.raises(ValueError, match=r"0\.2\.0"):
        notes.main(["--tag", tag], project)


@pytest.mark.parametrize("tag", ["v0.3.0", "0.2.0", "v0.2.0"])
def test_only_the_tag_of_this_version_with_its_citation_is_accepted(notes, project, tag):
    notes.main(["--write"], project)
    (project / "CITATION.cff").write_text("title: x\nversion: 0.1.0\n")
    with pytest.raises(ValueError, match="CITATION"):
        notes.main(["--tag", tag], project)


def test_a_fragment_for_nobody_we_know_is_refused(notes, project):
    (project / "news" / "odd.cats.md").write_text("Meow.")
    with pytest.raises(ValueError, match=r"odd\.cats\.md.*players, hosts"):
        notes.main([], project)


def test_our_own_fragments_have_readers_and_our_changelog_takes_them(notes, tmp_path):
    for name in ("pyproject.toml", "CITATION.cff", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "news", tmp_path / "news")
    before = (ROOT / "CHANGELOG.md").read_text().splitlines()
    notes.main(["--write"], tmp_path)
    after = (tmp_path / "CHANGELOG.md").read_text().splitlines()
    assert [line for line in before if line.startswith("- ")] == [
        line for line in after if line.startswith("- ") and line in before
    ]
    assert notes.main(["--tag", f"v{PROJECT['version']}"], tmp_path) == 0


# The version


def test_the_version_is_the_same_wherever_it_is_named():
    version = PROJECT["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n## {version} (" in (ROOT / "CHANGELOG.md").read_text()
    assert f"tessella-{version}-cp311-abi3-" in (ROOT / "docs" / "guides" / "install.md").read_text()


# The metadata

WRITE = "import sys, setuptools.build_meta as meta; print(meta.prepare_metadata_for_build_wheel(sys.argv[1]))"
ADDRESS = "https://example.org/ann/tessella"


def metadata(tmp_path, **variables: str):
    """The metadata of a wheel, written without compiling anything."""
    source, out = tmp_path / "source", tmp_path / "out"
    (source / "src" / "tessella").mkdir(parents=True)
    (source / "docs" / "reference").mkdir(parents=True)
    out.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "docs/reference/tessella.1"):
        shutil.copy(ROOT / name, source / name)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TESSELLA_")}
    command = [sys.executable, "-c", WRITE, str(out)]
    subprocess.run(command, cwd=source, env=kept | variables, check=True, capture_output=True)
    (written,) = out.glob("*.dist-info/METADATA")
    return message_from_string(written.read_text("utf-8"))


def links(text: str) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", text)


def test_without_an_address_links_stay_relative_and_none_is_named(tmp_path):
    found = metadata(tmp_path)
    assert found["Version"] == PROJECT["version"]
    assert found.get_all("Project-URL") is None
    assert found.get_payload() == (ROOT / "README.md").read_text("utf-8")
    assert "shields.io" not in found.get_payload()


def test_with_an_address_every_link_and_picture_is_absolute_at_the_tag(tmp_path):
    found = metadata(tmp_path, TESSELLA_REPOSITORY=f"{ADDRESS}/")
    tag = f"v{PROJECT['version']}"
    assert f"Source, {ADDRESS}" in found.get_all("Project-URL")
    assert f"Changelog, {ADDRESS}/blob/{tag}/CHANGELOG.md" in found.get_all("Project-URL")
    text = str(found.get_payload())
    assert "actions/workflows/tests.yml/badge.svg" in text
    assert links(text)
    assert all(target.startswith("https://") for target in links(text))
    for target in links((ROOT / "README.md").read_text("utf-8")):
        kind = "raw" if target.endswith((".jpg", ".webp")) else "blob"
        assert "://" in target or f"]({ADDRESS}/{kind}/{tag}/{target})" in text
