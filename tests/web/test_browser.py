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
    "invitations": 200,
}
"""Each script with its timeout in seconds."""


@pytest.mark.parametrize("name", SCRIPTS)
def test_in_a_real_browser(name):
    run(name, SCRIPTS[name])


def test_a_first_visit_stays_within_its_size_budget():
    """Sizes only: times are measured by `scripts/web-budget` on an idle machine."""
    run("budget", 300, "--sizes")
