"""An account that is deleted at one worker is forgotten by all: also by those that remember its tables."""

import asyncio
import json

import pytest
from sqlalchemy import func, update

from tessella.protocol.messages import Command
from tessella.server.people.identity import DELETED
from tessella.server.rooms.commands import Caller, perform
from tessella.server.rooms.room import Viewer
from tessella.server.services import deletions
from tessella.server.services.data_rights import erase
from tessella.server.settings import Settings
from tessella.server.store.schema import entries
from tessella.table.log import Sat, read_entry
from tests.server.clients import Person, hear, say
from tests.server.conftest import free_port
from tests.server.helpers import begin, known, resign
from tests.server.services.conftest import serving

NAME = "Wanda Whistleblower"


async def hear_of_deletion(socket):
    """What somebody who only watches is sent once the name is gone."""
    while True:
        message = json.loads(await socket.recv())
        if message["type"] == "update" and NAME not in json.dumps(message):
            return message


@pytest.mark.parametrize("with_bus", [True, False])
async def test_a_second_worker_forgets_a_deleted_name(postgres, nats, serve, monkeypatch, with_bus):
    """Soon by way of the bus, in the end without it; who watches there is sent the table without the name."""
    monkeypatch.setattr(deletions, "CHECK_SECONDS", 600.0 if with_bus else 2.0)
    first, second = free_port(), free_port()
    one, two = [
        Settings(database=postgres, bus=nats if with_bus else "", port=port, bots=0) for port in (first, second)
    ]
    async with serving(serve, one), serving(serve, two):
        wanda, bob = await Person.arrive(first, NAME), await Person.arrive(first, "Bob")
        table = await wanda.set_table(listed=True)
        await bob.join(table)
        stranger, path = Person(second), f"/api/games/{table['id']}"
        async with bob.connect(table["id"], second) as socket:
            await say(socket, type="command", key="let-us-begin", action="start")
            await hear(socket, "ack")
            assert NAME in (await stranger.http.get(path)).text
            answer = await wanda.http.delete("/api/me")
            assert answer.status_code == 200, answer.text
            seen = await hear_of_deletion(socket)
            assert seen["table"]["seats"][0]["name"] == DELETED
        for each in (path, "/api/games", "/api/leaderboard/azul/2"):
            while NAME in (await stranger.http.get(each)).text:
                await asyncio.sleep(0.1)


async def test_a_table_at_which_something_is_being_stored_forgets_the_name_too(host, monkeypatch):
    wanda, bob = await known(host.store, NAME), await known(host.store, "Bob")
    room = await begin(host, [wanda, bob])
    append, meanwhile = host.store.append, []

    async def slow(write):
        meanwhile.append(asyncio.create_task(deletions.redact_names(host, {wanda.id})))
        await asyncio.sleep(0.1)
        return await append(write)

    monkeypatch.setattr(host.store, "append", slow)
    await resign(host, room, 1)
    await asyncio.gather(*meanwhile)
    assert room.table.seats[0].name == DELETED


async def test_nothing_that_is_remembered_is_written_again(host, other):
    """A worker that has not heard of the deletion sets a rematch, at which the person had agreed to play."""
    wanda, bob = await known(host.store, NAME), await known(host.store, "Bob")
    room = await begin(host, [wanda, bob], rated=False)
    await perform(host, room, Caller(wanda), Command("i-resign", "resign"))
    await perform(host, room, Caller(wanda), Command("play-again", "rematch"))
    behind = await other.room(room.table.id)
    await erase(host, wanda)
    assert behind.table.seats[0].name == NAME, "it has not heard of it"
    await perform(other, behind, Caller(bob), Command("with-pleasure", "rematch"))
    log = await other.store.log(behind.table.next_game, -1)
    sat = [entry for row in log if isinstance(entry := read_entry(row.body), Sat)]
    assert sorted(entry.name for entry in sat) == ["Bob", DELETED]


async def test_who_watches_at_the_worker_itself_is_told_at_once(host):
    wanda, bob = await known(host.store, NAME), await known(host.store, "Bob")
    room = await begin(host, [wanda, bob])
    sent: list[bytes] = []
    room.viewers[Viewer(bob.id, sent.append)] = None
    await erase(host, wanda)
    assert NAME not in sent[-1].decode()
    assert DELETED in sent[-1].decode()


async def test_a_game_that_cannot_be_read_keeps_nobody_from_being_deleted(host):
    wanda, bob = await known(host.store, NAME), await known(host.store, "Bob")
    room = await begin(host, [wanda, bob])
    body = func.replace(entries.c.body, "azul/1", "azul/99")
    await host.store.run(update(entries).where(entries.c.number == 0).values(body=body))
    host.forget(room)
    await erase(host, wanda)
    assert NAME not in str(await host.store.log(room.table.id, -1))
