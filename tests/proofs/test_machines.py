"""Real programs that fail, are replaced and are loaded: the promises are kept."""

import asyncio
import sys
import time

import pytest

from proofs import PROOFS, Ask, Report, proving
from proofs.cluster.faulty_proxy import Proxy
from proofs.cluster.processes import Program, a_folder, a_small_disk, free_port
from proofs.cluster.topology import set_clock, wrong_clock
from tests.server.conftest import NATS, POSTGRES

SMALL = [("faults", 12), ("deploy", 3), ("load", 2), ("capacity", 1), ("sockets", 2)]
"""Sizes at which nothing may be lost; most are too small to judge times and memory."""


def report_of(name: str, size: int) -> Report:
    return proving(name)(Ask(size, database=f"{POSTGRES}/postgres", bus=NATS))


@pytest.mark.parametrize(("name", "size"), [*SMALL, pytest.param("faults", 30, marks=pytest.mark.nightly)])
def test_nothing_is_lost_in_a_small_run(name, size):
    """Thirty games see six faults."""
    report = report_of(name, size)
    assert not report.failures, str(report)
    assert report.figures


@pytest.mark.slow
@pytest.mark.parametrize("name", dict(SMALL))
def test_the_promise_is_kept(name):
    report = report_of(name, PROOFS[name].usual)
    assert report.passed is not False, str(report)


def test_clocks_of_real_programs_can_be_set_wrong():
    async def main():
        async with a_folder() as folder:
            program = Program(folder / "log", CLOCK)
            program.environment |= wrong_clock(folder, 1)
            set_clock(program, -1_000.0)
            program.start()
            await program.ended()
            return float((folder / "log").read_text())

    assert asyncio.run(main()) == pytest.approx(time.time() - 1_000, abs=60)


def test_a_small_disk_is_small():
    async def main():
        async with a_folder() as folder, a_small_disk(folder, 1) as disk:
            if disk is None:
                pytest.skip("nobody may mount a disk here")
            with pytest.raises(OSError, match="No space"):
                (disk / "ballast").write_bytes(bytes(1 << 21))

    asyncio.run(main())


CLOCK = [sys.executable, "-c", "import time; print(time.time())"]


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
