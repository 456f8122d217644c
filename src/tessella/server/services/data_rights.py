"""Export and erasure of personal data.

Games are kept, because they are the games of the other players too; who played them is erased. The name of a deleted
person is the only thing that is ever changed in the log of a table.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from secrets import token_hex
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace
from sqlalchemy import Executable, Select, delete, select, union, update
from sqlalchemy import Table as SQLTable

from tessella.core.game import Public, Seat
from tessella.protocol.messages import Command
from tessella.server.people import relations
from tessella.server.people.accounts import bots_of, sessions_of
from tessella.server.people.identity import DELETED, Person
from tessella.server.people.passkeys import passkeys_of
from tessella.server.rooms.commands import Caller, perform
from tessella.server.rooms.history import UnreadableGame
from tessella.server.rooms.host import Host
from tessella.server.rooms.listing import players
from tessella.server.services.clubs.membership import leave_clubs
from tessella.server.services.deletions import announce
from tessella.server.services.events.leaving import leave_events
from tessella.server.store import Row, Store
from tessella.server.store.roles import strike
from tessella.server.store.schema import (
    audit,
    blocks,
    challenges,
    channels,
    club_members,
    clubs,
    daily_tries,
    departures,
    event_entrants,
    events,
    follows,
    games,
    identities,
    invitations,
    ladder_ratings,
    news,
    one_time_links,
    passkeys,
    people,
    pushes,
    ratings,
    reports,
    results,
    seats,
    sessions,
    waiting,
)
from tessella.table.log import Sat, read_entry, write_entry

log = logging.getLogger(__name__)

Kept = TypeVar("Kept", bound=Public)


class SeatKept(Public, frozen=True):
    """A seat that you have, or had, at a table; the table itself is at /api/games/{game}."""

    game: str
    seat: Seat
    title: str
    opened: float


class ResultKept(Public, frozen=True):
    """The result of one of your games, and your rating after it if it was rated."""

    game: str
    seat: Seat
    title: str
    seats: int
    place: int | None
    score: int | None
    ended: float
    nth: int | None
    mu: float | None
    sigma: float | None


class RatingKept(Public, frozen=True):
    """Your current rating, as it is stored."""

    title: str
    seats: int
    mu: float
    sigma: float
    played: int
    points_mean: float | None
    points_variance: float | None


class LadderKept(Public, frozen=True):
    """The current rating of one of your bots on the ladder, as it is stored."""

    person: str
    title: str
    seats: int
    mu: float
    sigma: float
    played: int


class CredentialKept(Public, frozen=True):
    """A cookie, token or passkey of yours; the secret itself is not stored."""

    id: str
    kind: str
    label: str
    made: float


class WaitingKept(Public, frozen=True):
    """What you wait for in the lobby."""

    title: str
    seats: int
    pace: str
    since: float


class ChannelKept(Public, frozen=True):
    """Where you get news of your turns: a browser, an e-mail address or a webhook, and your preferences there."""

    id: str
    kind: str
    address: str
    language: str
    site: str
    made: float
    confirmed: float | None
    turns: bool
    reminder_hours: float
    digest_minutes: float
    quiet_from: int | None
    quiet_until: int | None
    zone: str
    sent: float
    """When the last message was sent."""


class NewsKept(Public, frozen=True):
    """A message about a turn that waits, or what became of it; removed a week after it is finished."""

    channel: str
    kind: str
    game: str
    due: float
    state: str
    done: float | None
    reason: str


class OtherKept(Public, frozen=True):
    """A person whom you follow, or have blocked."""

    other: str
    made: float


class ReportKept(Public, frozen=True):
    """A report of yours to the host."""

    other: str
    game: str
    reason: str
    made: float


class InvitationKept(Public, frozen=True):
    """An invitation to a table that you got, or sent."""

    person: str
    sender: str
    game: str
    made: float


class DailyKept(Public, frozen=True):
    """Your try at a daily deal, and its result."""

    day: str
    title: str
    game: str
    member: bool
    """Whether you were logged in when you began."""
    started: float
    ended: float | None
    place: int | None
    score: int | None
    other: int | None
    margin: int | None
    counts: bool


class EntryKept(Public, frozen=True):
    """An event that you entered; you take part from round `first` until before round `last`."""

    event: str
    name: str
    first: int
    last: int | None
    joined: float


class EventKept(Public, frozen=True):
    """An event that you made."""

    id: str
    name: str
    made: float
    state: str


class ClubKept(Public, frozen=True):
    """A club of which you are a member; `about` is its text."""

    club: str
    name: str
    about: str
    owner: bool
    """Whether the club is yours."""
    joined: float


class IdentityKept(Public, frozen=True):
    """An account elsewhere with which you log in."""

    issuer: str
    subject: str
    made: float


class ActKept(Public, frozen=True):
    """What the host or a moderator did about you, or you did as a moderator."""

    made: float
    act: str
    person: str
    game: str
    details: str


class GuestKept(Public, frozen=True):
    """A guest that you were before you logged in."""

    id: str
    name: str
    made: float


class PersonalData(Public, frozen=True):
    """Everything that is stored about you."""

    id: str
    also: tuple[GuestKept, ...]
    name: str
    kind: str
    login: str | None
    has_password: bool
    made: float
    settings: str
    credentials: tuple[CredentialKept, ...]
    bots: tuple[str, ...]
    seats: tuple[SeatKept, ...]
    left: tuple[str, ...]
    """Tables that you left before the game started."""
    results: tuple[ResultKept, ...]
    ratings: tuple[RatingKept, ...]
    ladder: tuple[LadderKept, ...]
    waiting: tuple[WaitingKept, ...]
    channels: tuple[ChannelKept, ...]
    news: tuple[NewsKept, ...]
    follows: tuple[OtherKept, ...]
    blocks: tuple[OtherKept, ...]
    reports: tuple[ReportKept, ...]
    invitations: tuple[InvitationKept, ...]
    dailies: tuple[DailyKept, ...]
    events: tuple[EntryKept, ...]
    events_made: tuple[EventKept, ...]
    clubs: tuple[ClubKept, ...]
    moderator: bool
    identities: tuple[IdentityKept, ...]
    acts: tuple[ActKept, ...]


async def data_of(store: Store, person: Person) -> PersonalData:
    """Return everything that is stored about a person."""
    (row,) = await store.run(select(people).where(people.c.id == person.id))
    bots = tuple(bot.id for bot in await bots_of(store, person))
    gone = await store.run(select(departures.c.game).where(departures.c.person.in_(person.ids)))
    return PersonalData(
        id=person.id,
        also=await _guests(store, person),
        name=row["name"],
        kind=row["kind"],
        login=row["login"],
        has_password=row["password"] is not None,
        made=row["made"],
        settings=row["settings"],
        credentials=await _credentials(store, person),
        bots=bots,
        seats=await _seats(store, person),
        left=tuple(row["game"] for row in gone),
        results=await _results(store, person),
        ratings=await _ratings(store, person),
        ladder=await _ladder(store, bots),
        waiting=await _waiting(store, person),
        channels=await _channels(store, person),
        news=await _news(store, person),
        follows=_kept(OtherKept, await store.run(_with_others(follows, OtherKept, person))),
        blocks=_kept(OtherKept, await store.run(_with_others(blocks, OtherKept, person))),
        reports=_kept(ReportKept, await store.run(_with_others(reports, ReportKept, person))),
        invitations=await _invitations(store, person),
        dailies=await _dailies(store, person),
        events=await _entries(store, person),
        events_made=await _events_made(store, person),
        clubs=await _clubs(store, person),
        moderator=person.moderator,
        identities=await _identities(store, person),
        acts=await _acts(store, person),
    )


async def _guests(store: Store, person: Person) -> tuple[GuestKept, ...]:
    mine = select(people.c.id, people.c.name, people.c.made).where(people.c.id.in_(person.also))
    return _kept(GuestKept, await store.run(mine))


async def _credentials(store: Store, person: Person) -> tuple[CredentialKept, ...]:
    stored = [*await sessions_of(store, person, "cookie"), *await sessions_of(store, person, "token")]
    keys = [CredentialKept(key.id, "passkey", "", key.made) for key in await passkeys_of(store, person)]
    return (*(CredentialKept(each.id, each.kind, each.label, each.made) for each in stored), *keys)


async def _seats(store: Store, person: Person) -> tuple[SeatKept, ...]:
    mine = players(lambda table: table.c.person.in_(person.ids))
    columns = (mine.c.game, mine.c.seat, games.c.game.label("title"), games.c.opened)
    rows = await store.run(select(*columns).join(games, games.c.id == mine.c.game).order_by(games.c.opened))
    return _kept(SeatKept, rows)


async def _results(store: Store, person: Person) -> tuple[ResultKept, ...]:
    columns = [results.c[name] for name in ResultKept.__struct_fields__]
    mine = select(*columns).where(results.c.person.in_(person.ids))
    return _kept(ResultKept, await store.run(mine.order_by(results.c.ended)))


async def _ratings(store: Store, person: Person) -> tuple[RatingKept, ...]:
    columns = [ratings.c[name] for name in RatingKept.__struct_fields__]
    return _kept(RatingKept, await store.run(select(*columns).where(ratings.c.person == person.id)))


async def _ladder(store: Store, bots: Sequence[str]) -> tuple[LadderKept, ...]:
    columns = [ladder_ratings.c[name] for name in LadderKept.__struct_fields__]
    return _kept(LadderKept, await store.run(select(*columns).where(ladder_ratings.c.person.in_(bots))))


async def _waiting(store: Store, person: Person) -> tuple[WaitingKept, ...]:
    columns = [waiting.c[name] for name in WaitingKept.__struct_fields__]
    return _kept(WaitingKept, await store.run(select(*columns).where(waiting.c.person.in_(person.ids))))


async def _channels(store: Store, person: Person) -> tuple[ChannelKept, ...]:
    columns = [channels.c[name] for name in ChannelKept.__struct_fields__]
    mine = select(*columns).where(channels.c.person == person.id).order_by(channels.c.made)
    return _kept(ChannelKept, await store.run(mine))


async def _news(store: Store, person: Person) -> tuple[NewsKept, ...]:
    columns = [news.c[name] for name in NewsKept.__struct_fields__]
    return _kept(NewsKept, await store.run(select(*columns).where(news.c.person == person.id).order_by(news.c.due)))


def _with_others(table: SQLTable, kind: type[Public], person: Person) -> Select[Any]:
    columns = [table.c[name] for name in kind.__struct_fields__]
    return select(*columns).where(table.c.person.in_(person.ids)).order_by(table.c.made)


async def _invitations(store: Store, person: Person) -> tuple[InvitationKept, ...]:
    mine = invitations.c.person.in_(person.ids) | invitations.c.sender.in_(person.ids)
    return _kept(InvitationKept, await store.run(select(invitations).where(mine).order_by(invitations.c.made)))


async def _dailies(store: Store, person: Person) -> tuple[DailyKept, ...]:
    columns = [daily_tries.c[name] for name in DailyKept.__struct_fields__]
    mine = select(*columns).where(daily_tries.c.person.in_(person.ids)).order_by(daily_tries.c.started)
    return _kept(DailyKept, await store.run(mine))


async def _entries(store: Store, person: Person) -> tuple[EntryKept, ...]:
    columns = (*(event_entrants.c[name] for name in ("event", "first", "last", "joined")), events.c.name)
    there = select(*columns).join(events, events.c.id == event_entrants.c.event)
    mine = there.where(event_entrants.c.person.in_(person.ids)).order_by(event_entrants.c.joined)
    return _kept(EntryKept, await store.run(mine))


async def _events_made(store: Store, person: Person) -> tuple[EventKept, ...]:
    columns = [events.c[name] for name in EventKept.__struct_fields__]
    mine = select(*columns).where(events.c.creator.in_(person.ids)).order_by(events.c.made)
    return _kept(EventKept, await store.run(mine))


async def _clubs(store: Store, person: Person) -> tuple[ClubKept, ...]:
    columns = (club_members.c.club, clubs.c.name, clubs.c.about, club_members.c.joined)
    owner = clubs.c.owner.in_(person.ids).label("owner")
    there = select(*columns, owner).join(clubs, clubs.c.id == club_members.c.club)
    mine = there.where(club_members.c.person.in_(person.ids)).order_by(club_members.c.joined)
    return _kept(ClubKept, await store.run(mine))


async def _identities(store: Store, person: Person) -> tuple[IdentityKept, ...]:
    columns = [identities.c[name] for name in IdentityKept.__struct_fields__]
    return _kept(IdentityKept, await store.run(select(*columns).where(identities.c.person == person.id)))


async def _acts(store: Store, person: Person) -> tuple[ActKept, ...]:
    columns = [audit.c[name] for name in ActKept.__struct_fields__]
    mine = audit.c.person.in_(person.ids) | (audit.c.moderator == person.id)
    return _kept(ActKept, await store.run(select(*columns).where(mine).order_by(audit.c.made)))


def _kept(kind: type[Kept], rows: list[Row]) -> tuple[Kept, ...]:
    return tuple(msgspec.convert(row, kind, strict=False) for row in rows)


# Erasure


async def erase(host: Host, person: Person) -> None:
    """Erase a person and their bots. Their games go on without them and are kept without their names."""
    for bot in await bots_of(host.store, person):
        await erase(host, bot)
    await leave_clubs(host.store, person)
    await host.store.run(*leave_events(person.ids), *_forget_events(person, await host.store.now()))
    await leave_all_tables(host, person)
    await _redact_names(host, person)
    erased = {"name": DELETED, "login": None, "password": None, "settings": "{}", "owner": None, "moderator": False}
    await host.store.run(
        update(people).where(people.c.id.in_(person.ids)).values(erased),
        *(
            delete(table).where(table.c.person.in_(person.ids))
            for table in (
                passkeys,
                challenges,
                ratings,
                ladder_ratings,
                waiting,
                sessions,
                departures,
                pushes,
                news,
                channels,
                daily_tries,
                one_time_links,
                identities,
            )
        ),
        update(audit).where(audit.c.person.in_(person.ids)).values(details=""),
        *relations.about(person.ids),
    )
    await announce(host, person.ids)
    await host.store.scrub()


def _forget_events(person: Person, now: float) -> list[Executable]:
    """Return the statements that cancel the events of a person that have not begun, and rename the others."""
    made = events.c.creator.in_(person.ids)
    return [
        update(events).where(made, events.c.state == "open").values(state="cancelled", due=None, ended=now),
        update(events).where(made).values(creator="", name=DELETED),
    ]


async def leave_all_tables(host: Host, person: Person) -> None:
    """Leave every unfinished game, by the same rules as a person who leaves."""
    running = select(games.c.id).join(seats, seats.c.game == games.c.id)
    unfinished = seats.c.ended.is_(None) & games.c.status.not_in(("over", "closed"))
    mine = running.where(seats.c.person.in_(person.ids), unfinished)
    for row in await host.store.run(mine):
        with suppress(UnreadableGame):  # nobody can play there; the name is redacted below
            room = await host.room(row["id"])
            assert room is not None
            await perform(host, room, Caller(person), Command(f"gone-{token_hex(8)}", "leave"))


async def _redact_names(host: Host, person: Person) -> None:
    """Redact the name of a person in the log of every game they sat at."""
    tables = union(
        select(players(lambda table: table.c.person.in_(person.ids)).c.game),
        select(departures.c.game).where(departures.c.person.in_(person.ids)),
    ).subquery()
    for row in await host.store.run(select(tables.c.game)):
        await _redact_name(host, row["game"], person)


async def _redact_name(host: Host, game_id: str, person: Person) -> None:
    for row in await host.store.log(game_id, -1):
        try:
            entry = read_entry(row.body)
        except msgspec.DecodeError:
            log.exception("entry unreadable", extra={"game": game_id, "number": row.number})
            continue
        if isinstance(entry, Sat) and entry.player in person.ids:
            body = write_entry(replace(entry, name=DELETED))
            in_file = not host.store.has_roles
            await host.store.run(*strike(game_id, row.number, DELETED, body, in_file=in_file))
