"""People (guests, members, bots) and their sessions: cookies and API tokens.

The server stores digests of cookies, tokens and invitation links, never the secrets. Logs of tables are never
rewritten, so a guest who logs in as a member keeps the guest id as a second id (`Person.also`).
"""

import hmac
import re
import unicodedata
from collections.abc import Sequence
from hashlib import sha256
from secrets import token_bytes, token_urlsafe

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Executable, delete, func, insert, literal, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.server.addresses import subnet_of
from tessella.server.people.names import is_reserved
from tessella.server.store import Row, Store
from tessella.server.store.schema import (
    blocks,
    channels,
    follows,
    invitations,
    news,
    people,
    pushes,
    reports,
    secrets,
    sessions,
    waiting,
)
from tessella.table.table import Refused, Table

YEAR_SECONDS = 365 * 86_400.0
LONGEST_NAME = 24
LONGEST_GIVEN_NAME = 200
"""Longer input is cut before it is normalised."""
MOST_MARKS = 2
"""Combining marks per letter: enough for every living language, too few to overflow into other lines."""
BOT_MARK = " (bot)"
"""The ending of the name of every bot account, and of no other."""
DELETED = "deleted"
"""The name shown for deleted people."""

KEY_BYTES = 32
MOST_IN_A_QUERY = 1_000

ID_LENGTH = 16
SESSION_ID = func.substr(sessions.c.hash, 1, ID_LENGTH)
"""The public id of a session: the start of its digest, which reveals nothing of the secret."""

_guests = people.alias("guests")
_KNOWN = (
    select(people.c.id, people.c.name, people.c.kind, people.c.moderator, _guests.c.id.label("also"))
    .select_from(people)
    .outerjoin(_guests, _guests.c.member == people.c.id)
)
"""A person, in one row per guest id from before the log-in."""

_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Invisible characters that Unicode classifies as letters or marks."""


class Banned(Exception):
    """The host has banned a person; the message is for them."""

    def __init__(self) -> None:
        super().__init__("the host of this server has banned you, so you cannot play here")


class Person(Struct, frozen=True):
    """A person known to the server. `kind` is guest, member or bot; `also` are guest ids from before the log-in."""

    id: str
    name: str
    kind: str
    also: tuple[str, ...] = ()
    moderator: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """All ids of this person in the logs of tables."""
        return (self.id, *self.also)

    def id_at(self, table: Table) -> str:
        """Return the id under which the person sits, or would sit, at a table."""
        return next((each for each in self.ids if table.seat_of(each) is not None), self.id)


class Session(Struct, frozen=True):
    """A cookie or an API token: `id` is its public id, `hash` the stored digest of its secret."""

    id: str
    kind: str
    person: Person
    hash: str = ""


# Secrets


def fresh_secret() -> str:
    """Return 144 random bits as text that fits in a link."""
    return token_urlsafe(18)


def digest(secret: str) -> str:
    """Return the digest of a secret, which is what is stored."""
    return sha256(secret.encode()).hexdigest()


async def shared_key(store: Store, name: str, fresh: bytes | None = None) -> bytes:
    """Return a secret key that all workers share; it is created when first needed."""
    asked = select(secrets.c.value).where(secrets.c.name == name)
    if not (rows := await store.run(asked)):
        value = token_bytes(KEY_BYTES) if fresh is None else fresh
        await store.run(upsert(secrets).values(name=name, value=value).on_conflict_do_nothing())
        rows = await store.run(asked)
    return bytes(rows[0]["value"])


async def origin_of(store: Store, person: "Person", address: str) -> str:
    """Return who is charged for what a person starts: a member or bot account, or for guests their subnet.

    Guest accounts are free, so they cannot be limited themselves. Addresses are never stored, only keyed digests.
    """
    if person.kind != "guest" or not address:
        return person.id
    key = await shared_key(store, "origins")
    return "a" + hmac.digest(key, subnet_of(address).encode(), "sha256").hex()[:ID_LENGTH]


# Names


def clean_name(name: str, longest: int = LONGEST_NAME) -> str:
    r"""Return a name that is safe to show: normalised, one line, nothing invisible; raise ValueError if none is left.

    >>> clean_name("  Ann  of   Green\u202e Gables ")
    'Ann of Green Gables'
    """
    plain = unicodedata.normalize("NFKC", name[:LONGEST_GIVEN_NAME])
    shown = unicodedata.normalize("NFKC", "".join(letter for letter in plain if _is_shown(letter)))
    short = re.sub(" +", " ", _few_marks(shown)).strip()[:longest].strip()
    if not any(unicodedata.category(letter)[0] in "LNS" for letter in short):
        raise ValueError("a name needs at least one letter")
    return short


def _is_shown(letter: str) -> bool:
    kind = unicodedata.category(letter)
    return letter == " " or (kind[0] not in "CZ" and letter not in _INVISIBLE and not "\ufe00" <= letter <= "\ufe0f")


def _few_marks(text: str) -> str:
    """Return the text with at most `MOST_MARKS` marks per letter, and none without a letter.

    >>> _few_marks("\u0301z" + "\u0327" * 9 + "a \u0301b")
    'z̧̧a b'
    """
    kept: list[str] = []
    marks = MOST_MARKS
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter)[0] == "M" else MOST_MARKS if letter == " " else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)


def name_for(name: str, kind: str) -> str:
    """Return a clean name for a person of this kind; bots, and only bots, have the ending `BOT_MARK`.

    >>> name_for("Deep Tile (bot)", "bot"), name_for("Deep Tile", "guest")
    ('Deep Tile (bot)', 'Deep Tile')
    """
    clean = clean_name(name)
    if kind == "bot":
        return clean_name(clean.removesuffix(BOT_MARK)[: LONGEST_NAME - len(BOT_MARK)]) + BOT_MARK
    if clean.casefold().endswith(BOT_MARK.strip()):
        raise ValueError("only a bot may have a name that ends in (bot)")
    return clean


# People


async def add_person(store: Store, name: str, kind: str, owner: str | None = None) -> Person:
    """Create a person; raise `Refused` if the name is reserved."""
    person = Person("p" + token_urlsafe(9), _own_name(name, kind), kind)
    row = {"id": person.id, "name": person.name, "kind": kind, "made": await store.now(), "owner": owner}
    await store.run(insert(people).values(row))
    return person


def _own_name(name: str, kind: str, before: str = "") -> str:
    """Return a clean name that people may give themselves; they may keep the one before, which the host may have given.

    Raise `Refused` if it is reserved, ValueError if it is no name.
    """
    clean = name_for(name, kind)
    if clean != before and is_reserved(clean.removesuffix(BOT_MARK)):
        raise Refused("reserved", "this name is reserved; choose another one")
    return clean


async def rename(store: Store, person: Person, name: str) -> Person:
    """Rename a person at their own request; raise `Refused` if the name is reserved."""
    new = replace(person, name=_own_name(name, person.kind, person.name))
    await store.run(update(people).where(people.c.id == person.id).values(name=new.name))
    return new


async def find_person(store: Store, person_id: str) -> Person | None:
    """Return the person with this id, or None; a guest who was merged into a member no longer exists."""
    rows = await store.run(_KNOWN.where((people.c.id == person_id) & people.c.member.is_(None)))
    return _person(rows) if rows else None


async def deleted_among(store: Store, ids: Sequence[str]) -> set[str]:
    """Return those of the ids that belong to deleted people."""
    found: set[str] = set()
    for start in range(0, len(ids), MOST_IN_A_QUERY):
        gone = people.c.id.in_(ids[start : start + MOST_IN_A_QUERY]) & (people.c.name == DELETED)
        found |= {str(row["id"]) for row in await store.run(select(people.c.id).where(gone))}
    return found


async def adopt(store: Store, guest: Person, member: Person) -> None:
    """Merge a guest into the member they logged in as, who gets the guest's games."""
    await store.run(
        update(people).where(people.c.id.in_(guest.ids)).values(member=member.id),
        delete(sessions).where(sessions.c.person.in_(guest.ids)),
        *(delete(table).where(table.c.person.in_(guest.ids)) for table in (news, channels, pushes)),
        *_hand_over(guest, member),
        delete(waiting).where(waiting.c.person.in_(guest.ids), waiting.c.game == ""),
    )


def _hand_over(guest: Person, member: Person) -> list[Executable]:
    """Return the statements that give a member what a guest had with others, except what the member has already."""
    statements: list[Executable] = []
    for table, column in ((follows, "person"), (follows, "other"), (blocks, "person"), (blocks, "other")):
        rest = "other" if column == "person" else "person"
        theirs = table.c[column].in_(guest.ids) & (table.c[rest] != member.id)
        rows = select(literal(member.id), table.c[rest], table.c.made).where(theirs)
        moved = upsert(table).from_select([column, rest, "made"], rows).on_conflict_do_nothing()
        statements += [moved, delete(table).where(table.c[column].in_(guest.ids))]
    invited = select(literal(member.id), invitations.c.game, invitations.c.sender, invitations.c.made)
    invited = invited.where(invitations.c.person.in_(guest.ids))
    moved = upsert(invitations).from_select(["person", "game", "sender", "made"], invited).on_conflict_do_nothing()
    return [
        *statements,
        moved,
        delete(invitations).where(invitations.c.person.in_(guest.ids)),
        update(invitations).where(invitations.c.sender.in_(guest.ids)).values(sender=member.id),
        update(reports).where(reports.c.person.in_(guest.ids)).values(person=member.id),
        update(reports).where(reports.c.other.in_(guest.ids)).values(other=member.id),
    ]


# Sessions


async def add_session(
    store: Store, person: Person, kind: str, *, label: str = "", seconds: float = YEAR_SECONDS
) -> str:
    """Return the secret of a new cookie or token; it cannot be read again."""
    secret, now = fresh_secret(), await store.now()
    row = {"hash": digest(secret), "person": person.id, "kind": kind, "made": now, "ends": now + seconds}
    await store.run(insert(sessions).values(row | {"label": label}))
    return secret


def session_id(secret: str) -> str:
    """Return the public id of the session with this secret."""
    return digest(secret)[:ID_LENGTH]


async def find_session(store: Store, secret: str) -> Session | None:
    """Return the session with this secret, or None if there is none or it has expired; raise `Banned`.

    The sessions of a banned person are kept, and refused, so that their browser is answered with the reason.
    """
    rows = await store.run(
        _KNOWN.add_columns(SESSION_ID.label("session"), sessions.c.kind.label("by"), people.c.banned)
        .join(sessions, sessions.c.person == people.c.id)
        .where(sessions.c.hash == digest(secret), sessions.c.ends > await store.now())
    )
    if rows and rows[0]["banned"] is not None:
        raise Banned
    return Session(rows[0]["session"], rows[0]["by"], _person(rows), digest(secret)) if rows else None


async def end_sessions(store: Store, person: Person, *wanted: str) -> list[str]:
    """Delete these sessions of a person with their push subscriptions; return the ids of those that existed."""
    browsers = (channels.c.person == person.id) & channels.c.session.in_(wanted)
    rows = await store.run(
        delete(news).where(news.c.channel.in_(select(channels.c.id).where(browsers))),
        delete(channels).where(browsers),
        delete(pushes).where(pushes.c.person == person.id, pushes.c.session.in_(wanted)),
        delete(sessions)
        .where(sessions.c.person == person.id, SESSION_ID.in_(wanted))
        .returning(SESSION_ID.label("id")),
    )
    return [str(row["id"]) for row in rows]


async def end_all_sessions(store: Store, ids: Sequence[str]) -> int:
    """Delete all sessions and tokens of these people, with their push subscriptions; return how many there were."""
    browsers = channels.c.person.in_(ids) & (channels.c.session != "")
    rows = await store.run(
        delete(news).where(news.c.channel.in_(select(channels.c.id).where(browsers))),
        delete(channels).where(browsers),
        delete(pushes).where(pushes.c.person.in_(ids)),
        delete(sessions).where(sessions.c.person.in_(ids)).returning(sessions.c.hash),
    )
    return len(rows)


def _person(rows: list[Row]) -> Person:
    first = rows[0]
    also = tuple(str(row["also"]) for row in rows if row["also"])
    return Person(first["id"], first["name"], first["kind"], also, bool(first["moderator"]))


async def require_not_banned(store: Store, person: Person) -> None:
    """Raise `Banned` if a person is banned."""
    if await store.run(select(people.c.id).where(people.c.id == person.id, people.c.banned.is_not(None))):
        raise Banned
