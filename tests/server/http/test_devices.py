"""Wrong passwords slow down who sends them, never a browser that has logged in before."""

import pytest
from argon2 import PasswordHasher

from proofs.in_process_server import Call, body_of, headers_of, serve_in_process, status_of
from tessella.server.http.rate_limits import Limits
from tessella.server.people import accounts
from tessella.server.people.devices import Device
from tests.server.helpers import PASSWORD

WRONG = "not the password"


@pytest.fixture(autouse=True)
def _cheap_hashes(monkeypatch):
    """Hundreds of passwords are checked here; what a good hash costs is no part of it."""
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    dummy = hasher.hash(WRONG + PASSWORD)
    monkeypatch.setattr(accounts, "_hasher", lambda: hasher)
    monkeypatch.setattr(accounts, "_dummy_hash", lambda: dummy)


@pytest.fixture
def server():
    return serve_in_process()


async def join(server, name):
    """A member, and the cookies of the browser in which they became one."""
    arrived = cookies(await server.ask(Call("POST", "/api/session", {"name": name})))
    body = {"login": name, "password": PASSWORD}
    return arrived | cookies(await server.ask(Call("POST", "/api/members", body, headers=carrying(arrived))))


def cookies(answers):
    start = next(message for message in answers if message["type"] == "http.response.start")
    found = [value.decode().partition(";")[0] for name, value in start["headers"] if name == b"set-cookie"]
    return dict(cookie.split("=", 1) for cookie in found)


def carrying(jar):
    return (("cookie", "; ".join(f"{name}={value}" for name, value in jar.items())),)


def log_in(login, password, address, jar=None):
    return Call(
        "POST", "/api/login", {"login": login, "password": password}, headers=carrying(jar or {}), address=address
    )


async def test_a_log_in_is_one_however_it_is_spelt(server):
    await join(server, "ann")
    spellings = ["ann", "ANN ", " Ann", "\uff41nn", "a\uff4en", "an\uff4e", "\uff41\uff4en", "\uff21NN"]
    calls = [log_in(spelling, WRONG, "198.51.100.1") for spelling in spellings * 4]
    statuses = [status_of(await server.ask(call)) for call in calls]
    assert statuses.count(403) <= 12


async def test_a_browser_that_was_here_before_may_not_guess_without_end_either(server):
    jar = await join(server, "ann")
    statuses = [status_of(await server.ask(log_in("ann", WRONG, f"192.0.2.{n}", jar))) for n in range(15)]
    assert statuses == [403] * 10 + [429] * 5
    assert status_of(await server.ask(log_in("ann", PASSWORD, "192.0.2.1"))) == 200, "others are not refused for it"


def test_the_proof_of_one_account_or_browser_is_worth_nothing_for_another():
    key = b"k" * 32
    device = Device().remember(key, "ann")
    assert Device.read(device.write()) == device
    assert device.knows(key, "ann")
    assert not device.knows(key, "bob")
    assert not device.knows(b"x" * 32, "ann")
    other = Device().remember(key, "bob")
    assert not Device(other.name, device.proofs).knows(key, "ann")
    assert not Device(device.name).knows(key, "ann")
    assert not Device().knows(key, "")


def test_a_browser_knows_the_last_few_who_logged_in_there():
    key, device = b"k" * 32, Device()
    for person in ("ann", "bob", "ann", "cleo", "dan", "eve", "finn"):
        device = device.remember(key, person)
    known = [person for person in ("ann", "bob", "cleo", "dan", "eve", "finn") if device.knows(key, person)]
    assert known == ["ann", "cleo", "dan", "eve", "finn"]
    assert Device.read(device.write()) == device
    for strange in ("", "x", "." * 30, "a" * 16, "a" * 16 + ".b", "a" * 999, "é" * 16 + "." + "b" * 22):
        assert Device.read(strange) == Device()


async def test_an_unknown_log_in_is_slowed_down_like_a_known_one(server):
    await join(server, "ann")
    answers = {}
    for login in ("ann", "nobody"):
        server.app.state.limits = Limits()
        calls = [log_in(login, WRONG, f"198.51.100.{address}") for _ in range(3) for address in range(40)]
        told = [await server.ask(call) for call in calls]
        answers[login] = [(status_of(each), body_of(each), "set-cookie" in headers_of(each)) for each in told]
    assert answers["ann"] == answers["nobody"]
    assert [status for status, *_ in answers["ann"]] == [403] * 100 + [429] * 20


async def test_the_cookie_of_a_browser_names_nobody_and_is_for_us_alone(server):
    jar = await join(server, "ann")
    assert set(jar) == {"tessella", "tessella-device"}
    start, *_ = await server.ask(log_in("ann", PASSWORD, "192.0.2.1", jar))
    (cookie,) = [value.decode() for name, value in start["headers"] if name == b"set-cookie" and b"device" in value]
    value, *attributes = cookie.partition("=")[2].split("; ")
    assert {"HttpOnly", "SameSite=lax", "Path=/", "Max-Age=31536000"} <= {*attributes}
    assert "ann" not in value
    assert value == jar["tessella-device"], "the same browser, the same name"
