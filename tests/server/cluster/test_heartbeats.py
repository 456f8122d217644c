"""Time at which nobody was there is nobody's: not after a restart, a crash, a sleep or a database that was away."""

import asyncio
import gc
import itertools
import json
import time

import pytest
from sqlalchemy import insert, select, update

from tessella.server.cluster import heartbeats
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Viewer
from tessella.server.services import housekeeping
from tessella.server.services.housekeeping import Housekeeper
from tessella.server.settings import Settings
from tessella.server.store.schema import entries, games, outages
from tessella.server.store.schema import heartbeats as heartbeats_table
from tessella.table.log import Live
from tessella.table.table import Refused
from tests.server.helpers import begin, known, play_one
from tests.server.waiting import until

BANK = 600.0
BUSY = 100.0
"""No test takes as long, however busy its machine."""

AWAY = 10_000.0
AWAY_WORDS = ("store unavailable", "bot runner failed")

on_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
on_postgres = pytest.mark.parametrize("database", ["postgres"], indirect=True)


def another(host, outages=()):
    """Another worker over the same store."""
    return Host(host.store, LocalBus(), list(outages), time.time)


def is_whole(seconds):
    """Whether nobody's absence was charged to a bank."""
    return BANK - BUSY < seconds <= BANK


async def a_live_game(host):
    """The id of a game with a clock, and who is to move."""
    people = [await known(host.store, name) for name in ("Ann", "Bob")]
    room = await begin(another(host), people, pace=Live(BANK, 0))
    return room.table.id, room.table.movers[0]


async def time_passes(store, seconds):
    """Everything that was stored was stored so much earlier."""
    await store.run(
        update(entries).values(at=entries.c.at - seconds),
        update(heartbeats_table).values(at=heartbeats_table.c.at - seconds),
        update(games).values(touched=games.c.touched - seconds, deadline=games.c.deadline - seconds),
    )


async def row_of(store, game):
    (row,) = await store.run(select(games).where(games.c.id == game))
    return row


async def looked_at(store, game):
    """Whether somebody has looked at a game that was late, and said when to look again."""
    return (await row_of(store, game))["deadline"] > time.time()


@on_sqlite
async def test_a_restart_costs_no_time(host):
    game, mover = await a_live_game(host)
    await heartbeats.write_heartbeat(host.store, "before")
    await time_passes(host.store, AWAY)
    without = (await host.room(game)).table
    assert without.clock.seconds_left(mover, time.time(), without.outages) < 0
    back = another(host, await heartbeats.end_outage(host.store))
    room = await back.room(game)
    assert is_whole(room.table.clock.seconds_left(mover, time.time(), room.table.outages))
    await play_one(back, room)
    assert is_whole(room.table.clock.banks[mover])
    again = await another(host, await heartbeats.read_outages(host.store)).room(game)
    assert again.table.clock.banks == room.table.clock.banks


@on_sqlite
async def test_a_worker_that_slept_flags_nobody(host, monkeypatch):
    monkeypatch.setattr(housekeeping, "HEARTBEAT_SECONDS", 0.0)  # as if it woke up after more than a beat
    game, mover = await a_live_game(host)
    await heartbeats.end_outage(host.store)
    room = await host.room(game)
    async with Housekeeper(host, Settings(bots=0)):
        await time_passes(host.store, AWAY)
        await until(lambda: looked_at(host.store, game))
        row = await row_of(host.store, game)
        assert row["number"] == room.table.number - 1 == 3  # opened, sat, sat, started: nobody was flagged
        assert row["deadline"] > time.time()  # not looked at every second from now on
        assert is_whole(room.table.clock.seconds_left(mover, time.time(), room.table.outages))
        host.forget(room)
        late = {"deadline": time.time() - 1}
        await host.store.run(update(entries).values(at=entries.c.at - BANK), update(games).values(late))

        async def is_flagged():
            return (await host.room(game)).table.seats[mover].left

        await until(is_flagged)  # but who lets the time run out is flagged


@pytest.mark.parametrize(("others", "away"), [("dead", [3.0]), ("alive", []), ("replaced", [2.0])])
async def test_workers_that_all_died_a_moment_ago_are_missed(host, monkeypatch, others, away):
    now, later = 1e9, 1e9 + heartbeats.SILENCE_SECONDS + 1

    async def clock():
        return later

    monkeypatch.setattr(host.store, "now", clock)
    rows = {"other": (now - 100, later if others == "alive" else now - 3), "us": (now, later)}
    if others == "replaced":  # by a worker that was there a little before us, and is too busy to note it
        rows["fresh"] = (now - 1, later)
    for worker, (since, at) in rows.items():
        await host.store.run(insert(heartbeats_table).values(worker=worker, since=since, at=at))
    await heartbeats.record_gaps(host.store)
    assert [row["ended"] - row["began"] for row in await host.store.run(select(outages))] == away


@on_postgres
async def test_a_worker_between_two_beats_of_another_ends_no_outage(host):
    await heartbeats.write_heartbeat(host.store, "other")
    assert await heartbeats.end_outage(host.store) == []


@on_postgres
async def test_who_has_been_there_for_a_while_learns_what_others_noted_before_judging_a_clock(host, monkeypatch):
    judged = []

    async def sweep(_):
        judged.append([outage.began for outage in host.outages])

    monkeypatch.setattr(Housekeeper, "_sweep", sweep)
    monkeypatch.setattr(housekeeping, "SILENCE_SECONDS", 1.0)
    await heartbeats.write_heartbeat(host.store, "other")
    async with Housekeeper(host, Settings(bots=0)):
        monkeypatch.setattr(housekeeping, "HEARTBEAT_SECONDS", 1e9)  # it does not learn of it by the way
        began = await host.store.now() - 100
        await heartbeats.record_outage(host.store, began, began + 10)
        await until(lambda: judged)
    assert began in judged[0]


async def test_an_outage_that_went_on_grows_and_overlaps_count_once(host):
    for began, ended in ((100, 110), (100, 140), (100, 120), (130, 150)):
        await heartbeats.record_outage(host.store, 4e9 + began, 4e9 + ended)
    (one,) = await heartbeats.read_outages(host.store)
    assert (one.began, one.ended) == (4e9 + 100, 4e9 + 150)


class GoneStore:
    """A store that nobody can reach, whatever is asked of it."""

    def __getattr__(self, name):
        async def refuse(*_, **__):
            raise ConnectionRefusedError(name)

        return refuse


@on_sqlite
async def test_housekeeping_and_bots_go_on_after_the_store_was_unavailable(host, caplog):
    async with Housekeeper(host, Settings(bots=1)):
        real, host.store = host.store, GoneStore()
        await until(lambda: all(words in caplog.text for words in AWAY_WORDS))
        host.store = real
        before = (await heartbeats.read_heartbeats(real))[host.worker]
        game = (await begin(host, ["random", "random"])).table.id

        async def everybody_goes_on():
            beaten = (await heartbeats.read_heartbeats(real))[host.worker] > before
            return beaten and (await row_of(real, game))["number"] > 3

        await until(everybody_goes_on)


@pytest.mark.parametrize("wrong_by", [-AWAY, AWAY])
async def test_a_worker_whose_clock_is_wrong_neither_flags_nor_refuses(host, wrong_by, monkeypatch):
    monkeypatch.setattr(housekeeping, "HEARTBEAT_SECONDS", 0.0)
    game, mover = await a_live_game(host)
    host.clock = lambda: time.time() + wrong_by
    room = await host.room(game)
    async with Housekeeper(host, Settings(bots=0)):
        await host.store.run(update(games).values(deadline=time.time() - 1))  # as if it were worth a look
        await until(lambda: looked_at(host.store, game))
        assert not room.table.seats[mover].left
        assert (await row_of(host.store, game))["deadline"] < time.time() + BANK  # others look when it is time
    await play_one(host, room)


@on_postgres
async def test_silence_while_a_sign_of_life_is_on_its_way_is_not_covered_up(host, monkeypatch):
    began, ask, late = await host.store.now(), host.store.now, itertools.count(0, 1_000)

    async def slowly():
        """Between asking the time twice a thousand seconds go by."""
        return await ask() + next(late)

    monkeypatch.setattr(host.store, "now", slowly)
    async with Housekeeper(host, Settings(bots=0)):
        assert (await heartbeats.read_heartbeats(host.store))[host.worker] < began + BUSY


@on_sqlite
async def test_a_hint_that_cannot_be_followed_is_not_an_error(host):
    noticed = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: noticed.append(context))
    game, _ = await a_live_game(host)
    room = await host.room(game)
    room.viewers[Viewer("", lambda _: None)] = None
    real, host.store = host.store, GoneStore()
    host.receive(game, "99")
    assert room.refresh_scheduled
    await until(lambda: not room.refresh_scheduled)
    host.store = real
    gc.collect()
    assert noticed == []


async def test_a_move_right_after_an_outage_that_nobody_has_noted_yet_is_in_time(host):
    room, other = [await host.room((await a_live_game(host))[0]) for _ in range(2)]
    await heartbeats.write_heartbeat(host.store, "before")
    await time_passes(host.store, AWAY)
    for each in (room, other):  # as if they had been here all the time
        each.table = (await another(host).room(each.table.id)).table
    assert (await play_one(host, room)).entry is not None
    with pytest.raises(Refused, match="no clock has run out"):  # nor is anybody flagged at another table
        await host.append(other, "flag", lambda table, _: table.flag(time.time()))


async def test_a_move_is_in_time_by_an_outage_that_became_known_while_it_was_on_its_way(host, monkeypatch):
    game, mover = await a_live_game(host)
    await time_passes(host.store, AWAY)
    await heartbeats.write_heartbeat(host.store, "back")
    room, append, now = await host.room(game), host.store.append, await host.store.now()

    async def learn_and_append(write):
        await host.reload_outages()
        return await append(write)

    monkeypatch.setattr(host.store, "append", learn_and_append)
    await heartbeats.record_outage(host.store, now - AWAY, now)
    assert (await play_one(host, room)).entry is not None
    assert is_whole(room.table.clock.banks[mover])


@on_sqlite
async def test_who_watches_misses_nothing_when_clocks_are_reckoned_again(host):
    game, _ = await a_live_game(host)
    there = another(host)
    room, same = await host.room(game), await there.room(game)
    heard: list[bytes] = []
    room.viewers[Viewer("p0", heard.append)] = None
    await play_one(there, same)
    now = await host.store.now()
    await heartbeats.record_outage(host.store, now - 100, now - 90)
    assert await host.reload_outages()
    await host.recompute_clocks(room)
    steps = [json.loads(data) for data in heard]
    assert [entry["number"] for step in steps for entry in step["entries"]] == [same.table.number - 1]
    assert steps[-1]["table"]["number"] == same.table.number
