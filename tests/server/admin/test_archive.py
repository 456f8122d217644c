"""The archive of a day: every finished game, verifiable, and nobody's name."""

from datetime import UTC, date, datetime

import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from sqlalchemy import update

from tessella.core import record
from tessella.games import GAMES
from tessella.server.admin.archive import archive, read_archive
from tessella.server.rooms.history import read_finished
from tessella.server.services.ratings import record_results
from tessella.server.store.schema import results
from tests.server.helpers import begin, known, play_out, resign


async def settled(host, room):
    done = await read_finished(host.store, room.table.id)
    assert done is not None
    await record_results(host.store, done.table, done.ended)
    return done


async def a_day(host):
    """A game of each kind to its end, one resigned, one aborted, one still running."""
    kinds = {"Annabel": "member", "Bob": "guest", "Deep": "bot"}
    ann, bob, cid = [await known(host.store, name, kind) for name, kind in kinds.items()]
    played = []
    for title, sitters in (("azul", [ann, bob]), ("duel", [bob, "greedy"]), ("blockers", [ann, bob, cid])):
        game = GAMES[title]
        rules = record.write_rules(game, game.Config(seats=len(sitters)))
        room = await begin(host, sitters, rules)
        await play_out(host, room, seed=len(title))
        played.append(await settled(host, room))
    room = await begin(host, [ann, bob])
    await resign(host, room, 0)
    played.append(await settled(host, room))
    room = await begin(host, [ann, bob])
    await host.append(room, "abort", lambda table, secret: table.abort(secret))
    await settled(host, room)
    await begin(host, [ann, bob])
    return played


async def test_all_finished_games_of_a_day_are_in_both_files_without_names(host, tmp_path):
    played = await a_day(host)
    today = datetime.fromtimestamp(played[0].ended, UTC).date()
    text, table = await archive(host.store, today, tmp_path / "archive")
    assert [path.suffix for path in (text, table)] == [".games", ".parquet"]
    assert sorted(path.name for path in text.parent.iterdir()) == sorted([text.name, table.name])
    records = list(read_archive(text.read_text("utf-8")))
    assert [each.id for each in records] == [done.table.id for done in played]
    for each in records:
        assert record.verify(GAMES[each.game], each) > 0
    kinds = [("member", "guest"), ("guest", "bot"), ("member", "guest", "bot"), ("member", "guest")]
    assert [each.names for each in records] == kinds
    rows = pq.read_table(table).to_pylist()
    assert [row["id"] for row in rows] == [done.table.id for done in played]
    for row, done, each in zip(rows, played, records, strict=True):
        end = done.table.end
        assert tuple(row["acts"]) == each.acts
        assert (tuple(row["scores"]), tuple(row["places"])) == (end.scores, end.places)
        assert (row["rules"], row["seats"], tuple(row["players"])) == (each.rules, len(each.names), each.names)
        assert row["ended"].timestamp() == pytest.approx(done.ended, abs=0.002)
        assert row["started"] <= row["ended"]
    assert [row["reason"] for row in rows] == ["over", "over", "over", "resigned"]
    assert b"CC0" in pq.read_schema(table).metadata[b"license"]
    title, *_ = text.read_text("utf-8").splitlines()
    assert title.startswith("# Games of Tessella")
    assert "CC0" in title
    whole = text.read_text("utf-8") + str(rows)
    ids = {occupant.player for done in played for occupant in done.table.seats if occupant.player.startswith("p")}
    assert not [personal for personal in ("Annabel", "Bob", "Deep", *ids) if personal in whole]


async def test_a_game_belongs_to_the_day_on_which_it_ended_and_another_day_has_empty_files(host, tmp_path):
    room = await begin(host, [await known(host.store, "Ann"), await known(host.store, "Bob")])
    await resign(host, room, 0)
    await settled(host, room)
    midnight = datetime(2026, 3, 1, tzinfo=UTC).timestamp()
    found = {}
    for moment, name in ((midnight - 0.001, "before"), (midnight, "at"), (midnight + 86_399.9, "late")):
        await host.store.run(update(results).values(ended=moment))
        for day in (date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 2)):
            text, table = await archive(host.store, day, tmp_path)
            found[name, day.isoformat()] = len(list(read_archive(text.read_text("utf-8"))))
            assert pq.read_table(table).num_rows == found[name, day.isoformat()]
    there = {key for key, count in found.items() if count}
    assert there == {("before", "2026-02-28"), ("at", "2026-03-01"), ("late", "2026-03-01")}
