"""Wait for something that happens in the background, for as long as a busy machine may need."""

import asyncio
import time
from collections.abc import Callable
from inspect import isawaitable
from typing import Any

LONGEST_SECONDS = 60.0


async def until(condition: Callable[[], Any], seconds: float = LONGEST_SECONDS) -> Any:
    """Look again and again until the condition holds, and return what it gives; fail if that takes too long."""
    deadline = time.monotonic() + seconds
    while not (found := await holds if isawaitable(holds := condition()) else holds):
        assert time.monotonic() < deadline, f"not within {seconds:g} s"
        await asyncio.sleep(0.02)
    return found


def wait_for(condition: Callable[[], Any], seconds: float = LONGEST_SECONDS) -> Any:
    """The same where nothing else runs meanwhile."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"not within {seconds:g} s"
        time.sleep(0.05)
    return found
