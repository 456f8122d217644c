"""News of turns by e-mail and webhooks: what is said, at most once, given up visibly, and only to those who agreed."""

import asyncio
import hmac
import json
from base64 import b64decode, b64encode
from contextlib import asynccontextmanager
from functools import partial

import httpx
import pytest
from msgspec import Struct
from sqlalchemy import select, update

from proofs.receivers import Behaviour, Receiver
from tessella.server.people.identity import Person, Session
from tessella.server.people.relations import follow
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, close_table, open_table
from tessella.server.rooms.room import Room
from tessella.server.services.invitations import invite_person
from tessella.server.services.news import channels as kept
from tessella.server.services.news import delivery
from tessella.server.services.news.channels import Channel, Hook
from tessella.server.services.news.delivery import Notifier
from tessella.server.services.news.mail import MailServer
from tessella.server.services.news.timing import GIVE_UP_SECONDS, Preferences
from tessella.server.services.news.turns import turns_at
from tessella.server.services.outgoing import Door, OutcomeUnknown, Reply
from tessella.server.services.retention import NEWS_DAYS, Retention
from tessella.server.settings import Settings
from tessella.server.store.schema import channels, games, news
from tests.server.helpers import hosting, known, member
from tests.server.services.conftest import serving
from tests.server.services.test_mail import SENDER, Mailbox
from tests.server.services.test_mail import serving as mailing
from tests.server.services.test_push import Device, later, move, table_of_days
from tests.server.services.wire import Wire, stop_clock
from tests.server.waiting import until

SITE = "https://play.example.org"
HOOK = "https://hooks.example.org"


class Waiting(Struct):
    """Somebody whose turn it is and who has a hook, and a worker whose clock stands still."""

    host: Host
    person: Person
    made: Channel
    room: Room
    notifier: Notifier

    async def one_round(self, door=None):
        """How many messages a worker that has just started delivers."""
        self.notifier = Notifier(self.host, door or self.notifier.door)
        await self.notifier.plan()
        return await self.notifier.deliver()

    async def states(self):
        return await states(self.host)


@pytest.fixture
def waiting(database, monkeypatch):
    """`async with waiting(door, kind)`: a hook of a kind behind a door."""
    return partial(_waiting, database, monkeypatch)


@asynccontextmanager
async def _waiting(database, monkeypatch, door, kind="json", origin=HOOK):
    async with hosting(database) as host:
        ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
        room = await table_of_days(host, ann, bob)
        person = (ann, bob)[room.table.movers[0]]
        made = await hook(host, person, kind, door, origin=origin)
        await later(host)
        await stop_clock(monkeypatch, host)
        yield Waiting(host, person, made, room, Notifier(host, door))


async def hook(host, person, kind="json", door=None, origin=HOOK):
    token = "" if kind == "json" else "t0ken"
    wanted = Hook(kind, f"{origin}/{kind}", "!r:x.org" if kind == "matrix" else "", token)
    return await kept.add_hook(host.store, person, wanted, "en", SITE, door or Door())


async def crowd(host, number, origin=HOOK):
    """People to whom a message is to be sent."""
    people = [await known(host.store, f"P{each}") for each in range(number)]
    for person in people:
        await kept.announce(host.store, await hook(host, person, origin=origin), "test")


async def at_once(host):
    """As if every pause were over."""
    await host.store.run(update(channels).where(channels.c.due.is_not(None)).values(due=0.0))


async def states(host):
    return sorted((row["state"], row["reason"]) for row in await host.store.run(select(news)))


# What is said


@pytest.mark.parametrize("kind", ["discord", "matrix", "ntfy", "json"])
async def test_each_service_is_told_in_its_own_way_and_nothing_about_the_table_or_the_others(waiting, kind):
    receiver = Receiver(lambda _: Behaviour())
    async with receiver.serving(), waiting(Door(frozenset({receiver.origin})), kind, receiver.origin) as turn:
        assert await turn.one_round() == 1
    (request,) = receiver.requests
    said, link = json.loads(request.body), f"{SITE}/table/{turn.room.table.id}"
    title, line = "Your turn: Azul", f"Azul, it is your turn: {link}"
    assert request.headers["host"] == receiver.origin.partition("//")[2]
    if kind == "discord":
        assert request.line == "POST /discord HTTP/1.1"
        assert said == {"content": f"{title}\n{line}", "allowed_mentions": {"parse": []}}
    if kind == "matrix":
        start = "PUT /matrix/_matrix/client/v3/rooms/%21r%3Ax.org/send/m.room.message/"
        assert request.line.startswith(start)
        assert request.headers["authorization"] == "Bearer t0ken"
        assert said == {"msgtype": "m.text", "body": f"{title}\n{line}"}
    if kind == "ntfy":
        assert request.line == "POST / HTTP/1.1"
        assert (said["topic"], said["title"], said["click"]) == ("ntfy", title, link)
    if kind == "json":
        (table,) = said["tables"]
        assert (said["type"], table.pop("deadline") > 0) == ("turn", True)
        assert table == {"id": turn.room.table.id, "game": "azul", "url": link}
        check_signature(request, turn.made.secret)


def check_signature(request, secret):
    """As the Standard Webhooks specification says, written here on its own."""
    signed = b".".join([request.headers[f"webhook-{name}"].encode() for name in ("id", "timestamp")] + [request.body])
    key = b64decode(secret.removeprefix("whsec_"))
    assert request.headers["webhook-signature"] == "v1," + b64encode(hmac.digest(key, signed, "sha256")).decode()


# At most once


async def test_a_turn_is_told_once_by_however_many_workers(waiting, database):
    async with waiting(Wire()) as turn, hosting(database) as other:
        wire = turn.notifier.door
        second = Notifier(other, wire)
        for first in (turn.notifier, Notifier(turn.host, wire)):
            await asyncio.gather(first.plan(), second.plan())
            await asyncio.gather(first.deliver(), second.deliver())
            await at_once(turn.host)
        assert len(wire.sent) == 1
        assert await turn.states() == [("sent", "")]
        turns = await turns_at(turn.host.store, [turn.room.table.id])
        assert [turn.number for turn in turns.values()] == [0]


async def test_an_offer_at_the_table_does_not_make_it_another_turn(waiting):
    async with waiting(Wire()) as turn:
        assert await turn.one_round() == 1
        mover = turn.room.table.movers[0]
        await turn.host.append(turn.room, "pause", lambda table, _: table.ask(1 - mover, "pause"))
        await later(turn.host)
        assert await turn.one_round() == 0
        for _ in range(2):
            await move(turn.host, turn.room)
        await later(turn.host)
        assert await turn.one_round() == 1


@pytest.mark.parametrize("first", [500, 503, OutcomeUnknown()])
async def test_what_a_program_did_not_confirm_is_sent_again_with_the_same_id(waiting, first):
    async with waiting(wire := Wire(answers=(first, first, 200))) as turn:
        assert await turn.one_round() == 0
        assert await turn.one_round() == 0, "not before its time"
        assert len(wire.sent) == 1
        for arrived in (0, 1):
            await at_once(turn.host)
            assert await turn.one_round() == arrived
        assert len({request.headers["webhook-id"] for request in wire.sent}) == 1
        assert len(wire.sent) == 3
        assert await turn.states() == [("sent", "")]


async def test_a_message_to_a_chat_that_may_have_arrived_is_not_repeated(waiting):
    async with waiting(wire := Wire(answers=(OutcomeUnknown(),)), "discord") as turn:
        assert await turn.one_round() == 0
        await at_once(turn.host)
        assert await turn.one_round() == 0
        assert len(wire.sent) == 1
        assert await turn.states() == [("uncertain", "silent")]


@pytest.mark.parametrize(("kind", "times", "state"), [("json", 2, "sent"), ("discord", 1, "uncertain")])
async def test_a_worker_that_dies_while_it_sends_does_not_make_it_visible_twice(
    waiting, kind, times, state, monkeypatch
):
    async def dies():
        raise asyncio.CancelledError

    async with waiting(wire := Wire(), kind) as turn:
        monkeypatch.setattr(turn.notifier, "_finish_some", dies)
        await turn.notifier.plan()
        with pytest.raises(asyncio.CancelledError):
            await turn.notifier.deliver()
        await until(lambda: bool(wire.sent))
        assert await turn.one_round() == 0, "the lease holds"
        await turn.host.store.run(update(channels).values(leased=0.0))
        await at_once(turn.host)
        await turn.one_round()
        assert len(wire.sent) == times
        assert [each for each, _ in await turn.states()] == [state]


async def test_without_the_store_an_outcome_is_kept_until_it_is_back(waiting, monkeypatch):
    async with waiting(wire := Wire()) as turn:
        await turn.notifier.plan()
        with monkeypatch.context() as away:
            away.setattr(delivery, "_results", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                await turn.notifier.deliver()
        assert await turn.notifier.deliver() == 1
        assert await turn.states() == [("sent", "")]
        assert len(wire.sent) == 1


# Giving up, visibly


async def test_what_is_refused_for_good_is_given_up_at_once(waiting):
    async with waiting(Wire(answers=(404,))) as turn:
        assert await turn.one_round() == 0
        assert await turn.states() == [("failed", "status 404")]
        assert await kept.last_news(turn.host.store, await known(turn.host.store, "Other")) == {}
        (last,) = (await kept.last_news(turn.host.store, turn.person)).values()
        assert (last.state, last.reason) == ("failed", "status 404")


async def test_a_channel_that_always_fails_gets_no_more_until_its_owner_changes_it(waiting):
    async with waiting(wire := Wire(answers=(404,))) as turn:
        store = turn.host.store
        await store.run(update(channels).values(failures=delivery.MOST_FAILURES))
        await turn.one_round()
        assert wire.sent == []
        assert await turn.states() == [("failed", "unreachable")]
        assert await kept.prefer(store, turn.person, turn.made.id, Preferences(), "en")
        await kept.announce(store, turn.made, "test")
        await turn.notifier.deliver()
        assert len(wire.sent) == 1


async def test_a_receiver_that_does_not_answer_holds_up_nobody_else(host, monkeypatch):
    """More than can be sent to at a time wait for a receiver that hangs: a few are tried, the others moved back."""
    waiting = delivery.MOST_CONCURRENT + 1
    tried, prompt = [], asyncio.Event()

    class Hanging(Door, frozen=True):
        async def send(self, request):
            if request.url.startswith(HOOK):
                tried.append(request)
                await prompt.wait()
                raise TimeoutError
            prompt.set()
            return Reply(200)

    await crowd(host, waiting)
    await crowd(host, 1, origin="https://prompt.example.org")
    now = await stop_clock(monkeypatch, host)
    assert await Notifier(host, Hanging()).deliver() == 1
    assert len(tried) <= 3 * delivery.MOST_PER_RECEIVER
    rows = await host.store.run(select(channels.c.due).where(channels.c.attempts == 0, channels.c.due > now))
    assert [row["due"] for row in rows] == [now + delivery.BREAK_SECONDS] * (waiting - len(tried))


async def test_everything_overdue_is_given_up_in_one_round(host):
    """Many messages to a receiver that never answered: their time is over at once, and so is their waiting."""
    await crowd(host, number := 3 * delivery.MOST_PER_RECEIVER)
    await host.store.run(update(news).values(due=news.c.due - GIVE_UP_SECONDS - 1))
    await Notifier(host, wire := Wire()).deliver()
    assert await states(host) == [("failed", "unreachable")] * number
    assert wire.sent == []


async def test_a_break_ends_when_a_message_is_given_up(host, monkeypatch):
    await crowd(host, 2 * delivery.MOST_PER_RECEIVER)
    end = await stop_clock(monkeypatch, host) + 10
    await host.store.run(update(news).values(due=end - GIVE_UP_SECONDS))
    await Notifier(host, Wire(answers=(TimeoutError(),))).deliver()
    rows = await host.store.run(select(channels.c.due).where(channels.c.attempts == 0))
    assert [row["due"] for row in rows] == [pytest.approx(end)] * delivery.MOST_PER_RECEIVER


# When


async def test_a_reminder_comes_before_the_deadline_and_not_after_the_move(waiting):
    async with waiting(wire := Wire()) as turn:
        host, store = turn.host, turn.host.store
        wanted = Preferences(turns=False, reminder_hours=3)
        await kept.prefer(store, turn.person, turn.made.id, wanted, "en")
        assert await turn.one_round() == 0
        now = await store.now()
        await store.run(update(games).values(deadline=now + 2.5 * 3_600))
        await at_once(host)
        assert await turn.notifier.deliver() == 1
        said = json.loads(wire.sent[0].body)
        assert (said["type"], said["text"]) == ("reminder", "Time is running out: Azul")
        for _ in range(2):
            await move(host, turn.room)
        await later(host)
        await turn.one_round()
        await move(host, turn.room)
        await store.run(update(games).values(deadline=now + 60))
        await at_once(host)
        assert await turn.notifier.deliver() == 0
        assert ("dropped", "") in await turn.states()


async def test_turns_from_before_the_channel_are_not_told(waiting):
    async with waiting(Wire()) as turn:
        await turn.host.store.run(update(channels).values(made=await turn.host.store.now()))
        assert await turn.one_round() == 0


async def test_finished_news_are_removed_after_a_week(waiting):
    async with waiting(Wire()) as turn:
        await turn.one_round()
        retention = Retention(turn.host, Settings())
        assert await retention.remove_news() == 0
        await turn.host.store.run(update(news).values(done=news.c.done - NEWS_DAYS * 86_400 - 1))
        assert await retention.remove_news() == 1
        assert await turn.states() == []


# By e-mail, from the first question to the last


def token_in(mail, page):
    text = mail.get_body(("plain",)).get_content()
    return text.partition(f"{SITE}/{page}/")[2].split()[0]


async def test_an_address_hears_nothing_before_its_owner_agrees_and_nothing_after_one_click(database, port, serve):
    box = Mailbox()

    async def mails(number):
        await until(lambda: len(box.mails) >= number, 200)
        assert len(box.mails) == number

    with mailing(box) as mail_port:
        mail = f"smtp+plain://127.0.0.1:{mail_port}"
        settings = Settings(database=database, port=port, bots=0, site=SITE, mail=mail, mail_from=SENDER)
        async with serving(serve, settings) as app, httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
            host, notifier = app.state.host, app.state.notifier
            ann, bob = await member(port, "Ann"), await known(host.store, "Bob")
            body = {"address": "ann@EXAMPLE.org", "language": "nl"}
            made = await ann.http.post("/api/me/channels/email", json=body)
            assert made.status_code == 201, made.text
            assert (await ann.http.post("/api/me/channels/email", json=body)).json()["rule"] == "taken"
            session = (await ann.http.get("/api/session")).json()
            room = await table_of_days(host, Person(session["id"], "Ann", "member"), bob)
            if room.table.movers != (0,):
                await move(host, room)
            await mails(1)
            assert box.mails[0]["subject"] == "Is dit jouw adres?"
            await later(host)
            assert await notifier.plan() == 0, "not confirmed"
            token = token_in(box.mails[0], "confirm")
            assert (await http.post("/api/confirm", json={"token": token + "A"})).status_code == 404
            assert (await http.post("/api/confirm", json={"token": token})).json() == {"done": 1}
            (view,) = (await ann.http.get("/api/me/channels")).json()["channels"]
            assert (view["name"], view["is_confirmed"]) == ("ann@example.org", True)
            await host.store.run(update(channels).values(sent=0.0, made=0.0))
            notifier._written_until = None
            await notifier.plan()
            await mails(2)
            assert box.mails[1]["subject"] == "Jouw beurt: Azul"
            assert f"{SITE}/table/{room.table.id}" in box.mails[1].get_body(("plain",)).get_content()
            link = box.mails[1]["list-unsubscribe"].strip("<>")
            assert link.startswith(f"{SITE}/unsubscribe/")
            for path, status in ((link, 200), (link, 200), (link[:-3] + "AAA", 404)):
                # as a mail provider does it: no session, no JSON (RFC 8058)
                one_click = await http.post(path.removeprefix(SITE), data={"List-Unsubscribe": "One-Click"})
                assert one_click.status_code == status, one_click.text
            assert await host.store.run(select(channels)) == []
            assert await host.store.run(select(news)) == []


@pytest.mark.parametrize("page", ["confirm", "unsubscribe"])
async def test_a_link_that_is_only_opened_does_nothing(app, port, page):
    """Mail programs and scanners open links by themselves: a page is shown, and a button there acts."""
    store = app.state.host.store
    made = await kept.add_email(store, await known(store, "Ann"), "ann@x.org", "en", SITE)
    token = {
        "confirm": await kept.confirm_token(store, made, await store.now()),
        "unsubscribe": await kept.unsubscribe_token(store, made.id),
    }[page]
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        for method in ("GET", "HEAD"):
            answer = await http.request(method, f"/{page}/{token}")
            assert answer.status_code == 200
            assert answer.headers["referrer-policy"] == "no-referrer"
    (row,) = await store.run(select(channels))
    assert row["confirmed"] is None


async def test_a_link_confirms_only_its_own_address_and_only_for_two_days(host):
    ann = await known(host.store, "Ann")
    one, other = [await kept.add_email(host.store, ann, f"{name}@x.org", "en", SITE) for name in "ab"]
    now = await host.store.now()
    old = await kept.confirm_token(host.store, one, now - kept.CONFIRM_SECONDS - 1)
    assert not await kept.confirm(host.store, old)
    assert not await kept.confirm(host.store, await kept.unsubscribe_token(host.store, one.id))
    assert not await kept.end_by_link(host.store, await kept.confirm_token(host.store, one, now))
    assert not await kept.confirm(host.store, "not-a-token")
    assert await kept.confirm(host.store, await kept.confirm_token(host.store, one, now))
    found = {each.id: each.is_confirmed for each in await kept.channels_of(host.store, ann)}
    assert found == {one.id: True, other.id: False}
    await host.store.run(update(channels).values(made=now - kept.CONFIRM_SECONDS - 1))
    await kept.remove_expired(host.store)
    assert [each.id for each in await kept.channels_of(host.store, ann)] == [one.id]


@pytest.mark.parametrize("address", ["ann", "ann@", "@x.org", "a b@x.org", "a@x", "a@x.org\r\nBcc: b@x.org"])
async def test_what_is_no_address_is_refused(host, address):
    with pytest.raises(ValueError, match="e-mail address"):
        await kept.add_email(host.store, await known(host.store, "Ann"), address, "en", SITE)


@pytest.mark.parametrize(("answer", "state"), [("550 no", "failed"), ("451 later", "sending")])
async def test_a_mail_that_the_server_refuses_is_given_up_and_one_that_it_postpones_is_not(host, answer, state):
    with mailing(Mailbox(rcpt=answer)) as port:
        notifier = Notifier(host, Door(), MailServer("smtp+plain", "localhost", port, "", "", SENDER))
        made = await kept.add_email(host.store, await known(host.store, "Ann"), "ann@x.org", "en", SITE)
        await kept.announce(host.store, made, "confirm")
        assert await notifier.deliver() == 0
    assert [each for each, _ in await states(host)] == [state]


async def test_a_browser_keeps_its_preferences_when_it_subscribes_again(host):
    ann = await known(host.store, "Ann")
    session, device = Session("s1", "cookie", ann), Device()
    await kept.subscribe(host.store, session, device.browser, Door())
    (made,) = await kept.channels_of(host.store, ann)
    await kept.prefer(host.store, ann, made.id, Preferences(reminder_hours=6), "fr")
    await kept.subscribe(host.store, session, device.browser, Door())
    (again,) = await kept.channels_of(host.store, ann)
    assert again.preferences.reminder_hours == 6


async def test_an_invitation_by_a_friend_is_news_as_long_as_it_stands(host):
    ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
    await hook(host, bob)
    for one, other in ((ann, bob), (bob, ann)):
        await follow(host.store, one, other.id)
    rooms = [await open_table(host, Terms("azul/1 seats=2 wall=coloured", creator=ann.id)) for _ in range(2)]
    for room in rooms:
        await invite_person(host.store, ann, room, bob.id)
    await close_table(host, rooms[1])
    notifier = Notifier(host, wire := Wire())
    for arrived in (1, 0):  # it comes once
        await notifier.plan()
        assert await notifier.deliver() == arrived
    said = json.loads(wire.sent[0].body)
    assert said["type"] == "invitation"
    assert [each["url"] for each in said["tables"]] == [f"{SITE}/join/{rooms[0].table.id}"]
    assert "Ann" not in wire.sent[0].body.decode()
    assert sorted(state for state, _ in await states(host)) == ["dropped", "sent"]
