"""Expensive requests: charged to the address too, computed in another process, and nobody waits because of another."""

import asyncio
import time
from itertools import count
from pathlib import Path

from sqlalchemy import select, update

from proofs.in_process_server import Call, serve_in_process, status_of
from proofs.play import Client
from tessella.core import record
from tessella.server.http import app as app_module
from tessella.server.http import requests
from tessella.server.http.rate_limits import Buckets, Limits
from tessella.server.services.reviews import ask_for_review
from tessella.server.settings import Settings
from tessella.server.store import connect
from tessella.server.store.schema import jobs, reviews
from tessella.table.replay import replay_record
from tests.server.clients import Person
from tests.server.helpers import run, serving

RECORDS = Path(__file__).parents[3] / "records"
LONG = (RECORDS / "blockers" / "5-random.game").read_text()
GAME = (RECORDS / "azul" / "2-coloured-greedy.game").read_text()
FAST = Buckets(100_000, 100_000)


def test_17_14_sessions_are_free_so_the_address_is_charged_too():
    async def main():
        async with serve_in_process() as server:
            server.app.state.limits = Limits(requests=FAST)
            crowd = [await Client.arrive(server, f"Eve {number}") for number in range(30)]
            calls = [asking(person, "192.0.2.66") for person in crowd for _ in range(10)]
            statuses = [status_of(answer) for answer in await asyncio.gather(*map(server.ask, calls))]
            assert set(statuses) == {422, 429}
            assert statuses.count(422) <= 200, "thirty sessions of one address are one asker"
            ann = await Client.arrive(server, "Ann")
            assert status_of(await server.ask(asking(ann, "198.51.100.1"))) == 422, "another address is not charged"

    run(main())


def asking(person: Client, address: str) -> Call:
    return Call("POST", "/api/replay", {"record": "nothing"}, person.secret, address=address)


def test_17_14_an_address_that_has_used_up_its_share_is_refused_without_the_database(monkeypatch):
    async def main():
        async with serve_in_process() as server:
            server.app.state.limits = Limits(requests=FAST, expensive_per_address=Buckets(3, 0.01))
            guests = [await Client.arrive(server, f"Eve {number}") for number in range(6)]
            looked_up = []

            async def find_caller(host, scope):
                looked_up.append(scope["path"])
                return await original(host, scope)

            original = requests.find_caller
            monkeypatch.setattr(app_module, "find_caller", find_caller)
            statuses = [status_of(await server.ask(asking(guest, "192.0.2.66"))) for guest in guests]
            assert statuses == [422] * 3 + [429] * 3
            assert len(looked_up) == 3

    run(main())


def test_17_14_a_session_over_its_limit_does_not_use_up_the_limit_of_its_address():
    limits = Limits()
    for _ in range(1_000):
        limits.wait_for_expensive("eve", "192.0.2.66", 0.0)
    assert limits.wait_for_expensive("ann", "192.0.2.66", 0.0) == 0


def test_17_14_a_replay_costs_the_web_worker_next_to_no_cpu(sqlite, port, serve):
    began = time.process_time()
    replay_record(record.read(LONG), None)
    alone = time.process_time() - began

    async def use(app):
        ann = await Person.arrive(port, "Ann")
        assert (await ann.http.post("/api/replay", json={"record": LONG})).status_code == 200
        began = time.process_time()
        for _ in range(10):
            assert (await ann.http.post("/api/replay", json={"record": LONG})).status_code == 200
        assert time.process_time() - began < 10 * alone / 2

    serving(serve, Settings(database=sqlite, port=port, bots=0), use)


def test_17_14_one_guest_does_not_fill_the_queue_of_the_coach(sqlite, port, serve, monkeypatch):
    names = count()
    monkeypatch.setattr("tessella.server.http.api.reviews.record_id", lambda _: f"record-{next(names)}")

    async def use(app):
        eve, ann = await Person.arrive(port, "Eve"), await Person.arrive(port, "Ann")
        statuses = [(await eve.http.post("/api/reviews", json={"record": GAME})).status_code for _ in range(55)]
        assert set(statuses) == {202, 429}
        assert (await ann.http.post("/api/reviews", json={"record": GAME})).status_code == 202

    serving(serve, Settings(database=sqlite, port=port, bots=0), use)


def test_17_14_the_coach_has_room_again_when_a_review_is_done(sqlite, port, serve, monkeypatch):
    names = count()
    monkeypatch.setattr("tessella.server.http.api.reviews.record_id", lambda _: f"record-{next(names)}")

    async def use(app):
        eve = await Person.arrive(port, "Eve")
        while (answer := await eve.http.post("/api/reviews", json={"record": GAME})).status_code == 202:
            done = answer.json()["id"]
        assert (answer.status_code, answer.json()["rule"]) == (429, "busy")
        assert app.state.limits.reviews_per_person.most <= 10
        await app.state.host.store.run(update(reviews).where(reviews.c.id == done).values(failed=True))
        assert (await eve.http.post("/api/reviews", json={"record": GAME})).status_code == 202
        assert (await eve.http.post("/api/reviews", json={"record": GAME})).status_code == 429

    serving(serve, Settings(database=sqlite, port=port, bots=0), use)


def test_17_14_guests_of_one_address_are_one_asker_to_the_coach(monkeypatch):
    names = count()
    monkeypatch.setattr("tessella.server.http.api.reviews.record_id", lambda _: f"record-{next(names)}")

    async def main():
        async with serve_in_process() as server:
            guests = [await Client.arrive(server, f"Eve {number}") for number in range(30)]
            calls = [
                Call("POST", "/api/reviews", {"record": GAME}, guest.secret, address="192.0.2.66") for guest in guests
            ]
            statuses = [status_of(await server.ask(call)) for call in calls]
            assert statuses == [202] * 20 + [429] * 10
            elsewhere = Call("POST", "/api/reviews", {"record": GAME}, guests[-1].secret, address="198.51.100.1")
            assert status_of(await server.ask(elsewhere)) == 202

    run(main())


def test_17_14_reviews_of_one_owner_make_room_for_those_of_another(database):
    async def main():
        store = await connect(database)
        whole = record.read(GAME)
        for number in range(5):
            await ask_for_review(store, f"eve-{number}", whole, "eve")
        await ask_for_review(store, "ann-0", whole, "ann")
        await ask_for_review(store, "ann-1", whole, "ann")
        order = [job.game for _ in range(7) if (job := await store.lease("a", 60, "review"))]
        assert order == ["eve-0", "ann-0", "eve-1", "ann-1", "eve-2", "eve-3", "eve-4"]
        owners = {row["owner"] for row in await store.run(select(jobs.c.owner))}
        assert len(owners) == 2
        assert not owners & {"eve", "ann"}, "nobody's id is kept"
        await store.close()

    run(main())
