"""Who is asking: guests with a name, members, bots; known by a cookie or a token that only they have.

The server keeps digests of cookies, tokens and links, never themselves. What a table's log says of who sits where never
changes; so a guest who turns out to be a member stays known under the guest's id too (`Person.also`).
"""

import re
import unicodedata
from hashlib import sha256
from secrets import token_urlsafe

from msgspec import Struct
from sqlalchemy import delete, func, insert, select, update

from tessella.server.store import Row, Store
from tessella.server.store.schema import people, pushes, sessions, waiting
from tessella.server.table import Table

YEAR = 365 * 86_400.0
LONGEST_NAME = 24
LONGEST_GIVEN_NAME = 200
"""Nobody types more; what is longer is cut before it is looked at."""
MOST_MARKS = 2
"""Accents on one letter: enough for every living language, too few to smear over the next line."""
BOT_MARK = " (bot)"
"""How the name of every bot account ends, and no other."""
DELETED = "deleted"
"""The name of all who have left for good."""

ID_LENGTH = 16
SESSION_ID = func.substr(sessions.c.hash, 1, ID_LENGTH)
"""A public name for a session: the beginning of a digest tells nothing of the secret."""

_guests = people.alias("guests")
_KNOWN = (
    select(people.c.id, people.c.name, people.c.kind, _guests.c.id.label("also"))
    .select_from(people)
    .outerjoin(_guests, _guests.c.member == people.c.id)
)
"""A person, in as many rows as there are ids from before the log-in."""

_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks by their category that show nothing."""


class Person(Struct, frozen=True):
    """Somebody who is known to the server. `kind` is guest, member or bot; `also` are ids from before the log-in."""

    id: str
    name: str
    kind: str
    also: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id that is this person's in the logs of tables."""
        return (self.id, *self.also)

    def who_at(self, table: Table) -> str:
        """The id under which the person sits, or would sit, at a table."""
        return next((each for each in self.ids if table.seat_of(each) is not None), self.id)


class Session(Struct, frozen=True):
    """A cookie or a token that somebody holds: `id` names it without giving it away; `hash` is what is kept of it."""

    id: str
    kind: str
    person: Person
    hash: str = ""


# Secrets


def fresh_secret() -> str:
    """128 bits and a few more that nobody can guess, fit for a link."""
    return token_urlsafe(18)


def digest(secret: str) -> str:
    """What is kept of a secret."""
    return sha256(secret.encode()).hexdigest()


# Names


def clean_name(name: str) -> str:
    r"""A name that can be shown anywhere: normalised, one line, nothing invisible; raises ValueError if none is left.

    >>> clean_name("  Ann  of   Green\u202e Gables ")
    'Ann of Green Gables'
    """
    plain = unicodedata.normalize("NFKC", name[:LONGEST_GIVEN_NAME])
    shown = unicodedata.normalize("NFKC", "".join(letter for letter in plain if _is_shown(letter)))
    short = re.sub(" +", " ", _few_marks(shown)).strip()[:LONGEST_NAME].strip()
    if not any(unicodedata.category(letter)[0] in "LNS" for letter in short):
        raise ValueError("a name has at least one letter")
    return short


def _is_shown(letter: str) -> bool:
    kind = unicodedata.category(letter)
    return letter == " " or (kind[0] not in "CZ" and letter not in _INVISIBLE and not "\ufe00" <= letter <= "\ufe0f")


def _few_marks(text: str) -> str:
    """The text with at most so many marks on a letter, and none on nothing.

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
    """A clean name for somebody of this kind: a bot's says that it is one, and nobody else's does.

    >>> name_for("Deep Tile (bot)", "bot"), name_for("Deep Tile", "guest")
    ('Deep Tile (bot)', 'Deep Tile')
    """
    clean = clean_name(name)
    if kind == "bot":
        return clean_name(clean.removesuffix(BOT_MARK)[: LONGEST_NAME - len(BOT_MARK)]) + BOT_MARK
    if clean.casefold().endswith(BOT_MARK.strip()):
        raise ValueError("only a bot may be called so")
    return clean


# People


async def add_person(store: Store, name: str, kind: str, owner: str | None = None) -> Person:
    """Somebody new."""
    person = Person("p" + token_urlsafe(9), name_for(name, kind), kind)
    row = {"id": person.id, "name": person.name, "kind": kind, "made": await store.now(), "owner": owner}
    await store.run(insert(people).values(row))
    return person


async def rename(store: Store, person: Person, name: str) -> Person:
    """Another name for the same person."""
    new = Person(person.id, name_for(name, person.kind), person.kind, person.also)
    await store.run(update(people).where(people.c.id == person.id).values(name=new.name))
    return new


async def find_person(store: Store, person_id: str) -> Person | None:
    """Who has this id; a guest who turned out to be a member is nobody any more."""
    rows = await store.run(_KNOWN.where((people.c.id == person_id) & people.c.member.is_(None)))
    return _person(rows) if rows else None


async def adopt(store: Store, guest: Person, member: Person) -> None:
    """The guest turned out to be a member, who has the guest's games from now on."""
    await store.run(
        update(people).where(people.c.id.in_(guest.ids)).values(member=member.id),
        delete(sessions).where(sessions.c.person.in_(guest.ids)),
        delete(pushes).where(pushes.c.person.in_(guest.ids)),
        delete(waiting).where(waiting.c.person.in_(guest.ids), waiting.c.game == ""),
    )


# Sessions


async def add_session(store: Store, person: Person, kind: str, *, label: str = "", seconds: float = YEAR) -> str:
    """A new cookie or token; this is the only time that it is seen."""
    secret, now = fresh_secret(), await store.now()
    row = {"hash": digest(secret), "person": person.id, "kind": kind, "made": now, "ends": now + seconds}
    await store.run(insert(sessions).values(row | {"label": label}))
    return secret


def session_id(secret: str) -> str:
    """The public name of the session that has this secret."""
    return digest(secret)[:ID_LENGTH]


async def find_session(store: Store, secret: str) -> Session | None:
    """Whose cookie or token this is."""
    rows = await store.run(
        _KNOWN.add_columns(SESSION_ID.label("session"), sessions.c.kind.label("by"))
        .join(sessions, sessions.c.person == people.c.id)
        .where(sessions.c.hash == digest(secret), sessions.c.ends > await store.now())
    )
    return Session(rows[0]["session"], rows[0]["by"], _person(rows), digest(secret)) if rows else None


async def end_sessions(store: Store, person: Person, *wanted: str) -> list[str]:
    """Forget these cookies and tokens of a person, and tell their browsers nothing more; say which there were."""
    rows = await store.run(
        delete(pushes).where(pushes.c.person == person.id, pushes.c.session.in_(wanted)),
        delete(sessions)
        .where(sessions.c.person == person.id, SESSION_ID.in_(wanted))
        .returning(SESSION_ID.label("id")),
    )
    return [str(row["id"]) for row in rows]


def _person(rows: list[Row]) -> Person:
    first = rows[0]
    also = tuple(str(row["also"]) for row in rows if row["also"])
    return Person(first["id"], first["name"], first["kind"], also)
