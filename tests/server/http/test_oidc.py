"""Log-in by an account elsewhere: whole log-ins against a provider on loopback, and everything that must be refused."""

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc.jwk import RSAKey
from msgspec.structs import replace
from sqlalchemy import select

from tessella.server.people.host_links import add_link
from tessella.server.services import moderation
from tessella.server.services.oidc import LARGEST_ANSWER_BYTES
from tessella.server.settings import BadSetting, Settings, read
from tessella.server.store.schema import identities
from tests.server.clients import Person
from tests.server.conftest import free_port
from tests.server.helpers import serving
from tests.server.provider import CLIENT, SECRET, OpenIdProvider


def with_provider(serve, database, port, use, **settings):
    """Run `use(app, provider)` with a server and a provider."""
    provider = OpenIdProvider(free_port())

    async def both(app):
        async with provider.serving():
            await use(app, provider)

    plain = Settings(database=database, port=port, bots=0, oidc_button="Club card", **settings)
    serving(serve, replace(plain, oidc_issuer=provider.issuer, oidc_client=CLIENT, oidc_secret=SECRET), both)


async def callback_of(person, query=""):
    """Begin a log-in, let the provider vouch, and return the address to which it sends the browser back."""
    begun = await person.http.get(f"/api/oidc/login{query}")
    assert begun.status_code == 303, begun.text
    return (await person.http.get(begun.headers["location"])).headers["location"]


async def log_in(person, query=""):
    """Log in, and return where the browser lands."""
    return (await person.http.get(await callback_of(person, query))).headers["location"]


async def me(person):
    answer = await person.http.get("/api/session")
    return answer.json() if answer.status_code == 200 else None


def test_a_whole_log_in_makes_a_member_and_the_next_one_finds_them(database, port, serve):
    async def use(app, provider):
        ann = Person(port)
        assert (await ann.http.get("/api/members")).json()["elsewhere"] == "Club card"
        assert await log_in(ann) == "/account"
        first = await me(ann)
        assert (first["name"], first["kind"]) == ("Ann", "member")
        again = Person(port)
        assert await log_in(again) == "/account"
        assert (await me(again))["id"] == first["id"]
        provider.subject, provider.name = "other", "Admin"
        guest = await Person.arrive(port, "Bert")
        table, before = await guest.set_table(), (await me(guest))["id"]
        assert await log_in(guest) == "/account"
        assert await me(guest) | {"moderator": False} == {
            "id": before,
            "name": "Bert",
            "kind": "member",
            "moderator": False,
        }
        assert [game["id"] for game in (await guest.http.get("/api/me/games")).json()["games"]] == [table["id"]]
        kept = (await guest.http.get("/api/me/data")).json()["identities"]
        assert [(each["issuer"], each["subject"]) for each in kept] == [(provider.issuer, "other")]
        provider.subject = "third"
        third = Person(port)
        await log_in(third)
        assert (await me(third))["name"] == "Player", "a reserved name from elsewhere is not taken over"
        rows = await app.state.host.store.run(select(identities.c.subject).order_by(identities.c.subject))
        assert [row["subject"] for row in rows] == ["ann-7", "other", "third"]

    with_provider(serve, database, port, use)


def test_an_e_mail_address_links_nothing(sqlite, port, serve):
    async def use(_app, provider):
        ann, other = Person(port), Person(port)
        provider.lies = {"email": "ann@example.org", "email_verified": True}
        await log_in(ann)
        provider.subject = "somebody else"
        await log_in(other)
        assert (await me(ann))["id"] != (await me(other))["id"]

    with_provider(serve, sqlite, port, use)


LIES = {
    "nonce": {"nonce": "another one"},
    "expired": {"exp": int(time.time()) - 600},
    "audience": {"aud": "somebody-else"},
    "audiences": {"aud": [CLIENT, "somebody-else"], "azp": "somebody-else"},
    "issuer": {"iss": "https://evil.example"},
    "no subject": {"sub": None},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_token_that_is_not_for_this_log_in_is_refused(sqlite, port, serve, lie):
    async def use(_app, provider):
        provider.lies = LIES[lie]
        person = Person(port)
        assert await log_in(person) == "/account?refused=token"
        assert await me(person) is None

    with_provider(serve, sqlite, port, use)


def test_a_token_with_another_signature_is_refused(sqlite, port, serve):
    async def use(_app, provider):
        provider.key = RSAKey.generate_key(2048, {"kid": "one"})
        person = Person(port)
        assert await log_in(person) == "/account?refused=token"
        assert await me(person) is None

    with_provider(serve, sqlite, port, use)


def test_a_wrong_state_and_a_code_that_was_used_are_refused(database, port, serve):
    async def use(_app, provider):
        ann, eve = Person(port), Person(port)
        callback = await callback_of(ann)
        code, state = (parse_qs(urlsplit(callback).query)[name][0] for name in ("code", "state"))
        path = urlsplit(callback).path
        for query in (f"?code={code}&state=wrong", f"?code={code}", f"?state={state}", ""):
            assert (await ann.http.get(path + query)).headers["location"] == "/account?refused=state"
        await callback_of(eve)
        stolen = (await eve.http.get(callback)).headers["location"]
        assert stolen == "/account?refused=state", "another browser cannot finish it"
        assert (await ann.http.get(callback)).headers["location"] == "/account"
        ann.http.cookies.set("tessella-oidc", state)
        assert (await ann.http.get(callback)).headers["location"] == "/account?refused=state", "the state is used"
        fresh = parse_qs(urlsplit(await callback_of(eve)).query)["state"][0]
        replayed = await eve.http.get(f"{path}?code={code}&state={fresh}")
        assert replayed.headers["location"] == "/account?refused=issuer", "the code is used"
        assert await me(eve) is None

    with_provider(serve, database, port, use)


def test_the_rules_of_the_house_and_bans_hold_here_too(database, port, serve):
    async def closed(_app, _provider):
        person = Person(port)
        assert await log_in(person) == "/account?refused=registration"
        assert await me(person) is None

    async def invited(app, provider):
        person, store = Person(port), app.state.host.store
        assert await log_in(person) == "/account?refused=invitation"
        secret = (await add_link(store, "invitation", 1.0)).rpartition("/")[2]
        assert await log_in(person, f"?invitation={secret}") == "/account"
        provider.subject = "other"
        assert await log_in(Person(port), f"?invitation={secret}") == "/account?refused=invitation"
        provider.subject = "ann-7"
        about = await moderation.subject(store, (await me(person))["id"], moderation.HOST)
        await moderation.ban(app.state.host, about)
        assert await log_in(Person(port)) == "/account?refused=banned"

    with_provider(serve, database, port, closed, registration="closed")
    with_provider(serve, database, port, invited, registration="invitation")


def test_an_issuer_that_is_away_or_says_too_much_is_refused_in_time(sqlite, port, serve):
    async def use(_app, provider):
        provider.bulk = LARGEST_ANSWER_BYTES
        assert await log_in(Person(port)) == "/account?refused=issuer"

    async def nobody(_app):
        answer = await Person(port).http.get("/api/oidc/login")
        assert answer.headers["location"] == "/account?refused=issuer"

    with_provider(serve, sqlite, port, use)
    plain = Settings(database=sqlite, port=port, bots=0)
    away = f"http://127.0.0.1:{free_port()}"
    serving(serve, replace(plain, oidc_issuer=away, oidc_client=CLIENT, oidc_secret=SECRET), nobody)
    serving(serve, plain, nobody)


def test_an_issuer_needs_a_client_and_a_secret():
    with pytest.raises(BadSetting, match="oidc_client"):
        read("serve", {"oidc_issuer": "https://id.example.org"}, {})
