"""A finished game becomes one row, and nobody who reads it notices."""

import asyncio
import json
import logging

import pytest
from sqlalchemy import delete, func, insert, select, update

from tessella.core import record
from tessella.server.admin import games as admin
from tessella.server.http.api.lists import list_games
from tessella.server.people.identity import DELETED, Person
from tessella.server.rooms import listing
from tessella.server.rooms.history import read_finished
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table, sit
from tessella.server.services import sealing
from tessella.server.services.data_rights import data_of, erase
from tessella.server.services.ratings import ResultRecorder, rated_games_of
from tessella.server.services.sealing import Outcome, Sealer
from tessella.server.settings import Settings
from tessella.server.store import Write
from tessella.server.store.schema import entries, event_tables, events, games, results, seats, seeds
from tessella.table.clock import DAY_SECONDS
from tessella.table.log import Played, Started, read_entry, write_entry
from tests.server.helpers import begin, hosting, known, play_out, run

SETTINGS = Settings(database="sqlite:none")


async def finish(host: Host, sitters, seed=0, rules="azul/1 seats={} wall=coloured"):
    """A game that was over two days ago, with its results."""
    room = await begin(host, sitters, rules)
    await play_out(host, room, seed)
    async with ResultRecorder(host) as recorder:
        await recorder.sweep()
    await age(host, room.table.id)
    return room


async def age(host, *ids, days=2):
    await host.store.run(update(games).where(games.c.id.in_(ids)).values(touched=games.c.touched - days * DAY_SECONDS))


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
def test_a_finished_game_is_sealed_and_its_log_is_the_same(database, rules):
    async def main():
        async with hosting(database) as host:
            room = await finish(host, await ann_and_bob(host), rules=rules)
            game = room.table.id
            before = await host.store.log(game, -1)
            seed = await host.store.seed(game)
            assert await seal_all(host) == Outcome(sealed=1)
            assert [await rows_of(host.store, table, game) for table in (entries, seats, seeds)] == [0, 0, 0]
            after = await host.store.log(game, -1)
            assert [(row.number, row.body, row.at) for row in after] == [
                (row.number, row.body, row.at) for row in before
            ]
            assert [row.number for row in await host.store.log(game, 5)] == list(range(6, len(before)))
            assert await host.store.seed(game) == seed
            assert await seal_all(host) == Outcome()
            return (await table_of(host, game)).record() == room.table.record()

    assert run(main())


def test_the_host_verifies_exports_and_shows_it_as_before(database, tmp_path):
    async def main():
        async with hosting(database) as host:
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
            assert path.read_text("utf-8") == record.write(room.table.record())
            return await admin.import_record(host.store, path.read_text("utf-8")), game

    imported, game = run(main())
    assert (imported.game, imported.new) == (game, False)


def test_a_player_finds_it_among_finished_games_and_in_the_export(database):
    async def main():
        async with hosting(database) as host:
            ann, bob = await ann_and_bob(host)
            old, new = [(await finish(host, [ann, bob], seed)).table.id for seed in range(2)]
            await age(host, old)
            before, data = await listing.my_games(host.store, ann.ids, None), await data_of(host.store, ann)
            named = await list_games(host.store, before.rows, ann.ids)
            rated = await rated_games_of(host.store, ann.id)
            assert (await seal_all(host)).sealed == 2
            page = await listing.my_games(host.store, ann.ids, None)
            assert [dict(row) for row in page.rows] == [dict(row) for row in before.rows]
            assert [row["id"] for row in page.rows] == [new, old]
            assert await list_games(host.store, page.rows, ann.ids) == named
            assert [each.people for each in named] == [("Bob",), ("Bob",)]
            assert await rated_games_of(host.store, ann.id) == rated
            assert [each.game for each in rated] == [new, old]
            assert (await data_of(host.store, ann)).seats == data.seats
            return (await data_of(host.store, ann)).results == data.results

    assert run(main())


def test_a_name_is_erased_from_a_sealed_game(database):
    async def main():
        async with hosting(database) as host:
            ann, bob = await ann_and_bob(host)
            game = (await finish(host, [ann, bob])).table.id
            await seal_all(host)
            await erase(host, ann)
            found = await table_of(host, game)
            (row,) = await host.store.run(select(games.c.names, games.c.sealed).where(games.c.id == game))
            assert "Ann" not in row["names"]
            assert set(json.loads(row["names"]).values()) == {DELETED, "Bob"}
            return [occupant.name for occupant in found.seats]

    assert run(main()) == [DELETED, "Bob"]


def test_a_name_erased_while_the_game_is_packed_stays_erased(database):
    async def main():
        async with hosting(database) as host:
            ann, bob = await ann_and_bob(host)
            game = (await finish(host, [ann, bob])).table.id
            packed = sealing.prepare(game, await host.store.stored(game))
            assert packed is not None
            await erase(host, ann)
            assert not await host.store.seal(packed)
            assert (await seal_all(host)).sealed == 1
            return [occupant.name for occupant in (await table_of(host, game)).seats]

    assert run(main()) == [DELETED, "Bob"]


def test_a_rematch_is_asked_for_and_sealed_with_the_rest(database):
    async def main():
        async with hosting(database) as host:
            room = await finish(host, await ann_and_bob(host))
            game = room.table.id
            await seal_all(host)
            host.forget(room)
            room = await host.room(game)
            await host.append(room, "later-1", lambda table, _: table.ask(0, "rematch"))
            log = await host.store.log(game, -1)
            assert await rows_of(host.store, entries, game) == 1
            assert (await seal_all(host)).sealed == 0  # something was added today
            await age(host, game)
            assert (await seal_all(host)).sealed == 1
            assert await rows_of(host.store, entries, game) == 0
            again = await host.store.log(game, -1)
            return [(row.number, row.body, row.at) for row in again] == [(row.number, row.body, row.at) for row in log]

    assert run(main())


def test_no_entry_takes_the_number_of_a_sealed_one(database):
    async def main():
        async with hosting(database) as host:
            game = (await finish(host, await ann_and_bob(host))).table.id
            await seal_all(host)
            number = (await host.store.log(game, -1))[-1].number
            late = [Write(game, each, f"late-{each}", "{}", None, "over", "", None) for each in (3, number, number + 1)]
            return [await host.store.append(write) is not None for write in late]

    assert run(main()) == [False, False, True]


def test_a_game_is_not_sealed_too_early(database):
    async def main():
        async with hosting(database) as host:
            ann, bob = await ann_and_bob(host)
            running = await begin(host, [ann, bob])
            recent, unrecorded, of_match, of_event = [
                (await finish(host, [ann, bob], seed)).table.id for seed in range(4)
            ]
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
            return await seal_all(host)

    assert run(main()) == Outcome(sealed=1, waiting=1)


EVENT = {
    **dict.fromkeys(("id", "name", "title", "rules", "pace", "format", "fill", "seed"), "e"),
    **dict.fromkeys(("seats", "rounds", "most", "made", "starts"), 2),
    **dict.fromkeys(("duplicate", "members"), False),
    "state": "running",
}


def test_the_store_seals_no_game_that_is_not_over(database):
    async def main():
        async with hosting(database) as host:
            game = (await finish(host, await ann_and_bob(host))).table.id
            packed = sealing.prepare(game, await host.store.stored(game))
            assert packed is not None
            for change in ({"status": "playing"}, {"recorded": False}, {"number": games.c.number + 1}):
                back = {"status": "over", "recorded": True, "number": packed.sealed.last}
                await host.store.run(update(games).where(games.c.id == game).values(change))
                assert not await host.store.seal(packed)
                await host.store.run(update(games).where(games.c.id == game).values(back))
            assert await rows_of(host.store, entries, game) == packed.sealed.last + 1
            assert await host.store.seal(packed)
            return await host.store.seal(packed)

    assert run(main()) is False


def test_a_game_that_does_not_replay_is_left_counted_and_named_once(database, caplog):
    async def main():
        async with hosting(database) as host:
            ann, bob = await ann_and_bob(host)
            unreadable, gap, illegal, _ = [(await finish(host, [ann, bob], seed)).table.id for seed in range(4)]
            sixth = entries.c.number == 6
            await host.store.run(
                update(entries).where(entries.c.game == unreadable, sixth).values(body='{"type":"new"}'),
                delete(entries).where(entries.c.game == gap, sixth),
            )
            (row, *_) = await host.store.log(illegal, 5)
            played = read_entry(row.body)
            assert isinstance(played, Played)
            body = write_entry(Played(played.seat, ("9w9",)))
            await host.store.run(update(entries).where(entries.c.game == illegal, sixth).values(body=body))
            before = {game: await host.store.stored(game) for game in (unreadable, gap, illegal)}
            sealer = Sealer(host, SETTINGS)
            assert await sealer.seal_some() == Outcome(sealed=1, unsealable=3)
            assert await sealer.seal_some() == Outcome()
            assert {game: await host.store.stored(game) for game in before} == before
            assert host.metrics.registry.get_sample_value("tessella_games_unsealable_total") == 3
            assert host.metrics.registry.get_sample_value("tessella_games_sealed_total") == 1
            return {unreadable, gap, illegal}

    with caplog.at_level(logging.WARNING):
        broken = run(main())
    named = [line.game for line in caplog.records if line.message == "game not sealed"]
    assert sorted(named) == sorted(broken)


def test_two_workers_seal_each_game_once_while_it_is_read(database):
    async def main():
        async with hosting(database) as one, hosting(database) as other:
            ann, bob = await ann_and_bob(one)
            ids = [(await finish(one, [ann, bob], seed)).table.id for seed in range(6)]
            lengths = {game: len(await one.store.log(game, -1)) for game in ids}
            done = asyncio.gather(seal_all(one), seal_all(other))
            seen = 0
            while not done.done() or not seen:
                for game in ids:
                    assert len(await other.store.log(game, -1)) == lengths[game]
                    seen += 1
            return sum(outcome.sealed for outcome in await done)

    assert run(main()) == 6


def test_the_seed_of_a_game_that_goes_on_elsewhere_stays_apart(database):
    async def main():
        async with hosting(database) as host:
            room = await begin(host, await ann_and_bob(host), rated=False)
            await host.append(room, "take", lambda table, _: table.take_back())
            async with ResultRecorder(host) as recorder:
                await recorder.sweep()
            await age(host, room.table.id)
            seed = await host.store.seed(room.table.id)
            assert (await seal_all(host)).sealed == 1
            assert await rows_of(host.store, seeds, room.table.id) == 1
            return await host.store.seed(room.table.id) == seed

    assert run(main())


def test_a_game_whose_first_player_left_keeps_their_name_erasable(database):
    async def main():
        async with hosting(database) as host:
            ann, bob = await ann_and_bob(host)
            eve = await known(host.store, "Eve")
            room = await open_table(host, Terms("azul/1 seats=2 wall=coloured"))
            await sit(host, room, 0, eve)
            await host.append(room, "eve-leaves", lambda table, _: table.leave(0))
            await host.store.run(update(seats).where(seats.c.person == eve.id).values(person=ann.id))
            for seat, person in enumerate((ann, bob)):
                await host.append(room, f"s{seat}", lambda table, _: table.sit(seat, person.id, person.name))  # noqa: B023
            await host.append(room, "start", lambda table, secret: table.start(secret))
            await play_out(host, room)
            async with ResultRecorder(host) as recorder:
                await recorder.sweep()
            await age(host, room.table.id)
            assert (await seal_all(host)).sealed == 1
            (row,) = await host.store.run(select(games.c.names).where(games.c.id == room.table.id))
            return sorted(json.loads(row["names"]).values())

    assert run(main()) == ["Ann", "Bob", "Eve"]


def test_a_result_is_found_for_every_seat_that_is_removed(database):
    async def main():
        async with hosting(database) as host:
            ann = await known(host.store, "Ann")
            game = (await finish(host, [ann, "random"])).table.id
            await host.store.run(delete(results).where(results.c.game == game))
            assert (await seal_all(host)).sealed == 1
            return await rows_of(host.store, seats, game)

    assert run(main()) == 1


def test_a_guest_who_played_is_found_by_the_member(database):
    async def main():
        async with hosting(database) as host:
            ann, bob = await ann_and_bob(host)
            guest = await known(host.store, "Guest 7", "guest")
            game = (await finish(host, [guest, bob])).table.id
            await seal_all(host)
            member = Person(ann.id, ann.name, "member", (guest.id,))
            page = await listing.my_games(host.store, member.ids, None)
            return [row["id"] for row in page.rows] == [game]

    assert run(main())


def test_a_sealed_log_starts_where_it_did(database):
    async def main():
        async with hosting(database) as host:
            game = (await finish(host, await ann_and_bob(host))).table.id
            await seal_all(host)
            log = [read_entry(row.body) for row in await host.store.log(game, -1)]
            return sum(isinstance(entry, Started) for entry in log)

    assert run(main()) == 1
