"""Tests that are coroutines: each runs in a loop of its own, inside the contexts that its fixtures are."""

import inspect
from contextlib import AbstractAsyncContextManager, AsyncExitStack

import pytest

from tests.server.helpers import run

HANGS_SECONDS = 300
"""After this time a test is taken to hang; no fault of a slow machine."""


@pytest.hookimpl(tryfirst=True)
def call(pyfuncitem):
    """Call a test, entering each argument that is an asynchronous context manager; None if it is no coroutine."""
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        return None
    run(_inside(test, {name: pyfuncitem.funcargs[name] for name in inspect.signature(test).parameters}), HANGS_SECONDS)
    return True


async def _inside(test, arguments):
    async with AsyncExitStack() as stack:
        for name, value in arguments.items():
            if isinstance(value, AbstractAsyncContextManager):
                arguments[name] = await stack.enter_async_context(value)
        await test(**arguments)
