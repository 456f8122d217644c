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

GET = b"GET / HTTP/1.1\r\nHost: tessella.test\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: tessella.test\r\nContent-Length: 10\r\n\r\n"
EARLY = b"POST /early HTTP/1.1\r\nHost: tessella.test\r\nContent-Length: 1000\r\n\r\n"
DEADLINE = 0.5


async def application(scope, receive, send):
    """Answer when the whole body has come, or at once."""
    if scope["path"] != "/early":
        while (message := await receive()).get("more_body"):
            pass
        if message["type"] == "http.disconnect":
            return
    if scope["path"] == "/slow":
        await asyncio.sleep(3 * DEADLINE)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture(params=[HttpToolsProtocol, H11Protocol], ids=["httptools", "h11"])
def with_server(request, port, monkeypatch):
    """Run a test against a server whose deadlines are short."""
    monkeypatch.setattr(connections, "DEADLINE_SECONDS", {Phase.HEAD: DEADLINE, Phase.BODY: DEADLINE})

    def run(use, bounds=None):
        async def main():
            http = bounded_http(Connections(1_000) if bounds is None else bounds, request.param)
            config = uvicorn.Config(
                application, port=port, http=http, lifespan="off", log_config=None, timeout_keep_alive=30
            )
            server = uvicorn.Server(config)
            task = asyncio.create_task(server.serve())
            while not server.started:
                await asyncio.sleep(0.01)
            try:
                await use()
                async with asyncio.timeout(20):
                    while http.bounds and server.server_state.connections:
                        await asyncio.sleep(0.05)
            finally:
                server.should_exit = True
                await task
            assert len(http.bounds) == 0

        asyncio.run(asyncio.wait_for(main(), 60))

    return run


@contextlib.asynccontextmanager
async def connected(port, source="127.0.0.1"):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def answer(reader):
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
    return int(head.split()[1]), await reader.readexactly(2)


async def trickle(reader, writer, data):
    """Send a byte now and then until the other side hangs up; gives how long that took."""
    began = asyncio.get_running_loop().time()
    gone = asyncio.create_task(reader.read())
    for start in range(len(data)):
        with contextlib.suppress(OSError):
            writer.write(data[start : start + 1])
            await writer.drain()
        await asyncio.wait([gone], timeout=DEADLINE / 10)
        if gone.done():
            break
    with contextlib.suppress(OSError):
        await asyncio.wait_for(gone, 20)
    return asyncio.get_running_loop().time() - began


@pytest.mark.parametrize(
    ("before", "slow"),
    [(b"", GET + b"x" * 900), (GET, GET + b"x" * 900), (POST, b"x" * 9), (EARLY, b"x" * 900), (b"", b"")],
    ids=["head", "second head", "body", "body that nobody reads", "silence"],
)
def test_17_17_a_request_that_comes_slowly_is_cut_off(with_server, port, before, slow):
    async def use():
        async with connected(port) as (reader, writer):
            writer.write(before)
            if before in (GET, EARLY):
                assert await answer(reader) == (200, b"ok")
            took = await trickle(reader, writer, slow.removesuffix(b"\r\n\r\n" + b"x" * 900) or slow)
            assert DEADLINE * 0.9 <= took < DEADLINE * 20

    with_server(use)


def test_17_17_whoever_is_quick_may_be_idle_between_requests_and_wait_for_an_answer(with_server, port):
    async def use():
        async with connected(port) as (reader, writer):
            for request in (GET, POST + b"x" * 10, GET.replace(b"/ ", b"/slow ", 1), GET + GET):
                writer.write(request)
                for _ in range(request.count(b"HTTP/1.1")):
                    assert await answer(reader) == (200, b"ok")
                await asyncio.sleep(2 * DEADLINE)

    with_server(use)


def test_17_17_the_address_with_most_idle_connections_loses_its_oldest(with_server, port):
    bounds = Connections(40)
    assert (bounds.most, bounds.most_waiting) == (20, 10)

    async def use():
        async with contextlib.AsyncExitStack() as stack:
            others = [await stack.enter_async_context(connected(port, f"127.0.0.{n}")) for n in (3, 4)]
            for reader, writer in others:
                writer.write(GET)
                assert await answer(reader) == (200, b"ok")
            many = []
            for _ in range(30):
                reader, writer = await stack.enter_async_context(connected(port, "127.0.0.2"))
                writer.write(GET)
                assert await answer(reader) == (200, b"ok")
                many.append(reader)
            assert len(bounds) <= 10
            async with asyncio.timeout(20):
                for reader in many[:22]:
                    with contextlib.suppress(ConnectionError):
                        assert await reader.read() == b""
            for reader, writer in others:
                writer.write(GET)
                assert await answer(reader) == (200, b"ok")

    with_server(use, bounds)


class Idle:
    def __init__(self, address):
        self.address, self.evicted = address, False

    def evict(self):
        self.evicted = True


def test_17_17_making_room_is_reported_once_a_minute(caplog, monkeypatch):
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


def test_17_17_what_a_library_repeats_is_logged_once_a_minute():
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
