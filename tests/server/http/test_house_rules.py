"""Who may come in, as the host has set it: registration, guests, the names under which the server answers."""

import httpx
import pytest

from tessella.server.settings import Settings
from tests.server.authenticator import Authenticator
from tests.server.clients import Person
from tests.server.helpers import PASSWORD, member, serving


def at_a_server(serve, database, port, use, **settings):
    serving(serve, Settings(database=database, port=port, bots=0, **settings), use)


def test_a_closed_server_takes_no_new_members_and_keeps_the_old(database, port, serve):
    async def before(_app):
        await member(port, "Ann")

    async def use(_app):
        bert = await Person.arrive(port, "Bert")
        answer = await bert.http.post("/api/members", json={"login": "bert", "password": PASSWORD})
        assert (answer.status_code, answer.json()["rule"]) == (403, "registration")
        begun = (await bert.http.post("/api/passkeys/new")).json()
        key = Authenticator(f"http://127.0.0.1:{port}").make(begun["options"])
        answer = await bert.http.post("/api/passkeys", json={"ceremony": begun["id"], "credential": key})
        assert (answer.status_code, answer.json()["rule"]) == (403, "registration")
        assert (await bert.http.post("/api/login", json={"login": "ann", "password": PASSWORD})).status_code == 200

    at_a_server(serve, database, port, before)
    at_a_server(serve, database, port, use, registration="closed")


def test_without_guests_only_members_play_and_anyone_watches(database, port, serve):
    async def use(_app):
        guest, ann = await Person.arrive(port, "Bert"), await member(port, "Ann")
        table = await ann.set_table(listed=True)
        seats = [{"kind": "me"}, {"kind": "open"}]
        for path, body in (
            ("/api/games", {"title": "azul", "seats": seats}),
            (f"/api/games/{table['id']}/join", {"seat": 1}),
            ("/api/pairing", {"title": "azul"}),
        ):
            answer = await guest.http.post(path, json=body)
            assert (answer.status_code, answer.json()["rule"]) == (403, "guests"), path
        assert (await guest.http.get(f"/api/games/{table['id']}")).status_code == 200
        sign_up = {"login": "bert", "password": PASSWORD}
        assert (await guest.http.post("/api/members", json=sign_up)).status_code == 201
        assert (await guest.http.post(f"/api/games/{table['id']}/join", json={"seat": 1})).status_code == 200

    at_a_server(serve, database, port, use, guests=False)


def test_without_guests_and_new_members_nobody_comes_in(sqlite, port, serve):
    async def use(_app):
        answer = await Person(port).http.post("/api/session", json={"name": "Ann"})
        assert (answer.status_code, answer.json()["rule"]) == (403, "guests")

    at_a_server(serve, sqlite, port, use, guests=False, registration="closed")


def test_reserved_names_are_refused_by_http(sqlite, port, serve):
    async def use(_app):
        answer = await Person(port).http.post("/api/session", json={"name": "Моdеrаtоr"})
        assert (answer.status_code, answer.json()["rule"]) == (409, "reserved")
        ann = await member(port, "Ann")
        assert (await ann.http.post("/api/session", json={"name": "Tesse11a"})).json()["rule"] == "reserved"
        assert (await ann.http.post("/api/me/bots", json={"name": "Admin"})).json()["rule"] == "reserved"

    at_a_server(serve, sqlite, port, use)


@pytest.mark.parametrize(("name", "status"), [("play.example.org", 200), ("127.0.0.1", 200), ("evil.example", 400)])
def test_the_server_answers_only_under_its_names(sqlite, port, serve, name, status):
    async def use(_app):
        async with httpx.AsyncClient() as client:
            answer = await client.get(f"http://127.0.0.1:{port}/api/titles", headers={"host": f"{name}:{port}"})
        assert answer.status_code == status

    at_a_server(serve, sqlite, port, use, hosts="play.example.org, *.example.net")
