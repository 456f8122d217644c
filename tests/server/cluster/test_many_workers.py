"""Many workers, one database, one bus: any worker serves any table, and nothing is lost when the bus dies."""

import asyncio
import contextlib
import random

import pytest

from tessella.core import record
from tessella.games import GAMES
from tests.server.clients import Person, key, play_to_the_end, say
from tests.server.conftest import free_port
from tests.server.processes import running, wait_until_ready
from tests.tiers import nightly

SEATS = {"azul": (2, 3, 4), "blockers": (3, 4), "duel": (2,)}


@pytest.fixture
def workers(tmp_path):
    """Start several worker processes, which end with the test; gives their ports."""
    with contextlib.ExitStack() as stack:

        def start(database, bus, count):
            started = []
            for port in (free_port() for _ in range(count)):
                words = ("serve", "--database", database, "--bus", bus, "--port", str(port), "--bots", "1")
                started.append((port, stack.enter_context(running(tmp_path / f"{port}.log", *words))))
            for port, process in started:
                wait_until_ready(port, process)
            return [port for port, _ in started]

        yield start


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


async def play_tables(ports, count, at_once=10):
    turnstile = asyncio.Semaphore(at_once)

    async def one(number):
        async with turnstile:
            await a_table(ports, number)

    await asyncio.gather(*(one(number) for number in range(count)))


@pytest.mark.parametrize("tables", [6, *nightly(50)])
async def test_tables_of_all_games_on_three_workers_with_postgres_and_nats(workers, postgres, nats, tables):
    await play_tables(workers(postgres, nats, 3), tables)


async def test_two_workers_hear_of_each_other_through_postgres_alone(workers, postgres):
    await play_tables(workers(postgres, postgres, 2), 6)
