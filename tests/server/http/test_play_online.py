"""People and programs at real tables, over real sockets and HTTP."""

import asyncio
import contextlib
import itertools
import json
import secrets
import time

import pytest

from tessella.core import dice, record
from tessella.games import GAMES
from tessella.server.settings import Settings
from tests.server.clients import (
    Person,
    command,
    hear,
    key,
    own_turn,
    play_moves,
    play_to_the_end,
    refusal,
    say,
    two_at_a_table,
)


@pytest.fixture
def settings(sqlite, port):
    return Settings(database=sqlite, port=port)


async def test_two_guests_and_the_computer_play_to_the_end(app, port):
    ann, bob = [await Person.arrive(port, name) for name in ("Ann", "Bob")]
    table = await ann.set_table(seats=("me", "open", "greedy"), pace={"bank": 600, "increment": 5})
    assert (await bob.join(table)).status_code == 200
    async with ann.connect(table["id"]) as a, bob.connect(table["id"]) as b:
        await say(a, type="command", key=key(), action="start")
        ends = await asyncio.gather(play_to_the_end(a), play_to_the_end(b))
    assert ends[0]["end"] == ends[1]["end"]
    found = record.read((await ann.get(f"/api/games/{table['id']}/record"))["record"])
    assert found.commitment.hex() == table["commitment"]
    assert record.verify(GAMES["azul"], found) > 0


async def test_every_level_that_is_offered_can_sit_down_and_play(app, port):
    ann = await Person.arrive(port, "Ann")
    titles = (await ann.get("/api/titles"))["titles"]
    assert {title["title"] for title in titles} == {*GAMES}
    for title in titles:
        for level in title["levels"]:
            await ann.set_table(title["title"], ("me", level["name"]))
    table = await ann.set_table("azul", ("me", "6"))
    async with ann.connect(table["id"]) as a:
        await say(a, type="command", key=key(), action="start")
        end = await play_to_the_end(a)
    assert end["seats"][1]["level"] == "6"


async def test_the_dice_handshake_starts_the_game_by_itself(app, port):
    ann, bob, table = await two_at_a_table(port)
    numbers = [secrets.token_bytes(32) for _ in range(2)]
    async with ann.connect(table) as a, bob.connect(table) as b:
        for seat, socket in enumerate((a, b)):
            await say(socket, type="pledge", key=key(), pledge=dice.pledge(table, seat, numbers[seat]).hex())
            await hear(socket, "ack")
        for seat, socket in enumerate((a, b)):
            await say(socket, type="reveal", key=key(), number=numbers[seat].hex())
            await hear(socket, "ack")
        await command(a, "resign")
    found = record.read((await ann.get(f"/api/games/{table}/record"))["record"])
    assert [given.number for given in found.contributions] == numbers
    record.verify(GAMES["azul"], found)


async def test_a_request_sent_twice_counts_once_refusals_name_the_rule_and_previews_are_given(app, port):
    ann = await Person.arrive(port, "Ann")
    table = await ann.set_table(seats=("me", "greedy"))
    async with ann.connect(table["id"]) as a:
        await command(a, "start")
        seen = await own_turn(a)
        play = {"type": "play", "number": seen["number"], "move": seen["moves"][0]}
        for request, kind, rule in (
            (play | {"key": key(), "move": "9b1"}, "error", "AZ01"),
            ({"type": "preview", "move": "9b1"}, "preview", "AZ01"),
            ({"type": "preview", "move": "nonsense"}, "preview", "notation"),
        ):
            await say(a, **request)
            assert (await hear(a, kind))["rule"] == rule
        await say(a, type="preview", move=seen["moves"][0])
        assert (await hear(a, "preview"))["preview"]["points"] >= 0
        same = play | {"key": key()}
        for request in (same, same, play | {"key": key()}):
            await say(a, **request)
        first, second, third = [await hear(a, "ack", "error") for _ in range(3)]
        assert first == second
        assert first["number"] == seen["number"]
        assert third["rule"] == "stale"


async def test_who_comes_back_gets_what_was_missed(app, port):
    ann, bob, table = await two_at_a_table(port)
    assert (await ann.act(table, action="start")).status_code == 200
    last = await play_moves([ann, bob], table, 4)
    async with bob.connect(table) as b:
        await say(b, type="hello", have=last - 3)
        step = await hear(b, "update")
        assert [entry["number"] for entry in step["entries"]] == [last - 2, last - 1, last]
        assert step["entries"][0]["events"]


async def test_presence_takeover_return_and_rematch(app, port):
    ann, bob, table = await two_at_a_table(port)
    async with ann.connect(table) as a:
        async with bob.connect(table) as b:
            while (await hear(a, "presence"))["present"] != [0, 1]:
                pass
            for action in ("start", "leave"):
                await command(b, action)
        while (await hear(a, "presence"))["present"] != [0]:
            pass
        await say(a, type="hello")
        assert (await hear(a, "update"))["table"]["seats"][1]["level"]
        async with bob.connect(table) as b:
            for socket, action in ((b, "return"), (b, "resign"), (a, "rematch"), (b, "rematch")):
                await command(socket, action)
            await say(b, type="hello")
            while not (seen := (await hear(b, "update"))["table"])["next_game"]:
                pass
    again = await ann.get(f"/api/games/{seen['next_game']}")
    assert [occupant["name"] for occupant in again["seats"]] == ["Bob", "Ann"]
    mine = (await ann.get("/api/me/games"))["games"]
    assert {game["id"] for game in mine} == {table, seen["next_game"]}
    assert [game["people"] for game in mine] == [["Bob"], ["Bob"]]
    assert all(abs(game["touched"] - time.time()) < 600 for game in mine)


async def test_the_stream_gives_the_same_steps_as_lines(app, port):
    ann = await Person.arrive(port, "Ann")
    table = (await ann.set_table(seats=("me", "greedy")))["id"]
    async with ann.http.stream("GET", f"/api/games/{table}/stream") as answer:
        steps = (json.loads(line) async for line in answer.aiter_lines())
        tables = (step["table"] async for step in steps if step["type"] == "update")
        assert (await anext(tables))["status"] == "dice"
        assert (await ann.act(table, action="start")).status_code == 200
        while (await anext(tables))["status"] != "playing":
            pass


WRONG_TABLES: list[tuple[str, dict[str, object]]] = [
    ("title", {"title": "chess", "seats": [{}, {}]}),
    ("options", {"title": "azul", "seats": [{}, {}], "options": {"wall": "pink"}}),
    ("seats", {"title": "azul", "seats": [{"kind": "me"}, {"kind": "me"}]}),
    ("level", {"title": "azul", "seats": [{}, {"kind": "bot", "level": "genius"}]}),
    ("body", {"title": "azul", "seats": [{}]}),
    ("body", {"title": "azul", "seats": [{}, {}], "cheat": True}),
]


async def test_tables_that_cannot_be_are_refused(app, port):
    ann = await Person.arrive(port, "Ann")
    for rule, body in WRONG_TABLES:
        assert refusal(await ann.http.post("/api/games", json=body)) == (422, rule)


async def test_invitations_are_for_one_seat_once(app, port):
    ann, bob, cleo = [await Person.arrive(port, name) for name in ("Ann", "Bob", "Cleo")]
    table, other = await ann.set_table(), await ann.set_table()
    assert (await bob.join(other | {"invitations": table["invitations"]})).status_code == 403
    assert (await bob.join(table)).status_code == 200
    assert (await cleo.join(table)).status_code == 403
    assert (await cleo.http.post(f"/api/games/{table['id']}/join", json={"seat": 0})).status_code == 403
    assert (await cleo.http.get("/api/games/nothing")).status_code == 404
    assert (await Person(port).join(other)).status_code == 401


async def test_listed_tables_are_open_to_all(app, port):
    ann, bob = [await Person.arrive(port, name) for name in ("Ann", "Bob")]
    table = await ann.set_table(listed=True)
    (listed,) = (await bob.get("/api/games"))["games"]
    assert (listed["people"], listed["id"]) == (["Ann"], table["id"])
    for seat, status in ((0, 409), (1, 200)):
        assert (await bob.http.post(f"/api/games/{table['id']}/join", json={"seat": seat})).status_code == status
    assert (await bob.get("/api/games"))["games"] == []


async def test_a_match_has_the_same_deals_at_every_table(app, port):
    people = ann, _, cleo, dirk = [await Person.arrive(port, name) for name in ("Ann", "Bob", "Cleo", "Dirk")]
    body = {"table": {"title": "azul", "seats": [{}, {}]}, "tables": 2}
    made = (await ann.http.post("/api/matches", json=body)).json()
    match, games = f"/api/matches/{made['id']}", [f"/api/games/{table['id']}" for table in made["tables"]]
    async with contextlib.AsyncExitStack() as stack:
        sockets = []
        for number, person in enumerate(people):
            table = made["tables"][number // 2]
            assert (await person.join(table, number % 2)).status_code == 200
            sockets.append(await stack.enter_async_context(person.connect(table["id"])))
        assert (await ann.http.get(games[1])).status_code == 403
        for socket in sockets[::2]:
            await command(socket, "start")
        assert (await ann.get(match))["compared"] == []
        await asyncio.gather(*(play_to_the_end(socket, lambda moves: moves[0]) for socket in sockets[:2]))
        ended = await ann.get(games[0])
        assert (ended["status"], ended["end"]["seed"]) == ("over", "")
        for path, person in itertools.product(("", "/record", "/replay", "/entries"), (cleo, dirk)):
            assert refusal(await person.http.get(games[0] + path)) == (403, "match")
        assert (await ann.http.get(f"{games[0]}/record")).status_code == 403
        await asyncio.gather(*(play_to_the_end(socket, lambda moves: moves[-1]) for socket in sockets[2:]))
    for path in ("/record", "", "/replay", "/entries"):
        assert (await dirk.http.get(games[0] + path)).status_code == 200
    assert (await ann.get(games[0]))["end"]["seed"]
    seen = await ann.get(match)
    assert seen["over"]
    assert seen["equal_deals"] >= 5
    assert len(seen["compared"]) == 4
    assert sum(each["net"] for each in seen["compared"] if each["seat"] == 0) == pytest.approx(0, abs=0.02)
    assert (await ann.http.get("/api/matches/nothing")).status_code == 404
