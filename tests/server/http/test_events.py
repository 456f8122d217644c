"""Events over HTTP: members make them, anyone enters, everybody sees how they stand."""

import pytest

from tessella.server.services.events import rounds
from tests.server.clients import Person, refusal
from tests.server.helpers import member
from tests.server.waiting import until

CUP = {"name": "  Winter  cup ", "title": "azul", "format": "swiss", "rounds": 1, "pace": {"bank": 600}, "most": 4}


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    monkeypatch.setattr(rounds, "SWEEP_SECONDS", 0.05)


async def begun(person, address):
    """The first table of an event, once there is one."""
    return next(iter((await person.get(address))["tables"]), None)


async def seated(person, game):
    """A table, once its players sit there."""
    found = await person.get(f"/api/games/{game}")
    return found if found["status"] != "open" else None


async def test_a_member_makes_an_event_and_a_guest_enters_it(app, port):
    ann, bob = await member(port, "Ann"), await Person.arrive(port, "Bob")
    assert (await bob.http.post("/api/events", json=CUP)).status_code == 403
    made = await ann.http.post("/api/events", json=CUP)
    assert made.status_code == 201, made.text
    address = f"/api/events/{made.json()['id']}"
    for person in (ann, bob, bob):
        assert (await person.http.post(f"{address}/entry")).status_code == 200
    view = await bob.get(address)
    assert (view["name"], view["state"], view["me"], view["mine"]) == ("Winter cup", "open", 1, False)
    assert [each["name"] for each in view["entrants"]] == ["Ann", "Bob"]
    (listed,) = (await bob.get("/api/events"))["events"]
    assert (listed["entrants"], listed["entered"], listed["pace"]) == (2, True, "live")

    assert (await bob.http.post(f"{address}/start")).status_code == 403
    assert (await bob.http.delete(address)).status_code == 403
    assert (await ann.http.post(f"{address}/start")).status_code == 200
    table = await until(lambda: begun(bob, address))
    assert (await bob.get(f"{address}/version"))["version"] != view["version"]
    game = await until(lambda: seated(bob, table["game"]))
    assert game["seat"] == table["players"].index(1)
    assert (await ann.http.delete(address)).status_code == 409


async def test_what_makes_no_sense_is_refused(app, port):
    ann = await member(port, "Ann")
    for wrong, rule in (
        ({"pace": {}}, "pace"),
        ({"name": "\u200b"}, "name"),
        ({"format": "knockout", "duplicate": True}, "duplicate"),
        ({"most": 500}, "most"),
        ({"most": 30, "format": "round-robin"}, "most"),
        ({"bots": 4, "level": "6"}, "level"),
        ({"title": "chess"}, "title"),
        ({"bots": 99}, "body"),
        ({"minutes": -1}, "body"),
    ):
        assert refusal(await ann.http.post("/api/events", json=CUP | wrong)) == (422, rule), wrong
    for _ in range(3):
        assert (await ann.http.post("/api/events", json=CUP)).status_code == 201
    assert (await ann.http.post("/api/events", json=CUP)).json()["rule"] == "events"
    bob = await Person.arrive(port, "Bob")
    made = (await ann.get("/api/events"))["events"][0]["id"]
    assert (await ann.http.delete(f"/api/events/{made}")).status_code == 200
    assert (await bob.http.post(f"/api/events/{made}/entry")).status_code == 409
    only = await ann.http.post("/api/events", json=CUP | {"members": True})
    assert (await bob.http.post(f"/api/events/{only.json()['id']}/entry")).status_code == 403
    assert (await bob.http.get("/api/events/none")).status_code == 404
