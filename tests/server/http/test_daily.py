"""Daily deals: the same for everybody, one try each, compared afterwards, and checked when the day is over."""

import asyncio
import random
import re
from contextlib import suppress

import pytest

from tessella.core import dice, record
from tessella.games import GAMES
from tessella.server.rooms.daily import Deal, day_at
from tessella.server.settings import Settings
from tessella.table.table import Refused
from tests.server.clients import Person, key
from tests.server.helpers import member, serving

DAY = 86_400.0


def use(serve, database, port, play):
    async def main(app):
        await play(app.state.host)

    serving(serve, Settings(database=database, port=port, compute=0), main)


async def begin(person, host, title="azul", day=None):
    return await person.http.post(f"/api/daily/{(day or day_at(host.clock())).isoformat()}/{title}")


async def table_of(person, host, title="azul", day=None):
    answer = await person.http.get(f"/api/daily/{(day or day_at(host.clock())).isoformat()}/{title}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def finish(host, game_id, seed=0):
    """Play any moves for both seats, and wait until the result is written."""
    room, rng = await host.room(game_id), random.Random(seed)
    while (await host.current(game_id)).table.status == "playing":
        table = room.table
        seat = table.movers[0]
        moves = table.game.legal_moves(table.state, seat)
        text = table.game.write_move(table.state, moves[rng.randrange(len(moves))])
        with suppress(Refused):  # the bot was first
            await host.append(room, f"t-{table.number}", lambda table, secret: table.play(seat, text, secret))  # noqa: B023
    return room.table


async def finished(person, host, title="azul"):
    async with asyncio.timeout(20):
        while (found := await table_of(person, host, title))["yours"]["status"] != "over":
            await asyncio.sleep(0.05)
    return found


def first_deal(table):
    return next(act for act in table.acts if act.startswith("*"))


def test_everybody_gets_the_same_deal_once_and_is_compared_afterwards(serve, database, port):
    async def play(host):
        ann, bert, guest = await member(port, "Ann"), await member(port, "Bert"), await Person.arrive(port, "Gus")
        ids = []
        for person in (ann, bert, guest):
            answer = await begin(person, host)
            assert answer.status_code == 201, answer.text
            ids.append(answer.json()["id"])
            assert (await begin(person, host)).json()["id"] == ids[-1]
        assert len({first_deal((await host.room(each)).table) for each in ids}) == 1
        before = await table_of(ann, host)
        assert (before["shown"], before["rows"], before["seed"]) == (False, [], "")
        for number, (person, game_id) in enumerate(zip((ann, bert, guest), ids, strict=True)):
            await finish(host, game_id, number)
            await finished(person, host)
        seen = await table_of(bert, host)
        assert sorted(row["name"] for row in seen["rows"]) == ["Ann", "Bert"]
        assert (seen["tries"], seen["guests"], seen["yours"]["ranked"]) == (2, 1, True)
        assert seen["yours"]["better_than"] in (0, 50, 100)
        hers = (await table_of(ann, host))["yours"]["better_than"]
        assert hers + seen["yours"]["better_than"] == 100
        assert (await table_of(guest, host))["yours"]["ranked"] is False
        deals = (await ann.http.get("/api/daily")).json()
        assert (deals["streak"], deals["best_streak"]) == (1, 1)
        assert [deal["title"] for deal in deals["deals"]] == list(GAMES)

    use(serve, database, port, play)


def test_the_seed_is_shown_the_day_after_and_proves_every_deal(serve, sqlite, port):
    async def play(host):
        ann, eve = await member(port, "Ann"), await Person.arrive(port, "Eve")
        today, real = day_at(host.clock()), host.clock
        deals = (await eve.http.get("/api/daily")).json()["deals"]
        promised = {deal["title"]: deal["commitment"] for deal in deals}
        game_id = (await begin(ann, host, "duel")).json()["id"]
        table = await finish(host, game_id)
        paths = [f"/api/games/{game_id}{end}" for end in ("", "/replay", "/record", "/entries")]
        assert [(await eve.http.get(path)).status_code for path in paths] == [403, 403, 403, 403]
        seed = host.rooms[game_id].secret.seed
        mine = await ann.http.get(paths[1])
        assert mine.status_code == 200
        everything = [mine.text, (await ann.http.get(paths[0])).text, str(await table_of(ann, host, "duel"))]
        assert not any(seed.hex() in text for text in everything)
        assert (await ann.http.get(paths[2])).status_code == 403
        host.clock = lambda: real() + 2 * DAY
        shown = await table_of(eve, host, "duel", today)
        assert bytes.fromhex(shown["seed"]) == seed
        assert dice.commitment(shown["dice"], seed).hex() == promised["duel"] == shown["commitment"]
        whole = record.read((await eve.http.get(paths[2])).json()["record"])
        assert record.verify(table.game, whole) == sum(act.startswith("*") for act in table.acts)
        assert (await begin(eve, host, "duel", today)).status_code == 409

    use(serve, sqlite, port, play)


def test_the_coach_looks_at_ones_own_try_at_once_and_at_no_other(serve, sqlite, port):
    async def play(host):
        ann, eve = await member(port, "Ann"), await Person.arrive(port, "Eve")
        game_id = (await begin(ann, host)).json()["id"]
        await finish(host, game_id)
        path = f"/api/games/{game_id}/review"
        assert (await eve.http.post(path)).status_code == 403
        assert (await ann.http.post(path)).status_code == 202
        assert (await ann.http.get(path)).status_code == 200
        assert [(await eve.http.get(at)).status_code for at in (path, f"/api/reviews/{game_id}")] == [403, 403]

    use(serve, sqlite, port, play)


def test_no_help_and_no_second_try(serve, sqlite, port):
    async def play(host):
        ann = await member(port, "Ann")
        game_id = (await begin(ann, host, "blockers")).json()["id"]
        assert (await ann.http.post(f"/api/games/{game_id}/hint")).json()["rule"] == "hint"
        asked = await ann.http.post(
            f"/api/games/{game_id}/act", json={"request": {"type": "command", "key": key(), "action": "abort"}}
        )
        assert asked.status_code == 200, asked.text
        found = await finished(ann, host, "blockers")
        assert (found["yours"]["place"], found["yours"]["ranked"], found["rows"]) == (None, False, [])
        assert (await begin(ann, host, "blockers")).json()["id"] == game_id

    use(serve, sqlite, port, play)


def test_a_try_in_which_a_bot_played_for_somebody_does_not_count(serve, sqlite, port):
    async def play(host):
        ann = await member(port, "Ann")
        game_id = (await begin(ann, host)).json()["id"]
        for action in ("leave", "return"):
            command = {"type": "command", "key": key(), "action": action}
            done = await ann.http.post(f"/api/games/{game_id}/act", json={"request": command})
            assert done.status_code == 200, done.text
        await finish(host, game_id)
        found = await finished(ann, host)
        assert found["yours"]["ranked"] is False
        assert found["rows"] == []

    use(serve, sqlite, port, play)


def test_a_try_as_a_guest_is_the_only_one_after_logging_in(serve, sqlite, port):
    async def play(host):
        ann = await Person.arrive(port, "Ann")
        game_id = (await begin(ann, host)).json()["id"]
        made = await ann.http.post("/api/members", json={"login": "ann", "password": "correct horse battery"})
        assert made.status_code == 201
        assert (await begin(ann, host)).json()["id"] == game_id
        await finish(host, game_id)
        assert (await finished(ann, host))["yours"]["ranked"] is False

    use(serve, sqlite, port, play)


def test_requests_at_the_same_time_lead_to_one_table(serve, database, port):
    async def play(host):
        ann = await member(port, "Ann")
        answers = await asyncio.gather(*(begin(ann, host) for _ in range(5)))
        assert len({answer.json()["id"] for answer in answers}) == 1

    use(serve, database, port, play)


@pytest.mark.parametrize("path", ["2026-13-01/azul", "2999-01-01/azul", "2026-11-1/azul", "2026-11-16/chess", "x/azul"])
def test_there_is_no_deal_of_another_day_or_game(serve, sqlite, port, path):
    async def play(_host):
        ann = await Person.arrive(port, "Ann")
        assert (await ann.http.get(f"/api/daily/{path}")).status_code == 404
        assert (await ann.http.post(f"/api/daily/{path}")).status_code == 404

    use(serve, sqlite, port, play)


def test_what_is_kept_is_exported_and_erased(serve, sqlite, port):
    async def play(host):
        ann, bert = await member(port, "Ann"), await member(port, "Bert")
        game_id = (await begin(ann, host)).json()["id"]
        await finish(host, game_id)
        await finished(ann, host)
        (kept,) = (await ann.http.get("/api/me/data")).json()["dailies"]
        assert (kept["game"], kept["member"], kept["counts"]) == (game_id, True, True)
        other = (await begin(bert, host)).json()["id"]
        await finish(host, other)
        assert [row["name"] for row in (await finished(bert, host))["rows"]].count("Ann") == 1
        gone = await ann.http.request("DELETE", "/api/me", json={"password": "correct horse battery"})
        assert gone.status_code == 200, gone.text
        assert [row["name"] for row in (await table_of(bert, host))["rows"]] == ["Bert"]

    use(serve, sqlite, port, play)


def test_the_level_is_the_same_for_all_games_and_rises_through_the_week():
    days = [Deal("azul", day_at(1_795_000_000 + number * DAY)) for number in range(7)]
    monday = next(deal for deal in days if deal.day.weekday() == 0)
    assert {Deal(title, monday.day).level for title in GAMES} == {"2"}
    assert sorted(deal.level for deal in days) == list("2345678")
    assert all(re.fullmatch(r"\w+/\d+ seats=2.*", deal.rules) for deal in days)
