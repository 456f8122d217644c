"""Bot moves are queued fairly: by person, one move at a time, and a lease belongs to whoever holds it."""

import asyncio
import time

import pytest
from sqlalchemy import select, update

from tessella import bots
from tessella.core import wire
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.host import AWAY_SECONDS, DESERTED_SECONDS, Host
from tessella.server.rooms.lifecycle import Terms, open_table, sit, sit_bot
from tessella.server.services import bot_runner
from tessella.server.services.housekeeping import Housekeeper
from tessella.server.settings import Settings
from tessella.server.store import SPACING_SECONDS, Job, Opening, Write, connect
from tessella.server.store.schema import games, jobs
from tests.server.helpers import begin, hosting, known, run

RULES = "azul/1 seats=2 wall=coloured"


async def set_game(store, game, origin):
    await store.open(Opening(game, "azul", RULES, "{}", b"s" * 32, "", False, False, "", origin, origin))


def bot_turn(game, number=1, job="move", behind=0.0):
    return Write(game, number, f"k{number}", "{}", None, "playing", "1", None, job, behind)


async def leased_games(store, kind="move"):
    found = []
    while (job := await store.lease("w", 60, kind)) is not None:
        found.append(job.game)
    return found


def test_17_12_a_flood_of_one_person_does_not_delay_another(database):
    async def main():
        async with hosting(database) as host:
            for number in range(20):
                await set_game(host.store, f"flood{number}", "eve")
                await host.store.append(bot_turn(f"flood{number}"))
            await set_game(host.store, "anns", "ann")
            await host.store.append(bot_turn("anns"))
            order = await leased_games(host.store)
            assert order.index("anns") <= 1, order
            assert len(order) == 21

    run(main())


def test_17_12_a_flood_is_served_when_no_other_job_waits(database):
    async def main():
        async with hosting(database) as host:
            for number in range(3):
                await set_game(host.store, f"flood{number}", "eve")
                await host.store.append(bot_turn(f"flood{number}"))
            assert sorted(await leased_games(host.store)) == ["flood0", "flood1", "flood2"]
            rows = await host.store.run(select(jobs).order_by(jobs.c.due))
            gaps = [rows[number + 1]["due"] - rows[number]["due"] for number in range(2)]
            assert all(SPACING_SECONDS <= gap < SPACING_SECONDS + 5 for gap in gaps), gaps

    run(main())


def test_17_12_bots_that_answer_at_once_do_not_wait_behind_those_that_think(database):
    async def main():
        async with hosting(database) as host:
            ann = await known(host.store, "Ann")
            slow, quick = await begin(host, ["8", ann]), await begin(host, ["1", ann])
            kinds = {row["game"]: row["kind"] for row in await host.store.run(select(jobs))}
            for room, kind in ((slow, "move"), (quick, "quick")):
                if room.table.bots_to_move():
                    assert kinds[room.table.id] == kind

    run(main())


@pytest.mark.parametrize("situation", ["attended", "away", "deserted"])
def test_17_12_tables_at_which_people_wait_come_first(database, situation):
    expected = {"attended": 0.0, "away": AWAY_SECONDS, "deserted": DESERTED_SECONDS}[situation]

    async def main():
        async with hosting(database) as host:
            ann = await known(host.store, "Ann")
            room = await open_table(host, Terms("azul/1 seats=3 wall=coloured", creator=ann.id, origin=ann.id))
            for seat in (1, 2):
                await sit_bot(host, room, seat, "6")
            await sit(host, room, 0, ann)
            await host.append(room, "start", lambda table, secret: table.start(secret))
            while 0 not in room.table.movers:
                await bot_runner.BotRunner(host, "w").move(Job(room.table.id, room.table.number - 1))
            if situation == "deserted":
                await host.append(room, "leave", lambda table, _: table.leave(0))
            else:
                (move, *_) = room.table.game.legal_moves(room.table.state, 0)
                text = room.table.game.write_move(room.table.state, move)
                await host.append(room, "anns", lambda table, secret: table.play(0, text, secret))
            if situation == "away":
                room.table.acted_at -= 3_600
                await bot_runner.BotRunner(host, "w").move(Job(room.table.id, room.table.number - 1))
            (row,) = await host.store.run(select(jobs).where(jobs.c.game == room.table.id))
            assert row["due"] - row["made"] == pytest.approx(expected, abs=0.01)
            assert row["kind"] == ("quick" if situation == "deserted" else "move")

    run(main())


def test_17_12_bots_search_cheaply_at_a_deserted_table(database, monkeypatch):
    budgets: list[bots.Budget] = []

    def noting(game, level):
        def choose(view, budget, rng):
            budgets.append(budget)
            return bot(game, level)(view, budget, rng)

        return choose

    bot = bots.bot
    monkeypatch.setattr(bot_runner, "bot", noting)

    async def main():
        async with hosting(database) as host:
            ann = await known(host.store, "Ann")
            room = await begin(host, [ann, "6"])
            await host.append(room, "leave", lambda table, _: table.leave(0))
            await bot_runner.BotRunner(host, "w").move(Job(room.table.id, room.table.number - 1))
            assert budgets == [bot_runner.CHEAP]

    run(main())


def test_17_12_a_job_is_one_move_then_back_in_the_queue(database):
    async def main():
        async with hosting(database) as host:
            ann = await known(host.store, "Ann")
            room = await begin(host, [ann, "4"])
            await host.append(room, "leave", lambda table, _: table.leave(0))
            number = room.table.number
            job = await host.store.lease("w", 60, "quick")
            await bot_runner.BotRunner(host, "w", kind="quick")._work(job)
            assert room.table.number == number + 1
            assert await host.store.lease("w2", 60, "quick") == Job(room.table.id, number, "quick")

    run(main())


def test_17_13_a_lease_belongs_to_its_holder_until_it_is_finished_or_runs_out(database):
    async def main():
        async with hosting(database) as host:
            store = host.store
            await set_game(store, "g", "ann")
            await store.append(bot_turn("g", 1))
            job = await store.lease("one", 60)
            await store.append(bot_turn("g", 2))  # something else happens at the table while the bot thinks
            assert await store.lease("two", 60) is None
            await store.finish(Job("g", 1), "two")  # not the holder: this must not free it
            assert await store.lease("two", 60) is None
            await store.finish(job, "one")
            assert await store.lease("two", 60) == Job("g", 2)

    run(main())


def test_17_13_a_lease_can_be_renewed_by_its_holder_only(database):
    async def main():
        async with hosting(database) as host:
            store = host.store
            await set_game(store, "g", "ann")
            await store.append(bot_turn("g"))
            job = await store.lease("one", 0.2)
            assert await store.renew(job, "one", 60)
            assert not await store.renew(job, "two", 60)
            await asyncio.sleep(0.3)
            assert await store.lease("two", 60) is None

    run(main())


def test_17_13_a_failed_job_is_retried_later_and_does_not_block_the_others(database):
    async def main():
        async with hosting(database) as host:
            store = host.store
            for game in ("broken", "good"):
                await set_game(store, game, game)
                await store.append(bot_turn(game))
            job = await store.lease("one", 60)
            await store.finish(job, "one", retry=0.3)
            assert (await store.lease("one", 60)).game == "good"
            assert await store.lease("one", 60) is None
            await asyncio.sleep(0.4)
            assert await store.lease("one", 60) == Job(job.game, 1, "move", attempts=1)

    run(main())


def test_17_13_two_workers_never_think_about_the_same_move(database, monkeypatch):
    views: list[bytes] = []
    bot = bots.bot

    def noting(game, level):
        def slowly(view, budget, rng):
            views.append(wire.encode(view))
            time.sleep(0.02)
            return bot(game, level)(view, budget, rng)

        return slowly

    monkeypatch.setattr(bot_runner, "bot", noting)

    async def main():
        async with hosting(database) as one:
            other = await connect(database)
            two = Host(other, LocalBus(), [], time.time)
            await begin(one, ["4", "4"])
            settings = Settings(database=database, bots=2)
            async with Housekeeper(one, settings), Housekeeper(two, settings):
                until = time.monotonic() + 60
                while len(views) < 20 and time.monotonic() < until:
                    await asyncio.sleep(0.1)
            assert len(views) >= 20
            assert len(views) == len(set(views))
            await other.close()

    run(main())


def test_an_origin_is_forgotten_when_the_game_is_over(database):
    async def main():
        async with hosting(database) as host:
            ann = await known(host.store, "Ann")
            room = await open_table(host, Terms(RULES, creator=ann.id, origin="a0123"))
            await sit(host, room, 0, ann)
            await sit_bot(host, room, 1, "1")
            await host.append(room, "start", lambda table, secret: table.start(secret))
            (row,) = await host.store.run(select(games).where(games.c.id == room.table.id))
            assert (row["creator"], row["origin"]) == (ann.id, "a0123")
            await host.append(room, "resign", lambda table, secret: table.resign(0, secret))
            (row,) = await host.store.run(select(games).where(games.c.id == room.table.id))
            assert (row["status"], row["creator"], row["origin"]) == ("over", ann.id, "")
            await host.store.run(update(games).values(creator=""))

    run(main())
