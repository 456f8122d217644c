"""Workers with a role of their own: they can do their work, and cannot touch what is written or look through seeds."""

import asyncio
import logging
import random
from contextlib import contextmanager

import asyncpg
import pytest
from sqlalchemy import select, update

from tessella.cli import main
from tessella.server.metrics import Metrics
from tessella.server.rooms.lifecycle import Terms, open_table, sit_bot
from tessella.server.services.retention import Retention
from tessella.server.settings import Settings
from tessella.server.store.roles import grants
from tessella.server.store.schema import games, results
from tessella.server.worker import working
from tests.server.clients import Person, play_to_the_end
from tests.server.conftest import POSTGRES
from tests.server.helpers import hosting, member, run, serving
from tests.server.store.conftest import sql

ROLE = f"tessella_worker_{random.getrandbits(32):x}"
BOTS = f"{ROLE}_bots"


@contextmanager
def granted(postgres, role, *options):
    """The address of a database for a role that has the rights of a worker."""
    sql(f"{POSTGRES}/postgres", f"CREATE ROLE {role} LOGIN")
    try:
        assert main(["admin", "grant", role, *options, "--database", postgres]) == 0
        yield postgres.replace("postgres@", f"{role}@")
    finally:
        sql(postgres, f"DROP OWNED BY {role}")
        sql(f"{POSTGRES}/postgres", f"DROP ROLE {role}")


@pytest.fixture
def as_worker(postgres):
    with granted(postgres, ROLE) as url:
        yield url


@pytest.fixture
def as_bots(postgres):
    with granted(postgres, BOTS, "--bots") as url:
        yield url


def test_a_whole_game_is_played_and_a_member_forgotten(as_worker, postgres, port, serve):
    async def use(app):
        ann = await member(port, "Annabelline")
        game = (await ann.set_table("blockers", seats=("me", "random")))["id"]
        start = {"request": {"type": "command", "action": "start", "key": "here-we-go"}}
        assert (await ann.http.post(f"/api/games/{game}/act", json=start)).status_code == 200
        async with ann.connect(game) as socket:
            assert (await play_to_the_end(socket))["status"] == "over"
        assert (await ann.http.delete("/api/me")).status_code == 200
        stranger = Person(port)
        record = (await stranger.http.get(f"/api/games/{game}/record")).json()["record"]
        assert "name 0 deleted" in record

    serving(serve, Settings(database=as_worker, port=port), use)
    assert not sql(postgres, "SELECT 1 FROM entries WHERE body LIKE '%Annabelline%'")


FOR_NOBODY = (
    "UPDATE entries SET body = ''",
    "DELETE FROM entries",
    "SELECT seed FROM seeds",
    "UPDATE games SET sealed = ''",
)
NOT_FOR_WORKERS = (
    "TRUNCATE entries",
    "UPDATE seeds SET seed = ''",
    "DELETE FROM seeds",
    "DELETE FROM games",
    "UPDATE games SET names = '{}'",
    "UPDATE games SET sealed_to = -1",
    "DROP TABLE games",
)
NOT_FOR_BOTS = (
    "INSERT INTO seeds (game, seed) VALUES ('g', '')",
    "SELECT hash FROM sessions",
    "SELECT password FROM people",
    "SELECT login FROM people",
    "UPDATE people SET name = ''",
    "SELECT public_key FROM passkeys",
    "SELECT hash FROM links",
    "SELECT address FROM channels",
    "SELECT value FROM secrets",
    "SELECT person FROM event_entrants",
    "SELECT person FROM seats",
    "SELECT tessella_strike('g', 0, 'x')",
    "SELECT tessella_remove('g', 0)",
    "SELECT tessella_seal('g', 0, '', '', '', '')",
)


@pytest.mark.parametrize(("role", "forbidden"), [("as_worker", NOT_FOR_WORKERS), ("as_bots", NOT_FOR_BOTS)])
def test_what_is_written_stays_seeds_are_not_looked_through_and_bots_know_nothing_of_accounts(request, role, forbidden):
    url = request.getfixturevalue(role)
    for statement in (*FOR_NOBODY, *forbidden):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            sql(url, statement)


def test_bots_play_a_whole_game_and_record_its_result(as_bots, postgres, caplog):
    async def use():
        async with hosting(postgres) as owner, working(Settings(database=as_bots, bots=1), Metrics()):
            game = await table_of_bots(owner)
            while len(await owner.store.run(select(results.c.seat).where(results.c.game == game))) < 2:
                await asyncio.sleep(0.05)

    with caplog.at_level(logging.WARNING):
        run(use(), 300)
    assert not [record for record in caplog.records if record.exc_info]


async def table_of_bots(host):
    room = await open_table(host, Terms("blockers/1 seats=2", rated=True))
    for seat in range(2):
        await sit_bot(host, room, seat, "random")
    await host.append(room, "start", lambda table, secret: table.start(secret))
    host.forget(room)
    return room.table.id


def test_only_names_can_be_struck(as_worker, postgres):
    bodies = ('{"type":"sat","seat":0,"player":"p","name":"Ann"}', '{"type":"played","seat":0,"acts":["1b1"]}')
    for number, body in enumerate(bodies):
        sql(
            postgres,
            f"INSERT INTO entries (game, number, key, body, at) VALUES ('g', {number}, 'k{number}', '{body}', 0)",
        )
    struck = [sql(as_worker, f"SELECT tessella_strike('g', {number}, 'deleted') AS done") for number in range(2)]
    assert [rows[0]["done"] for rows in struck] == [1, None]
    assert [row["body"] for row in sql(postgres, "SELECT body FROM entries ORDER BY number")][1] == bodies[1]


def test_only_tables_that_never_started_can_be_removed(as_worker, postgres):
    async def use():
        async with hosting(as_worker) as host:
            played = await table_of_bots(host)
            room = await open_table(host, Terms("blockers/1 seats=2"))
            await host.append(room, "close", lambda table, secret: table.abort(secret))
            await host.store.run(update(games).values(status="closed", touched=1.0))
            done = [await Retention(host, Settings(database=as_worker)).step() for _ in range(2)]
            return played, done

    played, done = run(use())
    assert done[0]["closed tables"] == 1
    assert {row["game"] for row in sql(postgres, "SELECT DISTINCT game FROM entries")} == {played}
    assert [row["game"] for row in sql(postgres, "SELECT game FROM seeds")] == [played]
    assert [row["id"] for row in sql(postgres, "SELECT id FROM games")] == [played]


def test_nobody_else_may_use_the_functions(postgres):
    other = f"{ROLE}_other"
    sql(postgres, f"CREATE ROLE {other} LOGIN")
    try:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            sql(postgres.replace("postgres@", f"{other}@"), "SELECT tessella_seed('g')")
    finally:
        sql(postgres, f"DROP ROLE {other}")


def test_a_role_is_a_plain_name():
    with pytest.raises(ValueError, match="role"):
        grants('x"; DROP TABLE games')


def test_a_file_has_no_roles(sqlite, capsys):
    assert main(["admin", "grant", "worker", "--database", sqlite]) == 2
    assert "roles" in capsys.readouterr().err
