"""Sockets as such: who is answered, and who is let go."""

import asyncio
import contextlib
import socket
from types import SimpleNamespace

import pytest

from tessella.protocol.messages import ErrorReply
from tessella.server.http import sockets
from tessella.server.http.uvicorn_socket import Socket
from tessella.server.people.identity import digest
from tessella.server.rooms.host import SESSIONS_TOPIC
from tessella.server.store.schema import sessions
from tests.server.clients import Person, close_code, hear, heard_so_far, say
from tests.server.waiting import until

HANDSHAKE = (
    "GET /api/games/{game}/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGVzc2VsbGEgdGVzc2VsbA==\r\n\r\n"
)
STREAM = "GET /api/games/{game}/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"


@pytest.fixture(params=[Socket, "websockets-sansio"], ids=["ours", "any"])
def table(request, serve, settings, port):
    """Ann at her table, by our sockets, and by those of any server."""
    return set_by_ann(serve(settings, request.param), port)


@contextlib.asynccontextmanager
async def set_by_ann(serving, port):
    async with serving as app:
        ann, host = await Person.arrive(port, "Ann"), app.state.host
        game = (await ann.set_table())["id"]
        async with ann.connect(game) as hers:
            await hear(hers, "presence")
            yield SimpleNamespace(game=game, hers=hers, host=host, room=host.rooms[game])


@contextlib.asynccontextmanager
async def deaf(request, room, port):
    """A client at a table that has sent this request, and reads nothing more."""
    lazy, loop, before = socket.socket(), asyncio.get_running_loop(), len(room.viewers)
    with lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lazy.setblocking(False)
        await loop.sock_connect(lazy, ("127.0.0.1", port))
        await loop.sock_sendall(lazy, request.format(game=room.table.id, port=port).encode())
        await until(lambda: len(room.viewers) > before)
        yield


@pytest.mark.parametrize("opening", [HANDSHAKE, STREAM], ids=["socket", "stream"])
async def test_a_client_that_does_not_read_is_disconnected_and_the_others_get_everything(table, port, opening):
    async with deaf(opening, table.room, port):
        for told in range(5_000):
            table.room.send_all(ErrorReply(str(told), "noise", "x" * 4_000))
            assert (await hear(table.hers, "error"))["key"] == str(told)
            if len(table.room.viewers) == 1:
                break
        assert table.room.spectators == 0


async def test_a_client_that_reads_again_gets_the_close_code(table):
    for _ in range(5_000):
        table.room.send_all(ErrorReply("", "noise", "x" * 4_000))
    assert await close_code(table.hers) == sockets.TOO_SLOW
    assert not table.room.viewers


async def test_what_had_to_wait_is_not_overtaken():
    sent: list[bytes] = []
    reads = asyncio.Event()

    def write(data: bytes) -> bool:
        sent.extend([data] if reads.is_set() else [])
        return reads.is_set()

    async def send(data: bytes) -> None:
        await reads.wait()
        await asyncio.sleep(0)
        sent.append(data)

    outbox = sockets.Outbox(lambda: None, write)
    delivering = asyncio.create_task(outbox.deliver(send))
    outbox.put(b"1")
    outbox.put(b"2")
    await asyncio.sleep(0)
    reads.set()
    outbox.put(b"3")
    while not outbox.is_empty:
        await asyncio.sleep(0)
    outbox.put(b"4")
    delivering.cancel()
    assert sent == [b"1", b"2", b"3", b"4"]


async def test_a_long_message_arrives_whole(table):
    for length in (1, 60, 200, 70_000):
        table.room.send_all(ErrorReply("", "noise", "é" * length))
        assert (await hear(table.hers, "error"))["message"] == "é" * length


async def test_many_messages_at_once_and_a_long_one_among_them_are_handled_in_order(table):
    async with table.hers.send_context():
        for number in range(280):
            table.hers.protocol.send_text(b'{"type":"ping","n":%d}' % number)
            if number == 140:
                table.hers.protocol.send_text(b'{"type":"ping"' + b" " * 8_000 + b"}")
    heard = [(await hear(table.hers, "pong"))["n"] for _ in range(281)]
    assert heard == [*range(141), 0, *range(141, 280)]


async def test_a_spectator_is_answered_and_may_openingnothing(table, port):
    async with Person(port).connect(table.game) as stranger:
        await say(stranger, type="ping", n=7)
        assert (await hear(stranger, "pong"))["n"] == 7
        await say(stranger, type="command", key="k" * 8, action="start")
        error = await hear(stranger, "error")
        assert (error["key"], error["rule"]) == ("k" * 8, "session")
        await say(stranger, type="preview", move="A@A1")
        assert (await hear(stranger, "error"))["key"] == ""
        for nonsense in ("nonsense", b"\xff\xfe"):
            await stranger.send(nonsense)
            assert (await hear(stranger, "error"))["rule"] == "message"
        await say(stranger, type="hello")
        assert (await hear(stranger, "update"))["table"]["seat"] is None


async def test_a_client_gets_keepalives_while_its_request_waits_for_the_store(table, monkeypatch):
    monkeypatch.setattr(sockets, "KEEPALIVE_SECONDS", 0.05)
    answers, append = asyncio.Event(), table.host.store.append

    async def wait_and_append(write):
        await answers.wait()
        return await append(write)

    monkeypatch.setattr(table.host.store, "append", wait_and_append)
    await say(table.hers, type="command", key="k" * 8, action="leave")
    for _ in range(3):
        assert (await hear(table.hers, "pong"))["n"] == 0
    answers.set()
    assert (await hear(table.hers, "ack"))["key"] == "k" * 8
    await heard_so_far(table.hers)
    await asyncio.sleep(0.2)
    pongs = [message for message in await heard_so_far(table.hers) if message["type"] == "pong"]
    assert pongs == [], "who waits for nothing is told nothing"


# Connections end with their session


async def test_a_socket_ends_when_its_owner_logs_out(table, port):
    bob = await Person.arrive(port, "Bob")
    async with bob.connect(table.game) as his:
        await hear(his, "presence")
        assert (await bob.http.delete("/api/session")).status_code == 200
        assert await close_code(his) == sockets.LOGGED_OUT
    await heard_so_far(table.hers)  # others stay


async def test_a_stream_ends_when_its_owner_logs_out(table, port):
    bob = await Person.arrive(port, "Bob")
    async with bob.http.stream("GET", f"/api/games/{table.game}/stream") as lines:
        told = lines.aiter_lines()
        await anext(told)
        await bob.http.delete("/api/session")
        assert [line async for line in told if '"update"' in line] == []
    await until(lambda: len(table.room.viewers) == 1)


async def test_another_worker_closes_connections_after_a_notified_log_out(table, port):
    bob = await Person.arrive(port, "Bob")
    async with bob.connect(table.game) as his:
        await hear(his, "presence")
        (secret,) = bob.http.cookies.values()
        await table.host.store.run(sessions.delete().where(sessions.c.hash == digest(secret)))
        table.host.receive(SESSIONS_TOPIC, "")
        assert await close_code(his) == sockets.LOGGED_OUT


async def test_a_socket_that_is_not_read_is_closed_for_good(app, port, monkeypatch):
    """Its descriptor is given back although what was sent to it cannot be delivered."""
    lost = []
    forget = Socket.connection_lost

    def note(self, exc):
        lost.append(self)
        forget(self, exc)

    monkeypatch.setattr(Socket, "connection_lost", note)
    monkeypatch.setattr("tessella.server.http.uvicorn_socket.CLOSE_SECONDS", 0.5)
    ann = await Person.arrive(port, "Ann")
    room = app.state.host.rooms[(await ann.set_table())["id"]]
    async with deaf(HANDSHAKE, room, port):
        while room.viewers:
            room.send_all(ErrorReply("", "noise", "x" * 4_000))
            await asyncio.sleep(0)
        await until(lambda: lost)
