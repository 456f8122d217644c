"""Deadlines and bounds of HTTP connections, by both of uvicorn's protocols."""

import asyncio
import contextlib
import io
import json
import logging

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tessella.server.http import connections
from tessella.server.http.connections import Connections, Phase, bounded_http
from tessella.server.ops.logs import JsonFormatter, OncePerMinute
from tests.server.waiting import until

GET = b"GET / HTTP/1.1\r\nHost: tessella.test\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: tessella.test\r\nContent-Length: 1000\r\n\r\n"
UNREAD = POST.replace(b"/ ", b"/unread ", 1)
DEADLINE = 0.5
SLOWLY = 200
"""A byte every tenth of a deadline, so many times."""


async def application(scope, receive, send):
    """Answer when the whole body has come, or at once."""
    if scope["path"] != "/unread":
        while (message := await receive()).get("more_body"):
            pass
        if message["type"] == "http.disconnect":
            return
    if scope["path"] == "/slow":
        await asyncio.sleep(3 * DEADLINE)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
def bounds():
    return Connections(1_000)


@pytest.fixture(params=[HttpToolsProtocol, H11Protocol], ids=["httptools", "h11"])
def server(request, bounds, port, monkeypatch):
    """A server whose deadlines are short; when it has ended, no connection is left."""
    monkeypatch.setattr(connections, "DEADLINE_SECONDS", {Phase.HEAD: DEADLINE, Phase.BODY: DEADLINE})
    http = bounded_http(bounds, request.param)
    config = uvicorn.Config(application, port=port, http=http, lifespan="off", log_config=None, timeout_keep_alive=30)
    return serving(uvicorn.Server(config), bounds)


@contextlib.asynccontextmanager
async def serving(server, bounds):
    task = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    try:
        yield
        await until(lambda: not (bounds and server.server_state.connections))
    finally:
        server.should_exit = True
        await task
    assert len(bounds) == 0


@contextlib.asynccontextmanager
async def connected(port, source="127.0.0.1"):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def ask(connection, request=GET):
    """Send requests, and be answered."""
    reader, writer = connection
    writer.write(request)
    for _ in range(request.count(b"HTTP/1.1")):
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
        assert (int(head.split()[1]), await reader.readexactly(2)) == (200, b"ok")


@pytest.mark.parametrize(
    ("answered", "slow"),
    [
        (b"", GET[:-2] + b"X: " + b"x" * SLOWLY),
        (GET, GET[:-2] + b"X: " + b"x" * SLOWLY),
        (b"", POST + b"x" * SLOWLY),
        (UNREAD, b"x" * SLOWLY),
        (b"", b""),
    ],
    ids=["head", "second head", "body", "body that nobody reads", "silence"],
)
async def test_a_request_that_comes_slowly_is_cut_off(server, port, answered, slow):
    async with connected(port) as (reader, writer):
        if answered:
            await ask((reader, writer), answered)
        writer.write(slow[:-SLOWLY])
        gone = asyncio.create_task(reader.read())
        for byte in slow[-SLOWLY:]:
            with contextlib.suppress(OSError):
                writer.write(bytes([byte]))
            await asyncio.wait([gone], timeout=DEADLINE / 10)
            if gone.done():
                break
        else:
            assert not slow, "it was never cut off"
        await asyncio.wait([gone], timeout=20)
        assert isinstance(gone.exception(), OSError | None)


async def test_whoever_is_quick_may_be_idle_between_requests_and_wait_for_an_answer(server, port):
    async with connected(port) as connection:
        for request in (GET, POST + b"x" * 1_000, GET.replace(b"/ ", b"/slow ", 1), GET + GET):
            await ask(connection, request)
            await asyncio.sleep(2 * DEADLINE)


async def test_the_address_with_most_idle_connections_loses_its_oldest(server, bounds, port):
    bounds.most, bounds.most_waiting = Connections(40).most, Connections(40).most_waiting
    assert (bounds.most, bounds.most_waiting) == (20, 10)
    async with contextlib.AsyncExitStack() as stack:
        others = [await stack.enter_async_context(connected(port, f"127.0.0.{n}")) for n in (3, 4)]
        for other in others:
            await ask(other)
        many = []
        for _ in range(30):
            many.append(await stack.enter_async_context(connected(port, "127.0.0.2")))
            await ask(many[-1])
        assert len(bounds) <= 10
        for reader, _ in many[:22]:
            with contextlib.suppress(ConnectionError):
                assert await asyncio.wait_for(reader.read(), 20) == b""
        for other in others:
            await ask(other)


class Idle:
    def __init__(self, address):
        self.address, self.evicted = address, False

    def evict(self):
        self.evicted = True


def test_making_room_is_reported_once_a_minute(caplog, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("tessella.server.http.connections.time.monotonic", lambda: now[0])
    bounds = Connections(4)
    idle = [Idle("a") for _ in range(50)]
    with caplog.at_level("WARNING"):
        for each in idle:
            bounds.add(each)
        now[0] += 61.0
        bounds.add(Idle("b"))
    assert [each.evicted for each in idle] == [True] * 50
    assert [record.__dict__["count"] for record in caplog.records] == [1, 49]
    assert len(bounds) == 1


def test_what_a_library_repeats_is_logged_once_a_minute():
    written = io.StringIO()
    formatter, once = JsonFormatter(), OncePerMinute()

    def say(name, line, at):
        record = logging.LogRecord(name, logging.ERROR, "a.py", line, "accept failed", (), None)
        record.created = at
        if once.filter(record):
            written.write(formatter.format(record) + "\n")

    for number in range(1_000):
        say("asyncio", 7, 1e9 + number / 100)
        say("tessella.server", 7, 1e9 + number / 100)
    say("asyncio", 8, 1e9 + 1)
    say("asyncio", 7, 1e9 + 61)
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert sum(line["event"] == "accept failed" for line in lines) == 1_000
    others = [(line["event"].split()[-1], line.get("count")) for line in lines if line["event"] != "accept failed"]
    assert others == [("7", None), ("8", None), ("7", 1_000)]
