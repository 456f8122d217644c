"""Quick pairing: whoever wants the same sits down together, once, whichever worker they ask."""

import asyncio
from collections import Counter

import pytest
from sqlalchemy import func, select, update

from tessella.server.people.identity import adopt, find_person
from tessella.server.services import pairing
from tessella.server.services.data_rights import erase
from tessella.server.services.pairing import Wanted, join, leave, pair, poll
from tessella.server.settings import Settings
from tessella.server.store.schema import games, seats, waiting
from tests.server.clients import Person
from tests.server.conftest import free_port
from tests.server.helpers import hosting, known, member, run, serving

AZUL = Wanted("azul", 2, "live")


async def tables_of(host):
    rows = await host.store.run(select(games.c.id, games.c.status, games.c.rated))
    return {row["id"]: row for row in rows}


async def game_of(host, person) -> str:
    """The game that was found for somebody who waits."""
    wait = await poll(host, person)
    assert wait is not None
    return wait.game


async def seated(host):
    """Who sits at which tables."""
    found: dict[str, list[str]] = {}
    for row in await host.store.run(select(seats)):
        found.setdefault(row["game"], []).append(row["person"])
    return found


def test_what_players_wait_for_is_listed_without_their_names(database):
    async def use():
        async with hosting(database) as host:
            assert await pairing.searches(host.store) == ()
            three = Wanted("azul", 3, "live")
            people = [await known(host.store, name) for name in ("Ann", "Bob", "Cid", "Dan")]
            for person, wanted in zip(people, (Wanted("duel", 2, "days"), three, three, AZUL), strict=True):
                await join(host, person, wanted)
            assert (await pairing.searches(host.store))[0] == (three, 2)
            assert set(await pairing.searches(host.store)) == {(three, 2), (AZUL, 1), (Wanted("duel", 2, "days"), 1)}
            await leave(host.store, people[0])
            await host.store.run(update(waiting).where(waiting.c.person == people[3].id).values(ends=0))
            assert await pairing.searches(host.store) == ((three, 2),)

    run(use())


def test_two_players_who_want_the_same_are_paired(database):
    async def use():
        async with hosting(database) as host:
            ann, bob, cid = [await known(host.store, name) for name in ("Ann", "Bob", "Cid")]
            assert (await join(host, ann, AZUL)).game == ""
            assert (await join(host, cid, Wanted("azul", 2, "quick"))).game == ""
            assert await game_of(host, ann) == ""
            found = await join(host, bob, AZUL)
            assert found.game
            assert await game_of(host, ann) == found.game
            assert await game_of(host, cid) == ""
            table = (await host.room(found.game)).table
            assert (table.status, table.terms.rated) == ("dice", True)
            assert {table.seat_of(ann.id), table.seat_of(bob.id)} == {0, 1}
            assert {occupant.name for occupant in table.seats} == {"Ann", "Bob"}
            assert sorted((await seated(host))[found.game]) == sorted([ann.id, bob.id])
            assert await leave(host.store, ann) is False
            assert await leave(host.store, cid) is True
            assert await poll(host, cid) is None

    run(use())


def test_a_player_is_in_the_queue_once_and_for_the_latest_request(sqlite):
    async def use():
        async with hosting(sqlite) as host:
            ann, bob, cid = [await known(host.store, name) for name in ("Ann", "Bob", "Cid")]
            first = await join(host, ann, AZUL)
            assert (await join(host, ann, AZUL)).since == first.since
            assert (await join(host, ann, Wanted("duel", 2, "live"))).wanted.title == "duel"
            assert (await join(host, bob, AZUL)).game == ""
            found = (await join(host, cid, AZUL)).game
            assert found
            again = await join(host, bob, AZUL)
            assert (again.game, again.since > first.since) == ("", True)
            assert sorted((await seated(host))[found]) == sorted([bob.id, cid.id])

    run(use())


def test_the_longest_waiting_players_are_paired_first(sqlite):
    async def use():
        async with hosting(sqlite) as host:
            persons = [await known(host.store, f"P{n}") for n in range(7)]
            three = Wanted("azul", 3, "days")
            for person in persons:
                await join(host, person, three)
            found = [await game_of(host, person) for person in persons]
            assert found[0] == found[1] == found[2] != found[3] == found[4] == found[5]
            assert found[6] == ""

    run(use())


def test_a_player_who_stops_polling_leaves_the_queue(sqlite):
    async def use():
        async with hosting(sqlite) as host:
            ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
            await join(host, ann, AZUL)
            await host.store.run(update(waiting).values(ends=waiting.c.ends - 61))
            assert (await join(host, bob, AZUL)).game == ""
            assert await poll(host, ann) is None
            await host.store.run(update(waiting).values(ends=waiting.c.ends - 30))
            assert await poll(host, bob) is not None  # this says that Bob still waits
            await host.store.run(update(waiting).values(ends=waiting.c.ends - 40))
            assert (await join(host, ann, AZUL)).game
            await host.store.run(update(waiting).values(ends=1.0))
            await join(host, bob, AZUL)
            assert await host.store.run(select(func.count().label("n")).select_from(waiting)) == [{"n": 1}]

    run(use())


def test_a_guest_at_the_table_makes_it_unrated(sqlite):
    async def use():
        async with hosting(sqlite) as host:
            await join(host, await known(host.store, "Ann"), AZUL)
            found = await join(host, await known(host.store, "Bob", "guest"), AZUL)
            assert (await host.room(found.game)).table.terms.rated is False

    run(use())


def test_a_guest_who_logs_in_while_waiting_has_the_game_that_was_found(sqlite):
    async def use():
        async with hosting(sqlite) as host:
            guest, ann, bob = [await known(host.store, name, "guest") for name in ("x", "Ann", "Bob")]
            await join(host, guest, AZUL)
            found = await join(host, bob, AZUL)
            await adopt(host.store, guest, ann)
            both = await find_person(host.store, ann.id)
            assert both is not None
            assert await game_of(host, both) == found.game
            await join(host, both, AZUL)
            assert await game_of(host, both) == ""

    run(use())


@pytest.mark.parametrize("wanted", [Wanted("chess", 2, "live"), Wanted("duel", 3, "live"), Wanted("azul", 5, "live")])
def test_what_is_not_played_here_is_refused(sqlite, wanted):
    async def use():
        async with hosting(sqlite) as host:
            with pytest.raises(ValueError, match=r"no game|is for 2"):
                await join(host, await known(host.store, "Ann"), wanted)

    run(use())


# Many workers


def test_workers_that_pair_at_once_seat_everybody_exactly_once(postgres):
    """Three workers; forty people, all of whom ask all workers at the same time, again and again."""

    async def use():
        async with hosting(postgres) as one, hosting(postgres) as two, hosting(postgres) as three:
            persons = [await known(one.store, f"P{n}") for n in range(40)]
            hosts = (one, two, three)
            await asyncio.gather(*(join(hosts[n % 3], person, AZUL) for n, person in enumerate(persons)))
            for _ in range(3):
                await asyncio.gather(*(poll(host, person) for person in persons for host in hosts))
            found = {person.id: await game_of(two, person) for person in persons}
            assert all(found.values())
            assert set(Counter(found.values()).values()) == {2}
            sitting = await seated(one)
            assert len(sitting) == len(await tables_of(one)) == 20
            assert all(sorted(who) == sorted(p for p in found if found[p] == game) for game, who in sitting.items())
            for game in sitting:
                room = await three.room(game)
                await three.refresh(room)
                assert room.table.status == "dice"

    run(use())


def test_two_workers_that_claim_the_same_people_make_one_game(postgres):
    async def use():
        async with hosting(postgres) as one, hosting(postgres) as two:
            for round_ in range(10):
                persons = [await known(one.store, f"P{round_}{n}") for n in range(2)]
                wanted = Wanted("azul", 2, "quick")
                now = await one.store.now()
                rows = [
                    {"person": p.id, "since": now, "ends": now + 60, "title": "azul", "seats": 2, "pace": "quick"}
                    for p in persons
                ]
                await one.store.run(waiting.insert().values(rows))
                await asyncio.gather(*(pair(host, wanted) for host in (one, two, one, two)))
                assert len(await tables_of(one)) == round_ + 1
                assert {await game_of(two, person) for person in persons} <= set(await tables_of(one))

    run(use())


def test_polling_again_and_again_never_seats_a_player_alone_or_twice(postgres):
    async def use():
        async with hosting(postgres) as one, hosting(postgres) as two:
            persons = [await known(one.store, f"P{n}") for n in range(12)]
            eager = [join(host, person, AZUL) for person in persons for host in (one, two, one)]
            await asyncio.gather(*eager)
            found = {person.id: await game_of(two, person) for person in persons}
            sitting = await seated(one)
            first_games = Counter(person for group in sitting.values() for person in group)
            assert all(first_games[person.id] >= 1 for person in persons)
            assert all(len(group) == 2 and len(set(group)) == 2 for group in sitting.values())
            assert all(game == "" or who in sitting[game] for who, game in found.items())

    run(use())


def test_a_worker_that_died_after_the_claim_loses_no_game(database):
    """The claim is in the database, the table is not, or nobody sits at it yet: whoever asks next does the rest."""

    async def use():
        async with hosting(database) as host:
            ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
            for seated_before in (None, 0, 1):
                await join(host, ann, AZUL)
                now = await host.store.now()
                place = {"person": bob.id, "since": now, "ends": now + 60, "title": "azul", "seats": 2, "pace": "live"}
                await host.store.run(waiting.delete().where(waiting.c.person == bob.id), waiting.insert().values(place))
                there = waiting.c.game == ""
                await host.store.run(pairing._claim(there, 2, f"claimed-{seated_before}", now + 600))
                wait = await pairing._look(host.store, ann)
                assert wait is not None
                if seated_before is not None:
                    room = await pairing._set_table(host, wait, rated=True)
                if seated_before == 1:
                    first = min((ann, bob), key=lambda person: pairing._draw(wait.game, person.id))
                    await host.append(room, f"pair-0-{first.id}", lambda table, _: table.sit(0, first.id, first.name))  # noqa: B023
                assert await game_of(host, bob) == wait.game
                table = (await host.room(wait.game)).table
                assert table.status == "dice"
                assert sorted((await seated(host))[wait.game]) == sorted([ann.id, bob.id])

    run(use())


def test_when_a_player_is_deleted_the_others_go_back_to_the_queue(sqlite):
    async def use():
        async with hosting(sqlite) as host:
            ann, bob, cid = [await known(host.store, name) for name in ("Ann", "Bob", "Cid")]
            await join(host, ann, AZUL)
            now = await host.store.now()
            place = {"person": bob.id, "since": now, "ends": now + 60, "title": "azul", "seats": 2, "pace": "live"}
            await host.store.run(waiting.insert().values(place))
            await host.store.run(pairing._claim(waiting.c.game == "", 2, "claimed", now + 600))
            await erase(host, bob)
            assert await game_of(host, ann) == ""
            found = await join(host, cid, AZUL)
            assert sorted((await seated(host))[found.game]) == sorted([ann.id, cid.id])

    run(use())


def test_a_player_who_left_the_table_is_not_seated_again(sqlite):
    async def use():
        async with hosting(sqlite) as host:
            ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
            await join(host, ann, AZUL)
            game = (await join(host, bob, AZUL)).game
            room = await host.room(game)
            seat = room.table.seat_of(bob.id)
            await host.append(room, "leave-it", lambda table, _: table.leave(seat))
            await poll(host, ann)
            await poll(host, bob)
            assert room.table.seat_of(bob.id) is None

    run(use())


def test_two_on_different_workers_find_each_other_over_http(postgres, port, serve):
    other = free_port()

    async def use(app):
        async with serve(Settings(database=postgres, port=other, bots=0)):
            ann, bob = await member(port, "Ann"), await member(other, "Bob")
            body = {"title": "blockers", "seats": 3, "pace": "quick"}
            assert (await ann.http.get("/api/pairing")).json()["state"] == "none"
            assert (await ann.http.post("/api/pairing", json=body)).json()["state"] == "waiting"
            waits = (await bob.http.post("/api/pairing", json=body)).json()
            assert (await Person(port).http.get("/api/pairing/searches")).json() == {"searches": [{**body, "there": 2}]}
            assert (waits["state"], waits["there"]) == ("waiting", 2)
            cid = await Person.arrive(other, "Cid")
            found = (await cid.http.post("/api/pairing", json=body)).json()
            assert found["state"] == "found"
            assert (await ann.http.get("/api/pairing")).json()["game"] == found["game"]
            tables = [(await each.http.get(f"/api/games/{found['game']}")).json() for each in (ann, bob, cid)]
            assert sorted(table["seat"] for table in tables) == [0, 1, 2]
            assert tables[0]["rated"] is False
            assert (await ann.http.delete("/api/pairing")).json() == {"done": 0}
            wrong = await ann.http.post("/api/pairing", json={**body, "title": "chess"})
            assert wrong.status_code == 422
            assert (await Person(port).http.post("/api/pairing", json=body)).status_code == 401

    serving(serve, Settings(database=postgres, port=port, bots=0), use)
