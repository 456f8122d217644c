"""The coach at work on a server: asked for when a game is over, a slice at a time, by whichever worker is free."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select, update

from tessella.bots import Budget
from tessella.coach import azul as coach_azul
from tessella.coach.review import record_id, review
from tessella.core import record
from tessella.games import azul
from tessella.server.services import reviews
from tessella.server.settings import Settings
from tessella.server.store.schema import jobs
from tessella.server.store.schema import reviews as table
from tests.server.clients import Person
from tests.server.helpers import begin, known, play_out, resign
from tests.server.services.conftest import serving
from tests.server.waiting import until

RECORDS = Path(__file__).parents[3] / "records"
RULES = "azul/1 seats=2 wall=coloured"
WHOLE = record.read((RECORDS / "azul" / "2-coloured-greedy.game").read_text())


@pytest.fixture
def app(serve, database, port):
    """A worker with the coach, on either kind of database."""
    return serving(serve, Settings(database=database, port=port))


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(coach_azul, "SAMPLES", 2)
    monkeypatch.setattr(coach_azul, "MIN_PLAYOUTS", 2)
    monkeypatch.setattr(coach_azul, "PLAYOUT_NODES", {2: (100, 200)})
    monkeypatch.setattr(reviews, "EFFORT", Budget(nodes=300))


async def a_game(host, rated=True):
    return await begin(host, [await known(host.store, "Ann"), await known(host.store, "Bob")], RULES, rated=rated)


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


async def test_a_running_game_is_never_reviewed(app, port):
    host, ann = app.state.host, await Person.arrive(port, "Ann")
    for rated in (True, False):
        room = await a_game(host, rated)
        path = f"/api/games/{room.table.id}/review"
        refused = await ann.http.post(path)
        assert (refused.status_code, refused.json()["rule"]) == (403, "running")
        assert (await ann.http.get(path)).status_code == 404
        so_far = record.write(record.Record(RULES, tuple(room.table.acts)))
        brought = await ann.http.post("/api/reviews", json={"record": so_far})
        assert (brought.status_code, brought.json()["rule"]) == (422, "replay")
    assert await host.store.run(select(table)) == []


async def test_a_finished_game_is_reviewed_by_a_bot_worker(app, port):
    host, eve = app.state.host, await Person.arrive(port, "Eve")
    room = await a_game(host)
    await play_out(host, room)
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
    await until(lambda: no_jobs(host.store))


async def no_jobs(store):
    return await store.run(select(jobs)) == []


async def test_a_game_that_was_resigned_can_be_reviewed(app, port):
    host, eve = app.state.host, await Person.arrive(port, "Eve")
    room = await a_game(host)
    await resign(host, room, 0)
    path = f"/api/games/{room.table.id}/review"
    assert (await eve.http.post(path)).status_code == 202
    assert (await patiently(eve, path))[-1]["report"]["over"] is False


async def test_a_record_can_be_brought_and_gets_the_same_review_everywhere(app, port):
    eve, text = await Person.arrive(port, "Eve"), record.write(WHOLE)
    asked = (await eve.http.post("/api/reviews", json={"record": text})).json()
    nameless = record.write(record.Record(WHOLE.rules, WHOLE.acts))
    assert (await eve.http.post("/api/reviews", json={"record": nameless})).json()["id"] == asked["id"]
    splits = (await patiently(eve, f"/api/reviews/{asked['id']}"))[-1]["report"]["splits"]
    expected = review(azul, WHOLE, reviews.EFFORT).splits
    assert [split["luck"] for split in splits] == [split.luck for split in expected]
    assert (await Person(port).http.post("/api/reviews", json={"record": text})).status_code == 401


async def test_any_worker_goes_on_where_another_stopped(host, monkeypatch):
    monkeypatch.setattr(reviews, "SLICE_SECONDS", 0.0)
    store, review_id = host.store, record_id(WHOLE)
    assert (await reviews.ask_for_review(store, review_id, WHOLE)).status == "waiting"
    workers = [reviews.Reviewer(store, name) for name in "abc"]
    for turn in range(len(WHOLE.acts)):
        done = await workers[turn % 2].work(review_id)
        assert done is (turn == len(WHOLE.acts) - 1)
        if turn == 10:  # somebody who comes late to the same slice changes nothing
            row = (await store.run(select(table)))[0]
            await workers[2]._keep({**row, "done": 3}, failed=True)
    assert await workers[0].work(review_id)
    found = await reviews.find_review(store, review_id)
    assert found is not None
    assert found.report == review(azul, WHOLE, reviews.EFFORT)


async def test_a_review_that_cannot_be_made_has_failed_and_says_so(host):
    await reviews.ask_for_review(host.store, "odd", WHOLE)
    broken = record.write(record.Record(WHOLE.rules, ("*nonsense",)))
    await host.store.run(update(table).values(record=broken))
    assert await reviews.Reviewer(host.store, "a").work("odd")
    assert (await reviews.ask_for_review(host.store, "odd", WHOLE)).status == "failed"


async def test_requests_are_rejected_while_too_many_reviews_are_unfinished(app, port, monkeypatch):
    monkeypatch.setattr(reviews, "MOST_WAITING", 0)
    eve = await Person.arrive(port, "Eve")
    busy = await eve.http.post("/api/reviews", json={"record": record.write(WHOLE)})
    assert (busy.status_code, busy.json()["rule"]) == (429, "busy")
