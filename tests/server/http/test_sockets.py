"""Sockets as such: who is answered, and who is let go."""

import asyncio
import socket

import pytest
import websockets

from tessella.protocol.messages import ErrorReply
from tessella.server.http import sockets
from tessella.server.http.uvicorn_socket import Socket
from tessella.server.people.identity import digest
from tessella.server.rooms.host import SESSIONS_TOPIC, Host
from tessella.server.settings import Settings
from tessella.server.store.schema import sessions
from tests.server.clients import Person, hear, say

HANDSHAKE = (
    "GET /api/games/{game}/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGVzc2VsbGEgdGVzc2VsbA==\r\n\r\n"
)

HERE: list[Host] = []
"""The worker of the test that runs."""


@pytest.fixture(params=[Socket, "websockets-sansio"], ids=["ours", "any"])
def at_a_table(request, serve, sqlite, port):
    """Run a test with Ann, her table and its room; by our sockets, and by those of any server."""

    def run(use):
        async def main():
            async with serve(Settings(database=sqlite, port=port), request.param) as app:
                try:
                    ann = await Person.arrive(port, "Ann")
                    game = (await ann.set_table())["id"]
                    async with ann.connect(game) as hers:
                        await hear(hers, "presence")
                        HERE[:] = [app.state.host]
                        await use(game, hers, app.state.host.rooms[game])
                finally:
                    await Person.all_go_home()

        asyncio.run(asyncio.wait_for(main(), 60))

    return run


async def knock(game: str, port: int) -> socket.socket:
    """A socket that is open, and never read again."""
    lazy = socket.socket()
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    lazy.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(lazy, ("127.0.0.1", port))
    await loop.sock_sendall(lazy, HANDSHAKE.format(game=game, port=port).encode())
    assert b" 101 " in await loop.sock_recv(lazy, 15)
    return lazy


def test_a_client_that_does_not_read_is_disconnected_and_the_others_get_everything(at_a_table, port):
    async def use(game, hers, room):
        with await knock(game, port):
            while len(room.viewers) < 2:
                await asyncio.sleep(0.01)
            for told in range(5_000):
                room.send_all(ErrorReply(str(told), "noise", "x" * 4_000))
                assert (await hear(hers, "error"))["key"] == str(told)
                if len(room.viewers) == 1:
                    break
            assert room.spectators == 0

    at_a_table(use)


def test_a_client_that_reads_again_gets_the_close_code(at_a_table):
    async def use(game, hers, room):
        for _ in range(5_000):
            room.send_all(ErrorReply("", "noise", "x" * 4_000))
        with pytest.raises(websockets.ConnectionClosedError):
            while True:
                await hear(hers, "error")
        assert hers.close_code == sockets.TOO_SLOW
        assert not room.viewers

    at_a_table(use)


def test_what_had_to_wait_is_not_overtaken():
    async def main():
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

    asyncio.run(main())


def test_a_long_message_arrives_whole(at_a_table):
    async def use(game, hers, room):
        for length in (1, 60, 200, 70_000):
            room.send_all(ErrorReply("", "noise", "é" * length))
            assert (await hear(hers, "error"))["message"] == "é" * length

    at_a_table(use)


def test_many_messages_at_once_and_a_long_one_among_them_are_handled_in_order(at_a_table):
    async def use(game, hers, room):
        async with hers.send_context():
            for number in range(280):
                hers.protocol.send_text(b'{"type":"ping","n":%d}' % number)
                if number == 140:
                    hers.protocol.send_text(b'{"type":"ping"' + b" " * 8_000 + b"}")
        heard = [(await hear(hers, "pong"))["n"] for _ in range(281)]
        assert heard == [*range(141), 0, *range(141, 280)]

    at_a_table(use)


def test_a_spectator_is_answered_and_may_request_nothing(at_a_table, port):
    async def use(game, hers, room):
        async with Person(port).connect(game) as stranger:
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

    at_a_table(use)


def test_a_client_gets_keepalives_while_its_request_waits_for_the_store(at_a_table, monkeypatch):
    monkeypatch.setattr(sockets, "KEEPALIVE_SECONDS", 0.05)

    async def use(game, hers, room):
        answers, append = asyncio.Event(), HERE[0].store.append

        async def wait_and_append(write):
            await answers.wait()
            return await append(write)

        monkeypatch.setattr(HERE[0].store, "append", wait_and_append)
        await say(hers, type="command", key="k" * 8, action="leave")
        for _ in range(3):
            assert (await hear(hers, "pong"))["n"] == 0
        answers.set()
        assert (await hear(hers, "ack"))["key"] == "k" * 8
        await say(hers, type="ping", n=7)
        pongs = [await hear(hers, "pong")]
        while pongs[-1]["n"] != 7:
            pongs.append(await hear(hers, "pong"))
        await asyncio.sleep(0.2)
        await say(hers, type="ping", n=8)
        assert (await hear(hers, "pong"))["n"] == 8, "who waits for nothing is told nothing"

    at_a_table(use)


# Connections end with their session


def test_a_socket_ends_when_its_owner_logs_out(at_a_table, port):
    async def use(game, hers, room):
        bob = await Person.arrive(port, "Bob")
        async with bob.connect(game) as his:
            await hear(his, "presence")
            assert (await bob.http.delete("/api/session")).status_code == 200
            with pytest.raises(websockets.ConnectionClosed):
                while True:
                    await hear(his, "presence", "update")
            assert his.close_code == sockets.LOGGED_OUT
        await say(hers, type="ping", n=1)
        assert (await hear(hers, "pong"))["n"] == 1, "others stay"

    at_a_table(use)


def test_a_stream_ends_when_its_owner_logs_out(at_a_table, port):
    async def use(game, hers, room):
        bob = await Person.arrive(port, "Bob")
        async with bob.http.stream("GET", f"/api/games/{game}/stream") as lines:
            told = lines.aiter_lines()
            await anext(told)
            await bob.http.delete("/api/session")
            assert [line async for line in told if '"update"' in line] == []
        while len(room.viewers) > 1:
            await asyncio.sleep(0.01)

    at_a_table(use)


def test_another_worker_closes_connections_after_a_notified_log_out(at_a_table, port):
    async def use(game, hers, room):
        bob = await Person.arrive(port, "Bob")
        async with bob.connect(game) as his:
            await hear(his, "presence")
            (secret,) = bob.http.cookies.values()
            await HERE[0].store.run(sessions.delete().where(sessions.c.hash == digest(secret)))
            HERE[0].receive(SESSIONS_TOPIC, "")
            with pytest.raises(websockets.ConnectionClosed):
                while True:
                    await hear(his, "presence", "update")

    at_a_table(use)


def test_a_client_that_does_not_read_a_stream_is_disconnected(at_a_table, port):
    async def use(game, hers, room):
        lazy = socket.socket()
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lazy.setblocking(False)
        loop = asyncio.get_running_loop()
        with lazy:
            await loop.sock_connect(lazy, ("127.0.0.1", port))
            await loop.sock_sendall(lazy, f"GET /api/games/{game}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            while len(room.viewers) < 2:
                await asyncio.sleep(0.01)
            for told in range(5_000):
                room.send_all(ErrorReply(str(told), "noise", "x" * 4_000))
                assert (await hear(hers, "error"))["key"] == str(told)
                if len(room.viewers) == 1:
                    break
            assert room.spectators == 0

    at_a_table(use)


def test_17_17_a_socket_that_is_not_read_is_closed_for_good(serve, sqlite, port, monkeypatch):
    """Its descriptor is given back although what was sent to it cannot be delivered."""
    lost = []
    forget = Socket.connection_lost

    def note(self, exc):
        lost.append(self)
        forget(self, exc)

    monkeypatch.setattr(Socket, "connection_lost", note)
    monkeypatch.setattr("tessella.server.http.uvicorn_socket.CLOSE_SECONDS", 0.5)

    async def main():
        async with serve(Settings(database=sqlite, port=port)) as app:
            ann = await Person.arrive(port, "Ann")
            game = (await ann.set_table())["id"]
            with await knock(game, port):
                room = app.state.host.rooms[game]
                while not room.viewers:
                    await asyncio.sleep(0.01)
                while room.viewers:
                    room.send_all(ErrorReply("", "noise", "x" * 4_000))
                    await asyncio.sleep(0)
                async with asyncio.timeout(20):
                    while not lost:
                        await asyncio.sleep(0.05)
            await Person.all_go_home()

    asyncio.run(asyncio.wait_for(main(), 60))
