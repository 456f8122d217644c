"""Quick pairing: players who want the same game are seated together; bot accounts with each other, for their ladder.

The queue is in the database, so players of all workers meet; whoever has waited longest comes first. A whole group is
claimed in one statement for a game that does not exist yet. Opening the table and seating the group are idempotent, so
a worker that dies in between delays a game and loses none.
"""

from collections.abc import Collection, Mapping, Sequence
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
from tessella.server.people.identity import Person
from tessella.server.people.relations import blocked_pairs
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Room
from tessella.server.services.ladder import kept_apart
from tessella.server.store import Row, Store
from tessella.server.store.errors import CLASHES
from tessella.server.store.schema import people, seats, waiting
from tessella.table.ids import fresh_id
from tessella.table.log import Days, Live, Opened
from tessella.table.table import Refused

PaceName: TypeAlias = Literal["quick", "live", "days"]
PACES: Mapping[PaceName, Live | Days] = {"quick": Live(300, 5), "live": Live(600, 10), "days": Days(3)}

WAIT_SECONDS: Mapping[PaceName, float] = {"quick": 60.0, "live": 60.0, "days": 7 * 86_400.0}
"""A player leaves the queue after this time without a poll."""
FOUND_SECONDS = 600.0
"""How long the game that was found can be polled."""
MOST_ATTEMPTS = 20
MOST_CONSIDERED = 50
"""Players who are looked at for the next group."""


class Wanted(Struct, frozen=True):
    """The game that a player wants."""

    title: str
    seats: int
    pace: PaceName
    bots: bool = False
    """Whether a bot account wants it, which is paired only with others."""


class Wait(Struct, frozen=True):
    """The state of a player: waiting, or paired if `game` is not empty."""

    wanted: Wanted
    since: float
    game: str


def rules_of(wanted: Wanted) -> str:
    """Return the rules line with default options; raise BadNotation if there is no such game or number of seats."""
    game = GAMES.get(wanted.title)
    if game is None:
        raise BadNotation(f"there is no game {wanted.title!r} here")
    return record.write_rules(game, record.read_options(game, [f"seats={wanted.seats}"]))


# Joining, polling, leaving


async def join(host: Host, person: Person, wanted: Wanted) -> Wait:
    """Join the queue for a game, and leave the queue for any other."""
    rules_of(wanted)
    before = await _look(host.store, person)
    if before is not None and before.game:
        await _seat_all(host, before)
    now = await host.store.now()
    await host.store.run(delete(waiting).where(waiting.c.ends < now - FOUND_SECONDS))
    await host.store.run(
        _leave_other(person, wanted, before.game if before else "", now), _enqueue(person, wanted, now)
    )
    return await poll(host, person) or Wait(wanted, now, "")


def _leave_other(person: Person, wanted: Wanted, seen: str, now: float) -> Executable:
    """Delete an earlier place in the queue, unless it is for the same game or has found one that was not seen yet."""
    same = _is_wanted(wanted) & (waiting.c.game == "")
    past = (waiting.c.ends <= now) | ((waiting.c.game == seen) & ~same)
    return delete(waiting).where(_is_person(person), past)


def _enqueue(person: Person, wanted: Wanted, now: float) -> Executable:
    fields = {"title": wanted.title, "seats": wanted.seats, "pace": wanted.pace, "bots": wanted.bots}
    place = upsert(waiting).values(person=person.id, since=now, ends=now + WAIT_SECONDS[wanted.pace], game="", **fields)
    still = {"ends": place.excluded.ends}
    return place.on_conflict_do_update(index_elements=["person"], set_=still, where=waiting.c.game == "")


async def poll(host: Host, person: Person) -> Wait | None:
    """Stay in the queue and return its state, paired if there are enough players; None if not in the queue."""
    wait = await _look(host.store, person)
    if wait is not None and not wait.game:
        await _stay(host.store, person, wait.wanted)
        await pair(host, wait.wanted)
        wait = await _look(host.store, person)
    if wait is not None and wait.game and not await _seat_all(host, wait):
        return await _look(host.store, person)
    return wait


async def leave(store: Store, person: Person) -> bool:
    """Leave the queue; return False if the player was not in it, or was paired already."""
    here = _is_person(person) & (waiting.c.game == "")
    return bool(await store.run(delete(waiting).where(here).returning(waiting.c.person)))


async def _look(store: Store, person: Person) -> Wait | None:
    rows = await store.run(select(waiting).where(_is_person(person), waiting.c.ends > await store.now()))
    return _wait(rows[0]) if rows else None


async def _stay(store: Store, person: Person, wanted: Wanted) -> None:
    ends = await store.now() + WAIT_SECONDS[wanted.pace]
    await store.run(update(waiting).where(_is_person(person), waiting.c.game == "").values(ends=ends))


def _is_person(person: Person) -> ColumnElement[bool]:
    return waiting.c.person.in_(person.ids)


def _is_wanted(wanted: Wanted) -> ColumnElement[bool]:
    same_game = (waiting.c.title == wanted.title) & (waiting.c.seats == wanted.seats)
    return same_game & (waiting.c.pace == wanted.pace) & (waiting.c.bots == wanted.bots)


def _wait(row: Row) -> Wait:
    return Wait(Wanted(row["title"], row["seats"], row["pace"], bool(row["bots"])), row["since"], row["game"])


# Pairing


async def pair(host: Host, wanted: Wanted) -> None:
    """Open games for players who want the same, while there are enough of them."""
    for _ in range(MOST_ATTEMPTS):
        if await count(host.store, wanted) < wanted.seats:
            return
        now, game_id = await host.store.now(), fresh_id()
        there = _there(wanted, now)
        queue = await _queue(host.store, there)
        apart = await blocked_pairs(host.store, queue)
        if wanted.bots:
            apart |= await kept_apart(host.store, queue, now)
        if apart:
            group = _next_group(queue, apart, wanted.seats)
            if not group:
                return
            there &= waiting.c.person.in_(group)
        if await host.store.run(_claim(there, wanted.seats, game_id, now + FOUND_SECONDS)):
            await _seat_all(host, Wait(wanted, now, game_id))


async def _queue(store: Store, there: ColumnElement[bool]) -> list[str]:
    """Return the players who have waited longest, in that order."""
    first = select(waiting.c.person).where(there).order_by(waiting.c.since, waiting.c.person).limit(MOST_CONSIDERED)
    return [str(row["person"]) for row in await store.run(first)]


def _next_group(queue: Sequence[str], apart: Collection[frozenset[str]], seats: int) -> list[str]:
    """Return the first players of a queue who do not block each other, or none if they are too few.

    >>> _next_group(["ann", "bert", "cara"], [frozenset(("ann", "bert"))], 2)
    ['ann', 'cara']
    """
    for start in range(len(queue) - seats + 1):
        group: list[str] = []
        for person in queue[start:]:
            if not any(frozenset((person, other)) in apart for other in group):
                group.append(person)
            if len(group) == seats:
                return group
    return []


async def count(store: Store, wanted: Wanted) -> int:
    """Return how many players wait for this game."""
    (row,) = await store.run(select(func.count().label("n")).where(_there(wanted, await store.now())))
    return int(row["n"])


async def searches(store: Store) -> tuple[tuple[Wanted, int], ...]:
    """Return what people wait for now and how many of them, the most wanted first."""
    what = (waiting.c.title, waiting.c.seats, waiting.c.pace)
    there = (waiting.c.game == "") & ~waiting.c.bots & (waiting.c.ends > await store.now())
    many = func.count().label("n")
    rows = await store.run(select(*what, many).where(there).group_by(*what).order_by(many.desc(), *what))
    return tuple((Wanted(row["title"], row["seats"], row["pace"]), int(row["n"])) for row in rows)


def _there(wanted: Wanted, now: float) -> ColumnElement[bool]:
    return _is_wanted(wanted) & (waiting.c.game == "") & (waiting.c.ends > now)


def _claim(there: ColumnElement[bool], count: int, game_id: str, ends: float) -> Executable:
    """Claim the players who have waited longest for a game, or none if another worker left too few."""
    first = select(waiting.c.person).where(there).order_by(waiting.c.since, waiting.c.person).limit(count)
    picked = first.with_for_update().cte("picked")
    enough = select(func.count()).select_from(picked).scalar_subquery() == count
    group = update(waiting).where(waiting.c.person.in_(select(picked.c.person)), enough)
    return group.values(game=game_id, ends=ends).returning(waiting.c.person)


async def _seat_all(host: Host, wait: Wait) -> bool:
    """Open the table of a group and seat its players, as far as another worker has not done so.

    Return False if a player was deleted before the table was opened: the others then go back to the queue.
    """
    columns = (waiting.c.person, people.c.name, people.c.kind)
    group = select(*columns).join(people, people.c.id == waiting.c.person).where(waiting.c.game == wait.game)
    rows = sorted(await host.store.run(group), key=lambda row: _draw(wait.game, row["person"]))
    room = await host.room(wait.game)
    if room is None and len(rows) < wait.wanted.seats:
        await host.store.run(update(waiting).where(waiting.c.game == wait.game).values(game=""))
        return False
    kinds = {row["kind"] for row in rows}
    room = room or await _set_table(host, wait, rated=len(kinds) == 1 and kinds <= {"member", "bot"})
    if room.table.status == "open":
        for seat, row in enumerate(rows):
            await _sit(host, room, seat, row)
    return True


def _draw(game_id: str, person_id: str) -> bytes:
    """Return a sort key that draws the seats by lot, the same on every worker."""
    return sha256(f"{game_id} {person_id}".encode()).digest()


async def _set_table(host: Host, wait: Wait, *, rated: bool) -> Room:
    seed = fresh_seed()
    opened = Opened(rules_of(wait.wanted), commitment(wait.game, seed).hex(), PACES[wait.wanted.pace], rated)
    try:
        return await host.open(wait.game, opened, seed, listed=False)
    except CLASHES:
        room = await host.room(wait.game)
        assert room is not None
        return room


async def _sit(host: Host, room: Room, seat: Seat, row: Row) -> None:
    person, name = row["person"], row["name"]
    with suppress(Refused):
        await host.append(room, f"pair-{seat}-{person}", lambda table, _: table.sit(seat, person, name))
    if room.table.seat_of(person) == seat:
        place = upsert(seats).values(game=room.table.id, seat=seat, person=person)
        await host.store.run(place.on_conflict_do_nothing())
