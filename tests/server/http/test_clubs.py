"""Clubs over HTTP: members make them, join by link or freely, and only members see a club that is not open."""

from tests.server.clients import Person, refusal
from tests.server.helpers import member

CUP = {"name": "Monday cup", "title": "azul", "format": "swiss", "rounds": 1, "pace": {"bank": 600}, "most": 4}


async def test_a_club_from_its_making_to_its_end(app, port):
    ann, bob, guest = await member(port, "Ann"), await member(port, "Bob"), await Person.arrive(port, "Cem")
    club = {"name": "  The  Tilers ", "about": "Every\u202e Monday"}
    assert (await guest.http.post("/api/clubs", json=club)).status_code == 403
    made = await ann.http.post("/api/clubs", json=club)
    assert made.status_code == 201, made.text
    address = f"/api/clubs/{made.json()['id']}"
    own = await ann.get(address)
    assert (own["name"], own["about"], own["own"], own["mine"]) == ("The Tilers", "Every Monday", True, True)

    # by its link
    assert (await bob.http.post(f"{address}/members", json={})).status_code == 403
    assert (await bob.http.post(f"{address}/link")).status_code == 403
    secret = (await ann.http.post(f"{address}/link")).json()["secret"]
    assert (await ann.get(address))["has_link"]
    assert (await guest.http.post(f"{address}/members", json={"secret": secret})).json()["rule"] == "members"
    assert (await bob.http.post(f"{address}/members", json={"secret": secret})).status_code == 200
    seen = await bob.get(address)
    assert [each["name"] for each in seen["members"]] == ["Ann", "Bob"]
    assert (seen["has_link"], seen["own"]) == (False, False)

    # events of the club
    assert (await bob.http.post("/api/events", json=CUP | {"club": seen["id"]})).json()["rule"] == "owner"
    event = (await ann.http.post("/api/events", json=CUP | {"club": seen["id"]})).json()["id"]
    view = await bob.get(f"/api/events/{event}")
    assert (view["club"], view["club_name"]) == (seen["id"], "The Tilers")
    assert (await guest.http.post(f"/api/events/{event}/entry")).json()["rule"] == "club"
    assert (await bob.http.post(f"/api/events/{event}/entry")).status_code == 200
    weekly = {**CUP, "weekday": 2, "minute": 90}
    assert (await bob.http.post(f"{address}/schedules", json=weekly)).status_code == 403
    schedule = (await ann.http.post(f"{address}/schedules", json=weekly)).json()["id"]
    seen = await bob.get(address)
    assert [(each["weekday"], each["minute"], each["title"]) for each in seen["schedules"]] == [(2, 90, "azul")]
    assert event in [each["id"] for each in seen["events"]]

    # a stranger sees neither the members nor the events while the club is not open
    closed = await guest.get(address)
    assert (closed["count"], closed["members"], closed["events"], closed["schedules"]) == (2, [], [], [])
    assert (await guest.get("/api/events"))["events"] == []
    assert (await guest.get("/api/clubs"))["clubs"] == []
    assert [each["club"] for each in (await bob.get("/api/events"))["events"]][:1] == ["The Tilers"]
    assert (await ann.http.post(address, json=club | {"is_open": True})).status_code == 200
    assert (await bob.http.post(address, json=club)).status_code == 403
    assert len((await guest.get(address))["members"]) == 2
    (listed,) = (await guest.get("/api/clubs"))["clubs"]
    assert (listed["name"], listed["members"], listed["mine"]) == ("The Tilers", 2, False)

    # members leave, or are removed
    ids = {each["name"]: each["id"] for each in seen["members"]}
    assert (await bob.http.delete(f"{address}/members/{ids['Ann']}")).status_code == 403
    assert (await ann.http.delete(f"{address}/members/nobody")).status_code == 404
    assert (await ann.http.delete(f"{address}/members/{ids['Bob']}")).status_code == 200
    assert (await bob.get(address))["mine"] is False
    assert (await bob.http.post(f"{address}/members", json={})).status_code == 200
    assert (await ann.http.delete(f"{address}/schedules/{schedule}")).status_code == 200
    assert (await ann.http.delete(f"{address}/schedules/{schedule}")).status_code == 404
    assert (await ann.http.delete(f"{address}/members/{ids['Ann']}")).status_code == 200
    assert (await bob.get(address))["own"] is True
    assert (await bob.http.delete(f"{address}/members/{ids['Bob']}")).status_code == 200
    assert (await bob.http.get(address)).status_code == 404


async def test_what_makes_no_sense_is_refused(app, port):
    ann = await member(port, "Ann")
    for wrong, rule in (({"name": "\u200b"}, "name"), ({"name": "A", "about": "..."}, "name"), ({}, "body")):
        assert refusal(await ann.http.post("/api/clubs", json=wrong)) == (422, rule), wrong
    address = f"/api/clubs/{(await ann.http.post('/api/clubs', json={'name': 'A'})).json()['id']}"
    for senseless, rule in (({"weekday": 7}, "body"), ({"minute": 1440}, "body"), ({"bots": 8, "most": 4}, "bots")):
        assert refusal(await ann.http.post(f"{address}/schedules", json=CUP | senseless)) == (422, rule), senseless
    for _ in range(2):
        assert (await ann.http.post("/api/clubs", json={"name": "A"})).status_code == 201
    assert (await ann.http.post("/api/clubs", json={"name": "A"})).json()["rule"] == "clubs"
