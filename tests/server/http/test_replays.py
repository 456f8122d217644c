"""Games that are watched again: from this server, from a link, from a file."""

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
from tests.server.clients import Person, key, refusal
from tests.server.helpers import begin, known, play_out, resign
from tests.server.waiting import until

RECORDS = Path(__file__).parents[3] / "records"
SOME = [RECORDS / name for name in ("azul/3-grey-greedy.game", "duel/points.game", "blockers/5-random.game")]
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


@pytest.fixture
def settings(sqlite, port):
    return Settings(database=sqlite, port=port)


async def game_of_two(host, rules="azul/1 seats=2 wall=coloured"):
    return await begin(host, [await known(host.store, name) for name in ("Ann", "Bob")], rules)


async def test_a_game_of_this_server_can_be_watched_when_it_is_over(app, port):
    host = app.state.host
    room = await game_of_two(host, "blockers/1 seats=2 scoring=blockers")
    eve = Person(port)
    path = f"/api/games/{room.table.id}/replay"
    for running in (path, f"/api/games/{room.table.id}/record"):
        assert refusal(await eve.http.get(running)) == (403, "running")
    await play_out(host, room)
    answer = await eve.http.get(path, params={"seat": "1"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    replay = answer.json()
    assert [occupant["name"] for occupant in replay["table"]["seats"]] == ["Ann", "Bob"]
    assert [act for step in replay["steps"] for act in step["entry"]["acts"]] == room.table.acts
    whole = record.read(replay["record"])
    assert record.verify(room.table.game, whole) == sum(act.startswith("*") for act in room.table.acts)
    name, _, acts = replay["short"].partition(".")
    linked = await eve.http.get(f"/api/replay/{name}/{acts}", params={"seat": "1"})
    assert linked.status_code == 200, linked.text
    assert "max-age" in linked.headers["cache-control"]
    assert [step["view"] for step in linked.json()["steps"]] == [step["view"] for step in replay["steps"]]
    assert {occupant["name"] for occupant in linked.json()["table"]["seats"]} == {""}


async def test_who_resigned_and_who_took_over_is_told(host):
    room = await game_of_two(host)
    await host.append(room, key(), lambda table, _secret: table.leave(1))
    await resign(host, room, 0)
    past = fold_log(room.table.id, decode_log(await read_log(host.store, room.table.id)))
    replay = replay_history(past, None)
    assert [step.entry.kind for step in replay.steps] == ["started", "took over", "ended"]
    assert replay.table.end
    assert replay.table.end.reason == "resigned"
    assert replay.table.end.places == (2, 1)


async def test_a_file_can_be_brought(app, port):
    text = SOME[1].read_text()
    answer = await Person(port).http.post("/api/replay", json={"record": text})
    assert (answer.status_code, answer.json()["record"]) == (200, text)
    assert answer.headers.get("content-encoding") == "gzip"


async def test_what_is_no_game_is_refused_with_a_reason(app, port):
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


def test_a_seat_that_is_not_there_sees_nothing():
    whole = record.read(SOME[1].read_text())
    with pytest.raises(BadNotation, match="no seat 2"):
        replay_record(whole, 2)


async def test_playing_on_from_a_replay_opens_an_unrated_table_that_begins_there(app, port):
    host = app.state.host
    room = await game_of_two(host)
    await play_out(host, room)
    eve = await Person.arrive(port, "Eve")
    branch = {"record": record.write(room.table.record()), "acts": 5, "seats": BOT_AND_ME}
    answer = await eve.http.post("/api/branches", json=branch)
    assert answer.status_code == 201, answer.text
    table = await eve.get(f"/api/games/{answer.json()['id']}")
    assert (table["status"], table["rated"]) == ("playing", False)
    assert table["branch"] == {"game": room.table.id, "acts": 5}
    assert (await host.current(table["id"])).table.acts[:5] == room.table.acts[:5]
    wrong: list[tuple[str, dict[str, object]]] = [
        ("replay", {"acts": 99_999}),
        ("replay", {"record": "azul/1"}),
        ("seats", {"seats": [*BOT_AND_ME, {"kind": "open"}]}),
        ("seats", {"seats": [{"kind": "me"}, {"kind": "me"}]}),
        ("level", {"seats": [{"kind": "bot", "level": "99"}, {"kind": "me"}]}),
    ]
    for rule, changed in wrong:
        assert refusal(await eve.http.post("/api/branches", json=branch | changed)) == (422, rule)


async def start(host, game):
    """Start a game, and wait until it is the turn of the first seat."""
    room = await host.current(game)
    await host.append(room, "start", lambda table, secret: table.start(secret))
    await until(lambda: 0 in room.table.movers)


async def test_a_hint_is_a_legal_move_with_its_preview_and_only_for_the_player_to_move(app, port):
    eve, stranger, host = await Person.arrive(port, "Eve"), await Person.arrive(port, "Mallory"), app.state.host
    for title in GAMES:
        game = (await eve.set_table(title, ("me", "1")))["id"]
        await start(host, game)
        path = f"/api/games/{game}/hint"
        answer = await eve.http.post(path)
        assert answer.status_code == 200, answer.text
        hint, table = answer.json(), await eve.get(f"/api/games/{game}")
        assert (hint["number"], hint["move"] in table["moves"]) == (table["number"], True)
        assert hint["preview"]
        assert (await eve.http.post(path)).json() == hint
        assert (await stranger.http.post(path)).json()["rule"] == "turn"


async def test_there_are_no_hints_in_rated_games(app, port):
    host = app.state.host
    room = await game_of_two(host)
    eve = await Person.arrive(port, "Eve")
    assert refusal(await eve.http.post(f"/api/games/{room.table.id}/hint")) == (422, "hint")
    assert (await eve.http.post("/api/games/abcdefghjk/hint")).status_code == 404
