"""Every page and table in every language, width and theme; beside the other scripts, since it takes as long as they."""

from tests.web.browsing import run


def test_nothing_is_too_wide_or_over_another_and_everybody_can_use_it():
    run("layout", 1200)
