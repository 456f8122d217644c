"""The other pages in a real browser, against real servers: each of these scripts of `web/e2e` is a test."""

import pytest

from tests.web.browsing import run

SCRIPTS = [
    "home",
    "replay",
    "second-chances",
    "show",
    "review",
    "puzzles",
    "links",
    "lesson",
    "offline",
    "here",
    "account",
    "news",
    "events",
    "clubs",
    "match",
    "pairing",
    "invitations",
    "company",
    "moderate",
    "ladder",
]


@pytest.mark.parametrize("name", SCRIPTS)
def test_in_a_real_browser(name):
    run(name)


def test_a_first_visit_stays_within_its_size_budget():
    """Sizes only: times are measured by `scripts/web-budget` on an idle machine."""
    run("budget", "--sizes")
