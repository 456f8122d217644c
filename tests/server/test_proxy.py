"""The proxy that we hand to hosts, as it is: before real workers, one of which stands still."""

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
from tests.server.processes import running, wait_until_ready

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "haproxy.cfg"
TABLES = 30
"""So many that some of them belong to each worker."""
SENT_ON = 0.5
"""Who had to wait for so many seconds was sent on."""


def for_this_machine(door: int, ports: list[int]) -> str:
    """The configuration with the addresses and the limits of this machine; nothing else is changed."""
    text = CONFIGURATION.read_text().replace("bind :8080", f"bind 127.0.0.1:{door}")
    text = text.replace("fd-hard-limit 200100", "maxconn 1000")
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
    with contextlib.ExitStack() as stack:
        workers = [
            stack.enter_context(
                running(tmp_path / f"{port}.log", "serve", "--database", postgres, "--bus", nats, "--port", str(port))
            )
            for port in ports
        ]
        for port, worker in zip(ports, workers, strict=True):
            wait_until_ready(port, worker)
        stack.enter_context(running(tmp_path / "haproxy.log", "-f", str(configuration), command=(haproxy, "-db")))
        until = time.monotonic() + 10
        while not answers(door):
            assert time.monotonic() < until, (tmp_path / "haproxy.log").read_text()
            time.sleep(0.05)
        yield door, workers


def answers(port: int) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"http://127.0.0.1:{port}/api/titles").status_code == 200
    return False


def test_who_comes_to_a_worker_that_stands_still_is_sent_on_at_once(proxied):
    door, workers = proxied

    async def arrive(ann, game):
        began = time.monotonic()
        async with ann.connect(game) as hers:
            await say(hers, type="hello")
            await hear(hers, "update")
        return time.monotonic() - began

    async def main():
        try:
            ann = await Person.arrive(door, "Ann")
            games = [(await ann.set_table())["id"] for _ in range(TABLES)]
            workers[0].send_signal(signal.SIGSTOP)
            return await asyncio.gather(*(arrive(ann, game) for game in games))
        finally:
            workers[0].send_signal(signal.SIGCONT)
            await Person.all_go_home()

    seconds = asyncio.run(asyncio.wait_for(main(), 60))
    assert any(each > SENT_ON for each in seconds), "some tables belong to the worker that stands still"
    assert max(seconds) < 2, seconds
