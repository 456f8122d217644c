"""What a host does with stored games, on both databases: look, close, export, import, verify, back up, restore."""

import asyncio
import json
import sqlite3
import time
from pathlib import Path

import pytest
from sqlalchemy import select, update

from tessella import cli
from tessella.core import record
from tessella.core.local import LocalTable
from tessella.games import azul
from tessella.server import store
from tessella.server.admin import backup
from tessella.server.admin import games as admin_games
from tessella.server.cluster import bus
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table
from tessella.server.services.clubs.membership import ClubTerms, create_club
from tessella.server.services.ratings import ResultRecorder
from tessella.server.store.schema import entries, games
from tessella.table.log import Live
from tests.server.helpers import hosting, known

RECORDS = Path(__file__).parents[3] / "records"
FINISHED = sorted(RECORDS.rglob("*.game"))[::5]
AZUL = RECORDS / "azul" / "row.game"
RULES = "azul/1 seats=2 wall=coloured"


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


async def with_store(url, use):
    kept = await store.connect(url)
    try:
        return await use(kept)
    finally:
        await kept.close()


def a_running_game(url, moves=3):
    """A game with a few moves, whose seed nobody knows yet."""

    async def use(kept):
        host = Host(kept, bus.LocalBus(), [], time.time)
        room = await open_table(host, Terms(RULES, Live(600, 0)))
        for seat, name in enumerate(("Ann", "Bob")):
            decide = lambda table, _, seat=seat, name=name: table.sit(seat, f"p{seat}", name)  # noqa: E731
            await host.append(room, f"sit-{seat}", decide)
        await host.append(room, "start", lambda table, secret: table.start(secret))
        for number in range(moves):
            mover = room.table.movers[0]
            text = azul.write_move(room.table.state, azul.legal_moves(room.table.state, mover)[0])
            decide = lambda table, secret, mover=mover, text=text: table.play(mover, text, secret)  # noqa: E731
            await host.append(room, f"move-{number}", decide)
        return room.table.id

    return run(with_store(url, use))


def tessella(capsys, *arguments):
    """Run a command; give its exit code and what it said."""
    capsys.readouterr()
    code = cli.main([str(argument) for argument in arguments])
    return code, capsys.readouterr()


def figures(capsys, url, *arguments):
    code, said = tessella(capsys, "admin", *arguments, "--database", url, "--json")
    assert code == 0, said.err
    return json.loads(said.out)


@pytest.fixture
def house(database, capsys):
    """A store with finished games and a running one; gives its address and the running game."""
    figures(capsys, database, "import", *FINISHED)
    return database, a_running_game(database)


def test_games_are_counted_listed_and_shown(house, capsys):
    url, game = house
    found = figures(capsys, url, "list")
    assert found["counts"] == {"over": len(FINISHED), "playing": 1}
    (only,) = figures(capsys, url, "list", "playing")["games"]
    assert only["id"] == game
    shown = figures(capsys, url, "show", game)
    assert [seat["name"] for seat in shown["seats"]] == ["Ann", "Bob"]
    assert (shown["status"], shown["number"]) == ("playing", 7)
    for what in (["list"], ["show", game]):
        code, said = tessella(capsys, "admin", *what, "--database", url)
        assert code == 0
        assert game in said.out
    code, said = tessella(capsys, "admin", "show", "nosuchgame", "--database", url)
    assert (code, said.err) == (2, "tessella: there is no game nosuchgame\n")


def test_all_finished_games_are_sealed_at_once_and_verify(house, capsys):
    url, game = house

    async def record_all(kept):
        async with ResultRecorder(Host(kept, bus.LocalBus(), [], time.time)) as recorder:
            await recorder.sweep()

    async def show_all(kept):
        host = Host(kept, bus.LocalBus(), [], time.time)
        for row in await kept.run(select(games.c.id).where(games.c.status == "over")):
            room = await host.room(row["id"])
            assert room is not None
            await host.append(room, "show", lambda table, _: table.show())

    run(with_store(url, record_all))
    waiting = {"sealed": 0, "waiting": len(FINISHED), "unsealable": 0}
    assert figures(capsys, url, "seal", "--days", "0") == waiting  # imported under other ids, with hidden dice
    run(with_store(url, show_all))
    assert figures(capsys, url, "seal") == {"sealed": 0, "waiting": 0, "unsealable": 0}  # they were stored today
    assert figures(capsys, url, "seal", "--days", "0") == {"sealed": len(FINISHED), "waiting": 0, "unsealable": 0}
    assert figures(capsys, url, "seal", "--days", "0") == {"sealed": 0, "waiting": 0, "unsealable": 0}
    code, said = tessella(capsys, "admin", "seal", "--database", url)
    assert (code, said.out) == (0, "0 games sealed, 0 must wait, 0 cannot be sealed\n")
    found = figures(capsys, url, "verify", "--all")
    assert (found["games"], found["finished"], found["wrong"]) == (len(FINISHED) + 1, len(FINISHED), [])
    left = run(with_store(url, lambda kept: kept.run(select(entries.c.game).distinct())))
    assert [row["game"] for row in left] == [game]


def test_a_closed_game_is_over_and_verifies(house, capsys, tmp_path):
    url, game = house
    assert figures(capsys, url, "close", game) == {"closed": [game]}
    assert figures(capsys, url, "show", game)["ended"] == "aborted"
    assert tessella(capsys, "admin", "close", game, "--database", url)[0] == 0  # said twice, done once
    figures(capsys, url, "export", game, "--folder", tmp_path)
    found = record.read((tmp_path / f"{game}.game").read_text())
    assert len(found.acts) == 4
    assert record.verify(azul, found) == 1
    other = figures(capsys, f"sqlite:{tmp_path / 'other.sqlite3'}", "import", tmp_path / f"{game}.game")
    assert list(other["stored"].values()) == [game]


def test_finished_games_go_out_and_come_in_once(house, capsys, tmp_path):
    url, game = house
    out = figures(capsys, url, "export", "--all", "--folder", tmp_path / "out")
    assert out["running"] == [game]
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == len(FINISHED) == len(out["written"])
    acts = {record.read(path.read_text()).acts for path in FINISHED}
    assert {record.read(path.read_text()).acts for path in files} == acts
    for path in files:
        assert tessella(capsys, "verify", path)[0] == 0
    before = figures(capsys, url, "list")["counts"]
    figures(capsys, url, "import", *files, *FINISHED)
    assert figures(capsys, url, "list")["counts"] == before
    fresh = f"sqlite:{tmp_path / 'fresh.sqlite3'}"
    figures(capsys, fresh, "import", *files)
    assert figures(capsys, fresh, "verify", "--all")["finished"] == len(FINISHED)


def test_a_running_game_goes_out_only_with_a_warning(house, capsys, tmp_path):
    url, game = house
    code, said = tessella(capsys, "admin", "export", game, "--folder", tmp_path, "--database", url)
    assert code == 2
    assert "not over yet" in said.err
    assert not list(tmp_path.glob("*.game"))
    code, said = tessella(capsys, "admin", "export", game, "--private", "--folder", tmp_path, "--database", url)
    assert code == 0
    assert "hidden information" in said.err
    found = record.read((tmp_path / f"{game}.game").read_text())
    assert len(found.acts) == 4
    assert not found.seed


def test_what_does_not_verify_does_not_come_in(database, capsys, tmp_path):
    good = FINISHED[0].read_text()
    changed = tmp_path / "changed.game"
    lines = good.splitlines()
    seal = next(number for number, line in enumerate(lines) if line.startswith("seal "))
    changed.write_text("\n".join([*lines[:seal], "seal " + "00" * 32, *lines[seal + 1 :]]) + "\n")
    for text in (changed.read_text(), "nonsense", good.replace("id ", "name 0 "), good.partition("\n\n")[0]):
        changed.write_text(text)
        code, said = tessella(capsys, "admin", "import", FINISHED[1], changed, "--database", database)
        assert code == 2
        assert str(changed) in said.err
    assert figures(capsys, database, "list")["counts"] == {"over": 1}


def test_a_game_that_ended_before_its_first_move_does_not_come_in(database, capsys, tmp_path):
    game = a_running_game(database, moves=0)
    figures(capsys, database, "close", game)
    figures(capsys, database, "export", game, "--folder", tmp_path)
    path, fresh = tmp_path / f"{game}.game", f"sqlite:{tmp_path / 'fresh.sqlite3'}"
    code, said = tessella(capsys, "admin", "import", path, "--database", fresh)
    assert code == 2
    assert said.err == f"tessella: {path}: the game ended before its first move: there is nothing to import\n"


def test_games_of_one_match_share_an_id_and_come_in_apart(sqlite, capsys, tmp_path):
    found = record.read(AZUL.read_text())
    table = LocalTable(azul, record.read_rules(azul, found.rules), seed=found.seed, id=found.id)
    while table.moves:
        table.play(table.moves[0])
    (tmp_path / "twin.game").write_text(record.write(table.record()))
    for _ in range(2):
        stored = figures(capsys, sqlite, "import", AZUL, tmp_path / "twin.game")["stored"]
        assert len(set(stored.values())) == 2
    assert figures(capsys, sqlite, "verify", "--all")["finished"] == 2


def test_verify_finds_what_was_changed_in_the_store(house, capsys):
    url, game = house
    found = figures(capsys, url, "verify", "--all")
    assert (found["games"], found["finished"], found["wrong"]) == (len(FINISHED) + 1, len(FINISHED), [])

    async def spoil(kept):
        """A played move, the standing of a game, a number in the log."""
        ids = [row["id"] for row in await kept.run(select(games.c.id).where(games.c.status == "over").limit(3))]
        last = (await kept.log(ids[0], -1))[-1]
        body = last.body.replace('"seal":"', '"seal":"00', 1)[: len(last.body)]
        here = entries.c.game == ids[0]
        await kept.run(update(entries).where(here, entries.c.number == last.number).values(body=body))
        await kept.run(update(games).where(games.c.id == ids[1]).values(status="playing"))
        gap = (entries.c.game == ids[2]) & (entries.c.number == 1)
        await kept.run(update(entries).where(gap).values(number=9999))
        return set(ids)

    spoiled = run(with_store(url, spoil))
    code, said = tessella(capsys, "admin", "verify", "--all", "--database", url, "--json")
    assert code == 1
    assert {wrong["game"] for wrong in json.loads(said.out)["wrong"]} == spoiled
    assert tessella(capsys, "admin", "verify", game, "--database", url)[0] == 0
    code, said = tessella(capsys, "admin", "verify", "--database", url)
    assert (code, said.err) == (2, "tessella: name some games, or use --all\n")


def test_a_backup_is_whole_private_and_never_goes_over_other_games(house, capsys, tmp_path):
    url, _ = house
    file = tmp_path / "backup"
    told = figures(capsys, url, "backup", file)
    assert told["rows"]["games"] == len(FINISHED) + 1
    assert told["bytes"] == file.stat().st_size
    assert file.stat().st_mode & 0o077 == 0  # it holds seeds
    assert sorted(tmp_path.glob("backup*")) == [file]
    code, said = tessella(capsys, "admin", "restore", file, "--database", url)
    assert code == 2
    assert "already" in said.err


def test_a_file_restores_into_a_file_and_into_postgresql(sqlite, postgres, capsys, tmp_path):
    figures(capsys, sqlite, "import", *FINISHED)
    game = a_running_game(sqlite)
    file = tmp_path / "backup.sqlite3"
    figures(capsys, sqlite, "backup", file)
    for url in (f"sqlite:{tmp_path / 'new' / 'games.sqlite3'}", postgres):
        found = figures(capsys, url, "restore", file)
        assert (found["games"], found["wrong"]) == (len(FINISHED) + 1, [])
        assert figures(capsys, url, "show", game)["status"] == "playing"
        figures(capsys, url, "close", game)  # a game can go on after it


def test_postgresql_restores_into_postgresql(postgres, other_postgres, capsys, tmp_path, sqlite):
    figures(capsys, postgres, "import", *FINISHED)
    game = a_running_game(postgres)
    file = tmp_path / "backup.zip"
    before = figures(capsys, postgres, "backup", file)["rows"]
    found = figures(capsys, other_postgres, "restore", file)
    assert (found["games"], found["finished"], found["wrong"]) == (len(FINISHED) + 1, len(FINISHED), [])
    assert figures(capsys, other_postgres, "show", game)["number"] == 7
    assert figures(capsys, other_postgres, "backup", tmp_path / "again.zip")["rows"] == before
    code, said = tessella(capsys, "admin", "restore", file, "--database", sqlite)
    assert code == 2
    assert "PostgreSQL" in said.err


def test_a_backup_is_taken_while_the_server_writes(sqlite, capsys, tmp_path):
    a_running_game(sqlite)
    writing = sqlite3.connect(sqlite.removeprefix("sqlite:"), isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    writing.execute("DELETE FROM entries")
    assert figures(capsys, sqlite, "backup", tmp_path / "backup")["rows"]["entries"] == 7
    writing.execute("ROLLBACK")
    writing.close()


def test_what_is_no_backup_is_refused(sqlite, postgres, capsys, tmp_path):
    junk = tmp_path / "junk"
    for content in (b"junk", b"SQLite format 3\0" + b"junk" * 500, b"PK\3\4junk"):
        junk.write_bytes(content)
        for url in (sqlite, postgres):
            code, said = tessella(capsys, "admin", "restore", junk, "--database", url)
            assert code == 2
            assert said.err.startswith("tessella: ")
    with pytest.raises(backup.BadBackup):
        run(backup.restore(sqlite, tmp_path / "nothing"))


def test_migrate_makes_the_tables(database, capsys):
    step = figures(capsys, database, "migrate")["step"]
    assert step == figures(capsys, database, "migrate")["step"]
    assert figures(capsys, database, "list") == {"counts": {}, "games": [], "capped": []}


def test_a_file_that_is_not_there_is_not_made(tmp_path, capsys):
    code, said = tessella(capsys, "admin", "list", "--database", f"sqlite:{tmp_path / 'none'}")
    assert (code, list(tmp_path.iterdir())) == (2, [])
    assert "there is no database" in said.err


def test_the_log_made_from_a_record_gives_the_same_record(tmp_path):
    for path in FINISHED:
        found = record.read(path.read_text())
        told = list(admin_games.log_of(found, found.id))
        acts = [act for entry in told for act in getattr(entry, "acts", ())]
        assert acts == list(found.acts)


def test_the_host_puts_events_on_the_schedule(sqlite, capsys):
    database = ["--database", sqlite]
    assert cli.main(["admin", "migrate", *database]) == 0
    series = ["--add", "Friday cup", "--starts", "2030-01-04T20:00+00:00", "--count", "3", "--duplicate"]
    assert cli.main(["admin", "events", *database, "--json", *series]) == 0
    made = json.loads(capsys.readouterr().out.splitlines()[-1])["created"]
    assert len(made) == 3
    assert cli.main(["admin", "events", *database, "--cancel", made[1]]) == 0
    assert cli.main(["admin", "events", *database, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out.splitlines()[-1])["events"]
    assert [each["id"] for each in listed] == [made[0], made[2]]
    assert listed[1]["starts"] - listed[0]["starts"] == 14 * 86_400
    assert cli.main(["admin", "events", *database, "--add", "x", "--format", "knockout", "--duplicate"]) == 2
    assert cli.main(["admin", "events", *database, "--cancel", made[1]]) == 2


def test_the_host_lets_an_event_repeat_every_week(sqlite, capsys):
    database = ["--database", sqlite]
    assert cli.main(["admin", "migrate", *database]) == 0
    assert cli.main(["admin", "events", *database, "--add", "Monday cup", "--weekly", "Monday 19:00", "--json"]) == 0
    (made,) = json.loads(capsys.readouterr().out.splitlines()[-1])["created"]
    assert cli.main(["admin", "events", *database]) == 0
    assert capsys.readouterr().out == f"{made:<12} weekly   monday 19:00 UTC  Monday cup\n"
    for wrong in ("19:00", "someday 19:00", "monday 25:00", "monday"):
        assert cli.main(["admin", "events", *database, "--add", "x", "--weekly", wrong]) == 2
        assert "is not a weekday and a time" in capsys.readouterr().err
    assert cli.main(["admin", "events", *database, "--end-weekly", made]) == 0
    assert cli.main(["admin", "events", *database, "--end-weekly", made]) == 2
    assert cli.main(["admin", "events", *database, "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {"events": [], "weekly": []}


def test_the_host_lists_clubs_and_ends_one(sqlite, capsys):
    async def a_club():
        async with hosting(sqlite) as host:
            return await create_club(host.store, ClubTerms("Tilers", "Every Monday"), await known(host.store, "Ann"))

    made = run(a_club())
    database = ["--database", sqlite]
    assert cli.main(["admin", "clubs", *database, "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out.splitlines()[-1])["clubs"]
    assert (listed["id"], listed["name"], listed["about"], listed["members"]) == (made, "Tilers", "Every Monday", 1)
    assert cli.main(["admin", "clubs", *database, "--end", made]) == 0
    assert cli.main(["admin", "clubs", *database, "--end", made]) == 2
    assert cli.main(["admin", "clubs", *database]) == 0
    assert capsys.readouterr().out.endswith("no clubs\n")
