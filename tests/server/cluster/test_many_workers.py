"""Many workers, one database, one bus: any worker serves any table, and nothing is lost when the bus dies."""

import asyncio
import contextlib
import random
import shutil
import subprocess
import sys
import time

import httpx
import pytest

from tessella.core import record
from tessella.games import GAMES
from tests.server.clients import Person, key, play_to_the_end, say
from tests.server.conftest import free_port
from tests.tiers import nightly

WORKER = """
import sys, uvicorn
from tessella.server.http.app import make_app
from tessella.server.settings import Settings
database, bus, port, bots = sys.argv[1:]
app = make_app(Settings(database=database, bus=bus, port=int(port), bots=int(bots)))
uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning", ws_per_message_deflate=False)
"""
SEATS = {"azul": (2, 3, 4), "blockers": (3, 4), "duel": (2,)}


@contextlib.contextmanager
def workers(database, bus, count, bots=1):
    """Several worker processes; gives their ports."""
    ports = [free_port() for _ in range(count)]
    running = [subprocess.Popen([sys.executable, "-c", WORKER, database, bus, str(port), str(bots)]) for port in ports]
    try:
        for port in ports:
            wait_for(port)
        yield ports
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(20)


def wait_for(port):
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"http://127.0.0.1:{port}/ready").status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError("the worker does not answer")


async def a_table(ports, number):
    """One table: people on random workers, bots in the other seats, a spectator; played to the end."""
    rng = random.Random(number)
    title = sorted(GAMES)[number % len(GAMES)]
    seats = rng.choice(SEATS[title])
    kinds = ["me", *rng.choices(["open", "greedy", "random"], k=seats - 1)]
    owner = await Person.arrive(rng.choice(ports), "Ann")
    table = await owner.set_table(title, kinds)
    people = [owner]
    for index in range(len(table["invitations"])):
        guest = await Person.arrive(rng.choice(ports), f"Guest {index}")
        answer = await guest.join(table, index)
        assert answer.status_code == 200, answer.text
        people.append(guest)
    spectator = Person(rng.choice(ports))
    async with contextlib.AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(person.connect(table["id"])) for person in [*people, spectator]]
        await say(sockets[0], type="command", key=key(), action="start")
        ends = await asyncio.gather(*(play_to_the_end(socket) for socket in sockets))
    assert len({str(end["end"]) for end in ends}) == 1
    text = (await people[-1].http.get(f"/api/games/{table['id']}/record")).json()["record"]
    found = record.read(text)
    assert found.commitment.hex() == table["commitment"]
    record.verify(GAMES[title], found)
    for person in [*people, spectator]:
        await person.http.aclose()


def play_tables(ports, count, at_once=10):
    async def main():
        turnstile = asyncio.Semaphore(at_once)

        async def one(number):
            async with turnstile:
                await a_table(ports, number)

        await asyncio.gather(*(one(number) for number in range(count)))

    asyncio.run(asyncio.wait_for(main(), 240))


@pytest.mark.parametrize("tables", [6, *nightly(50)])
def test_tables_of_all_games_on_three_workers_with_postgres_and_nats(postgres, nats, tables):
    with workers(postgres, nats, 3) as ports:
        play_tables(ports, tables)


def test_two_workers_hear_of_each_other_through_postgres_alone(postgres):
    with workers(postgres, postgres, 2) as ports:
        play_tables(ports, 6)


def test_two_workers_without_any_bus_only_read_later(postgres):
    with workers(postgres, "", 2) as ports:
        play_tables(ports, 1, at_once=1)


@pytest.mark.skipif(shutil.which("nats-server") is None, reason="no NATS server to kill")
def test_killing_the_bus_loses_nothing(postgres):
    port = free_port()
    bus = subprocess.Popen(["nats-server", "-a", "127.0.0.1", "-p", str(port)], stderr=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
        with workers(postgres, f"nats://127.0.0.1:{port}", 2) as ports:

            async def main():
                games = [asyncio.create_task(a_table(ports, number)) for number in range(4)]
                await asyncio.sleep(1)
                bus.kill()
                await asyncio.gather(*games)

            asyncio.run(asyncio.wait_for(main(), 120))
    finally:
        bus.kill()
        bus.wait(10)
