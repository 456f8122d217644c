"""Bot moves are queued fairly: those for which people wait come first, and a job is one move."""

import asyncio
import threading
import time

import pytest
from sqlalchemy import select

from tessella import bots
from tessella.core import wire
from tessella.server.rooms.host import AWAY_SECONDS, DESERTED_SECONDS
from tessella.server.rooms.lifecycle import Terms, open_table, sit, sit_bot
from tessella.server.services import bot_runner
from tessella.server.services.bot_runner import BotRunner
from tessella.server.services.housekeeping import Housekeeper
from tessella.server.settings import Settings
from tessella.server.store import Job
from tessella.server.store.schema import games, jobs
from tests.server.helpers import begin, known
from tests.server.waiting import until


async def started(host, *levels):
    """Ann's table with bots of some levels, started."""
    ann = await known(host.store, "Ann")
    terms = Terms(f"azul/1 seats={1 + len(levels)} wall=coloured", creator=ann.id, origin="a0123")
    room = await open_table(host, terms)
    await sit(host, room, 0, ann)
    for seat, level in enumerate(levels, 1):
        await sit_bot(host, room, seat, level)
    await host.append(room, "start", lambda table, secret: table.start(secret))
    return room


async def leave(host, room):
    await host.append(room, "leave", lambda table, _: table.leave(0))


async def let_a_bot_move(host, room):
    await BotRunner(host, "w").move(Job(room.table.id, room.table.number - 1))


@pytest.fixture
def searches(monkeypatch):
    """What bots have searched, and with which budget."""
    noted = []

    def noting(game, level):
        def choose(view, budget, rng):
            noted.append((wire.encode(view), budget))
            time.sleep(0.02)
            return bot(game, level)(view, budget, rng)

        return choose

    bot = bots.bot
    monkeypatch.setattr(bot_runner, "bot", noting)
    return noted


@pytest.mark.parametrize(
    ("situation", "level", "later", "kind"),
    [
        ("attended", "6", 0.0, "move"),
        ("attended", "1", 0.0, "quick"),
        ("away", "6", AWAY_SECONDS, "move"),
        ("deserted", "6", DESERTED_SECONDS, "quick"),
    ],
)
async def test_tables_at_which_people_wait_come_first_and_quick_bots_do_not_wait(host, situation, level, later, kind):
    room = await started(host, level, level)
    while 0 not in room.table.movers:
        await let_a_bot_move(host, room)
    if situation == "deserted":
        await leave(host, room)
    else:
        (move, *_) = room.table.game.legal_moves(room.table.state, 0)
        text = room.table.game.write_move(room.table.state, move)
        await host.append(room, "anns", lambda table, secret: table.play(0, text, secret))
    if situation == "away":
        room.table.acted_at -= 3_600
        await let_a_bot_move(host, room)
    (row,) = await host.store.run(select(jobs).where(jobs.c.game == room.table.id))
    assert row["due"] - row["made"] == pytest.approx(later, abs=0.01)
    assert row["kind"] == kind


async def test_bots_search_cheaply_at_a_deserted_table(host, searches):
    room = await started(host, "6")
    await leave(host, room)
    await let_a_bot_move(host, room)
    assert [budget for _, budget in searches] == [bot_runner.CHEAP]


async def test_a_job_is_one_move_then_back_in_the_queue(host):
    room = await started(host, "4")
    await leave(host, room)
    number = room.table.number
    job = await host.store.lease("w", 3_600, "quick")
    await BotRunner(host, "w", kind="quick")._work(job)
    assert room.table.number == number + 1
    assert await host.store.lease("w2", 3_600, "quick") == Job(room.table.id, number, "quick")


async def test_two_workers_never_think_about_the_same_move(host, other, database, monkeypatch, searches):
    monkeypatch.setattr(bot_runner, "LEASE_SECONDS", 3_600)  # no worker loses its job because the machine is slow
    await begin(host, ["4", "4"])
    settings = Settings(database=database, bots=2)
    async with Housekeeper(host, settings), Housekeeper(other, settings):
        await until(lambda: len(searches) >= 20, 200)
    views = [view for view, _ in searches]
    assert len(views) == len(set(views))


async def test_an_origin_is_forgotten_when_the_game_is_over(host):
    room = await started(host, "1")

    async def row():
        (found,) = await host.store.run(select(games))
        return found["creator"], found["origin"]

    ann = room.table.seats[0].player
    assert await row() == (ann, "a0123")
    await host.append(room, "resign", lambda table, secret: table.resign(0, secret))
    assert room.table.status == "over"
    assert await row() == (ann, "")


async def test_a_bot_that_thinks_for_somebody_who_comes_back_does_not_move(host, other, monkeypatch):
    thinks, may_answer = threading.Event(), threading.Event()

    def slow_bot(game, level):
        def choose(view, budget, rng):
            thinks.set()
            assert may_answer.wait(60)
            return bots.bot(game, level)(view, budget, rng)

        return choose

    monkeypatch.setattr(bot_runner, "bot", slow_bot)
    room = await begin(host, [await known(host.store, name) for name in ("Ann", "Bob")])
    (seat,) = room.table.movers
    await host.append(room, "leaves", lambda table, _: table.leave(seat))
    job = asyncio.create_task(BotRunner(other, "w").move(Job(room.table.id, room.table.number - 1)))
    assert await asyncio.to_thread(thinks.wait, 60)
    await host.append(room, "returns", lambda table, _: table.come_back(seat))
    may_answer.set()
    await job
    await host.refresh(room)
    assert [entry.key for entry in await host.store.log(room.table.id, -1)][-1] == "returns"
    assert room.table.movers == (seat,)
