"""Between people by HTTP: follow, see tables, invite, block, report; what each may not do, and that nothing is kept."""

import asyncio
import json

import pytest
from sqlalchemy import select

from tessella.cli import main
from tessella.server.settings import Settings
from tessella.server.store.schema import blocks, follows, invitations, news, reports
from tests.server.clients import Person
from tests.server.helpers import member, serving


async def id_of(person):
    return (await person.http.get("/api/session")).json()["id"]


async def company_of(person):
    return (await person.http.get("/api/me/company")).json()


def at_a_server(serve, database, port, use):
    serving(serve, Settings(database=database, port=port, bots=0), use)


def test_followers_see_open_tables_and_public_games_but_no_private_ones(database, port, serve):
    async def use(_app):
        ann, bert = await member(port, "Ann"), await Person.arrive(port, "Bert")
        answer = await bert.http.post(f"/api/people/{await id_of(ann)}/follow")
        assert answer.json() == {"done": 1}
        await ann.set_table()
        listed = await ann.set_table(listed=True)
        seen = await company_of(bert)
        assert [each["name"] for each in seen["follows"]] == ["Ann"]
        assert [game["id"] for game in seen["games"]] == [listed["id"]]
        assert (await company_of(ann))["games"] == [], "following is not mutual"
        profile = (await bert.http.get(f"/api/people/{await id_of(ann)}")).json()
        assert (profile["follows"], profile["blocks"]) == (True, False)
        await bert.http.delete(f"/api/people/{await id_of(ann)}/follow")
        assert (await company_of(bert))["follows"] == []

    at_a_server(serve, database, port, use)


def test_a_friend_is_invited_by_one_click_and_sits_down_without_a_link(database, port, serve):
    async def use(_app):
        ann, bert, cara = [await member(port, name) for name in ("Ann", "Bert", "Cara")]
        bert_id = await id_of(bert)
        table = await ann.set_table()
        invite = {"game": table["id"]}
        answer = await ann.http.post(f"/api/people/{bert_id}/invite", json=invite)
        assert (answer.status_code, answer.json()["rule"]) == (409, "follow")
        await ann.http.post(f"/api/people/{bert_id}/follow")
        await cara.http.post(f"/api/people/{bert_id}/follow")
        assert (await cara.http.post(f"/api/people/{bert_id}/invite", json=invite)).json()["rule"] == "seat"
        assert (await ann.http.post(f"/api/people/{bert_id}/invite", json=invite)).status_code == 200
        (invited,) = (await company_of(bert))["invitations"]
        assert (invited["game"], invited["name"]) == (table["id"], "Ann")
        join = f"/api/games/{table['id']}/join"
        assert (await cara.http.post(join, json={"seat": 1})).json()["rule"] == "invitation"
        assert (await bert.http.post(join, json={"seat": 1})).status_code == 200
        assert (await company_of(bert))["invitations"] == []

    at_a_server(serve, database, port, use)


def test_news_of_an_invitation_go_only_to_those_who_follow_the_sender(sqlite, port, serve):
    async def use(app):
        ann, bert = await member(port, "Ann"), await member(port, "Bert")
        hook = {"kind": "discord", "url": "https://discord.com/api/webhooks/1/x"}
        assert (await bert.http.post("/api/me/channels/hooks", json=hook)).status_code == 201
        await ann.http.post(f"/api/people/{await id_of(bert)}/follow")
        for is_mutual in (False, True):
            if is_mutual:
                await bert.http.post(f"/api/people/{await id_of(ann)}/follow")
            table = await ann.set_table()
            await ann.http.post(f"/api/people/{await id_of(bert)}/invite", json={"game": table["id"]})
            rows = await app.state.host.store.run(select(news.c.kind, news.c.game).where(news.c.game == table["id"]))
            assert [row["kind"] for row in rows] == (["invitation"] if is_mutual else [])
        assert (await bert.http.delete(f"/api/me/invitations/{table['id']}")).json() == {"done": 1}

    at_a_server(serve, sqlite, port, use)


def test_who_is_blocked_cannot_follow_invite_join_or_be_paired(database, port, serve):
    async def use(_app):
        ann, bert, cara = [await member(port, name) for name in ("Ann", "Bert", "Cara")]
        ann_id, bert_id = await id_of(ann), await id_of(bert)
        await bert.http.post(f"/api/people/{ann_id}/follow")
        assert (await ann.http.post(f"/api/people/{bert_id}/block")).status_code == 200
        assert (await company_of(bert))["follows"] == []
        for path, body in (("follow", None), ("invite", {"game": (await bert.set_table())["id"]})):
            answer = await bert.http.post(f"/api/people/{ann_id}/{path}", json=body)
            assert answer.status_code == 409
        table = await ann.set_table(listed=True)
        answer = await bert.http.post(f"/api/games/{table['id']}/join", json={"seat": 1})
        assert (answer.status_code, answer.json()["rule"]) == (403, "blocked")
        for person in (ann, bert, cara):
            wait = (await person.http.post("/api/pairing", json={"title": "azul"})).json()
        assert wait["state"] == "found"
        assert [(await each.http.get("/api/pairing")).json()["state"] for each in (ann, bert)] == ["found", "waiting"]
        assert [each["name"] for each in (await company_of(ann))["blocks"]] == ["Bert"]
        await ann.http.delete(f"/api/people/{bert_id}/block")
        assert (await bert.http.post(f"/api/people/{ann_id}/follow")).status_code == 200

    at_a_server(serve, database, port, use)


def test_reports_reach_the_host_and_not_too_many_of_them(sqlite, port, serve, capsys):
    async def use(_app):
        ann, bert = await member(port, "Ann"), await Person.arrive(port, "Bert")
        path = f"/api/people/{await id_of(bert)}/report"
        assert (await ann.http.post(path, json={"reason": "because I lost"})).status_code == 422
        assert (await ann.http.post(path, json={"reason": "rude", "game": "abcd1234"})).status_code == 200
        answers = [await ann.http.post(path, json={"reason": "stalling"}) for _ in range(6)]
        assert answers[-1].status_code == 429
        assert (await bert.http.post("/api/people/nobody/report", json={"reason": "rude"})).status_code == 429

    at_a_server(serve, sqlite, port, use)
    assert main(["admin", "reports", "--database", sqlite, "--json"]) == 0
    (one, other) = json.loads(capsys.readouterr().out)["reports"]
    assert {one["reason"], other["reason"]} == {"rude", "stalling"}
    assert (one["name"], one["by"]) == ("Bert", "Ann")


@pytest.mark.parametrize("path", ["follow", "block"])
def test_nobody_follows_or_blocks_themselves_or_nobody(sqlite, port, serve, path):
    async def use(_app):
        ann = await Person.arrive(port, "Ann")
        assert (await ann.http.post(f"/api/people/{await id_of(ann)}/{path}")).json()["rule"] == "yourself"
        assert (await ann.http.post(f"/api/people/nobody/{path}")).status_code == 404
        ann.http.cookies.clear()
        assert (await ann.http.post(f"/api/people/nobody/{path}")).status_code == 401

    at_a_server(serve, sqlite, port, use)


def test_what_is_between_people_is_exported_moves_along_with_a_log_in_and_is_deleted(database, port, serve):
    async def use(app):
        ann, bert, guest = await member(port, "Ann"), await member(port, "Bert"), await Person.arrive(port, "Guest")
        ids = [await id_of(each) for each in (ann, bert, guest)]
        await guest.http.post(f"/api/people/{ids[1]}/follow")
        await bert.http.post(f"/api/people/{ids[2]}/follow")
        await guest.http.post(f"/api/people/{ids[0]}/follow")
        login = {"login": "Ann", "password": "correct horse battery"}
        assert (await guest.http.post("/api/login", json=login)).status_code == 200
        store = app.state.host.store
        rows = await store.run(select(follows.c.person, follows.c.other))
        assert {(row["person"], row["other"]) for row in rows} == {(ids[0], ids[1]), (ids[1], ids[0])}
        await ann.http.post(f"/api/people/{ids[1]}/report", json={"reason": "name"})
        table = await ann.set_table()
        await ann.http.post(f"/api/people/{ids[1]}/invite", json={"game": table["id"]})
        kept = (await ann.http.get("/api/me/data")).json()
        assert [each["other"] for each in kept["follows"]] == [ids[1]]
        assert [each["reason"] for each in kept["reports"]] == ["name"]
        assert [each["game"] for each in kept["invitations"]] == [table["id"]]
        await bert.http.post(f"/api/people/{ids[0]}/block")
        assert [each["other"] for each in (await bert.http.get("/api/me/data")).json()["blocks"]] == [ids[0]]
        assert (await ann.http.delete("/api/me")).status_code == 200
        for one in (follows, blocks, reports, invitations):
            assert await store.run(select(one)) == [], one.name

    at_a_server(serve, database, port, use)


def test_following_ten_times_at_once_is_following_once(sqlite, port, serve):
    async def use(app):
        ann, bert = await Person.arrive(port, "Ann"), await Person.arrive(port, "Bert")
        path = f"/api/people/{await id_of(ann)}/follow"
        await asyncio.gather(*(bert.http.post(path) for _ in range(10)))
        assert len(await app.state.host.store.run(select(follows))) == 1

    at_a_server(serve, sqlite, port, use)
