"""Games that are watched again: from this server, from a link, from a file."""

import asyncio
import json
from pathlib import Path

import pytest

from tessella.core import link, record, wire
from tessella.core.game import BadNotation
from tessella.games import GAMES
from tessella.server.rooms.history import decode_log, read_log
from tessella.server.settings import Settings
from tessella.table.history import fold_log
from tessella.table.replay import replay_history, replay_record
from tests.server.clients import Person, key
from tests.server.helpers import begin, hosting, known, play_out, resign, run, serving

RECORDS = Path(__file__).parents[3] / "records"
SOME = [RECORDS / name for name in ("azul/3-grey-greedy.game", "duel/points.game", "blockers/5-random.game")]
RULES = {
    "azul": "azul/1 seats=2 wall=coloured",
    "duel": "duel/1 seats=2",
    "blockers": "blockers/1 seats=2 scoring=blockers",
}

BOT_AND_ME = [{"kind": "bot", "level": "1"}, {"kind": "me"}]


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_a_record_is_shown_step_by_step_as_each_seat_saw_it(path):
    whole = record.read(path.read_text())
    game = GAMES[whole.game]
    states = [step.after for step in record.replay(game, whole)]
    for seat in (None, 0, 1):
        replay = json.loads(wire.encode(replay_record(whole, seat)))
        assert [act for step in replay["steps"] for act in step["entry"]["acts"]] == list(whole.acts)
        done = 0
        for step in replay["steps"]:
            done += len(step["entry"]["acts"])
            assert step["view"] == json.loads(wire.encode(game.view(states[done - 1], seat)))
        assert replay["table"]["seat"] == seat
        assert tuple(replay["table"]["end"]["places"]) == whole.places
        assert record.read(replay["record"]) == whole


@pytest.mark.parametrize("title", RULES)
def test_a_game_of_this_server_can_be_watched_when_it_is_over(serve, sqlite, port, title):
    async def use(app):
        host = app.state.host
        room = await begin(host, [await known(host.store, "Ann"), await known(host.store, "Bob")], RULES[title])
        ann = await Person.arrive(port, "Eve")
        path = f"/api/games/{room.table.id}/replay"
        refused = await ann.http.get(path)
        assert (refused.status_code, refused.json()["rule"]) == (403, "running")
        await play_out(host, room)
        answer = await ann.http.get(path, params={"seat": "1"})
        assert answer.status_code == 200, answer.text
        assert answer.headers["cache-control"] == "no-store"
        replay = answer.json()
        assert [occupant["name"] for occupant in replay["table"]["seats"]] == ["Ann", "Bob"]
        assert [act for step in replay["steps"] for act in step["entry"]["acts"]] == room.table.acts
        whole = record.read(replay["record"])
        assert record.verify(room.table.game, whole) == sum(act.startswith("*") for act in room.table.acts)
        name, _, acts = replay["short"].partition(".")
        linked = await ann.http.get(f"/api/replay/{name}/{acts}", params={"seat": "1"})
        assert linked.status_code == 200, linked.text
        assert "max-age" in linked.headers["cache-control"]
        assert [step["view"] for step in linked.json()["steps"]] == [step["view"] for step in replay["steps"]]
        assert {occupant["name"] for occupant in linked.json()["table"]["seats"]} == {""}

    serving(serve, Settings(database=sqlite, port=port), use)


def test_who_resigned_and_who_took_over_is_told(sqlite):
    async def main():
        async with hosting(sqlite) as host:
            ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
            room = await begin(host, [ann, bob])
            await host.append(room, key(), lambda table, _secret: table.leave(1))
            await resign(host, room, 0)
            past = fold_log(room.table.id, decode_log(await read_log(host.store, room.table.id)))
            replay = replay_history(past, None)
            assert [step.entry.kind for step in replay.steps] == ["started", "took over", "ended"]
            assert replay.table.end
            assert replay.table.end.reason == "resigned"
            assert replay.table.end.places == (2, 1)

    run(main())


def test_a_file_can_be_brought(serve, sqlite, port):
    async def use(app):
        person = Person(port)
        text = SOME[1].read_text()
        answer = await person.http.post("/api/replay", json={"record": text})
        assert answer.status_code == 200, answer.text
        assert answer.json()["record"] == text
        assert answer.headers.get("content-encoding") == "gzip"

    serving(serve, Settings(database=sqlite, port=port), use)


def test_what_is_no_game_is_refused_with_a_reason(serve, sqlite, port):
    async def use(app):
        person = Person(port)
        good = link.shorten(GAMES["azul"], record.read(SOME[0].read_text())).partition(".")[2]
        for path, status in {
            "/api/replay/azul1/AAAA": 422,
            f"/api/replay/azul1/{good[:-9]}": 422,
            f"/api/replay/azul1/{good}?seat=7": 422,
            f"/api/replay/azul1/{good}?seat=x": 422,
            f"/api/replay/chess1/{good}": 404,
            f"/api/replay/azul1/{good}{'A' * 1400}": 404,
            "/api/games/nowhere/replay": 404,
        }.items():
            answer = await person.http.get(path)
            assert answer.status_code == status, (path, answer.text)
            assert answer.json()["message"]
        text = SOME[0].read_text()
        for wrong in ("", "chess/1 seats=2\n\ne4", text.replace("scores ", "scores 9"), text.replace("\n1", "\n7", 1)):
            answer = await person.http.post("/api/replay", json={"record": wrong})
            assert answer.status_code == 422, wrong
        assert (await person.http.post("/api/replay", json={"record": "x" * 9000})).status_code in (413, 422)

    serving(serve, Settings(database=sqlite, port=port), use)


def test_a_seat_that_is_not_there_sees_nothing():
    whole = record.read(SOME[1].read_text())
    with pytest.raises(BadNotation, match="no seat 2"):
        replay_record(whole, 2)


def test_playing_on_from_a_replay_opens_an_unrated_table_that_begins_there(serve, sqlite, port):
    async def use(app):
        host = app.state.host
        room = await begin(host, [await known(host.store, "Ann"), await known(host.store, "Bob")])
        await play_out(host, room)
        eve = await Person.arrive(port, "Eve")
        whole = record.write(room.table.record())
        answer = await eve.http.post("/api/branches", json={"record": whole, "acts": 5, "seats": BOT_AND_ME})
        assert answer.status_code == 201, answer.text
        table = (await eve.http.get(f"/api/games/{answer.json()['id']}")).json()
        assert table["status"] == "playing"
        assert table["branch"] == {"game": room.table.id, "acts": 5}
        assert not table["rated"]
        new = (await host.current(answer.json()["id"])).table
        assert new.acts[:5] == room.table.acts[:5]

    serving(serve, Settings(database=sqlite, port=port), use)


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"acts": 99_999}, "replay"),
        ({"record": "azul/1"}, "replay"),
        ({"seats": [*BOT_AND_ME, {"kind": "open"}]}, "seats"),
        ({"seats": [{"kind": "me"}, {"kind": "me"}]}, "seats"),
        ({"seats": [{"kind": "bot", "level": "99"}, {"kind": "me"}]}, "level"),
    ],
    ids=str,
)
def test_what_cannot_be_played_on_says_why(serve, sqlite, port, changed, rule):
    async def use(_):
        eve = await Person.arrive(port, "Eve")
        text = (RECORDS / "azul/2-coloured-random.game").read_text()
        answer = await eve.http.post("/api/branches", json={"record": text, "acts": 5, "seats": BOT_AND_ME, **changed})
        assert (answer.status_code, answer.json()["rule"]) == (422, rule)

    serving(serve, Settings(database=sqlite, port=port), use)


@pytest.mark.parametrize("title", RULES)
def test_a_hint_is_a_legal_move_with_its_preview_and_only_for_the_player_to_move(serve, sqlite, port, title):
    async def use(app):
        eve = await Person.arrive(port, "Eve")
        seats = [{"kind": "me"}, {"kind": "bot", "level": "1"}]
        made = (await eve.http.post("/api/games", json={"title": title, "seats": seats})).json()
        host = app.state.host
        room = await host.current(made["id"])
        await host.append(room, "start", lambda table, secret: table.start(secret))
        while 0 not in room.table.movers:
            await asyncio.sleep(0.05)
        path = f"/api/games/{made['id']}/hint"
        answer = await eve.http.post(path)
        assert answer.status_code == 200, answer.text
        hint, table = answer.json(), (await eve.http.get(f"/api/games/{made['id']}")).json()
        assert (hint["number"], hint["move"] in table["moves"]) == (table["number"], True)
        assert hint["preview"]
        assert (await eve.http.post(path)).json() == hint
        stranger = await Person.arrive(port, "Mallory")
        assert (await stranger.http.post(path)).json()["rule"] == "turn"

    serving(serve, Settings(database=sqlite, port=port), use)


def test_there_are_no_hints_in_rated_games(serve, sqlite, port):
    async def use(app):
        host = app.state.host
        room = await begin(host, [await known(host.store, "Ann"), await known(host.store, "Bob")])
        eve = await Person.arrive(port, "Eve")
        refused = await eve.http.post(f"/api/games/{room.table.id}/hint")
        assert (refused.status_code, refused.json()["rule"]) == (422, "hint")
        assert (await eve.http.post("/api/games/abcdefghjk/hint")).status_code == 404

    serving(serve, Settings(database=sqlite, port=port), use)
