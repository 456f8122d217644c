"""What the creator of a table can do before its game starts: invite again, and close it."""

import asyncio

import pytest
from sqlalchemy import select

from tessella.server.settings import Settings
from tessella.server.store.schema import departures, links, seats
from tests.server.clients import Person, hear, refusal, say, two_at_a_table
from tests.server.helpers import PASSWORD


@pytest.fixture
def settings(database, port):
    return Settings(database=database, port=port, bots=0)


async def act(person, game, action):
    return (await person.act(game, action=action)).status_code


async def invite_again(person, game):
    return await person.http.post(f"/api/games/{game}/invitations")


async def close(person, game):
    return await person.http.post(f"/api/games/{game}/close")


async def test_only_free_seats_get_new_links_also_those_of_guests_who_got_up(app, port):
    ann, bob, eve = [await Person.arrive(port, name) for name in ("Ann", "Bob", "Eve")]
    table = await ann.set_table(seats=("me", "open", "open"))
    game, path = table["id"], f"/api/games/{table['id']}/invitations"
    assert await ann.get(path) == {"yours": True, "seats": [1, 2]}
    await bob.join(table)
    assert (await ann.get(path))["seats"] == [2]
    (invitation,) = (await invite_again(ann, game)).json()["invitations"]
    assert invitation["seat"] == 2
    assert await act(bob, game, "leave") == 200
    assert (await ann.get(path))["seats"] == [2]
    assert (await bob.join(table)).status_code == 403  # the link was used
    answer = await invite_again(ann, game)
    assert answer.status_code == 201
    fresh = {**table, "invitations": answer.json()["invitations"]}
    assert [invitation["seat"] for invitation in fresh["invitations"]] == [1, 2]
    for old in (0, 1):
        assert (await eve.join(table, old)).status_code == 403
    assert (await bob.join(fresh, 0)).json()["seat"] == 1
    assert (await eve.join(fresh, 1)).json()["seat"] == 2


async def test_a_creator_who_got_up_became_a_member_or_logged_in_is_still_the_creator(app, port):
    ann, again = [await Person.arrive(port, "Ann") for _ in range(2)]
    tables = [await person.set_table() for person in (ann, again)]
    await act(ann, tables[0]["id"], "leave")
    login = {"login": "ann", "password": PASSWORD}
    assert (await ann.http.post("/api/members", json=login)).status_code == 201
    answer = await invite_again(ann, tables[0]["id"])
    assert [invitation["seat"] for invitation in answer.json()["invitations"]] == [0, 1]
    assert (await ann.join(tables[0] | answer.json(), 0)).json()["seat"] == 0
    assert (await close(ann, tables[0]["id"])).status_code == 200
    assert (await again.http.post("/api/login", json=login)).status_code == 200
    assert (await invite_again(again, tables[1]["id"])).status_code == 201


async def test_closing_a_table_tells_everybody_there(app, port):
    ann, bob = [await Person.arrive(port, name) for name in ("Ann", "Bob")]
    table = await ann.set_table(seats=("me", "open", "open"))
    await bob.join(table)
    async with bob.connect(table["id"]) as socket:
        await say(socket, type="hello")
        await hear(socket, "update")
        for _ in range(2):  # an answer that was lost is asked for again
            answer = await close(ann, table["id"])
            assert answer.status_code == 200
            assert (answer.json()["status"], answer.json()["end"]["reason"]) == ("over", "closed")
        seen = (await hear(socket, "update"))["table"]
        assert (seen["status"], seen["end"]["reason"]) == ("over", "closed")
    late = await Person.arrive(port, "Late")
    assert (await late.join(table, 1)).status_code == 403
    assert (await invite_again(ann, table["id"])).status_code == 409
    assert await act(ann, table["id"], "rematch") == 409
    for person in (ann, bob):
        assert (await person.get("/api/me/games"))["games"] == []
    store = app.state.host.store
    assert not await store.run(select(links)) + await store.run(select(seats))
    assert len(await store.run(select(departures))) == 2


async def test_a_table_that_has_started_is_not_closed(app, port):
    ann, _, game = await two_at_a_table(port, "duel")
    assert await act(ann, game, "start") == 200
    assert refusal(await close(ann, game)) == (409, "started")
    assert (await invite_again(ann, game)).json()["rule"] == "started"
    assert (await close(ann, "nowhere")).status_code == 404


async def test_a_start_and_a_close_at_once_leave_one_of_them(app, port):
    for _ in range(5):
        ann, bob, game = await two_at_a_table(port, "duel")
        started, closed = await asyncio.gather(act(bob, game, "start"), close(ann, game))
        seen = await ann.get(f"/api/games/{game}")
        assert (started, closed.status_code, seen["status"]) in ((200, 409, "playing"), (409, 200, "over"))
