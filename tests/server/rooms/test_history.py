"""What has happened at a table, views_sent again: exactly as each viewer witnessed it."""

from typing import Any

import pytest

from tessella.core import wire
from tessella.server.rooms.history import decode_log, read_log
from tessella.server.services import expensive
from tessella.server.settings import Settings
from tessella.table import views
from tessella.table.history import History, fold_log
from tests.server.clients import Person, hear, key, say
from tests.server.helpers import begin, hosting, known, play_out, run, serving

RULES = {
    "azul": "azul/1 seats=2 wall=coloured",
    "duel": "duel/1 seats=2",
    "blockers": "blockers/1 seats=2 scoring=blockers",
}


async def history_of(store, game_id) -> History:
    return fold_log(game_id, decode_log(await read_log(store, game_id)))


@pytest.mark.parametrize("title", RULES)
def test_the_past_is_told_to_each_viewer_as_the_socket_told_it(sqlite, title):
    async def main():
        async with hosting(sqlite) as host:
            room = await begin(host, [await known(host.store, "Ann"), await known(host.store, "Bob")], RULES[title])
            views_sent: dict[int | None, list[bytes]] = {seat: [] for seat in (0, 1, None)}

            def listen(room, entries):
                for seat in views_sent:
                    views_sent[seat] += map(wire.encode, views.entry_views(room.table, seat, entries))

            host.listeners.append(listen)
            before = room.table.number
            for _ in range(12):
                seat, game, state = room.table.movers[0], room.table.game, room.table.state
                text = game.write_move(state, game.legal_moves(state, seat)[0])
                await host.append(room, f"play-{room.table.number}", lambda t, s: t.play(seat, text, s))  # noqa: B023
            history = await history_of(host.store, room.table.id)
            entries = [applied for applied in history.entries if applied.number >= before]
            for seat, sent in views_sent.items():
                assert list(map(wire.encode, views.entry_views(history.table, seat, entries))) == sent
            assert history.steps[-1].state == room.table.state
            assert history.steps[-1].movers == room.table.movers
            assert not await read_log(host.store, "nowhere")

    run(main())


async def blockers(port, moves):
    """Ann and Bob play a few moves of Blockers!; give them, the table and every entry that each socket brought."""
    ann, bob = await Person.arrive(port, "Ann"), await Person.arrive(port, "Bob")
    game = await ann.set_table("blockers")
    await bob.join(game)
    entries: dict[Person, dict[str, Any]] = {ann: {}, bob: {}}
    async with ann.connect(game["id"]) as hers, bob.connect(game["id"]) as his:
        sockets = {ann: hers, bob: his}
        for socket in sockets.values():
            await say(socket, type="hello", have=0)
        await say(hers, type="command", key=key(), action="start")
        tables = await hear_all(sockets, entries, 0)
        for _ in range(moves):
            mover = next(person for person, table in tables.items() if table["moves"])
            number, move = tables[mover]["number"], tables[mover]["moves"][0]
            await say(sockets[mover], type="play", key=key(), number=number, move=move)
            tables = await hear_all(sockets, entries, number)
    return ann, bob, game["id"], entries


async def hear_all(sockets, entries, number):
    """What everybody sees when the game has gone beyond this number."""
    tables: dict[Person, dict[str, Any]] = {}
    for person, socket in sockets.items():
        while person not in tables or tables[person]["number"] <= number or tables[person]["status"] != "playing":
            update = await hear(socket, "update")
            tables[person] = update["table"]
            entries[person] |= {entry["number"]: entry for entry in update["entries"]}
    return tables


async def asked(person, game, query=""):
    answer = await person.http.get(f"/api/games/{game}/entries{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_entries_are_asked_for_by_number_and_show_nobody_more_than_they_saw(serve, sqlite, port):
    async def use(app):
        ann, bob, game, entries = await blockers(port, 6)
        for person in (ann, bob):
            whole = await asked(person, game)
            assert whole["next"] is None
            assert [entry["number"] for entry in whole["entries"]] == list(range(1, len(whole["entries"]) + 1))
            assert len(entries[person]) >= 6
            assert all(whole["entries"][number - 1] == entry for number, entry in entries[person].items())
            part = await asked(person, game, "?from=3&before=6")
            assert part["entries"] == whole["entries"][2:5]
        hers, his = (await asked(ann, game))["entries"], (await asked(bob, game))["entries"]
        stranger = (await asked(Person(port), game))["entries"]
        drawn = [entry["number"] for entry in hers if None in entry["acts"]]
        assert drawn, "Ann may not read what Bob drew"
        for mine, theirs, nobodys in zip(hers, his, stranger, strict=True):
            for one, other, outside in zip(mine["acts"], theirs["acts"], nobodys["acts"], strict=True):
                assert not (one and other and one != other)
                assert outside is None or outside == one == other

    serving(serve, Settings(database=sqlite, port=port), use)


def test_a_long_past_comes_in_pages(serve, sqlite, port, monkeypatch):
    monkeypatch.setattr(expensive, "PAGE_ENTRIES", 4)

    async def use(app):
        ann, _, game, _ = await blockers(port, 6)
        pages: list[dict[str, Any]] = []
        first: int | None = 1
        while first is not None:
            page = await asked(ann, game, f"?from={first}")
            assert len(page["entries"]) <= 4
            pages += page["entries"]
            first = page["next"]
        assert [entry["number"] for entry in pages] == list(range(1, pages[-1]["number"] + 1))
        assert len(pages) > 8

    serving(serve, Settings(database=sqlite, port=port, compute=0), use)


def test_the_past_of_a_running_match_is_for_its_players_only(serve, sqlite, port):
    async def use(app):
        ann, stranger = await Person.arrive(port, "Ann"), await Person.arrive(port, "Eve")
        body = {"table": {"title": "azul", "seats": [{"kind": "open"}, {"kind": "open"}]}, "tables": 2}
        table = (await ann.http.post("/api/matches", json=body)).json()["tables"][0]
        await ann.join(table)
        assert (await ann.http.get(f"/api/games/{table['id']}/entries")).status_code == 200
        refused = await stranger.http.get(f"/api/games/{table['id']}/entries")
        assert (refused.status_code, refused.json()["rule"]) == (403, "match")

    serving(serve, Settings(database=sqlite, port=port), use)


def test_what_is_no_number_or_no_table_is_refused(serve, sqlite, port):
    async def use(app):
        ann = await Person.arrive(port, "Ann")
        game = (await ann.set_table())["id"]
        for query in ("?from=-1", "?before=x", "?from=123456", "?from=٣"):
            assert (await ann.http.get(f"/api/games/{game}/entries{query}")).status_code == 422
        assert (await ann.http.get("/api/games/nowhere/entries")).status_code == 404

    serving(serve, Settings(database=sqlite, port=port), use)


def test_asking_for_the_past_again_and_again_must_wait(serve, sqlite, port):
    async def use(app):
        ann = await Person.arrive(port, "Ann")
        game = (await ann.set_table())["id"]
        assert (await ann.http.get(f"/api/games/{game}/entries")).status_code == 200
        app.state.limits.expensive.burst = 0
        assert (await ann.http.get(f"/api/games/{game}/entries")).status_code == 429

    serving(serve, Settings(database=sqlite, port=port), use)


def test_a_finished_game_is_open_to_read(sqlite):
    async def main():
        async with hosting(sqlite) as host:
            room = await begin(host, ["random", "random"], RULES["blockers"])
            await play_out(host, room)
            history = await history_of(host.store, room.table.id)
            entries = views.entry_views(history.table, None, history.entries)
            assert [act for entry in entries for act in entry.acts] == history.table.acts

    run(main())
