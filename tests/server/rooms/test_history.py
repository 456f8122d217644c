"""What has happened at a table, told again: exactly as each viewer witnessed it."""

from typing import Any

import pytest

from tessella.core import wire
from tessella.server.rooms.history import decode_log, read_log
from tessella.server.services import expensive
from tessella.server.settings import Settings
from tessella.table import views
from tessella.table.history import History, fold_log
from tests.server.clients import Person, play_moves, two_at_a_table
from tests.server.helpers import begin, hosting, known, play_one, play_out

RULES = {
    "azul": "azul/1 seats=2 wall=coloured",
    "duel": "duel/1 seats=2",
    "blockers": "blockers/1 seats=2 scoring=blockers",
}


PAGE = 4


@pytest.fixture
def settings(sqlite, port):
    return Settings(database=sqlite, port=port, compute=0, bots=0)


@pytest.fixture
def host(sqlite):
    return hosting(sqlite)


async def history_of(store, game_id) -> History:
    return fold_log(game_id, decode_log(await read_log(store, game_id)))


@pytest.mark.parametrize("title", RULES)
async def test_the_past_is_told_to_each_viewer_as_the_socket_told_it(host, title):
    room = await begin(host, [await known(host.store, "Ann"), await known(host.store, "Bob")], RULES[title])
    views_sent: dict[int | None, list[bytes]] = {seat: [] for seat in (0, 1, None)}

    def listen(room, entries):
        for seat in views_sent:
            views_sent[seat] += map(wire.encode, views.entry_views(room.table, seat, entries))

    host.listeners.append(listen)
    before = room.table.number
    for _ in range(12):
        await play_one(host, room)
    history = await history_of(host.store, room.table.id)
    entries = [applied for applied in history.entries if applied.number >= before]
    for seat, sent in views_sent.items():
        assert list(map(wire.encode, views.entry_views(history.table, seat, entries))) == sent
    assert history.steps[-1].state == room.table.state
    assert history.steps[-1].movers == room.table.movers
    assert not await read_log(host.store, "nowhere")


async def whole_past(person, game):
    """All pages of what has happened at a table."""
    entries: list[dict[str, Any]] = []
    first: int | None = 1
    while first is not None:
        page = await person.get(f"/api/games/{game}/entries?from={first}")
        assert len(page["entries"]) <= PAGE
        entries += page["entries"]
        first = page["next"]
    return entries


async def test_entries_come_in_pages_and_show_nobody_more_than_they_saw(app, port, monkeypatch):
    monkeypatch.setattr(expensive, "PAGE_ENTRIES", PAGE)
    ann, bob, game = await two_at_a_table(port, "blockers")
    assert (await ann.act(game, action="start")).status_code == 200
    await play_moves([ann, bob], game, 6)
    hers, his, nobodys = [await whole_past(person, game) for person in (ann, bob, Person(port))]
    for person, past in ((ann, hers), (bob, his)):
        assert [entry["number"] for entry in past] == list(range(1, len(past) + 1))
        assert len(past) > 2 * PAGE
        assert (await person.get(f"/api/games/{game}/entries"))["entries"] == past[:PAGE]
        assert (await person.get(f"/api/games/{game}/entries?from=3&before=6"))["entries"] == past[2:5]
    assert any(None in entry["acts"] for entry in hers), "Ann may not read what Bob drew"
    for mine, theirs, seen in zip(hers, his, nobodys, strict=True):
        for one, other, outside in zip(mine["acts"], theirs["acts"], seen["acts"], strict=True):
            assert not (one and other and one != other)
            assert outside is None or outside == one == other


async def test_what_is_no_number_or_no_table_is_refused(app, port):
    ann = await Person.arrive(port, "Ann")
    path = f"/api/games/{(await ann.set_table())['id']}/entries"
    for query in ("?from=-1", "?before=x", "?from=123456", "?from=٣"):
        assert (await ann.http.get(path + query)).status_code == 422
    assert (await ann.http.get("/api/games/nowhere/entries")).status_code == 404
    assert (await ann.http.get(path)).status_code == 200
    app.state.limits.expensive.burst = 0
    assert (await ann.http.get(path)).status_code == 429


async def test_a_finished_game_is_open_to_read(host):
    room = await begin(host, ["random", "random"], RULES["blockers"])
    await play_out(host, room)
    history = await history_of(host.store, room.table.id)
    entries = views.entry_views(history.table, None, history.entries)
    assert [act for entry in entries for act in entry.acts] == history.table.acts
