"""Concurrent requests get consistent answers: many acts for one number, repeated keys, double sits, two windows.

Two workers that are not notified of each other, one database. Each race is run by both at once; exactly one act may be
stored and confirmed under its key, and all others must be rejected or get the number that is stored. What follows an
act (a game starts, ends or is played again) happens once, and is no error for a player whose act was stored.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import TypeAlias

from sqlalchemy import select

from proofs import Ask, Figure, Report
from proofs.databases import fresh_postgres
from proofs.load_clients import judge_logs
from tessella.core import dice
from tessella.core.game import Public, Seat
from tessella.progress import progress
from tessella.protocol.messages import Ack, Command, ErrorReply, Play, Pledge, Reveal
from tessella.server import store as stores
from tessella.server.cluster.bus import LocalBus
from tessella.server.people.identity import Person
from tessella.server.rooms.commands import Caller, perform, stored_key
from tessella.server.rooms.follow_ups import follow_up
from tessella.server.rooms.history import UnreadableGame
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table, sit
from tessella.server.rooms.room import Room
from tessella.server.store import Store
from tessella.server.store.schema import entries as logs
from tessella.table.log import Ended, Entry, Live, Opened, Started, read_entry
from tessella.table.table import Refused

RULES = "azul/1 seats=2 wall=coloured"
WORKERS = 2
WINDOWS = 3
"""Per worker, in each race."""

MOVES_OF_A_TABLE = 12

Act: TypeAlias = Play | Pledge | Reveal | Command
Race: TypeAlias = Callable[["Course", int], Awaitable[None]]


class Course:
    """Two workers over one database, and what was found."""

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
        """Return a table at which a game has begun."""
        host = self.hosts[0]
        room = await open_table(host, Terms(RULES, Live(600, 10)))
        for seat, person in enumerate(self.people):
            await sit(host, room, seat, person)
        await host.append(room, "start", lambda table, secret: table.start(secret))
        return room.table.id

    async def table_of_dice(self) -> str:
        """Return a table at which all have committed, and all but the last have revealed their numbers."""
        host = self.hosts[0]
        room = await open_table(host, Terms(RULES))
        game = room.table.id
        for seat, person in enumerate(self.people):
            await sit(host, room, seat, person)
        for seat, person in enumerate(self.people):
            await perform(
                host, room, Caller(person), Pledge(f"pledge-{seat}", dice.pledge(game, seat, _number(seat)).hex())
            )
        for seat, person in list(enumerate(self.people))[:-1]:
            await perform(host, room, Caller(person), Reveal(f"reveal-{seat}", _number(seat).hex()))
        return game

    async def rooms(self, game: str) -> list[tuple[Host, Room]]:
        """Return the table as each worker remembers it: both are up to date, and neither is notified by the other."""
        found: list[tuple[Host, Room]] = []
        for host in self.hosts:
            room = await host.room(game)
            assert room is not None
            await host.refresh(room)
            found.append((host, room))
        return found

    def expect(self, ok: bool, words: str) -> None:  # noqa: FBT001
        """Record a violation."""
        self.races += 1
        if not ok:
            self.failures.append(words)


def prove(ask: Ask) -> Report:
    """Race for `ask.size` acts."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    async with _course(ask) as course:
        tables = max(1, ask.size // (MOVES_OF_A_TABLE * len(RACES)))
        for number in progress(range(tables), "tables"):
            for race in RACES:
                try:
                    await race(course, number)
                except (Refused, UnreadableGame, ValueError) as exc:
                    course.failures.append(f"{race.__name__}: the table cannot go on: {exc}")
        course.failures += await judge_logs(course.store)
        failures, races = course.failures, course.races
    return Report(
        (
            Figure("wrong", len(failures), at_most=0, note="races with no winner, or two"),
            Figure("races", races, note=f"each of {WORKERS * WINDOWS} acts by {WORKERS} workers at once"),
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
    """Send a different move and key from each window: one is confirmed, the others learn that they are late."""
    game = await course.table()
    for turn in range(MOVES_OF_A_TABLE):
        rooms = await course.rooms(game)
        seat, moves, at = _standing(rooms[0][1])
        requests = [Play(f"{number}-{turn}-{n:04}", at, course.rng.choice(moves)) for n in range(WORKERS * WINDOWS)]
        answers = await _all_at_once(course, rooms, seat, requests)
        acks = [answer for answer in answers if isinstance(answer, Ack)]
        rules = {answer.rule for answer in answers if isinstance(answer, ErrorReply)}
        course.expect(len(acks) == 1, f"{game} at {at}: {len(acks)} of different moves were confirmed")
        course.expect(rules <= {"stale", "busy"}, f"{game} at {at}: refused by {rules}")


async def one_move_many_times(course: Course, number: int) -> None:
    """Send the same key again and again, through both workers: all get the same number."""
    game = await course.table()
    for turn in range(MOVES_OF_A_TABLE):
        rooms = await course.rooms(game)
        seat, moves, at = _standing(rooms[0][1])
        request = Play(f"{number}-{turn}-same", at, course.rng.choice(moves))
        answers = await _all_at_once(course, rooms, seat, [request] * (WORKERS * WINDOWS))
        numbers = {answer.number for answer in answers if isinstance(answer, Ack)}
        course.expect(numbers == {at}, f"{game} at {at}: one move was confirmed as {numbers}")
        course.expect(all(isinstance(each, Ack) for each in answers), f"{game} at {at}: {answers}")


async def one_key_by_two_players(course: Course, number: int) -> None:
    """Ask and move under the same key, as two players through two workers: both acts are stored."""
    for turn in range(MOVES_OF_A_TABLE):
        game = await course.table()
        rooms = await course.rooms(game)
        seat, moves, at = _standing(rooms[0][1])
        key = f"{number}-{turn}-both"
        asked = await perform(*rooms[0], Caller(course.people[1 - seat]), Command(key, "pause"))
        move = Play(key, at + 1, course.rng.choice(moves))
        played = await perform(*rooms[turn % WORKERS], Caller(course.people[seat]), move)
        both = [asked, played] == [Ack(key, at), Ack(key, at + 1)]
        course.expect(both, f"{game} at {at}: one key of two players was answered by {asked} and {played}")


async def double_sits(course: Course, number: int) -> None:
    """Take the same seat as many people, and both seats as one person: each seat is taken once, by another person."""
    host = course.hosts[0]
    for turn in range(MOVES_OF_A_TABLE):
        room = await open_table(host, Terms(RULES))
        crowd = [Person(f"p{number}-{turn}-{n}", "Somebody", "guest") for n in range(WINDOWS)]
        rooms = await course.rooms(room.table.id)
        sits = [_sit(each, there, seat, person) for each, there in rooms for seat in (0, 1) for person in crowd]
        sat = set(await asyncio.gather(*sits)) - {None}
        await host.refresh(room)
        occupants = {(seat, occupant.player) for seat, occupant in enumerate(room.table.seats)}
        course.expect(sat == occupants, f"{room.table.id}: {sat} were told that they sit there, and {occupants} do")
        course.expect(len({who for _, who in occupants}) == 2, f"{room.table.id}: {occupants} sit there")


async def _sit(host: Host, room: Room, seat: Seat, person: Person) -> tuple[Seat, str] | None:
    try:
        await sit(host, room, seat, person)
    except Refused:
        return None
    return seat, person.id


async def leaving_and_returning_at_once(course: Course, number: int) -> None:
    """Leave in one window and return in another: the log has an order, and all agree with it."""
    game = await course.table()
    for turn in range(MOVES_OF_A_TABLE):
        rooms = await course.rooms(game)
        requests = [
            Command(f"{number}-{turn}-{n:04}", "leave" if n % 2 else "return") for n in range(WORKERS * WINDOWS)
        ]
        await _expect_stored(course, game, requests, await _all_at_once(course, rooms, 0, requests))


async def starting_at_the_last_number(course: Course, number: int) -> None:
    """Reveal the last number while others start the game: it starts once, and all get what is stored."""
    for turn in range(MOVES_OF_A_TABLE):
        game = await course.table_of_dice()
        rooms = await course.rooms(game)
        last = Reveal(f"{number}-{turn}-last", _number(1).hex())
        starts = [Command(f"{number}-{turn}-{n:04}", "start") for n in range(WORKERS * WINDOWS - 1)]
        answers = await _all_at_once(course, rooms, 1, [last, *starts])
        await _expect_stored(course, game, [last, *starts], answers)
        started = await _count(course, game, Started)
        course.expect(started == 1, f"{game}: the game has started {started} times")


async def aborting_while_one_resigns(course: Course, number: int) -> None:
    """Agree to abort while one player resigns: the game ends once, and both get what is stored."""
    for turn in range(MOVES_OF_A_TABLE):
        game = await course.table()
        rooms = await course.rooms(game)
        await perform(*rooms[0], Caller(course.people[0]), Command(f"{number}-{turn}-asks", "abort"))
        rooms = await course.rooms(game)
        requests = [Command(f"{number}-{turn}-agrees", "abort"), Command(f"{number}-{turn}-resigns", "resign")]
        answers = await asyncio.gather(
            *(
                perform(*there, Caller(course.people[1]), request)
                for there, request in zip(rooms, requests, strict=True)
            )
        )
        await _expect_stored(course, game, requests, answers)
        ended = await _count(course, game, Ended)
        course.expect(ended == 1, f"{game}: the game has ended {ended} times")


async def playing_again_at_once(course: Course, number: int) -> None:
    """Agree to a rematch on both workers, again and again: there is one new table, with all players."""
    for turn in range(MOVES_OF_A_TABLE):
        game = await course.table()
        rooms = await course.rooms(game)
        await perform(*rooms[0], Caller(course.people[0]), Command(f"{number}-{turn}-enough", "resign"))
        rooms = await course.rooms(game)
        requests = [Command(f"{number}-{turn}-{n:04}", "rematch") for n in range(WORKERS)]
        asks = (
            perform(host, room, Caller(person), request)
            for (host, room), person, request in zip(rooms, course.people, requests, strict=True)
        )
        await _expect_stored(course, game, requests, await asyncio.gather(*asks))
        await asyncio.gather(*(follow_up(*there) for there in await course.rooms(game)))
        await _expect_one_rematch(course, game)


async def _expect_one_rematch(course: Course, game: str) -> None:
    found: list[str] = []
    for row in await course.store.run(select(logs.c.game, logs.c.body).where(logs.c.number == 0)):
        opened = read_entry(row["body"])
        found += [row["game"]] if isinstance(opened, Opened) and opened.before == game else []
    course.expect(len(found) == 1, f"{game}: its rematches are {found}")
    for again in found:
        rooms = await course.rooms(again)
        sitting = {occupant.player for _, room in rooms for occupant in room.table.seats}
        course.expect(sitting == {person.id for person in course.people}, f"{again}: {sitting} sit at the rematch")


async def _expect_stored(course: Course, game: str, requests: Sequence[Act], answers: Sequence[Public]) -> None:
    """Check that every answer is what is stored."""
    for request, answer in zip(requests, answers, strict=True):
        keys = (stored_key(person.id, request.key) for person in course.people)
        stored = await course.store.number_of(game, *keys)
        told = answer.number if isinstance(answer, Ack) else None
        course.expect(stored == told, f"{game}: {request.key} was told {told}, and is stored as {stored}")


async def _count(course: Course, game: str, kind: type[Entry]) -> int:
    return sum(isinstance(read_entry(row.body), kind) for row in await course.store.log(game, -1))


def _number(seat: Seat) -> bytes:
    return bytes([seat + 1]) * 32


def _standing(room: Room) -> tuple[Seat, list[str], int]:
    table = room.table
    (seat,) = table.movers
    moves = [table.game.write_move(table.state, move) for move in table.game.legal_moves(table.state, seat)]
    return seat, moves, table.number


async def _all_at_once(
    course: Course, rooms: Sequence[tuple[Host, Room]], seat: Seat, requests: Sequence[Act]
) -> list[Public]:
    caller = Caller(course.people[seat])
    return await asyncio.gather(
        *(perform(*rooms[number % len(rooms)], caller, request) for number, request in enumerate(requests))
    )


RACES: tuple[Race, ...] = (
    different_moves_for_one_number,
    one_move_many_times,
    one_key_by_two_players,
    double_sits,
    leaving_and_returning_at_once,
    starting_at_the_last_number,
    aborting_while_one_resigns,
    playing_again_at_once,
)
