"""A finished game becomes one row, and nobody who reads it notices."""

import json

import pytest
from sqlalchemy import delete, func, insert, select, update

from tessella.core import record
from tessella.server.admin import games as admin
from tessella.server.http.api.lists import list_games
from tessella.server.people.identity import DELETED
from tessella.server.rooms import listing
from tessella.server.rooms.history import read_finished
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table, sit
from tessella.server.services import sealing
from tessella.server.services.data_rights import data_of, erase
from tessella.server.services.ratings import ResultRecorder, rated_games_of
from tessella.server.services.sealing import Outcome, Sealer
from tessella.server.settings import Settings
from tessella.server.store.schema import entries, event_tables, events, games, results, seats, seeds
from tessella.table.clock import DAY_SECONDS
from tessella.table.log import Played, read_entry, write_entry
from tests.server.helpers import begin, known, play_out

SETTINGS = Settings(database="sqlite:none")


async def finish(host: Host, sitters, seed=0, rules="azul/1 seats={} wall=coloured"):
    """A game that was over two days ago, with its results."""
    room = await begin(host, sitters, rules)
    await play_out(host, room, seed)
    await settle(host, room)
    return room


async def settle(host, room):
    """Record the results, and let two days go by."""
    await ResultRecorder(host).sweep()
    await age(host, room.table.id)


async def age(host, *ids, days=2):
    await host.store.run(update(games).where(games.c.id.in_(ids)).values(touched=games.c.touched - days * DAY_SECONDS))


async def log_of(host, game):
    return [(row.number, row.body, row.at) for row in await host.store.log(game, -1)]


async def rows_of(store, table, game):
    (row,) = await store.run(select(func.count().label("n")).where(table.c.game == game))
    return row["n"]


async def table_of(host, game):
    done = await read_finished(host.store, game)
    assert done is not None
    return done.table


async def seal_all(host, settings=SETTINGS) -> Outcome:
    return await Sealer(host, settings).seal_some()


async def ann_and_bob(host):
    return [await known(host.store, name) for name in ("Ann", "Bob")]


@pytest.mark.parametrize("rules", ["azul/1 seats={} wall=coloured", "duel/1 seats={}", "blockers/1 seats={}"])
async def test_a_finished_game_is_sealed_and_its_log_is_the_same(host, rules):
    room = await finish(host, await ann_and_bob(host), rules=rules)
    game = room.table.id
    before = await log_of(host, game)
    seed = await host.store.seed(game)
    assert await seal_all(host) == Outcome(sealed=1)
    assert [await rows_of(host.store, table, game) for table in (entries, seats, seeds)] == [0, 0, 0]
    assert await log_of(host, game) == before
    assert [row.number for row in await host.store.log(game, 5)] == list(range(6, len(before)))
    assert await host.store.seed(game) == seed
    assert await seal_all(host) == Outcome()
    assert (await table_of(host, game)).record() == room.table.record()


async def test_a_player_finds_it_among_finished_games_and_in_the_export(host):
    ann, bob = await ann_and_bob(host)
    old, new = [(await finish(host, [ann, bob], seed)).table.id for seed in range(2)]
    guest = await known(host.store, "Guest 7", "guest")
    as_guest = (await finish(host, [guest, bob])).table.id
    await age(host, old)
    before, data = await listing.my_games(host.store, ann.ids, None), await data_of(host.store, ann)
    named = await list_games(host.store, before.rows, ann.ids)
    rated = await rated_games_of(host.store, ann.id)
    assert (await seal_all(host)).sealed == 3
    page = await listing.my_games(host.store, ann.ids, None)
    assert [dict(row) for row in page.rows] == [dict(row) for row in before.rows]
    assert [row["id"] for row in page.rows] == [new, old]
    assert await list_games(host.store, page.rows, ann.ids) == named
    assert [each.people for each in named] == [("Bob",), ("Bob",)]
    assert await rated_games_of(host.store, ann.id) == rated
    assert [each.game for each in rated] == [new, old]
    assert (await data_of(host.store, ann)).seats == data.seats
    assert (await data_of(host.store, ann)).results == data.results
    (row,) = (await listing.my_games(host.store, (guest.id,), None)).rows
    assert row["id"] == as_guest


async def test_a_name_is_erased_from_a_sealed_game(host):
    ann, bob = await ann_and_bob(host)
    game = (await finish(host, [ann, bob])).table.id
    await seal_all(host)
    await erase(host, ann)
    (row,) = await host.store.run(select(games.c.names).where(games.c.id == game))
    assert set(json.loads(row["names"]).values()) == {DELETED, "Bob"}
    assert [occupant.name for occupant in (await table_of(host, game)).seats] == [DELETED, "Bob"]


async def test_a_name_erased_while_the_game_is_packed_stays_erased(host):
    ann, bob = await ann_and_bob(host)
    game = (await finish(host, [ann, bob])).table.id
    packed = sealing.prepare(game, await host.store.stored(game))
    assert packed is not None
    await erase(host, ann)
    assert not await host.store.seal(packed)
    assert (await seal_all(host)).sealed == 1
    assert [occupant.name for occupant in (await table_of(host, game)).seats] == [DELETED, "Bob"]


async def test_a_game_is_not_sealed_too_early(host):
    ann, bob = await ann_and_bob(host)
    running = await begin(host, [ann, bob])
    recent, unrecorded, of_match, of_event = [(await finish(host, [ann, bob], seed)).table.id for seed in range(4)]
    await age(host, running.table.id)
    await age(host, recent, days=-1.5)
    await host.store.run(
        update(games).where(games.c.id == unrecorded).values(recorded=False),
        insert(events).values(EVENT),
        insert(event_tables).values(event="e", round=1, number=0, game=of_event, players="[]"),
    )
    opened = (await host.store.log(of_match, -1))[0].body.replace('"dice":""', '"dice":"match"')
    first = (entries.c.game == of_match) & (entries.c.number == 0)
    await host.store.run(update(entries).where(first).values(body=opened))
    assert await seal_all(host) == Outcome(waiting=1)
    assert await seal_all(host, Settings(database="sqlite:none", seal_days=0)) == Outcome()
    await host.store.run(update(events).values(state="over"))
    assert await seal_all(host) == Outcome(sealed=1, waiting=1)


EVENT = {
    **dict.fromkeys(("id", "name", "title", "rules", "pace", "format", "fill", "seed"), "e"),
    **dict.fromkeys(("seats", "rounds", "most", "made", "starts"), 2),
    **dict.fromkeys(("duplicate", "members"), False),
    "state": "running",
}


async def test_the_seed_of_a_game_that_goes_on_elsewhere_stays_apart(host):
    room = await begin(host, await ann_and_bob(host), rated=False)
    await host.append(room, "take", lambda table, _: table.take_back())
    await settle(host, room)
    seed = await host.store.seed(room.table.id)
    assert (await seal_all(host)).sealed == 1
    assert await rows_of(host.store, seeds, room.table.id) == 1
    assert await host.store.seed(room.table.id) == seed


async def test_a_result_is_found_for_every_seat_that_is_removed(host):
    ann = await known(host.store, "Ann")
    game = (await finish(host, [ann, "random"])).table.id
    await host.store.run(delete(results).where(results.c.game == game))
    assert (await seal_all(host)).sealed == 1
    assert await rows_of(host.store, seats, game) == 1


async def test_the_host_verifies_exports_and_shows_it_as_before(host, tmp_path):
    room = await finish(host, await ann_and_bob(host))
    game = room.table.id
    shown = await admin.show(host, game)
    await seal_all(host)
    assert await admin.show(host, game) == shown
    found = await admin.verify(host.store, admin.all_games(host.store))
    assert (found.games, found.finished, found.wrong) == (1, 1, ())
    assert found.deals > 3
    path = await admin.export(host.store, game, tmp_path)
    assert path is not None
    text = path.read_text("utf-8")
    assert text == record.write(room.table.record())
    imported = await admin.import_record(host.store, text)
    assert (imported.game, imported.new) == (game, False)


async def test_a_rematch_is_asked_for_and_sealed_with_the_rest(host):
    room = await finish(host, await ann_and_bob(host))
    game = room.table.id
    await seal_all(host)
    host.forget(room)
    room = await host.room(game)
    await host.append(room, "later-1", lambda table, _: table.ask(0, "rematch"))
    log = await log_of(host, game)
    assert await rows_of(host.store, entries, game) == 1
    assert (await seal_all(host)).sealed == 0, "something was added today"
    await age(host, game)
    assert (await seal_all(host)).sealed == 1
    assert await rows_of(host.store, entries, game) == 0
    assert await log_of(host, game) == log


async def test_a_game_that_does_not_replay_is_left_counted_and_named_once(host, caplog):
    ann, bob = await ann_and_bob(host)
    unreadable, gap, illegal, _ = [(await finish(host, [ann, bob], seed)).table.id for seed in range(4)]
    (row, *_) = await host.store.log(illegal, 5)
    played = read_entry(row.body)
    assert isinstance(played, Played)
    sixth = update(entries).where(entries.c.number == 6)
    await host.store.run(
        sixth.where(entries.c.game == unreadable).values(body='{"type":"new"}'),
        sixth.where(entries.c.game == illegal).values(body=write_entry(Played(played.seat, ("9w9",)))),
        delete(entries).where(entries.c.game == gap, entries.c.number == 6),
    )
    before = {game: await host.store.stored(game) for game in (unreadable, gap, illegal)}
    sealer = Sealer(host, SETTINGS)
    assert await sealer.seal_some() == Outcome(sealed=1, unsealable=3)
    assert await sealer.seal_some() == Outcome()
    assert {game: await host.store.stored(game) for game in before} == before
    counted = host.metrics.registry.get_sample_value
    assert [counted(f"tessella_games_{what}_total") for what in ("unsealable", "sealed")] == [3, 1]
    named = [line.game for line in caplog.records if line.message == "game not sealed"]
    assert sorted(named) == sorted(before)


async def test_a_game_whose_first_player_left_keeps_their_name_erasable(host):
    ann, bob = await ann_and_bob(host)
    room = await open_table(host, Terms("azul/1 seats=2 wall=coloured"))
    await sit(host, room, 0, await known(host.store, "Eve"))
    await host.append(room, "eve-leaves", lambda table, _: table.leave(0))
    await host.store.run(update(seats).values(person=ann.id))
    await host.append(room, "anns", lambda table, _: table.sit(0, ann.id, ann.name))
    await host.append(room, "bobs", lambda table, _: table.sit(1, bob.id, bob.name))
    await host.append(room, "start", lambda table, secret: table.start(secret))
    await play_out(host, room)
    await settle(host, room)
    assert (await seal_all(host)).sealed == 1
    (row,) = await host.store.run(select(games.c.names).where(games.c.id == room.table.id))
    assert sorted(json.loads(row["names"]).values()) == ["Ann", "Bob", "Eve"]
