"""Which tests get a second chance."""

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


def pytest_collection_modifyitems(items):
    """They are tried once more if they fail; the summary names each that needed it."""
    for item in items:
        file, _, name = item.location
        if file.startswith(REAL) or (file.startswith(CLOCKED) and "time" in name):
            item.add_marker(pytest.mark.flaky(reruns=1))
