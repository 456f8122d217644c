"""The subcommands of `tessella admin people`: find people, and do what a host must be able to do about them."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress

import msgspec
from msgspec import Struct
from sqlalchemy import func, select, update

from tessella.server.admin.hosting import Command, Options, hosting, report, show_line, time_of
from tessella.server.people.accounts import bots_of, clean_login
from tessella.server.people.host_links import add_link
from tessella.server.people.identity import DELETED, Person, find_person
from tessella.server.people.names import fold
from tessella.server.services import moderation
from tessella.server.services.moderation import DossierView, audited
from tessella.server.settings import Settings
from tessella.server.store import Row, Store
from tessella.server.store.errors import CLASHES
from tessella.server.store.schema import identities, passkeys, people
from tessella.table.table import Refused

PAGE_ROWS = 1_000


class Found(Struct, frozen=True):
    """A person in a list."""

    id: str
    name: str
    kind: str
    login: str | None
    made: float
    banned: float | None
    moderator: bool


class Shown(Struct, frozen=True):
    """A person, and how they log in."""

    about: DossierView
    login: str | None
    passkeys: int
    issuers: tuple[str, ...]
    bots: tuple[str, ...]


# Reading


async def search(store: Store, text: str, most: int) -> list[Found]:
    """Return people whose id or user name is the text, or whose name looks as if it contained it."""
    wanted, login = fold(text), text.strip().casefold()
    found: list[Found] = []
    async for row in _everyone(store):
        if text == row["id"] or login == row["login"] or (wanted and wanted in fold(row["name"])):
            found.append(msgspec.convert(row, Found, strict=False))
            if len(found) == most:
                break
    return found


async def _everyone(store: Store) -> AsyncIterator[Row]:
    """Yield all people who are not deleted, page by page; a guest who was merged into a member is not one."""
    columns, last = [people.c[name] for name in Found.__struct_fields__], ""
    here = people.c.member.is_(None) & (people.c.name != DELETED)
    while rows := await store.run(
        select(*columns).where(here, people.c.id > last).order_by(people.c.id).limit(PAGE_ROWS)
    ):
        for row in rows:
            yield row
        last = rows[-1]["id"]


async def the_person(store: Store, text: str) -> Person:
    """Return the one person with this id, user name or name; raise ValueError if there is none, or more than one."""
    with suppress(Refused):
        return await moderation.subject(store, text, moderation.HOST)
    here = people.c.member.is_(None) & (people.c.name != DELETED)
    named = here & ((people.c.name == text) | (people.c.login == text.strip().casefold()))
    rows = await store.run(select(people.c.id).where(named).limit(10))
    if not rows:
        raise ValueError(f"there is no person {text!r}; search with: tessella admin people find {text}")
    if len(rows) > 1:
        raise ValueError(f"several people are called {text!r}; use an id: {', '.join(row['id'] for row in rows)}")
    person = await find_person(store, rows[0]["id"])
    assert person is not None
    return person


async def _shown(store: Store, person: Person) -> Shown:
    (row,) = await store.run(select(people.c.login).where(people.c.id == person.id))
    keys = select(func.count().label("n")).select_from(passkeys).where(passkeys.c.person == person.id)
    linked = select(identities.c.issuer).where(identities.c.person == person.id).order_by(identities.c.issuer)
    return Shown(
        about=await moderation.dossier(store, person),
        login=row["login"],
        passkeys=(await store.run(keys))[0]["n"],
        issuers=tuple(row["issuer"] for row in await store.run(linked)),
        bots=tuple(bot.id for bot in await bots_of(store, person)),
    )


async def _find(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        found = await search(host.store, options.text, options.most)
    lines = [f"{each.id:<14} {each.kind:<7} {each.name}{_marks(each.banned, each.moderator)}" for each in found]
    report(options, {"people": msgspec.to_builtins(found)}, "\n".join(lines) or "no such people")
    return 0


def _marks(banned: float | None, moderator: bool) -> str:  # noqa: FBT001
    return (", moderator" if moderator else "") + (f", banned since {time_of(banned)}" if banned else "")


async def _show(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        found = await _shown(host.store, await the_person(host.store, options.person))
    if options.json:
        show_line(json.dumps(msgspec.to_builtins(found)))
        return 0
    about = found.about
    ways = [f"user name {found.login}" if found.login else "", f"{found.passkeys} passkeys" if found.passkeys else ""]
    show_line(f"{about.id}  {about.name}{_marks(about.banned, about.moderator)}")
    show_line(f"{about.kind} since {time_of(about.made)}, {about.sessions} sessions and tokens")
    for line in (
        ", ".join([*filter(None, ways), *found.issuers]),
        f"bots: {' '.join(found.bots)}" if found.bots else "",
    ):
        if line:
            show_line(line)
    for table in about.tables:
        show_line(f"table {table.id}  {table.title}  {table.status}")
    for each in about.reports:
        where = f"  table {each.game}" if each.game else ""
        show_line(f"reported {time_of(each.made)}  {each.reason:<9} by {each.by} ({each.person}){where}")
    show_line(f"tessella admin people {'unban' if about.banned else 'ban'} {about.id}")
    return 0


async def _log(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        found = await moderation.acts(host.store, options.most)
    lines: list[str] = []
    for act in found:
        by = f"{act.by} ({act.moderator})" if act.moderator else "the host"
        about = f"  {act.name} ({act.person})" if act.person else ""
        table = f"  table {act.game}" if act.game else ""
        lines.append(
            f"{time_of(act.made)}  {act.act:<12} by {by}{about}{table}{f'  {act.details}' if act.details else ''}"
        )
    report(options, {"acts": msgspec.to_builtins(found)}, "\n".join(lines) or "nothing was done yet")
    return 0


# Acts


async def _rename(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        person = await the_person(host.store, options.person)
        new = await moderation.rename(host.store, person, options.name)
    report(options, {"renamed": new.id, "name": new.name}, f"{person.name} is now called {new.name}")
    return 0


async def _ban(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        person = await the_person(host.store, options.person)
        await moderation.ban(host, person, reason=options.reason)
    report(options, {"banned": person.id}, f"{person.name} ({person.id}) is banned; their games go on without them")
    return 0


async def _unban(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        person = await the_person(host.store, options.person)
        await moderation.unban(host.store, person)
    report(options, {"unbanned": person.id}, f"{person.name} ({person.id}) may come in again")
    return 0


async def _end_sessions(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        person = await the_person(host.store, options.person)
        count = await moderation.log_out(host, person)
    report(options, {"ended": count}, f"{count} sessions and tokens of {person.name} are ended")
    return 0


async def _delete(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        person = await the_person(host.store, options.person)
        if not options.yes:
            raise ValueError(f"this deletes {person.name} ({person.id}) for good; repeat it with --yes")
        await moderation.remove(host, person)
    report(options, {"deleted": person.id}, f"{person.id} is deleted; their games stay without the name")
    return 0


async def _merge(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        guest, member = [await the_person(host.store, each) for each in (options.guest, options.member)]
        try:
            await moderation.merge(host, guest, member)
        except Refused as exc:
            raise ValueError(exc.message) from None
    text = f"the games of the guest {guest.name} ({guest.id}) are now those of {member.name} ({member.id})"
    report(options, {"merged": guest.id, "into": member.id}, text)
    return 0


async def _moderator(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        person = await the_person(host.store, options.person)
        try:
            await moderation.appoint(host.store, person, moderator=not options.remove)
        except Refused as exc:
            raise ValueError(exc.message) from None
    text = f"{person.name} ({person.id}) is {'no longer a' if options.remove else 'a'} moderator"
    report(options, {"person": person.id, "moderator": not options.remove}, text)
    return 0


# Links


async def _reset(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        person = await the_person(host.store, options.person)
        login = await _login_for(host.store, person, options.login)
        path = await add_link(host.store, "password", options.days, person.id)
        await host.store.run(audited(moderation.HOST, "reset", await host.store.now(), person=person.id))
    link = _address(settings) + path
    text = (
        f"{link}\nopened once within {options.days:g} days, it sets a new password of {person.name} (user name {login})"
    )
    report(options, {"person": person.id, "login": login, "link": link}, text)
    return 0


async def _login_for(store: Store, person: Person, given: str) -> str:
    """Return the user name of a member; one without a user name gets the given one. Raise ValueError."""
    if person.kind != "member":
        raise ValueError(f"{person.name} is a {person.kind}; only members have a password")
    (row,) = await store.run(select(people.c.login).where(people.c.id == person.id))
    if row["login"]:
        return str(row["login"])
    if not given:
        raise ValueError(f"{person.name} has no user name, and logs in in another way; give one with --login NAME")
    try:
        await store.run(update(people).where(people.c.id == person.id).values(login=clean_login(given)))
    except CLASHES:
        raise ValueError(f"the user name {given} is already taken") from None
    return clean_login(given)


async def _invite(settings: Settings, options: Options) -> int:
    links: list[str] = []
    async with hosting(settings) as host:
        for _ in range(options.count):
            links.append(_address(settings) + await add_link(host.store, "invitation", options.days))
            await host.store.run(audited(moderation.HOST, "invite", await host.store.now()))
    report(options, {"links": links}, "\n".join(links))
    return 0


def _address(settings: Settings) -> str:
    """Return the public address of the server, or that on this machine."""
    return settings.site or f"http://127.0.0.1:{settings.port}"


COMMANDS: Mapping[str, Command] = {
    "people find": _find,
    "people show": _show,
    "people log": _log,
    "people rename": _rename,
    "people reset": _reset,
    "people end-sessions": _end_sessions,
    "people ban": _ban,
    "people unban": _unban,
    "people delete": _delete,
    "people merge": _merge,
    "people invite": _invite,
    "people moderator": _moderator,
}
