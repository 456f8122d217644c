"""Everything in one tab of a real browser, from a folder that a bare static server serves, without a network."""

import subprocess

import pytest

from tests.web.browsing import ROOT, run


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The pages and the Python of a tab, as any static host would serve them."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([ROOT / "scripts" / "web-build", "--standalone", folder], check=True, capture_output=True)
    return folder


def test_everything_in_one_tab_without_a_network(site, monkeypatch):
    monkeypatch.setenv("TESSELLA_SITE", str(site))
    run("tab", "--some")


@pytest.mark.nightly
def test_every_game_in_one_tab_without_a_network(site, monkeypatch):
    monkeypatch.setenv("TESSELLA_SITE", str(site))
    run("tab", "--short")


@pytest.mark.slow
def test_whole_games_against_levels_1_to_4_in_one_tab_without_a_network(site, monkeypatch):
    monkeypatch.setenv("TESSELLA_SITE", str(site))
    run("tab", "--all", timeout_seconds=3600)
