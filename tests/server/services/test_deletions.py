"""An account that is deleted at one worker is forgotten by all: also by those that remember its tables."""

import asyncio
import json

import pytest
from sqlalchemy import func, update

from tessella.protocol.messages import Command
from tessella.server.people.identity import DELETED
from tessella.server.rooms.commands import Caller, perform
from tessella.server.rooms.lifecycle import Terms, open_table, sit
from tessella.server.rooms.room import Viewer
from tessella.server.services import deletions
from tessella.server.services.data_rights import erase
from tessella.server.settings import Settings
from tessella.server.store.schema import entries
from tessella.table.log import Sat, read_entry
from tests.server.clients import Person, hear, say
from tests.server.conftest import free_port
from tests.server.helpers import begin, hosting, known, run

NAME = "Wanda Whistleblower"


async def until_forgotten(port, paths, seconds):
    """Ask until no answer holds the name."""
    stranger = Person(port)
    async with asyncio.timeout(seconds):
        for path in paths:
            while NAME in (await stranger.http.get(path)).text:
                await asyncio.sleep(0.1)


async def hear_of_deletion(socket):
    """What somebody who only watches is sent until the name is gone."""
    async with asyncio.timeout(20):
        while True:
            message = json.loads(await socket.recv())
            if message["type"] == "update" and NAME not in json.dumps(message):
                return message


@pytest.mark.parametrize("with_bus", [True, False])
def test_17_3_a_second_worker_forgets_a_deleted_name(postgres, nats, serve, monkeypatch, with_bus):
    """Soon by way of the bus, in the end without it; who watches there is sent the table without the name."""
    monkeypatch.setattr(deletions, "CHECK_SECONDS", 600.0 if with_bus else 2.0, raising=False)
    first, second = free_port(), free_port()
    bus = nats if with_bus else ""

    async def use():
        async with (
            serve(Settings(database=postgres, bus=bus, port=first, bots=0)),
            serve(Settings(database=postgres, bus=bus, port=second, bots=0)),
        ):
            wanda = await Person.arrive(first, NAME)
            table = await wanda.set_table(listed=True)
            bob = await Person.arrive(first, "Bob")
            await bob.join(table)
            paths = [f"/api/games/{table['id']}", "/api/games", "/api/leaderboard/azul/2"]
            async with bob.connect(table["id"], second) as socket:
                await say(socket, type="command", key="let-us-begin", action="start")
                await hear(socket, "ack")
                stranger = Person(second)
                assert NAME in (await stranger.http.get(paths[0])).text
                answer = await wanda.http.delete("/api/me")
                assert answer.status_code == 200, answer.text
                seen = await hear_of_deletion(socket)
                assert seen["table"]["seats"][0]["name"] == DELETED
            await until_forgotten(second, paths, 30)
            await Person.all_go_home()

    run(use())


def test_17_3_a_table_at_which_something_is_being_stored_forgets_the_name_too(database):
    async def use():
        async with hosting(database) as here:
            people = [await known(here.store, NAME), await known(here.store, "Bob")]
            room = await begin(here, people)
            append, meanwhile = here.store.append, []

            async def slow(write):
                meanwhile.append(asyncio.create_task(deletions.redact_names(here, {people[0].id})))
                await asyncio.sleep(0.1)
                return await append(write)

            here.store.append = slow
            await here.append(room, "bob-leaves", lambda table, _: table.leave(1))
            await asyncio.gather(*meanwhile)
            assert room.table.seats[0].name == DELETED

    run(use())


def test_17_3_nothing_that_is_remembered_is_written_again(database):
    """A worker that has not heard of the deletion sets a rematch, at which the person had agreed to play."""

    async def use():
        async with hosting(database) as here, hosting(database) as there:
            wanda, bob = await known(here.store, NAME), await known(here.store, "Bob")
            game = (await begin(here, [wanda, bob], rated=False)).table.id
            room = await here.room(game)
            await perform(here, room, Caller(wanda), Command("i-resign", "resign"))
            await perform(here, room, Caller(wanda), Command("play-again", "rematch"))
            behind = await there.room(game)
            await erase(here, wanda)
            assert behind.table.seats[0].name == NAME, "it has not heard of it"
            await perform(there, behind, Caller(bob), Command("with-pleasure", "rematch"))
            log = await there.store.log(behind.table.next_game, -1)
            sat = [entry for row in log if isinstance(entry := read_entry(row.body), Sat)]
            assert sorted(entry.name for entry in sat) == ["Bob", DELETED]

    run(use())


def test_17_3_who_watches_at_the_worker_itself_is_told_at_once(database):
    async def use():
        async with hosting(database) as host:
            wanda, bob = await known(host.store, NAME), await known(host.store, "Bob")
            room = await open_table(host, Terms("azul/1 seats=2 wall=coloured"))
            for seat, person in enumerate((wanda, bob)):
                await sit(host, room, seat, person)
            await host.append(room, "start", lambda table, secret: table.start(secret))
            sent: list[bytes] = []
            room.viewers[Viewer(bob.id, sent.append)] = None
            await erase(host, wanda)
            assert NAME not in sent[-1].decode()
            assert DELETED in sent[-1].decode()

    run(use())


def test_17_3_a_game_that_cannot_be_read_keeps_nobody_from_being_deleted(database):
    async def use():
        async with hosting(database) as host:
            wanda, bob = await known(host.store, NAME), await known(host.store, "Bob")
            room = await begin(host, [wanda, bob])
            body = func.replace(entries.c.body, "azul/1", "azul/99")
            await host.store.run(update(entries).where(entries.c.number == 0).values(body=body))
            host.forget(room)
            await erase(host, wanda)
            assert NAME not in str(await host.store.log(room.table.id, -1))

    run(use())
