"""Somebody is away at their turn: for how long, and what the others may do about it."""

import asyncio
import contextlib
from secrets import token_hex
from types import SimpleNamespace

import pytest

from tessella.protocol.messages import Ack, Command, ErrorReply
from tessella.server.rooms.commands import Caller, perform
from tessella.server.rooms.host import EXPIRY_SECONDS, SUBSTITUTE_SECONDS
from tessella.server.rooms.lifecycle import Terms, open_table, sit
from tessella.server.rooms.room import MOST_AWAY_SECONDS, Viewer
from tessella.table.log import Days, Live
from tests.server.helpers import hosting, known
from tests.server.waiting import until

RULES = "azul/1 seats=2 wall=coloured"


@pytest.fixture
def table(sqlite):
    return at_a_table(sqlite)


@contextlib.asynccontextmanager
async def at_a_table(sqlite, **terms):
    """A game of two in which both were connected, and a clock."""
    clock = SimpleNamespace(now=1_000.0)
    async with hosting(sqlite) as host:
        host.clock = lambda: clock.now
        room = await open_table(host, Terms(RULES, **terms))
        people = [await known(host.store, name) for name in ("Ann", "Bert")]
        for seat, person in enumerate(people):
            await sit(host, room, seat, person)
        viewers = [Viewer(person.id, lambda _: None) for person in people]
        for viewer in viewers:
            host.enter(room, viewer)
        await host.append(room, "start", lambda table, secret: table.start(secret))
        try:
            yield host, room, clock, people, viewers, room.table.movers[0]
        finally:
            await until(lambda: not room.refresh_scheduled)
            await room.lock.acquire()


async def substitute(host, room, person):
    return await perform(host, room, Caller(person), Command(f"bot-{token_hex(4)}", "substitute"))


async def test_how_long_a_player_is_away_counts_from_the_last_connection_up_to_an_hour(table):
    host, room, clock, _, viewers, mover = table
    second = Viewer(viewers[mover].player, lambda _: None)
    host.enter(room, second)
    clock.now += 100
    host.leave(room, viewers[mover])
    assert room.away(clock.now) == {}, "another tab is open"
    host.leave(room, second)
    clock.now += 80
    assert room.view_for(1 - mover, clock.now).seats[mover].away == 80
    assert room.view_for(None, clock.now).seats[1 - mover].away is None
    clock.now += 1_000_000
    assert room.away(clock.now) == {mover: MOST_AWAY_SECONDS}
    host.enter(room, second)
    assert room.away(clock.now) == {}


async def test_a_bot_plays_on_after_a_minute_and_not_before_and_the_player_may_return(table):
    host, room, clock, people, viewers, mover = table
    other = people[1 - mover]
    assert (await substitute(host, room, other)).rule == "away"
    host.leave(room, viewers[mover])
    clock.now += SUBSTITUTE_SECONDS - 1
    assert (await substitute(host, room, other)).rule == "away"
    clock.now += 1
    assert isinstance(await substitute(host, room, other), Ack)
    assert room.table.seats[mover].level
    assert (await substitute(host, room, other)).rule == "away", "a bot is never replaced"
    assert isinstance(await perform(host, room, Caller(other), Command("no-more-of-it", "abort")), Ack)
    assert room.table.end is not None, "the only one left agrees with herself"


async def test_the_one_who_waits_and_spectators_replace_nobody(table):
    host, room, clock, people, viewers, mover = table
    host.leave(room, viewers[1 - mover])
    clock.now += 1_000
    assert (await substitute(host, room, people[mover])).rule == "away", "it is not their turn"
    host.leave(room, viewers[mover])
    clock.now += 1_000
    assert (await substitute(host, room, await known(host.store, "Sven"))).rule == "seat"


@pytest.mark.parametrize(
    ("terms", "rule"),
    [({"pace": Days(3)}, "clock"), ({"pace": Live(600, 10), "rated": True}, "clock"), ({"pace": Live(600, 10)}, "")],
)
async def test_where_the_clock_decides_no_seat_is_taken(sqlite, terms, rule):
    async with at_a_table(sqlite, **terms) as (host, room, clock, people, viewers, mover):
        host.leave(room, viewers[mover])
        clock.now += 100
        answer = await substitute(host, room, people[1 - mover])
        assert (answer.rule if isinstance(answer, ErrorReply) else "") == rule


async def test_a_worker_that_does_not_know_the_others_replaces_nobody(table):
    host, room, clock, people, viewers, mover = table
    host.leave(room, viewers[mover])
    clock.now += 100
    host.bus.connected_at = asyncio.get_running_loop().time() - EXPIRY_SECONDS / 2
    assert (await substitute(host, room, people[1 - mover])).rule == "away"


async def test_presence_at_another_worker_counts(table):
    host, room, clock, _, viewers, mover = table
    host.leave(room, viewers[mover])
    clock.now += 50
    host.receive(f"{room.table.id}/other", f"{mover};0")
    assert room.away(clock.now) == {}
    clock.now += 50
    host.receive(f"{room.table.id}/other", ";0")
    clock.now += 7
    assert room.away(clock.now) == {mover: 7}
