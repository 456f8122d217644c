"""The browser client in a real browser, against real servers: each script of `web/e2e` is a test."""

import pytest
from tests.web.browsing import run

SCRIPTS = {
    "azul": 300,
    "duel": 400,
    "blockers": 300,
    "text": 300,
    "replay": 200,
    "review": 500,
    "offline": 200,
    "account": 200,
    "pairing": 200,
}
"""What is run, and the seconds that it may take."""


@pytest.mark.parametrize("name", SCRIPTS)
def test_in_a_real_browser(name):
    run(name, SCRIPTS[name])


def test_a_first_visit_loads_no_more_than_it_may():
    """Kilobytes only: how soon things are seen is judged by `scripts/web-budget` on a quiet machine."""
    run("budget", 300, "--sizes")
