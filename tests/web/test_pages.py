"""The other pages in a real browser, against real servers: each of these scripts of `web/e2e` is a test."""

import pytest

from tests.web.browsing import run

SCRIPTS = {
    "home": 200,
    "replay": 200,
    "second-chances": 200,
    "show": 200,
    "review": 500,
    "puzzles": 400,
    "links": 240,
    "lesson": 400,
    "offline": 200,
    "here": 200,
    "account": 200,
    "news": 240,
    "events": 240,
    "clubs": 300,
    "match": 240,
    "pairing": 200,
    "invitations": 200,
    "company": 300,
    "moderate": 300,
    "ladder": 200,
}
"""Each script with its timeout in seconds."""


@pytest.mark.parametrize("name", SCRIPTS)
def test_in_a_real_browser(name):
    run(name, SCRIPTS[name])


def test_a_first_visit_stays_within_its_size_budget():
    """Sizes only: times are measured by `scripts/web-budget` on an idle machine."""
    run("budget", 300, "--sizes")
