"""Turn notifications: each has one deadline, several are sent at a time, and none goes to a private network."""

import asyncio
import socket
import threading

import pytest
from sqlalchemy import update

from proofs.abuse.push_services import DOMAIN, PRIVATE, PROMPT, PUBLIC, SLOW, Services, dripping, endless, prompt
from tessella.server.addresses import is_public
from tessella.server.services.news import delivery
from tessella.server.services.outgoing import BadAnswer, Door, NotPublic, OutcomeUnknown, Outgoing
from tessella.server.store.schema import channels
from tests.server.helpers import hosting, known, run
from tests.server.services.test_push import Device, listening, notify, table_of_days

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
    with pytest.raises(NotPublic):
        asyncio.run(Door().send(Outgoing("https://push.example.org/a1", {}, b"")))


async def waiting_for_turns(host, *names):
    """People who are away when it is their turn, the first of them for the longest time; each has a service."""
    for name in names:
        people = [await known(host.store, each) for each in ("Ann", "Bob")]
        room = await table_of_days(host, *people)
        device = Device()
        device.endpoint = f"https://{name}.{DOMAIN}/{room.table.id}"
        await listening(host, people[room.table.movers[0]], device)


def test_17_15_a_slow_push_service_times_out_and_does_not_block_the_others(sqlite):
    async def use():
        async with hosting(sqlite) as host, Services() as services:
            for name in (*SLOW, *PROMPT):
                await services.add(name, dripping if name in SLOW else prompt)
            await waiting_for_turns(host, *SLOW, *PROMPT)
            assert await notify(host, services.door(DEADLINE)) == len(PROMPT)
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
            await waiting_for_turns(host, *["slow"] * (delivery.MOST_CONCURRENT + 1), "prompt")
            looking = asyncio.create_task(notify(host, services.door(30)))
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
            with pytest.raises(BadAnswer):
                await services.door(60).send(Outgoing(f"https://endless.{DOMAIN}/a", {}, b""))

    run(use())


def test_17_15_a_service_that_says_nothing_at_all_is_given_up():
    """It accepts connections and does not even begin with TLS."""

    async def use():
        with socket.create_server(("127.0.0.1", 0)) as silent:

            async def resolve(*_):
                return [silent.getsockname()]

            with pytest.raises(TimeoutError):
                await Door(resolve=resolve, seconds=1).send(Outgoing(f"https://silent.{DOMAIN}/a", {}, b""))

    run(use())


def test_17_15_the_certificate_of_a_service_must_be_valid():
    async def use():
        async with Services() as services:
            await services.add("prompt", prompt)

            async def resolve(_host, port):
                return await services.resolve(f"prompt.{DOMAIN}", port)

            for trusted in (services.trusting, None):  # another name; a certificate of nobody
                with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
                    door = Door(resolve=resolve, context=trusted)
                    await door.send(Outgoing("https://other.example.org/a", {}, b""))

    run(use())


def test_17_15_the_second_address_is_tried_when_the_first_does_not_answer():
    async def use():
        async with Services() as services:
            await services.add("prompt", prompt)
            (there,) = await services.resolve(f"prompt.{DOMAIN}", 443)

            async def resolve(*_):
                return [("127.0.0.1", 1), there]

            door = Door(resolve=resolve, context=services.trusting)
            reply = await door.send(Outgoing(f"https://prompt.{DOMAIN}/a?b=1", {"ttl": "9"}, b"body"))
            assert reply.status == 201
            (request,) = services.requests
            assert request.startswith(b"POST /a?b=1 HTTP/1.1\r\nttl: 9\r\n")
            assert request.endswith(b"\r\n\r\nbody")

    run(use())


def test_17_15_look_ups_that_do_not_end_hold_no_thread_that_others_need(monkeypatch):
    over = threading.Event()
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: over.wait(60) and [])

    async def use():
        request = Outgoing("https://push.example.org/a", {}, b"")
        posts = [Door(seconds=0.5).send(request) for _ in range(8)]
        outcomes = await asyncio.gather(*posts, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {TimeoutError}
        assert await asyncio.wait_for(asyncio.to_thread(lambda: "free"), 30) == "free"
        over.set()

    try:
        run(use())
    finally:
        over.set()


def test_an_answer_that_does_not_come_leaves_the_outcome_unknown():
    async def use():
        async with Services() as services:
            await services.add("slow", dripping)
            with pytest.raises(OutcomeUnknown):
                await services.door(3).send(Outgoing(f"https://slow.{DOMAIN}/a", {}, b""))

    run(use())


def test_a_busy_receiver_says_when_to_come_back():
    async def busy(writer):
        writer.write(b"HTTP/1.1 429 Too Many Requests\r\ndate: now\r\nRetry-After: 77\r\n\r\n")
        await writer.drain()

    async def use():
        async with Services() as services:
            await services.add("busy", busy)
            reply = await services.door(5).send(Outgoing(f"https://busy.{DOMAIN}/a", {}, b""))
            assert (reply.status, reply.retry_after) == (429, 77.0)

    run(use())


@pytest.mark.parametrize("endpoint", ["https://a..b/", "https://push.example.org/a b", "https:", "https://[x/"])
def test_17_15_a_browser_that_cannot_be_notified_does_not_stop_the_others(sqlite, endpoint):
    """Such addresses were accepted before; the worker that met one told nobody any more."""

    async def use():
        async with hosting(sqlite) as host, Services() as services:
            await services.add("broken", prompt)
            await services.add("prompt", prompt)
            await waiting_for_turns(host, "broken", "prompt")
            broken = update(channels).where(channels.c.address.contains("broken"))
            await host.store.run(broken.values(address=endpoint))
            assert await notify(host, services.door(DEADLINE)) == 1
            assert len(services.requests) == 1

    run(use())
