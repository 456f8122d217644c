"""Who may come in, as the host has set it: registration, guests, the names under which the server answers."""

import httpx

from tessella.server.settings import Settings
from tests.server.authenticator import Authenticator
from tests.server.clients import Person, refusal
from tests.server.helpers import PASSWORD, member


async def test_a_closed_server_takes_no_new_members_and_keeps_the_old(serve, database, port):
    async with serve(Settings(database=database, port=port, bots=0)):
        await member(port, "Ann")
    async with serve(Settings(database=database, port=port, bots=0, registration="closed")):
        bert = await Person.arrive(port, "Bert")
        answer = await bert.http.post("/api/members", json={"login": "bert", "password": PASSWORD})
        assert refusal(answer) == (403, "registration")
        begun = (await bert.http.post("/api/passkeys/new")).json()
        key = Authenticator(f"http://127.0.0.1:{port}").make(begun["options"])
        answer = await bert.http.post("/api/passkeys", json={"ceremony": begun["id"], "credential": key})
        assert refusal(answer) == (403, "registration")
        assert (await bert.http.post("/api/login", json={"login": "ann", "password": PASSWORD})).status_code == 200


async def test_without_guests_only_members_play_and_anyone_watches(serve, database, port):
    async with serve(Settings(database=database, port=port, bots=0, guests=False)):
        guest, ann = await Person.arrive(port, "Bert"), await member(port, "Ann")
        path = f"/api/games/{(await ann.set_table(listed=True))['id']}"
        for wish, body in (
            ("/api/games", {"title": "azul", "seats": [{"kind": "me"}, {"kind": "open"}]}),
            (f"{path}/join", {"seat": 1}),
            ("/api/pairing", {"title": "azul"}),
        ):
            assert refusal(await guest.http.post(wish, json=body)) == (403, "guests"), wish
        assert (await guest.http.get(path)).status_code == 200
        sign_up = {"login": "bert", "password": PASSWORD}
        assert (await guest.http.post("/api/members", json=sign_up)).status_code == 201
        assert (await guest.http.post(f"{path}/join", json={"seat": 1})).status_code == 200
    async with serve(Settings(database=database, port=port, bots=0, guests=False, registration="closed")):
        assert refusal(await Person(port).http.post("/api/session", json={"name": "Ann"})) == (403, "guests")


async def test_reserved_names_are_refused_by_http(app, port):
    assert refusal(await Person(port).http.post("/api/session", json={"name": "Моdеrаtоr"})) == (409, "reserved")
    ann = await member(port, "Ann")
    for path, name in (("session", "Tesse11a"), ("me/bots", "Admin")):
        assert refusal(await ann.http.post(f"/api/{path}", json={"name": name})) == (409, "reserved")


async def test_the_server_answers_only_under_its_names(serve, sqlite, port):
    settings = Settings(database=sqlite, port=port, bots=0, hosts="play.example.org, *.example.net")
    async with serve(settings), httpx.AsyncClient() as client:
        for name, status in (("play.example.org", 200), ("127.0.0.1", 200), ("evil.example", 400)):
            answer = await client.get(f"http://127.0.0.1:{port}/api/titles", headers={"host": f"{name}:{port}"})
            assert answer.status_code == status
