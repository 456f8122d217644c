"""Waiting for what happens in the background, for as long as a busy machine may need."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from inspect import isawaitable

LONGEST_SECONDS = 30.0


async def until(condition: Callable[[], bool | Awaitable[bool]], seconds: float = LONGEST_SECONDS) -> None:
    """Return once the condition holds, which is looked at again and again; fail if it does not within the seconds."""
    deadline = time.monotonic() + seconds
    while not (await holds if isawaitable(holds := condition()) else holds):
        assert time.monotonic() < deadline, f"not within {seconds:g} s"
        await asyncio.sleep(0.02)
