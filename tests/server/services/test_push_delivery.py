"""Turn notifications: each has one deadline, several are sent at a time, and none goes to a private network."""

import asyncio
import socket
import threading

import pytest
from sqlalchemy import update

from proofs.abuse.push_services import DOMAIN, PRIVATE, PROMPT, PUBLIC, SLOW, Services, dripping, endless, prompt
from tessella.server.addresses import is_public
from tessella.server.services import turn_notifications, webpush
from tessella.server.services.turn_notifications import Notifier
from tessella.server.store.schema import pushes
from tests.server.helpers import hosting, known, run
from tests.server.services.test_push import Device, listening, table_of_days

DEADLINE = 5.0
"""Seconds for one message: enough on a busy machine."""


@pytest.mark.parametrize("address", PRIVATE)
def test_17_15_an_address_that_is_not_on_the_open_internet_is_refused(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_17_15_an_address_on_the_open_internet_is_not(address):
    assert is_public(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "64:ff9b::10.1.2.3", "2002:c0a8:101::1", "::ffff:169.254.169.254"])
def test_17_15_one_bad_address_among_good_ones_is_enough(address, monkeypatch):
    """A name may say anything of itself, so the address counts."""
    found = [(2, 1, 6, "", (each, 443)) for each in ("1.1.1.1", address)]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr("asyncio.open_connection", lambda *_, **__: pytest.fail("it was sent"))
    with pytest.raises(webpush.NotPublic):
        asyncio.run(webpush.post("https://push.example.org/a1", {}, b""))


async def waiting_for_turns(host, *names):
    """People who are away when it is their turn, the first of them for the longest time; each has a service."""
    for name in names:
        people = [await known(host.store, each) for each in ("Ann", "Bob")]
        room = await table_of_days(host, *people)
        device = Device()
        device.endpoint = f"https://{name}.{DOMAIN}/a"
        await listening(host, people[room.table.movers[0]], device)


def test_17_15_a_slow_push_service_times_out_and_does_not_block_the_others(sqlite):
    async def use():
        async with hosting(sqlite) as host, Services() as services:
            for name in (*SLOW, *PROMPT):
                await services.add(name, dripping if name in SLOW else prompt)
            await waiting_for_turns(host, *SLOW, *PROMPT)
            assert await Notifier(host, services.post(DEADLINE)).notify() == len(PROMPT)
            async with asyncio.timeout(30):
                while len(services.events) < len(SLOW) + len(PROMPT):
                    await asyncio.sleep(0.02)
            assert [what for what, _ in services.events] == ["delivered"] * len(PROMPT) + ["given up"] * len(SLOW)

    run(use())


def test_17_15_many_slow_addresses_of_one_service_leave_room_for_others(sqlite):
    async def use():
        async with hosting(sqlite) as host, Services() as services:
            await services.add("slow", dripping)
            await services.add("prompt", prompt)
            await waiting_for_turns(host, *["slow"] * (2 * turn_notifications.MOST_CONCURRENT), "prompt")
            rows = await turn_notifications._pending_turns(host.store)
            for number, row in enumerate(each for each in rows if "slow" in each["endpoint"]):
                other = update(pushes).where(pushes.c.session == row["session"])
                await host.store.run(other.values(endpoint=f"{row['endpoint']}{number}"))
            looking = asyncio.create_task(Notifier(host, services.post(30)).notify())
            async with asyncio.timeout(30):
                while ("delivered", "prompt") not in services.events:
                    await asyncio.sleep(0.02)
            assert not looking.done()
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)

    run(use())


def test_17_15_an_answer_without_end_is_not_read_to_its_end():
    async def use():
        async with Services() as services:
            await services.add("endless", endless)
            with pytest.raises(webpush.BadAnswer):
                await services.post(60)(f"https://endless.{DOMAIN}/a", {}, b"")

    run(use())


def test_17_15_a_service_that_says_nothing_at_all_is_given_up():
    """It accepts connections and does not even begin with TLS."""

    async def use():
        with socket.create_server(("127.0.0.1", 0)) as silent:

            async def resolve(*_):
                return [silent.getsockname()]

            with pytest.raises(TimeoutError):
                await webpush.post(f"https://silent.{DOMAIN}/a", {}, b"", resolve=resolve, seconds=1)

    run(use())


def test_17_15_the_certificate_of_a_service_must_be_valid():
    async def use():
        async with Services() as services:
            await services.add("prompt", prompt)

            async def resolve(_host, port):
                return await services.resolve(f"prompt.{DOMAIN}", port)

            for trusted in (services.trusting, None):  # another name; a certificate of nobody
                with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
                    await webpush.post("https://other.example.org/a", {}, b"", resolve=resolve, context=trusted)

    run(use())


def test_17_15_the_second_address_is_tried_when_the_first_does_not_answer():
    async def use():
        async with Services() as services:
            await services.add("prompt", prompt)
            (there,) = await services.resolve(f"prompt.{DOMAIN}", 443)

            async def resolve(*_):
                return [("127.0.0.1", 1), there]

            endpoint, trusted = f"https://prompt.{DOMAIN}/a?b=1", services.trusting
            assert await webpush.post(endpoint, {"ttl": "9"}, b"body", resolve=resolve, context=trusted) == 201
            (request,) = services.requests
            assert request.startswith(b"POST /a?b=1 HTTP/1.1\r\nttl: 9\r\n")
            assert request.endswith(b"\r\n\r\nbody")

    run(use())


def test_17_15_look_ups_that_do_not_end_hold_no_thread_that_others_need(monkeypatch):
    over = threading.Event()
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: over.wait(60) and [])

    async def use():
        posts = [webpush.post("https://push.example.org/a", {}, b"", seconds=0.5) for _ in range(8)]
        outcomes = await asyncio.gather(*posts, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {TimeoutError}
        assert await asyncio.wait_for(asyncio.to_thread(lambda: "free"), 30) == "free"
        over.set()

    try:
        run(use())
    finally:
        over.set()


@pytest.mark.parametrize("endpoint", ["https://a..b/", "https://push.example.org/a b", "https:", "https://[x/"])
def test_17_15_a_browser_that_cannot_be_notified_does_not_stop_the_others(sqlite, endpoint):
    """Such addresses were accepted before; the worker that met one told nobody any more."""

    async def use():
        async with hosting(sqlite) as host, Services() as services:
            await services.add("broken", prompt)
            await services.add("prompt", prompt)
            await waiting_for_turns(host, "broken", "prompt")
            broken = update(pushes).where(pushes.c.endpoint.contains("broken"))
            await host.store.run(broken.values(endpoint=endpoint))
            assert await Notifier(host, services.post(DEADLINE)).notify() == 1
            assert len(services.requests) == 1

    run(use())
