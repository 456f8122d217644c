"""Members: by password or passkey, with their tokens, bots and data; over real HTTP."""

import json
import os
import statistics
import time

import pytest
from argon2 import PasswordHasher
from sqlalchemy import select, update

from tessella.core import dice
from tessella.server.http.rate_limits import Buckets, Limits
from tessella.server.people.accounts import become_member, check_login, check_new_password, clean_login
from tessella.server.settings import Settings
from tessella.server.store.schema import challenges, people, sessions
from tests.server.authenticator import PRESENT, Authenticator
from tests.server.clients import Person, bearer, hear, refusal, say
from tests.server.helpers import PASSWORD, known, member
from tests.server.processes import running, wait_until_ready


@pytest.fixture
def settings(database, port):
    return Settings(database=database, port=port, bots=0)


async def log_in(person, login, password=PASSWORD):
    return await person.http.post("/api/login", json={"login": login, "password": password})


async def sign_up(person, login, password=PASSWORD):
    return await person.http.post("/api/members", json={"login": login, "password": password})


async def table_of_two(one, other):
    table = await one.set_table()
    assert (await other.join(table)).status_code == 200
    return table["id"]


# Passwords


async def test_a_guest_who_becomes_a_member_stays_the_same_person_with_the_same_seat(app, port):
    ann, bob = await Person.arrive(port, "Ann"), await Person.arrive(port, "Bob")
    game = await table_of_two(ann, bob)
    before, cookie = await ann.me(), ann.http.cookies["tessella"]
    assert (await ann.get("/api/members"))["methods"] == ["passkey", "password"]
    answer = await sign_up(ann, "Ann@Example.org")
    assert (answer.status_code, answer.json()) == (201, {**before, "kind": "member"})
    assert ann.http.cookies["tessella"] != cookie
    assert (await ann.get(f"/api/games/{game}"))["seat"] == 0
    old = Person(port)
    old.http.cookies.set("tessella", cookie)
    assert (await old.http.get("/api/session")).status_code == 401
    assert refusal(await sign_up(ann, "another")) == (409, "member")
    assert refusal(await sign_up(bob, "ann@example.ORG")) == (409, "taken")


async def test_logging_in_hands_the_guests_games_over(app, port):
    home, bob, away = await member(port, "Ann"), await Person.arrive(port, "Bob"), await Person.arrive(port, "Stranger")
    game, guest = await table_of_two(bob, away), await away.id()
    other = await bob.set_table(seats=("open", "open", "me"))
    assert (await away.join(other, 0)).status_code == 200
    answer = await log_in(away, " ANN ")
    assert (answer.status_code, answer.json()) == (200, await home.me())
    for person in (away, home):
        assert (await person.get(f"/api/games/{game}"))["seat"] == 1
    assert {each["id"] for each in (await home.get("/api/me/games"))["games"]} == {game, other["id"]}
    assert refusal(await away.join(other, 1)) == (409, "seated"), "not again under another id"
    async with home.connect(game) as socket:
        await say(socket, type="hello")
        assert (await hear(socket, "update"))["table"]["seat"] == 1
    pledge = dice.pledge(game, 1, bytes(32)).hex()
    assert (await home.act(game, type="pledge", pledge=pledge)).status_code == 200
    (also,) = (await home.get("/api/me/data"))["also"]
    assert (also["id"], also["name"]) == (guest, "Stranger")
    assert (await home.http.get(f"/api/people/{guest}")).status_code == 404


async def test_a_wrong_password_and_an_unknown_log_in_get_the_same_answer(app, port):
    await member(port, "Ann")
    eve = await Person.arrive(port, "Eve")
    wrong, unknown = await log_in(eve, "Ann", "not the one"), await log_in(eve, "nobody", "not the one")
    assert (wrong.status_code, wrong.content) == (unknown.status_code, unknown.content)
    assert wrong.status_code == 403
    assert (await eve.me())["name"] == "Eve"


async def test_an_unknown_log_in_takes_as_long_as_a_wrong_password(host):
    async def median(login):
        times = []
        for _ in range(7):
            start = time.process_time()
            assert await check_login(host.store, login, "not the one") is None
            times.append(time.process_time() - start)
        return statistics.median(times)

    await become_member(host.store, await known(host.store, "Ann", "guest"), "ann", PASSWORD)
    await check_login(host.store, "warm up", "")
    assert 0.5 < await median("nobody") / await median("ann") < 2


@pytest.mark.parametrize("password", ["short", "aaaaaaaaaaaa", "xx ann@example.org xx", "x" * 129])
def test_an_easy_password_is_refused(password):
    with pytest.raises(ValueError, match="password"):
        check_new_password(password, "ann@example.org", "Ann")


@pytest.mark.parametrize("login", ["a", "an n", "   ", "a\u202eb\u200bc"])
def test_what_is_no_log_in_is_refused(login):
    with pytest.raises(ValueError, match="log-in"):
        clean_login(login)


async def test_what_cannot_be_a_log_in_is_nobodys_not_every_guests(host):
    await known(host.store, "Ann", "guest")
    for login in ("", "a", "not one", "\x00\x00\x00", "a\u200bb"):
        for password in ("", "None", PASSWORD):
            assert await check_login(host.store, login, password) is None


async def test_a_new_password_ends_all_other_sessions(app, port):
    ann = await member(port, "Ann")
    phone = await Person.arrive(port, "Phone")
    await log_in(phone, "ann")

    async def change(old, new):
        return await ann.http.post("/api/me/password", json={"old": old, "new": new})

    assert refusal(await change("something else", "three blue tiles")) == (403, "password")
    assert (await change(PASSWORD, "short")).status_code == 422
    assert (await change(PASSWORD, "three blue tiles")).status_code == 200
    assert (await phone.http.get("/api/session")).status_code == 401
    assert (await ann.http.get("/api/session")).status_code == 200
    assert (await log_in(phone, "ann")).status_code == 403
    assert (await log_in(phone, "ann", "three blue tiles")).status_code == 200


async def test_a_password_that_was_kept_by_weaker_means_is_kept_by_better_ones_after_a_log_in(host):
    ann = await known(host.store, "Ann")
    weak = PasswordHasher(time_cost=1, memory_cost=1024).hash(PASSWORD)
    await host.store.run(update(people).where(people.c.id == ann.id).values(login="ann", password=weak))
    assert await check_login(host.store, "ann", PASSWORD) is not None
    (row,) = await host.store.run(select(people.c.password))
    assert "m=19456,t=2" in row["password"]
    assert await check_login(host.store, "ann", PASSWORD) is not None


# Passkeys


async def add_passkey(person, device):
    begun = (await person.http.post("/api/passkeys/new")).json()
    body = {"ceremony": begun["id"], "credential": device.make(begun["options"])}
    return body, await person.http.post("/api/passkeys", json=body)


async def sign_in(person, device):
    begun = (await person.http.post("/api/passkeys/login/new")).json()
    body = {"ceremony": begun["id"], "credential": device.sign(begun["options"])}
    return body, await person.http.post("/api/passkeys/login", json=body)


async def test_a_passkey_makes_a_member_and_logs_in_elsewhere(app, port):
    ann, bob = await Person.arrive(port, "Ann"), await Person.arrive(port, "Bob")
    device = Authenticator(f"http://127.0.0.1:{port}")
    body, added = await add_passkey(ann, device)
    assert added.status_code == 201, added.text
    assert added.json()["kind"] == "member"
    assert refusal(await ann.http.post("/api/passkeys", json=body)) == (409, "ceremony")
    away = await Person.arrive(port, "Stranger")
    game = await table_of_two(bob, away)
    body, entered = await sign_in(away, device)
    assert entered.status_code == 200, entered.text
    assert entered.json() == await ann.me()
    assert (await away.get(f"/api/games/{game}"))["seat"] == 1
    assert refusal(await bob.http.post("/api/passkeys/login", json=body)) == (403, "ceremony")


async def test_a_signature_that_is_not_right_does_not_log_in(app, port):
    app.state.limits = Limits(guesses=Buckets(1_000, 1))
    here = f"http://127.0.0.1:{port}"
    ann, eve = await Person.arrive(port, "Ann"), await Person.arrive(port, "Eve")
    device = Authenticator(here)
    assert (await add_passkey(ann, device))[1].status_code == 201
    for wrong in (Authenticator(here), Authenticator(here), Authenticator("https://evil.example")):
        wrong.id = device.id if wrong.origin == here else wrong.id
        assert (await sign_in(eve, wrong))[1].status_code == 403
    device.flags = PRESENT  # the owner was there, but did not show to be the owner
    assert (await sign_in(eve, device))[1].status_code == 403
    phished = Authenticator("https://evil.example")
    phished.id, phished.key = device.id, device.key
    assert (await sign_in(eve, phished))[1].status_code == 403
    assert (await add_passkey(eve, Authenticator("https://evil.example")))[1].status_code == 409
    assert (await eve.me())["kind"] == "guest"


async def test_a_ceremony_is_short_and_for_one_person(app, port):
    ann, eve = await Person.arrive(port, "Ann"), await Person.arrive(port, "Eve")
    device = Authenticator(f"http://127.0.0.1:{port}")
    begun = (await ann.http.post("/api/passkeys/new")).json()
    body = {"ceremony": begun["id"], "credential": device.make(begun["options"])}
    assert refusal(await eve.http.post("/api/passkeys", json=body)) == (409, "ceremony")
    await app.state.host.store.run(update(challenges).values(ends=1.0))
    assert refusal(await ann.http.post("/api/passkeys", json=body)) == (409, "ceremony")


async def test_what_no_device_says_is_refused_not_an_error(app, port):
    ann = await Person.arrive(port, "Ann")
    for letters in ("A", "AAAA", "AA", "_-_-" * 50):
        credential = {"id": letters, "rawId": letters, "type": "public-key"}
        for path, end, names, status in (
            ("new", "", ("clientDataJSON", "attestationObject"), 409),
            ("login/new", "/login", ("clientDataJSON", "authenticatorData", "signature"), 403),
        ):
            begun = (await ann.http.post(f"/api/passkeys/{path}")).json()
            response = dict.fromkeys(names, letters)
            body = {"ceremony": begun["id"], "credential": credential | {"response": response}}
            assert (await ann.http.post(f"/api/passkeys{end}", json=body)).status_code == status


async def test_the_last_way_to_log_in_cannot_be_removed(app, port):
    ann = await Person.arrive(port, "Ann")
    for _ in range(2):
        await add_passkey(ann, Authenticator(f"http://127.0.0.1:{port}"))
    keys = (await ann.get("/api/me/passkeys"))["passkeys"]
    assert len(keys) == 2
    assert (await ann.http.delete(f"/api/me/passkeys/{keys[0]['id']}")).status_code == 200
    assert (await ann.http.delete(f"/api/me/passkeys/{keys[1]['id']}")).status_code == 409
    assert (await sign_up(ann, "ann")).status_code == 201
    assert (await ann.http.delete(f"/api/me/passkeys/{keys[1]['id']}")).status_code == 200


# Sessions, tokens, bots


async def test_sessions_are_listed_and_ended(app, port):
    ann = await member(port, "Ann")
    phones = [await Person.arrive(port, f"Phone {n}") for n in range(3)]
    for phone in phones:
        await log_in(phone, "ann")
    held = (await ann.get("/api/me/sessions"))["sessions"]
    assert len(held) == 4
    assert [each["here"] for each in held].count(True) == 1
    first = next(each["id"] for each in (await phones[0].get("/api/me/sessions"))["sessions"] if each["here"])
    assert (await ann.http.delete(f"/api/me/sessions/{first}")).status_code == 200
    assert (await ann.http.delete(f"/api/me/sessions/{first}")).status_code == 404
    assert (await phones[0].http.get("/api/session")).status_code == 401
    assert (await ann.http.delete("/api/me/sessions")).json() == {"done": 2}
    assert (await phones[1].http.get("/api/session")).status_code == 401
    cookie = ann.http.cookies["tessella"]
    assert (await ann.http.delete("/api/session")).json() == {"done": 1}
    assert (await ann.http.get("/api/session", headers=bearer(cookie))).status_code == 401


async def test_a_token_plays_but_is_no_key_to_the_account(app, port):
    ann, bob = await member(port, "Ann"), await Person.arrive(port, "Bob")
    assert (await bob.http.post("/api/me/tokens", json={})).status_code == 403
    made = (await ann.http.post("/api/me/tokens", json={"label": "my script", "days": 7})).json()
    script = Person.program(port, made["token"])
    assert await script.me() == await ann.me()
    game = await table_of_two(script, bob)
    assert (await ann.get(f"/api/games/{game}"))["seat"] == 0
    for method, path in [
        ("GET", "/api/me/data"),
        ("DELETE", "/api/me"),
        ("POST", "/api/me/tokens"),
        ("DELETE", f"/api/me/tokens/{made['id']}"),
        ("GET", "/api/me/sessions"),
        ("DELETE", "/api/me/sessions"),
        ("POST", "/api/passkeys/new"),
        ("POST", "/api/me/bots"),
    ]:
        body = {"name": "x"} if path.endswith("bots") else {}
        assert refusal(await script.http.request(method, path, json=body)) == (403, "token"), path
    (listed,) = (await ann.get("/api/me/tokens"))["sessions"]
    assert (listed["id"], listed["label"], listed["here"]) == (made["id"], "my script", False)
    rows = await app.state.host.store.run(select(sessions))
    assert made["token"] not in str([dict(row) for row in rows])
    assert (await ann.http.delete(f"/api/me/tokens/{made['id']}")).status_code == 200
    assert (await script.http.get("/api/session")).status_code == 401


async def test_bot_accounts_belong_to_their_member(app, port):
    ann, eve = await member(port, "Ann"), await member(port, "Eve")
    made = (await ann.http.post("/api/me/bots", json={"name": "Deep Tile"})).json()
    path = f"/api/me/bots/{made['id']}"
    assert (await eve.http.delete(path)).status_code == 404
    assert (await eve.http.post(f"{path}/token")).status_code == 404
    fresh = (await ann.http.post(f"{path}/token")).json()
    bot = Person.program(port, fresh["token"])
    assert (await Person.program(port, made["token"]).http.get("/api/session")).status_code == 401
    assert (await bot.me())["kind"] == "bot"
    assert (await bot.http.post("/api/me/bots", json={"name": "My own"})).status_code == 403
    assert [each["id"] for each in (await ann.get("/api/me/bots"))["bots"]] == [made["id"]]
    assert (await ann.http.delete(path)).status_code == 200
    assert (await bot.http.get("/api/session")).status_code == 401
    assert (await ann.get("/api/me/bots"))["bots"] == []


# Privacy


async def test_everything_that_is_stored_can_be_seen(app, port):
    ann, bob = await member(port, "Ann", "ann@example.org"), await Person.arrive(port, "Bob")
    game, left = await table_of_two(ann, bob), (await ann.set_table())["id"]
    assert (await ann.act(left, action="leave")).status_code == 200
    await ann.http.post("/api/me/tokens", json={"label": "script"})
    await ann.http.post("/api/pairing", json={"title": "azul", "seats": 3, "pace": "days"})
    await add_passkey(ann, Authenticator(f"http://127.0.0.1:{port}"))
    bot = (await ann.http.post("/api/me/bots", json={"name": "Deep Tile"})).json()
    kept = await ann.get("/api/me/data")
    assert (kept["name"], kept["login"], kept["kind"]) == ("Ann", "ann@example.org", "member")
    assert kept["has_password"] is True
    assert sorted(each["kind"] for each in kept["credentials"]) == ["cookie", "passkey", "token"]
    assert [(each["game"], each["seat"], each["title"]) for each in kept["seats"]] == [(game, 0, "azul")]
    assert (kept["left"], kept["bots"]) == ([left], [bot["id"]])
    assert [(each["title"], each["seats"], each["pace"]) for each in kept["waiting"]] == [("azul", 3, "days")]
    assert PASSWORD not in json.dumps(kept)
    assert "argon2" not in json.dumps(kept)
    assert (await bob.get("/api/me/data"))["login"] is None


async def test_who_leaves_for_good_is_forgotten_and_the_games_stay(app, port):
    ann, bob = await member(port, "Annabelline", "ann@example.org"), await Person.arrive(port, "Bob")
    away = await Person.arrive(port, "Stranger Annabelline")
    over, running = await table_of_two(ann, bob), await table_of_two(bob, away)
    await log_in(away, "ann@example.org")
    free, ann_id = await table_of_two(bob, ann), await ann.id()
    for game, action in ((over, "start"), (running, "start"), (over, "resign")):
        assert (await bob.act(game, action=action)).status_code == 200
    shown = (await bob.get(f"/api/games/{over}/record"))["record"]
    assert "Annabelline" in shown
    profile = await bob.http.get(f"/api/people/{ann_id}")
    assert profile.json()["name"] == "Annabelline"
    assert "example.org" not in profile.text
    assert (await ann.http.delete("/api/me")).status_code == 200
    for person in (ann, away):
        assert (await person.http.get("/api/session")).status_code == 401
    assert (await log_in(ann, "ann@example.org")).status_code == 403
    assert (await bob.http.get(f"/api/people/{ann_id}")).status_code == 404
    assert (await bob.get(f"/api/games/{over}/record"))["record"] == shown.replace("Annabelline", "deleted")
    assert (await bob.get(f"/api/games/{free}"))["seats"][1]["name"] == ""
    for _ in range(2):
        table = await bob.get(f"/api/games/{running}")
        assert table["status"] == "playing"
        assert (table["seats"][1]["name"], table["seats"][1]["left"]) == ("deleted", True)
        app.state.host.rooms.clear()  # and when it is read again


async def test_logins_and_denied_requests_are_logged_without_names(app, port, caplog):
    caplog.set_level("INFO", "tessella")
    ann = await member(port, "Ann")
    await log_in(ann, "ann", "not the password")
    await log_in(ann, "ann")
    await (await Person.arrive(port, "Eve")).http.get("/api/me/tokens")
    records = [record for record in caplog.records if record.name.startswith("tessella")]
    told = [(record.msg, vars(record).get("rule")) for record in records]
    assert {("logged in", "password"), ("request denied", "login"), ("request denied", "member")} <= {*told}
    assert not any("ann" in record.getMessage().casefold() for record in records)


# A server without what accounts need


async def test_without_the_extra_everybody_is_a_guest_and_is_told_so(tmp_path, sqlite, port):
    for library in ("argon2", "webauthn", "cryptography"):
        (tmp_path / f"{library}.py").write_text(f"raise ModuleNotFoundError(name={library!r})")

    path = os.pathsep.join([str(tmp_path), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]).rstrip(os.pathsep)
    command = ("serve", "--database", sqlite, "--port", str(port))
    with running(tmp_path / "log", *command, PYTHONPATH=path) as process:
        wait_until_ready(port, process)
        ann, bob = await Person.arrive(port, "Ann"), await Person.arrive(port, "Bob")
        assert await table_of_two(ann, bob)
        refused = [
            await sign_up(ann, "ann@example.org"),
            await log_in(bob, "ann@example.org"),
            await ann.http.get("/api/push"),
            await ann.http.post("/api/passkeys/new", json={}),
            await ann.http.post("/api/passkeys/login/new", json={}),
        ]
        for answer in refused:
            assert refusal(answer) == (501, "accounts")
            assert "tessella[accounts]" in answer.json()["message"]
        assert (await ann.get("/api/members"))["methods"] == []
        assert (await ann.http.get("/api/me/data")).status_code == 200
