"""The other pages in a real browser, against real servers: each of these scripts of `web/e2e` is a test."""

import pytest

from tests.web.browsing import run, samples

SCRIPTS = [
    "home",
    "replay",
    "second-chances",
    "show",
    "review",
    "offline",
    "here",
    "account",
    "pairing",
    "invitations",
]


@pytest.mark.parametrize("name", SCRIPTS)
def test_in_a_real_browser(name):
    run(name)


REPEATING = [
    "puzzles",
    "links",
    "lesson",
    "news",
    "events",
    "clubs",
    "match",
    "company",
    "moderate",
    "ladder",
]


@pytest.mark.parametrize(("name", "arguments"), samples(*REPEATING))
def test_a_sample_and_all_of_it_in_a_real_browser(name, arguments):
    run(name, *arguments)


def test_a_first_visit_stays_within_its_size_budget():
    """Sizes only: times are measured by `scripts/web-budget` on an idle machine."""
    run("budget", "--sizes")
