"""The other pages in a real browser, against real servers: each of these scripts of `web/e2e` is a test."""

import pytest

from tests.tiers import nightly
from tests.web.browsing import all_nightly, run, samples

SCRIPTS = ["home", "review", "here"]
FURTHER = ["replay", "second-chances", "show", "offline", "account", "pairing", "invitations"]
"""What few changes can break, or unit tests of the client show in part."""


@pytest.mark.parametrize("name", [*SCRIPTS, *nightly(*FURTHER)])
def test_in_a_real_browser(name):
    run(name)


REPEATING = ["puzzles", "lesson", "news"]
FURTHER_REPEATING = ["links", "events", "clubs", "match", "company", "moderate", "ladder"]


@pytest.mark.parametrize(("name", "arguments"), [*samples(*REPEATING), *all_nightly(*FURTHER_REPEATING)])
def test_a_sample_and_all_of_it_in_a_real_browser(name, arguments):
    run(name, *arguments)


def test_a_first_visit_stays_within_its_size_budget():
    """Sizes only: times are measured by `scripts/web-budget` on an idle machine."""
    run("budget", "--sizes")
