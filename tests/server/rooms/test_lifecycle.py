"""Sitting down: once, however often it is asked for and wherever a worker died before."""

import asyncio

import pytest
from sqlalchemy import delete, insert, select

from tessella.server.people.identity import Person
from tessella.server.rooms.lifecycle import Terms, open_table, sit
from tessella.server.store.schema import seats
from tessella.table.table import Refused
from tests.server.helpers import hosting

RULES = "azul/1 seats=2 wall=coloured"
ANN, BOB = Person("ann", "Ann", "guest"), Person("bob", "Bob", "guest")


async def sitters(store, game):
    rows = await store.run(select(seats).where(seats.c.game == game))
    return {row["seat"]: row["person"] for row in rows}


async def test_who_sits_down_by_two_workers_at_once_sits_once(postgres):
    async with hosting(postgres) as here, hosting(postgres) as there:
        room = await open_table(here, Terms(RULES))
        same = await there.room(room.table.id)
        await asyncio.gather(sit(here, room, 0, ANN), sit(there, same, 0, ANN))
        assert await sitters(there.store, room.table.id) == {0: "ann"}


async def test_who_sat_down_when_a_worker_died_finds_the_table_again(host):
    room = await open_table(host, Terms(RULES))
    await sit(host, room, 0, ANN)
    await host.store.run(delete(seats))  # as if the worker had died before it wrote this down
    await sit(host, room, 0, ANN)
    assert await sitters(host.store, room.table.id) == {0: "ann"}
    with pytest.raises(Refused):
        await sit(host, room, 1, ANN)
    with pytest.raises(Refused):
        await sit(host, room, 0, BOB)


async def test_a_seat_of_somebody_who_left_when_a_worker_died_can_be_taken(host):
    room = await open_table(host, Terms(RULES))
    await host.store.run(insert(seats).values(game=room.table.id, seat=0, person="ann"))
    await sit(host, room, 0, BOB)
    assert await sitters(host.store, room.table.id) == {0: "bob"}
