"""Markers by path, the order of the tests, and what a run leaves out."""

from collections import Counter

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

settings.register_profile("explore", deadline=None)  # several tests share a core, so a slow example proves nothing
settings.register_profile("commit", settings.get_profile("explore"), derandomize=True)
settings.load_profile("explore")

SYSTEM = (
    "tests/web/",
    "tests/local/test_parity",
    "tests/package/",
    "tests/proofs/test_durable",
    "tests/proofs/test_machines",
    "tests/proofs/test_promises",
    "tests/proofs/test_secrecy",
    "tests/proofs/test_sim",
    "tests/terminal/test_keeping",
    "tests/terminal/test_online",
    "tests/terminal/test_real_terminal",
    "tests/test_commands",
    "tests/test_examples",
)
"""Whole systems: browsers, terminals, clusters, packages, simulated worlds."""

FIRST = (
    "tests/web/test_tab",
    "tests/proofs/test_machines",
    "tests/package/",
    "tests/web/",
    "tests/proofs/",
    "tests/server/cluster/test_many_workers",
    "tests/terminal/",
    "tests/test_commands",
)
"""The longest start first, so that no core is idle at the end."""

SPREAD = ("tests/web/test_games", "tests/web/test_pages", "tests/package/")
"""Files whose tests may run in several processes at once; the tests of all others stay together."""

HELD_BACK = ("nightly", "slow")
"""Markers of tests that do not run on every commit."""

_held_back = pytest.StashKey[Counter[str]]()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests of whole systems, put the longest first, and count what is held back."""
    for item in items:
        if item.nodeid.startswith(SYSTEM):
            item.add_marker(pytest.mark.system)
    items.sort(key=lambda item: next((n for n, start in enumerate(FIRST) if item.nodeid.startswith(start)), len(FIRST)))
    held_back = Counter(mark for item in items for mark in HELD_BACK if item.get_closest_marker(mark))
    if hasattr(config, "workeroutput"):
        config.workeroutput["held_back"] = dict(held_back)  # only plain values are sent
    config.stash[_held_back] = held_back


class _ByFile(LoadFileScheduling):
    """Give a file to one process, but each test of some files to any that is free."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid if nodeid.startswith(SPREAD) else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling:
    """Take the place of `--dist loadfile`."""
    return _ByFile(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    """Take over what a worker has counted; all of them count the same."""
    counted = getattr(node, "workeroutput", {})  # a worker that crashed has none
    node.config.stash[_held_back] = Counter(counted.get("held_back", {}))


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    """Say what this run left out."""
    held_back = config.stash.get(_held_back, Counter())
    left_out = {mark: count for mark, count in held_back.items() if f"not {mark}" in config.option.markexpr}
    if left_out:
        counts = ", ".join(f"{count} marked {mark}" for mark, count in sorted(left_out.items()))
        terminalreporter.write_line(f"left out of this tier: {counts}")
