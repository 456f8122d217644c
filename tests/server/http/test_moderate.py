"""What moderators do in the browser, on both databases; for everyone else nothing is there."""

import asyncio

import pytest

from tessella.cli import main
from tessella.server.http.api import ROUTES
from tessella.server.http.sockets import LOGGED_OUT
from tessella.server.settings import Settings
from tests.server.clients import Person, close_code, hear, refusal
from tests.server.helpers import member


@pytest.fixture
def settings(database, port):
    return Settings(database=database, port=port, bots=0)


async def moderator(database, port, name):
    person = await member(port, name)
    assert await asyncio.to_thread(main, ["admin", "people", "moderator", name, "--database", database]) == 0
    return person


async def test_a_moderator_reads_reports_bans_renames_logs_out_and_closes(app, database, port, capsys):
    mo, ann, bert = await moderator(database, port, "Mona"), await member(port, "Ann"), await member(port, "Bert")
    bert_id, table = await bert.id(), await bert.set_table()
    assert (await mo.me())["moderator"]
    await ann.join(table)
    await ann.http.post(f"/api/people/{bert_id}/report", json={"reason": "rude", "game": table["id"]})
    (report,) = (await mo.get("/api/moderate"))["reports"]
    assert (report["other"], report["game"], report["banned"]) == (bert_id, table["id"], False)
    about = f"/api/moderate/people/{report['other']}"
    seen = await mo.get(about)
    assert ([each["id"] for each in seen["tables"]], seen["sessions"]) == ([table["id"]], 1)
    assert "login" not in seen
    assert (await mo.http.post(f"{about}/name", json={"name": "Polite Bert"})).json()["name"] == "Polite Bert"
    assert (await mo.http.post(f"{about}/name", json={"name": "Admin"})).status_code == 422
    async with bert.connect(table["id"]) as socket:
        await hear(socket, "presence")
        banned = (await mo.http.post(f"{about}/ban", json={"reason": "rude"})).json()
        assert banned["banned"] is not None
        assert banned["tables"] == []
        assert await close_code(socket) == LOGGED_OUT
    assert refusal(await bert.http.get("/api/session")) == (403, "banned")
    assert (await mo.http.delete(f"{about}/ban")).json()["banned"] is None
    assert (await bert.me())["name"] == "Polite Bert"
    assert (await mo.http.delete(f"{about}/sessions")).json()["sessions"] == 0
    assert (await bert.http.get("/api/session")).status_code == 401
    assert (await mo.http.post(f"/api/moderate/games/{table['id']}/close")).json() == {"done": 1}
    assert (await ann.get(f"/api/games/{table['id']}"))["status"] == "over"
    acts = (await mo.get("/api/moderate"))["acts"]
    assert [act["act"] for act in acts] == ["close", "end-sessions", "unban", "ban", "rename", "moderator"]
    assert [act["by"] for act in acts] == ["Mona"] * 5 + [""]
    assert acts[3]["details"] == "rude"
    for path in ("people/nobody/ban", "games/nowhere1/close"):
        assert (await mo.http.post(f"/api/moderate/{path}", json={})).status_code == 404


async def test_moderators_can_do_nothing_about_each_other(app, database, port):
    mo, max_ = await moderator(database, port, "Mona"), await moderator(database, port, "Max")
    for other in (max_, mo):
        about = f"/api/moderate/people/{await other.id()}"
        for method, path, body in (
            ("POST", "ban", {}),
            ("DELETE", "ban", None),
            ("DELETE", "sessions", None),
            ("POST", "name", {"name": "Rude"}),
        ):
            assert refusal(await mo.http.request(method, f"{about}/{path}", json=body)) == (409, "moderator")
    assert (await max_.http.get("/api/moderate")).status_code == 200


async def test_for_everyone_else_nothing_is_there(app, database, port):
    mo, ann = await moderator(database, port, "Mona"), await member(port, "Ann")
    html, ann_id = {"accept": "text/html"}, await ann.id()
    program = Person.program(port, (await mo.http.post("/api/me/tokens", json={"label": "mine"})).json()["token"])
    for person in (ann, await Person.arrive(port, "Gus"), Person(port), program):
        for route in ROUTES:
            if route.moderators:
                path = route.path.replace("{id}", ann_id)
                nowhere = await person.http.request(route.method, "/api/nowhere/at/all", content=b"{")
                for origin in (f"http://127.0.0.1:{port}", "https://evil.example"):
                    answer = await person.http.request(route.method, path, content=b"{", headers={"origin": origin})
                    assert _all_of(answer) == _all_of(nowhere), route.path
        nowhere = await person.http.get("/nowhere", headers=html)
        for page in ("/moderate", f"/moderate/{ann_id}"):
            assert _all_of(await person.http.get(page, headers=html)) == _all_of(nowhere)
    assert (await mo.http.get("/moderate", headers=html)).status_code == 200
    assert not (await ann.me())["moderator"]
    await asyncio.to_thread(main, ["admin", "people", "moderator", "Mona", "--remove", "--database", database])
    assert (await mo.http.get("/api/moderate")).status_code == 404


def _all_of(answer):
    """What a client sees of an answer."""
    headers = {name: value for name, value in answer.headers.items() if name not in ("date", "server")}
    return answer.status_code, answer.content, headers
