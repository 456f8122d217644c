"""Browsers that are told of turns: what is sent, to whom, how often, and never to a machine of one's own network."""

import json

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import delete, select, update

from proofs.receivers import Behaviour, Receiver
from tessella.server.base64url import read64, write64
from tessella.server.people.identity import Session, add_session, end_sessions, session_id
from tessella.server.rooms.lifecycle import Terms, open_table, sit
from tessella.server.rooms.room import Viewer
from tessella.server.services import webpush
from tessella.server.services.news import channels as kept
from tessella.server.services.news.channels import Browser
from tessella.server.services.news.delivery import Notifier
from tessella.server.services.news.turns import GRACE_SECONDS
from tessella.server.services.outgoing import Door
from tessella.server.store.schema import channels, games, sessions
from tessella.table.log import Days
from tests.server.helpers import known, member
from tests.server.services.wire import Wire, stop_clock

SITE = "https://play.example.org"
SLOW = Days(3)


class Device:
    """A browser with keys of its own, and its address at the push service of its maker."""

    def __init__(self, name="a1"):
        self.key = webpush.private_key(webpush.new_private_value())
        self.auth = bytes(range(16))
        self.endpoint = f"https://push.example.org/{name}"

    @property
    def browser(self):
        point = write64(webpush.public_point(self.key))
        return Browser(self.endpoint, point, write64(self.auth), "nl", SITE)

    def read(self, body):
        """RFC 8291 from the other side, written here on its own."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert size >= len(sealed)
        shared = self.key.exchange(ec.ECDH(), webpush.read_point(sender))
        info = b"WebPush: info\0" + webpush.public_point(self.key) + sender
        secret = HKDF(hashes.SHA256(), 32, self.auth, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        return json.loads(AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0").removesuffix(b"\x02"))


# What is sent


def test_the_example_of_rfc_8291():
    read = read64
    sealed = webpush.encrypt(
        b"When I grow up, I want to be a watermelon",
        read("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        read("BTBZMqHH6r4Tts7J_aSIgg"),
        webpush.private_key(read("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")),
        read("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert write64(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A"
        "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_the_service_can_check_who_sends():
    key = webpush.private_key(webpush.new_private_value())
    header = webpush.authorization("https://push.example.org/a1?b=2", SITE, key, 1_000_000.0)
    token, point = header.removeprefix("vapid t=").split(", k=")
    head, claims, signature = token.split(".")
    assert json.loads(read64(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(read64(claims)) == {"aud": "https://push.example.org", "exp": 1_043_200, "sub": SITE}
    raw = read64(signature)
    signed = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    webpush.read_point(read64(point)).verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/a",
        "https://user@push.example.org/a",
        "https://push.example.org:8443/a",
        "https://localhost/a",
        "https:///a",
        "https://[::1]/a",
        "https://PUSH\n.example.org/a",
        "file:///etc/passwd",
        "https://a..b/",
        "https://push.example.org/a b",
        "https://push.example.org/caf\u00e9",
        "https://push.example.org/\0",
        "https://push example.org/a",
        "https://192.168.1.1/a",
        "https://-a.example.org/",
    ],
)
def test_what_is_no_push_service_is_refused(endpoint):
    assert not Door().opens_to(endpoint)


# To whom, and how often


async def table_of_days(host, *sitters, pace=SLOW):
    room = await open_table(host, Terms("azul/1 seats=2 wall=coloured", pace=pace))
    for seat, sitter in enumerate(sitters):
        await sit(host, room, seat, sitter)
    await host.append(room, "start", lambda table, secret: table.start(secret))
    return room


async def listening(host, person, device, door=None):
    secret = await add_session(host.store, person, "cookie")
    session = Session(session_id(secret), "cookie", person)
    await kept.subscribe(host.store, session, device.browser, door or Door())
    await later(host)
    return session


async def later(host):
    """As if everybody had subscribed long ago, and the last move were just old enough."""
    now = await host.store.now()
    await host.store.run(update(channels).values(made=now - 1_000, sent=now - 1_000))
    await host.store.run(update(games).values(touched=now - GRACE_SECONDS - 1))


async def awaited(host, device, door=None):
    """A table, who is to move there and has this device, and the other."""
    people = [await known(host.store, name) for name in ("Ann", "Bob")]
    room = await table_of_days(host, *people)
    (seat,) = room.table.movers
    await listening(host, people[seat], device, door)
    return room, people[seat], people[1 - seat]


async def notify(host, door):
    """One round of a worker: how many messages arrived."""
    notifier = Notifier(host, door)
    await notifier.plan()
    return await notifier.deliver()


async def move(host, room):
    (seat,) = room.table.movers
    text = room.table.game.write_move(room.table.state, room.table.game.legal_moves(room.table.state, seat)[0])
    await host.append(room, f"move-{room.table.number}", lambda table, secret: table.play(seat, text, secret))


async def test_a_player_who_is_away_is_notified_once_and_only_of_the_table(host):
    device, receiver = Device(), Receiver(lambda _: Behaviour(201))
    async with receiver.serving():
        device.endpoint = f"{receiver.origin}/a1"
        door = Door(frozenset({receiver.origin}))
        room, *_ = await awaited(host, device, door)
        assert await notify(host, door) == 1
        assert await notify(host, door) == 0, "not again for the same turn"
    (request,) = receiver.requests
    assert request.line == "POST /a1 HTTP/1.1"
    assert (request.headers["content-encoding"], request.headers["ttl"]) == ("aes128gcm", "86400")
    assert request.headers["authorization"].startswith("vapid t=")
    about = {"title": "azul", "table": room.table.id, "tables": 1, "language": "nl", "invitation": False}
    assert device.read(request.body) == about


async def test_several_tables_are_one_message(host):
    ann, device = await known(host.store, "Ann"), Device()
    for name in ("Bob", "Cid"):
        room = await table_of_days(host, ann, await known(host.store, name))
        if room.table.movers != (0,):
            await move(host, room)
    await listening(host, ann, device)
    assert await notify(host, wire := Wire()) == 1
    assert device.read(wire.sent[0].body)["tables"] == 2


async def test_players_who_are_present_or_not_to_move_or_in_live_games_are_not_notified(host, monkeypatch):
    device = Device()
    room, mover, other = await awaited(host, device)
    await table_of_days(host, mover, other, pace=None)
    viewer = Viewer(mover.id, lambda _: None)
    room.viewers[viewer] = None
    await listening(host, other, Device("b2"))
    await stop_clock(monkeypatch, host)
    assert await notify(host, wire := Wire()) == 0
    room.viewers.pop(viewer, None)
    assert await notify(host, wire) == 0, "looked at again after a while"
    await host.store.run(update(channels).where(channels.c.due.is_not(None)).values(due=0.0))
    assert await notify(host, wire) == 1
    assert [request.url for request in wire.sent] == [device.endpoint]


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_is_forgotten(host, status):
    await awaited(host, Device())
    assert await notify(host, Wire(answers=(status,))) == 0
    assert await host.store.run(select(channels)) == []


async def test_a_service_that_cannot_be_reached_does_no_harm(host, monkeypatch):
    await awaited(host, Device())
    now = await stop_clock(monkeypatch, host)
    assert await notify(host, Wire(answers=(TimeoutError(),))) == 0
    (left,) = await host.store.run(select(channels))
    assert (left["attempts"], bool(left["in_flight"])) == (1, False)
    assert left["due"] > now


async def test_a_log_out_ends_the_subscription(host):
    ann = await known(host.store, "Ann")
    session = await listening(host, ann, Device())
    await end_sessions(host.store, ann, session.id)
    assert await host.store.run(select(channels)) == []


async def test_browsers_whose_sessions_have_run_out_are_forgotten(host):
    ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
    session, _ = await listening(host, ann, Device()), await listening(host, bob, Device("b2"))
    await host.store.run(delete(sessions).where(sessions.c.person == session.person.id))
    await kept.remove_expired(host.store)
    (left,) = await host.store.run(select(channels))
    assert left["person"] == bob.id


async def test_a_browser_subscribes_and_unsubscribes(app, port):
    ann, device = await member(port, "Ann"), Device()
    key = (await ann.http.get("/api/push")).json()["key"]
    assert (await ann.http.get("/api/push")).json()["key"] == key
    assert len(read64(key)) == 65
    browser = device.browser
    body = {"endpoint": device.endpoint, "p256dh": browser.point, "auth": browser.auth, "language": "fr"}
    for _ in range(2):
        assert (await ann.http.post("/api/me/push", json=body)).json() == {"done": 1}
    (stored,) = (await ann.http.get("/api/me/data")).json()["channels"]
    assert (stored["kind"], stored["address"]) == ("push", device.endpoint)
    for wrong in ({"endpoint": "https://127.0.0.1:9/a"}, {"p256dh": "A" * 87}, {"auth": "short"}):
        assert (await ann.http.post("/api/me/push", json=body | wrong)).status_code == 422
    assert [(await ann.http.delete("/api/me/push")).json()["done"] for _ in range(2)] == [1, 0]
    await ann.http.post("/api/me/push", json=body)
    await ann.http.delete("/api/me")
    assert await app.state.host.store.run(select(channels)) == []
