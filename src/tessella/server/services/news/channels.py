"""Channels: where a person gets news of turns, with which preferences, and the links in messages.

An e-mail address gets nothing but a request to confirm it until its owner has followed the link there. Links are signed
by a key that only the server has: one that confirms is valid for two days, one that unsubscribes always.
"""

import hmac
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from secrets import token_bytes, token_urlsafe
from typing import Any, Literal, TypeAlias
from urllib.parse import quote, urlsplit

from msgspec import Struct
from sqlalchemy import Executable, delete, exists, insert, select, update

from tessella.server.base64url import read64, write64
from tessella.server.people.identity import SESSION_ID, Person, Session, shared_key
from tessella.server.services.news.timing import Preferences, Quiet
from tessella.server.services.outgoing import Door
from tessella.server.store import Row, Store
from tessella.server.store.schema import channels, news, sessions
from tessella.table.table import Refused

ChannelKind: TypeAlias = Literal["push", "email", "discord", "matrix", "ntfy", "json"]
HookKind: TypeAlias = Literal["discord", "matrix", "ntfy", "json"]

MOST_CHANNELS = 10
"""Per person, without browsers."""

LONGEST_EMAIL = 254
EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}")
"""Plain ASCII, without quotes or comments."""

MATRIX_SEND = "{server}/_matrix/client/v3/rooms/{room}/send/m.room.message"
TOKEN = re.compile("[!-~]*")
"""It becomes part of a header, so it contains no line break."""
ROOM = re.compile(r"![!-~]{1,250}")

MAIL_RECEIVER = "mail"
"""The receiver of all e-mail: our mail server."""

VAPID_KEY, LINK_KEY = "push", "news"
"""The names of keys that all workers share."""

CONFIRM_SECONDS = 2 * 86_400.0
SIGNATURE_BYTES = 16
PAGE_ROWS = 200


class Channel(Struct, frozen=True):
    """A channel as it is stored, without its job."""

    id: str
    person: str
    kind: ChannelKind
    address: str
    secret: str
    receiver: str
    language: str
    site: str
    is_confirmed: bool
    preferences: Preferences


def read_channel(row: Row) -> Channel:
    """Return the channel in a row."""
    same = {name: row[name] for name in ("id", "person", "kind", "address", "secret", "receiver", "language", "site")}
    return Channel(**same, is_confirmed=row["confirmed"] is not None, preferences=read_preferences(row))


def read_preferences(row: Row) -> Preferences:
    """Return the preferences in the row of a channel."""
    begins, ends = row["quiet_from"], row["quiet_until"]
    quiet = None if begins is None or ends is None else Quiet(begins, ends, row["zone"])
    return Preferences(bool(row["turns"]), row["reminder_hours"], row["digest_minutes"], quiet)


def _columns(preferences: Preferences) -> dict[str, Any]:
    quiet = preferences.quiet
    return {
        "turns": preferences.turns,
        "reminder_hours": preferences.reminder_hours,
        "digest_minutes": preferences.digest_minutes,
        "quiet_from": quiet.begins if quiet else None,
        "quiet_until": quiet.ends if quiet else None,
        "zone": quiet.zone if quiet else "UTC",
    }


# Adding


class Browser(Struct, frozen=True):
    """A browser that is subscribed to the turns of its owner."""

    endpoint: str
    point: str
    auth: str
    language: str
    site: str


async def vapid_key(store: Store) -> bytes:
    """Return the private value of our key for push services: made once, shared by all workers."""
    from tessella.server.services import webpush

    return await shared_key(store, VAPID_KEY, webpush.new_private_value())


async def subscribe(store: Store, session: Session, browser: Browser, door: Door) -> None:
    """Subscribe a browser in place of an earlier one of the session; raise ValueError if address or key is bad.

    A browser that is subscribed already keeps its preferences.
    """
    from tessella.server.services import webpush

    if not door.opens_to(browser.endpoint):
        raise ValueError("not the address of a push service; expected https and a public host name")
    webpush.read_point(read64(browser.point))
    ours = (channels.c.kind == "push") & ((channels.c.session == session.id) | (channels.c.address == browser.endpoint))
    before = await store.run(select(channels).where(ours, channels.c.person == session.person.id))
    kept = read_preferences(before[0]) if before else Preferences()
    row = _row(session.person, "push", browser.endpoint, browser.language, browser.site, await store.now())
    secret = {"secret": f"{browser.point}.{browser.auth}", "session": session.id, "confirmed": row["made"]}
    await store.run(*_removing(ours), insert(channels).values({**row, **secret, **_columns(kept)}))


async def unsubscribe(store: Store, session: Session) -> bool:
    """Unsubscribe the browser of this session; return whether it was subscribed."""
    return bool(await store.run(*_removing((channels.c.kind == "push") & (channels.c.session == session.id))))


async def add_email(store: Store, person: Person, address: str, language: str, site: str) -> Channel:
    """Add an e-mail address, which is asked to confirm; raise ValueError if it is none."""
    if len(address) > LONGEST_EMAIL or not EMAIL.fullmatch(address):
        raise ValueError("not an e-mail address; expected name@host.domain in plain letters")
    local, _, domain = address.rpartition("@")
    row = _row(person, "email", f"{local}@{domain.lower()}", language, site, await store.now())
    return await _add(store, person, {**row, "receiver": MAIL_RECEIVER})


class Hook(Struct, frozen=True):
    """A webhook as its owner describes it: `room` and `token` are for Matrix, `token` also for ntfy."""

    kind: HookKind
    url: str
    room: str = ""
    token: str = ""


async def add_hook(store: Store, person: Person, hook: Hook, language: str, site: str, door: Door) -> Channel:
    """Add a webhook; raise ValueError if its address may not be called."""
    if not door.opens_to(hook.url):
        raise ValueError("not an address that may be called; expected https and a public host name")
    if not TOKEN.fullmatch(hook.token):
        raise ValueError("not an access token; expected plain letters, digits and signs")
    row = _row(person, hook.kind, _address(hook), language, site, await store.now())
    secret = "whsec_" + b64encode(token_bytes(24)).decode() if hook.kind == "json" else hook.token
    return await _add(store, person, {**row, "secret": secret, "confirmed": row["made"]})


def _address(hook: Hook) -> str:
    if hook.kind != "matrix":
        return hook.url
    if not ROOM.fullmatch(hook.room) or not hook.token:
        raise ValueError("Matrix needs the id of a room, such as !abc:example.org, and an access token")
    return MATRIX_SEND.format(server=hook.url.rstrip("/"), room=quote(hook.room, safe=""))


def _row(person: Person, kind: str, address: str, language: str, site: str, now: float) -> dict[str, Any]:
    return {
        "id": "n" + token_urlsafe(12),
        "person": person.id,
        "kind": kind,
        "address": address,
        "receiver": urlsplit(address).netloc,
        "language": language,
        "site": site,
        "made": now,
        **_columns(Preferences()),
    }


async def _add(store: Store, person: Person, row: Mapping[str, Any]) -> Channel:
    others = await channels_of(store, person)
    if any((other.kind, other.address) == (row["kind"], row["address"]) for other in others):
        raise Refused("taken", "you have this channel already")
    if sum(other.kind != "push" for other in others) >= MOST_CHANNELS:
        raise Refused("many", f"you have {MOST_CHANNELS} channels, which is the most; remove one first")
    (made,) = await store.run(insert(channels).values(row).returning(channels))
    return read_channel(made)


# Reading, changing and removing


async def channels_of(store: Store, person: Person) -> list[Channel]:
    """Return the channels of a person, the oldest first."""
    mine = select(channels).where(channels.c.person == person.id).order_by(channels.c.made, channels.c.id)
    return [read_channel(row) for row in await store.run(mine)]


async def browser_of(store: Store, session: Session) -> str:
    """Return the id of the channel of this session's browser; empty if it is not subscribed."""
    mine = (channels.c.kind == "push") & (channels.c.session == session.id)
    rows = await store.run(select(channels.c.id).where(mine))
    return str(rows[0]["id"]) if rows else ""


class LastNews(Struct, frozen=True):
    """What became of the last message on a channel."""

    state: str
    reason: str
    done: float


async def last_news(store: Store, person: Person) -> dict[str, LastNews]:
    """Return what became of the last news on each channel of a person that were not dropped."""
    done = select(news).where(news.c.person == person.id, news.c.done.is_not(None), news.c.state != "dropped")
    rows = await store.run(done.order_by(news.c.done))
    return {row["channel"]: LastNews(row["state"], row["reason"], row["done"]) for row in rows}


async def prefer(store: Store, person: Person, channel_id: str, preferences: Preferences, language: str) -> bool:
    """Change the preferences of a channel; return whether there is one. A worker looks at it again at once."""
    mine = (channels.c.id == channel_id) & (channels.c.person == person.id)
    waits = exists().where(news.c.channel == channels.c.id, news.c.done.is_(None))
    changed = update(channels).where(mine).values({**_columns(preferences), "language": language, "failures": 0})
    soon = update(channels).where(mine, waits, ~channels.c.in_flight, channels.c.message == "")
    rows = await store.run(soon.values(due=await store.now()), changed.returning(channels.c.id))
    return bool(rows)


async def remove(store: Store, person: Person, channel_id: str) -> bool:
    """Remove a channel of a person with its news; return whether there was one."""
    return bool(await store.run(*_removing((channels.c.id == channel_id) & (channels.c.person == person.id))))


async def remove_expired(store: Store) -> None:
    """Remove browsers whose sessions have ended, and addresses that were not confirmed in time, page by page."""
    alive = exists().where(sessions.c.person == channels.c.person, channels.c.session == SESSION_ID)
    ended = (channels.c.kind == "push") & ~alive
    unconfirmed = channels.c.confirmed.is_(None) & (channels.c.made < await store.now() - CONFIRM_SECONDS)
    last = ""
    while rows := await store.run(_channels_after(last)):
        page = channels.c.id.in_([row["id"] for row in rows])
        await store.run(*_removing(page & (ended | unconfirmed)))
        last = rows[-1]["id"]


def _channels_after(last: str) -> Executable:
    return select(channels.c.id).where(channels.c.id > last).order_by(channels.c.id).limit(PAGE_ROWS)


def _removing(condition: Any) -> Sequence[Executable]:  # noqa: ANN401  a condition on channels
    """Return the statements that remove channels with their news; the last returns their ids."""
    gone = select(channels.c.id).where(condition)
    return delete(news).where(news.c.channel.in_(gone)), delete(channels).where(condition).returning(channels.c.id)


async def announce(store: Store, channel: Channel, kind: Literal["confirm", "test"]) -> None:
    """Queue a message that its owner has asked for: to confirm the address, or to try the channel."""
    now = await store.now()
    row = {"channel": channel.id, "kind": kind, "game": "", "number": int(now), "person": channel.person}
    known = exists().where(news.c.channel == channel.id, news.c.kind == kind, news.c.done.is_(None))
    if await store.run(select(known.label("known")).where(known)):
        return
    await store.run(
        delete(news).where(news.c.channel == channel.id, news.c.kind == kind, news.c.number == int(now)),
        insert(news).values({**row, "due": now, "state": "waiting"}),
        update(channels).where(channels.c.id == channel.id).values(due=now, failures=0),
    )


# Links


async def confirm_token(store: Store, channel: Channel, now: float) -> str:
    """Return the token of the link that confirms an address, valid for `CONFIRM_SECONDS`."""
    return await _sign(store, "confirm", channel.id, str(int(now + CONFIRM_SECONDS)), channel.address)


async def unsubscribe_token(store: Store, channel_id: str) -> str:
    """Return the token of the link that ends the messages of a channel."""
    return await _sign(store, "unsubscribe", channel_id, "0", "")


async def _sign(store: Store, purpose: str, channel_id: str, ends: str, address: str) -> str:
    key = await shared_key(store, LINK_KEY)
    text = f"{purpose} {channel_id} {ends} {address}".encode()
    return write64(f"{channel_id} {ends} ".encode() + hmac.digest(key, text, "sha256")[:SIGNATURE_BYTES])


def _read_token(token: str) -> tuple[str, str]:
    """Return the channel of a token and when it ends; two empty texts if it is malformed."""
    try:
        channel_id, ends, _ = read64(token).split(b" ", 2)
        return channel_id.decode("ascii"), str(int(ends))
    except ValueError:
        return "", "0"


async def confirm(store: Store, token: str) -> bool:
    """Confirm the address of a link; return whether the link is valid."""
    channel_id, ends = _read_token(token)
    rows = await store.run(select(channels).where(channels.c.id == channel_id, channels.c.kind == "email"))
    if not rows or int(ends) < await store.now():
        return False
    channel = read_channel(rows[0])
    if not hmac.compare_digest(token, await _sign(store, "confirm", channel_id, ends, channel.address)):
        return False
    unconfirmed = update(channels).where(channels.c.id == channel_id, channels.c.confirmed.is_(None))
    await store.run(unconfirmed.values(confirmed=await store.now()))
    return True


async def end_by_link(store: Store, token: str) -> bool:
    """Remove the channel of a link in one of its messages; return whether the link is genuine.

    It succeeds again for a channel that is gone: a mail program may ask twice.
    """
    channel_id, _ = _read_token(token)
    if not hmac.compare_digest(token, await unsubscribe_token(store, channel_id)):
        return False
    await store.run(*_removing(channels.c.id == channel_id))
    return True
