"""Time at which nobody was there is nobody's: not after a restart, a crash, a sleep or a database that was away."""

import asyncio
import contextlib
import gc
import json
import time

import pytest
from sqlalchemy import insert, select, update

from tessella.server import store
from tessella.server.cluster import bus, heartbeats
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table, sit_bot
from tessella.server.rooms.room import Viewer
from tessella.server.services import housekeeping
from tessella.server.settings import Settings
from tessella.server.store.schema import entries, games, outages
from tessella.server.store.schema import heartbeats as heartbeats_table
from tessella.table.log import Live
from tessella.table.table import Refused
from tests.server.waiting import until

AWAY = 1_000.0
AWAY_WORDS = ("store unavailable", "bot runner failed")


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


@contextlib.asynccontextmanager
async def opened(database):
    kept = await store.connect(database)
    try:
        yield kept
    finally:
        await kept.close()


def host_over(kept, known):
    return Host(kept, bus.LocalBus(), known, time.time)


async def a_live_game(kept):
    """Ann is to move, with a minute in her bank."""
    host = host_over(kept, [])
    room = await open_table(host, Terms("azul/1 seats=2 wall=coloured", Live(60, 0)))
    for seat, name in enumerate(("Ann", "Bob")):
        await host.append(room, f"sit-{seat}", lambda table, _, seat=seat, name=name: table.sit(seat, f"p{seat}", name))
    await host.append(room, "start", lambda table, secret: table.start(secret))
    return room.table.id, room.table.movers[0]


async def time_passes(kept, seconds):
    """Everything that was stored was stored so much earlier."""
    await kept.run(
        update(entries).values(at=entries.c.at - seconds),
        update(heartbeats_table).values(at=heartbeats_table.c.at - seconds),
        update(games).values(touched=games.c.touched - seconds, deadline=games.c.deadline - seconds),
    )


async def looked_at(kept, game):
    """Whether somebody has looked at a game that was late, and said when to look again."""
    (row,) = await kept.run(select(games.c.deadline).where(games.c.id == game))
    return row["deadline"] > time.time()


def first_move(table, seat):
    return table.game.write_move(table.state, table.game.legal_moves(table.state, seat)[0])


def test_a_restart_costs_no_time(sqlite):
    async def main():
        async with opened(sqlite) as kept:
            game, mover = await a_live_game(kept)
            await heartbeats.write_heartbeat(kept, "before")
            await time_passes(kept, AWAY)
            without = await host_over(kept, []).room(game)
            assert without.table.clock.seconds_left(mover, time.time(), without.table.outages) < 0
            host = host_over(kept, await heartbeats.end_outage(kept))
            room = await host.room(game)
            assert room.table.clock.seconds_left(mover, time.time(), room.table.outages) > 55
            text = first_move(room.table, mover)
            await host.append(room, "move-after-outage", lambda table, secret: table.play(mover, text, secret))
            assert 55 < room.table.clock.banks[mover] <= 60
            again = await host_over(kept, await heartbeats.read_outages(kept)).room(game)
            assert again.table.clock.banks == room.table.clock.banks

    run(main())


def test_a_worker_that_slept_flags_nobody(sqlite, monkeypatch):
    monkeypatch.setattr(housekeeping, "HEARTBEAT_SECONDS", 0.0)  # as if it woke up after more than a beat

    async def main():
        async with opened(sqlite) as kept:
            game, mover = await a_live_game(kept)
            host = host_over(kept, await heartbeats.end_outage(kept))
            room = await host.room(game)
            async with housekeeping.Housekeeper(host, Settings(database=sqlite, bots=0)):
                await time_passes(kept, AWAY)
                await until(lambda: looked_at(kept, game))
                (row,) = await kept.run(select(games).where(games.c.id == game))
                assert row["number"] == room.table.number - 1 == 3  # opened, sat, sat, started: nobody was flagged
                assert row["deadline"] > time.time()  # not looked at every second from now on
                assert 50 < room.table.clock.seconds_left(mover, time.time(), room.table.outages) <= 60
                host.forget(room)
                late = {"deadline": time.time() - 1}
                await kept.run(update(entries).values(at=entries.c.at - 60), update(games).values(late))

                async def is_flagged():
                    return (await host.room(game)).table.seats[mover].left

                await until(is_flagged)  # but who lets the time run out is flagged

    run(main())


@pytest.mark.parametrize(("others", "away"), [("dead", [3]), ("alive", []), ("replaced", [2])])
def test_workers_that_all_died_a_moment_ago_are_missed(postgres, others, away):
    async def main():
        async with opened(postgres) as kept:
            now = await kept.now()
            await kept.run(insert(heartbeats_table).values(worker="other", since=now - 100, at=now - 3))
            if others == "replaced":  # by a worker that was there a little before us, and is too busy to note it
                await kept.run(insert(heartbeats_table).values(worker="fresh", since=now - 1, at=now - 1))
            assert await heartbeats.end_outage(kept) == []  # it may just be between two beats
            host = host_over(kept, [])
            async with housekeeping.Housekeeper(host, Settings(database=postgres, bots=0)):
                for _ in range(15):
                    if others != "dead":
                        await heartbeats.write_heartbeat(kept, "other" if others == "alive" else "fresh")
                    await asyncio.sleep(0.5)
            rows = await kept.run(select(outages))
            assert [round(row["ended"] - row["began"]) for row in rows] == away
            assert len(host.outages) == len(rows)

    run(main())


def test_who_has_been_there_for_a_while_learns_what_others_noted_before_judging_a_clock(postgres, monkeypatch):
    async def main():
        async with opened(postgres) as kept:
            await heartbeats.write_heartbeat(kept, "other")
            host = host_over(kept, [])
            judged = []

            async def sweep(_):
                judged.append(len(host.outages))

            monkeypatch.setattr(housekeeping.Housekeeper, "_sweep", sweep)
            async with housekeeping.Housekeeper(host, Settings(database=postgres, bots=0)):
                monkeypatch.setattr(housekeeping, "HEARTBEAT_SECONDS", 100.0)  # it does not learn of it by the way
                now = await kept.now()
                await heartbeats.record_outage(kept, now - 100, now - 90)
                while not judged:
                    await heartbeats.write_heartbeat(kept, "other")
                    await asyncio.sleep(0.5)
            assert judged[0] == 1

    run(main())


def test_an_outage_that_went_on_grows_and_overlaps_count_once(database):
    async def main():
        async with opened(database) as kept:
            now = await kept.now()
            for began, ended in (
                (now - 100, now - 90),
                (now - 100, now - 60),
                (now - 100, now - 80),
                (now - 70, now - 50),
            ):
                await heartbeats.record_outage(kept, began, ended)
            (one,) = await heartbeats.read_outages(kept)
            assert (one.began, one.ended) == (now - 100, now - 50)

    run(main())


async def a_game_of_bots(host):
    room = await open_table(host, Terms("azul/1 seats=2 wall=coloured"))
    for seat in range(2):
        await sit_bot(host, room, seat, "random")
    await host.append(room, "start", lambda table, secret: table.start(secret))
    return room.table.id


class GoneStore:
    """A store that nobody can reach, whatever is asked of it."""

    def __getattr__(self, name):
        async def refuse(*_, **__):
            raise ConnectionRefusedError(name)

        return refuse


def test_housekeeping_and_bots_go_on_after_the_store_was_unavailable(sqlite, caplog):
    async def main():
        async with opened(sqlite) as kept:
            host = host_over(kept, [])
            async with housekeeping.Housekeeper(host, Settings(database=sqlite, bots=1)):
                real, host.store = kept, GoneStore()
                await until(lambda: all(words in caplog.text for words in AWAY_WORDS))
                host.store = real
                before = (await heartbeats.read_heartbeats(kept))[host.worker]
                game = await a_game_of_bots(host)

                async def everybody_goes_on():
                    (row,) = await kept.run(select(games.c.number).where(games.c.id == game))
                    return row["number"] > 3 and (await heartbeats.read_heartbeats(kept))[host.worker] > before

                await until(everybody_goes_on)

    run(main())


@pytest.mark.parametrize("wrong_by", [-1_000.0, 1_000.0])
def test_a_worker_whose_clock_is_wrong_neither_flags_nor_refuses(database, wrong_by, monkeypatch):
    monkeypatch.setattr(housekeeping, "HEARTBEAT_SECONDS", 0.0)

    async def main():
        async with opened(database) as kept:
            game, mover = await a_live_game(kept)
            host = Host(kept, bus.LocalBus(), [], lambda: time.time() + wrong_by)
            room = await host.room(game)
            assert room is not None
            async with housekeeping.Housekeeper(host, Settings(database=database, bots=0)):
                await kept.run(update(games).values(deadline=time.time() - 1))  # as if it were worth a look
                await until(lambda: looked_at(kept, game))
                assert not room.table.seats[mover].left
                (row,) = await kept.run(select(games.c.deadline).where(games.c.id == game))
                assert 0 < row["deadline"] - time.time() < 60  # and others will look when it is time
            text = first_move(room.table, mover)
            await host.append(room, "move-by-any-clock", lambda table, secret: table.play(mover, text, secret))

    run(main())


class SlowStore:
    """A store that takes long to answer: between asking the time twice twenty seconds go by."""

    def __init__(self, kept):
        self._kept = kept
        self._late = 0.0

    def __getattr__(self, name):
        return getattr(self._kept, name)

    async def now(self):
        self._late += 20
        return await self._kept.now() + self._late - 20


def test_silence_while_a_sign_of_life_is_on_its_way_is_not_covered_up(postgres):
    async def main():
        async with opened(postgres) as kept:
            began = await kept.now()
            host = host_over(SlowStore(kept), [])
            async with housekeeping.Housekeeper(host, Settings(database=postgres, bots=0)):
                assert (await heartbeats.read_heartbeats(kept))[host.worker] < began + 10

    run(main())


def test_a_hint_that_cannot_be_followed_is_not_an_error(sqlite):
    class Away:
        async def log(self, game, after=0):
            raise ConnectionRefusedError

    async def main():
        noticed = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: noticed.append(context))
        async with opened(sqlite) as kept:
            game, _ = await a_live_game(kept)
            host = host_over(kept, [])
            room = await host.room(game)
            host.store = Away()
            host.receive(game, "99")
            await asyncio.sleep(0.1)
            host.store = kept
            gc.collect()
            assert not room.refresh_scheduled
            assert noticed == []

    run(main())


def test_a_move_right_after_an_outage_that_nobody_has_noted_yet_is_in_time(database):
    async def main():
        async with opened(database) as kept:
            game, mover = await a_live_game(kept)
            host = host_over(kept, [])
            room, other = await host.room(game), await host.room((await a_live_game(kept))[0])
            await heartbeats.write_heartbeat(kept, "before")
            await time_passes(kept, AWAY)
            for each in (room, other):  # as if they had been here all the time
                each.table = (await host_over(kept, []).room(each.table.id)).table
            text = first_move(room.table, mover)
            stored = await host.append(room, "first-move", lambda table, secret: table.play(mover, text, secret))
            assert stored.entry is not None
            with pytest.raises(Refused, match="no clock has run out"):  # nor is anybody flagged at another table
                await host.append(other, "flag", lambda table, _: table.flag(time.time()))

    run(main())


class Learning:
    """A store that is slow to take an entry: meanwhile the worker learns of an outage."""

    def __init__(self, kept, learn):
        self._kept = kept
        self._learn = learn

    def __getattr__(self, name):
        return getattr(self._kept, name)

    async def append(self, write):
        await self._learn()
        return await self._kept.append(write)


def test_a_move_is_in_time_by_an_outage_that_became_known_while_it_was_on_its_way(database):
    async def main():
        async with opened(database) as kept:
            game, mover = await a_live_game(kept)
            await time_passes(kept, AWAY)
            await heartbeats.write_heartbeat(kept, "back")
            host = host_over(kept, [])
            host.store = Learning(kept, host.reload_outages)
            room = await host.room(game)
            now = await kept.now()
            await heartbeats.record_outage(kept, now - AWAY, now)
            text = first_move(room.table, mover)
            stored = await host.append(room, "first-move", lambda table, secret: table.play(mover, text, secret))
            assert stored.entry is not None
            assert 55 < room.table.clock.banks[mover] <= 60

    run(main())


def test_who_watches_misses_nothing_when_clocks_are_reckoned_again(sqlite):
    async def main():
        async with opened(sqlite) as kept:
            game, mover = await a_live_game(kept)
            here, there = host_over(kept, []), host_over(kept, [])
            room, same = await here.room(game), await there.room(game)
            heard: list[bytes] = []
            assert room is not None
            assert same is not None
            room.viewers[Viewer("p0", heard.append)] = None
            text = first_move(same.table, mover)
            await there.append(same, "made-there", lambda table, secret: table.play(mover, text, secret))
            now = await kept.now()
            await heartbeats.record_outage(kept, now - 100, now - 90)
            assert await here.reload_outages()
            await here.recompute_clocks(room)
            steps = [json.loads(data) for data in heard]
            assert [entry["number"] for step in steps for entry in step["entries"]] == [same.table.number - 1]
            assert steps[-1]["table"]["number"] == same.table.number

    run(main())
