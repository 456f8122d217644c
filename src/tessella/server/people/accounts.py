"""Member accounts with a user name and a password; their API tokens and bot accounts.

A guest who becomes a member stays the same person. When a guest logs in as an existing member, their games go to the
member. Neither the answer to a failed log-in nor its timing reveals whether the user name exists.
"""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import delete, select, update

from tessella.server.people.identity import (
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
    require_not_banned,
)
from tessella.server.people.password_policy import is_common
from tessella.server.store import Store
from tessella.server.store.errors import CLASHES
from tessella.server.store.schema import people, sessions
from tessella.table.table import Refused

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 128
SHORTEST_LOGIN = 3
HASHING_THREADS = 2
MOST_TOKENS = 20
MOST_BOTS = 10
DAY_SECONDS = 86_400.0

T = TypeVar("T")
LoginMethod: TypeAlias = Literal["passkey", "password"]
LIBRARIES: dict[LoginMethod, str] = {"passkey": "webauthn", "password": "argon2"}
"""The library that each method needs, from the extra `accounts`."""


@cache
def login_methods() -> tuple[LoginMethod, ...]:
    """Return the ways to log in that this server offers; none if the extra is not installed."""
    return tuple(method for method, library in LIBRARIES.items() if _is_installed(library))


def _is_installed(library: str) -> bool:
    try:
        import_module(library)
    except ModuleNotFoundError:
        return False
    return True


# Log-ins and passwords


def clean_login(login: str) -> str:
    """Return a user name normalised for comparison, without case; raise ValueError if it is not acceptable.

    >>> clean_login(" Ann@Example.org")
    'ann@example.org'
    """
    clean = unicodedata.normalize("NFKC", login).strip().casefold()
    if len(clean) < SHORTEST_LOGIN or not clean.isprintable() or " " in clean:
        raise ValueError(f"a log-in has at least {SHORTEST_LOGIN} characters and no spaces")
    return clean


def check_new_password(password: str, *known: str) -> None:
    """Raise ValueError if a password is too short, too long or too easy to guess."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise ValueError(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")
    if is_common(password) or any(len(word) > 3 and word.casefold() in password.casefold() for word in known):
        raise ValueError("that password is too easy to guess")


async def become_member(store: Store, person: Person, login: str, password: str) -> Person:
    """Give a user name and a password to a guest, who becomes a member, or to a member without one."""
    clean = clean_login(login)
    check_new_password(password, clean, person.name)
    hashed = await _in_hashing_thread(_hasher().hash, password)
    has_none = people.c.login.is_(None) & people.c.kind.in_(("guest", "member"))
    change = update(people).where(people.c.id == person.id, has_none).returning(people.c.id)
    try:
        changed = await store.run(change.values(login=clean, password=hashed, kind="member"))
    except CLASHES:
        raise Refused("taken", "that log-in is already taken") from None
    if not changed:
        raise Refused("member", "you already have a log-in")
    return replace(person, kind="member")


class Credentials(Struct, frozen=True):
    """A normalised user name, the person it belongs to (empty if unknown), and the hash of the password."""

    login: str
    person: str
    hashed: str


async def find_credentials(store: Store, login: str) -> Credentials:
    """Return the credentials of a user name; an unknown one gets dummy credentials."""
    clean = _clean_or_empty(login)
    found = await store.run(select(people.c.id, people.c.password).where(people.c.login == clean))
    if not found:
        return Credentials(clean, "", _dummy_hash())
    return Credentials(clean, str(found[0]["id"]), str(found[0]["password"]))


async def check_password(store: Store, known: Credentials, password: str) -> Person | None:
    """Return the person if the password is right; an unknown user name takes as long."""
    if not await _in_hashing_thread(_matches, known.hashed, password) or not known.person:
        return None
    if _hasher().check_needs_rehash(known.hashed):
        await set_password(store, known.person, password)
    return await find_person(store, known.person)


async def check_login(store: Store, login: str, password: str) -> Person | None:
    """Return the person with this user name and password, or None; an unknown user name takes as long."""
    return await check_password(store, await find_credentials(store, login), password)


async def change_password(store: Store, session: Session, old: str, new: str) -> None:
    """Change the password of a member who knows the old one, and end all their other sessions."""
    rows = await store.run(select(people.c.login, people.c.password).where(people.c.id == session.person.id))
    if rows[0]["password"] is None:
        raise Refused("member", "you have no password yet")
    if not await _in_hashing_thread(_matches, str(rows[0]["password"]), old):
        raise Refused("password", "the old password is wrong")
    check_new_password(new, rows[0]["login"], session.person.name)
    await set_password(store, session.person.id, new)
    others = (sessions.c.person == session.person.id) & SESSION_ID.not_in([session.id]) & (sessions.c.kind == "cookie")
    await store.run(delete(sessions).where(others))


async def set_password(store: Store, person_id: str, password: str) -> None:
    """Store a password, which must have been checked."""
    hashed = await _in_hashing_thread(_hasher().hash, password)
    await store.run(update(people).where(people.c.id == person_id).values(password=hashed))


def _clean_or_empty(login: str) -> str:
    try:
        return clean_login(login)
    except ValueError:
        return ""


async def _in_hashing_thread(compute: Callable[..., T], *arguments: str) -> T:
    """Hash or compare in a dedicated pool: a flood of log-ins blocks no other work, and memory is bounded."""
    return await asyncio.get_running_loop().run_in_executor(_threads(), compute, *arguments)


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(HASHING_THREADS, "passwords")


@cache
def _hasher() -> "PasswordHasher":
    """Return Argon2id with 19 MiB and two passes: what OWASP recommends, about 30 ms of one core."""
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


def _matches(hashed: str, password: str) -> bool:
    from argon2.exceptions import VerificationError

    try:
        return _hasher().verify(hashed, password)
    except VerificationError:
        return False


@cache
def _dummy_hash() -> str:
    """Return the hash that the password for an unknown user name is compared with."""
    return _hasher().hash(fresh_secret())


async def enter(store: Store, before: Session | None, member: Person) -> str:
    """Log in and return a new session cookie; a guest session before it is merged into the member.

    Raise `Banned` if the member is.
    """
    await require_not_banned(store, member)
    if before is not None and before.person.kind == "guest" and before.person.id != member.id:
        await adopt(store, before.person, member)
    elif before is not None and before.kind == "cookie":
        await end_sessions(store, before.person, before.id)
    return await add_session(store, member, "cookie")


# Sessions, tokens and bots


class StoredSession(Struct, frozen=True):
    """A valid cookie or token, without its secret."""

    id: str
    kind: str
    label: str
    made: float
    ends: float


async def sessions_of(store: Store, person: Person, kind: str) -> list[StoredSession]:
    """Return the valid cookies or tokens of a person, newest first."""
    columns = (SESSION_ID.label("id"), sessions.c.kind, sessions.c.label, sessions.c.made, sessions.c.ends)
    mine = (sessions.c.person == person.id) & (sessions.c.kind == kind) & (sessions.c.ends > await store.now())
    rows = await store.run(select(*columns).where(mine).order_by(sessions.c.made.desc()))
    return [StoredSession(row["id"], row["kind"], row["label"], row["made"], row["ends"]) for row in rows]


async def add_token(store: Store, member: Person, label: str, days: float) -> str:
    """Return a new API token of a member; its secret cannot be read again."""
    if len(await sessions_of(store, member, "token")) >= MOST_TOKENS:
        raise Refused("many", f"you have {MOST_TOKENS} tokens, which is the most; revoke one first")
    return await add_session(store, member, "token", label=label, seconds=days * DAY_SECONDS)


async def add_bot(store: Store, owner: Person, name: str) -> tuple[Person, str]:
    """Return a new bot account of a member, and its token."""
    if len(await bots_of(store, owner)) >= MOST_BOTS:
        raise Refused("many", f"you have {MOST_BOTS} bots, which is the most; delete one first")
    bot = await add_person(store, name, "bot", owner.id)
    return bot, await add_session(store, bot, "token")


async def bots_of(store: Store, owner: Person) -> list[Person]:
    """Return the bot accounts of a member."""
    mine = (people.c.owner == owner.id) & (people.c.name != DELETED)
    rows = await store.run(select(people.c.id, people.c.name, people.c.kind).where(mine).order_by(people.c.made))
    return [Person(row["id"], row["name"], row["kind"]) for row in rows]


async def find_bot(store: Store, owner: Person, bot_id: str) -> Person | None:
    """Return a bot account of this member, or None."""
    return next((bot for bot in await bots_of(store, owner) if bot.id == bot_id), None)


async def new_bot_token(store: Store, bot: Person) -> str:
    """Return a new token for a bot and revoke the old ones."""
    await store.run(delete(sessions).where(sessions.c.person == bot.id))
    return await add_session(store, bot, "token")
