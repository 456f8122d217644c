"""Members, bots and quick games, for the tests of a worker."""

import asyncio
import contextlib
import random
import time

from sqlalchemy import update

from tessella.server.cluster.bus import LocalBus
from tessella.server.people.identity import Person as Known
from tessella.server.people.identity import add_person
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table, sit, sit_bot
from tessella.server.settings import Settings
from tessella.server.store import connect
from tessella.server.store.schema import people
from tests.server.clients import Person

PASSWORD = "correct horse battery"


def run(coroutine, seconds=300):
    return asyncio.run(asyncio.wait_for(coroutine, seconds))


def serving(serve, settings: Settings, use):
    """A worker for as long as `use(app)` takes."""

    async def main():
        async with serve(settings) as app:
            try:
                return await use(app)
            finally:
                await Person.all_go_home()

    return run(main())


def stop_the_clock(app) -> float:
    """Let no time pass at a worker; the time that it is."""
    now = time.time()
    app.state.host.clock = lambda: now
    return now


async def member(port, name, login=None, password=PASSWORD) -> Person:
    person = await Person.arrive(port, name)
    answer = await person.http.post("/api/members", json={"login": login or name, "password": password})
    assert answer.status_code == 201, answer.text
    return person


@contextlib.asynccontextmanager
async def hosting(url):
    """A worker without sockets."""
    store = await connect(url)
    try:
        yield Host(store, LocalBus(), [], time.time)
    finally:
        await store.close()


async def known(store, name, kind="member", owner=None) -> Known:
    """Somebody of a kind, without any ceremony."""
    person = await add_person(store, name, "bot" if kind == "bot" else "guest", owner)
    await store.run(update(people).where(people.c.id == person.id).values(kind=kind))
    return Known(person.id, person.name, kind)


async def begin(host, sitters, rules="azul/1 seats={} wall=coloured", *, rated=True, pace=None):
    """A game that has begun; a sitter is a person or the level of a bot."""
    room = await open_table(host, Terms(rules.format(len(sitters)), pace, rated))
    for seat, sitter in enumerate(sitters):
        await (sit_bot if isinstance(sitter, str) else sit)(host, room, seat, sitter)
    await host.append(room, "start", lambda table, secret: table.start(secret))
    return room


async def resign(host, room, seat):
    await host.append(room, f"resign-{seat}", lambda table, secret: table.resign(seat, secret))


async def play_one(host, room, choose=lambda moves: moves[0]):
    """A move of the player whose turn it is."""
    table, seat = room.table, room.table.movers[0]
    text = table.game.write_move(table.state, choose(table.game.legal_moves(table.state, seat)))
    return await host.append(room, f"play-{table.number}", lambda table, secret: table.play(seat, text, secret))


def any_of(seed):
    """A chooser of any moves, the same for the same seed."""
    rng = random.Random(seed)
    return lambda moves: moves[rng.randrange(len(moves))]


async def play_out(host, room, seed=0):
    """Any moves, to the end."""
    choose = any_of(seed)
    while room.table.status == "playing":
        await play_one(host, room, choose)
