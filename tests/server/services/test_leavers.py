"""A bot plays on for who leaves, and not a move longer."""

import asyncio
import threading
import time

from tessella.bots import bot
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.host import Host
from tessella.server.services import bot_runner
from tessella.server.store import Job, connect
from tests.server.helpers import begin, hosting, known, run


def test_a_bot_that_thinks_for_somebody_who_comes_back_does_not_move(database, monkeypatch):
    thinks, may_answer = threading.Event(), threading.Event()

    def slow_bot(game, level):
        def choose(view, budget, rng):
            thinks.set()
            assert may_answer.wait(20)
            return bot(game, level)(view, budget, rng)

        return choose

    monkeypatch.setattr(bot_runner, "bot", slow_bot)

    async def main():
        async with hosting(database) as here:
            people = [await known(here.store, name) for name in ("Ann", "Bob")]
            room = await begin(here, people)
            (seat,) = room.table.movers
            await here.append(room, "leaves", lambda table, _: table.leave(seat))
            other = await connect(database)
            there = Host(other, LocalBus(), [], time.time)
            job = asyncio.create_task(bot_runner.BotRunner(there, "w").move(Job(room.table.id, room.table.number - 1)))
            await asyncio.to_thread(thinks.wait, 20)
            await here.append(room, "returns", lambda table, _: table.come_back(seat))
            may_answer.set()
            await job
            await here.refresh(room)
            assert [entry.key for entry in await here.store.log(room.table.id, -1)][-1] == "returns"
            assert room.table.movers == (seat,)
            await other.close()

    run(main())
