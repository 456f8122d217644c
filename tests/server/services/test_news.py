"""News of turns by e-mail and webhooks: real receivers on loopback, both kinds of store, each message at most once."""

import asyncio
import hmac
import json
from base64 import b64decode, b64encode
from contextlib import asynccontextmanager

import httpx
import pytest
from sqlalchemy import select, update

from proofs.receivers import HANGS, Behaviour, Receiver
from tessella.server.people.identity import Session, find_person
from tessella.server.people.relations import follow
from tessella.server.rooms.lifecycle import Terms, close_table, open_table
from tessella.server.services.invitations import invite_person
from tessella.server.services.news import channels as kept
from tessella.server.services.news import delivery
from tessella.server.services.news.channels import Hook
from tessella.server.services.news.delivery import Notifier
from tessella.server.services.news.mail import MailServer
from tessella.server.services.news.timing import GIVE_UP_SECONDS, Preferences
from tessella.server.services.news.turns import GRACE_SECONDS, turns_at
from tessella.server.services.outgoing import Door
from tessella.server.services.retention import NEWS_DAYS, Retention
from tessella.server.settings import Settings
from tessella.server.store.schema import channels, games, news, people
from tests.server.helpers import hosting, known, member, run, serving
from tests.server.services.test_mail import SENDER, Mailbox
from tests.server.services.test_mail import serving as mailing
from tests.server.services.test_push import Device, later, move, table_of_days

SITE = "https://play.example.org"
TITLES = {
    "en": "Your turn: Azul",
    "nl": "Jouw beurt: Azul",
    "fr": "À vous de jouer : Azul",
    "de": "Du bist dran: Azul",
    "es": "Tu turno: Azul",
    "it": "Tocca a te: Azul",
}


def answering(*behaviours):
    """A receiver that answers so, one request after the other, and then always as the last time."""
    return Receiver(lambda number: behaviours[min(number, len(behaviours) - 1)])


@asynccontextmanager
async def waiting(url, receiver, kind="json", **more):
    """A worker, a receiver, and Ann, whose turn it is and who has a hook there."""
    async with hosting(url) as host, receiver.serving():
        ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
        room = await table_of_days(host, ann, bob)
        mover = (ann, bob)[room.table.movers[0]]
        door = Door(frozenset({receiver.origin}), seconds=0.5)
        made = await hook(host, mover, receiver, kind, door, **more)
        await later(host)
        yield host, Notifier(host, door), made, room


async def hook(host, person, receiver, kind, door, language="en", room="!r:x.org", token="t0ken"):
    wanted = Hook(kind, f"{receiver.origin}/{kind}", room if kind == "matrix" else "", token if kind != "json" else "")
    return await kept.add_hook(host.store, person, wanted, language, SITE, door)


async def one_round(notifier):
    await notifier.plan()
    return await notifier.deliver()


async def at_once(host):
    """As if every pause were over."""
    await host.store.run(update(channels).where(channels.c.due.is_not(None)).values(due=0.0))


async def states(host):
    return sorted((row["state"], row["reason"]) for row in await host.store.run(select(news)))


# What is said


@pytest.mark.parametrize("language", TITLES)
@pytest.mark.parametrize("kind", ["discord", "matrix", "ntfy", "json"])
def test_each_service_is_told_in_its_own_way(sqlite, kind, language):
    async def use():
        receiver = answering(Behaviour())
        async with waiting(sqlite, receiver, kind, language=language) as (_, notifier, made, room):
            assert await one_round(notifier) == 1
            (request,) = receiver.requests
            link = f"{SITE}/table/{room.table.id}"
            said = json.loads(request.body)
            line = f"{receiver.origin.partition('//')[2]}"
            assert request.headers["host"] == line
            if kind == "discord":
                assert request.line == "POST /discord HTTP/1.1"
                assert said["allowed_mentions"] == {"parse": []}
                assert said["content"].startswith(TITLES[language])
                assert link in said["content"]
            if kind == "matrix":
                start = "PUT /matrix/_matrix/client/v3/rooms/%21r%3Ax.org/send/m.room.message/"
                assert request.line.startswith(start)
                assert request.headers["authorization"] == "Bearer t0ken"
                assert (said["msgtype"], said["body"].partition("\n")[0]) == ("m.text", TITLES[language])
            if kind == "ntfy":
                assert request.line == "POST / HTTP/1.1"
                assert (said["topic"], said["title"], said["click"]) == ("ntfy", TITLES[language], link)
            if kind == "json":
                assert said["type"] == "turn"
                assert said["tables"] == [
                    {"id": room.table.id, "game": "azul", "url": link, "deadline": said["tables"][0]["deadline"]}
                ]
                check_signature(request, made.secret)

    run(use())


def check_signature(request, secret):
    """As the Standard Webhooks specification says, written here on its own."""
    signed = b".".join([request.headers[f"webhook-{name}"].encode() for name in ("id", "timestamp")] + [request.body])
    key = b64decode(secret.removeprefix("whsec_"))
    assert request.headers["webhook-signature"] == "v1," + b64encode(hmac.digest(key, signed, "sha256")).decode()


def test_nothing_about_the_table_or_the_others_is_said(sqlite):
    async def use():
        receiver = answering(Behaviour())
        async with waiting(sqlite, receiver, "discord") as (_, notifier, _, room):
            await one_round(notifier)
            (request,) = receiver.requests
            assert json.loads(request.body)["content"] == (
                f"Your turn: Azul\nAzul, it is your turn: {SITE}/table/{room.table.id}"
            )

    run(use())


# At most once


def test_a_turn_is_told_once_by_however_many_workers(database):
    async def use():
        receiver = answering(Behaviour())
        async with waiting(database, receiver) as (host, notifier, _, room), hosting(database) as other:
            second = Notifier(other, notifier.door)
            await asyncio.gather(*(one_round(each) for each in (notifier, second)))
            await at_once(host)
            await asyncio.gather(*(one_round(each) for each in (Notifier(host, notifier.door), second)))
            assert len(receiver.requests) == 1
            assert await states(host) == [("sent", "")]
            turns = await turns_at(host.store, [room.table.id])
            assert [turn.number for turn in turns.values()] == [0]

    run(use())


def test_an_offer_at_the_table_does_not_make_it_another_turn(sqlite):
    async def use():
        receiver = answering(Behaviour())
        async with waiting(sqlite, receiver) as (host, notifier, _, room):
            assert await one_round(notifier) == 1
            mover = room.table.movers[0]
            await host.append(room, "pause", lambda table, _: table.ask(1 - mover, "pause"))
            await later(host)
            assert await one_round(Notifier(host, notifier.door)) == 0
            for _ in range(2):
                await move(host, room)
            await later(host)
            assert await one_round(Notifier(host, notifier.door)) == 1

    run(use())


def test_a_receiver_that_fails_is_tried_again_with_the_same_id(database):
    async def use():
        receiver = answering(Behaviour(500, takes=False), Behaviour(503, takes=False), Behaviour())
        async with waiting(database, receiver) as (host, notifier, _, _):
            assert await one_round(notifier) == 0
            assert await one_round(notifier) == 0, "not before its time"
            for arrived in (0, 1):
                await at_once(host)
                assert await one_round(notifier) == arrived
            assert len({request.id for request in receiver.requests}) == 1
            assert len(receiver.requests) == 3
            assert await states(host) == [("sent", "")]

    run(use())


def test_a_message_to_a_chat_that_may_have_arrived_is_not_repeated(database):
    async def use():
        receiver = answering(HANGS)
        async with waiting(database, receiver, "discord") as (host, notifier, _, _):
            assert await one_round(notifier) == 0
            await at_once(host)
            assert await one_round(notifier) == 0
            assert len(receiver.requests) == 1
            assert await states(host) == [("uncertain", "silent")]

    run(use())


def test_a_program_that_may_have_got_it_is_asked_again_and_recognises_it(database):
    async def use():
        receiver = answering(Behaviour(200, wait=1.0), Behaviour())
        async with waiting(database, receiver) as (host, notifier, _, _):
            assert await one_round(notifier) == 0
            await at_once(host)
            assert await one_round(notifier) == 1
            assert list(receiver.visible.values()) == [1]
            assert await states(host) == [("sent", "")]

    run(use())


@pytest.mark.parametrize(("kind", "times", "state"), [("json", 2, "sent"), ("discord", 1, "uncertain")])
def test_a_worker_that_dies_while_it_sends_does_not_make_it_visible_twice(database, kind, times, state, monkeypatch):
    async def use():
        receiver = answering(Behaviour())
        async with waiting(database, receiver, kind) as (host, notifier, _, _):
            monkeypatch.setattr(notifier, "_finish_some", dies)
            with pytest.raises(asyncio.CancelledError):
                await one_round(notifier)
            await asyncio.sleep(0.3)
            assert len(receiver.requests) == 1
            heir = Notifier(host, notifier.door)
            assert await one_round(heir) == 0, "the lease holds"
            await host.store.run(update(channels).values(leased=0.0))
            await at_once(host)
            await one_round(heir)
            assert len(receiver.requests) == times
            assert [each for each, _ in await states(host)] == [state]

    async def dies():
        raise asyncio.CancelledError

    run(use())


def test_without_the_store_an_outcome_is_kept_until_it_is_back(sqlite, monkeypatch):
    async def use():
        receiver = answering(Behaviour())
        async with waiting(sqlite, receiver) as (host, notifier, _, _):
            await notifier.plan()
            real = delivery._results
            monkeypatch.setattr(delivery, "_results", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                await notifier.deliver()
            monkeypatch.setattr(delivery, "_results", real)
            assert await notifier.deliver() == 1
            assert await states(host) == [("sent", "")]
            assert len(receiver.requests) == 1

    run(use())


# Giving up, visibly


def test_what_is_refused_for_good_is_given_up_at_once(sqlite):
    async def use():
        receiver = answering(Behaviour(404, takes=False))
        async with waiting(sqlite, receiver) as (host, notifier, made, _):
            assert await one_round(notifier) == 0
            assert await states(host) == [("failed", "status 404")]
            person = await known(host.store, "Other")
            assert await kept.last_news(host.store, person) == {}
            (last,) = (await kept.last_news(host.store, await person_of(host, made))).values()
            assert (last.state, last.reason) == ("failed", "status 404")

    run(use())


async def person_of(host, made):
    return await find_person(host.store, made.person)


def test_a_channel_that_always_fails_gets_no_more_until_its_owner_changes_it(sqlite):
    async def use():
        receiver = answering(Behaviour(404, takes=False))
        async with waiting(sqlite, receiver) as (host, notifier, made, _):
            await host.store.run(update(channels).values(failures=delivery.MOST_FAILURES))
            await one_round(notifier)
            assert receiver.requests == []
            assert await states(host) == [("failed", "unreachable")]
            person = await person_of(host, made)
            assert await kept.prefer(host.store, person, made.id, Preferences(), "en")
            await kept.announce(host.store, made, "test")
            await notifier.deliver()
            assert len(receiver.requests) == 1

    run(use())


def test_a_receiver_that_does_not_answer_holds_up_nobody_else(database):
    """Many wait for a receiver that hangs: a few are tried, the others are moved back."""

    async def use():
        hanging, prompt = answering(HANGS), answering(Behaviour())
        async with hosting(database) as host, hanging.serving(), prompt.serving():
            door = Door(frozenset({hanging.origin, prompt.origin}), seconds=0.5)
            ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
            rooms = [await table_of_days(host, ann, bob) for _ in range(3)]
            for number in range(40):
                person = await known(host.store, f"P{number}")
                made = await hook(host, person, hanging, "json", door)
                await kept.announce(host.store, made, "test")
            made = await hook(host, ann, prompt, "json", door)
            await kept.announce(host.store, made, "test")
            assert rooms
            assert await Notifier(host, door).deliver() == 1
            assert len(prompt.requests) == 1
            assert len(hanging.requests) <= 3 * delivery.MOST_PER_RECEIVER
            soon = await host.store.now() + delivery.BREAK_SECONDS + 1
            rows = await host.store.run(select(channels.c.due).where(channels.c.id != made.id))
            assert all(row["due"] < soon for row in rows)

    run(use())


def test_everything_overdue_is_given_up_in_one_round(database):
    """Many messages to a receiver that never answered: their time is over at once, and so is their waiting."""

    async def use():
        hanging = answering(HANGS)
        async with hosting(database) as host, hanging.serving():
            door = Door(frozenset({hanging.origin}), seconds=0.5)
            for number in range(3 * delivery.MOST_PER_RECEIVER):
                person = await known(host.store, f"P{number}")
                await kept.announce(host.store, await hook(host, person, hanging, "json", door), "test")
            await host.store.run(update(news).values(due=news.c.due - GIVE_UP_SECONDS - 1))
            await Notifier(host, door).deliver()
            assert await states(host) == [("failed", "unreachable")] * 3 * delivery.MOST_PER_RECEIVER
            assert hanging.requests == []

    run(use())


def test_a_break_ends_when_a_message_is_given_up(database):
    async def use():
        hanging = answering(HANGS)
        async with hosting(database) as host, hanging.serving():
            door = Door(frozenset({hanging.origin}), seconds=0.5)
            for number in range(2 * delivery.MOST_PER_RECEIVER):
                person = await known(host.store, f"P{number}")
                await kept.announce(host.store, await hook(host, person, hanging, "json", door), "test")
            end = await host.store.now() + 10
            await host.store.run(update(news).values(due=end - GIVE_UP_SECONDS))
            await Notifier(host, door).deliver()
            untried = select(channels.c.due).where(channels.c.attempts == 0)
            rows = await host.store.run(untried)
            assert len(rows) == delivery.MOST_PER_RECEIVER
            assert [row["due"] for row in rows] == pytest.approx([end] * len(rows), abs=1)

    run(use())


# When


def test_turns_of_an_hour_are_one_digest(sqlite):
    async def use():
        receiver = answering(Behaviour())
        async with waiting(sqlite, receiver) as (host, notifier, made, room):
            person = await person_of(host, made)
            await kept.prefer(host.store, person, made.id, Preferences(digest_minutes=60), "en")
            other = await table_of_days(host, person, await known(host.store, "Cid"))
            if other.table.movers != (0,):
                await move(host, other)
            await later(host)
            assert await one_round(notifier) == 0
            (row,) = await host.store.run(select(channels))
            assert row["due"] == pytest.approx(await host.store.now() + 3_600, abs=30)
            await host.store.run(update(news).values(due=news.c.due - 3_600))
            await at_once(host)
            assert await notifier.deliver() == 1
            (request,) = receiver.requests
            assert {table["id"] for table in json.loads(request.body)["tables"]} == {room.table.id, other.table.id}

    run(use())


def test_a_reminder_comes_before_the_deadline_and_not_after_the_move(sqlite):
    async def use():
        receiver = answering(Behaviour())
        async with waiting(sqlite, receiver) as (host, notifier, made, room):
            person = await person_of(host, made)
            await kept.prefer(host.store, person, made.id, Preferences(turns=False, reminder_hours=3), "en")
            assert await one_round(notifier) == 0
            now = await host.store.now()
            await host.store.run(update(games).values(deadline=now + 2.5 * 3_600))
            await at_once(host)
            assert await notifier.deliver() == 1
            said = json.loads(receiver.requests[0].body)
            assert (said["type"], said["text"]) == ("reminder", "Time is running out: Azul")
            for _ in range(2):
                await move(host, room)
            await later(host)
            await one_round(Notifier(host, notifier.door))
            await move(host, room)
            await host.store.run(update(games).values(deadline=now + 60))
            await at_once(host)
            assert await notifier.deliver() == 0
            assert ("dropped", "") in await states(host)

    run(use())


def test_turns_from_before_the_channel_are_not_told(sqlite):
    async def use():
        receiver = answering(Behaviour())
        async with waiting(sqlite, receiver) as (host, notifier, _, _):
            await host.store.run(update(channels).values(made=await host.store.now()))
            assert await one_round(notifier) == 0

    run(use())


def test_finished_news_are_removed_after_a_week(database):
    async def use():
        receiver = answering(Behaviour())
        async with waiting(database, receiver) as (host, notifier, _, _):
            await one_round(notifier)
            retention = Retention(host, Settings())
            assert await retention.remove_news() == 0
            await host.store.run(update(news).values(done=news.c.done - NEWS_DAYS * 86_400 - 1))
            assert await retention.remove_news() == 1
            assert await states(host) == []

    run(use())


# By e-mail, from the first question to the last


def token_in(mail, page):
    text = mail.get_body(("plain",)).get_content()
    return text.partition(f"{SITE}/{page}/")[2].split()[0]


def test_an_address_hears_nothing_before_its_owner_agrees_and_nothing_after_one_click(database, port, serve):
    box = Mailbox()

    async def use(app):
        host = app.state.host
        ann, bob = await member(port, "Ann"), await known(host.store, "Bob")
        body = {"address": "ann@EXAMPLE.org", "language": "nl"}
        made = await ann.http.post("/api/me/channels/email", json=body)
        assert made.status_code == 201, made.text
        assert (await ann.http.post("/api/me/channels/email", json=body)).json()["rule"] == "taken"
        room = await table_of_days(host, await person_called(host, "Ann"), bob)
        if room.table.movers != (0,):
            await move(host, room)
        await mails(1)
        assert box.mails[0]["subject"] == "Is dit jouw adres?"
        await later(host)
        await app.state.notifier.plan()
        await asyncio.sleep(2.5)
        assert len(box.mails) == 1, "not confirmed"
        token = token_in(box.mails[0], "confirm")
        assert (await bob_asks(port, token + "A")).status_code == 404
        assert (await bob_asks(port, token)).json() == {"done": 1}
        (view,) = (await ann.http.get("/api/me/channels")).json()["channels"]
        assert (view["name"], view["is_confirmed"]) == ("ann@example.org", True)
        await host.store.run(update(channels).values(sent=0.0, made=0.0))
        app.state.notifier._written_until = None
        await app.state.notifier.plan()
        await mails(2)
        assert box.mails[1]["subject"] == "Jouw beurt: Azul"
        assert f"{SITE}/table/{room.table.id}" in box.mails[1].get_body(("plain",)).get_content()
        link = box.mails[1]["list-unsubscribe"].strip("<>")
        assert link.startswith(f"{SITE}/unsubscribe/")
        await one_click(port, link.removeprefix(SITE), 200)
        await one_click(port, link.removeprefix(SITE), 200)
        await one_click(port, link.removeprefix(SITE)[:-3] + "AAA", 404)
        assert await host.store.run(select(channels)) == []
        assert await host.store.run(select(news)) == []

    async def mails(number):
        async with asyncio.timeout(20):
            while len(box.mails) < number:
                await asyncio.sleep(0.05)

    with mailing(box) as mail_port:
        mail = f"smtp+plain://127.0.0.1:{mail_port}"
        settings = Settings(database=database, port=port, bots=0, site=SITE, mail=mail, mail_from=SENDER)
        serving(serve, settings, use)


async def person_called(host, name):
    (row,) = await host.store.run(select(people.c.id).where(people.c.name == name))
    return await find_person(host.store, row["id"])


async def bob_asks(port, token):
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        return await http.post("/api/confirm", json={"token": token})


@pytest.mark.parametrize("page", ["confirm", "unsubscribe"])
def test_a_link_that_is_only_opened_does_nothing(sqlite, port, serve, page):
    """Mail programs and scanners open links by themselves: a page is shown, and a button there acts."""

    async def use(app):
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

    serving(serve, Settings(database=sqlite, port=port, bots=0), use)


async def one_click(port, path, status):
    """As a mail provider does it: no session, no JSON (RFC 8058)."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        answer = await http.post(path, data={"List-Unsubscribe": "One-Click"})
        assert answer.status_code == status, answer.text


def test_a_link_confirms_only_its_own_address_and_only_for_two_days(sqlite):
    async def use():
        async with hosting(sqlite) as host:
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

    run(use())


@pytest.mark.parametrize("address", ["ann", "ann@", "@x.org", "a b@x.org", "a@x", "a@x.org\r\nBcc: b@x.org"])
def test_what_is_no_address_is_refused(sqlite, address):
    async def use():
        async with hosting(sqlite) as host:
            with pytest.raises(ValueError, match="e-mail address"):
                await kept.add_email(host.store, await known(host.store, "Ann"), address, "en", SITE)

    run(use())


def test_a_mail_that_the_server_refuses_is_given_up_and_one_that_it_postpones_is_not(sqlite):
    async def use(box, state):
        async with hosting(sqlite) as host:
            ann = await known(host.store, f"Ann {state}")
            with mailing(box) as port:
                notifier = Notifier(host, Door(), MailServer("smtp+plain", "localhost", port, "", "", SENDER))
                made = await kept.add_email(host.store, ann, "ann@x.org", "en", SITE)
                await kept.announce(host.store, made, "confirm")
                assert await notifier.deliver() == 0
            assert (state, "") in {(each, "") for each, _ in await states(host)}

    run(use(Mailbox(rcpt="550 no"), "failed"))
    run(use(Mailbox(rcpt="451 later"), "sending"))


def test_a_browser_keeps_its_preferences_when_it_subscribes_again(sqlite):
    async def use():
        async with hosting(sqlite) as host:
            ann = await known(host.store, "Ann")
            session, device = Session("s1", "cookie", ann), Device()
            await kept.subscribe(host.store, session, device.browser, Door())
            (made,) = await kept.channels_of(host.store, ann)
            await kept.prefer(host.store, ann, made.id, Preferences(reminder_hours=6), "fr")
            await kept.subscribe(host.store, session, device.browser, Door())
            (again,) = await kept.channels_of(host.store, ann)
            assert again.preferences.reminder_hours == 6

    run(use())


def test_grace_is_shorter_than_a_minute():
    assert GRACE_SECONDS + delivery.PLAN_SECONDS + delivery.TICK_SECONDS < 60


# Invitations


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "You are invited: Azul"),
        ("nl", "Je bent uitgenodigd: Azul"),
        ("fr", "On vous invite"),
        ("de", "Du bist eingeladen: Azul"),
        ("es", "Te invitan a jugar: Azul"),
        ("it", "Hai un invito: Azul"),
    ],
)
def test_an_invitation_by_a_friend_is_news_as_long_as_it_stands(database, language, title):
    async def use():
        receiver = answering(Behaviour())
        async with hosting(database) as host, receiver.serving():
            ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
            door = Door(frozenset({receiver.origin}), seconds=0.5)
            await hook(host, bob, receiver, "json", door, language)
            for one, other in ((ann, bob), (bob, ann)):
                await follow(host.store, one, other.id)
            rooms = [await open_table(host, Terms("azul/1 seats=2 wall=coloured", creator=ann.id)) for _ in range(2)]
            for room in rooms:
                await invite_person(host.store, ann, room, bob.id)
            await close_table(host, rooms[1])
            notifier = Notifier(host, door)
            assert await one_round(notifier) == 1
            said = json.loads(receiver.requests[0].body)
            assert said["type"] == "invitation"
            assert [each["url"] for each in said["tables"]] == [f"{SITE}/join/{rooms[0].table.id}"]
            assert title in receiver.requests[0].body.decode()
            assert "Ann" not in receiver.requests[0].body.decode()
            assert await one_round(notifier) == 0, "it comes once"
            assert sorted(state for state, _ in await states(host)) == ["dropped", "sent"]

    run(use())
