"""Daily deals: the same for everybody, one try each, compared afterwards, and checked when the day is over."""

import asyncio
import contextlib
import re

import pytest

from tessella.core import dice, record
from tessella.games import GAMES
from tessella.server.rooms.daily import Deal, day_at
from tessella.server.settings import Settings
from tessella.table.table import Refused
from tests.server.clients import Person
from tests.server.helpers import PASSWORD, any_of, member, play_one, stop_the_clock
from tests.server.waiting import until

DAY = 86_400.0


@pytest.fixture
def settings(database, port):
    return Settings(database=database, port=port, compute=0)


@pytest.fixture
def app(serve, settings):
    return on_one_day(serve(settings))


@contextlib.asynccontextmanager
async def on_one_day(serving):
    async with serving as app:
        stop_the_clock(app)
        yield app


def path_of(app, title="azul", day=None):
    return f"/api/daily/{(day or day_at(app.state.host.clock())).isoformat()}/{title}"


async def begin(app, person, title="azul", day=None):
    return await person.http.post(path_of(app, title, day))


async def begun(app, person, title="azul"):
    """The id of the table at which a person tries today's deal."""
    answer = await begin(app, person, title)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def finish(app, person, game_id, seed=0):
    """Play any moves for both seats, and wait until the result is written."""
    host, choose = app.state.host, any_of(seed)
    while (room := await host.current(game_id)).table.status == "playing":
        with contextlib.suppress(Refused):  # the bot was first
            await play_one(host, room, choose)
    return await finished(app, person, room.table.game.NAME)


async def finished(app, person, title="azul"):
    async def is_over():
        return (await person.get(path_of(app, title)))["yours"]["status"] == "over"

    await until(is_over)
    return await person.get(path_of(app, title))


async def first_deal(app, game_id):
    return next(act for act in (await app.state.host.room(game_id)).table.acts if act.startswith("*"))


async def test_everybody_gets_the_same_deal_once_and_is_compared_afterwards(app, port):
    people = ann, bert, guest = [
        await member(port, "Ann"),
        await member(port, "Bert"),
        await Person.arrive(port, "Gus"),
    ]
    ids = [await begun(app, person) for person in people]
    assert [(await begin(app, person)).json()["id"] for person in people] == ids
    assert len({await first_deal(app, game_id) for game_id in ids}) == 1
    before = await ann.get(path_of(app))
    assert (before["shown"], before["rows"], before["seed"]) == (False, [], "")
    for number, (person, game_id) in enumerate(zip(people, ids, strict=True)):
        await finish(app, person, game_id, number)
    hers, his = [(await person.get(path_of(app)))["yours"]["better_than"] for person in (ann, bert)]
    assert hers + his == 100
    assert his in (0, 50, 100)
    seen = await bert.get(path_of(app))
    assert sorted(row["name"] for row in seen["rows"]) == ["Ann", "Bert"]
    assert (seen["tries"], seen["guests"], seen["yours"]["ranked"]) == (2, 1, True)
    assert (await guest.get(path_of(app)))["yours"]["ranked"] is False
    deals = await ann.get("/api/daily")
    assert (deals["streak"], deals["best_streak"]) == (1, 1)
    assert [deal["title"] for deal in deals["deals"]] == list(GAMES)


async def test_the_seed_is_shown_the_day_after_and_proves_every_deal(app, port):
    ann, eve, host = await member(port, "Ann"), await Person.arrive(port, "Eve"), app.state.host
    now = host.clock()
    promised = {deal["title"]: deal["commitment"] for deal in (await eve.get("/api/daily"))["deals"]}
    game_id = await begun(app, ann, "duel")
    await finish(app, ann, game_id)
    table, seed = host.rooms[game_id].table, host.rooms[game_id].secret.seed
    paths = [f"/api/games/{game_id}{end}" for end in ("", "/replay", "/record", "/entries")]
    assert [(await eve.http.get(path)).status_code for path in paths] == [403] * 4
    everything = [await ann.get(path) for path in (*paths[:2], path_of(app, "duel"))]
    assert seed.hex() not in str(everything)
    assert (await ann.http.get(paths[2])).status_code == 403
    host.clock = lambda: now + 2 * DAY
    shown = await eve.get(path_of(app, "duel", day_at(now)))
    assert bytes.fromhex(shown["seed"]) == seed
    assert dice.commitment(shown["dice"], seed).hex() == promised["duel"] == shown["commitment"]
    whole = record.read((await eve.get(paths[2]))["record"])
    assert record.verify(table.game, whole) == sum(act.startswith("*") for act in table.acts)
    assert (await begin(app, eve, "duel", day_at(now))).status_code == 409


async def test_the_coach_looks_at_ones_own_try_at_once_and_at_no_other(app, port):
    ann, eve = await member(port, "Ann"), await Person.arrive(port, "Eve")
    game_id = await begun(app, ann)
    await finish(app, ann, game_id)
    path = f"/api/games/{game_id}/review"
    assert (await eve.http.post(path)).status_code == 403
    assert (await ann.http.post(path)).status_code == 202
    assert (await ann.http.get(path)).status_code == 200
    assert [(await eve.http.get(at)).status_code for at in (path, f"/api/reviews/{game_id}")] == [403, 403]


async def test_no_help_and_no_second_try(app, port):
    ann = await member(port, "Ann")
    game_id = await begun(app, ann, "blockers")
    assert (await ann.http.post(f"/api/games/{game_id}/hint")).json()["rule"] == "hint"
    assert (await ann.act(game_id, action="abort")).status_code == 200
    found = await finished(app, ann, "blockers")
    assert (found["yours"]["place"], found["yours"]["ranked"], found["rows"]) == (None, False, [])
    assert await begun(app, ann, "blockers") == game_id


async def test_a_try_in_which_a_bot_played_for_somebody_does_not_count(app, port):
    ann = await member(port, "Ann")
    game_id = await begun(app, ann)
    for action in ("leave", "return"):
        assert (await ann.act(game_id, action=action)).status_code == 200
    found = await finish(app, ann, game_id)
    assert (found["yours"]["ranked"], found["rows"]) == (False, [])


async def test_a_try_as_a_guest_is_the_only_one_after_logging_in(app, port):
    ann = await Person.arrive(port, "Ann")
    game_id = await begun(app, ann)
    assert (await ann.http.post("/api/members", json={"login": "ann", "password": PASSWORD})).status_code == 201
    assert await begun(app, ann) == game_id
    assert (await finish(app, ann, game_id))["yours"]["ranked"] is False


async def test_requests_at_the_same_time_lead_to_one_table(app, port):
    ann = await member(port, "Ann")
    assert len({*await asyncio.gather(*(begun(app, ann) for _ in range(5)))}) == 1


async def test_there_is_no_deal_of_another_day_or_game(app, port):
    ann = await Person.arrive(port, "Ann")
    for path in ("2026-13-01/azul", "2999-01-01/azul", "2026-11-1/azul", "2026-11-16/chess", "x/azul"):
        for method in ("GET", "POST"):
            assert (await ann.http.request(method, f"/api/daily/{path}")).status_code == 404, path


async def test_what_is_kept_is_exported_and_erased(app, port):
    ann, bert = await member(port, "Ann"), await member(port, "Bert")
    game_id = await begun(app, ann)
    await finish(app, ann, game_id)
    (kept,) = (await ann.get("/api/me/data"))["dailies"]
    assert (kept["game"], kept["member"], kept["counts"]) == (game_id, True, True)
    found = await finish(app, bert, await begun(app, bert))
    assert [row["name"] for row in found["rows"]].count("Ann") == 1
    assert (await ann.http.delete("/api/me")).status_code == 200
    assert [row["name"] for row in (await bert.get(path_of(app)))["rows"]] == ["Bert"]


def test_the_level_is_the_same_for_all_games_and_rises_through_the_week():
    days = [Deal("azul", day_at(1_795_000_000 + number * DAY)) for number in range(7)]
    monday = next(deal for deal in days if deal.day.weekday() == 0)
    assert {Deal(title, monday.day).level for title in GAMES} == {"2"}
    assert sorted(deal.level for deal in days) == list("2345678")
    assert all(re.fullmatch(r"\w+/\d+ seats=2.*", deal.rules) for deal in days)
