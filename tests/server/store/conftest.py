"""Stores, and workers on them, for tests that are coroutines."""

import asyncio
from contextlib import asynccontextmanager

import asyncpg
import pytest

from tessella.server.store import connect
from tests.server import coroutines
from tests.server.helpers import hosting

pytest_pyfunc_call = coroutines.call


def sql(url, statement):
    """The rows that a statement gives on PostgreSQL."""

    async def use():
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetch(statement)
        finally:
            await connection.close()

    return asyncio.run(use())


@asynccontextmanager
async def connected(url):
    store = await connect(url)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
def store(database):
    """A store of either kind."""
    return connected(database)


@pytest.fixture
def other_store(database):
    """A second store on the same database, as another worker has one."""
    return connected(database)


@pytest.fixture
def host(database):
    """A worker without sockets."""
    return hosting(database)


@pytest.fixture
def other(database):
    """A second worker on the same database."""
    return hosting(database)
