"""Quick pairing: whoever wants the same sits down together, once, whichever worker they ask."""

import asyncio
from collections import Counter

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select, update

from tessella.server.people.identity import adopt, find_person
from tessella.server.services import pairing
from tessella.server.services.data_rights import erase
from tessella.server.services.pairing import Wanted, join, leave, poll
from tessella.server.settings import Settings
from tessella.server.store.schema import games, seats, waiting
from tessella.table.clock import DAY_SECONDS
from tests.server.clients import Person
from tests.server.conftest import free_port
from tests.server.helpers import hosting, known, member

AZUL, DUEL = (Wanted(title, 2, "live") for title in ("azul", "duel"))


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Nobody leaves the queue because the machine is slow."""
    monkeypatch.setattr(pairing, "WAIT_SECONDS", dict.fromkeys(pairing.WAIT_SECONDS, DAY_SECONDS))


async def number_of_tables(host) -> int:
    return len(await host.store.run(select(games.c.id)))


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


async def test_what_players_wait_for_is_listed_without_their_names(host):
    assert await pairing.searches(host.store) == ()
    three = replace(AZUL, seats=3)
    people = [await known(host.store, name) for name in ("Ann", "Bob", "Cid", "Dan")]
    for person, wanted in zip(people, (DUEL, three, three, AZUL), strict=True):
        await join(host, person, wanted)
    assert (await pairing.searches(host.store))[0] == (three, 2)
    assert set(await pairing.searches(host.store)) == {(three, 2), (AZUL, 1), (DUEL, 1)}
    await leave(host.store, people[0])
    await host.store.run(update(waiting).where(waiting.c.person == people[3].id).values(ends=0))
    assert await pairing.searches(host.store) == ((three, 2),)


async def test_two_players_who_want_the_same_are_paired(host):
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


async def test_a_player_is_in_the_queue_once_and_for_the_latest_request(host):
    ann, bob, cid = [await known(host.store, name) for name in ("Ann", "Bob", "Cid")]
    first = await join(host, ann, AZUL)
    assert (await join(host, ann, AZUL)).since == first.since
    assert (await join(host, ann, DUEL)).wanted.title == "duel"
    assert (await join(host, bob, AZUL)).game == ""
    found = (await join(host, cid, AZUL)).game
    assert found
    again = await join(host, bob, AZUL)
    assert (again.game, again.since > first.since) == ("", True)
    assert sorted((await seated(host))[found]) == sorted([bob.id, cid.id])


async def test_the_longest_waiting_players_are_paired_first(host):
    persons = [await known(host.store, f"P{n}") for n in range(7)]
    three = replace(AZUL, seats=3)
    for person in persons:
        await join(host, person, three)
    found = [await game_of(host, person) for person in persons]
    assert found[0] == found[1] == found[2] != found[3] == found[4] == found[5]
    assert found[6] == ""


async def test_a_player_who_stops_polling_leaves_the_queue(host):
    ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
    await join(host, ann, AZUL)
    await host.store.run(update(waiting).values(ends=waiting.c.ends - DAY_SECONDS - 1))
    assert (await join(host, bob, AZUL)).game == ""
    assert await poll(host, ann) is None
    await host.store.run(update(waiting).values(ends=waiting.c.ends - 0.6 * DAY_SECONDS))
    assert await poll(host, bob) is not None, "his poll says that he still waits"
    await host.store.run(update(waiting).values(ends=waiting.c.ends - 0.6 * DAY_SECONDS))
    assert (await join(host, ann, AZUL)).game
    await host.store.run(update(waiting).values(ends=1.0))
    await join(host, bob, AZUL)
    assert await host.store.run(select(func.count().label("n")).select_from(waiting)) == [{"n": 1}]


async def test_a_guest_who_logs_in_while_waiting_has_the_game_that_was_found(host):
    guest, ann, bob = [await known(host.store, name, "guest") for name in ("x", "Ann", "Bob")]
    await join(host, guest, AZUL)
    found = await join(host, bob, AZUL)
    await adopt(host.store, guest, ann)
    both = await find_person(host.store, ann.id)
    assert both is not None
    assert await game_of(host, both) == found.game
    await join(host, both, AZUL)
    assert await game_of(host, both) == ""


# Many workers


async def test_workers_that_pair_at_once_seat_everybody_exactly_once(postgres):
    """Three workers; sixteen people, all of whom ask all workers at the same time."""
    async with hosting(postgres) as one, hosting(postgres) as two, hosting(postgres) as three:
        persons = [await known(one.store, f"P{n}") for n in range(16)]
        hosts = (one, two, three)
        await asyncio.gather(*(join(hosts[n % 3], person, AZUL) for n, person in enumerate(persons)))
        await asyncio.gather(*(poll(host, person) for person in persons for host in hosts))
        found = {person.id: await game_of(two, person) for person in persons}
        assert all(found.values())
        assert set(Counter(found.values()).values()) == {2}
        sitting = await seated(one)
        assert len(sitting) == await number_of_tables(one) == 8
        assert all(sorted(who) == sorted(p for p in found if found[p] == game) for game, who in sitting.items())
        for game in sitting:
            room = await three.room(game)
            await three.refresh(room)
            assert room.table.status == "dice"


async def test_polling_again_and_again_never_seats_a_player_alone_or_twice(postgres):
    async with hosting(postgres) as one, hosting(postgres) as two:
        persons = [await known(one.store, f"P{n}") for n in range(8)]
        await asyncio.gather(*(join(host, person, AZUL) for person in persons for host in (one, two, one)))
        found = {person.id: await game_of(two, person) for person in persons}
        sitting = await seated(one)
        first_games = Counter(person for group in sitting.values() for person in group)
        assert all(first_games[person.id] >= 1 for person in persons)
        assert all(len(group) == 2 and len(set(group)) == 2 for group in sitting.values())
        assert all(game == "" or who in sitting[game] for who, game in found.items())


async def test_a_player_who_left_the_table_is_not_seated_again(host):
    ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
    await join(host, ann, AZUL)
    game = (await join(host, bob, AZUL)).game
    room = await host.room(game)
    seat = room.table.seat_of(bob.id)
    await host.append(room, "leave-it", lambda table, _: table.leave(seat))
    await poll(host, ann)
    await poll(host, bob)
    assert room.table.seat_of(bob.id) is None


async def claim(host, *people, game):
    """A worker has paired two people, and died before it set their table."""
    now = await host.store.now()
    places = [{"person": person.id, "since": now, "ends": now + DAY_SECONDS} for person in people]
    wanted = {"title": "azul", "seats": 2, "pace": "live"}
    await host.store.run(waiting.delete(), waiting.insert().values([wanted | place for place in places]))
    await host.store.run(pairing._claim(waiting.c.game == "", 2, game, now + 600))


@pytest.mark.parametrize("seated_before", [None, 0, 1])
async def test_a_worker_that_died_after_the_claim_loses_no_game(host, seated_before):
    """The claim is in the database, the table is not, or nobody sits at it yet: whoever asks next does the rest."""
    ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
    await claim(host, ann, bob, game="claimed")
    wait = await pairing._look(host.store, ann)
    assert wait is not None
    if seated_before is not None:
        room = await pairing._set_table(host, wait, rated=True)
    if seated_before == 1:
        first = min((ann, bob), key=lambda person: pairing._draw(wait.game, person.id))
        await host.append(room, f"pair-0-{first.id}", lambda table, _: table.sit(0, first.id, first.name))
    assert await game_of(host, bob) == "claimed"
    assert (await host.room("claimed")).table.status == "dice"
    assert sorted((await seated(host))["claimed"]) == sorted([ann.id, bob.id])


async def test_when_a_player_is_deleted_the_others_go_back_to_the_queue(host):
    ann, bob, cid = [await known(host.store, name) for name in ("Ann", "Bob", "Cid")]
    await claim(host, ann, bob, game="claimed")
    await erase(host, bob)
    assert await game_of(host, ann) == ""
    found = await join(host, cid, AZUL)
    assert sorted((await seated(host))[found.game]) == sorted([ann.id, cid.id])


async def test_players_on_different_workers_find_each_other_over_http(postgres, port, serve):
    elsewhere = free_port()
    async with serve(settings(postgres, port)), serve(settings(postgres, elsewhere)):
        ann, bob, cid = await member(port, "Ann"), await member(elsewhere, "Bob"), await Person.arrive(elsewhere, "Cid")
        body = {"title": "blockers", "seats": 3, "pace": "quick"}
        assert (await ann.http.get("/api/pairing")).json()["state"] == "none"
        assert (await ann.http.post("/api/pairing", json=body)).json()["state"] == "waiting"
        waits = (await bob.http.post("/api/pairing", json=body)).json()
        assert (waits["state"], waits["there"]) == ("waiting", 2)
        assert (await Person(port).http.get("/api/pairing/searches")).json() == {"searches": [{**body, "there": 2}]}
        found = (await cid.http.post("/api/pairing", json=body)).json()
        assert found["state"] == "found"
        assert (await ann.http.get("/api/pairing")).json()["game"] == found["game"]
        tables = [(await each.http.get(f"/api/games/{found['game']}")).json() for each in (ann, bob, cid)]
        assert sorted(table["seat"] for table in tables) == [0, 1, 2]
        assert tables[0]["rated"] is False, "Cid is a guest"
        assert (await ann.http.delete("/api/pairing")).json() == {"done": 0}
        assert (await ann.http.post("/api/pairing", json={**body, "title": "chess"})).status_code == 422
        assert (await Person(port).http.post("/api/pairing", json=body)).status_code == 401
        await Person.all_go_home()


def settings(database, port):
    return Settings(database=database, port=port, bots=0)
