"""A worker that starts without its bus: it says so, works with a delay, and connects when the bus comes."""

import asyncio
import contextlib
import shutil
import signal
import socket
import time
from functools import partial

import pytest

from tessella.server.cluster import bus as buses
from tests.server.clients import Person, hear, key, say
from tests.server.conftest import free_port
from tests.server.processes import get, lines, running, wait_until_ready
from tests.server.waiting import until, wait_for

GOODBYE_SECONDS = 60.0
"""Promised are five, on a machine that is not busy; it was minutes."""


@contextlib.contextmanager
def port_of(kind):
    """A port on which nobody listens, or one where connections are accepted and never answered."""
    if kind == "nobody":
        yield free_port()
        return
    with socket.create_server(("127.0.0.1", 0), backlog=100) as silent:
        yield silent.getsockname()[1]


def serving(log, database, bus, port):
    return running(log, "serve", "--database", database, "--bus", bus, "--port", str(port), "--bots", "0")


def metric(port, name):
    text = get(port, "/metrics").text
    return next(float(line.split(" ")[1]) for line in text.splitlines() if line.startswith(f"{name} "))


def must_end_soon(process):
    process.send_signal(signal.SIGTERM)
    assert process.wait(GOODBYE_SECONDS) in (0, -signal.SIGTERM)  # before it listens to signals it ends at once


@pytest.mark.parametrize("scheme", ["nats", "postgresql"])
@pytest.mark.parametrize("kind", ["nobody", "silent"])
def test_a_worker_without_its_bus_starts_says_so_and_ends_when_told(tmp_path, postgres, scheme, kind):
    log, port = tmp_path / "log", free_port()
    with port_of(kind) as bus, serving(log, postgres, f"{scheme}://postgres@127.0.0.1:{bus}/x", port) as process:
        wait_until_ready(port, process)
        assert get(port, "/health").status_code == 200
        wait_for(lambda: lines(log, "bus unavailable"))
        assert "bus" in get(port, "/ready").text
        assert metric(port, "tessella_bus_connected") == 0
        time.sleep(3)  # it goes on trying, and does not go on about it
        must_end_soon(process)
    (said,) = lines(log, "bus unavailable")
    assert (said["level"], said["bus"]) == ("warning", scheme)
    assert "127.0.0.1" not in log.read_text()


@pytest.mark.parametrize("kind", ["nobody", "silent"])
@pytest.mark.parametrize("after", [0.0, 0.7, 1.5])
def test_a_worker_that_looks_for_its_bus_ends_when_told_at_any_moment(tmp_path, postgres, kind, after):
    log, port = tmp_path / "log", free_port()
    with port_of(kind) as bus, serving(log, postgres, f"nats://127.0.0.1:{bus}", port) as process:
        wait_for(lambda: listens(port))
        time.sleep(after)
        must_end_soon(process)


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_bot_worker_without_its_bus_starts_and_ends_when_told(tmp_path, postgres):
    log = tmp_path / "log"
    words = ("work", "--database", postgres, "--bus", f"nats://127.0.0.1:{free_port()}", "--bots", "1", "--port", "0")
    with running(log, *words) as process:
        wait_for(lambda: lines(log, "started"))
        wait_for(lambda: lines(log, "bus unavailable"))
        must_end_soon(process)


@contextlib.contextmanager
def nats_server(port, log):
    with running(log, "-a", "127.0.0.1", "-p", str(port), command=("nats-server",)) as process:
        wait_for(lambda: listens(port))
        try:
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.kill()


@pytest.mark.skipif(shutil.which("nats-server") is None, reason="no NATS server to start")
async def test_notifications_flow_when_the_bus_comes_later_and_again_when_it_comes_back(tmp_path, postgres):
    bus, ports, logs = free_port(), [free_port(), free_port()], [tmp_path / "one", tmp_path / "two"]
    address = f"nats://127.0.0.1:{bus}"

    def wait_for_both(event, times):
        wait_for(lambda: all(len(lines(log, event)) == times for log in logs))

    def count_heard():
        return metric(ports[1], "tessella_notifications_received_total")

    def has_heard_more(before):
        return count_heard() > before

    with contextlib.ExitStack() as stack:
        pairs = zip(logs, ports, strict=True)
        workers = [stack.enter_context(serving(log, postgres, address, port)) for log, port in pairs]
        for port, worker in zip(ports, workers, strict=True):
            wait_until_ready(port, worker)
        await start_a_game(ports)
        for times in (1, 2):
            wait_for_both("bus unavailable", times)
            with nats_server(bus, tmp_path / "nats"):
                wait_for_both("bus connected", times)
                assert [metric(port, "tessella_bus_connected") for port in ports] == [1, 1]
                before = count_heard()
                await start_a_game(ports)
                wait_for(partial(has_heard_more, before))
        for worker in workers:
            must_end_soon(worker)


async def start_a_game(ports):
    """Ann starts a game at one worker; Bob sees it at the other, without a bus a little later."""
    ann, bob = [await Person.arrive(port, name) for port, name in zip(ports, ("Ann", "Bob"), strict=True)]
    table = await ann.set_table()
    await bob.join(table)
    async with ann.connect(table["id"]) as mine, bob.connect(table["id"]) as other:
        await say(mine, type="command", key=key(), action="start")
        while (await hear(other, "update"))["table"]["status"] != "playing":
            pass


@pytest.mark.skipif(shutil.which("nats-server") is None, reason="no NATS server to start")
async def test_a_bus_that_stands_still_keeps_no_worker_from_ending(tmp_path, postgres):
    bus, port, log = free_port(), free_port(), tmp_path / "log"
    with (
        nats_server(bus, tmp_path / "nats") as server,
        serving(log, postgres, f"nats://127.0.0.1:{bus}", port) as worker,
    ):
        wait_until_ready(port, worker)
        wait_for(lambda: lines(log, "bus connected"))
        server.send_signal(signal.SIGSTOP)
        await start_a_game([port, port])
        must_end_soon(worker)


@pytest.mark.parametrize("kind", ["nobody", "silent"])
def test_a_worker_without_its_database_says_why_and_ends(tmp_path, kind):
    with port_of(kind) as database:
        address = f"postgresql://postgres@127.0.0.1:{database}/none"
        with running(tmp_path / "log", "serve", "--database", address, "--port", str(free_port())) as process:
            assert process.wait(60) == 2
    _, _, why = (tmp_path / "log").read_text().partition("cannot start: ")
    assert why.strip()


@pytest.mark.parametrize("kind", ["nobody", "silent"])
async def test_the_second_server_is_used_when_the_first_does_not_answer(nats, kind):
    heard: list[tuple[str, str]] = []
    with port_of(kind) as first:
        servers = f"nats://127.0.0.1:{first},{nats}"
        here = await buses.connect(servers, lambda topic, news: heard.append((topic, news)))
        there = await buses.connect(servers, lambda topic, news: None)
        await until(lambda: here.is_connected and there.is_connected)
        there.notify("~test-of-two-servers", "1")
        await until(lambda: ("~test-of-two-servers", "1") in heard)
        await asyncio.gather(here.close(), there.close())
