"""Channels by HTTP: who may have one, what is shown of it, what is refused, and that none outlives its owner."""

import pytest
from sqlalchemy import select

from tessella.server.settings import Settings
from tessella.server.store.schema import channels, news
from tests.server.clients import Person, refusal
from tests.server.helpers import member

SITE = "https://play.example.org"
HOOK = {"kind": "discord", "url": "https://discord.com/api/webhooks/1/very-secret"}


@pytest.fixture
def settings(database, port):
    mail, sender = "smtp+plain://127.0.0.1:1", "news@play.example.org"
    return Settings(database=database, port=port, bots=0, site=SITE, mail=mail, mail_from=sender)


async def hook(person, **more):
    return await person.http.post("/api/me/channels/hooks", json=HOOK | more)


async def email(person, address="a@example.org"):
    return await person.http.post("/api/me/channels/email", json={"address": address})


async def test_only_members_have_addresses_and_hooks(app, port):
    guest, ann = await Person.arrive(port, "Guest"), await member(port, "Ann")
    for add in (hook, email):
        assert refusal(await add(guest)) == (403, "member")
    program = Person.program(port, (await ann.http.post("/api/me/tokens", json={"label": "x"})).json()["token"])
    assert refusal(await hook(program)) == (403, "token")


async def test_of_a_hook_only_the_host_is_shown_and_others_see_nothing(app, port):
    ann, bob = await member(port, "Ann"), await member(port, "Bob")
    made = (await hook(ann)).json()
    assert made["secret"] == ""
    seen = (await ann.http.get("/api/me/channels")).text
    assert "discord.com" in seen
    assert "very-secret" not in seen
    assert (await bob.get("/api/me/channels"))["channels"] == []
    for method, path, body in (("POST", "", {"turns": False}), ("POST", "/test", None), ("DELETE", "", None)):
        answer = await bob.http.request(method, f"/api/me/channels/{made['id']}{path}", json=body)
        assert refusal(answer) == (404, "channel")
    assert len(await app.state.host.store.run(select(channels))) == 1
    kept = (await ann.get("/api/me/data"))["channels"]
    assert [each["address"] for each in kept] == [HOOK["url"]]


FORBIDDEN: list[dict[str, str]] = [
    {"url": "http://example.org/plain"},
    {"url": "https://127.0.0.1/inside"},
    {"url": "https://localhost/inside"},
    {"url": "https://[::1]/inside"},
    {"url": "https://example.org:8443/port"},
    {"url": "https://user@example.org/"},
    {"url": "file:///etc/passwd"},
    {"kind": "telegram"},
    {"kind": "matrix", "url": "https://matrix.org"},
    {"kind": "matrix", "url": "https://matrix.org", "room": "#alias:matrix.org", "token": "t"},
    {"token": "two\r\nlines"},
    {"token": "one-line\n"},
]


async def test_a_hook_that_may_not_be_called_is_refused(app, port):
    ann = await member(port, "Ann")
    for wrong in FORBIDDEN:
        assert (await hook(ann, **wrong)).status_code == 422, wrong


async def test_an_origin_that_the_host_allows_may_be_called(serve, sqlite, port):
    allowed = Settings(database=sqlite, port=port, bots=0, webhook_hosts="https://a.lan,http://ntfy.lan:8080")
    async with serve(allowed):
        ann = await member(port, "Ann")
        assert (await hook(ann, kind="ntfy", url="http://ntfy.lan:8080/turns")).status_code == 201
        assert (await hook(ann, kind="ntfy", url="http://ntfy.lan:8081/turns")).status_code == 422
        assert not (await ann.get("/api/me/channels"))["has_mail"]
        assert refusal(await email(ann)) == (501, "mail")


async def test_an_address_is_not_flooded_with_requests_to_confirm_it(app, port):
    crowd = [await member(port, f"Ann{number}") for number in range(6)]
    same = [await email(person, "Victim@example.org") for person in crowd[:5]]
    assert [answer.status_code for answer in same] == [201, 201, 201, 429, 429]
    many = [await email(crowd[5], f"a{n}@x.org") for n in range(4)]
    assert [answer.status_code for answer in many] == [201, 201, 201, 429]


async def test_a_test_is_sent_a_few_times_and_no_more(app, port):
    ann = await member(port, "Ann")
    made = (await hook(ann)).json()
    path = f"/api/me/channels/{made['id']}/test"
    statuses = [(await ann.http.post(path)).status_code for _ in range(7)]
    assert statuses == [200] * 5 + [429] * 2


async def test_preferences_are_kept_and_checked(app, port):
    ann = await member(port, "Ann")
    made = (await hook(ann, kind="json")).json()
    assert made["secret"].startswith("whsec_")
    path = f"/api/me/channels/{made['id']}"
    quiet = {"begins": 1_320, "ends": 420, "zone": "Europe/Brussels"}
    body = {"turns": False, "reminder_hours": 6, "digest_minutes": 60, "quiet": quiet, "language": "fr"}
    assert (await ann.http.post(path, json=body)).json() == {"done": 1}
    (view,) = (await ann.get("/api/me/channels"))["channels"]
    assert {name: view[name] for name in body} == body
    for wrong in (
        {"quiet": quiet | {"zone": "Mars/Olympus"}},
        {"quiet": quiet | {"begins": 1_440}},
        {"reminder_hours": 100},
        {"digest_minutes": -1},
        {"more": 1},
    ):
        assert (await ann.http.post(path, json=body | wrong)).status_code == 422


async def test_who_has_enough_channels_gets_no_more_and_loses_them_all_when_deleted(app, port):
    ann = await member(port, "Ann")
    made = [await hook(ann, url=f"https://hooks.example.org/{number}") for number in range(11)]
    assert [answer.status_code for answer in made] == [201] * 10 + [409]
    await ann.http.post(f"/api/me/channels/{made[0].json()['id']}/test")
    assert (await ann.http.delete(f"/api/me/channels/{made[1].json()['id']}")).json() == {"done": 1}
    await ann.http.delete("/api/me")
    for table in (channels, news):
        assert await app.state.host.store.run(select(table)) == []
