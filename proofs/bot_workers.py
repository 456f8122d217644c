"""A second bot worker does other work than the first: games in which bots search, with one worker and with two.

In each game three bots play against one person, whose moves are made at once. No two workers may search the same move:
so two make nearly twice as many, and a move costs as much CPU time as before.
"""

import asyncio
import os
import time
from contextlib import AsyncExitStack

from msgspec import Struct
from sqlalchemy import func, select

from proofs import Ask, Figure, Report
from proofs.cluster.processes import Worker, a_folder, free_port
from proofs.databases import fresh_postgres
from tessella.progress import progress
from tessella.server import store as stores
from tessella.server.cluster import bus as buses
from tessella.server.people.identity import Person, add_person
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table, sit, sit_bot
from tessella.server.rooms.room import Room
from tessella.server.store import Store
from tessella.server.store.schema import entries

RULES = "azul/1 seats=4 wall=coloured"
GAMES = 8
LEVEL = "6"
POLL_SECONDS = 0.05

LEAST_SPEEDUP = 1.7
MOST_CPU_GROWTH = 1.1


class Measured(Struct, frozen=True):
    """What some workers achieved."""

    moves: int
    cpu_seconds: float

    @property
    def cpu_per_move(self) -> float:
        """CPU time of one move, over all workers."""
        return self.cpu_seconds / max(1, self.moves)


def prove(ask: Ask) -> Report:
    """Let one worker search for `ask.size` seconds, then two."""
    one, two = [asyncio.run(_measure(ask, workers)) for workers in progress([1, 2], "bot workers")]
    growth = two.cpu_per_move / one.cpu_per_move
    enough = (os.cpu_count() or 1) > 1
    per_move = f"times the CPU time of a move with one worker, {one.cpu_per_move * 1_000:.0f} ms"
    return Report(
        (
            Figure("moves_one", one.moves, at_least=1, note=f"of level {LEVEL} in {ask.size} s by one worker"),
            Figure("moves_two", two.moves, at_least=1, note="by two workers"),
            Figure(
                "speedup",
                two.moves / max(1, one.moves),
                at_least=LEAST_SPEEDUP if enough else None,
                note="times as many moves",
                timed=True,
            ),
            Figure("cpu_growth", growth, at_most=MOST_CPU_GROWTH, note=per_move, timed=True),
        )
    )


async def _measure(ask: Ask, count: int) -> Measured:
    async with AsyncExitStack() as end:
        url = await end.enter_async_context(fresh_postgres(ask.database))
        folder = await end.enter_async_context(a_folder())
        store = await stores.connect(url)
        end.push_async_callback(store.close)
        host = Host(store, buses.LocalBus(), [], time.time)
        host.bus = await buses.connect(ask.bus, host.receive)
        end.push_async_callback(host.bus.close)
        ann = await add_person(store, "Ann", "guest")
        rooms = [await _set_table(host, ann, number) for number in range(GAMES)]
        workers = [Worker(folder, "work", url, ask.bus, free_port(), 1) for _ in range(count)]
        for worker in workers:
            end.push_async_callback(worker.kill)
            await worker.get_ready()
        before = await _bot_moves(store), sum(worker.cpu_seconds for worker in workers)
        await _play(host, rooms, ask.size)
        after = await _bot_moves(store), sum(worker.cpu_seconds for worker in workers)
        return Measured(after[0] - before[0], after[1] - before[1])


async def _set_table(host: Host, person: Person, number: int) -> Room:
    room = await open_table(host, Terms(RULES, creator=person.id, origin=f"{person.id}-{number}"))
    await sit(host, room, 0, person)
    for seat in (1, 2, 3):
        await sit_bot(host, room, seat, LEVEL)
    await host.append(room, "start", lambda table, secret: table.start(secret))
    return room


async def _bot_moves(store: Store) -> int:
    query = select(func.count().label("count")).where(entries.c.key.like("bot-%"), entries.c.body.like('%"played"%'))
    return int((await store.run(query))[0]["count"])


async def _play(host: Host, rooms: list[Room], seconds: float) -> None:
    """Make the person's moves until the deadline, and until a bot has moved: a busy machine may need longer for one."""
    until = time.monotonic() + seconds
    before = await _bot_moves(host.store)
    while time.monotonic() < until or await _bot_moves(host.store) == before:
        for room in rooms:
            await host.refresh(room)
            if 0 in room.table.movers:
                await _move(host, room)
        await asyncio.sleep(POLL_SECONDS)


async def _move(host: Host, room: Room) -> None:
    table = room.table
    text = table.game.write_move(table.state, table.game.legal_moves(table.state, 0)[0])
    await host.append(room, f"ann-{table.number}", lambda latest, secret: latest.play(0, text, secret))
