"""How many unfinished tables one person and one address may have, and how fast new ones may be set."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import func, select, update

from tessella.server.http.table_caps import BURST_TABLES
from tessella.server.settings import Settings
from tessella.server.store.schema import games, seats
from tests.server.clients import Person, refusal
from tests.server.helpers import member, stop_the_clock

BODY = {"title": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]}
ELSEWHERE = "192.0.2.7"


@pytest.fixture
def settings(database, port):
    caps: dict[str, Any] = {"tables_per_person": 4, "listed_per_person": 2}
    caps |= {"tables_per_address": 6, "listed_per_address": 3}
    return Settings(database=database, port=port, bots=0, **caps)


async def guest(port, name, address=""):
    """Somebody who comes from an address, as the proxy on this machine says."""
    person = Person(port)
    if address:
        person.http.headers["x-forwarded-for"] = address
    assert (await person.http.post("/api/session", json={"name": name})).status_code == 201
    return person


async def set_tables(person, count, **more):
    """Set tables, one after the other; how each was answered: a status, or the rule of the error."""
    answers = [await person.http.post("/api/games", json=BODY | more) for _ in range(count)]
    return [answer.status_code if answer.is_success else answer.json()["rule"] for answer in answers]


async def unfinished(app):
    counted = select(func.count().label("n")).where(games.c.status.not_in(("over", "closed")))
    return (await app.state.host.store.run(counted))[0]["n"]


async def test_unfinished_tables_of_a_person_are_capped(app, port):
    ann = await guest(port, "Ann")
    assert await set_tables(ann, 6) == [201] * 4 + ["tables"] * 2
    answer = await ann.http.post("/api/games", json=BODY)
    assert answer.status_code == 409
    assert "close" in answer.json()["message"]
    newest = (await ann.get("/api/me/games"))["games"][0]["id"]
    assert (await ann.http.post(f"/api/games/{newest}/close")).status_code == 200
    assert await set_tables(ann, 2) == [201, "tables"]
    bob = await guest(port, "Bob")
    assert await set_tables(bob, 1) == [201]
    assert await unfinished(app) == 5


async def test_many_requests_at_once_do_not_pass_the_cap(app, port):
    ann = await guest(port, "Ann")
    answers = await asyncio.gather(*(ann.http.post("/api/games", json=BODY) for _ in range(30)))
    assert sorted(answer.status_code for answer in answers) == [201] * 4 + [409] * 26
    assert await unfinished(app) == 4


async def test_unfinished_tables_of_guests_of_one_address_are_capped_but_not_of_members_or_this_machine(app, port):
    crowd = [await guest(port, f"Guest {n}", ELSEWHERE) for n in range(4)]
    assert [rule for person in crowd for rule in await set_tables(person, 2)] == [201] * 6 + ["address"] * 2
    assert await set_tables(await guest(port, "Ann", "192.0.2.8"), 1) == [201]
    mia = await member(port, "Mia")
    mia.http.headers["x-forwarded-for"] = ELSEWHERE
    assert await set_tables(mia, 1) == [201]
    local = [await guest(port, f"Local {n}") for n in range(4)]
    assert [rule for person in local for rule in await set_tables(person, 2)] == [201] * 8


async def test_listed_tables_are_capped_per_person_and_address(app, port):
    ann, bob = [await guest(port, name, ELSEWHERE) for name in ("Ann", "Bob")]
    assert await set_tables(ann, 3, listed=True) == [201, 201, "listed"]
    assert await set_tables(ann, 1) == [201]
    assert await set_tables(bob, 2, listed=True) == [201, "listed"]
    await app.state.host.store.run(update(games).where(games.c.listed).values(status="playing"))
    assert await set_tables(bob, 1, listed=True) == [201]


async def test_all_tables_of_a_match_count(app, port):
    ann = await guest(port, "Ann")
    table = BODY | {"seats": [{}, {}]}
    asked = [await ann.http.post("/api/matches", json={"table": table, "tables": 3}) for _ in range(2)]
    assert [answer.status_code for answer in asked] == [201, 409]
    assert await set_tables(ann, 2) == [201, "tables"]


async def test_a_rematch_takes_the_place_of_the_game_that_is_over(app, port):
    ann, bob = [await guest(port, name) for name in ("Ann", "Bob")]
    made = [(await ann.http.post("/api/games", json=BODY)).json() for _ in range(4)]
    await bob.join(made[0])
    for person, action in ((ann, "start"), (ann, "resign"), (ann, "rematch"), (bob, "rematch")):
        assert (await person.act(made[0]["id"], action=action)).status_code == 200
    assert await unfinished(app) == 4
    assert await set_tables(ann, 1) == ["tables"]


async def test_a_player_of_too_many_games_is_not_paired_for_another(app, port):
    ann = await guest(port, "Ann")
    await set_tables(ann, 4)
    assert refusal(await ann.http.post("/api/pairing", json={"title": "azul"})) == (409, "tables")
    await app.state.host.store.run(update(seats).values(ended=1.0))
    assert (await ann.http.post("/api/pairing", json={"title": "azul"})).status_code == 200


async def test_tables_that_are_closed_at_once_are_slowed_down(app, port):
    stop_the_clock(app)
    eve = await guest(port, "Eve", ELSEWHERE)
    for _ in range(BURST_TABLES + 5):
        answer = await eve.http.post("/api/games", json=BODY)
        if answer.status_code == 429:
            break
        assert (await eve.http.post(f"/api/games/{answer.json()['id']}/close")).status_code == 200
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1
    ann = await guest(port, "Ann", "192.0.2.8")
    assert await set_tables(ann, 1) == [201]
