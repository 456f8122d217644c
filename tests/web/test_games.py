"""Whole games in a real browser, against real servers: each of these scripts of `web/e2e` is a test."""

import pytest

from tests.installing import install
from tests.web.browsing import run

SCRIPTS = {"azul": 300, "duel": 400, "blockers": 300, "text": 300, "help": 300}
"""Each script with its timeout in seconds."""


def test_games_that_other_packages_bring(tmp_path):
    install(tmp_path)
    run("installed", 600, str(tmp_path))


@pytest.mark.parametrize("name", SCRIPTS)
def test_in_a_real_browser(name):
    run(name, SCRIPTS[name])
