"""A bot plays on for who leaves, and not a move longer."""

import asyncio
import threading

from tessella.bots import bot
from tessella.server.services import bot_runner
from tessella.server.store import Job
from tests.server.helpers import begin, known


async def test_a_bot_that_thinks_for_somebody_who_comes_back_does_not_move(host, other, monkeypatch):
    thinks, may_answer = threading.Event(), threading.Event()

    def slow_bot(game, level):
        def choose(view, budget, rng):
            thinks.set()
            assert may_answer.wait(60)
            return bot(game, level)(view, budget, rng)

        return choose

    monkeypatch.setattr(bot_runner, "bot", slow_bot)
    room = await begin(host, [await known(host.store, name) for name in ("Ann", "Bob")])
    (seat,) = room.table.movers
    await host.append(room, "leaves", lambda table, _: table.leave(seat))
    job = asyncio.create_task(bot_runner.BotRunner(other, "w").move(Job(room.table.id, room.table.number - 1)))
    assert await asyncio.to_thread(thinks.wait, 60)
    await host.append(room, "returns", lambda table, _: table.come_back(seat))
    may_answer.set()
    await job
    await host.refresh(room)
    assert [entry.key for entry in await host.store.log(room.table.id, -1)][-1] == "returns"
    assert room.table.movers == (seat,)
