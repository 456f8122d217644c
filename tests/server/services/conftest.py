"""Workers for tests that are coroutines: without sockets, or serving."""

from contextlib import asynccontextmanager

import pytest

from tessella.server.settings import Settings
from tests.server import coroutines
from tests.server.clients import Person
from tests.server.helpers import hosting

pytest_pyfunc_call = coroutines.call


@pytest.fixture
def host(database):
    """A worker without sockets, on either kind of database."""
    return hosting(database)


@pytest.fixture
def other(database):
    """A second worker on the same database."""
    return hosting(database)


@pytest.fixture
def two_workers(postgres):
    """Two workers on PostgreSQL, where their transactions overlap."""
    return _both(postgres)


@asynccontextmanager
async def _both(url):
    async with hosting(url) as one, hosting(url) as two:
        yield one, two


@asynccontextmanager
async def serving(serve, settings):
    """A worker that serves, until all people have gone home."""
    async with serve(settings) as app:
        try:
            yield app
        finally:
            await Person.all_go_home()


@pytest.fixture
def app(serve, sqlite, port):
    """A worker that serves on `port`, without bots."""
    return serving(serve, Settings(database=sqlite, port=port, bots=0))
