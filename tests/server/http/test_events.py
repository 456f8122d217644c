"""Events over HTTP: members make them, anyone enters, everybody sees how they stand."""

import asyncio

from tessella.server.services.events import rounds
from tessella.server.settings import Settings
from tests.server.clients import Person
from tests.server.helpers import member, serving

CUP = {"name": "  Winter  cup ", "title": "azul", "format": "swiss", "rounds": 1, "pace": {"bank": 600}, "most": 4}


def test_a_member_makes_an_event_and_a_guest_enters_it(serve, sqlite, port, monkeypatch):
    monkeypatch.setattr(rounds, "SWEEP_SECONDS", 0.05)

    async def use(_):
        ann, bob = await member(port, "Ann"), await Person.arrive(port, "Bob")
        assert (await bob.http.post("/api/events", json=CUP)).status_code == 403
        made = await ann.http.post("/api/events", json=CUP)
        assert made.status_code == 201, made.text
        address = f"/api/events/{made.json()['id']}"
        for person in (ann, bob, bob):
            assert (await person.http.post(f"{address}/entry")).status_code == 200
        view = (await bob.http.get(address)).json()
        assert (view["name"], view["state"], view["me"], view["mine"]) == ("Winter cup", "open", 1, False)
        assert [each["name"] for each in view["entrants"]] == ["Ann", "Bob"]
        (listed,) = (await bob.http.get("/api/events")).json()["events"]
        assert (listed["entrants"], listed["entered"], listed["pace"]) == (2, True, "live")

        assert (await bob.http.post(f"{address}/start")).status_code == 403
        assert (await bob.http.delete(address)).status_code == 403
        assert (await ann.http.post(f"{address}/start")).status_code == 200
        before = view["version"]
        while (await bob.http.get(f"{address}/version")).json()["version"] == before or not view["tables"]:
            await asyncio.sleep(0.05)
            view = (await bob.http.get(address)).json()
        (table,) = view["tables"]
        game = await bob.http.get(f"/api/games/{table['game']}")
        while game.json()["status"] == "open":
            await asyncio.sleep(0.05)
            game = await bob.http.get(f"/api/games/{table['game']}")
        assert game.json()["seat"] == table["players"].index(1)
        assert (await ann.http.delete(address)).status_code == 409

    serving(serve, Settings(database=sqlite, port=port), use)


def test_what_makes_no_sense_is_refused(serve, sqlite, port):
    async def use(_):
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
            answer = await ann.http.post("/api/events", json=CUP | wrong)
            assert (answer.status_code, answer.json()["rule"]) == (422, rule), answer.text
        for _ in range(3):
            assert (await ann.http.post("/api/events", json=CUP)).status_code == 201
        assert (await ann.http.post("/api/events", json=CUP)).json()["rule"] == "events"
        bob = await Person.arrive(port, "Bob")
        made = (await ann.http.get("/api/events")).json()["events"][0]["id"]
        assert (await ann.http.delete(f"/api/events/{made}")).status_code == 200
        assert (await bob.http.post(f"/api/events/{made}/entry")).status_code == 409
        only = await ann.http.post("/api/events", json=CUP | {"members": True})
        assert (await bob.http.post(f"/api/events/{only.json()['id']}/entry")).status_code == 403
        assert (await bob.http.get("/api/events/none")).status_code == 404

    serving(serve, Settings(database=sqlite, port=port), use)
