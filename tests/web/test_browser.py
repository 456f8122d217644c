"""The browser client in a real browser, against real servers: each script of `web/e2e` is a test."""

import subprocess

import pytest

from tests.web.browsing import ROOT, run

SCRIPTS = {
    "azul": 300,
    "duel": 400,
    "blockers": 300,
    "text": 300,
    "replay": 200,
    "review": 500,
    "offline": 200,
    "here": 200,
    "account": 200,
    "pairing": 200,
    "invitations": 200,
}
"""Each script with its timeout in seconds."""


@pytest.mark.parametrize("name", SCRIPTS)
def test_in_a_real_browser(name):
    run(name, SCRIPTS[name])


def test_a_first_visit_stays_within_its_size_budget():
    """Sizes only: times are measured by `scripts/web-budget` on an idle machine."""
    run("budget", 300, "--sizes")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The pages and the Python of a tab, as any static host would serve them."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([ROOT / "scripts" / "web-build", "--standalone", folder], check=True, capture_output=True)
    return folder


def test_everything_in_one_tab_without_a_network(site, monkeypatch):
    monkeypatch.setenv("TESSELLA_SITE", str(site))
    run("tab", 900, "--short")


@pytest.mark.slow
def test_whole_games_against_levels_1_to_4_in_one_tab_without_a_network(site, monkeypatch):
    monkeypatch.setenv("TESSELLA_SITE", str(site))
    run("tab", 3600, "--all")
