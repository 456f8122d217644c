"""Waiting for an event: whoever waits can be cancelled at any moment."""

import asyncio

from tessella.server.waiting import wait_for_event


async def loop_of(event):
    while True:
        await wait_for_event(event, 10)
        event.clear()


async def cancel_after(steps):
    """Cancel a loop some steps after its event; return whether it ended."""
    event = asyncio.Event()
    task = asyncio.create_task(loop_of(event))
    await asyncio.sleep(0.01)
    event.set()
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    ended, going = await asyncio.wait([task], timeout=0.5)
    for each in going:
        each.cancel()
    return bool(ended)


def test_a_cancellation_just_after_the_event_is_never_lost():
    assert [asyncio.run(cancel_after(steps)) for steps in range(6)] == [True] * 6


def test_it_waits_no_longer_than_it_may_and_no_longer_than_it_must():
    async def waits():
        event, loop = asyncio.Event(), asyncio.get_running_loop()
        began = loop.time()
        await wait_for_event(event, 0.05)
        assert 0.04 < loop.time() - began < 5
        event.set()
        await wait_for_event(event, 60)
        assert loop.time() - began < 30

    asyncio.run(waits())
