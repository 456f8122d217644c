"""Real programs that fail, are replaced and are loaded: the promises are kept."""

import asyncio
import time

import pytest
from tests.server.conftest import NATS, POSTGRES

from tessella.prove import PROOFS, Ask, deploy, faults, load, sockets
from tessella.prove.machines import free_port
from tessella.prove.proxy import Proxy


@pytest.mark.slow
@pytest.mark.parametrize("proof", [faults, deploy, load, sockets], ids=lambda proof: proof.__name__.rpartition(".")[2])
def test_the_promise_is_kept(proof):
    size = PROOFS[proof.__name__.rpartition(".")[2]].usual
    report = proof.prove(Ask(size, database=f"{POSTGRES}/postgres", bus=NATS))
    assert report.passed, str(report)


async def echo(reader, writer):
    while data := await reader.read(100):
        writer.write(data)
    writer.close()


async def talk(reader, writer, seconds=5.0):
    writer.write(b"hello")
    return await asyncio.wait_for(reader.readexactly(5), seconds)


def through_a_proxy(use):
    async def main():
        target = free_port()
        server = await asyncio.start_server(echo, "127.0.0.1", target)
        async with Proxy(free_port(), target) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            assert await talk(reader, writer) == b"hello"
            await use(proxy, reader, writer)
            writer.close()
        server.close()

    asyncio.run(asyncio.wait_for(main(), 20))


def test_a_wire_that_is_cut_ends_connections_and_lets_new_ones_in():
    async def use(proxy, reader, writer):
        proxy.cut()
        with pytest.raises((OSError, asyncio.IncompleteReadError)):
            await talk(reader, writer)
        again, other = await asyncio.open_connection("127.0.0.1", proxy.port)
        assert await talk(again, other) == b"hello"
        other.close()

    through_a_proxy(use)


def test_a_wire_that_is_silent_looks_alive_and_delivers_later():
    async def use(proxy, reader, writer):
        proxy.be("silent")
        with pytest.raises(TimeoutError):
            await talk(reader, writer, 0.3)
        proxy.be("well")
        assert await asyncio.wait_for(reader.readexactly(5), 5) == b"hello"

    through_a_proxy(use)


def test_a_wire_that_refuses_lets_nobody_through():
    async def use(proxy, reader, writer):
        proxy.be("refusing")
        with pytest.raises((OSError, asyncio.IncompleteReadError)):
            await talk(*await asyncio.open_connection("127.0.0.1", proxy.port))

    through_a_proxy(use)


def test_a_slow_wire_is_slow():
    async def use(proxy, reader, writer):
        proxy.delay = 0.2
        began = time.monotonic()
        assert await talk(reader, writer) == b"hello"
        assert time.monotonic() - began >= 0.4

    through_a_proxy(use)
