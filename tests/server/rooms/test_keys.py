"""The keys of requests: each player has their own, and a request that is sent twice counts once."""

import pytest

from tessella.protocol.messages import Ack, Command, Play
from tessella.server.rooms.commands import Caller, perform, stored_key
from tessella.server.services.moderation import close_table
from tessella.server.store.sealed import pack, unpack
from tessella.table.log import read_entry
from tessella.table.requests import decision
from tests.server.helpers import begin, hosting, known, play_out

KEY = "request-1"


@pytest.fixture
def other(database):
    """Another worker."""
    return hosting(database)


async def start(host):
    people = [await known(host.store, name) for name in ("Ann", "Bob")]
    return await begin(host, people, rated=False), people


def any_move(room):
    table = room.table
    move = table.game.legal_moves(table.state, table.movers[0])[0]
    return Play(KEY, table.number, table.game.write_move(table.state, move))


async def seats_of(host, room, after):
    found = [read_entry(row.body) for row in await host.store.log(room.table.id, after)]
    return [getattr(entry, "seat", None) for entry in found]


async def store_as_before(host, room, seat, request):
    """Store a request as version 0.1 did before keys belonged to players."""
    return await host.append(room, request.key, decision(seat, request))


async def test_two_players_may_use_the_same_key_and_a_request_sent_twice_counts_once(host, other):
    room, people = await start(host)
    behind = await other.room(room.table.id)
    mover, number = room.table.movers[0], room.table.number
    asked = await perform(host, room, Caller(people[1 - mover]), Command(KEY, "pause"))
    assert asked == Ack(KEY, number)
    move = any_move(room)
    for here, there in ((host, room), (host, room), (other, behind)):
        assert await perform(here, there, Caller(people[mover]), move) == Ack(KEY, number + 1)
    assert await seats_of(host, room, number - 1) == [1 - mover, mover]


async def test_no_player_can_use_a_key_of_the_server(host):
    room, people = await start(host)
    assert isinstance(await perform(host, room, Caller(people[0]), Command("closed-by-host", "pause")), Ack)
    await close_table(host, room.table.id)
    assert room.table.status == "over"


async def test_a_move_stored_before_the_upgrade_is_confirmed_when_it_is_sent_again(host, other):
    room, people = await start(host)
    behind = await other.room(room.table.id)
    seat, number = room.table.movers[0], room.table.number
    move = any_move(room)
    await store_as_before(host, room, seat, move)
    for here, there in ((host, room), (other, behind)):
        assert await perform(here, there, Caller(people[seat]), move) == Ack(KEY, number)
    assert await seats_of(host, room, number - 1) == [seat]


@pytest.mark.parametrize("is_behind", [False, True])
async def test_a_command_stored_before_the_upgrade_is_not_carried_out_again(host, other, is_behind):
    room, people = await start(host)
    behind = await other.room(room.table.id)
    number = room.table.number
    leave = Command(KEY, "leave")
    await store_as_before(host, room, 0, leave)
    await perform(host, room, Caller(people[0]), Command("i-am-back", "return"))
    here, there = (other, behind) if is_behind else (host, room)
    assert await perform(here, there, Caller(people[0]), leave) == Ack(KEY, number)
    assert len(await host.store.log(room.table.id, number - 1)) == 2
    assert not there.table.seats[0].level


async def test_a_sealed_log_has_no_key_of_a_player(host):
    room, people = await start(host)
    await perform(host, room, Caller(people[0]), Command("let-us-wait", "pause"))
    await play_out(host, room)
    log = await host.store.log(room.table.id, -1)
    assert stored_key(people[0].id, "let-us-wait") in [row.key for row in log]
    kept = [row.key for row in unpack(pack(room.table.id, log))]
    assert {*kept} == {"opened", "start", ""}
