"""Markers by path, the order of the tests, reruns, and the release that package tests share."""

import os

import pytest
from hypothesis import settings

from tests.packages import Release, build_once

settings.register_profile("tests", deadline=None)  # several tests share a core, so a slow example proves nothing
settings.load_profile("tests")

SYSTEM = (
    "tests/web/",
    "tests/local/test_parity",
    "tests/terminal/test_keeping",
    "tests/terminal/test_online",
    "tests/terminal/test_real_terminal",
    "tests/proofs/test_durable",
    "tests/proofs/test_machines",
    "tests/proofs/test_promises",
    "tests/proofs/test_secrecy",
    "tests/proofs/test_sim",
    "tests/test_commands",
    "tests/test_examples",
    "tests/test_package",
)
"""Whole systems: browsers, terminals, clusters, packages, simulated worlds."""

FIRST = (
    "tests/web/test_tab",
    "tests/proofs/test_machines",
    "tests/web/test_layout",
    "tests/test_package",
    "tests/web/test_games",
    "tests/proofs/",
    "tests/web/",
    "tests/server/cluster/test_many_workers",
    "tests/terminal/",
    "tests/test_commands",
)
"""The longest start first, so that no core is idle at the end; browsers beside tests that mostly wait."""


TOGETHER = ("tests/proofs/", "tests/web/test_tab", "tests/terminal/test_online", "tests/test_package")
"""With `--dist loadgroup` these run one after another, because they share something or measure times."""

RERUN = ("tests/web/", "tests/terminal/test_online", "tests/terminal/test_real_terminal", "tests/proofs/")
"""Real browsers, terminals and clusters on a machine that may be busy. The server's tests have one chance."""

RERUN_DELAY = 30
"""Seconds before a test is rerun, because a machine is often busy for a while."""

TIMED = ("tests/bots/", "tests/fast/")
"""Where tests with "time" in their name hold a search to its time budget."""


def pytest_collection_modifyitems(config, items):
    """Mark tests of whole systems, run the longest first, and rerun a few, at most twice, if they fail.

    `-p no:rerunfailures` reruns none; the summary names each test that was rerun.
    """
    for item in items:
        if item.nodeid.startswith(SYSTEM):
            item.add_marker(pytest.mark.system)
        if group := next((start for start in TOGETHER if item.nodeid.startswith(start)), None):
            item.add_marker(pytest.mark.xdist_group(group))
        if config.pluginmanager.hasplugin("rerunfailures") and _may_rerun(item):
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=RERUN_DELAY))
    items.sort(key=lambda item: next((n for n, start in enumerate(FIRST) if item.nodeid.startswith(start)), len(FIRST)))


def _may_rerun(item) -> bool:
    return item.nodeid.startswith(RERUN) or (item.nodeid.startswith(TIMED) and "time" in item.name)


@pytest.fixture(scope="session")
def release(tmp_path_factory) -> Release:
    """Return what scripts/package-check built and found; all workers of a run share it."""
    folder = tmp_path_factory.getbasetemp()
    return build_once(folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder)
