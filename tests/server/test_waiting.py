"""Waiting for an event: whoever waits can be cancelled at any moment."""

import asyncio

import pytest

from tessella.server.waiting import wait_for_event


@pytest.mark.parametrize("steps", range(6))
async def test_a_cancellation_just_after_the_event_is_never_lost(steps):
    event = asyncio.Event()

    async def loop():
        while True:
            await wait_for_event(event, 10)
            event.clear()

    task = asyncio.create_task(loop())
    for _ in range(5):
        await asyncio.sleep(0)
    event.set()
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    ended, _ = await asyncio.wait([task], timeout=5)
    assert ended


async def test_it_waits_no_longer_than_it_may_and_no_longer_than_it_must():
    event, loop = asyncio.Event(), asyncio.get_running_loop()
    began = loop.time()
    await wait_for_event(event, 0.05)
    assert loop.time() - began > 0.04
    event.set()
    async with asyncio.timeout(60):
        await wait_for_event(event, 600)
