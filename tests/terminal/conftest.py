"""A server for the clients in the terminal."""

import pytest

from tests.server.conftest import free_port
from tests.server.processes import running, wait_until_ready


@pytest.fixture(scope="module")
def origin(tmp_path_factory):
    """The address of a server with one file, for all tests of a module."""
    place, port = tmp_path_factory.mktemp("server"), free_port()
    database = f"sqlite:{place / 'games.sqlite3'}"
    with running(place / "log", "serve", "--port", str(port), "--database", database) as process:
        wait_until_ready(port, process, seconds=120)
        yield f"http://127.0.0.1:{port}"
