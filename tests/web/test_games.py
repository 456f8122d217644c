"""Whole games in a real browser, against real servers: each of these scripts of `web/e2e` is a test."""

import pytest

from tests.installing import install
from tests.web.browsing import run


def test_games_that_other_packages_bring(tmp_path):
    install(tmp_path)
    run("installed", str(tmp_path))


@pytest.mark.parametrize("name", ["azul", "duel", "blockers", "text", "help"])
def test_in_a_real_browser(name):
    run(name)
