"""Results and ratings: once for each game, by whichever worker, only where it is fair."""

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, func, select, update

from tessella.coach.skill import GIVEN_UP, SPREADS, Strength
from tessella.server.people.identity import adopt
from tessella.server.rooms.history import read_finished
from tessella.server.rooms.room import Room
from tessella.server.services import ratings as rating
from tessella.server.services.data_rights import erase
from tessella.server.services.rating_model import Skill, actual_scores, expected_scores, rate, seat_term, skill_of
from tessella.server.services.ratings import ResultRecorder, final_places, margins_of, record_results
from tessella.server.store.schema import entries, games, people, ratings, results, seat_terms
from tests.server.clients import Person, key, play_to_the_end
from tests.server.helpers import begin, hosting, known, member, play_out, resign
from tests.server.waiting import until


async def record_now(host, room):
    done = await read_finished(host.store, room.table.id)
    assert done is not None
    return await record_results(host.store, done.table, done.ended)


async def resigned(host, sitters, loser=0, **terms):
    """A game that a player has resigned, and whose results are recorded."""
    room = await begin(host, sitters, **terms)
    await resign(host, room, loser)
    assert await record_now(host, room)
    return room


async def record_at_last(host, room, timeouts):
    """As workers do: what the store did not do in time, because others came first, is tried again."""
    while True:
        try:
            return await record_now(host, room)
        except TimeoutError:
            timeouts.append(room)


async def skills(store):
    return {row["person"]: skill_of(row) for row in await store.run(select(ratings))}


async def unrecorded(store):
    """The games that say that they are not recorded."""
    return {row["id"] for row in await store.run(select(games.c.id).where(~games.c.recorded))}


async def results_of(store, game):
    return await store.run(select(results).where(results.c.game == game).order_by(results.c.seat))


# The arithmetic


@given(st.lists(st.tuples(st.floats(0, 50), st.floats(1, 9), st.integers(1, 4)), min_size=2, max_size=5))
def test_expected_and_actual_scores_add_up(sitters):
    expected = expected_scores([Skill(mu, sigma) for mu, sigma, _ in sitters])
    assert all(0 <= share <= 1 for share in expected)
    assert sum(expected) == pytest.approx(len(sitters) / 2)
    assert sum(actual_scores([rank for *_, rank in sitters])) == pytest.approx(len(sitters) / 2)


@given(st.permutations([1, 2, 3, 4]), st.lists(st.floats(-5, 5), min_size=4, max_size=4))
def test_the_first_player_gains_and_the_last_one_loses(ranks, terms):
    after = rate([Skill()] * 4, ranks, [0.0] * 4)
    by_place = [after[ranks.index(place)].mu for place in (1, 2, 3, 4)]
    assert by_place == sorted(by_place, reverse=True)
    assert by_place[0] > Skill().mu > by_place[-1]
    assert all(skill.sigma < Skill().sigma and skill.played == 1 for skill in after)
    assert len(rate([Skill()] * 4, ranks, terms)) == 4


def test_a_good_seat_is_worth_less_when_one_wins_in_it():
    plain, helped = rate([Skill(), Skill()], [1, 2], [0, 0])[0], rate([Skill(), Skill()], [1, 2], [2.0, -2.0])[0]
    assert Skill().mu < helped.mu < plain.mu


def test_ratings_find_the_true_strength_and_the_true_worth_of_a_seat():
    """A thousand games of six players whose strength we know, where the first seat is worth 3 points of mu."""
    rng = random.Random(4)
    true = [15, 19, 23, 27, 31, 35]
    found = [Skill()] * 6
    surplus, played = [0.0, 0.0], 0
    for _ in range(1_500):
        pair = rng.sample(range(6), 2)
        shown = [true[who] + bonus + rng.gauss(0, 25 / 6) for who, bonus in zip(pair, (1.5, -1.5), strict=True)]
        ranks = [1, 2] if shown[0] > shown[1] else [2, 1]
        before = [found[who] for who in pair]
        terms = [seat_term(2, each, played) for each in surplus]
        for who, skill in zip(pair, rate(before, ranks, terms), strict=True):
            found[who] = skill
        got = zip(surplus, actual_scores(ranks), expected_scores(before), strict=True)
        surplus, played = [sum_ + one - due for sum_, one, due in got], played + 1
    assert sorted(range(6), key=lambda who: found[who].mu) == list(range(6))
    first, second = (seat_term(2, each, played) for each in surplus)
    assert 0.5 < first < 2.5
    assert first == pytest.approx(-second)


# Which games count


async def test_the_results_of_a_rated_game_are_recorded_once(host):
    ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
    room, running = [await begin(host, [ann, bob]) for _ in range(2)]
    assert await read_finished(host.store, room.table.id) is None
    await resign(host, room, 1)
    assert await unrecorded(host.store) == {room.table.id, running.table.id}
    assert await record_now(host, room) is True
    assert await unrecorded(host.store) == {running.table.id}
    first = await skills(host.store)
    assert await record_now(host, room) is False
    assert await skills(host.store) == first
    assert first[ann.id].points > 1500 > first[bob.id].points
    rows = await results_of(host.store, room.table.id)
    assert [(row["person"], row["place"], row["nth"], row["score"]) for row in rows] == [
        (ann.id, 1, 1, None),
        (bob.id, 2, 1, None),
    ]
    terms = await host.store.run(select(seat_terms).order_by(seat_terms.c.seat))
    assert [(row["games"], row["surplus"]) for row in terms] == [(1, 0.5), (1, -0.5)]


async def test_a_game_that_outlives_the_account_of_a_player_is_recorded_and_rates_nobody(host):
    """The ratings of an erased person are gone, but their results stay: another first game would clash."""
    ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
    await resigned(host, [ann, bob])
    room = await begin(host, [ann, bob])
    await erase(host, bob)
    await play_out(host, room)
    before = await skills(host.store)
    assert await record_now(host, room) is True
    assert await skills(host.store) == before
    assert [row["nth"] for row in await results_of(host.store, room.table.id)] == [None, None]


@pytest.mark.parametrize(
    ("kinds", "rated", "counts"),
    [
        (("member", "member"), True, True),
        (("member", "bot"), True, True),
        (("member", "member"), False, False),
        (("member", "guest"), True, False),
        (("bot", "bot"), True, False),
        (("member", "greedy"), True, False),
    ],
)
async def test_only_games_between_members_and_bot_accounts_count(host, kinds, rated, counts):
    sitters = [kind if kind == "greedy" else await known(host.store, "Ann", kind) for kind in kinds]
    room = await resigned(host, sitters, rated=rated)
    assert bool(await skills(host.store)) is counts
    rows = await results_of(host.store, room.table.id)
    assert [row["place"] for row in rows] == [2, 1]
    assert all((row["nth"] is not None) is counts for row in rows)


async def test_a_member_and_the_own_bot_do_not_count(host):
    ann = await known(host.store, "Ann")
    bots = [await known(host.store, f"Bot {n}", "bot", ann.id) for n in range(2)]
    bob = await known(host.store, "Bob")
    for sitters, rated in (([ann, bots[0]], False), ([bob, *bots], False), ([bob, bots[0]], True)):
        room = await begin(host, sitters)
        await host.append(room, "end", lambda table, secret: table.abort(secret))
        await host.store.run(delete(ratings))
        room = await begin(host, sitters)
        await play_out(host, room)
        assert await record_now(host, room)
        assert bool(await skills(host.store)) is rated


async def test_an_aborted_game_has_no_places_and_does_not_count(host):
    room = await begin(host, [await known(host.store, "Ann"), await known(host.store, "Bob")])
    await host.append(room, "abort", lambda table, secret: table.abort(secret))
    assert await record_now(host, room)
    assert [row["place"] for row in await results_of(host.store, room.table.id)] == [None, None]
    assert await skills(host.store) == {}
    assert await record_now(host, room) is False


@pytest.mark.parametrize("seat", [0, 1])
async def test_giving_up_is_a_clear_defeat_by_points(host, seat):
    room = await begin(host, [await known(host.store, name) for name in ("Ann", "Bob")])
    await host.append(room, "resign", lambda table, secret: table.resign(seat, secret))
    lost = margins_of(room.table)
    assert lost[seat] <= -GIVEN_UP
    assert lost[1 - seat] == -lost[seat]


async def test_a_player_who_leaves_is_last_unless_they_return(host):
    room = await begin(host, [await known(host.store, name) for name in ("Ann", "Bob", "Cid")])
    for seat in (0, 1):
        await host.append(room, f"leave-{seat}", lambda table, _: table.leave(seat))  # noqa: B023
    await host.append(room, "back", lambda table, _: table.come_back(1))
    await play_out(host, room, seed=3)
    assert room.table.end is not None
    by_score = room.table.end.places
    counted = final_places(room.table)
    assert counted[0] == 3
    assert (counted[1] < counted[2]) == (by_score[1] < by_score[2])
    await record_now(host, room)
    rows = await results_of(host.store, room.table.id)
    assert [(row["place"], row["score"]) for row in rows] == list(zip(counted, room.table.end.scores, strict=True))
    found = await skills(host.store)
    assert min(found, key=lambda who: found[who].mu) == room.table.seats[0].player


async def test_the_same_two_people_count_ten_times_in_a_day(host):
    ann, bob, cid = [await known(host.store, name) for name in ("Ann", "Bob", "Cid")]

    async def counted(*sitters):
        await resigned(host, sitters)
        return (await skills(host.store))[sitters[0].id].played

    assert [await counted(ann, bob) for _ in range(12)] == [*range(1, 11), 10, 10]
    assert await counted(ann, cid) == 11
    await host.store.run(update(results).values(ended=results.c.ended - 86_401))
    assert await counted(bob, ann) == 11
    assert await host.store.run(select(func.count().label("n")).select_from(results)) == [{"n": 28}]


async def test_a_guest_who_turned_out_to_be_a_member_plays_for_the_member(host):
    guest, ann, bob = [await known(host.store, *who) for who in (("x", "guest"), ("Ann",), ("Bob",))]
    room = await begin(host, [guest, bob])
    await adopt(host.store, guest, ann)
    await resign(host, room, 1)
    await record_now(host, room)
    assert set(await skills(host.store)) == {ann.id, bob.id}


# Many workers


async def test_workers_that_record_the_same_games_at_once_count_each_game_once(postgres):
    """Three workers, all games of four members recorded by all of them at the same time."""
    async with hosting(postgres) as one, hosting(postgres) as two, hosting(postgres) as three:
        persons = [await known(one.store, f"Member {n}") for n in range(4)]
        rng, rooms = random.Random(1), []
        for _ in range(24):
            room = await begin(one, rng.sample(persons, 2))
            await resign(one, room, rng.randrange(2))
            rooms.append(room)
        timeouts: list[Room] = []
        jobs = [record_at_last(host, room, timeouts) for room in rooms for host in (one, two, three)]
        recorded = await asyncio.gather(*jobs)
        assert len(rooms) - len(timeouts) <= recorded.count(True) <= len(rooms)
        found = await skills(one.store)
        count = await one.store.run(select(func.count().label("n")).where(results.c.nth.is_not(None)))
        assert sum(skill.played for skill in found.values()) == count[0]["n"] == 2 * len(rooms)
        for who, skill in found.items():
            mine = select(results).where(results.c.person == who).order_by(results.c.nth)
            rows = await one.store.run(mine)
            assert [row["nth"] for row in rows] == list(range(1, skill.played + 1))
            assert (rows[-1]["mu"], rows[-1]["sigma"]) == (skill.mu, skill.sigma)
        terms = await one.store.run(select(seat_terms))
        assert {row["games"] for row in terms} == {len(rooms)}


async def test_the_sweep_marks_a_game_that_another_version_recorded(host):
    room = await resigned(host, [await known(host.store, "Ann"), "random"])
    await host.store.run(update(games).values(recorded=False))
    assert await ResultRecorder(host).sweep() == 0
    assert not await unrecorded(host.store)
    assert len(await results_of(host.store, room.table.id)) == 2


async def test_the_sweep_goes_page_by_page_past_games_that_cannot_be_read_and_tries_them_later(
    host, monkeypatch, caplog
):
    """Two pages of broken games are the oldest; all others are recorded, and the broken ones are left alone a while."""
    monkeypatch.setattr(rating, "PAGE_GAMES", 3)
    ann = await known(host.store, "Ann")
    rooms = [await begin(host, [ann, "random"]) for _ in range(15)]
    for age, room in enumerate(rooms[:-1]):
        await resign(host, room, 0)
        await host.store.run(update(games).where(games.c.id == room.table.id).values(touched=float(age // 2)))
    broken = {room.table.id for room in rooms[:7]}
    started = update(entries).where(entries.c.game.in_(broken), entries.c.number == 3)
    await host.store.run(started.values(body=func.replace(entries.c.body, "started", "new")))
    recorder, now = ResultRecorder(host), [0.0]
    monkeypatch.setattr(recorder, "_clock", lambda: now[0])
    assert await recorder.sweep() == 7
    assert {record.game for record in caplog.records if "results not recorded" in record.message} == broken
    caplog.clear()
    await host.store.run(started.values(body=func.replace(entries.c.body, "new", "started")))
    assert await recorder.sweep() == 0
    assert not caplog.records
    assert await unrecorded(host.store) == {*broken, rooms[-1].table.id}
    now[0] = rating.RETRY_SECONDS
    assert await recorder.sweep() == 7


async def test_the_results_of_a_game_are_recorded_and_shown_at_its_end(app, port):
    ann, bob = await member(port, "Ann"), await member(port, "Bob")
    table = await ann.set_table("azul", rated=True)
    await bob.join(table)
    start = {"request": {"type": "command", "key": key(), "action": "start"}}
    assert (await ann.http.post(f"/api/games/{table['id']}/act", json=start)).is_success
    async with ann.connect(table["id"]) as left, bob.connect(table["id"]) as right:
        over, _ = await asyncio.gather(play_to_the_end(left), play_to_the_end(right))

    async def ranks():
        return (await ann.http.get("/api/leaderboard/azul/2")).json()["ranks"]

    await until(ranks, 200)
    first, second = await ranks()
    assert {first["name"], second["name"]} == {"Ann", "Bob"}
    assert first["rating"] >= second["rating"]
    winner = over["seats"][over["end"]["places"].index(1)]["name"]
    assert first["name"] == winner or over["end"]["places"] == [1, 1]
    profile = (await Person(port).http.get(f"/api/people/{first['id']}")).json()
    margin = max(over["end"]["scores"]) - min(over["end"]["scores"])
    by_points = Strength(margin / SPREADS["azul", 2] / 3).points  # between newcomers a third of what was seen
    of_azul = {"title": "azul", "seats": 2, "played": 1}
    assert profile["ratings"] == [of_azul | {"rating": first["rating"], "by_points": by_points, "error": 242}]
    (game,) = profile["games"]
    assert (game["game"], game["title"], game["place"]) == (table["id"], "azul", 1)
    assert (game["rating"], game["score"]) == (first["rating"], max(over["end"]["scores"]))
    assert set(profile) == {"id", "name", "kind", "ratings", "games", "follows", "blocks", "ladder", "against"}
    assert (profile["follows"], profile["blocks"], profile["against"]) == (False, False, None)
    kept = (await ann.http.get("/api/me/data")).json()
    assert len(kept["results"]) == len(kept["ratings"]) == 1
    await ann.http.delete("/api/me")
    assert [rank["name"] for rank in await ranks()] == ["Bob"]
    assert (await bob.http.get("/api/leaderboard/azul/no")).status_code == 404


async def test_a_leaderboard_has_the_hundred_strongest(host):
    rows = [{"id": f"p{n}", "name": f"N {n}", "kind": "member", "made": 1.0} for n in range(120)]
    skilled = [
        {"person": f"p{n}", "title": "azul", "seats": 2, "mu": 20.0 + n % 60, "sigma": 1 + n / 50, "played": n}
        for n in range(120)
    ]
    await host.store.run(people.insert().values(rows), ratings.insert().values(skilled))
    best = await rating.leaders(host.store, "azul", 2)
    assert len(best) == 100
    assert [rank.rating for rank in best] == sorted((rank.rating for rank in best), reverse=True)
    assert await rating.leaders(host.store, "azul", 3) == ()
