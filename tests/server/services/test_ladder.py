"""The ladder of bot accounts: which games count there, on which scale, and how a bot gets one."""

import asyncio
import random

import pytest
from sqlalchemy import func, select, update

from tessella.bots.rivals import rivals_of
from tessella.server.people.identity import Person as Known
from tessella.server.services import ladder, pairing
from tessella.server.services.data_rights import data_of, erase
from tessella.server.services.ladder import deviation_of, elo_of, level_id, levels_of, next_level, skill_at
from tessella.server.services.pairing import Wanted, join, poll
from tessella.server.services.rating_model import MOST_RATED_GAMES_PER_PAIR, Skill, rate
from tessella.server.services.ratings import ratings_of
from tessella.server.store.schema import ladder_ratings, ladder_results, ratings, results, seat_terms
from tessella.table.log import Live
from tests.server.clients import Person
from tests.server.helpers import begin, known, member, play_out, resign
from tests.server.services.test_ratings import record_now, resigned

CLOCK = Live(600, 10)
WANTED = Wanted("azul", 2, "days", bots=True)


async def bot(store, name, owner="") -> Known:
    """A bot account of its own owner, or of this one."""
    return await known(store, name, "bot", owner or (await known(store, f"Owner of {name}")).id)


async def played(host, sitters, loser=1, **terms):
    return await resigned(host, sitters, loser, **{"pace": CLOCK, **terms})


async def on_ladder(store):
    rows = await store.run(select(ladder_ratings))
    return {row["person"]: Skill(row["mu"], row["sigma"], row["played"]) for row in rows}


def nearest(elo, *, but=""):
    """The level of Azul with the nearest rating."""
    others = [rival for rival in rivals_of("azul") if rival.player != but]
    return min(others, key=lambda rival: abs(rival.elo - elo)).player


# The scale


@pytest.mark.parametrize(("title", "true"), [("azul", 500), ("azul", 1500), ("duel", 2000), ("blockers", 1200)])
def test_a_bot_finds_its_rating_on_the_scale_of_the_benchmark(title, true):
    """Sixty games against the nearest level, of a bot that wins as often as its true Elo says."""
    levels, found = {rival.player: rival.elo for rival in rivals_of(title)}, []
    for seed in range(20):
        rng, mine = random.Random(seed), ladder.START
        for _ in range(60):
            elo = min(levels.values(), key=lambda each: abs(each - elo_of(mine)))
            won = rng.random() < 1 / (1 + 10 ** ((elo - true) / 400))
            mine = rate([mine, skill_at(elo)], [1, 2] if won else [2, 1], [0, 0])[0]
        found.append(elo_of(mine))
        assert deviation_of(mine) < 130
    assert abs(sum(found) / len(found) - true) < 60


def test_levels_have_the_rating_of_their_measurement():
    for title in ("azul", "duel", "blockers"):
        shown = {level: elo_of(skill) for level, skill in levels_of(title, 2).items()}
        assert shown == {rival.player: round(rival.elo) for rival in rivals_of(title)}
    assert levels_of("azul", 3) == {}
    assert levels_of("no-such-game", 2) == {}


# Which games count


async def test_a_game_against_a_level_moves_the_bot_alone(host):
    deep = await bot(host.store, "Deep")
    room = await played(host, [deep, "4"])
    assert await record_now(host, room) is False
    (found,) = (await on_ladder(host.store)).values()
    assert elo_of(found) > 1100
    assert (found.played, deviation_of(found) < 500) == (1, True)
    rows = await host.store.run(select(ladder_results).order_by(ladder_results.c.seat))
    assert [(row["person"], row["nth"]) for row in rows] == [(deep.id, 1), (level_id("4"), None)]
    assert rows[1]["mu"] == levels_of("azul", 2)["4"].mu
    assert [row["nth"] for row in await host.store.run(select(results))] == [None, None]
    assert await host.store.run(select(ratings)) == []
    assert await host.store.run(select(seat_terms)) == []
    assert await ratings_of(host.store, deep.id) == ()
    (shown,) = await ladder.ratings_on_ladder(host.store, deep.id)
    assert (shown.title, shown.seats, shown.rating, shown.played) == ("azul", 2, elo_of(found), 1)


async def test_two_bots_move_each_other(host):
    one, other = await bot(host.store, "One"), await bot(host.store, "Other")
    await played(host, [one, other])
    await played(host, [other, one], loser=0)
    found = await on_ladder(host.store)
    assert elo_of(found[one.id]) > 1000 > elo_of(found[other.id])
    assert {skill.played for skill in found.values()} == {2}


async def test_with_three_players_bots_count_and_levels_do_not(host):
    three = [await bot(host.store, name) for name in ("One", "Two", "Three")]
    for sitters, count in (([*three[:2], "3"], 0), (three, 3)):
        room = await begin(host, sitters, pace=CLOCK)
        await play_out(host, room)
        assert await record_now(host, room)
        assert len(await on_ladder(host.store)) == count


@pytest.mark.parametrize(
    ("sitters", "terms"),
    [
        (("bot", "7"), {}),
        (("bot", "greedy"), {}),
        (("bot", "member"), {}),
        (("bot", "guest"), {}),
        (("bot", "sibling"), {}),
        (("bot", "4"), {"rated": False}),
        (("bot", "4"), {"pace": None}),
        (("bot", "4"), {"rules": "azul/1 seats={} wall=grey"}),
    ],
)
async def test_other_games_do_not_count(host, sitters, terms):
    ann = await known(host.store, "Ann")
    first = await bot(host.store, "First", ann.id)
    others = {
        "bot": first,
        "sibling": await bot(host.store, "Sibling", ann.id),
        "member": await known(host.store, "Cid"),
        "guest": await known(host.store, "Bob", "guest"),
    }
    await played(host, [others.get(each, each) for each in sitters], loser=0, **terms)
    assert await on_ladder(host.store) == {}
    assert await host.store.run(select(ladder_results)) == []
    assert bool(await host.store.run(select(ratings))) is ("member" in sitters)


async def test_an_aborted_game_does_not_count(host):
    room = await begin(host, [await bot(host.store, "Deep"), "4"], pace=CLOCK)
    await host.append(room, "abort", lambda table, secret: table.abort(secret))
    assert await record_now(host, room)
    assert await on_ladder(host.store) == {}


async def test_the_eleventh_game_of_a_day_with_the_same_player_does_not_count(host):
    deep = await bot(host.store, "Deep")
    for _ in range(MOST_RATED_GAMES_PER_PAIR + 1):
        await played(host, [deep, "4"])
    assert (await on_ladder(host.store))[deep.id].played == MOST_RATED_GAMES_PER_PAIR
    await played(host, [deep, "5"])
    assert (await on_ladder(host.store))[deep.id].played == MOST_RATED_GAMES_PER_PAIR + 1
    await host.store.run(update(ladder_results).values(ended=ladder_results.c.ended - 86_401))
    await played(host, [deep, "4"])
    assert (await on_ladder(host.store))[deep.id].played == MOST_RATED_GAMES_PER_PAIR + 2


async def test_games_that_end_at_once_are_all_counted(two_workers):
    host, other = two_workers
    deep = await bot(host.store, "Deep")
    rooms = [await begin(host, [deep, level], pace=CLOCK) for level in "123456"]
    for room in rooms:
        await resign(host, room, 0)
    await asyncio.gather(*(record_now(each, room) for room in rooms for each in (host, other)))
    assert (await on_ladder(host.store))[deep.id].played == 6
    (row,) = await host.store.run(select(func.count().label("n")).select_from(ladder_results))
    assert row["n"] == 12


# Opponents


async def test_the_next_level_is_the_nearest_that_still_counts(host):
    deep, first = await bot(host.store, "Deep"), nearest(elo_of(ladder.START))
    assert await next_level(host.store, deep.id, "azul", await host.store.now()) == first
    for _ in range(MOST_RATED_GAMES_PER_PAIR):
        await played(host, [deep, first])
    mine, now = elo_of((await on_ladder(host.store))[deep.id]), await host.store.now()
    assert await next_level(host.store, deep.id, "azul", now) == nearest(mine, but=first)
    assert await next_level(host.store, deep.id, "azul", now + 86_401) == nearest(mine)


async def test_bots_are_paired_with_bots_of_other_owners_only(host):
    ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
    one, sibling = [await bot(host.store, name, bob.id) for name in ("One", "Sibling")]
    other = await bot(host.store, "Other")
    await join(host, ann, Wanted("azul", 2, "days"))
    for each in (one, sibling):
        assert (await join(host, each, WANTED)).game == ""
    assert await pairing.searches(host.store) == ((Wanted("azul", 2, "days"), 1),)
    game = (await join(host, other, WANTED)).game
    assert game
    waits = [await poll(host, each) for each in (one, sibling, ann)]
    assert [wait and wait.game for wait in waits] == [game, "", ""]
    table = (await host.room(game)).table
    assert table.terms.rated
    assert {occupant.player for occupant in table.seats} == {one.id, other.id}


async def test_bots_that_have_met_too_often_today_are_not_paired(host):
    one, other = await bot(host.store, "One"), await bot(host.store, "Other")
    for _ in range(MOST_RATED_GAMES_PER_PAIR):
        await played(host, [one, other])
    await join(host, one, WANTED)
    assert (await join(host, other, WANTED)).game == ""
    third = await bot(host.store, "Third")
    assert (await join(host, third, WANTED)).game != ""


# The rights of owners


async def test_the_ladder_of_a_deleted_owner_is_forgotten(host):
    ann = await known(host.store, "Ann")
    deep, rival = await bot(host.store, "Deep", ann.id), await bot(host.store, "Rival")
    await played(host, [deep, rival])
    (kept,) = (await data_of(host.store, ann)).ladder
    assert (kept.person, kept.title, kept.played) == (deep.id, "azul", 1)
    room = await begin(host, [deep, rival], pace=CLOCK)
    await erase(host, ann)
    await resign(host, room, 1)
    assert await record_now(host, room)
    assert {*await on_ladder(host.store)} == {rival.id}
    assert [rank.name for rank in await ladder.ranks(host.store, "azul", 2) if not rank.level] == [rival.name]


# By HTTP


async def test_a_bot_asks_for_games_of_the_ladder(app, port):
    ann, deep = await member(port, "Ann"), Person(port)
    token = (await ann.http.post("/api/me/bots", json={"name": "Deep Tile"})).json()["token"]
    deep.http.headers["authorization"] = f"Bearer {token}"
    assert (await ann.http.post("/api/bot/ladder", json={"title": "azul"})).status_code == 403
    assert (await deep.http.post("/api/bot/ladder", json={"title": "chess"})).status_code == 422
    made = [await deep.http.post("/api/bot/ladder", json={"title": "azul"}) for _ in range(5)]
    assert [answer.status_code for answer in made] == [201, 201, 201, 201, 409]
    assert made[-1].json()["rule"] == "tables"
    assert {answer.json()["level"] for answer in made[:4]} == {nearest(elo_of(ladder.START))}
    table = (await deep.http.get(f"/api/games/{made[0].json()['id']}")).json()
    assert (table["status"], table["rated"]) == ("dice", True)
    assert sorted(seat["is_bot"] for seat in table["seats"]) == [False, True]
    waits = (await deep.http.post("/api/pairing", json={"title": "azul"})).json()
    assert (waits["state"], waits["there"]) == ("waiting", 1)
    assert (await ann.http.get("/api/pairing/searches")).json() == {"searches": []}
    ranks = (await ann.http.get("/api/ladder/azul/2")).json()["ranks"]
    strongest_first = sorted(rivals_of("azul"), key=lambda rival: -rival.elo)
    assert [rank["level"] for rank in ranks] == [rival.player for rival in strongest_first]
    assert (await ann.http.get("/api/ladder/azul/no")).status_code == 404
    assert (await ann.http.get("/api/ladder/azul/3")).json()["ranks"] == []
