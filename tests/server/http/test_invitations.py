"""What the creator of a table can do before its game starts: invite again, and close it."""

import asyncio

import pytest
from sqlalchemy import insert, select, update

from tessella.server.settings import Settings
from tessella.server.store.schema import departures, games, links, people, seats
from tests.server.clients import Person, hear, key, say
from tests.server.helpers import member, serving


@pytest.fixture
def settings(database, port):
    return Settings(database=database, port=port, bots=0)


async def act(person, game, what):
    request = {"type": "command", "key": key(), "action": what}
    return (await person.http.post(f"/api/games/{game}/act", json={"request": request})).status_code


async def invite_again(person, table):
    return await person.http.post(f"/api/games/{table['id']}/invitations")


async def close(person, table):
    return await person.http.post(f"/api/games/{table['id']}/close")


def test_17_9_a_creator_invites_again_after_a_guest_got_up(serve, settings):
    async def use(_):
        ann, bob, eve = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob", "Eve")]
        table = await ann.set_table("azul", seats=("me", "open", "open"))
        assert (await bob.join(table)).status_code == 200
        assert await act(bob, table["id"], "leave") == 200
        assert (await bob.join(table)).status_code == 403  # the link was used
        answer = await invite_again(ann, table)
        assert answer.status_code == 201
        fresh = {**table, "invitations": answer.json()["invitations"]}
        assert [invitation["seat"] for invitation in fresh["invitations"]] == [1, 2]
        for old in (0, 1):
            assert (await eve.join(table, old)).status_code == 403
        assert (await bob.join(fresh, 0)).json()["seat"] == 1
        assert (await eve.join(fresh, 1)).json()["seat"] == 2

    serving(serve, settings, use)


def test_17_9_only_free_seats_get_new_links(serve, settings):
    async def use(_):
        ann, bob = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob")]
        table = await ann.set_table("azul", seats=("me", "open", "open"))
        seen = (await ann.http.get(f"/api/games/{table['id']}/invitations")).json()
        assert seen == {"yours": True, "seats": [1, 2]}
        await bob.join(table)
        assert (await ann.http.get(f"/api/games/{table['id']}/invitations")).json()["seats"] == [2]
        (invitation,) = (await invite_again(ann, table)).json()["invitations"]
        assert invitation["seat"] == 2
        await act(bob, table["id"], "leave")
        assert (await ann.http.get(f"/api/games/{table['id']}/invitations")).json()["seats"] == [2]

    serving(serve, settings, use)


def test_17_9_nobody_else_invites_or_closes(serve, settings):
    async def use(_):
        ann, bob, eve = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob", "Eve")]
        table = await ann.set_table("azul", seats=("me", "open", "open"))
        await bob.join(table)
        stranger = Person(settings.port)
        for person, status in ((bob, 403), (eve, 403), (stranger, 401)):
            assert (await invite_again(person, table)).status_code == status
            assert (await close(person, table)).status_code == status
            seen = (await person.http.get(f"/api/games/{table['id']}/invitations")).json()
            assert seen == {"yours": False, "seats": []}
        assert (await ann.http.get(f"/api/games/{table['id']}")).json()["status"] == "open"
        assert (await ann.http.post("/api/games/nowhere/close")).status_code == 404

    serving(serve, settings, use)


def test_17_9_a_creator_who_got_up_or_became_a_member_is_still_the_creator(serve, settings):
    async def use(_):
        ann = await Person.arrive(settings.port, "Ann")
        table = await ann.set_table("azul", seats=("me", "open"))
        await act(ann, table["id"], "leave")
        answer = await ann.http.post("/api/members", json={"login": "ann", "password": "correct horse battery"})
        assert answer.status_code == 201
        answer = await invite_again(ann, table)
        assert [invitation["seat"] for invitation in answer.json()["invitations"]] == [0, 1]
        assert (await ann.join(answer.json() | {"id": table["id"]}, 0)).json()["seat"] == 0
        assert (await close(ann, table)).status_code == 200

    serving(serve, settings, use)


def test_17_9_a_guest_of_before_who_logged_in_is_the_creator(serve, settings):
    async def use(app):
        mia = await member(settings.port, "Mia")
        table = await mia.set_table("azul", seats=("me", "open"))
        store = app.state.host.store
        me = (await mia.http.get("/api/session")).json()["id"]
        await store.run(
            insert(people).values(id="pguest", name="Mia", kind="guest", made=0, member=me),
            update(games).values(creator="pguest"),
        )
        assert (await invite_again(mia, table)).status_code == 201

    serving(serve, settings, use)


def test_17_9_closing_a_table_tells_everybody_there(serve, settings):
    async def use(app):
        ann, bob = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob")]
        table = await ann.set_table("azul", seats=("me", "open", "open"))
        await bob.join(table)
        async with bob.connect(table["id"]) as socket:
            await say(socket, type="hello")
            await hear(socket, "update")
            for _ in range(2):  # an answer that was lost is asked for again
                answer = await close(ann, table)
                assert answer.status_code == 200
                assert (answer.json()["status"], answer.json()["end"]["reason"]) == ("over", "closed")
            seen = (await hear(socket, "update"))["table"]
            assert (seen["status"], seen["end"]["reason"]) == ("over", "closed")
        late = await Person.arrive(settings.port, "Late")
        assert (await late.join(table, 1)).status_code == 403
        assert (await invite_again(ann, table)).status_code == 409
        assert await act(ann, table["id"], "rematch") == 409
        for person in (ann, bob):
            assert (await person.http.get("/api/me/games")).json()["games"] == []
        store = app.state.host.store
        assert not await store.run(select(links)) + await store.run(select(seats))
        assert len(await store.run(select(departures))) == 2

    serving(serve, settings, use)


def test_17_9_a_table_that_has_started_is_not_closed(serve, settings):
    async def use(_):
        ann, bob = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob")]
        table = await ann.set_table("duel", seats=("me", "open"))
        await bob.join(table)
        assert await act(ann, table["id"], "start") == 200
        answer = await close(ann, table)
        assert (answer.status_code, answer.json()["rule"]) == (409, "started")
        assert (await invite_again(ann, table)).json()["rule"] == "started"

    serving(serve, settings, use)


def test_17_9_a_start_and_a_close_at_once_leave_one_of_them(serve, settings):
    async def use(_):
        ann, bob = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob")]
        for _ in range(5):
            table = await ann.set_table("duel", seats=("me", "open"))
            await bob.join(table)
            started, closed = await asyncio.gather(act(bob, table["id"], "start"), close(ann, table))
            seen = (await ann.http.get(f"/api/games/{table['id']}")).json()
            assert (started, closed.status_code, seen["status"]) in ((200, 409, "playing"), (409, 200, "over"))

    serving(serve, settings, use)
