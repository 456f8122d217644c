"""Which tests come first, and which get a second chance."""

import pytest

REAL = (
    "tests/web/",
    "tests/terminal/test_online",
    "tests/terminal/test_real_terminal",
    "tests/server/",
    "tests/prove/",
)
"""Where real processes, sockets, browsers and terminals have to answer in time, on a machine that may be busy."""

CLOCKED = ("tests/bots/", "tests/fast/")
"""Where thinking is held to its time, in their tests of the time."""

LONG = (
    "tests/web/test_layout",
    "tests/prove/test_machines",
    "tests/web/test_browser",
    "tests/server/test_many_workers",
    "tests/test_package",
    "tests/prove/",
    "tests/terminal/",
    "tests/test_commands",
)
"""What takes minutes: it begins first, so that nothing is left for one core at the end. One browser at a time: beside
what needs a whole core comes what mostly waits."""


def pytest_collection_modifyitems(items):
    """Put the long ones first. Some are tried once more if they fail; the summary names each that needed it."""
    items.sort(key=lambda item: next((n for n, start in enumerate(LONG) if item.nodeid.startswith(start)), len(LONG)))
    for item in items:
        file, _, name = item.location
        if file.startswith(REAL) or (file.startswith(CLOCKED) and "time" in name):
            item.add_marker(pytest.mark.flaky(reruns=1))
