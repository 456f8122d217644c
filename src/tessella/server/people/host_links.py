"""Links that the host hands out: an invitation to sign up, or a new password. Each works once, for some time."""

from typing import Literal, TypeAlias

from sqlalchemy import delete, insert, or_, select, update

from tessella.server.people.accounts import check_new_password, set_password
from tessella.server.people.identity import Person, digest, end_all_sessions, find_person, fresh_secret
from tessella.server.store import Store
from tessella.server.store.schema import one_time_links, people
from tessella.table.table import Refused

Kind: TypeAlias = Literal["invitation", "password"]

DAY_SECONDS = 86_400.0
PAGES: dict[Kind, str] = {"invitation": "/welcome", "password": "/password"}
"""The page of each kind of link, which is followed by its secret."""


async def add_link(store: Store, kind: Kind, days: float, person: str = "") -> str:
    """Return the path of a new link; a new link for a password replaces the one before."""
    secret, now = fresh_secret(), await store.now()
    row = {"hash": digest(secret), "kind": kind, "person": person, "made": now, "ends": now + days * DAY_SECONDS}
    same = (one_time_links.c.kind == kind) & (one_time_links.c.person == person) & (one_time_links.c.person != "")
    await store.run(delete(one_time_links).where(same), insert(one_time_links).values(row))
    return f"{PAGES[kind]}/{secret}"


async def claim_invitation(store: Store, secret: str, guest: Person) -> None:
    """Reserve an invitation for a guest who signs up with it; raise `Refused` if it has ended or another has used it.

    It stays theirs if the sign-up fails, so that they can try another user name.
    """
    link = (one_time_links.c.hash == digest(secret)) & (one_time_links.c.kind == "invitation")
    free = or_(one_time_links.c.person == "", one_time_links.c.person == guest.id)
    change = update(one_time_links).where(link, free, one_time_links.c.ends > await store.now())
    if not await store.run(change.values(person=guest.id).returning(one_time_links.c.hash)):
        raise Refused("invitation", "this server is by invitation; this one has ended or was used")


async def use_password_link(store: Store, secret: str, password: str) -> Person:
    """Set the password of the person whom a link is for and end all their sessions; raise `Refused` or ValueError."""
    link = (one_time_links.c.hash == digest(secret)) & (one_time_links.c.kind == "password")
    valid = link & (one_time_links.c.ends > await store.now())
    found = await store.run(
        select(people.c.id, people.c.name, people.c.login)
        .join(one_time_links, one_time_links.c.person == people.c.id)
        .where(valid, people.c.login.is_not(None))
    )
    if found:
        check_new_password(password, found[0]["login"], found[0]["name"])
    used = await store.run(delete(one_time_links).where(valid).returning(one_time_links.c.person))
    person = await find_person(store, used[0]["person"]) if found and used else None
    if person is None:
        raise Refused("link", "this link has ended or was used; ask the host for a new one")
    await set_password(store, person.id, password)
    await end_all_sessions(store, person.ids)
    return person
