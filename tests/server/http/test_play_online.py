"""People and programs at real tables, over real sockets and HTTP."""

import asyncio
import contextlib
import itertools
import json
import secrets
import time

import pytest
import websockets

from tessella.core import dice, record
from tessella.games import GAMES
from tessella.server.settings import Settings
from tests.server.clients import Person, hear, key, play_to_the_end, say


def serving(serve, settings, use):
    async def main():
        async with serve(settings) as app:
            try:
                await use(app)
            finally:
                await Person.all_go_home()

    asyncio.run(asyncio.wait_for(main(), 90))


@pytest.fixture
def settings(sqlite, port):
    return Settings(database=sqlite, port=port)


@pytest.mark.parametrize("title", GAMES)
def test_two_guests_and_the_computer_play_to_the_end(serve, settings, title):
    async def use(app):
        ann, bob = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob")]
        third = [] if title == "duel" else ["greedy"]
        table = await ann.set_table(title, ("me", "open", *third), pace={"bank": 600, "increment": 5})
        assert (await bob.join(table)).status_code == 200
        async with ann.connect(table["id"]) as a, bob.connect(table["id"]) as b:
            await say(a, type="command", key=key(), action="start")
            ends = await asyncio.gather(play_to_the_end(a), play_to_the_end(b))
        assert ends[0]["end"] == ends[1]["end"]
        answer = await ann.http.get(f"/api/games/{table['id']}/record")
        found = record.read(answer.json()["record"])
        assert found.commitment.hex() == table["commitment"]
        assert record.verify(GAMES[title], found) > 0

    serving(serve, settings, use)


def test_every_level_that_is_offered_can_sit_down_and_play(serve, settings):
    async def use(app):
        ann = await Person.arrive(settings.port, "Ann")
        titles = (await ann.http.get("/api/titles")).json()["titles"]
        assert {title["title"] for title in titles} == {*GAMES}
        for title in titles:
            for level in title["levels"]:
                await ann.set_table(title["title"], ("me", level["name"]))
        table = await ann.set_table("azul", ("me", "6"))
        async with ann.connect(table["id"]) as a:
            await say(a, type="command", key=key(), action="start")
            end = await play_to_the_end(a)
        assert end["seats"][1]["level"] == "6"

    serving(serve, settings, use)


def test_the_dice_handshake_starts_the_game_by_itself(serve, settings):
    async def use(app):
        ann, bob = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob")]
        table = await ann.set_table()
        await bob.join(table)
        numbers = [secrets.token_bytes(32) for _ in range(2)]
        async with ann.connect(table["id"]) as a, bob.connect(table["id"]) as b:
            for seat, socket in enumerate((a, b)):
                promised = dice.pledge(table["id"], seat, numbers[seat]).hex()
                await say(socket, type="pledge", key=key(), pledge=promised)
                await hear(socket, "ack")
            for seat, socket in enumerate((a, b)):
                await say(socket, type="reveal", key=key(), number=numbers[seat].hex())
                await hear(socket, "ack")
            ends = await asyncio.gather(play_to_the_end(a), play_to_the_end(b))
        assert ends[0]["status"] == "over"
        answer = await ann.http.get(f"/api/games/{table['id']}/record")
        found = record.read(answer.json()["record"])
        assert [given.number for given in found.contributions] == numbers
        record.verify(GAMES["azul"], found)

    serving(serve, settings, use)


def test_a_wish_sent_twice_counts_once(serve, settings):
    async def use(app):
        ann = await Person.arrive(settings.port, "Ann")
        table = await ann.set_table(seats=("me", "greedy"))
        async with ann.connect(table["id"]) as a:
            await say(a, type="command", key=key(), action="start")
            await hear(a, "ack")
            await say(a, type="hello")
            while True:
                seen = (await hear(a, "update"))["table"]
                if seen["moves"]:
                    break
            same = {"type": "play", "key": key(), "number": seen["number"], "move": seen["moves"][0]}
            await a.send(json.dumps(same))
            await a.send(json.dumps(same))
            first, second = [await hear(a, "ack", "error") for _ in range(2)]
            assert first == second
            assert first["number"] == seen["number"]
            await say(a, type="play", key=key(), number=seen["number"], move=seen["moves"][0])
            assert (await hear(a, "ack", "error"))["rule"] == "stale"

    serving(serve, settings, use)


@pytest.mark.parametrize("way", ["http", "socket"])
def test_two_players_may_use_the_same_key(serve, database, port, way):
    async def use(app):
        people = ann, bob = [await Person.arrive(port, name) for name in ("Ann", "Bob")]
        table = await ann.set_table()
        await bob.join(table)
        path = f"/api/games/{table['id']}"
        async with ann.connect(table["id"]) as a, bob.connect(table["id"]) as b:

            async def answer(seat, **request):
                if way == "http":
                    return (await people[seat].http.post(f"{path}/act", json={"request": request})).json()
                await say((a, b)[seat], **request)
                return await hear((a, b)[seat], "ack", "error")

            number = (await answer(0, type="command", key=key(), action="start"))["number"] + 1
            mover = (await ann.http.get(path)).json()["movers"][0]
            move = (await people[mover].http.get(path)).json()["moves"][0]
            asked = await answer(1 - mover, type="command", key="request-1", action="pause")
            played = await answer(mover, type="play", key="request-1", number=number + 1, move=move)
            assert [asked["type"], played["type"]] == ["ack", "ack"], played
            assert [asked["number"], played["number"]] == [number, number + 1]

    serving(serve, Settings(database=database, port=port), use)


def test_refusals_name_the_rule_and_previews_are_given(serve, settings):
    async def use(app):
        ann = await Person.arrive(settings.port, "Ann")
        table = await ann.set_table(seats=("me", "greedy"))
        async with ann.connect(table["id"]) as a:
            await say(a, type="command", key=key(), action="start")
            await hear(a, "ack")
            await say(a, type="hello")
            while not (seen := (await hear(a, "update"))["table"])["moves"]:
                pass
            await say(a, type="play", key=key(), number=seen["number"], move="9b1")
            assert (await hear(a, "error"))["rule"] == "AZ01"
            await say(a, type="preview", move=seen["moves"][0])
            assert (await hear(a, "preview"))["preview"]["points"] >= 0
            await say(a, type="preview", move="9b1")
            assert (await hear(a, "preview"))["rule"] == "AZ01"
            await say(a, type="preview", move="nonsense")
            assert (await hear(a, "preview"))["rule"] == "notation"
            await a.send("not a message")
            assert (await hear(a, "error"))["rule"] == "message"
            await say(a, type="ping", n=7)
            assert (await hear(a, "pong"))["n"] == 7

    serving(serve, settings, use)


def test_spectators_see_but_do_not_touch(serve, settings):
    async def use(app):
        ann = await Person.arrive(settings.port, "Ann")
        eve = await Person.arrive(settings.port, "Eve")
        nobody = Person(settings.port)
        table = await ann.set_table("blockers", ("me", "greedy", "greedy"))
        async with ann.connect(table["id"]) as a, eve.connect(table["id"]) as e, nobody.connect(table["id"]) as n:
            await say(a, type="command", key=key(), action="start")
            await hear(a, "ack")
            await say(e, type="hello")
            seen = (await hear(e, "update"))["table"]
            assert seen["seat"] is None
            assert seen["moves"] == []
            assert all(hand["rack"] is None for hand in seen["view"]["hands"])
            await say(e, type="command", key=key(), action="resign")
            assert (await hear(e, "error"))["rule"] == "seat"
            await say(e, type="preview", move="A@A1")
            assert (await hear(e, "error"))["rule"] == "seat"
            await say(n, type="command", key=key(), action="resign")
            assert (await hear(n, "error"))["rule"] == "session"
            answer = await eve.http.get(f"/api/games/{table['id']}/record")
            assert answer.status_code == 403

    serving(serve, settings, use)


def test_who_comes_back_gets_what_was_missed(serve, settings):
    async def use(app):
        ann, bob = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob")]
        table = await ann.set_table()
        await bob.join(table)
        people = [ann, bob]
        async with ann.connect(table["id"]) as a:
            await say(a, type="command", key=key(), action="start")
            await hear(a, "ack")
        for _ in range(4):
            seen = (await ann.http.get(f"/api/games/{table['id']}")).json()
            mover = people[seen["movers"][0]]
            own = (await mover.http.get(f"/api/games/{table['id']}")).json()
            request = {"type": "play", "key": key(), "number": own["number"], "move": own["moves"][0]}
            answer = await mover.http.post(f"/api/games/{table['id']}/act", json={"request": request})
            assert answer.json()["type"] == "ack", answer.text
        async with bob.connect(table["id"]) as b:
            await say(b, type="hello", have=own["number"] - 3)
            step = await hear(b, "update")
            assert [entry["number"] for entry in step["entries"]] == [
                own["number"] - 2,
                own["number"] - 1,
                own["number"],
            ]
            assert step["entries"][0]["events"]

    serving(serve, settings, use)


def test_presence_takeover_return_and_rematch(serve, settings):
    async def use(app):
        ann, bob = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob")]
        table = await ann.set_table()
        await bob.join(table)
        async with ann.connect(table["id"]) as a:
            async with bob.connect(table["id"]) as b:
                while (await hear(a, "presence"))["present"] != [0, 1]:
                    pass
                await say(b, type="command", key=key(), action="start")
                await hear(b, "ack")
                await say(b, type="command", key=key(), action="leave")
                await hear(b, "ack")
            while (await hear(a, "presence"))["present"] != [0]:
                pass
            await say(a, type="hello")
            seen = (await hear(a, "update"))["table"]
            assert seen["seats"][1]["level"]
            async with bob.connect(table["id"]) as b:
                await say(b, type="command", key=key(), action="return")
                await hear(b, "ack")
                await say(b, type="command", key=key(), action="resign")
                await hear(b, "ack")
                for socket in (a, b):
                    await say(socket, type="command", key=key(), action="rematch")
                    await hear(socket, "ack")
                await say(b, type="hello")
                while not (seen := (await hear(b, "update"))["table"])["next_game"]:
                    pass
        again = (await ann.http.get(f"/api/games/{seen['next_game']}")).json()
        assert [occupant["name"] for occupant in again["seats"]] == ["Bob", "Ann"]
        mine = (await ann.http.get("/api/me/games")).json()["games"]
        assert {game["id"] for game in mine} == {table["id"], seen["next_game"]}
        assert [game["people"] for game in mine] == [["Bob"], ["Bob"]]
        assert all(abs(game["touched"] - time.time()) < 600 for game in mine)

    serving(serve, settings, use)


def test_a_clock_that_runs_out_hands_the_seat_to_a_bot(serve, settings):
    async def use(app):
        ann, bob = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob")]
        table = await ann.set_table(pace={"bank": 10, "increment": 0})
        await bob.join(table)
        host = app.state.host
        room = await host.room(table["id"])
        await host.append(room, "start-it", lambda table, secret: table.start(secret))
        (mover,) = room.table.movers
        room.table.clock.banks[mover] = 0.5
        for _ in range(100):
            await asyncio.sleep(0.1)
            with contextlib.suppress(Exception):
                await host.append(room, f"flag-{room.table.number}", lambda table, _: table.flag(host.clock()))
            if room.table.seats[mover].level:
                break
        assert room.table.seats[mover].left
        for _ in range(100):
            if room.table.number > 6:
                break
            await asyncio.sleep(0.1)
        assert room.table.movers != (mover,)

    serving(serve, settings, use)


def test_the_stream_gives_the_same_steps_as_lines(serve, settings):
    async def use(app):
        ann = await Person.arrive(settings.port, "Ann")
        table = await ann.set_table(seats=("me", "greedy"))
        async with ann.http.stream("GET", f"/api/games/{table['id']}/stream") as answer:
            lines = answer.aiter_lines()
            first = json.loads(await anext(lines))
            while first["type"] != "update":
                first = json.loads(await anext(lines))
            assert first["table"]["status"] == "dice"
            request = {"type": "command", "key": key(), "action": "start"}
            assert (await ann.http.post(f"/api/games/{table['id']}/act", json={"request": request})).status_code == 200
            while True:
                line = json.loads(await anext(lines))
                if line["type"] == "update" and line["table"]["status"] == "playing":
                    break

    serving(serve, settings, use)


def test_requests_from_other_pages_are_refused(serve, settings):
    async def use(app):
        ann = await Person.arrive(settings.port, "Ann")
        table = await ann.set_table(seats=("me", "greedy"))
        foreign = {"origin": "http://evil.example"}
        assert (await ann.http.post("/api/session", json={"name": "X"}, headers=foreign)).status_code == 403
        cross = {"sec-fetch-site": "cross-site"}
        assert (await ann.http.post("/api/session", json={"name": "X"}, headers=cross)).status_code == 403
        with pytest.raises(websockets.InvalidStatus):
            async with websockets.connect(
                f"ws://127.0.0.1:{settings.port}/api/games/{table['id']}/socket", additional_headers=foreign
            ):
                pass

    serving(serve, settings, use)


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ({"title": "chess", "seats": [{}, {}]}, "title"),
        ({"title": "azul", "seats": [{}, {}], "options": {"wall": "pink"}}, "options"),
        ({"title": "azul", "seats": [{"kind": "me"}, {"kind": "me"}]}, "seats"),
        ({"title": "azul", "seats": [{}, {"kind": "bot", "level": "genius"}]}, "level"),
        ({"title": "azul", "seats": [{}]}, "body"),
        ({"title": "azul", "seats": [{}, {}], "cheat": True}, "body"),
    ],
)
def test_tables_that_cannot_be_are_refused(serve, settings, body, rule):
    async def use(app):
        ann = await Person.arrive(settings.port, "Ann")
        answer = await ann.http.post("/api/games", json=body)
        assert (answer.status_code, answer.json()["rule"]) == (422, rule)

    serving(serve, settings, use)


def test_invitations_are_for_one_seat_once(serve, settings):
    async def use(app):
        ann, bob, cleo = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob", "Cleo")]
        table = await ann.set_table()
        other = await ann.set_table()
        wrong = await bob.http.post(
            f"/api/games/{other['id']}/join", json={"secret": table["invitations"][0]["secret"]}
        )
        assert wrong.status_code == 403
        assert (await bob.join(table)).status_code == 200
        assert (await cleo.join(table)).status_code == 403
        assert (await cleo.http.post(f"/api/games/{table['id']}/join", json={"seat": 0})).status_code == 403
        assert (await cleo.http.get("/api/games/nothing")).status_code == 404
        assert (await Person(settings.port).join(other)).status_code == 401

    serving(serve, settings, use)


def test_listed_tables_are_open_to_all(serve, settings):
    async def use(app):
        ann, bob = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob")]
        table = await ann.set_table(listed=True)
        (listed,) = (await bob.http.get("/api/games")).json()["games"]
        assert listed["people"] == ["Ann"]
        assert listed["id"] == table["id"]
        assert (await bob.http.post(f"/api/games/{table['id']}/join", json={"seat": 0})).status_code == 409
        assert (await bob.http.post(f"/api/games/{table['id']}/join", json={"seat": 1})).status_code == 200
        assert (await bob.http.get("/api/games")).json()["games"] == []

    serving(serve, settings, use)


def test_a_match_has_the_same_deals_at_every_table(serve, settings):
    async def use(app):
        people = [await Person.arrive(settings.port, name) for name in ("Ann", "Bob", "Cleo", "Dirk")]
        seats = [{"kind": "open"}, {"kind": "open"}]
        body = {"table": {"title": "azul", "seats": seats}, "tables": 2}
        made = (await people[0].http.post("/api/matches", json=body)).json()
        tables = made["tables"]
        sockets = []
        async with contextlib.AsyncExitStack() as stack:
            for number, person in enumerate(people):
                table = tables[number // 2]
                secret = table["invitations"][number % 2]["secret"]
                answer = await person.http.post(f"/api/games/{table['id']}/join", json={"secret": secret})
                assert answer.status_code == 200, answer.text
                sockets.append(await stack.enter_async_context(person.connect(table["id"])))
            other = tables[1]["id"]
            assert (await people[0].http.get(f"/api/games/{other}")).status_code == 403
            for socket in sockets[::2]:
                await say(socket, type="command", key=key(), action="start")
            running = (await people[0].http.get(f"/api/matches/{made['id']}")).json()
            assert running["compared"] == []
            chooses = [lambda moves: moves[0], lambda moves: moves[-1]]
            await asyncio.gather(*(play_to_the_end(socket, chooses[0]) for socket in sockets[:2]))
            first = tables[0]["id"]
            ended = (await people[0].http.get(f"/api/games/{first}")).json()
            assert (ended["status"], ended["end"]["seed"]) == ("over", "")
            for path, person in itertools.product(("", "/record", "/replay", "/entries"), people[2:]):
                refused = await person.http.get(f"/api/games/{first}{path}")
                assert (refused.status_code, refused.json()["rule"]) == (403, "match")
            assert (await people[0].http.get(f"/api/games/{first}/record")).status_code == 403
            await asyncio.gather(*(play_to_the_end(socket, chooses[1]) for socket in sockets[2:]))
        for path in ("/record", "", "/replay", "/entries"):
            assert (await people[3].http.get(f"/api/games/{first}{path}")).status_code == 200
        assert (await people[0].http.get(f"/api/games/{first}")).json()["end"]["seed"]
        seen = (await people[0].http.get(f"/api/matches/{made['id']}")).json()
        assert seen["over"]
        assert seen["equal_deals"] >= 5
        assert len(seen["compared"]) == 4
        assert sum(each["net"] for each in seen["compared"] if each["seat"] == 0) == pytest.approx(0, abs=0.02)
        assert (await people[0].http.get("/api/matches/nothing")).status_code == 404

    serving(serve, settings, use)
