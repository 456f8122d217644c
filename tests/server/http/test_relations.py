"""Between people by HTTP: follow, see tables, invite, block, report; what each may not do, and that nothing is kept."""

import asyncio
import json

import pytest
from sqlalchemy import select

from tessella.cli import main
from tessella.server.settings import Settings
from tessella.server.store.schema import blocks, follows, invitations, news, reports
from tests.server.clients import Person, refusal
from tests.server.helpers import PASSWORD, member


@pytest.fixture
def settings(database, port):
    return Settings(database=database, port=port, bots=0)


async def company_of(person):
    return await person.get("/api/me/company")


async def about(person, other, act, **body):
    """Follow, invite, block or report somebody."""
    return await person.http.post(f"/api/people/{await other.id()}/{act}", json=body or None)


async def members(port, *names):
    return [await member(port, name) for name in names]


async def test_followers_see_open_tables_and_public_games_but_no_private_ones(app, port):
    ann, bert = await member(port, "Ann"), await Person.arrive(port, "Bert")
    assert (await about(bert, ann, "follow")).json() == {"done": 1}
    await ann.set_table()
    listed = await ann.set_table(listed=True)
    seen = await company_of(bert)
    assert [each["name"] for each in seen["follows"]] == ["Ann"]
    assert [game["id"] for game in seen["games"]] == [listed["id"]]
    assert (await company_of(ann))["games"] == [], "following is not mutual"
    profile = await bert.get(f"/api/people/{await ann.id()}")
    assert (profile["follows"], profile["blocks"]) == (True, False)
    await bert.http.delete(f"/api/people/{await ann.id()}/follow")
    assert (await company_of(bert))["follows"] == []


async def test_a_friend_is_invited_by_one_click_and_sits_down_without_a_link(app, port):
    ann, bert, cara = await members(port, "Ann", "Bert", "Cara")
    table = (await ann.set_table())["id"]
    assert refusal(await about(ann, bert, "invite", game=table)) == (409, "follow")
    for person in (ann, cara):
        await about(person, bert, "follow")
    assert refusal(await about(cara, bert, "invite", game=table)) == (403, "seat")
    assert (await about(ann, bert, "invite", game=table)).status_code == 200
    (invited,) = (await company_of(bert))["invitations"]
    assert (invited["game"], invited["name"]) == (table, "Ann")
    join = f"/api/games/{table}/join"
    assert refusal(await cara.http.post(join, json={"seat": 1})) == (403, "invitation")
    assert (await bert.http.post(join, json={"seat": 1})).status_code == 200
    assert (await company_of(bert))["invitations"] == []


async def test_news_of_an_invitation_go_only_to_those_who_follow_the_sender(app, port):
    ann, bert = await members(port, "Ann", "Bert")
    hook = {"kind": "discord", "url": "https://discord.com/api/webhooks/1/x"}
    assert (await bert.http.post("/api/me/channels/hooks", json=hook)).status_code == 201
    await about(ann, bert, "follow")
    for kinds in ([], ["invitation"]):
        if kinds:
            await about(bert, ann, "follow")
        table = (await ann.set_table())["id"]
        await about(ann, bert, "invite", game=table)
        rows = await app.state.host.store.run(select(news.c.kind).where(news.c.game == table))
        assert [row["kind"] for row in rows] == kinds
    assert (await bert.http.delete(f"/api/me/invitations/{table}")).json() == {"done": 1}


async def test_who_is_blocked_cannot_follow_invite_join_or_be_paired(app, port):
    ann, bert, cara = await members(port, "Ann", "Bert", "Cara")
    await about(bert, ann, "follow")
    assert (await about(ann, bert, "block")).status_code == 200
    assert (await company_of(bert))["follows"] == []
    assert (await about(bert, ann, "follow")).status_code == 409
    assert (await about(bert, ann, "invite", game=(await bert.set_table())["id"])).status_code == 409
    table = await ann.set_table(listed=True)
    assert refusal(await bert.http.post(f"/api/games/{table['id']}/join", json={"seat": 1})) == (403, "blocked")
    for person in (ann, bert, cara):
        wait = (await person.http.post("/api/pairing", json={"title": "azul"})).json()
    assert wait["state"] == "found"
    assert [(await each.get("/api/pairing"))["state"] for each in (ann, bert)] == ["found", "waiting"]
    assert [each["name"] for each in (await company_of(ann))["blocks"]] == ["Bert"]
    await ann.http.delete(f"/api/people/{await bert.id()}/block")
    assert (await about(bert, ann, "follow")).status_code == 200


async def test_reports_reach_the_host_and_not_too_many_of_them(app, database, port, capsys):
    ann, bert = await member(port, "Ann"), await Person.arrive(port, "Bert")
    assert (await about(ann, bert, "report", reason="because I lost")).status_code == 422
    assert (await about(ann, bert, "report", reason="rude", game="abcd1234")).status_code == 200
    answers = [await about(ann, bert, "report", reason="stalling") for _ in range(6)]
    assert answers[-1].status_code == 429
    assert (await bert.http.post("/api/people/nobody/report", json={"reason": "rude"})).status_code == 429
    assert await asyncio.to_thread(main, ["admin", "reports", "--database", database, "--json"]) == 0
    one, other = json.loads(capsys.readouterr().out)["reports"]
    assert {one["reason"], other["reason"]} == {"rude", "stalling"}
    assert (one["name"], one["by"]) == ("Bert", "Ann")


async def test_nobody_follows_or_blocks_themselves_or_nobody_and_following_often_is_following_once(app, port):
    ann, bert = await Person.arrive(port, "Ann"), await Person.arrive(port, "Bert")
    for act in ("follow", "block"):
        assert (await about(ann, ann, act)).json()["rule"] == "yourself"
        for person, status in ((ann, 404), (Person(port), 401)):
            assert (await person.http.post(f"/api/people/nobody/{act}")).status_code == status
    await asyncio.gather(*(about(bert, ann, "follow") for _ in range(10)))
    assert len(await app.state.host.store.run(select(follows))) == 1


async def test_what_is_between_people_is_exported_moves_along_with_a_log_in_and_is_deleted(app, port):
    ann, bert = await members(port, "Ann", "Bert")
    guest, store = await Person.arrive(port, "Guest"), app.state.host.store
    ann_id, bert_id = await ann.id(), await bert.id()
    for person, other in ((guest, bert), (bert, guest), (guest, ann)):
        await about(person, other, "follow")
    assert (await guest.http.post("/api/login", json={"login": "Ann", "password": PASSWORD})).status_code == 200
    rows = await store.run(select(follows.c.person, follows.c.other))
    assert {(row["person"], row["other"]) for row in rows} == {(ann_id, bert_id), (bert_id, ann_id)}
    await about(ann, bert, "report", reason="name")
    table = (await ann.set_table())["id"]
    await about(ann, bert, "invite", game=table)
    kept = await ann.get("/api/me/data")
    assert [each["other"] for each in kept["follows"]] == [bert_id]
    assert [each["reason"] for each in kept["reports"]] == ["name"]
    assert [each["game"] for each in kept["invitations"]] == [table]
    await about(bert, ann, "block")
    assert [each["other"] for each in (await bert.get("/api/me/data"))["blocks"]] == [ann_id]
    assert (await ann.http.delete("/api/me")).status_code == 200
    for one in (follows, blocks, reports, invitations):
        assert await store.run(select(one)) == [], one.name
