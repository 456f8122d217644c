"""Every page and table: nothing overflows, nothing overlaps, and axe finds nothing.

In its own file, to run beside the other scripts.
"""

import pytest

from tests.web.browsing import run


def test_nothing_overflows_or_overlaps_and_pages_are_accessible():
    """Each kind of page at one width and in one theme, the next at another."""
    run("layout", "--some")


@pytest.mark.nightly
def test_nothing_overflows_on_any_page_or_table():
    run("layout", "--once")


@pytest.mark.slow
def test_nothing_overflows_in_any_language_width_or_theme():
    run("layout", timeout_seconds=2400)
