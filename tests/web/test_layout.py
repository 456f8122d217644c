"""Every page and table in every language, width and theme; in its own file, to run beside the other scripts."""

from tests.web.browsing import run


def test_nothing_overflows_or_overlaps_and_pages_are_accessible():
    run("layout", 1200)
