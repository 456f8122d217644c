"""Real stores, real servers, for tests: nothing is mocked."""

import asyncio
import contextlib
import functools
import inspect
import os
import random
import shutil
import socket
import ssl
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager

import asyncpg
import pytest
import uvicorn

from tessella.server.http.app import make_app
from tessella.server.http.uvicorn_socket import Socket
from tessella.server.settings import Settings
from tessella.server.store import postgres as postgres_store
from tessella.server.store.migrate import migrate
from tests.server.clients import Person
from tests.server.helpers import hosting

POSTGRES = os.environ.get("TESSELLA_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432")
NATS = os.environ.get("TESSELLA_TEST_NATS", "nats://127.0.0.1:4222")


TEST_SECONDS = 300
"""Far more than any test needs: what hangs fails."""

_PORTS_PER_WORKER = 2_000
_FIRST_PORT = 20_000 + _PORTS_PER_WORKER * (int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 5)
_given_ports: set[int] = set()


def free_port() -> int:
    """Return a port below 32768 that is free and was not returned before; each xdist worker has its own range."""
    while True:
        port = random.randrange(_FIRST_PORT, _FIRST_PORT + _PORTS_PER_WORKER)
        with socket.socket() as probe:
            if port not in _given_ports and probe.connect_ex(("127.0.0.1", port)):
                _given_ports.add(port)
                return port


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test that is a coroutine, with those of its fixtures entered that are asynchronous context managers."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None

    async def main():
        async with contextlib.AsyncExitStack() as stack:
            values = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
            for name, value in values.items():
                if isinstance(value, AbstractAsyncContextManager):
                    values[name] = await stack.enter_async_context(value)
            stack.push_async_callback(Person.all_go_home)
            await pyfuncitem.obj(**values)

    asyncio.run(asyncio.wait_for(main(), TEST_SECONDS))
    return True


@pytest.fixture(scope="session", autouse=True)
def certificates_are_read_once():
    """Every client of httpx reads all root certificates, for 20 to 40 ms: it was an eighth of these tests' time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", functools.cache(ssl.create_default_context))
        yield


@pytest.fixture(autouse=True)
def _stores_are_patient(monkeypatch):
    """A database that answers late is not away: the machine is busy."""
    monkeypatch.setattr(postgres_store, "ANSWER_SECONDS", 60.0)


async def _run_sql(statement: str) -> None:
    connection = await asyncpg.connect(f"{POSTGRES}/postgres")
    await connection.execute(statement)
    await connection.close()


@contextlib.contextmanager
def _database(template: str = "template1") -> Iterator[str]:
    """A PostgreSQL database for as long as the block runs, as a copy of another; its name."""
    name = f"tessella_test_{random.getrandbits(48):x}"
    asyncio.run(_run_sql(f"CREATE DATABASE {name} TEMPLATE {template}"))
    yield name
    asyncio.run(_run_sql(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="session")
def migrated_postgres():
    """The name of a database with all tables and no rows. Copying it takes a tenth of the time of migrating."""
    with _database() as name:
        asyncio.run(migrate(f"{POSTGRES}/{name}"))
        yield name


@pytest.fixture
def postgres(migrated_postgres):
    """A PostgreSQL database without any game."""
    with _database(migrated_postgres) as name:
        yield f"{POSTGRES}/{name}"


other_postgres = postgres
"""A second one."""


@pytest.fixture
def bare_postgres():
    """A PostgreSQL database without any table."""
    with _database() as name:
        yield f"{POSTGRES}/{name}"


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory):
    """A SQLite file with all tables and no rows."""
    path = tmp_path_factory.mktemp("migrated") / "games.sqlite3"
    asyncio.run(migrate(f"sqlite:{path}"))
    return path


@pytest.fixture
def sqlite(tmp_path, migrated_sqlite):
    """A SQLite database without any game."""
    path = tmp_path / "games.sqlite3"
    shutil.copy(migrated_sqlite, path)
    return f"sqlite:{path}"


STATEMENTS = ("tests/server/cluster", "tests/server/people", "tests/server/rooms", "tests/server/store")
"""Where each commit runs every test on both kinds of database; the other tests share these statements."""


def pytest_generate_tests(metafunc):
    """Run tests on SQLite and on PostgreSQL, unless they say on which."""
    on_both = str(metafunc.definition.nodeid).startswith(STATEMENTS)
    kinds = ["sqlite", pytest.param("postgres", marks=() if on_both else pytest.mark.nightly)]
    chosen = {mark.args[0] for mark in metafunc.definition.iter_markers("parametrize") if isinstance(mark.args[0], str)}
    for name in ("database", "bare_database"):
        if name in metafunc.fixturenames and name not in chosen:
            metafunc.parametrize(name, kinds, indirect=True)


@pytest.fixture
def database(request):
    """Both kinds of database, one after the other."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def bare_database(request, tmp_path):
    """Both kinds of database without any table."""
    return f"sqlite:{tmp_path / 'bare'}" if request.param == "sqlite" else request.getfixturevalue("bare_postgres")


@pytest.fixture
def nats():
    """The address of a real NATS server."""
    return NATS


@contextlib.asynccontextmanager
async def _serve(settings: Settings, ws: str | type[asyncio.Protocol] = Socket):
    app = make_app(settings)
    config = uvicorn.Config(
        app,
        host="127.0.0.1",
        port=settings.port,
        log_level="warning",
        ws=ws,
        ws_per_message_deflate=False,
        lifespan="on",
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
        if task.done():
            task.result()
    try:
        yield app
    finally:
        server.should_exit = True
        await task


@pytest.fixture
def serve():
    """Start a worker: `async with serve(Settings(…)) as app`."""
    return _serve


@pytest.fixture
def port():
    """A free port."""
    return free_port()


@pytest.fixture
def settings(sqlite, port):
    """The settings of `app`; a file of tests may have its own."""
    return Settings(database=sqlite, port=port, bots=0)


@pytest.fixture
def app(settings):
    """A worker that serves while the test runs, which is a coroutine."""
    return _serve(settings)


@pytest.fixture
def host(database):
    """A worker without sockets, while the test runs."""
    return hosting(database)
