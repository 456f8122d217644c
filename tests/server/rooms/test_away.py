"""Somebody is away at their turn: for how long, and what the others may do about it."""

import asyncio
from secrets import token_hex

import pytest

from tessella.protocol.messages import Ack, Command, ErrorReply
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.commands import Caller, perform
from tessella.server.rooms.host import EXPIRY_SECONDS, SUBSTITUTE_SECONDS, Host
from tessella.server.rooms.lifecycle import Terms, open_table, sit
from tessella.server.rooms.room import MOST_AWAY_SECONDS, Viewer
from tessella.server.store import connect
from tessella.table.log import Days, Live
from tests.server.helpers import known, run
from tests.server.waiting import until

RULES = "azul/1 seats=2 wall=coloured"


def at_a_table(sqlite, use, **terms):
    """A game of two in which both were connected; `use` gets the clock, the players and the one who is to move."""

    async def main():
        now = [1_000.0]
        store = await connect(sqlite)
        host = Host(store, LocalBus(), [], lambda: now[0])
        room = await open_table(host, Terms(RULES, **terms))
        people = [await known(store, name) for name in ("Ann", "Bert")]
        for seat, person in enumerate(people):
            await sit(host, room, seat, person)
        viewers = [Viewer(person.id, lambda _: None) for person in people]
        for viewer in viewers:
            host.enter(room, viewer)
        await host.append(room, "start", lambda table, secret: table.start(secret))
        mover = room.table.movers[0]
        try:
            return await use(host, room, now, people, viewers, mover)
        finally:
            await until(lambda: not room.refresh_scheduled)
            async with room.lock:
                await store.close()

    return run(main())


async def substitute(host, room, person):
    return await perform(host, room, Caller(person), Command(f"bot-{token_hex(4)}", "substitute"))


def test_how_long_a_player_is_away_counts_from_the_last_connection_up_to_an_hour(sqlite):
    async def use(host, room, now, _people, viewers, mover):
        second = Viewer(viewers[mover].player, lambda _: None)
        host.enter(room, second)
        now[0] += 100
        host.leave(room, viewers[mover])
        assert room.away(now[0]) == {}, "another tab is open"
        host.leave(room, second)
        now[0] += 80
        assert room.view_for(1 - mover, now[0]).seats[mover].away == 80
        assert room.view_for(None, now[0]).seats[1 - mover].away is None
        now[0] += 1_000_000
        assert room.away(now[0]) == {mover: MOST_AWAY_SECONDS}
        host.enter(room, second)
        assert room.away(now[0]) == {}

    at_a_table(sqlite, use)


def test_a_bot_plays_on_after_a_minute_and_not_before_and_the_player_may_return(sqlite):
    async def use(host, room, now, people, viewers, mover):
        other = people[1 - mover]
        assert (await substitute(host, room, other)).rule == "away"
        host.leave(room, viewers[mover])
        now[0] += SUBSTITUTE_SECONDS - 1
        assert (await substitute(host, room, other)).rule == "away"
        now[0] += 1
        assert isinstance(await substitute(host, room, other), Ack)
        assert room.table.seats[mover].level
        assert (await substitute(host, room, other)).rule == "away", "a bot is never replaced"
        assert isinstance(await perform(host, room, Caller(other), Command("no-more-of-it", "abort")), Ack)
        assert room.table.end is not None, "the only one left agrees with herself"

    at_a_table(sqlite, use)


def test_the_one_who_waits_and_spectators_replace_nobody(sqlite):
    async def use(host, room, now, people, viewers, mover):
        host.leave(room, viewers[1 - mover])
        now[0] += 1_000
        assert (await substitute(host, room, people[mover])).rule == "away", "it is not their turn"
        host.leave(room, viewers[mover])
        now[0] += 1_000
        stranger = await known(host.store, "Sven")
        assert (await substitute(host, room, stranger)).rule == "seat"

    at_a_table(sqlite, use)


@pytest.mark.parametrize(
    ("terms", "rule"),
    [({"pace": Days(3)}, "clock"), ({"pace": Live(600, 10), "rated": True}, "clock"), ({"pace": Live(600, 10)}, "")],
)
def test_where_the_clock_decides_no_seat_is_taken(sqlite, terms, rule):
    async def use(host, room, now, people, viewers, mover):
        host.leave(room, viewers[mover])
        now[0] += 100
        answer = await substitute(host, room, people[1 - mover])
        assert (answer.rule if isinstance(answer, ErrorReply) else "") == rule

    at_a_table(sqlite, use, **terms)


def test_a_worker_that_does_not_know_the_others_replaces_nobody(sqlite):
    async def use(host, room, now, people, viewers, mover):
        host.leave(room, viewers[mover])
        now[0] += 100
        host.bus.connected_at = asyncio.get_running_loop().time() - EXPIRY_SECONDS / 2
        assert (await substitute(host, room, people[1 - mover])).rule == "away"

    at_a_table(sqlite, use)


def test_presence_at_another_worker_counts(sqlite):
    async def use(host, room, now, _people, viewers, mover):
        host.leave(room, viewers[mover])
        now[0] += 50
        host.receive(f"{room.table.id}/other", f"{mover};0")
        assert room.away(now[0]) == {}
        now[0] += 50
        host.receive(f"{room.table.id}/other", ";0")
        now[0] += 7
        assert room.away(now[0]) == {mover: 7}

    at_a_table(sqlite, use)
