"""Whoever is second is told so: many acts for one number, one key sent many times, double sits, double windows.

Two workers that know nothing of each other, one database. Each race is run by both at once; exactly one act may be
stored and confirmed under its key, and everybody else must be refused or be told the number that is stored.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import TypeAlias

from tessella.core.game import Public, Seat
from tessella.prove import Ask, Figure, Report
from tessella.prove.databases import fresh_postgres
from tessella.prove.society import judge_logs
from tessella.server import store as stores
from tessella.server.bus import LocalBus
from tessella.server.entries import Live
from tessella.server.host import Host, Room
from tessella.server.messages import Ack, Play, Refusal, Wish
from tessella.server.opening import Terms, open_table, sit
from tessella.server.people import Person
from tessella.server.sessions import Caller, perform
from tessella.server.store import Store
from tessella.server.table import Refused
from tessella.terminal.progress import progress

RULES = "azul/1 seats=2 wall=coloured"
WORKERS = 2
WINDOWS = 3
"""Of each worker, in each race."""

MOVES_OF_A_TABLE = 12

Race: TypeAlias = Callable[["Course", int], Awaitable[None]]


class Course:
    """Two workers over one database, and what was found at their races."""

    def __init__(self, hosts: Sequence[Host], rng: Random) -> None:
        self.hosts = hosts
        self.rng = rng
        self.failures: list[str] = []
        self.races = 0
        self.people = [Person(f"p{seat}", f"Person {seat}", "guest") for seat in range(2)]

    @property
    def store(self) -> Store:
        """The one store."""
        return self.hosts[0].store

    async def table(self) -> str:
        """A table at which a game has begun."""
        host = self.hosts[0]
        room = await open_table(host, Terms(RULES, Live(600, 10)))
        for seat, person in enumerate(self.people):
            await sit(host, room, seat, person)
        await host.append(room, "start", lambda table, secret: table.start(secret))
        return room.table.id

    async def rooms(self, game: str) -> list[tuple[Host, Room]]:
        """The table as each worker remembers it: both know how far it is, and neither hears of the other."""
        found: list[tuple[Host, Room]] = []
        for host in self.hosts:
            room = await host.room(game)
            assert room is not None
            await host.read_on(room)
            found.append((host, room))
        return found

    def expect(self, ok: bool, words: str) -> None:  # noqa: FBT001
        """Note what is not as it must be."""
        self.races += 1
        if not ok:
            self.failures.append(words)


def prove(ask: Ask) -> Report:
    """Race for so many acts."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    async with _course(ask) as course:
        tables = max(1, ask.size // (MOVES_OF_A_TABLE * len(RACES)))
        for number in progress(range(tables), "tables"):
            for race in RACES:
                try:
                    await race(course, number)
                except (Refused, ValueError) as wrong:
                    course.failures.append(f"{race.__name__}: the table cannot go on: {wrong}")
        course.failures += await judge_logs(course.store)
        failures, races = course.failures, course.races
    return Report(
        (
            Figure("wrong", len(failures), at_most=0, words="races with no winner, or two"),
            Figure("races", races, words=f"each of {WORKERS * WINDOWS} acts by {WORKERS} workers at once"),
        ),
        tuple(failures),
    )


@asynccontextmanager
async def _course(ask: Ask) -> AsyncGenerator[Course]:
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(fresh_postgres(ask.database))
        hosts: list[Host] = []
        for _ in range(WORKERS):
            store = await stores.connect(url)
            stack.push_async_callback(store.close)
            hosts.append(Host(store, LocalBus(), [], time.time))
        yield Course(hosts, Random(ask.seed))


# Races


async def different_moves_for_one_number(course: Course, number: int) -> None:
    """Each window has a move and a key of its own: one is confirmed, the others learn that they are late."""
    game = await course.table()
    for turn in range(MOVES_OF_A_TABLE):
        rooms = await course.rooms(game)
        seat, moves, at = _standing(rooms[0][1])
        wishes = [Play(f"{number}-{turn}-{n:04}", at, course.rng.choice(moves)) for n in range(WORKERS * WINDOWS)]
        answers = await _all_at_once(course, rooms, seat, wishes)
        acks = [answer for answer in answers if isinstance(answer, Ack)]
        rules = {answer.rule for answer in answers if isinstance(answer, Refusal)}
        course.expect(len(acks) == 1, f"{game} at {at}: {len(acks)} of different moves were confirmed")
        course.expect(rules <= {"stale", "busy"}, f"{game} at {at}: refused by {rules}")


async def one_move_many_times(course: Course, number: int) -> None:
    """The same key comes again and again, through both workers: everybody is told the same number."""
    game = await course.table()
    for turn in range(MOVES_OF_A_TABLE):
        rooms = await course.rooms(game)
        seat, moves, at = _standing(rooms[0][1])
        wish = Play(f"{number}-{turn}-same", at, course.rng.choice(moves))
        answers = await _all_at_once(course, rooms, seat, [wish] * (WORKERS * WINDOWS))
        numbers = {answer.number for answer in answers if isinstance(answer, Ack)}
        course.expect(numbers == {at}, f"{game} at {at}: one move was confirmed as {numbers}")
        course.expect(all(isinstance(each, Ack) for each in answers), f"{game} at {at}: {answers}")


async def double_sits(course: Course, number: int) -> None:
    """Many want the same seat, and one person wants both: each seat is taken once, nobody sits twice."""
    host = course.hosts[0]
    for turn in range(MOVES_OF_A_TABLE):
        room = await open_table(host, Terms(RULES))
        crowd = [Person(f"p{number}-{turn}-{n}", "Somebody", "guest") for n in range(WINDOWS)]
        rooms = await course.rooms(room.table.id)
        sits = [_sit(each, there, seat, person) for each, there in rooms for seat in (0, 1) for person in crowd]
        sat = set(await asyncio.gather(*sits)) - {None}
        await host.read_on(room)
        chairs = {(seat, chair.who) for seat, chair in enumerate(room.table.chairs)}
        course.expect(sat == chairs, f"{room.table.id}: {sat} were told that they sit there, and {chairs} do")
        course.expect(len({who for _, who in chairs}) == 2, f"{room.table.id}: {chairs} sit there")


async def _sit(host: Host, room: Room, seat: Seat, person: Person) -> tuple[Seat, str] | None:
    try:
        await sit(host, room, seat, person)
    except Refused:
        return None
    return seat, person.id


async def leaving_and_returning_at_once(course: Course, number: int) -> None:
    """A person leaves by one window and returns by another: the log says in which order, and all agree with it."""
    game = await course.table()
    for turn in range(MOVES_OF_A_TABLE):
        rooms = await course.rooms(game)
        wishes = [Wish(f"{number}-{turn}-{n:04}", "leave" if n % 2 else "return") for n in range(WORKERS * WINDOWS)]
        answers = await _all_at_once(course, rooms, 0, wishes)
        for wish, answer in zip(wishes, answers, strict=True):
            stored = await course.store.number_of(game, wish.key)
            told = answer.number if isinstance(answer, Ack) else None
            course.expect(stored == told, f"{game}: {wish.what} was told {told}, and is stored as {stored}")


def _standing(room: Room) -> tuple[Seat, list[str], int]:
    table = room.table
    (seat,) = table.movers
    moves = [table.game.write_move(table.state, move) for move in table.game.legal_moves(table.state, seat)]
    return seat, moves, table.number


async def _all_at_once(
    course: Course, rooms: Sequence[tuple[Host, Room]], seat: Seat, wishes: Sequence[Play | Wish]
) -> list[Public]:
    caller = Caller(course.people[seat])
    return await asyncio.gather(
        *(perform(*rooms[number % len(rooms)], caller, wish) for number, wish in enumerate(wishes))
    )


RACES: tuple[Race, ...] = (
    different_moves_for_one_number,
    one_move_many_times,
    double_sits,
    leaving_and_returning_at_once,
)
