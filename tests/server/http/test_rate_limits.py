"""Not too much at once: floods and guesses are refused, in bounded memory."""

import asyncio
import time
import tracemalloc

import pytest
import websockets

from tessella.server.addresses import is_local, subnet_of
from tessella.server.http import middleware
from tessella.server.http import rate_limits as limits_module
from tessella.server.http.rate_limits import Buckets, Limits
from tests.server.clients import Person, hear, say
from tests.server.helpers import member, stop_the_clock
from tests.server.waiting import until


def test_a_bucket_gives_what_it_holds_and_fills_again_but_not_when_its_clock_goes_back():
    buckets = Buckets(burst=3, per_second=2)
    assert [buckets.take("ann", 100.0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.take("bob", 100.0) == 0
    assert buckets.take("ann", 100.5) == 0
    assert buckets.take("ann", 100.5) > 0
    assert [buckets.take("ann", 1_000.0) > 0 for _ in range(5)] == [False, False, False, True, True]
    for _ in range(100):
        buckets.refund("bob")
        assert buckets.take("bob", 1_000.0) == 0
    buckets.refund("nobody")
    assert len(buckets) == 2
    assert [buckets.take("ann", at) > 0 for at in (0.0, 0.25)] == [True, True]


def test_fifty_thousand_addresses_cost_no_more_memory_than_the_bound():
    tracemalloc.start()
    buckets = Buckets(burst=3, per_second=1, most=1_000)
    for number in range(50_000):
        buckets.take(f"address {number}", number / 1_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(buckets) == 1_000
    assert peak < 2_000_000


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2:3::4", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::4", "2001:db8:1:3::4", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("testclient", "testclient", True),
    ],
)
def test_an_address_stands_for_a_household(one, other, same):
    assert (subnet_of(one) == subnet_of(other)) is same


def test_this_machine_has_no_limit_per_address():
    assert is_local("127.0.0.1")
    assert is_local("::1")
    assert is_local("")
    assert not is_local("192.0.2.1")
    limits = Limits(changes_per_address=Buckets(1, 0.1))
    assert [limits.wait_for_change("", "127.0.0.1", 0.0) for _ in range(3)] == [0, 0, 0]
    assert [limits.wait_for_change("", "192.0.2.1", 0.0) > 0 for _ in range(3)] == [False, True, True]


async def test_guesses_of_an_invitation_are_refused_after_a_few(app, port):
    stop_the_clock(app)
    app.state.limits = Limits(changes=Buckets(1_000, 1), guesses=Buckets(5, 1 / 60))
    ann, eve = await Person.arrive(port, "Ann"), await Person.arrive(port, "Eve")
    table = await ann.set_table()
    path = f"/api/games/{table['id']}/join"
    answers = [await eve.http.post(path, json={"secret": f"guess-{n}"}) for n in range(60)]
    assert [answer.status_code for answer in answers] == [403] * 5 + [429] * 55
    assert answers[-1].json()["rule"] == "busy"
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
    assert (await eve.join(table)).status_code == 429  # not even a right guess tells that it was right
    assert (await ann.http.get("/api/session")).status_code == 200


async def test_right_invitations_are_no_guesses(app, port):
    app.state.limits = Limits(guesses=Buckets(3, 1 / 600))
    ann = await Person.arrive(port, "Ann")
    for number in range(8):
        bob = await Person.arrive(port, f"Bob {number}")
        assert (await bob.join(await ann.set_table())).status_code == 200


async def test_guesses_at_one_log_in_are_refused_wherever_they_come_from(app, port):
    stop_the_clock(app)
    await member(port, "Ann")
    lavish = Buckets(1_000, 1)
    app.state.limits = Limits(accounts=Buckets(5, 1 / 600), logins=lavish, guesses=lavish)
    eve = await Person.arrive(port, "Eve")

    async def guess(login):
        return (await eve.http.post("/api/login", json={"login": login, "password": "a guess"})).status_code

    statuses = [await guess(["ann", "ANN ", "Ann"][number % 3]) for number in range(8)]
    assert statuses == [403] * 5 + [429] * 3
    assert await guess("bob") == 403


async def test_a_flood_from_one_session_is_refused_and_others_play_on(app, port):
    stop_the_clock(app)
    app.state.limits = Limits(changes=Buckets(20, 0.01))
    eve, ann = await Person.arrive(port, "Eve"), await Person.arrive(port, "Ann")
    statuses = [(await eve.http.post("/api/session", json={"name": "Eve"})).status_code for _ in range(30)]
    assert statuses == [200] * 20 + [429] * 10
    assert (await eve.http.get("/api/session")).status_code == 200
    assert (await ann.http.post("/api/session", json={"name": "Anna"})).status_code == 200


async def test_a_socket_that_sends_too_fast_is_slowed_down(app, port):
    app.state.limits = Limits(messages=Buckets(5, 10))
    ann = await Person.arrive(port, "Ann")
    game = (await ann.set_table())["id"]
    async with ann.connect(game) as socket, Person(port).connect(game) as other:
        began = time.monotonic()
        for n in range(10):
            await say(socket, type="ping", n=n)
        assert [(await hear(socket, "pong"))["n"] for _ in range(10)] == list(range(10)), "nothing is lost"
        assert time.monotonic() - began > 0.4
        await say(other, type="ping", n=1)
        assert (await hear(other, "pong"))["n"] == 1


def test_a_busy_socket_is_handled_after_the_others():
    delay = Limits(messages=Buckets(50, 10)).message_delays("", "192.0.2.1")
    waits = [delay(0.0) for _ in range(52)]
    assert waits[:10] == [None] * 10
    assert waits[10:50] == [0.0] * 40
    assert waits[50:] == [0.1, 0.2]


async def test_an_address_that_asks_too_much_waits_and_is_refused_if_that_takes_too_long(app, port, monkeypatch):
    monkeypatch.setattr(limits_module, "is_local", lambda _: False)
    monkeypatch.setattr(middleware, "LONGEST_WAIT_SECONDS", 0.5)
    ann = await Person.arrive(port, "Ann")
    game = (await ann.set_table())["id"]
    app.state.limits = Limits(requests=Buckets(2, 10))
    began = time.monotonic()
    answers = await asyncio.gather(*(ann.http.get("/api/session") for _ in range(7)))
    assert {answer.status_code for answer in answers} == {200}, "who waits is answered"
    assert time.monotonic() - began > 0.4
    app.state.limits = Limits(requests=Buckets(1, 0.01))
    assert (await ann.http.get("/api/session")).status_code == 200
    refused = await ann.http.get("/")
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 100
    with pytest.raises(websockets.InvalidStatus):
        async with ann.connect(game):
            pass


async def test_the_number_of_connections_is_limited(app, port):
    app.state.limits = Limits(most_connections=2)
    ann, bob = await Person.arrive(port, "Ann"), await Person.arrive(port, "Bob")
    game = (await ann.set_table())["id"]
    async with ann.connect(game), ann.connect(game):
        with pytest.raises(websockets.InvalidStatus):
            async with ann.connect(game):
                pass
        assert (await ann.http.get(f"/api/games/{game}/stream")).status_code == 429
        async with bob.connect(game):
            pass
    await until(lambda: not app.state.limits.connected)
    async with ann.connect(game):
        pass
