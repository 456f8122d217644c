"""What a host does with stored games, on both databases: look, close, export, import, verify, back up, restore."""

import json
import re
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import select, update

from tessella.core import record
from tessella.core.local import LocalTable
from tessella.games import azul
from tessella.server.services.clubs.membership import ClubTerms, create_club
from tessella.server.services.ratings import ResultRecorder
from tessella.server.store.schema import entries, games
from tessella.table.log import Live
from tests.server.admin.commands import admin, figures, refused
from tests.server.helpers import begin, hosting, known, play_one, run

RECORDS = Path(__file__).parents[3] / "records"
FINISHED = sorted(RECORDS.rglob("*.game"))[::5]
AZUL = RECORDS / "azul" / "row.game"


async def with_store(url, use):
    async with hosting(url) as host:
        return await use(host)


def a_running_game(url, moves=3):
    """A game with a few moves, whose seed nobody knows yet."""

    async def use(host):
        people = [await known(host.store, name) for name in ("Ann", "Bob")]
        room = await begin(host, people, pace=Live(600, 0))
        for _ in range(moves):
            await play_one(host, room)
        return room.table.id

    return run(with_store(url, use))


@pytest.fixture
def house(database):
    """A store with finished games and a running one; gives its address and the running game."""
    figures(database, "import", *FINISHED)
    return database, a_running_game(database)


def test_games_are_counted_listed_and_shown(house):
    url, game = house
    assert figures(url, "list")["counts"] == {"over": len(FINISHED), "playing": 1}
    (only,) = figures(url, "list", "playing")["games"]
    assert only["id"] == game
    shown = figures(url, "show", game)
    assert [seat["name"] for seat in shown["seats"]] == ["Ann", "Bob"]
    assert (shown["status"], shown["number"]) == ("playing", 7)
    for what in (["list"], ["show", game]):
        assert game in admin(url, *what)[1]
    assert refused(url, "show", "nosuchgame") == "tessella: there is no game nosuchgame\n"


def test_all_finished_games_are_sealed_at_once_and_verify(house):
    url, game = house

    async def record_all(host):
        async with ResultRecorder(host) as recorder:
            await recorder.sweep()

    async def show_all(host):
        for row in await host.store.run(select(games.c.id).where(games.c.status == "over")):
            room = await host.room(row["id"])
            await host.append(room, "show", lambda table, _: table.show())

    def seal(*options):
        found = figures(url, "seal", *options)
        return found["sealed"], found["waiting"], found["unsealable"]

    run(with_store(url, record_all))
    assert seal("--days", "0") == (0, len(FINISHED), 0)  # imported under other ids, with hidden dice
    run(with_store(url, show_all))
    assert seal() == (0, 0, 0)  # they were stored today
    assert seal("--days", "0") == (len(FINISHED), 0, 0)
    assert seal("--days", "0") == (0, 0, 0)
    assert admin(url, "seal")[:2] == (0, "0 games sealed, 0 must wait, 0 cannot be sealed\n")
    found = figures(url, "verify", "--all")
    assert (found["games"], found["finished"], found["wrong"]) == (len(FINISHED) + 1, len(FINISHED), [])
    left = run(with_store(url, lambda host: host.store.run(select(entries.c.game).distinct())))
    assert [row["game"] for row in left] == [game]


def test_a_closed_game_is_over_and_verifies(house, tmp_path):
    url, game = house
    assert figures(url, "close", game) == {"closed": [game]}
    assert figures(url, "show", game)["ended"] == "aborted"
    assert admin(url, "close", game)[0] == 0  # said twice, done once
    figures(url, "export", game, "--folder", tmp_path)
    found = record.read((tmp_path / f"{game}.game").read_text())
    assert len(found.acts) == 4
    assert record.verify(azul, found) == 1
    other = figures(f"sqlite:{tmp_path / 'other.sqlite3'}", "import", tmp_path / f"{game}.game")
    assert list(other["stored"].values()) == [game]


def test_finished_games_go_out_and_come_in_once(house, tmp_path):
    url, game = house
    out = figures(url, "export", "--all", "--folder", tmp_path / "out")
    assert out["running"] == [game]
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == len(FINISHED) == len(out["written"])
    acts = {record.read(path.read_text()).acts for path in FINISHED}
    assert {record.read(path.read_text()).acts for path in files} == acts
    before = figures(url, "list")["counts"]
    figures(url, "import", *files, *FINISHED)
    assert figures(url, "list")["counts"] == before
    fresh = f"sqlite:{tmp_path / 'fresh.sqlite3'}"
    figures(fresh, "import", *files)
    assert figures(fresh, "verify", "--all")["finished"] == len(FINISHED)


def test_a_running_game_goes_out_only_with_a_warning(house, tmp_path):
    url, game = house
    assert "not over yet" in refused(url, "export", game, "--folder", tmp_path)
    assert not list(tmp_path.glob("*.game"))
    code, _, err = admin(url, "export", game, "--private", "--folder", tmp_path)
    assert (code, "hidden information" in err) == (0, True)
    found = record.read((tmp_path / f"{game}.game").read_text())
    assert (len(found.acts), found.seed) == (4, b"")


def test_what_does_not_verify_does_not_come_in(database, tmp_path):
    good = FINISHED[0].read_text()
    changed = tmp_path / "changed.game"
    forged = re.sub(r"(?m)^seal .*$", "seal " + "00" * 32, good)
    for text in (forged, "nonsense", good.replace("id ", "name 0 "), good.partition("\n\n")[0]):
        changed.write_text(text)
        assert str(changed) in refused(database, "import", FINISHED[1], changed)
    assert figures(database, "list")["counts"] == {"over": 1}


def test_a_game_that_ended_before_its_first_move_does_not_come_in(database, tmp_path):
    game = a_running_game(database, moves=0)
    figures(database, "close", game)
    figures(database, "export", game, "--folder", tmp_path)
    path = tmp_path / f"{game}.game"
    why = refused(f"sqlite:{tmp_path / 'fresh.sqlite3'}", "import", path)
    assert why == f"tessella: {path}: the game ended before its first move: there is nothing to import\n"


def test_games_of_one_match_share_an_id_and_come_in_apart(sqlite, tmp_path):
    found = record.read(AZUL.read_text())
    table = LocalTable(azul, record.read_rules(azul, found.rules), seed=found.seed, id=found.id)
    while table.moves:
        table.play(table.moves[0])
    (tmp_path / "twin.game").write_text(record.write(table.record()))
    for _ in range(2):
        stored = figures(sqlite, "import", AZUL, tmp_path / "twin.game")["stored"]
        assert len(set(stored.values())) == 2
    assert figures(sqlite, "verify", "--all")["finished"] == 2


def test_verify_finds_what_was_changed_in_the_store(house):
    url, game = house

    async def spoil(host):
        """A played move, the standing of a game, a number in the log."""
        store = host.store
        ids = [row["id"] for row in await store.run(select(games.c.id).where(games.c.status == "over").limit(3))]
        last = (await store.log(ids[0], -1))[-1]
        body = last.body.replace('"seal":"', '"seal":"00', 1)[: len(last.body)]
        here = entries.c.game == ids[0]
        gap = (entries.c.game == ids[2]) & (entries.c.number == 1)
        await store.run(
            update(entries).where(here, entries.c.number == last.number).values(body=body),
            update(games).where(games.c.id == ids[1]).values(status="playing"),
            update(entries).where(gap).values(number=9999),
        )
        return set(ids)

    spoiled = run(with_store(url, spoil))
    code, out, _ = admin(url, "verify", "--all", "--json")
    assert (code, {wrong["game"] for wrong in json.loads(out)["wrong"]}) == (1, spoiled)
    assert admin(url, "verify", game)[0] == 0
    assert refused(url, "verify") == "tessella: name some games, or use --all\n"


def test_a_backup_is_whole_private_and_never_goes_over_other_games(house, tmp_path):
    url, _ = house
    file = tmp_path / "backup"
    told = figures(url, "backup", file)
    assert told["rows"]["games"] == len(FINISHED) + 1
    assert told["bytes"] == file.stat().st_size
    assert file.stat().st_mode & 0o077 == 0  # it holds seeds
    assert sorted(tmp_path.glob("backup*")) == [file]
    assert "already" in refused(url, "restore", file)


def test_what_was_backed_up_is_restored(sqlite, postgres, other_postgres, tmp_path):
    figures(sqlite, "import", *FINISHED)
    game, rows = a_running_game(sqlite), []
    new = f"sqlite:{tmp_path / 'new' / 'games.sqlite3'}"
    for source, url in ((sqlite, new), (sqlite, postgres), (postgres, other_postgres)):
        rows.append(figures(source, "backup", tmp_path / "backup")["rows"])
        found = figures(url, "restore", tmp_path / "backup")
        assert (found["games"], found["finished"], found["wrong"]) == (len(FINISHED) + 1, len(FINISHED), [])
        shown = figures(url, "show", game)
        assert (shown["status"], shown["number"]) == ("playing", 7)
    assert "PostgreSQL" in refused(sqlite, "restore", tmp_path / "backup")
    assert figures(other_postgres, "backup", tmp_path / "again")["rows"] == rows[-1]
    for url in (new, postgres, other_postgres):
        figures(url, "close", game)  # a game can go on after it


def test_a_backup_is_taken_while_the_server_writes(sqlite, tmp_path):
    a_running_game(sqlite)
    writing = sqlite3.connect(sqlite.removeprefix("sqlite:"), isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    writing.execute("DELETE FROM entries")
    assert figures(sqlite, "backup", tmp_path / "backup")["rows"]["entries"] == 7
    writing.execute("ROLLBACK")
    writing.close()


def test_what_is_no_backup_is_refused(sqlite, postgres, tmp_path):
    junk = tmp_path / "junk"
    for content in (b"junk", b"SQLite format 3\0" + b"junk" * 500, b"PK\3\4junk"):
        junk.write_bytes(content)
        for url in (sqlite, postgres):
            assert refused(url, "restore", junk).startswith("tessella: ")
    assert refused(sqlite, "restore", tmp_path / "nothing").startswith("tessella: ")


def test_migrate_makes_the_tables(database, tmp_path):
    assert figures(database, "migrate") == figures(database, "migrate")
    assert figures(database, "list") == {"counts": {}, "games": [], "capped": []}
    absent = tmp_path / "none"
    assert "there is no database" in refused(f"sqlite:{absent}", "list")
    assert not absent.exists()


def test_the_host_puts_events_on_the_schedule(sqlite):
    series = ["--add", "Friday cup", "--starts", "2030-01-04T20:00+00:00", "--count", "3", "--duplicate"]
    first, second, third = figures(sqlite, "events", *series)["created"]
    assert admin(sqlite, "events", "--cancel", second)[0] == 0
    listed = figures(sqlite, "events")["events"]
    assert [each["id"] for each in listed] == [first, third]
    assert listed[1]["starts"] - listed[0]["starts"] == 14 * 86_400
    assert refused(sqlite, "events", "--add", "x", "--format", "knockout", "--duplicate")
    assert refused(sqlite, "events", "--cancel", second)


def test_the_host_lets_an_event_repeat_every_week(sqlite):
    (made,) = figures(sqlite, "events", "--add", "Monday cup", "--weekly", "Monday 19:00")["created"]
    assert admin(sqlite, "events")[1] == f"{made:<12} weekly   monday 19:00 UTC  Monday cup\n"
    for wrong in ("19:00", "someday 19:00", "monday 25:00", "monday"):
        assert "is not a weekday and a time" in refused(sqlite, "events", "--add", "x", "--weekly", wrong)
    assert admin(sqlite, "events", "--end-weekly", made)[0] == 0
    assert refused(sqlite, "events", "--end-weekly", made)
    assert figures(sqlite, "events") == {"events": [], "weekly": []}


def test_the_host_lists_clubs_and_ends_one(sqlite):
    async def a_club(host):
        return await create_club(host.store, ClubTerms("Tilers", "Every Monday"), await known(host.store, "Ann"))

    made = run(with_store(sqlite, a_club))
    (listed,) = figures(sqlite, "clubs")["clubs"]
    assert (listed["id"], listed["name"], listed["about"], listed["members"]) == (made, "Tilers", "Every Monday", 1)
    assert admin(sqlite, "clubs", "--end", made)[0] == 0
    assert refused(sqlite, "clubs", "--end", made)
    assert admin(sqlite, "clubs")[1] == "no clubs\n"
