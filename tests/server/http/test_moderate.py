"""What moderators do in the browser, on both databases; for everyone else nothing is there."""

import asyncio
import json

import pytest
import websockets

from tessella.cli import main
from tessella.server.http.api import ROUTES
from tessella.server.settings import Settings
from tests.server.clients import Person, hear, say
from tests.server.helpers import member, serving


async def id_of(person):
    return (await person.http.get("/api/session")).json()["id"]


async def moderator(database, port, name):
    person = await member(port, name)
    assert await asyncio.to_thread(main, ["admin", "people", "moderator", name, "--database", database]) == 0
    return person


def at_a_server(serve, database, port, use):
    serving(serve, Settings(database=database, port=port, bots=0), use)


def test_a_moderator_reads_reports_bans_renames_logs_out_and_closes(database, port, serve, capsys):
    async def use(_app):
        mo, ann, bert = await moderator(database, port, "Mona"), await member(port, "Ann"), await member(port, "Bert")
        bert_id = await id_of(bert)
        assert (await mo.http.get("/api/session")).json()["moderator"]
        table = await bert.set_table()
        await ann.join(table)
        await ann.http.post(f"/api/people/{bert_id}/report", json={"reason": "rude", "game": table["id"]})
        (report,) = (await mo.http.get("/api/moderate")).json()["reports"]
        assert (report["other"], report["game"], report["banned"]) == (bert_id, table["id"], False)
        about = f"/api/moderate/people/{report['other']}"
        seen = (await mo.http.get(about)).json()
        assert ([each["id"] for each in seen["tables"]], seen["sessions"]) == ([table["id"]], 1)
        assert "login" not in seen
        renamed = await mo.http.post(f"{about}/name", json={"name": "Polite Bert"})
        assert renamed.json()["name"] == "Polite Bert"
        assert (await mo.http.post(f"{about}/name", json={"name": "Admin"})).status_code == 422
        async with bert.connect(table["id"]) as socket:
            await say(socket, type="hello")
            await hear(socket, "update")
            banned = await mo.http.post(f"{about}/ban", json={"reason": "rude"})
            assert banned.json()["banned"] is not None
            assert banned.json()["tables"] == []
            with pytest.raises(websockets.ConnectionClosed):
                while True:
                    await asyncio.wait_for(socket.recv(), 2)  # at once: no notification, no wait
        assert (await bert.http.get("/api/session")).json()["rule"] == "banned"
        assert (await mo.http.delete(f"{about}/ban")).json()["banned"] is None
        assert (await bert.http.get("/api/session")).json()["name"] == "Polite Bert"
        assert (await mo.http.delete(f"{about}/sessions")).json()["sessions"] == 0
        assert (await bert.http.get("/api/session")).status_code == 401
        assert (await mo.http.post(f"/api/moderate/games/{table['id']}/close")).json() == {"done": 1}
        assert (await ann.http.get(f"/api/games/{table['id']}")).json()["status"] == "over"
        acts = (await mo.http.get("/api/moderate")).json()["acts"]
        assert [act["act"] for act in acts] == ["close", "end-sessions", "unban", "ban", "rename", "moderator"]
        assert {act["by"] for act in acts[:-1]} == {"Mona"}
        for path in ("people/nobody/ban", "games/nowhere1/close"):
            assert (await mo.http.post(f"/api/moderate/{path}", json={})).status_code == 404

    at_a_server(serve, database, port, use)
    capsys.readouterr()
    assert main(["admin", "people", "log", "--database", database, "--json"]) == 0
    log = json.loads(capsys.readouterr().out)["acts"]
    assert [act["by"] for act in log] == ["Mona"] * 5 + [""]
    assert log[3]["details"] == "rude"


def test_moderators_can_do_nothing_about_each_other(database, port, serve):
    async def use(_app):
        mo, max_ = await moderator(database, port, "Mona"), await moderator(database, port, "Max")
        for who in (max_, mo):
            about = f"/api/moderate/people/{await id_of(who)}"
            for method, path, body in (
                ("POST", "ban", {}),
                ("DELETE", "ban", None),
                ("DELETE", "sessions", None),
                ("POST", "name", {"name": "Rude"}),
            ):
                answer = await mo.http.request(method, f"{about}/{path}", json=body)
                assert (answer.status_code, answer.json()["rule"]) == (409, "moderator")
        assert (await max_.http.get("/api/moderate")).status_code == 200

    at_a_server(serve, database, port, use)


def test_for_everyone_else_nothing_is_there(database, port, serve):
    async def use(_app):
        mo, ann, guest = (
            await moderator(database, port, "Mona"),
            await member(port, "Ann"),
            await Person.arrive(port, "Gus"),
        )
        token = (await mo.http.post("/api/me/tokens", json={"label": "mine"})).json()["token"]
        program = Person(port)
        program.http.headers["authorization"] = f"Bearer {token}"
        html = {"accept": "text/html"}
        for who in (ann, guest, Person(port), program):
            for route in ROUTES:
                if route.moderators:
                    path = route.path.replace("{id}", await id_of(ann))
                    nowhere = await who.http.request(route.method, "/api/nowhere/at/all", content=b"{")
                    for origin in (f"http://127.0.0.1:{port}", "https://evil.example"):
                        answer = await who.http.request(route.method, path, content=b"{", headers={"origin": origin})
                        assert _all_of(answer) == _all_of(nowhere), route.path
            nowhere = await who.http.get("/nowhere", headers=html)
            for page in ("/moderate", f"/moderate/{await id_of(ann)}"):
                assert _all_of(await who.http.get(page, headers=html)) == _all_of(nowhere)
        assert (await mo.http.get("/moderate", headers=html)).status_code == 200
        assert not (await ann.http.get("/api/session")).json()["moderator"]
        await asyncio.to_thread(main, ["admin", "people", "moderator", "Mona", "--remove", "--database", database])
        assert (await mo.http.get("/api/moderate")).status_code == 404

    at_a_server(serve, database, port, use)


def _all_of(answer):
    """What a client sees of an answer."""
    headers = {name: value for name, value in answer.headers.items() if name not in ("date", "server")}
    return answer.status_code, answer.content, headers
