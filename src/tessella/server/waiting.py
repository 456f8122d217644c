"""Waiting for an event, at most for some time."""

import asyncio
from contextlib import suppress


async def wait_for_event(event: asyncio.Event, seconds: float) -> None:
    """Wait until an event is set, at most this long.

    `asyncio.wait_for` of Python 3.11 loses a cancellation that comes just after the event: the loop that waits would
    go on, and a worker that stops would wait for it until its deadline.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
