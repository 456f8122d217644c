"""Members: guests who want to be known again, by a log-in and a password; their tokens and bots.

A guest who becomes a member stays the same person. A guest who logs in as a member hands over all games. Whether a
log-in exists cannot be told from the answer or the time of a failed attempt.
"""

import asyncio
import unicodedata
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct
from sqlalchemy import delete, select, update

from tessella.server.passwords import is_common
from tessella.server.people import (
    DELETED,
    SESSION_ID,
    Person,
    Session,
    add_person,
    add_session,
    adopt,
    end_sessions,
    find_person,
    fresh_secret,
)
from tessella.server.store import Store
from tessella.server.store.errors import CLASHES
from tessella.server.store.schema import people, sessions
from tessella.server.table import Refused

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 128
SHORTEST_LOGIN = 3
MOST_TOKENS = 20
MOST_BOTS = 10
DAY = 86_400.0

Way: TypeAlias = Literal["passkey", "password"]
LIBRARIES: dict[Way, str] = {"passkey": "webauthn", "password": "argon2"}
"""What each way to log in takes, from the extra `accounts`."""


@cache
def ways() -> tuple[Way, ...]:
    """The ways to log in that this server has; none where the extra is not installed."""
    return tuple(way for way, library in LIBRARIES.items() if _is_installed(library))


def _is_installed(library: str) -> bool:
    try:
        import_module(library)
    except ModuleNotFoundError:
        return False
    return True


# Log-ins and passwords


def clean_login(login: str) -> str:
    """A log-in as it is compared: nobody minds capitals; raises ValueError if it is none.

    >>> clean_login(" Ann@Example.org")
    'ann@example.org'
    """
    clean = unicodedata.normalize("NFKC", login).strip().casefold()
    if len(clean) < SHORTEST_LOGIN or not clean.isprintable() or " " in clean:
        raise ValueError(f"a log-in has at least {SHORTEST_LOGIN} letters and no spaces")
    return clean


def check_new_password(password: str, *known: str) -> None:
    """Refuse what anybody would try first; raises ValueError."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise ValueError(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")
    if is_common(password) or any(len(word) > 3 and word.casefold() in password.casefold() for word in known):
        raise ValueError("that password is too easy to guess")


async def become_member(store: Store, person: Person, login: str, password: str) -> Person:
    """A log-in and a password for a guest, who is a member then, or for a member who had none."""
    clean = clean_login(login)
    check_new_password(password, clean, person.name)
    hashed = await asyncio.to_thread(_hasher().hash, password)
    nobody_yet = people.c.login.is_(None) & people.c.kind.in_(("guest", "member"))
    change = update(people).where(people.c.id == person.id, nobody_yet).returning(people.c.id)
    try:
        changed = await store.run(change.values(login=clean, password=hashed, kind="member"))
    except CLASHES:
        raise Refused("taken", "somebody has that log-in already") from None
    if not changed:
        raise Refused("member", "you have a log-in already")
    return Person(person.id, person.name, "member", person.also)


async def check_login(store: Store, login: str, password: str) -> Person | None:
    """Who has this log-in and password. It takes as long if there is no such log-in."""
    found = await store.run(select(people.c.id, people.c.password).where(people.c.login == _login_or_nobodys(login)))
    stored = str(found[0]["password"]) if found else _nobodys_password()
    if not await asyncio.to_thread(_matches, stored, password) or not found:
        return None
    if _hasher().check_needs_rehash(stored):
        await _set_password(store, found[0]["id"], password)
    return await find_person(store, found[0]["id"])


async def change_password(store: Store, session: Session, old: str, new: str) -> None:
    """Another password, for who knows the old one; all other sessions end."""
    rows = await store.run(select(people.c.login, people.c.password).where(people.c.id == session.person.id))
    if rows[0]["password"] is None:
        raise Refused("member", "you have no password yet")
    if not await asyncio.to_thread(_matches, str(rows[0]["password"]), old):
        raise Refused("password", "the old password is another one")
    check_new_password(new, rows[0]["login"], session.person.name)
    await _set_password(store, session.person.id, new)
    others = (sessions.c.person == session.person.id) & SESSION_ID.not_in([session.id]) & (sessions.c.kind == "cookie")
    await store.run(delete(sessions).where(others))


async def _set_password(store: Store, person_id: str, password: str) -> None:
    hashed = await asyncio.to_thread(_hasher().hash, password)
    await store.run(update(people).where(people.c.id == person_id).values(password=hashed))


def _login_or_nobodys(login: str) -> str:
    try:
        return clean_login(login)
    except ValueError:
        return ""


@cache
def _hasher() -> "PasswordHasher":
    """Argon2id with 19 MiB and two passes: what OWASP asks for, and some 30 ms of one core."""
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


def _matches(hashed: str, password: str) -> bool:
    from argon2.exceptions import VerificationError

    try:
        return _hasher().verify(hashed, password)
    except VerificationError:
        return False


@cache
def _nobodys_password() -> str:
    """What a password for an unknown log-in is compared with."""
    return _hasher().hash(fresh_secret())


async def enter(store: Store, before: Session | None, member: Person) -> str:
    """Log in: a new cookie. A guest who was there before turns out to be the member."""
    if before is not None and before.person.kind == "guest" and before.person.id != member.id:
        await adopt(store, before.person, member)
    elif before is not None and before.kind == "cookie":
        await end_sessions(store, before.person, before.id)
    return await add_session(store, member, "cookie")


# Sessions, tokens and bots


class Held(Struct, frozen=True):
    """A cookie or token that somebody holds."""

    id: str
    kind: str
    label: str
    made: float
    ends: float


async def held_by(store: Store, person: Person, kind: str) -> list[Held]:
    """The cookies or tokens of a person, the latest first."""
    columns = (SESSION_ID.label("id"), sessions.c.kind, sessions.c.label, sessions.c.made, sessions.c.ends)
    mine = (sessions.c.person == person.id) & (sessions.c.kind == kind) & (sessions.c.ends > await store.now())
    rows = await store.run(select(*columns).where(mine).order_by(sessions.c.made.desc()))
    return [Held(row["id"], row["kind"], row["label"], row["made"], row["ends"]) for row in rows]


async def add_token(store: Store, member: Person, label: str, days: float) -> str:
    """A token for a member's programs; this is the only time that it is seen."""
    if len(await held_by(store, member, "token")) >= MOST_TOKENS:
        raise Refused("many", f"{MOST_TOKENS} tokens are enough; revoke one first")
    return await add_session(store, member, "token", label=label, seconds=days * DAY)


async def add_bot(store: Store, owner: Person, name: str) -> tuple[Person, str]:
    """A bot account of a member, and its token."""
    if len(await bots_of(store, owner)) >= MOST_BOTS:
        raise Refused("many", f"{MOST_BOTS} bots are enough; delete one first")
    bot = await add_person(store, name, "bot", owner.id)
    return bot, await add_session(store, bot, "token")


async def bots_of(store: Store, owner: Person) -> list[Person]:
    """The bot accounts of a member."""
    mine = (people.c.owner == owner.id) & (people.c.name != DELETED)
    rows = await store.run(select(people.c.id, people.c.name, people.c.kind).where(mine).order_by(people.c.made))
    return [Person(row["id"], row["name"], row["kind"]) for row in rows]


async def find_bot(store: Store, owner: Person, bot_id: str) -> Person | None:
    """A bot account of this member."""
    return next((bot for bot in await bots_of(store, owner) if bot.id == bot_id), None)


async def new_bot_token(store: Store, bot: Person) -> str:
    """Another token for a bot; the old ones are worth nothing any more."""
    await store.run(delete(sessions).where(sessions.c.person == bot.id))
    return await add_session(store, bot, "token")
