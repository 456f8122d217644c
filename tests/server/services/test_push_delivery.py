"""Messages go out to public addresses only, by TLS, each with one deadline."""

import asyncio
import socket
import threading

import pytest
from sqlalchemy import update

from proofs.abuse.push_services import DOMAIN, PRIVATE, PUBLIC, Services, endless, prompt
from tessella.server.addresses import is_public
from tessella.server.services.outgoing import BadAnswer, Door, NotPublic, OutcomeUnknown, Outgoing
from tessella.server.store.schema import channels
from tests.server.helpers import known
from tests.server.services.test_push import Device, listening, notify, table_of_days

PATIENT = 200.0
"""Seconds for one message: enough on a busy machine."""


@pytest.fixture
def services():
    return Services()


def test_only_addresses_on_the_open_internet_are_public():
    assert [address for address in PRIVATE if is_public(address)] == []
    assert [address for address in PUBLIC if not is_public(address)] == []


@pytest.mark.parametrize("address", ["127.0.0.1", "64:ff9b::10.1.2.3", "2002:c0a8:101::1", "::ffff:169.254.169.254"])
async def test_one_bad_address_among_good_ones_is_enough(address, monkeypatch):
    """A name may say anything of itself, so the address counts."""
    found = [(2, 1, 6, "", (each, 443)) for each in ("1.1.1.1", address)]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr("asyncio.open_connection", lambda *_, **__: pytest.fail("it was sent"))
    with pytest.raises(NotPublic):
        await Door(seconds=PATIENT).send(Outgoing("https://push.example.org/a1", {}, b""))


async def test_an_answer_without_end_is_not_read_to_its_end(services):
    await services.add("endless", endless)
    with pytest.raises(BadAnswer):
        await services.door(PATIENT).send(Outgoing(f"https://endless.{DOMAIN}/a", {}, b""))


async def test_a_service_that_says_nothing_at_all_is_given_up():
    """It accepts connections and does not even begin with TLS."""
    with socket.create_server(("127.0.0.1", 0)) as silent:

        async def resolve(*_):
            return [silent.getsockname()]

        with pytest.raises(TimeoutError):
            await Door(resolve=resolve, seconds=1).send(Outgoing(f"https://silent.{DOMAIN}/a", {}, b""))


async def test_the_certificate_of_a_service_must_be_valid(services):
    await services.add("prompt", prompt)

    async def resolve(_host, port):
        return await services.resolve(f"prompt.{DOMAIN}", port)

    for trusted in (services.trusting, None):  # another name; a certificate of nobody
        door = Door(resolve=resolve, context=trusted, seconds=PATIENT)
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            await door.send(Outgoing("https://other.example.org/a", {}, b""))


async def test_the_second_address_is_tried_when_the_first_does_not_answer(services):
    await services.add("prompt", prompt)
    (there,) = await services.resolve(f"prompt.{DOMAIN}", 443)

    async def resolve(*_):
        return [("127.0.0.1", 1), there]

    door = Door(resolve=resolve, context=services.trusting, seconds=PATIENT)
    reply = await door.send(Outgoing(f"https://prompt.{DOMAIN}/a?b=1", {"ttl": "9"}, b"body"))
    assert reply.status == 201
    (request,) = services.requests
    assert request.startswith(b"POST /a?b=1 HTTP/1.1\r\nttl: 9\r\n")
    assert request.endswith(b"\r\n\r\nbody")


async def test_look_ups_that_do_not_end_hold_no_thread_that_others_need(monkeypatch):
    over = threading.Event()
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: over.wait(PATIENT) and [])
    try:
        request = Outgoing("https://push.example.org/a", {}, b"")
        outcomes = await asyncio.gather(*(Door(seconds=0.5).send(request) for _ in range(8)), return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {TimeoutError}
        assert await asyncio.to_thread(lambda: "free") == "free"
    finally:
        over.set()


async def test_an_answer_that_does_not_come_leaves_the_outcome_unknown(services, monkeypatch):
    deadline = asyncio.timeout(None)
    monkeypatch.setattr("asyncio.timeout", lambda _: deadline)

    async def silent(_writer):
        deadline.reschedule(0)  # it passes as soon as the request is there

    await services.add("silent", silent)
    with pytest.raises(OutcomeUnknown):
        await services.door(PATIENT).send(Outgoing(f"https://silent.{DOMAIN}/a", {}, b""))
    assert len(services.requests) == 1


async def test_a_busy_receiver_says_when_to_come_back(services):
    async def busy(writer):
        writer.write(b"HTTP/1.1 429 Too Many Requests\r\ndate: now\r\nRetry-After: 77\r\n\r\n")
        await writer.drain()

    await services.add("busy", busy)
    reply = await services.door(PATIENT).send(Outgoing(f"https://busy.{DOMAIN}/a", {}, b""))
    assert (reply.status, reply.retry_after) == (429, 77.0)


@pytest.mark.parametrize("endpoint", ["https://a..b/", "https://push.example.org/a b", "https:", "https://[x/"])
async def test_a_browser_that_cannot_be_notified_does_not_stop_the_others(host, services, endpoint):
    """Such addresses were accepted before; the worker that met one told nobody any more."""
    await services.add("prompt", prompt)
    for name in ("broken", "prompt"):
        people = [await known(host.store, each) for each in ("Ann", "Bob")]
        room, device = await table_of_days(host, *people), Device()
        device.endpoint = f"https://{name}.{DOMAIN}/{room.table.id}"
        await listening(host, people[room.table.movers[0]], device)
    broken = update(channels).where(channels.c.address.contains("broken"))
    await host.store.run(broken.values(address=endpoint))
    assert await notify(host, services.door(PATIENT)) == 1
    assert len(services.requests) == 1
