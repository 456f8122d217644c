"""Everything that leads nowhere has a lifetime; a finished game is never removed."""

import logging

import pytest
from sqlalchemy import func, insert, select, update

from tessella.core.record import Record
from tessella.server.people.identity import add_person, add_session, find_session
from tessella.server.rooms.lifecycle import Terms, invite, open_table, sit
from tessella.server.services import retention
from tessella.server.services.events.entries import Terms as EventTerms
from tessella.server.services.events.entries import create as create_event
from tessella.server.services.retention import Retention
from tessella.server.services.reviews import ask_for_review
from tessella.server.settings import Settings
from tessella.server.store.schema import (
    challenges,
    entries,
    event_entrants,
    events,
    games,
    jobs,
    links,
    people,
    reviews,
    seats,
    seeds,
    sessions,
)
from tessella.table.clock import DAY_SECONDS
from tessella.table.log import Live, Opened, write_entry
from tessella.table.table import Refused
from tests.server.helpers import begin, known, play_out, resign

RULES = "azul/1 seats=2 wall=coloured"
SETTINGS = Settings(database="sqlite:none")
FOR_EVER = Settings(
    database="sqlite:none", keep_unstarted_days=0, keep_abandoned_days=0, keep_guests_days=0, keep_reviews_days=0
)


async def count(store, table):
    (row,) = await store.run(select(func.count().label("n")).select_from(table))
    return row["n"]


async def age(store, days, column=games.c.touched, where=True):
    """Let days pass for what is stored so far."""
    await store.run(update(column.table).where(where).values({column.name: column - days * DAY_SECONDS}))


async def settle_down(host, settings=SETTINGS, steps=3):
    """Some steps of a worker that has just started."""
    keeper = Retention(host, settings)
    done = [await keeper.step() for _ in range(steps)]
    return {chore: sum(each[chore] for each in done) for chore in done[0]}


async def test_a_table_that_never_started_is_closed_and_then_removed(host):
    ann = await known(host.store, "Ann")
    room = await open_table(host, Terms(RULES))
    await sit(host, room, 0, ann)
    await invite(host, room.table.id, 1)
    kept = await begin(host, [ann, await known(host.store, "Bob")])
    await resign(host, kept, 0)
    await age(host.store, 13)
    assert not any((await settle_down(host)).values())
    await age(host.store, 2)
    assert (await settle_down(host))["tables that never started"] == 1
    table = (await host.current(room.table.id)).table
    assert (table.status, table.stored_status) == ("over", "closed")
    with pytest.raises(Refused):
        await sit(host, await host.current(room.table.id), 1, await known(host.store, "Late"))
    assert (await settle_down(host))["closed tables"] == 0
    await age(host.store, 2)
    assert (await settle_down(host))["closed tables"] == 1
    assert await host.store.run(select(games.c.id)) == [{"id": kept.table.id}]
    for table in (entries, seats):
        rows = await host.store.run(select(table.c.game).distinct())
        assert [row["game"] for row in rows] == [kept.table.id]
    assert await count(host.store, links) == 0
    assert await count(host.store, seeds) == 1


async def test_a_table_that_everybody_left_before_the_start_goes_after_a_day(host):
    await open_table(host, Terms(RULES))
    room = await open_table(host, Terms(RULES))
    await sit(host, room, 0, await known(host.store, "Ann"))
    await age(host.store, 1.5)
    assert (await settle_down(host))["tables that never started"] == 1
    rows = await host.store.run(select(games.c.id).where(games.c.status == "open"))
    assert [row["id"] for row in rows] == [room.table.id]


async def test_an_abandoned_game_ends_without_a_result_and_stays(host):
    room = await begin(host, [await known(host.store, name) for name in ("Ann", "Bob")])
    await age(host.store, 91)
    assert (await settle_down(host))["abandoned games"] == 1
    room = await host.current(room.table.id)
    assert room.table.end.reason == "aborted"
    await age(host.store, 10_000)
    await settle_down(host)
    assert await count(host.store, games) == 1
    assert room.table.record().acts


async def test_a_finished_game_is_never_removed(host):
    room = await begin(host, [await known(host.store, name, "guest") for name in ("Ann", "Bob")])
    await play_out(host, room)
    log = await host.store.log(room.table.id, -1)
    for column in (games.c.touched, games.c.opened):
        await age(host.store, 20_000, column)
    await settle_down(host, steps=6)
    assert await host.store.log(room.table.id, -1) == log
    assert (await count(host.store, games), await count(host.store, seats)) == (1, 2)


async def test_guests_without_a_game_and_ended_sessions_are_removed(host):
    store = host.store
    idle = await add_person(store, "Idle", "guest")
    player = await add_person(store, "Player", "guest")
    secrets = [await add_session(store, person, "cookie") for person in (idle, player)]
    await begin(host, [player, "1"])
    member = await known(store, "Member")
    await age(store, 31, people.c.made)
    new = await add_person(store, "New", "guest")
    assert (await settle_down(host))["guests without a game"] == 1
    left = {row["id"] for row in await store.run(select(people.c.id))}
    assert left == {player.id, member.id, new.id}
    assert await find_session(store, secrets[0]) is None
    assert await find_session(store, secrets[1]) is not None
    await store.run(update(sessions).values(ends=1.0))
    await store.run(insert(challenges).values(id="c", challenge=b"c", person="", ends=1.0))
    assert (await settle_down(host))["ended sessions"] == 2
    assert await count(store, sessions) == await count(store, challenges) == 0


async def test_old_reviews_and_their_jobs_are_removed(host):
    for name in ("old", "new"):
        await ask_for_review(host.store, name, Record(RULES, ("*",)))
    await age(host.store, 181, reviews.c.made, reviews.c.id == "old")
    assert (await settle_down(host))["old reviews"] == 1
    assert await host.store.run(select(reviews.c.id)) == [{"id": "new"}]
    assert await host.store.run(select(jobs.c.game)) == [{"game": "new"}]


async def test_invitations_go_when_the_game_has_started(host):
    ann = await known(host.store, "Ann")
    started = await begin(host, [ann, "1"])
    waits = await open_table(host, Terms(RULES))
    for room in (started, waits):
        await invite(host, room.table.id, 1)
    assert (await settle_down(host))["used invitations"] == 1
    assert await host.store.run(select(links.c.game)) == [{"game": waits.table.id}]


async def test_cancelled_events_go_and_others_stay(host):
    old = await host.store.now() - 40 * DAY_SECONDS
    for state in ("cancelled", "over", "open"):
        event = await create_event(host.store, EventTerms("Cup", RULES, Live(), "swiss", 2, 1, old, bots=2))
        await host.store.run(update(events).where(events.c.id == event).values(state=state, ended=old, due=None))
    await create_event(host.store, EventTerms("Cup", RULES, Live(), "swiss", 2, 1, old + 1))
    assert (await settle_down(host))["cancelled events"] == 1
    assert {row["state"] for row in await host.store.run(select(events.c.state))} == {"over", "open"}
    assert len(await host.store.run(select(event_entrants.c.person))) == 4


async def test_one_kind_that_cannot_be_removed_keeps_no_other_from_being_removed(host, monkeypatch, caplog):
    async def broken(_retention):
        raise KeyError("broken")

    monkeypatch.setattr(Retention, "end_abandoned", broken)
    await add_person(host.store, "Idle", "guest")
    await age(host.store, 31, people.c.made)
    assert (await Retention(host, SETTINGS).step())["guests without a game"] == 1
    assert [record.msg for record in caplog.records if record.levelname == "ERROR"] == ["removal failed"]


async def test_what_a_host_wants_to_keep_is_kept(host):
    ann = await add_person(host.store, "Ann", "guest")
    room = await open_table(host, Terms(RULES))
    await sit(host, room, 0, ann)
    await add_person(host.store, "Idle", "guest")
    await begin(host, [ann, "1"])
    await ask_for_review(host.store, "old", Record(RULES, ("*",)))
    for column in (games.c.touched, people.c.made, reviews.c.made):
        await age(host.store, 9_999, column)
    assert not any((await settle_down(host, FOR_EVER)).values())


async def test_many_old_rows_are_removed_a_page_at_a_time_and_unreadable_ones_are_passed_over(host, caplog):
    caplog.set_level(logging.ERROR, "tessella.server")
    rooms = [await open_table(host, Terms(RULES)) for _ in range(retention.PAGE_ROWS * 2 + 10)]
    gone = write_entry(Opened(RULES.replace("azul/1", "azul/99"), ""))
    broken = rooms[3].table.id
    await host.store.run(update(entries).where(entries.c.game == broken).values(body=gone))
    host.forget(rooms[3])
    await age(host.store, 15)
    keeper = Retention(host, SETTINGS)
    closed = [(await keeper.step())["tables that never started"] for _ in range(3)]
    assert closed == [retention.PAGE_ROWS - 1, retention.PAGE_ROWS, 10]
    assert {getattr(record, "game", "") for record in caplog.records} == {broken}
