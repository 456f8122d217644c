"""In a database of years, every page and every worker reads few rows, and soon.

CI fills a fiftieth of it and counts rows; the whole is slow (`-m slow`), and there the time is measured too. To use a
database that is filled already, and see the figures:
`TESSELLA_BIG_DATABASE=postgresql://…/name TESSELLA_BIG_SIZE=1 pytest -s tests/server/store/test_big_database.py`.
A new page with a parameter or a new chore is one line in `PAGES` or `CHORES`; a new route without one fails.
"""

import contextlib
import os
import random
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import md5
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import select, update

from tessella.server.admin import archive
from tessella.server.admin import games as admin_games
from tessella.server.cluster import heartbeats
from tessella.server.http.api import ROUTES
from tessella.server.people import accounts
from tessella.server.people.identity import add_session, find_person
from tessella.server.rooms.duplicate import open_match
from tessella.server.rooms.history import read_finished
from tessella.server.rooms.room import Viewer
from tessella.server.services import data_rights, ratings, reviews, revocation
from tessella.server.services.clubs.membership import ClubTerms, create_club
from tessella.server.services.events.entries import Terms
from tessella.server.services.events.entries import create as create_event
from tessella.server.services.housekeeping import Housekeeper
from tessella.server.services.news import channels, delivery, turns
from tessella.server.services.outgoing import Door
from tessella.server.services.ratings import ResultRecorder
from tessella.server.services.retention import Retention
from tessella.server.services.sealing import Sealer
from tessella.server.settings import Settings
from tessella.server.store.postgres import _plan_plainly
from tessella.server.store.schema import games, people, results, sessions
from tessella.table.log import Live
from tests.server.clients import Person, key
from tests.server.conftest import POSTGRES
from tests.server.helpers import hosting, run
from tests.server.queries import Recorder, measure_all, sizes
from tests.server.store.conftest import sql

SCRIPT = Path(__file__).parents[3] / "scripts" / "big-database"
MOST_MILLISECONDS = 50.0
WATCHED = 300
BROKEN = 250
WITHOUT_RESULTS = 300
MOST_ROWS = 1_200
"""No scan of a large table reads more rows than this for one statement, however large the table is."""
LARGE = frozenset(
    ("channels", "departures", "entries", "games", "jobs", "links", "news", "passkeys", "people", "ratings", "results")
) | {"blocks", "follows", "invitations", "reports", "reviews", "seats", "seeds", "sessions"}

# What is asked for: by HTTP as the member with the most games, or by calling what a worker calls.

PAGES = {
    "/api/people/{id}": "/api/people/{other}",
    "/api/titles/{title}/texts/{language}": "/api/titles/azul/texts/en",
    "/api/games/{id}": "/api/games/{game}",
    "/api/games/{id}/invitations": "/api/games/{open}/invitations",
    "/api/games/{id}/entries": "/api/games/{game}/entries",
    "/api/games/{id}/record": "/api/games/{game}/record",
    "/api/games/{id}/replay": "/api/games/{game}/replay",
    "/api/games/{id}/review": "/api/games/{game}/review",
    "/api/games/{id}/people": "/api/games/{game}/people",
    "/api/matches/{id}": "/api/matches/{match}",
    "/api/leaderboard/{title}/{seats}": "/api/leaderboard/azul/2",
    "/api/ladder/{title}/{seats}": "/api/ladder/azul/2",
    "/api/reviews/{id}": "/api/reviews/{game}",
    "/api/reviews/{id}/lines/{number}": "/api/reviews/{game}/lines/1",
    "/api/daily/{day}/{title}": "/api/daily/2026-01-02/azul",
    "/api/moderate/people/{id}": "/api/moderate/people/{other}",
    "/api/events/{id}": "/api/events/{event}",
    "/api/events/{id}/version": "/api/events/{event}/version",
    "/api/clubs/{id}": "/api/clubs/{club}",
}
NOT_ASKED = {"/api/me/data"}  # everything about somebody: as long as their history, so measured for somebody else below
NOT_ASKED |= {f"/api/puzzles{rest}" for rest in ("", "/daily", "/{id}", "/{id}/preview")}  # these read no table
NOT_ASKED |= {f"/api/lessons{rest}" for rest in ("", "/{title}", "/{title}/{step}/preview")}
NOT_ASKED |= {"/api/replay/{title}/{acts}"}
ASKED = {route.path: PAGES.get(route.path, route.path) for route in ROUTES if route.method == "GET"}
MISSING = (
    "/api/games/{id}/review",
    "/api/pairing",
    "/api/reviews/{id}",
    "/api/reviews/{id}/lines/{number}",
    "/api/titles/{title}/texts/{language}",
)
"""Pages that are not there, which must be found out as soon."""


def person_id(number):
    """As the script makes them."""
    return "p" + md5(f"person {number}".encode(), usedforsecurity=False).hexdigest()[:12]


class World:
    """A worker in a big database, and whom and what it is asked about."""

    def __init__(self, host, port, secret, folder) -> None:
        self.host = host
        self.store = host.store
        self.folder = folder
        self.browser = Person(port)
        self.browser.http.cookies["tessella"] = secret
        self.names: dict[str, str] = {}
        self.recorder = ResultRecorder(host)
        self.keeper = Housekeeper(host, Settings())
        self.retention = Retention(host, Settings())
        self.sealer = Sealer(host, Settings())

    async def learn(self):
        """Whom and what there is to ask about."""
        self.busiest, self.bot, self.member = [await self.person(number) for number in (1, 2, 303)]
        mine = select(results.c.game).where(results.c.person == self.busiest.id, games.c.number > 20)
        (row,) = await self.store.run(
            mine.join(games, games.c.id == results.c.game).order_by(results.c.ended.desc()).limit(1)
        )
        match = await open_match(self.host, "azul/1 seats=2 wall=coloured", None, 2)
        made = await self.post("/api/games", title="azul", seats=[{"kind": "me"}, {"kind": "open"}])
        event = await create_event(self.store, Terms("Cup", "azul/1 seats=2", Live(), "swiss", 2, 3, 9e9, bots=8))
        self.names = {"other": self.member.id, "game": row["game"], "match": match.id, "open": made["id"]}
        self.names["event"] = event
        self.names["club"] = await create_club(self.store, ClubTerms("Tilers", is_open=True), self.busiest)
        watched = await self.store.run(select(games.c.id).where(games.c.status == "playing").limit(WATCHED))
        held = await self.store.run(select(sessions.c.hash).limit(WATCHED))
        for table, session in zip(watched, held, strict=True):
            room = await self.host.room(table["id"])
            assert room is not None
            room.viewers[Viewer("", lambda _: None, session=session["hash"], person="p")] = None

    async def person(self, number):
        found = await find_person(self.store, person_id(number))
        assert found is not None
        return found

    async def get(self, path):
        return await self.browser.http.get(path.format_map(self.names))

    async def post(self, path, **body):
        answer = await self.browser.http.post(path.format_map(self.names), json=body)
        assert answer.is_success, answer.text
        return answer.json()

    async def play(self):
        """A table is set, somebody joins, and both give a number, start and leave."""
        seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
        table = await self.post("/api/games", title="azul", seats=seats)
        request = {"type": "command", "key": key(), "action": "start"}
        await self.post(f"/api/games/{table['id']}/act", request=request)
        await self.post(f"/api/games/{table['id']}/act", request=request | {"key": key(), "action": "resign"})

    async def join(self):
        open_tables = (await self.get("/api/games")).json()["games"]
        await self.post(f"/api/games/{open_tables[0]['id']}/join", seat=1)

    async def wait(self):
        await self.post("/api/pairing", title="azul", seats=2, pace="days")

    async def record_one(self):
        done = await read_finished(self.store, self.names["game"])
        assert done is not None
        await ratings.record_results(self.store, done.table, done.ended)
        await ratings._statements(self.store, done.table, done.ended)

    async def lease(self):
        for kind in ("move", "quick", "review"):
            if (job := await self.store.lease("worker", 60, kind)) is not None:
                await self.store.renew(job, "worker", 60)
                await self.store.finish(job, "worker", 0.0)

    async def late_clocks(self):
        self.keeper._known_until = await self.store.now()
        await self.keeper._sweep()

    async def watched_tables(self):
        """Tables that are watched here: their numbers, and whether the watchers' sessions have ended."""
        await self.keeper._check_for_lost_notifications()
        await revocation.close_revoked(self.host)

    async def beat(self):
        await heartbeats.write_heartbeat(self.store, "worker")
        await heartbeats.record_gaps(self.store)

    async def look_for_turns(self):
        now = await self.store.now()
        await turns.write_news(self.store, now - delivery.LOOKBACK_SECONDS, now)
        await delivery.Notifier(self.host, Door()).deliver()

    async def list_games(self):
        for status in ("", *admin_games.STATUSES):
            await admin_games.list_games(self.store, status, 20)

    async def first_page_of_archive(self):
        day = datetime.now(UTC).date() - timedelta(days=1)
        async for page in archive._games(self.store, day):
            assert page
            break

    async def import_record(self):
        path = await admin_games.export(self.store, self.names["game"], self.folder)
        assert path is not None
        await admin_games.import_record(self.store, path.read_text())

    async def all_ids(self):
        for only_over in (False, True):
            ids = admin_games.all_games(self.store, only_over=only_over)
            for _ in range(admin_games.PAGE_GAMES + 1):
                await anext(ids)

    async def erase(self):
        await data_rights.erase(self.host, await self.person(7))

    async def log_in(self):
        for login in ("player-4", "nobody"):
            with contextlib.suppress(ValueError):
                await accounts.check_login(self.store, login, "not the password")

    async def review(self):
        done = await read_finished(self.store, self.names["game"])
        assert done is not None
        await reviews.ask_for_review(self.store, f"record-{key()}", done.table.record())


CHORES: dict[str, Callable[[World], Awaitable[object]]] = {
    "a guest arrives": lambda world: Person(world.browser.port).http.post("/api/session", json={"name": "Eve"}),
    "a game": World.play,
    "joining": World.join,
    "pairing": World.wait,
    "logging in": World.log_in,
    "everything about somebody": lambda world: data_rights.data_of(world.store, world.member),
    "bot accounts": lambda world: accounts.bots_of(world.store, world.busiest),
    "rated games of a bot": lambda world: ratings.rated_games_of(world.store, world.bot.id),
    "deleting an account": World.erase,
    "asking for a review": World.review,
    "jobs": World.lease,
    "metrics": lambda world: world.get("/metrics"),
    "settling": lambda world: world.recorder.sweep(),
    "recording a game": World.record_one,
    "late clocks": World.late_clocks,
    "watched tables": World.watched_tables,
    "heartbeats": World.beat,
    "turns to tell of": World.look_for_turns,
    "browsers without a session": lambda world: channels.remove_expired(world.store),
    "removing what is old": lambda world: world.retention.step(),
    "sealing": lambda world: world.sealer.seal_some(),
    "admin list": World.list_games,
    "admin archive": World.first_page_of_archive,
    "admin import": World.import_record,
    "admin verify --all": World.all_ids,
}
MORE_ROWS = {"admin list": admin_games.MOST_COUNTED + 1, "metrics": 25_000}
"""These count up to 10,000; jobs of another kind may lie between those that are counted."""


# The database


@pytest.fixture(scope="module")
def filled():
    """`filled(size)` is the address of a database of that size; each is filled once."""
    made = {}
    given = os.environ.get("TESSELLA_BIG_DATABASE", "")

    def fill(size):
        if given:
            return given
        if size not in made:
            made[size] = f"tessella_test_big_{random.getrandbits(48):x}"
            sql(f"{POSTGRES}/postgres", f"CREATE DATABASE {made[size]}")
            command = [sys.executable, str(SCRIPT), f"{POSTGRES}/{made[size]}", "--size", str(size)]
            subprocess.run(command, check=True, timeout=1_800)
        return f"{POSTGRES}/{made[size]}"

    yield fill
    for name in made.values():
        sql(f"{POSTGRES}/postgres", f"DROP DATABASE {name} WITH (FORCE)")


SIZES = [0.02, pytest.param(1.0, marks=pytest.mark.slow)]


def test_every_page_is_measured():
    assert ASKED.keys() >= PAGES.keys() | NOT_ASKED
    assert [path for path, asked in ASKED.items() if path == asked and "{" in path and path not in NOT_ASKED] == []


@pytest.mark.parametrize("size", SIZES)
def test_no_page_and_no_worker_reads_a_large_table(size, filled, port, serve, tmp_path, monkeypatch):
    recorder = Recorder(monkeypatch)
    url = filled(size)

    async def use():
        async with serve(Settings(database=url, port=port, bots=0)) as app:
            busiest = await _person(app, 1)
            await app.state.host.store.run(update(people).where(people.c.id == busiest.id).values(moderator=True))
            secret = await add_session(app.state.host.store, busiest, "cookie")
            world = World(app.state.host, port, secret, tmp_path)
            try:
                await world.learn()
                return await _costs(world, recorder, url, size)
            finally:
                await Person.all_go_home()

    costs, rows_in = run(use(), 1_800)
    for name, found in costs.items():
        print(f"{max(cost.milliseconds for cost in found):8.1f} ms  {name}")  # noqa: T201  for whoever runs it with -s
    judged = [(name, cost) for name, found in costs.items() for cost in found]
    wrong = [problem for name, cost in judged for problem in _wrong(name, cost, rows_in, size)]
    assert not wrong, "\n".join(wrong)


async def _person(app, number):
    found = await find_person(app.state.host.store, person_id(number))
    assert found is not None
    return found


@contextlib.asynccontextmanager
async def measuring(url, size=1.0):
    """A connection as a store has. Where tables are small rows are made dear, so that plans are those of large ones."""
    connection = await asyncpg.connect(url)
    try:
        await _plan_plainly(connection)
        if size < 1:
            await connection.execute(
                "SET cpu_tuple_cost = 1; SET cpu_index_tuple_cost = 1; SET enable_bitmapscan = off"
            )
        yield connection
    finally:
        await connection.close()


async def _costs(world, recorder, url, size):
    """What each statement of each page and chore costs."""
    pages: dict[str, Callable[[World], Awaitable[object]]]
    pages = {f"GET {path}": partial(_get, path=path) for path in sorted(ASKED.keys() - NOT_ASKED)}
    costs = {}
    async with measuring(url, size) as connection:
        rows_in = await sizes(connection, LARGE)  # as filled: chores remove rows
        for name, ask in {**pages, **CHORES}.items():
            with recorder.recording() as statements:
                await ask(world)
            costs[name] = await measure_all(connection, statements.values(), LARGE, timed=size >= 1)
        return {name: found for name, found in costs.items() if found}, rows_in


async def _get(world, path):
    answer = await world.get(ASKED[path])
    assert answer.is_success or (path in MISSING and answer.status_code == 404), (path, answer.text)


def _wrong(name, cost, rows_in, size):
    """What is wrong with a statement; times are judged where all rows are."""
    if size >= 1 and cost.milliseconds > MOST_MILLISECONDS:
        yield f"{name}: {cost.milliseconds:.0f} ms: {cost.sql}"
    for table, how, rows in cost.scanned:
        from_end_to_end = how == "Seq Scan" and 2 * rows > rows_in[table]
        if rows > MORE_ROWS.get(name, MOST_ROWS) or (from_end_to_end and name not in MORE_ROWS):
            yield f"{name}: {how} of {table} reads {rows} rows: {cost.sql}"


# Settling


@contextlib.asynccontextmanager
async def left_to_record(connection):
    """No game is marked as recorded, some have no results, and some of the oldest cannot be read for the time being."""
    over = "FROM games WHERE status = 'over' AND sealed_to < 0 ORDER BY"
    unreadable = f"number = 0 AND game IN (SELECT id {over} touched LIMIT {BROKEN})"
    for statement in (
        f"UPDATE entries SET body = '!' || body WHERE {unreadable}",
        f"DELETE FROM results WHERE game IN (SELECT id {over} touched LIMIT {BROKEN})",
        f"DELETE FROM results WHERE game IN (SELECT id {over} id LIMIT {WITHOUT_RESULTS})",
        "UPDATE games SET recorded = false WHERE status = 'over'",
        "VACUUM ANALYZE games",
    ):
        await connection.execute(statement)
    yield
    await connection.execute(f"UPDATE entries SET body = substr(body, 2) WHERE {unreadable}")


@pytest.mark.parametrize("size", SIZES)
def test_recording_results_catches_up_with_all_games_in_pages(size, filled, monkeypatch, caplog):
    """No game is marked as recorded, some have no results, and more than a page of the oldest cannot be read."""
    recorder = Recorder(monkeypatch)
    url = filled(size)

    async def use():
        async with hosting(url) as host, measuring(url, size) as connection, left_to_record(connection):
            with recorder.recording() as statements:
                await ResultRecorder(host).sweep()
            unrecorded = "SELECT count(*) FROM games WHERE status = 'over' AND NOT recorded"
            costs = await measure_all(connection, statements.values(), LARGE, timed=size >= 1)
            return await connection.fetchval(unrecorded), costs, await sizes(connection, LARGE)

    left, costs, rows_in = run(use(), 3_600)
    assert left == BROKEN
    assert len({record.game for record in caplog.records if "results not recorded" in record.message}) == BROKEN
    wrong = [problem for cost in costs for problem in _wrong("settling", cost, rows_in, size)]
    assert not wrong, "\n".join(wrong)
