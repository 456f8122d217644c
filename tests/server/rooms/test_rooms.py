"""The tables that a worker has in memory: found by whoever reloads, read again by whoever asks, bounded."""

import asyncio
import json
import logging
import threading
import time
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import select, update

from tessella import bots
from tessella.server.http.sockets import LOGGED_OUT
from tessella.server.rooms import host as hosts
from tessella.server.rooms.history import UnreadableGame
from tessella.server.rooms.host import EXPIRY_SECONDS, PRESENCE_SECONDS
from tessella.server.rooms.lifecycle import Terms, open_table
from tessella.server.rooms.room import Viewer
from tessella.server.services import bot_runner, housekeeping
from tessella.server.services.housekeeping import Housekeeper
from tessella.server.settings import Settings
from tessella.server.store.schema import entries, games
from tessella.table.log import Live, Opened, write_entry
from tests.server.clients import Person, close_code, command, hear, key, refusal, say
from tests.server.helpers import begin, hosting, known
from tests.server.waiting import until

RULES = "azul/1 seats=2 wall=coloured"
UNREADABLE = Opened(RULES.replace("azul/1", "azul/99"), "")
CROWD = 300


async def test_a_page_that_is_reloaded_while_a_bot_thinks_sees_its_move(serve, sqlite, port, monkeypatch):
    thinks, may_answer = threading.Event(), threading.Event()
    bot = bots.bot

    def slow_bot(game, level):
        def choose(view, budget, rng):
            thinks.set()
            may_answer.wait(60)
            return bot(game, level)(view, budget, rng)

        return choose

    monkeypatch.setattr(bot_runner, "bot", slow_bot)
    async with serve(Settings(database=sqlite, port=port)):
        ann = await Person.arrive(port, "Ann")
        table = await ann.set_table(seats=("me", "1"))
        async with ann.connect(table["id"]) as socket:
            await command(socket, "start")
            await say(socket, type="hello")
            seen = (await hear(socket, "update"))["table"]
            if seen["moves"]:
                await say(socket, type="play", key=key(), number=seen["number"], move=seen["moves"][0])
            assert await asyncio.to_thread(thinks.wait, 60)
        async with ann.connect(table["id"]) as socket:  # the page is reloaded
            await say(socket, type="hello")
            before = (await hear(socket, "update"))["table"]["number"]
            may_answer.set()
            while (await hear(socket, "update"))["table"]["number"] <= before:
                pass
            assert (await ann.http.delete("/api/session")).status_code == 200  # log out
            assert await close_code(socket) == LOGGED_OUT


async def test_a_room_that_was_evicted_tells_its_successor(host):
    room = await begin(host, [await known(host.store, "Ann"), "4"])
    host.forget(room)
    successor = await host.room(room.table.id)
    assert successor is not room
    heard: list[bytes] = []
    host.enter(successor, Viewer("", heard.append))
    host.forget(room)  # by whoever held the old one: the new one must stay
    assert host.rooms[room.table.id] is successor
    await host.append(room, "leave", lambda table, _: table.leave(0))
    await until(lambda: successor.table.number == room.table.number)
    assert any(json.loads(message)["type"] == "update" for message in heard)


async def test_a_game_that_cannot_be_loaded_is_set_aside_and_named(host, caplog):
    caplog.set_level(logging.ERROR, "tessella.server")
    people = [await known(host.store, name) for name in ("Ann", "Bob")]
    broken, good = [await begin(host, people) for _ in range(2)]
    past = time.time() - 3_600
    for room, opened, deadline in ((broken, UNREADABLE, past - 10), (good, Opened(RULES, "", Live(1, 0)), past)):
        here = entries.c.game == room.table.id
        await host.store.run(
            update(entries).where(here & (entries.c.number == 0)).values(body=write_entry(opened)),
            update(entries).where(here).values(at=entries.c.at - 3_600),
            update(games).where(games.c.id == room.table.id).values(deadline=deadline),
        )
        host.forget(room)

    async def row_of(room):
        return (await host.store.run(select(games).where(games.c.id == room.table.id)))[0]

    async def is_flagged():
        return (await row_of(good))["number"] == good.table.number

    async with Housekeeper(host, Settings(bots=0)):
        await until(is_flagged)
    assert (await row_of(broken))["deadline"] > time.time() + 1_000, "the broken game is looked at again and again"
    named = [record.msg for record in caplog.records if getattr(record, "game", "") == broken.table.id]
    assert named == ["game set aside"]
    assert not any("store" in str(record.msg) for record in caplog.records)
    with pytest.raises(UnreadableGame):
        await host.room(broken.table.id)


async def test_one_chore_that_fails_keeps_no_other_from_being_done(host, monkeypatch, caplog):
    done: list[str] = []

    async def broken(_keeper):
        raise KeyError("broken")

    async def doors(_host):
        done.append("doors")

    monkeypatch.setattr(Housekeeper, "_check_for_lost_notifications", broken)
    monkeypatch.setattr(housekeeping, "close_revoked", doors)
    monkeypatch.setattr(housekeeping, "CHECK_SECONDS", 0.0)
    async with Housekeeper(host, Settings(bots=0)):
        await until(lambda: done)
    failed = {getattr(record, "chore", "") for record in caplog.records if record.msg == "chore failed"}
    assert failed == {"lost notifications"}


async def test_a_person_who_opens_an_unreadable_game_is_told_so(app, port):
    ann, host = await Person.arrive(port, "Ann"), app.state.host
    table = await ann.set_table(seats=("me", "1"))
    await host.store.run(update(entries).where(entries.c.number == 0).values(body=write_entry(UNREADABLE)))
    host.forget(host.rooms[table["id"]])
    assert refusal(await ann.http.get(f"/api/games/{table['id']}")) == (503, "unreadable")


async def test_people_of_a_crashed_worker_are_present_no_more(host):
    room = await begin(host, [await known(host.store, name) for name in ("Ann", "Bob")])
    for seat, worker in enumerate(("dead", "alive")):
        host.receive(f"{room.table.id}/{worker}", f"{seat};2")
    assert room.present == {0, 1}
    told: list[bytes] = []
    host.enter(room, Viewer("", told.append))
    room.remote["dead"] = replace(room.remote["dead"], heard_at=-EXPIRY_SECONDS)

    def last_told():
        last: dict[str, Any] = next((json.loads(message) for message in reversed(told) if b'"presence"' in message), {})
        return last.get("present"), last.get("spectators")

    async with Housekeeper(host, Settings(bots=0)):
        await until(lambda: last_told() == ([1], 3))
    assert room.present == {1}


async def test_a_crowd_is_announced_once(host):
    room = await open_table(host, Terms(RULES))
    heard: list[list[bytes]] = [[] for _ in range(CROWD)]
    for number in range(CROWD):
        room.viewers[Viewer("", heard[number].append)] = None
        host.publish_presence(room)
    await until(lambda: all(heard))
    await asyncio.sleep(PRESENCE_SECONDS * 4)  # nobody is told again
    assert all(len(messages) == 1 for messages in heard)
    assert f'"spectators":{CROWD}'.encode() in heard[0][0]


async def test_rooms_without_viewers_are_a_bounded_cache(host, monkeypatch):
    monkeypatch.setattr(hosts, "MOST_IDLE_ROOMS", 10)
    rooms = [await open_table(host, Terms(RULES)) for _ in range(5)]
    watched = rooms[0]
    host.enter(watched, Viewer("", lambda _: None))
    for _ in range(20):
        await open_table(host, Terms(RULES))
    assert len(host.rooms) == 11
    assert host.rooms[watched.table.id] is watched
    for room in rooms[1:]:
        assert (await host.current(room.table.id)) is not room
    assert len(host.rooms) == 11
    (viewer,) = watched.viewers
    host.leave(watched, viewer)
    for _ in range(20):
        await open_table(host, Terms(RULES))
    assert len(host.rooms) == 10
    assert watched.table.id not in host.rooms


async def test_who_reads_by_http_sees_what_another_worker_has_stored_though_no_notification_came(host, database):
    async with hosting(database) as other:
        room = await begin(host, [await known(host.store, "Ann"), "4"])
        there = await other.current(room.table.id)
        assert there.table.number == room.table.number
        await host.append(room, "leave", lambda table, _: table.leave(0))
        assert await other.current(room.table.id) is there
        assert there.table.number == room.table.number
