"""Quick pairing: say what you would like to play, and sit down with whoever wants the same.

The queue is in the database, so it does not matter which worker anybody is connected to. Who has waited longest comes
first. A group is claimed whole, in one statement, for a game that does not exist yet; setting the table and sitting
down can be done again by anybody, so a worker that dies in between delays a game and loses none.
"""

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Literal, TypeAlias

from msgspec import Struct
from sqlalchemy import ColumnElement, Executable, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.core import record
from tessella.core.dice import commitment, fresh_seed
from tessella.core.game import BadNotation, Seat
from tessella.games import GAMES
from tessella.server.entries import Days, Live, Opened
from tessella.server.host import Host, Room
from tessella.server.opening import fresh_id
from tessella.server.people import Person
from tessella.server.store import Row, Store
from tessella.server.store.errors import CLASHES
from tessella.server.store.schema import people, seats, waiting
from tessella.server.table import Refused

PaceName: TypeAlias = Literal["quick", "live", "days"]
PACES: Mapping[PaceName, Live | Days] = {"quick": Live(300, 5), "live": Live(600, 10), "days": Days(3)}

PATIENCE: Mapping[PaceName, float] = {"quick": 60.0, "live": 60.0, "days": 7 * 86_400.0}
"""Who has not asked for so many seconds does not wait any more."""
FOUND_SECONDS = 600.0
"""How long one can learn which game was found."""
TRIES = 20


class Wanted(Struct, frozen=True):
    """What somebody would like to play."""

    title: str
    seats: int
    pace: PaceName


class Wait(Struct, frozen=True):
    """Where somebody stands: waiting, or at a table that was found."""

    wanted: Wanted
    since: float
    game: str


def rules_of(wanted: Wanted) -> str:
    """The rules line, with all options as usual; raises BadNotation if it is not played so."""
    game = GAMES.get(wanted.title)
    if game is None:
        raise BadNotation(f"there is no game {wanted.title!r} here")
    return record.write_rules(game, record.read_rules(game, f"{game.NAME}/{game.EDITION} seats={wanted.seats}"))


# Coming, asking, going


async def come(host: Host, person: Person, wanted: Wanted) -> Wait:
    """Wait for others; who waited for something else does not any more."""
    rules_of(wanted)
    before = await _look(host.store, person)
    if before is not None and before.game:
        await _seat_all(host, before)
    now = await host.store.now()
    await host.store.run(delete(waiting).where(waiting.c.ends < now - FOUND_SECONDS))
    await host.store.run(_give_up(person, wanted, before.game if before else "", now), _queue_up(person, wanted, now))
    return await ask(host, person) or Wait(wanted, now, "")


def _give_up(person: Person, wanted: Wanted, seen: str, now: float) -> Executable:
    """Leave the place where one was, unless it is the same one, or a game has been found that one has not seen."""
    same = _is_wanted(wanted) & (waiting.c.game == "")
    past = (waiting.c.ends <= now) | ((waiting.c.game == seen) & ~same)
    return delete(waiting).where(_is_person(person), past)


def _queue_up(person: Person, wanted: Wanted, now: float) -> Executable:
    wish = {"title": wanted.title, "seats": wanted.seats, "pace": wanted.pace}
    place = upsert(waiting).values(person=person.id, since=now, ends=now + PATIENCE[wanted.pace], game="", **wish)
    still = {"ends": place.excluded.ends}
    return place.on_conflict_do_update(index_elements=["person"], set_=still, where=waiting.c.game == "")


async def ask(host: Host, person: Person) -> Wait | None:
    """Say that one still waits, and hear whether a game was found; None if one does not wait."""
    wait = await _look(host.store, person)
    if wait is not None and not wait.game:
        await _stay(host.store, person, wait.wanted)
        await pair(host, wait.wanted)
        wait = await _look(host.store, person)
    if wait is not None and wait.game and not await _seat_all(host, wait):
        return await _look(host.store, person)
    return wait


async def go(store: Store, person: Person) -> bool:
    """Do not wait any more; False if one did not wait, or a game was found already."""
    here = _is_person(person) & (waiting.c.game == "")
    return bool(await store.run(delete(waiting).where(here).returning(waiting.c.person)))


async def _look(store: Store, person: Person) -> Wait | None:
    rows = await store.run(select(waiting).where(_is_person(person), waiting.c.ends > await store.now()))
    return _wait(rows[0]) if rows else None


async def _stay(store: Store, person: Person, wanted: Wanted) -> None:
    ends = await store.now() + PATIENCE[wanted.pace]
    await store.run(update(waiting).where(_is_person(person), waiting.c.game == "").values(ends=ends))


def _is_person(person: Person) -> ColumnElement[bool]:
    return waiting.c.person.in_(person.ids)


def _is_wanted(wanted: Wanted) -> ColumnElement[bool]:
    same_game = (waiting.c.title == wanted.title) & (waiting.c.seats == wanted.seats)
    return same_game & (waiting.c.pace == wanted.pace)


def _wait(row: Row) -> Wait:
    return Wait(Wanted(row["title"], row["seats"], row["pace"]), row["since"], row["game"])


# Finding a game


async def pair(host: Host, wanted: Wanted) -> None:
    """Make games of all who wait for the same, as long as they are enough."""
    for _ in range(TRIES):
        if await count(host.store, wanted) < wanted.seats:
            return
        now, game_id = await host.store.now(), fresh_id()
        if await host.store.run(_claim(_there(wanted, now), wanted.seats, game_id, now + FOUND_SECONDS)):
            await _seat_all(host, Wait(wanted, now, game_id))


async def count(store: Store, wanted: Wanted) -> int:
    """How many wait for this now."""
    (row,) = await store.run(select(func.count().label("n")).where(_there(wanted, await store.now())))
    return int(row["n"])


def _there(wanted: Wanted, now: float) -> ColumnElement[bool]:
    return _is_wanted(wanted) & (waiting.c.game == "") & (waiting.c.ends > now)


def _claim(there: ColumnElement[bool], count: int, game_id: str, ends: float) -> Executable:
    """Give a game to those who have waited longest, or to nobody if others were quicker and too few are left."""
    first = select(waiting.c.person).where(there).order_by(waiting.c.since, waiting.c.person).limit(count)
    picked = first.with_for_update().cte("picked")
    enough = select(func.count()).select_from(picked).scalar_subquery() == count
    group = update(waiting).where(waiting.c.person.in_(select(picked.c.person)), enough)
    return group.values(game=game_id, ends=ends).returning(waiting.c.person)


async def _seat_all(host: Host, wait: Wait) -> bool:
    """Set the table that was found, and let everybody sit down, as far as nobody else has done so.

    False if somebody is gone for good before there was a table: then the others wait on.
    """
    columns = (waiting.c.person, people.c.name, people.c.kind)
    group = select(*columns).join(people, people.c.id == waiting.c.person).where(waiting.c.game == wait.game)
    rows = sorted(await host.store.run(group), key=lambda row: _lot(wait.game, row["person"]))
    room = await host.room(wait.game)
    if room is None and len(rows) < wait.wanted.seats:
        await host.store.run(update(waiting).where(waiting.c.game == wait.game).values(game=""))
        return False
    room = room or await _set_table(host, wait, rated=all(row["kind"] == "member" for row in rows))
    if room.table.status == "open":
        for seat, row in enumerate(rows):
            await _sit(host, room, seat, row)
    return True


def _lot(game_id: str, person_id: str) -> bytes:
    """The order of the seats: by lot, and the same for everybody who draws."""
    return sha256(f"{game_id} {person_id}".encode()).digest()


async def _set_table(host: Host, wait: Wait, *, rated: bool) -> Room:
    seed = fresh_seed()
    promise = commitment(wait.game, seed).hex()
    opened = Opened(rules_of(wait.wanted), promise, PACES[wait.wanted.pace], rated)
    try:
        return await host.open(wait.game, opened, seed, listed=False)
    except CLASHES:
        room = await host.room(wait.game)
        assert room is not None
        return room


async def _sit(host: Host, room: Room, seat: Seat, row: Row) -> None:
    who, name = row["person"], row["name"]
    with suppress(Refused):
        await host.append(room, f"pair-{seat}-{who}", lambda table, _: table.sit(seat, who, name))
    if room.table.seat_of(who) == seat:
        place = upsert(seats).values(game=room.table.id, seat=seat, person=who)
        await host.store.run(place.on_conflict_do_nothing())
