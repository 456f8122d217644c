"""How many unfinished tables one person and one address may have, and how fast new ones may be set."""

import asyncio

import pytest
from sqlalchemy import func, select, update

from tessella.server.http.table_caps import BURST_TABLES
from tessella.server.settings import Settings
from tessella.server.store.schema import games, seats
from tests.server.clients import Person, key
from tests.server.helpers import member, serving

BODY = {"title": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]}
ELSEWHERE = "192.0.2.7"


@pytest.fixture
def settings(database, port):
    return Settings(
        database=database,
        port=port,
        bots=0,
        tables_per_person=4,
        listed_per_person=2,
        tables_per_address=6,
        listed_per_address=3,
    )


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


def test_17_12_unfinished_tables_of_a_person_are_capped(serve, settings):
    async def use(app):
        ann = await guest(settings.port, "Ann")
        assert await set_tables(ann, 6) == [201] * 4 + ["tables"] * 2
        answer = await ann.http.post("/api/games", json=BODY)
        assert answer.status_code == 409
        assert "close" in answer.json()["message"]
        newest = (await ann.http.get("/api/me/games")).json()["games"][0]["id"]
        assert (await ann.http.post(f"/api/games/{newest}/close")).status_code == 200
        assert await set_tables(ann, 2) == [201, "tables"]
        bob = await guest(settings.port, "Bob")
        assert await set_tables(bob, 1) == [201]
        assert await unfinished(app) == 5

    serving(serve, settings, use)


def test_17_12_many_requests_at_once_do_not_pass_the_cap(serve, settings):
    async def use(app):
        ann = await guest(settings.port, "Ann")
        asked = [ann.http.post("/api/games", json=BODY) for _ in range(30)]
        statuses = [answer.status_code for answer in await asyncio.gather(*asked)]
        assert sorted(statuses) == [201] * 4 + [409] * 26
        assert await unfinished(app) == 4

    serving(serve, settings, use)


def test_17_12_unfinished_tables_of_guests_of_one_address_are_capped(serve, settings):
    async def use(_):
        crowd = [await guest(settings.port, f"Guest {n}", ELSEWHERE) for n in range(4)]
        set_up = [rule for person in crowd for rule in await set_tables(person, 2)]
        assert set_up == [201] * 6 + ["address"] * 2
        other = await guest(settings.port, "Ann", "192.0.2.8")
        assert await set_tables(other, 1) == [201]

    serving(serve, settings, use)


def test_17_12_a_member_and_this_machine_are_not_charged_to_the_address(serve, settings):
    async def use(_):
        crowd = [await guest(settings.port, f"Guest {n}", ELSEWHERE) for n in range(3)]
        for person in crowd:
            assert await set_tables(person, 2) == [201, 201]
        mia = await member(settings.port, "Mia")
        mia.http.headers["x-forwarded-for"] = ELSEWHERE
        assert await set_tables(mia, 1) == [201]
        local = [await guest(settings.port, f"Local {n}") for n in range(4)]
        assert [rule for person in local for rule in await set_tables(person, 2)] == [201] * 8

    serving(serve, settings, use)


def test_17_20_listed_tables_are_capped_per_person_and_address(serve, settings):
    async def use(app):
        ann, bob = [await guest(settings.port, name, ELSEWHERE) for name in ("Ann", "Bob")]
        assert await set_tables(ann, 3, listed=True) == [201, 201, "listed"]
        assert await set_tables(ann, 1) == [201]
        assert await set_tables(bob, 2, listed=True) == [201, "listed"]
        await app.state.host.store.run(update(games).where(games.c.listed).values(status="playing"))
        assert await set_tables(bob, 1, listed=True) == [201]

    serving(serve, settings, use)


def test_17_12_all_tables_of_a_match_count(serve, settings):
    async def use(_):
        ann = await guest(settings.port, "Ann")
        table = BODY | {"seats": [{}, {}]}
        asked = [await ann.http.post("/api/matches", json={"table": table, "tables": 3}) for _ in range(2)]
        assert [answer.status_code for answer in asked] == [201, 409]
        assert await set_tables(ann, 2) == [201, "tables"]

    serving(serve, settings, use)


def test_17_12_a_rematch_takes_the_place_of_the_game_that_is_over(serve, settings):
    async def use(app):
        ann, bob = [await guest(settings.port, name) for name in ("Ann", "Bob")]
        made = [(await ann.http.post("/api/games", json=BODY)).json() for _ in range(4)]
        await bob.join(made[0])
        for person, what in ((ann, "start"), (ann, "resign"), (ann, "rematch"), (bob, "rematch")):
            request = {"type": "command", "key": key(), "action": what}
            assert (
                await person.http.post(f"/api/games/{made[0]['id']}/act", json={"request": request})
            ).status_code == 200
        assert await unfinished(app) == 4
        assert await set_tables(ann, 1) == ["tables"]

    serving(serve, settings, use)


def test_17_12_a_player_of_too_many_games_is_not_paired_for_another(serve, settings):
    async def use(app):
        ann = await guest(settings.port, "Ann")
        await set_tables(ann, 4)
        answer = await ann.http.post("/api/pairing", json={"title": "azul"})
        assert (answer.status_code, answer.json()["rule"]) == (409, "tables")
        await app.state.host.store.run(update(seats).values(ended=1.0))
        assert (await ann.http.post("/api/pairing", json={"title": "azul"})).status_code == 200

    serving(serve, settings, use)


def test_17_12_tables_that_are_closed_at_once_are_slowed_down(serve, settings):
    async def use(_):
        eve = await guest(settings.port, "Eve", ELSEWHERE)
        for _ in range(BURST_TABLES + 5):
            answer = await eve.http.post("/api/games", json=BODY)
            if answer.status_code == 429:
                break
            assert (await eve.http.post(f"/api/games/{answer.json()['id']}/close")).status_code == 200
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) >= 1
        ann = await guest(settings.port, "Ann", "192.0.2.8")
        assert await set_tables(ann, 1) == [201]

    serving(serve, settings, use)
