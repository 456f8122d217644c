"""The proxy that we hand to hosts: before real workers, one of which stands still."""

import asyncio
import contextlib
import re
import shutil
import signal
import time
from pathlib import Path

import httpx
import pytest

from tests.server.clients import Person, hear, say
from tests.server.conftest import free_port
from tests.server.processes import get, running, wait_until_ready
from tests.server.waiting import wait_for

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "haproxy.cfg"
TABLES = 30
"""So many that some of them belong to each worker."""
SENT_ON_SECONDS = 3
"""Whoever had to wait for so long was sent on: far longer than another worker needs on a busy machine."""


def for_this_machine(door: int, ports: list[int]) -> str:
    """The configuration with the addresses and the limits of this machine, and with more patience."""
    text = CONFIGURATION.read_text().replace("bind :8080", f"bind 127.0.0.1:{door}")
    text = text.replace("fd-hard-limit 200100", "maxconn 1000")
    text = text.replace("timeout server 700ms", f"timeout server {SENT_ON_SECONDS}s").replace("inter 1s", "inter 600s")
    text = re.sub(r"^resolvers containers\n(    .*\n)+", "", text, flags=re.MULTILINE)
    text = text.replace(" resolvers containers", "")
    for number, port in enumerate(ports, 1):
        text = text.replace(f"web{number}:8642", f"127.0.0.1:{port}")
    return text


@pytest.fixture
def proxied(postgres, nats, tmp_path):
    """Three workers behind the proxy; gives its port and their processes."""
    door, ports = free_port(), [free_port() for _ in range(3)]
    configuration = tmp_path / "haproxy.cfg"
    configuration.write_text(for_this_machine(door, ports))
    haproxy = shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    assert haproxy, "apt-get install haproxy"
    options = ("serve", "--database", postgres, "--bus", nats)
    with contextlib.ExitStack() as stack:
        logs = [tmp_path / f"{port}.log" for port in ports]
        pairs = list(zip(logs, ports, strict=True))
        workers = [stack.enter_context(running(log, *options, "--port", str(port))) for log, port in pairs]
        for port, worker in zip(ports, workers, strict=True):
            wait_until_ready(port, worker)
        stack.enter_context(running(tmp_path / "haproxy.log", "-f", str(configuration), command=(haproxy, "-db")))
        wait_for(lambda: answers(door))
        yield door, workers


def answers(port: int) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return get(port, "/api/titles").status_code == 200
    return False


async def test_who_comes_to_a_worker_that_stands_still_is_sent_on(proxied):
    door, workers = proxied

    async def arrive(game):
        began = time.monotonic()
        async with ann.connect(game) as hers:
            await say(hers, type="hello")
            await hear(hers, "update")
        return time.monotonic() - began

    ann = await Person.arrive(door, "Ann")
    games = [(await ann.set_table())["id"] for _ in range(TABLES)]
    workers[0].send_signal(signal.SIGSTOP)
    try:
        seconds = await asyncio.gather(*map(arrive, games))
    finally:
        workers[0].send_signal(signal.SIGCONT)
    assert max(seconds) > SENT_ON_SECONDS, "some tables belong to the worker that stands still"
