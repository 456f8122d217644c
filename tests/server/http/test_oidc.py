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
from tessella.server.settings import Settings
from tessella.server.store.schema import identities
from tests.server.clients import Person
from tests.server.conftest import free_port
from tests.server.provider import CLIENT, SECRET, OpenIdProvider


@pytest.fixture
def provider():
    return OpenIdProvider(free_port())


@pytest.fixture
def settings(database, port, provider):
    theirs = {"oidc_issuer": provider.issuer, "oidc_client": CLIENT, "oidc_secret": SECRET}
    return Settings(database=database, port=port, bots=0, oidc_button="Club card", **theirs)


async def callback_of(person, query=""):
    """Begin a log-in, let the provider vouch, and return the address to which it sends the browser back."""
    begun = await person.http.get(f"/api/oidc/login{query}")
    assert begun.status_code == 303, begun.text
    return (await person.http.get(begun.headers["location"])).headers["location"]


async def log_in(person, query=""):
    """Log in, and return where the browser lands."""
    return (await person.http.get(await callback_of(person, query))).headers["location"]


async def is_nobody(person):
    return (await person.http.get("/api/session")).status_code == 401


async def test_a_whole_log_in_makes_a_member_and_the_next_one_finds_them(app, provider, port):
    ann, again, third = [Person(port) for _ in range(3)]
    assert (await ann.get("/api/members"))["elsewhere"] == "Club card"
    for person in (ann, again):
        assert await log_in(person) == "/account"
    assert await ann.me() == await again.me()
    assert ((await ann.me())["name"], (await ann.me())["kind"]) == ("Ann", "member")
    provider.subject, provider.name = "other", "Admin"
    guest = await Person.arrive(port, "Bert")
    table, before = await guest.set_table(), await guest.me()
    assert await log_in(guest) == "/account"
    assert await guest.me() == before | {"kind": "member"}
    assert [game["id"] for game in (await guest.get("/api/me/games"))["games"]] == [table["id"]]
    kept = (await guest.get("/api/me/data"))["identities"]
    assert [(each["issuer"], each["subject"]) for each in kept] == [(provider.issuer, "other")]
    provider.subject = "third"
    await log_in(third)
    assert (await third.me())["name"] == "Player", "a reserved name from elsewhere is not taken over"
    rows = await app.state.host.store.run(select(identities.c.subject).order_by(identities.c.subject))
    assert [row["subject"] for row in rows] == ["ann-7", "other", "third"]


async def test_an_e_mail_address_links_nothing(app, provider, port):
    ann, other = Person(port), Person(port)
    provider.lies = {"email": "ann@example.org", "email_verified": True}
    await log_in(ann)
    provider.subject = "somebody else"
    await log_in(other)
    assert await ann.id() != await other.id()


LIES: list[dict[str, object]] = [
    {"nonce": "another one"},
    {"exp": int(time.time()) - 600},
    {"aud": "somebody-else"},
    {"aud": [CLIENT, "somebody-else"], "azp": "somebody-else"},
    {"iss": "https://evil.example"},
    {"sub": None},
]


async def test_a_token_that_is_not_for_this_log_in_is_refused(app, provider, port):
    person = Person(port)
    for lies in LIES:
        provider.lies = lies
        assert await log_in(person) == "/account?refused=token", lies
    provider.lies, provider.key = {}, RSAKey.generate_key(2048, {"kid": "one"})
    assert await log_in(person) == "/account?refused=token", "another signature"
    assert await is_nobody(person)
    provider.key = provider.published
    assert await log_in(person) == "/account"


async def test_a_wrong_state_and_a_code_that_was_used_are_refused(app, provider, port):
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
    assert await is_nobody(eve)


async def test_the_rules_of_the_house_and_bans_hold_here_too(serve, settings, provider, port):
    async with serve(replace(settings, registration="closed")):
        person = Person(port)
        assert await log_in(person) == "/account?refused=registration"
        assert await is_nobody(person)
    async with serve(replace(settings, registration="invitation")) as app:
        person, store = Person(port), app.state.host.store
        assert await log_in(person) == "/account?refused=invitation"
        secret = (await add_link(store, "invitation", 1.0)).rpartition("/")[2]
        assert await log_in(person, f"?invitation={secret}") == "/account"
        provider.subject = "other"
        assert await log_in(Person(port), f"?invitation={secret}") == "/account?refused=invitation"
        provider.subject = "ann-7"
        about = await moderation.subject(store, await person.id(), moderation.HOST)
        await moderation.ban(app.state.host, about)
        assert await log_in(Person(port)) == "/account?refused=banned"


async def test_an_issuer_that_is_away_or_says_too_much_is_refused_in_time(serve, settings, provider, port):
    async with serve(settings):
        provider.bulk = LARGEST_ANSWER_BYTES
        assert await log_in(Person(port)) == "/account?refused=issuer"
    for issuer in (f"http://127.0.0.1:{free_port()}", ""):
        async with serve(replace(settings, oidc_issuer=issuer)):
            answer = await Person(port).http.get("/api/oidc/login")
            assert answer.headers["location"] == "/account?refused=issuer"
