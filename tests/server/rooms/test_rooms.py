"""The tables that a worker has in memory: found by whoever reloads, read again by whoever asks, bounded."""

import asyncio
import json
import logging
import threading
import time

import pytest
from sqlalchemy import select, update

from tessella import bots
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms import host
from tessella.server.rooms.history import UnreadableGame
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table
from tessella.server.rooms.room import Viewer
from tessella.server.services import bot_runner
from tessella.server.services.housekeeping import Housekeeper
from tessella.server.settings import Settings
from tessella.server.store import connect
from tessella.server.store.schema import entries, games
from tessella.table.log import Live, Opened, write_entry
from tests.server.clients import Person, hear, key, say
from tests.server.helpers import begin, hosting, known, run, serving

RULES = "azul/1 seats=2 wall=coloured"


def test_17_1_a_page_that_is_reloaded_while_a_bot_thinks_sees_its_move(serve, sqlite, port, monkeypatch):
    thinks, may_answer = threading.Event(), threading.Event()
    bot = bots.bot

    def slow_bot(game, level):
        def choose(view, budget, rng):
            thinks.set()
            may_answer.wait(20)
            return bot(game, level)(view, budget, rng)

        return choose

    monkeypatch.setattr(bot_runner, "bot", slow_bot)

    async def use(_app):
        ann = await Person.arrive(port, "Ann")
        table = await ann.set_table(seats=("me", "1"))
        async with ann.connect(table["id"]) as socket:
            await say(socket, type="command", key=key(), action="start")
            await hear(socket, "ack")
            await say(socket, type="hello")
            seen = (await hear(socket, "update"))["table"]
            if seen["moves"]:
                await say(socket, type="play", key=key(), number=seen["number"], move=seen["moves"][0])
            assert await asyncio.to_thread(thinks.wait, 20)
        async with ann.connect(table["id"]) as socket:  # the page is reloaded
            await say(socket, type="hello")
            before = (await hear(socket, "update"))["table"]["number"]
            may_answer.set()
            while (await hear(socket, "update"))["table"]["number"] <= before:
                pass
            assert (await ann.http.delete("/api/session")).status_code == 200  # log out
            with pytest.raises(Exception, match="4001"):
                while True:
                    await asyncio.wait_for(socket.recv(), 20)

    serving(serve, Settings(database=sqlite, port=port), use)


def test_17_1_a_room_that_was_evicted_tells_its_successor(database):
    async def main():
        async with hosting(database) as here:
            room = await begin(here, [await known(here.store, "Ann"), "4"])
            here.forget(room)
            successor = await here.room(room.table.id)
            assert successor is not room
            heard: list[bytes] = []
            here.enter(successor, Viewer("", heard.append))
            here.forget(room)  # by whoever held the old one: the new one must stay
            assert here.rooms[room.table.id] is successor
            await here.append(room, "leave", lambda table, _: table.leave(0))
            until = time.monotonic() + 20
            while successor.table.number < room.table.number and time.monotonic() < until:
                await asyncio.sleep(0.02)
            assert successor.table.number == room.table.number
            assert any(json.loads(message)["type"] == "update" for message in heard)

    run(main())


def test_17_2_a_game_that_cannot_be_loaded_is_set_aside_and_named(database, caplog):
    caplog.set_level(logging.ERROR, "tessella.server")

    async def main():
        async with hosting(database) as here:
            people = [await known(here.store, name) for name in ("Ann", "Bob")]
            broken, good = [await begin(here, people) for _ in range(2)]
            clocked = write_entry(Opened(RULES, "", Live(1, 0)))
            gone = write_entry(Opened(RULES.replace("azul/1", "azul/99"), ""))
            past = time.time() - 3_600
            for room, body in ((broken, gone), (good, clocked)):
                first = (entries.c.game == room.table.id) & (entries.c.number == 0)
                await here.store.run(
                    update(entries).where(first).values(body=body),
                    update(entries).where(entries.c.game == room.table.id).values(at=entries.c.at - 3_600),
                    update(games).where(games.c.id == room.table.id).values(deadline=past),
                )
                here.forget(room)
            await here.store.run(update(games).where(games.c.id == broken.table.id).values(deadline=past - 10))
            async with Housekeeper(here, Settings(database=database, bots=0)):
                until = time.monotonic() + 30
                while time.monotonic() < until:
                    rows = await here.store.run(select(games).where(games.c.id == good.table.id))
                    if rows[0]["number"] > good.table.number - 1:
                        break
                    await asyncio.sleep(0.1)
            assert rows[0]["number"] == good.table.number, "the good game was never flagged"
            (row,) = await here.store.run(select(games).where(games.c.id == broken.table.id))
            assert row["deadline"] > time.time() + 1_000, "the broken game is looked at again and again"
            named = [record for record in caplog.records if getattr(record, "game", "") == broken.table.id]
            assert [record.msg for record in named] == ["game set aside"]
            assert not any("store" in str(record.msg) for record in caplog.records)
            with pytest.raises(UnreadableGame):
                await here.room(broken.table.id)

    run(main())


def test_17_2_one_chore_that_fails_keeps_no_other_from_being_done(sqlite, monkeypatch, caplog):
    done: list[str] = []

    async def broken(_keeper):
        raise KeyError("broken")

    async def doors(_host):
        done.append("doors")

    monkeypatch.setattr(Housekeeper, "_check_for_lost_notifications", broken)
    monkeypatch.setattr("tessella.server.services.housekeeping.close_revoked", doors)
    monkeypatch.setattr("tessella.server.services.housekeeping.CHECK_SECONDS", 0.0)

    async def main():
        async with hosting(sqlite) as here, Housekeeper(here, Settings(database=sqlite, bots=0)):
            until = time.monotonic() + 20
            while not done and time.monotonic() < until:
                await asyncio.sleep(0.1)

    run(main())
    assert done
    assert {getattr(record, "chore", "") for record in caplog.records if record.msg == "chore failed"} == {
        "lost notifications"
    }


def test_17_2_a_person_who_opens_an_unreadable_game_is_told_so(serve, sqlite, port):
    async def use(app):
        ann = await Person.arrive(port, "Ann")
        table = await ann.set_table(seats=("me", "1"))
        body = write_entry(Opened(RULES.replace("azul/1", "azul/99"), ""))
        await app.state.host.store.run(update(entries).where(entries.c.number == 0).values(body=body))
        app.state.host.forget(app.state.host.rooms[table["id"]])
        answer = await ann.http.get(f"/api/games/{table['id']}")
        assert (answer.status_code, answer.json()["rule"]) == (503, "unreadable")

    serving(serve, Settings(database=sqlite, port=port, bots=0), use)


def test_17_5_people_of_a_crashed_worker_are_present_no_more(database, monkeypatch):
    monkeypatch.setattr(host, "EXPIRY_SECONDS", 3.0)

    async def main():
        async with hosting(database) as here:
            room = await begin(here, [await known(here.store, name) for name in ("Ann", "Bob")])
            for seat, worker in enumerate(("dead", "alive")):
                here.receive(f"{room.table.id}/{worker}", f"{seat};2")
            assert room.present == {0, 1}
            told: list[bytes] = []
            here.enter(room, Viewer("", told.append))
            async with Housekeeper(here, Settings(database=database, bots=0)):
                until = time.monotonic() + 30
                while room.present != {1} and time.monotonic() < until:
                    here.receive(f"{room.table.id}/alive", "1;2")
                    await asyncio.sleep(0.3)
                assert room.present == {1}
                await asyncio.sleep(0.3)
            last = [json.loads(message) for message in told if b'"presence"' in message][-1]
            assert (last["present"], last["spectators"]) == ([1], 3)

    run(main())


def test_17_19_rooms_without_viewers_are_a_bounded_cache(sqlite, monkeypatch):
    monkeypatch.setattr(host, "MOST_IDLE_ROOMS", 10)

    async def main():
        async with hosting(sqlite) as here:
            rooms = [await open_table(here, Terms(RULES)) for _ in range(5)]
            watched = rooms[0]
            here.enter(watched, Viewer("", lambda _: None))
            for _ in range(40):
                await open_table(here, Terms(RULES))
            assert len(here.rooms) == 11
            assert here.rooms[watched.table.id] is watched
            for room in rooms[1:]:
                assert (await here.current(room.table.id)) is not room
            assert len(here.rooms) == 11
            (viewer,) = watched.viewers
            here.leave(watched, viewer)
            for _ in range(40):
                await open_table(here, Terms(RULES))
            assert len(here.rooms) == 10
            assert watched.table.id not in here.rooms

    run(main())


def test_who_reads_by_http_sees_what_another_worker_has_stored_though_no_notification_came(database):
    async def main():
        async with hosting(database) as one:
            store = await connect(database)
            two = Host(store, LocalBus(), [], time.time)
            room = await begin(one, [await known(one.store, "Ann"), "4"])
            there = await two.current(room.table.id)
            assert there is not None
            assert there.table.number == room.table.number
            await one.append(room, "leave", lambda table, _: table.leave(0))
            assert await two.current(room.table.id) is there
            assert there.table.number == room.table.number
            await store.close()

    run(main())
