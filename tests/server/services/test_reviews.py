"""The coach at work on a server: asked for when a game is over, a slice at a time, by whichever worker is free."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from tessella.bots import Budget
from tessella.coach import azul as coach_azul
from tessella.coach.review import record_id, review
from tessella.core import record
from tessella.games import azul
from tessella.server.services import reviews
from tessella.server.settings import Settings
from tessella.server.store import Job, connect
from tessella.server.store.schema import jobs
from tessella.server.store.schema import reviews as table
from tests.server.clients import Person
from tests.server.helpers import begin, known, play_out, resign, run, serving

RECORDS = Path(__file__).parents[3] / "records"
RULES = "azul/1 seats=2 wall=coloured"
WHOLE = record.read((RECORDS / "azul" / "2-coloured-greedy.game").read_text())


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(coach_azul, "SAMPLES", 2)
    monkeypatch.setattr(coach_azul, "MIN_PLAYOUTS", 2)
    monkeypatch.setattr(coach_azul, "PLAYOUT_NODES", {2: (100, 200)})
    monkeypatch.setattr(reviews, "EFFORT", Budget(nodes=300))


async def patiently(person, path):
    """Ask until the coach is done."""
    seen = []
    while True:
        answer = await person.http.get(path)
        assert answer.status_code == 200, answer.text
        seen.append(answer.json())
        if seen[-1]["status"] in ("done", "failed"):
            return seen
        await asyncio.sleep(0.1)


def test_a_running_game_is_never_reviewed(serve, sqlite, port):
    async def use(app):
        host = app.state.host
        for rated in (True, False):
            people = [await known(host.store, "Ann"), await known(host.store, "Bob")]
            room = await begin(host, people, RULES, rated=rated)
            ann = await Person.arrive(port, "Ann")
            path = f"/api/games/{room.table.id}/review"
            refused = await ann.http.post(path)
            assert (refused.status_code, refused.json()["rule"]) == (403, "running")
            assert (await ann.http.get(path)).status_code == 404
            so_far = record.write(record.Record(RULES, tuple(room.table.acts)))
            brought = await ann.http.post("/api/reviews", json={"record": so_far})
            assert (brought.status_code, brought.json()["rule"]) == (422, "replay")
        assert await host.store.run(select(table)) == []

    serving(serve, Settings(database=sqlite, port=port), use)


def test_a_finished_game_is_reviewed_by_a_bot_worker(serve, database, port):
    async def use(app):
        host = app.state.host
        room = await begin(host, [await known(host.store, "Ann"), await known(host.store, "Bob")], RULES)
        await play_out(host, room)
        eve = await Person.arrive(port, "Eve")
        path = f"/api/games/{room.table.id}/review"
        asked = await eve.http.post(path)
        assert asked.status_code == 202, asked.text
        assert asked.json()["status"] in ("waiting", "working")
        assert (await eve.http.post(path)).status_code == 202
        seen = await patiently(eve, path)
        done = [answer["done"] for answer in seen]
        assert done == sorted(done)
        report = seen[-1]["report"]
        assert seen[-1]["done"] == seen[-1]["total"] == len(room.table.acts) == len(report["values"])
        assert report["places"] == list(room.table.end.places)
        assert "Ann" not in str(seen)
        again = (await eve.http.post(path)).json()
        assert (again["status"], again["report"]) == ("done", report)
        decision = max(report["decisions"], key=lambda decision: len(decision["line"]))
        lines = f"/api/reviews/{room.table.id}/lines"
        shown = (await eve.http.get(f"{lines}/{decision['number']}", params={"seat": "1"})).json()["steps"]
        assert [step["entry"]["acts"] for step in shown] == [[move] for move in decision["line"]]
        assert [(await eve.http.get(f"{lines}/{number}")).status_code for number in (0, "x")] == [404, 404]
        assert await host.store.run(select(jobs)) == []

    serving(serve, Settings(database=database, port=port), use)


def test_a_game_that_was_resigned_can_be_reviewed_and_one_that_never_began_cannot(serve, sqlite, port):
    async def use(app):
        host = app.state.host
        room = await begin(host, [await known(host.store, "Ann"), await known(host.store, "Bob")], RULES)
        await resign(host, room, 0)
        eve = await Person.arrive(port, "Eve")
        assert (await eve.http.post(f"/api/games/{room.table.id}/review")).status_code == 202
        seen = await patiently(eve, f"/api/games/{room.table.id}/review")
        assert seen[-1]["report"]["over"] is False

    serving(serve, Settings(database=sqlite, port=port), use)


def test_a_record_can_be_brought_and_gets_the_same_review_everywhere(serve, sqlite, port):
    async def use(app):
        eve = await Person.arrive(port, "Eve")
        text = record.write(WHOLE)
        asked = (await eve.http.post("/api/reviews", json={"record": text})).json()
        nameless = record.write(record.Record(WHOLE.rules, WHOLE.acts))
        assert (await eve.http.post("/api/reviews", json={"record": nameless})).json()["id"] == asked["id"]
        seen = await patiently(eve, f"/api/reviews/{asked['id']}")
        assert [split["luck"] for split in seen[-1]["report"]["splits"]] == [
            split.luck for split in review(azul, WHOLE, reviews.EFFORT).splits
        ]
        assert (await Person(port).http.post("/api/reviews", json={"record": text})).status_code == 401

    serving(serve, Settings(database=sqlite, port=port), use)


def test_any_worker_goes_on_where_another_stopped(database, monkeypatch):
    monkeypatch.setattr(reviews, "SLICE_SECONDS", 0.0)

    async def main():
        store = await connect(database)
        review_id = record_id(WHOLE)
        assert (await reviews.ask_for_review(store, review_id, WHOLE)).status == "waiting"
        assert await store.lease("a", 20, "review") == Job(review_id, 0, "review")
        workers = [reviews.Reviewer(store, name) for name in "abc"]
        done = False
        for turn in range(len(WHOLE.acts)):
            assert not done
            done = await workers[turn % 2].work(review_id)
            if turn == 10:  # somebody who comes late to the same slice changes nothing
                row = (await store.run(select(table)))[0]
                await workers[2]._keep({**row, "done": 3}, failed=True)
        assert done
        assert await workers[0].work(review_id)
        found = await reviews.find_review(store, review_id)
        assert found is not None
        assert found.report == review(azul, WHOLE, reviews.EFFORT)
        await store.close()

    run(main())


def test_bots_and_the_coach_take_only_their_own_jobs(database):
    async def main():
        store = await connect(database)
        await reviews.ask_for_review(store, "early", WHOLE)
        await store.run(insert(jobs).values(game="g", number=4, kind="move", priority=0, made=9e9, leased=0, worker=""))
        assert [await store.lease("a", 20) for _ in range(2)] == [Job("g", 4), None]
        assert [await store.lease("a", 20, "review") for _ in range(2)] == [Job("early", 0, "review"), None]
        await store.close()

    run(main())


def test_a_review_that_cannot_be_made_has_failed_and_says_so(sqlite):
    async def main():
        store = await connect(sqlite)
        await reviews.ask_for_review(store, "odd", WHOLE)
        broken = record.write(record.Record(WHOLE.rules, ("*nonsense",)))
        await store.run(update(table).values(record=broken))
        assert await reviews.Reviewer(store, "a").work("odd")
        assert (await reviews.ask_for_review(store, "odd", WHOLE)).status == "failed"
        await store.close()

    run(main())


def test_requests_are_rejected_while_too_many_reviews_are_unfinished(serve, sqlite, port, monkeypatch):
    monkeypatch.setattr(reviews, "MOST_WAITING", 0)

    async def use(app):
        eve = await Person.arrive(port, "Eve")
        busy = await eve.http.post("/api/reviews", json={"record": record.write(WHOLE)})
        assert (busy.status_code, busy.json()["rule"]) == (429, "busy")

    serving(serve, Settings(database=sqlite, port=port), use)
