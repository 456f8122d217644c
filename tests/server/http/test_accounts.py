"""Members: by password or passkey, with their tokens, bots and data; over real HTTP."""

import asyncio
import json
import os
import sqlite3
import statistics
import time

import httpx
import pytest
from argon2 import PasswordHasher
from sqlalchemy import select, update

from tessella.core import dice, record
from tessella.games import GAMES
from tessella.server.http.rate_limits import Buckets, Limits
from tessella.server.people.accounts import become_member, check_login, check_new_password, clean_login
from tessella.server.settings import Settings
from tessella.server.store.schema import challenges, people, sessions
from tests.server.authenticator import PRESENT, Authenticator
from tests.server.clients import Person, key
from tests.server.helpers import PASSWORD, hosting, known, member, run, serving
from tests.server.processes import running, wait_until_ready


def settings(database, port, bots=0):
    return Settings(database=database, port=port, bots=bots)


async def me(person):
    return (await person.http.get("/api/session")).json()


async def log_in(person, login, password=PASSWORD):
    return await person.http.post("/api/login", json={"login": login, "password": password})


def bearer(token):
    return {"authorization": f"Bearer {token}"}


async def table_of_two(one, other):
    table = await one.set_table()
    assert (await other.join(table)).status_code == 200
    return table["id"]


async def act(person, game, request, **more):
    return await person.http.post(f"/api/games/{game}/act", json={"request": {"key": key(), **request}}, **more)


# Passwords


def test_a_guest_who_becomes_a_member_stays_the_same_person_with_the_same_seat(database, port, serve):
    async def use(app):
        ann, bob = await Person.arrive(port, "Ann"), await Person.arrive(port, "Bob")
        game = await table_of_two(ann, bob)
        before, cookie = await me(ann), ann.http.cookies["tessella"]
        assert (await ann.http.get("/api/members")).json()["methods"] == ["passkey", "password"]
        answer = await ann.http.post("/api/members", json={"login": "Ann@Example.org", "password": PASSWORD})
        assert answer.status_code == 201
        assert answer.json() == {**before, "kind": "member"}
        assert ann.http.cookies["tessella"] != cookie
        assert (await ann.http.get(f"/api/games/{game}")).json()["seat"] == 0
        old = httpx.AsyncClient(base_url=ann.http.base_url, cookies={"tessella": cookie})
        assert (await old.get("/api/session")).status_code == 401
        await old.aclose()
        again = await ann.http.post("/api/members", json={"login": "another", "password": PASSWORD})
        assert (again.status_code, again.json()["rule"]) == (409, "member")
        taken = await bob.http.post("/api/members", json={"login": "ann@example.ORG", "password": PASSWORD})
        assert (taken.status_code, taken.json()["rule"]) == (409, "taken")

    serving(serve, settings(database, port), use)


def test_logging_in_hands_the_guests_games_over(database, port, serve):
    async def use(app):
        home, bob = await member(port, "Ann"), await Person.arrive(port, "Bob")
        away = await Person.arrive(port, "Stranger")
        game = await table_of_two(bob, away)
        guest = (await me(away))["id"]
        answer = await log_in(away, " ANN ")
        assert answer.status_code == 200
        assert answer.json() == await me(home)
        assert (await away.http.get(f"/api/games/{game}")).json()["seat"] == 1
        assert (await home.http.get(f"/api/games/{game}")).json()["seat"] == 1
        listed = (await home.http.get("/api/me/games")).json()["games"]
        assert [each["id"] for each in listed] == [game]
        async with home.connect(game) as socket:
            await socket.send('{"type":"hello"}')
            steps = [json.loads(await socket.recv()) for _ in range(2)]
            assert {"seat": 1} in [{"seat": step["table"]["seat"]} for step in steps if step["type"] == "update"]
        number = bytes(32)
        request = {"type": "pledge", "pledge": dice.pledge(game, 1, number).hex()}
        assert (await act(home, game, request)).status_code == 200
        twice = await home.http.post(f"/api/games/{game}/join", json={"seat": 0})
        assert twice.status_code in (403, 409)
        (also,) = (await home.http.get("/api/me/data")).json()["also"]
        assert (also["id"], also["name"]) == (guest, "Stranger")
        assert (await home.http.get(f"/api/people/{guest}")).status_code == 404

    serving(serve, settings(database, port), use)


def test_who_sits_already_cannot_sit_again_under_another_id(sqlite, port, serve):
    async def use(app):
        await member(port, "Ann")
        away, bob = await Person.arrive(port, "Stranger"), await Person.arrive(port, "Bob")
        table = await bob.set_table(seats=("open", "open", "me"))
        assert (await away.join(table, 0)).status_code == 200
        await log_in(away, "ann")
        refused = await away.join(table, 1)
        assert (refused.status_code, refused.json()["rule"]) == (409, "seated")

    serving(serve, settings(sqlite, port), use)


def test_a_wrong_password_and_an_unknown_log_in_get_the_same_answer(sqlite, port, serve):
    async def use(app):
        await member(port, "Ann")
        eve = await Person.arrive(port, "Eve")
        wrong, unknown = await log_in(eve, "Ann", "not the one"), await log_in(eve, "nobody", "not the one")
        assert (wrong.status_code, wrong.content) == (unknown.status_code, unknown.content)
        assert wrong.status_code == 403
        assert (await me(eve))["name"] == "Eve"

    serving(serve, settings(sqlite, port), use)


def test_an_unknown_log_in_takes_as_long_as_a_wrong_password(sqlite):
    async def median(store, login):
        times = []
        for _ in range(7):
            start = time.process_time()
            assert await check_login(store, login, "not the one") is None
            times.append(time.process_time() - start)
        return statistics.median(times)

    async def use():
        async with hosting(sqlite) as host:
            await become_member(host.store, await known(host.store, "Ann", "guest"), "ann", PASSWORD)
            await check_login(host.store, "warm up", "")
            ratio = await median(host.store, "nobody") / await median(host.store, "ann")
            assert 0.5 < ratio < 2

    run(use())


@pytest.mark.parametrize("password", ["short", "aaaaaaaaaaaa", "xx ann@example.org xx", "x" * 129])
def test_an_easy_password_is_refused(password):
    with pytest.raises(ValueError, match="password"):
        check_new_password(password, "ann@example.org", "Ann")


@pytest.mark.parametrize("login", ["a", "an n", "   ", "a\u202eb\u200bc"])
def test_what_is_no_log_in_is_refused(login):
    with pytest.raises(ValueError, match="log-in"):
        clean_login(login)


@pytest.mark.parametrize("login", ["", "a", "not one", "\x00\x00\x00", "a\u200bb"])
def test_what_cannot_be_a_log_in_is_nobodys_not_every_guests(database, login):
    async def use():
        async with hosting(database) as host:
            await known(host.store, "Ann", "guest")
            for password in ("", "None", PASSWORD):
                assert await check_login(host.store, login, password) is None

    run(use())


def test_a_new_password_ends_all_other_sessions(sqlite, port, serve):
    async def use(app):
        ann = await member(port, "Ann")
        phone = await Person.arrive(port, "Phone")
        await log_in(phone, "ann")
        wrong = await ann.http.post("/api/me/password", json={"old": "something else", "new": "three blue tiles"})
        assert (wrong.status_code, wrong.json()["rule"]) == (403, "password")
        easy = await ann.http.post("/api/me/password", json={"old": PASSWORD, "new": "short"})
        assert easy.status_code == 422
        done = await ann.http.post("/api/me/password", json={"old": PASSWORD, "new": "three blue tiles"})
        assert done.status_code == 200
        assert (await phone.http.get("/api/session")).status_code == 401
        assert (await ann.http.get("/api/session")).status_code == 200
        assert (await log_in(phone, "ann")).status_code == 403
        assert (await log_in(phone, "ann", "three blue tiles")).status_code == 200

    serving(serve, settings(sqlite, port), use)


def test_a_password_that_was_kept_by_weaker_means_is_kept_by_better_ones_after_a_log_in(sqlite):
    async def use():
        async with hosting(sqlite) as host:
            ann = await known(host.store, "Ann")
            weak = PasswordHasher(time_cost=1, memory_cost=1024).hash(PASSWORD)
            await host.store.run(update(people).where(people.c.id == ann.id).values(login="ann", password=weak))
            assert await check_login(host.store, "ann", PASSWORD) is not None
            (row,) = await host.store.run(select(people.c.password))
            assert "m=19456,t=2" in row["password"]
            assert await check_login(host.store, "ann", PASSWORD) is not None

    run(use())


# Passkeys


async def add_passkey(person, device):
    begun = (await person.http.post("/api/passkeys/new")).json()
    body = {"ceremony": begun["id"], "credential": device.make(begun["options"])}
    return body, await person.http.post("/api/passkeys", json=body)


async def sign_in(person, device):
    begun = (await person.http.post("/api/passkeys/login/new")).json()
    body = {"ceremony": begun["id"], "credential": device.sign(begun["options"])}
    return body, await person.http.post("/api/passkeys/login", json=body)


def test_a_passkey_makes_a_member_and_logs_in_elsewhere(database, port, serve):
    async def use(app):
        ann, bob = await Person.arrive(port, "Ann"), await Person.arrive(port, "Bob")
        device = Authenticator(f"http://127.0.0.1:{port}")
        body, added = await add_passkey(ann, device)
        assert added.status_code == 201, added.text
        assert added.json()["kind"] == "member"
        again = await ann.http.post("/api/passkeys", json=body)
        assert (again.status_code, again.json()["rule"]) == (409, "ceremony")
        away = await Person.arrive(port, "Stranger")
        game = await table_of_two(bob, away)
        body, entered = await sign_in(away, device)
        assert entered.status_code == 200, entered.text
        assert entered.json() == await me(ann)
        assert (await away.http.get(f"/api/games/{game}")).json()["seat"] == 1
        replayed = await bob.http.post("/api/passkeys/login", json=body)
        assert (replayed.status_code, replayed.json()["rule"]) == (403, "ceremony")

    serving(serve, settings(database, port), use)


def test_a_signature_that_is_not_right_does_not_log_in(sqlite, port, serve):
    async def use(app):
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
        assert (await me(eve))["kind"] == "guest"

    serving(serve, settings(sqlite, port), use)


def test_a_ceremony_is_short_and_for_one_person(sqlite, port, serve):
    async def use(app):
        ann, eve = await Person.arrive(port, "Ann"), await Person.arrive(port, "Eve")
        device = Authenticator(f"http://127.0.0.1:{port}")
        begun = (await ann.http.post("/api/passkeys/new")).json()
        body = {"ceremony": begun["id"], "credential": device.make(begun["options"])}
        stolen = await eve.http.post("/api/passkeys", json=body)
        assert (stolen.status_code, stolen.json()["rule"]) == (409, "ceremony")
        await app.state.host.store.run(update(challenges).values(ends=1.0))
        late = await ann.http.post("/api/passkeys", json=body)
        assert (late.status_code, late.json()["rule"]) == (409, "ceremony")

    serving(serve, settings(sqlite, port), use)


@pytest.mark.parametrize("letters", ["A", "AAAA", "AA", "_-_-" * 50])
def test_what_no_device_says_is_refused_not_an_error(sqlite, port, serve, letters):
    async def use(app):
        ann = await Person.arrive(port, "Ann")
        begun = (await ann.http.post("/api/passkeys/new")).json()
        response = {"clientDataJSON": letters, "attestationObject": letters}
        credential = {"id": letters, "rawId": letters, "type": "public-key", "response": response}
        body = {"ceremony": begun["id"], "credential": credential}
        assert (await ann.http.post("/api/passkeys", json=body)).status_code == 409
        begun = (await ann.http.post("/api/passkeys/login/new")).json()
        response = {"clientDataJSON": letters, "authenticatorData": letters, "signature": letters}
        body = {"ceremony": begun["id"], "credential": {**credential, "response": response}}
        assert (await ann.http.post("/api/passkeys/login", json=body)).status_code == 403

    serving(serve, settings(sqlite, port), use)


def test_the_last_way_to_log_in_cannot_be_removed(sqlite, port, serve):
    async def use(app):
        ann = await Person.arrive(port, "Ann")
        for _ in range(2):
            await add_passkey(ann, Authenticator(f"http://127.0.0.1:{port}"))
        keys = (await ann.http.get("/api/me/passkeys")).json()["passkeys"]
        assert len(keys) == 2
        assert (await ann.http.delete(f"/api/me/passkeys/{keys[0]['id']}")).status_code == 200
        assert (await ann.http.delete(f"/api/me/passkeys/{keys[1]['id']}")).status_code == 409
        made = await ann.http.post("/api/members", json={"login": "ann", "password": PASSWORD})
        assert made.status_code == 201
        assert (await ann.http.delete(f"/api/me/passkeys/{keys[1]['id']}")).status_code == 200

    serving(serve, settings(sqlite, port), use)


# Sessions, tokens, bots


def test_sessions_are_listed_and_ended(sqlite, port, serve):
    async def use(app):
        ann = await member(port, "Ann")
        phones = [await Person.arrive(port, f"Phone {n}") for n in range(3)]
        for phone in phones:
            await log_in(phone, "ann")
        held = (await ann.http.get("/api/me/sessions")).json()["sessions"]
        assert len(held) == 4
        assert [each["here"] for each in held].count(True) == 1
        first = next(
            each["id"] for each in (await phones[0].http.get("/api/me/sessions")).json()["sessions"] if each["here"]
        )
        assert (await ann.http.delete(f"/api/me/sessions/{first}")).status_code == 200
        assert (await ann.http.delete(f"/api/me/sessions/{first}")).status_code == 404
        assert (await phones[0].http.get("/api/session")).status_code == 401
        assert (await ann.http.delete("/api/me/sessions")).json() == {"done": 2}
        assert (await phones[1].http.get("/api/session")).status_code == 401
        cookie = ann.http.cookies["tessella"]
        assert (await ann.http.delete("/api/session")).json() == {"done": 1}
        assert (await ann.http.get("/api/session", headers=bearer(cookie))).status_code == 401

    serving(serve, settings(sqlite, port), use)


def test_a_token_plays_but_is_no_key_to_the_account(sqlite, port, serve):
    async def use(app):
        ann, bob = await member(port, "Ann"), await Person.arrive(port, "Bob")
        assert (await bob.http.post("/api/me/tokens", json={})).status_code == 403
        made = (await ann.http.post("/api/me/tokens", json={"label": "my script", "days": 7})).json()
        script = Person(port)
        script.http.headers = bearer(made["token"])
        assert await me(script) == await me(ann)
        game = await table_of_two(script, bob)
        assert (await ann.http.get(f"/api/games/{game}")).json()["seat"] == 0
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
            answer = await script.http.request(method, path, json=body)
            assert (answer.status_code, answer.json()["rule"]) == (403, "token"), path
        (listed,) = (await ann.http.get("/api/me/tokens")).json()["sessions"]
        assert (listed["id"], listed["label"], listed["here"]) == (made["id"], "my script", False)
        rows = await app.state.host.store.run(select(sessions))
        assert made["token"] not in str([dict(row) for row in rows])
        assert (await ann.http.delete(f"/api/me/tokens/{made['id']}")).status_code == 200
        assert (await script.http.get("/api/session")).status_code == 401

    serving(serve, settings(sqlite, port), use)


async def play_as_a_bot(bot, game):
    """What a program does that knows nothing but the documentation."""
    while (shown := (await bot.http.get(f"/api/games/{game}")).json())["status"] != "over":
        for table in (await bot.http.get("/api/bot/turns")).json()["tables"]:
            assert table["id"] == game
            answer = await act(bot, game, request_at(table))
            assert answer.status_code in (200, 409), answer.text
    return shown


def request_at(table):
    seat, number = table["seat"], bytes([7]) * 32
    if table["status"] == "playing":
        return {"type": "play", "number": table["number"], "move": table["moves"][0]}
    if table["seats"][seat]["pledged"]:
        return {"type": "reveal", "number": number.hex()}
    return {"type": "pledge", "pledge": dice.pledge(table["id"], seat, number).hex()}


@pytest.mark.parametrize("title", ["azul", "duel"])
def test_a_bot_account_pulls_its_turns_and_plays_a_whole_game_over_http(sqlite, port, serve, title):
    async def use(app):
        app.state.limits = Limits(changes=Buckets(10_000, 1_000))
        ann = await member(port, "Ann")
        made = (await ann.http.post("/api/me/bots", json={"name": "Deep Tile"})).json()
        assert made["name"] == "Deep Tile (bot)"
        bot = Person(port)
        bot.http.headers = bearer(made["token"])
        assert (await me(bot))["kind"] == "bot"
        table = await ann.set_table(title, seats=("open", "random"))
        assert (await bot.join(table)).status_code == 200
        over = await play_as_a_bot(bot, table["id"])
        assert over["seats"][0]["name"] == "Deep Tile (bot)"
        text = (await bot.http.get(f"/api/games/{table['id']}/record")).json()["record"]
        assert record.verify(GAMES[title], record.read(text)) > 0

    serving(serve, settings(sqlite, port, bots=1), use)


def test_bot_accounts_belong_to_their_member(sqlite, port, serve):
    async def use(app):
        ann, eve = await member(port, "Ann"), await member(port, "Eve")
        made = (await ann.http.post("/api/me/bots", json={"name": "Deep Tile"})).json()
        path = f"/api/me/bots/{made['id']}"
        assert (await eve.http.delete(path)).status_code == 404
        assert (await eve.http.post(f"{path}/token")).status_code == 404
        fresh = (await ann.http.post(f"{path}/token")).json()
        bot = Person(port)
        bot.http.headers = bearer(made["token"])
        assert (await bot.http.get("/api/session")).status_code == 401
        bot.http.headers = bearer(fresh["token"])
        assert (await bot.http.get("/api/session")).status_code == 200
        assert (await bot.http.post("/api/me/bots", json={"name": "My own"})).status_code == 403
        assert [each["id"] for each in (await ann.http.get("/api/me/bots")).json()["bots"]] == [made["id"]]
        assert (await ann.http.delete(path)).status_code == 200
        assert (await bot.http.get("/api/session")).status_code == 401
        assert (await ann.http.get("/api/me/bots")).json()["bots"] == []

    serving(serve, settings(sqlite, port), use)


ODD = "a\0b"
NOBODYS_KEY = {"clientDataJSON": "AA", "authenticatorData": "AA", "signature": "AA"}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/people/%00", None),
        ("GET", "/api/games/%00", None),
        ("GET", "/api/leaderboard/%00/2", None),
        ("GET", "/api/ladder/%00/2", None),
        ("DELETE", "/api/me/sessions/%00", None),
        ("DELETE", "/api/me/bots/%00", None),
        ("DELETE", "/api/me/passkeys/%00", None),
        ("POST", "/api/me/tokens", {"label": ODD}),
        ("POST", "/api/pairing", {"title": ODD}),
        ("POST", "/api/login", {"login": ODD, "password": ODD}),
        ("POST", "/api/members", {"login": ODD, "password": PASSWORD}),
        (
            "POST",
            "/api/passkeys/login",
            {"ceremony": ODD, "credential": {"id": "A", "rawId": "A", "type": "public-key", "response": NOBODYS_KEY}},
        ),
    ],
)
def test_a_null_byte_is_refused_before_the_database_chokes_on_it(postgres, port, serve, method, path, body):
    async def use(app):
        ann = await Person.arrive(port, "Ann")
        await app.state.host.store.run(update(people).values(kind="member"))
        assert 400 <= (await ann.http.request(method, path, json=body)).status_code < 500

    serving(serve, settings(postgres, port), use)


# Privacy


def everything_in(path):
    """All that is in a SQLite database, as text."""
    connection = sqlite3.connect(path)
    text = "\n".join(connection.iterdump())
    connection.close()
    return text


def test_everything_that_is_stored_can_be_seen(sqlite, port, serve):
    async def use(app):
        ann, bob = await member(port, "Ann", "ann@example.org"), await Person.arrive(port, "Bob")
        game, left = await table_of_two(ann, bob), (await ann.set_table())["id"]
        assert (await act(ann, left, {"type": "command", "action": "leave"})).status_code == 200
        await ann.http.post("/api/me/tokens", json={"label": "script"})
        await ann.http.post("/api/pairing", json={"title": "azul", "seats": 3, "pace": "days"})
        await add_passkey(ann, Authenticator(f"http://127.0.0.1:{port}"))
        bot = (await ann.http.post("/api/me/bots", json={"name": "Deep Tile"})).json()
        kept = (await ann.http.get("/api/me/data")).json()
        assert (kept["name"], kept["login"], kept["kind"]) == ("Ann", "ann@example.org", "member")
        assert kept["has_password"] is True
        assert sorted(each["kind"] for each in kept["credentials"]) == ["cookie", "passkey", "token"]
        assert [(each["game"], each["seat"], each["title"]) for each in kept["seats"]] == [(game, 0, "azul")]
        assert (kept["left"], kept["bots"]) == ([left], [bot["id"]])
        assert [(each["title"], each["seats"], each["pace"]) for each in kept["waiting"]] == [("azul", 3, "days")]
        assert PASSWORD not in json.dumps(kept)
        assert "argon2" not in json.dumps(kept)
        assert (await bob.http.get("/api/me/data")).json()["login"] is None

    serving(serve, settings(sqlite, port), use)


def test_who_leaves_for_good_is_forgotten_and_the_games_stay(sqlite, port, serve):
    async def use(app):
        host = app.state.host
        ann, bob = await member(port, "Annabelline", "ann@example.org"), await Person.arrive(port, "Bob")
        away = await Person.arrive(port, "Stranger Annabelline")
        over, running = await table_of_two(ann, bob), await table_of_two(bob, away)
        await log_in(away, "ann@example.org")
        left = (await ann.set_table())["id"]
        await act(ann, left, {"type": "command", "action": "leave"})
        for game in (over, running):
            assert (await act(bob, game, {"type": "command", "action": "start"})).status_code == 200
        assert (await act(bob, over, {"type": "command", "action": "resign"})).status_code == 200
        await ann.http.post("/api/me/bots", json={"name": "Annabelline's"})
        await ann.http.post("/api/pairing", json={"title": "azul"})
        shown = (await bob.http.get(f"/api/games/{over}/record")).json()["record"]
        assert "Annabelline" in shown
        assert (await ann.http.delete("/api/me")).status_code == 200
        for person in (ann, away):
            assert (await person.http.get("/api/session")).status_code == 401
        assert (await log_in(ann, "ann@example.org")).status_code == 403
        after = (await bob.http.get(f"/api/games/{over}/record")).json()["record"]
        assert after == shown.replace("Annabelline", "deleted")
        table = (await bob.http.get(f"/api/games/{running}")).json()
        assert (table["seats"][1]["name"], table["seats"][1]["left"]) == ("deleted", True)
        assert table["status"] == "playing"
        host.rooms.clear()
        read_again = (await bob.http.get(f"/api/games/{running}")).json()
        for seat in (*table["seats"], *read_again["seats"]):
            del seat["away"]  # the seconds since, which pass meanwhile
        assert read_again["seats"] == table["seats"]
        assert len((await bob.http.get("/api/me/games")).json()["games"]) == 2

    serving(serve, settings(sqlite, port), use)
    text = everything_in(sqlite.removeprefix("sqlite:"))
    assert "Annabelline" not in text
    assert "ann@example.org" not in text
    assert "deleted" in text


def test_a_deleted_person_has_no_profile_and_no_seat(sqlite, port, serve):
    async def use(app):
        ann, bob = await member(port, "Ann"), await member(port, "Bob", "bobs-secret-login")
        game, bobs_id = await table_of_two(ann, bob), (await me(bob))["id"]
        profile = await ann.http.get(f"/api/people/{bobs_id}")
        assert profile.json()["name"] == "Bob"
        assert "secret" not in profile.text
        await bob.http.delete("/api/me")
        assert (await ann.http.get(f"/api/people/{bobs_id}")).status_code == 404
        assert (await ann.http.get(f"/api/games/{game}")).json()["seats"][1]["name"] == ""

    serving(serve, settings(sqlite, port), use)


def test_logins_and_denied_requests_are_logged_without_names(sqlite, port, serve, caplog):
    async def use(app):
        ann = await member(port, "Ann")
        await log_in(ann, "ann", "not the password")
        await log_in(ann, "ann")
        await (await Person.arrive(port, "Eve")).http.get("/api/me/tokens")

    with caplog.at_level("INFO", "tessella"):
        serving(serve, settings(sqlite, port), use)
    told = [(record.msg, vars(record).get("rule")) for record in caplog.records]
    assert ("logged in", "password") in told
    assert ("request denied", "login") in told
    assert ("request denied", "member") in told
    assert not any(
        "ann" in record.getMessage().casefold() for record in caplog.records if record.name.startswith("tessella")
    )


# A server without what accounts need


def test_without_the_extra_everybody_is_a_guest_and_is_told_so(tmp_path, sqlite, port):
    for library in ("argon2", "webauthn", "cryptography"):
        (tmp_path / f"{library}.py").write_text(f"raise ModuleNotFoundError(name={library!r})")

    async def use():
        ann, bob = await Person.arrive(port, "Ann"), await Person.arrive(port, "Bob")
        assert await table_of_two(ann, bob)
        refused = [
            await ann.http.post("/api/members", json={"login": "ann@example.org", "password": PASSWORD}),
            await log_in(bob, "ann@example.org"),
            await ann.http.get("/api/push"),
            await ann.http.post("/api/passkeys/new", json={}),
            await ann.http.post("/api/passkeys/login/new", json={}),
        ]
        for answer in refused:
            assert answer.status_code == 501
            assert answer.json()["rule"] == "accounts"
            assert "tessella[accounts]" in answer.json()["message"]
        assert (await ann.http.get("/api/members")).json()["methods"] == []
        assert (await ann.http.get("/api/me/data")).status_code == 200
        await Person.all_go_home()

    path = os.pathsep.join([str(tmp_path), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]).rstrip(os.pathsep)
    command = ("serve", "--database", sqlite, "--port", str(port))
    with running(tmp_path / "log", *command, PYTHONPATH=path) as process:
        wait_until_ready(port, process)
        asyncio.run(asyncio.wait_for(use(), 60))
