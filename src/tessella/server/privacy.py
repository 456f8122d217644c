"""Your data: see it, take it, delete it.

Games are kept for ever, for they are the others' games too; whose they were is forgotten. The one thing that is ever
changed in the log of a table is the name of somebody who has left for good.
"""

from secrets import token_hex
from typing import TypeVar

import msgspec
from msgspec.structs import replace
from sqlalchemy import delete, select, union, update

from tessella.core.game import Public, Seat
from tessella.server import entries
from tessella.server.accounts import bots_of, held_by
from tessella.server.beats import is_file
from tessella.server.entries import Sat
from tessella.server.host import Host
from tessella.server.messages import Wish
from tessella.server.passkeys import keys_of
from tessella.server.people import DELETED, Person
from tessella.server.sessions import Caller, perform
from tessella.server.store import Row, Store
from tessella.server.store.roles import strike
from tessella.server.store.schema import (
    challenges,
    departures,
    games,
    passkeys,
    people,
    pushes,
    ratings,
    results,
    seats,
    sessions,
    waiting,
)

Kept = TypeVar("Kept", bound=Public)


class SeatKept(Public, frozen=True):
    """A seat that you have, or had, at a table; the table itself is at /api/games/{game}."""

    game: str
    seat: Seat
    title: str
    opened: float


class ResultKept(Public, frozen=True):
    """How one of your games ended, and your rating after it if it was rated."""

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
    """Your rating now, as it is computed with."""

    title: str
    seats: int
    mu: float
    sigma: float
    played: int


class HeldKept(Public, frozen=True):
    """A cookie, token or passkey of yours; the secret itself is not kept."""

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


class PushKept(Public, frozen=True):
    """A browser that is told of your turns, by the address of its push service."""

    endpoint: str
    language: str
    made: float
    sent: float


class GuestKept(Public, frozen=True):
    """Who you were before you logged in."""

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
    held: tuple[HeldKept, ...]
    bots: tuple[str, ...]
    seats: tuple[SeatKept, ...]
    left: tuple[str, ...]
    """Tables from which you got up before the game."""
    results: tuple[ResultKept, ...]
    ratings: tuple[RatingKept, ...]
    waiting: tuple[WaitingKept, ...]
    pushes: tuple[PushKept, ...]


async def data_of(store: Store, person: Person) -> PersonalData:
    """Everything that is stored about a person."""
    (row,) = await store.run(select(people).where(people.c.id == person.id))
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
        held=await _held(store, person),
        bots=tuple(bot.id for bot in await bots_of(store, person)),
        seats=await _seats(store, person),
        left=tuple(row["game"] for row in gone),
        results=await _results(store, person),
        ratings=await _ratings(store, person),
        waiting=await _waiting(store, person),
        pushes=await _pushes(store, person),
    )


async def _guests(store: Store, person: Person) -> tuple[GuestKept, ...]:
    mine = select(people.c.id, people.c.name, people.c.made).where(people.c.id.in_(person.also))
    return _kept(GuestKept, await store.run(mine))


async def _held(store: Store, person: Person) -> tuple[HeldKept, ...]:
    held = [*await held_by(store, person, "cookie"), *await held_by(store, person, "token")]
    keys = [HeldKept(key.id, "passkey", "", key.made) for key in await keys_of(store, person)]
    return (*(HeldKept(each.id, each.kind, each.label, each.made) for each in held), *keys)


async def _seats(store: Store, person: Person) -> tuple[SeatKept, ...]:
    columns = (seats.c.game, seats.c.seat, games.c.game.label("title"), games.c.opened)
    mine = select(*columns).join(games, games.c.id == seats.c.game).where(seats.c.person.in_(person.ids))
    return _kept(SeatKept, await store.run(mine.order_by(games.c.opened)))


async def _results(store: Store, person: Person) -> tuple[ResultKept, ...]:
    columns = [results.c[name] for name in ResultKept.__struct_fields__]
    mine = select(*columns).where(results.c.person.in_(person.ids))
    return _kept(ResultKept, await store.run(mine.order_by(results.c.ended)))


async def _ratings(store: Store, person: Person) -> tuple[RatingKept, ...]:
    columns = [ratings.c[name] for name in RatingKept.__struct_fields__]
    return _kept(RatingKept, await store.run(select(*columns).where(ratings.c.person == person.id)))


async def _waiting(store: Store, person: Person) -> tuple[WaitingKept, ...]:
    columns = [waiting.c[name] for name in WaitingKept.__struct_fields__]
    return _kept(WaitingKept, await store.run(select(*columns).where(waiting.c.person.in_(person.ids))))


async def _pushes(store: Store, person: Person) -> tuple[PushKept, ...]:
    columns = [pushes.c[name] for name in PushKept.__struct_fields__]
    return _kept(PushKept, await store.run(select(*columns).where(pushes.c.person == person.id)))


def _kept(kind: type[Kept], rows: list[Row]) -> tuple[Kept, ...]:
    return tuple(msgspec.convert(row, kind) for row in rows)


# Forgetting


async def forget(host: Host, person: Person) -> None:
    """Forget who somebody was, and the bots that were theirs. Their games go on without them, and stay."""
    for bot in await bots_of(host.store, person):
        await forget(host, bot)
    await _leave_all_tables(host, person)
    await _strike_names(host, person)
    nobody = {"name": DELETED, "login": None, "password": None, "settings": "{}", "owner": None}
    await host.store.run(
        update(people).where(people.c.id.in_(person.ids)).values(nobody),
        *(
            delete(table).where(table.c.person.in_(person.ids))
            for table in (passkeys, challenges, ratings, waiting, sessions, departures, pushes)
        ),
    )
    await host.store.scrub()


async def _leave_all_tables(host: Host, person: Person) -> None:
    running = select(games.c.id).join(seats, seats.c.game == games.c.id)
    mine = running.where(seats.c.person.in_(person.ids), games.c.status != "over")
    for row in await host.store.run(mine):
        room = await host.room(row["id"])
        assert room is not None
        await perform(host, room, Caller(person), Wish(f"gone-{token_hex(8)}", "leave"))


async def _strike_names(host: Host, person: Person) -> None:
    """Take the name out of every log; a table that is open here forgets it too."""
    tables = union(
        select(seats.c.game).where(seats.c.person.in_(person.ids)),
        select(departures.c.game).where(departures.c.person.in_(person.ids)),
    ).subquery()
    for row in await host.store.run(select(tables.c.game)):
        await _strike_name(host, row["game"], person)


async def _strike_name(host: Host, game_id: str, person: Person) -> None:
    for row in await host.store.log(game_id, -1):
        entry = entries.read(row.body)
        if isinstance(entry, Sat) and entry.who in person.ids:
            body = entries.write(replace(entry, name=DELETED))
            await host.store.run(strike(game_id, row.number, DELETED, body, in_file=is_file(host.store)))
    if (room := host.rooms.get(game_id)) is not None:
        room.table.chairs = [
            replace(chair, name=DELETED) if chair.who in person.ids else chair for chair in room.table.chairs
        ]
