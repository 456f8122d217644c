"""Expensive requests: charged to the address too, computed in another process, and nobody waits because of another."""

import asyncio
import time
from itertools import count
from pathlib import Path

from sqlalchemy import update

from proofs.in_process_server import Call, serve_in_process, status_of
from proofs.play import Client
from tessella.core import record
from tessella.server.http import app as app_module
from tessella.server.http import requests
from tessella.server.http.rate_limits import Buckets, Limits
from tessella.server.store.schema import reviews
from tessella.table.replay import replay_record
from tests.server.clients import Person

RECORDS = Path(__file__).parents[3] / "records"
LONG = (RECORDS / "blockers" / "5-random.game").read_text()
GAME = (RECORDS / "azul" / "2-coloured-greedy.game").read_text()
FAST = Buckets(100_000, 100_000)
HERE, ELSEWHERE = "192.0.2.66", "198.51.100.1"


def asking(person: Client, address: str) -> Call:
    return Call("POST", "/api/replay", {"record": "nothing"}, person.secret, address=address)


async def test_sessions_are_free_so_the_address_is_charged_too():
    async with serve_in_process() as server:
        server.app.state.limits = Limits(requests=FAST)
        crowd = [await Client.arrive(server, f"Eve {number}") for number in range(30)]
        calls = [asking(person, HERE) for person in crowd for _ in range(10)]
        statuses = [status_of(answer) for answer in await asyncio.gather(*map(server.ask, calls))]
        assert set(statuses) == {422, 429}
        assert statuses.count(422) <= 200, "thirty sessions of one address are one asker"
        ann = await Client.arrive(server, "Ann")
        assert status_of(await server.ask(asking(ann, ELSEWHERE))) == 422, "another address is not charged"


async def test_an_address_that_has_used_up_its_share_is_refused_without_the_database(monkeypatch):
    looked_up = []

    async def find_caller(host, scope):
        looked_up.append(scope["path"])
        return await original(host, scope)

    original = requests.find_caller
    async with serve_in_process() as server:
        server.app.state.limits = Limits(requests=FAST, expensive_per_address=Buckets(3, 0.01))
        guests = [await Client.arrive(server, f"Eve {number}") for number in range(6)]
        monkeypatch.setattr(app_module, "find_caller", find_caller)
        statuses = [status_of(await server.ask(asking(guest, HERE))) for guest in guests]
    assert statuses == [422] * 3 + [429] * 3
    assert len(looked_up) == 3


def test_a_session_over_its_limit_does_not_use_up_the_limit_of_its_address():
    limits = Limits()
    for _ in range(1_000):
        limits.wait_for_expensive("eve", HERE, 0.0)
    assert limits.wait_for_expensive("ann", HERE, 0.0) == 0


async def test_a_replay_costs_the_web_worker_next_to_no_cpu(app, port):
    began = time.process_time()
    replay_record(record.read(LONG), None)
    alone = time.process_time() - began
    ann = await Person.arrive(port, "Ann")
    assert (await ann.http.post("/api/replay", json={"record": LONG})).status_code == 200
    began = time.process_time()
    for _ in range(10):
        assert (await ann.http.post("/api/replay", json={"record": LONG})).status_code == 200
    assert time.process_time() - began < 10 * alone / 2


async def test_unfinished_reviews_of_a_person_and_of_an_address_are_few(monkeypatch):
    names = count()
    monkeypatch.setattr("tessella.server.http.api.reviews.record_id", lambda _: f"record-{next(names)}")
    async with serve_in_process() as server:
        guests = [await Client.arrive(server, f"Eve {number}") for number in range(5)]

        async def ask(guest, address=HERE):
            return status_of(
                await server.ask(Call("POST", "/api/reviews", {"record": GAME}, guest.secret, address=address))
            )

        statuses = [[await ask(guest) for _ in range(6)] for guest in guests]
        assert statuses == [[202] * 5 + [429]] * 4 + [[429] * 6]
        assert await ask(guests[4], ELSEWHERE) == 202
        await server.host.store.run(update(reviews).where(reviews.c.id == "record-0").values(failed=True))
        assert [await ask(guests[0]) for _ in range(2)] == [202, 429], "there is room again"
