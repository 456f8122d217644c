"""Whole games in a real browser, against real servers: each of these scripts of `web/e2e` is a test."""

import pytest

from tests.installing import install
from tests.tiers import nightly
from tests.web.browsing import run, samples


@pytest.mark.parametrize(("name", "arguments"), samples("installed"))
def test_games_that_other_packages_bring(tmp_path, name, arguments):
    install(tmp_path)
    run(name, str(tmp_path), *arguments)


@pytest.mark.parametrize("name", ["azul", *nightly("duel", "blockers")])
def test_in_a_real_browser(name):
    run(name)


@pytest.mark.parametrize(("name", "arguments"), samples("text", "help"))
def test_a_sample_and_all_of_it_in_a_real_browser(name, arguments):
    run(name, *arguments)
