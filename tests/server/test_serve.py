"""Workers as processes: they start, say what they do without saying who plays, and go quietly."""

import asyncio
import contextlib
import gc
import json
import os
import secrets
import signal
import sqlite3
import sys

import asyncpg
import httpx
import pytest
import websockets

from tessella import cli
from tessella.server import serve
from tests.server.clients import Person, bearer, close_code, hear, key, say, two_at_a_table
from tests.server.conftest import free_port
from tests.server.processes import get, lines, running, wait_until_ready
from tests.server.waiting import wait_for
from tests.tiers import nightly

MAIN = "import sys\nfrom tessella.cli import main\nsys.exit(main(sys.argv[1:]))"


@contextlib.contextmanager
def serving(log, sqlite, port, *arguments, **more):
    """A server that is ready."""
    with running(log, "serve", "--database", sqlite, "--port", str(port), *arguments, **more) as process:
        wait_until_ready(port, process)
        yield process


async def test_the_shutdown_is_in_order(tmp_path, sqlite, port):
    with serving(tmp_path / "log", sqlite, port) as process:
        ann, bob, game = await two_at_a_table(port)
        async with ann.connect(game) as socket, bob.http.stream("GET", f"/api/games/{game}/stream") as read:
            streamed = read.aiter_lines()
            await anext(streamed)
            await say(socket, type="hello")
            await hear(socket, "update")
            await say(socket, type="command", key=(first := key()), action="start")
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(httpx.TransportError):
                async for _ in streamed:
                    pass
            assert (await hear(socket, "ack"))["key"] == first  # what was on its way was written
            assert await close_code(socket) == 1012
        assert process.wait(60) == 0
    with contextlib.closing(sqlite3.connect(sqlite.removeprefix("sqlite:"))) as stored:
        bodies = stored.execute("SELECT body FROM entries WHERE game = ?", [game]).fetchall()
    assert "started" in [json.loads(body)["type"] for (body,) in bodies]
    assert [line["event"] for line in lines(tmp_path / "log") if line["level"] == "info"] == ["started", "stopped"]


async def test_the_log_tells_no_names_addresses_or_secrets(tmp_path, sqlite, port):
    canary, log = f"Canary{secrets.token_hex(4)}", tmp_path / "log"
    with serving(log, sqlite, port, "--access-log", "--log-level", "debug"):
        ann, bob = [await Person.arrive(port, name) for name in (canary, canary + " B")]
        table = await ann.set_table()
        hidden = [canary, "127.0.0.1", table["invitations"][0]["secret"], *ann.http.cookies.values()]
        await bob.join(table)
        await ann.http.post("/api/session", json={"name": canary, "more": canary})
        await ann.http.get(f"/api/games/{canary}")
        await ann.http.get(f"/{canary}?{canary}=1", headers=bearer(canary) | {"cookie": f"tessella={canary}"})
        await ann.http.post("/api/games", content=canary * 3000, headers={"origin": f"https://{canary}"})
        with pytest.raises(websockets.InvalidStatus):
            await ann.connect(canary).__aenter__()
        async with ann.connect(table["id"]) as socket:
            await say(socket, type="command", key=key(), action="start")
            await say(socket, type="play", key=key(), number=1, move=canary)
            await socket.send(canary)
            await hear(socket, "ack")
    text = log.read_text()
    assert not [secret for secret in hidden if secret in text]
    assert all({"time", "level", "event"} <= line.keys() for line in lines(log))
    requests = lines(log, "request")
    joined = next(line for line in requests if line["route"].endswith("/join"))
    expected = {"method": "POST", "route": "/api/games/{id}/join", "status": 200, "game": table["id"]}
    assert expected.items() <= joined.items()
    assert any(line["method"] == "SOCKET" and line["status"] == 101 for line in requests)


def test_it_is_ready_when_the_store_answers(tmp_path, sqlite, port):
    with serving(tmp_path / "log", sqlite, port) as process:
        other = sqlite3.connect(sqlite.removeprefix("sqlite:"), isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        assert get(port, "/ready").status_code == 503
        assert get(port, "/health").status_code == 200
        other.execute("ROLLBACK")
        other.close()
        wait_until_ready(port, process)


def test_an_older_worker_goes_on_with_newer_tables_that_fit(tmp_path, postgres, port):
    async def step(number):
        connection = await asyncpg.connect(postgres)
        await connection.execute("UPDATE alembic_version SET version_num = $1", number)
        await connection.close()

    arguments = ("serve", "--database", postgres, "--bus", postgres, "--port", str(port))
    with running(tmp_path / "log", *arguments) as process:
        wait_until_ready(port, process)
        asyncio.run(step("9999"))
        assert get(port, "/ready").status_code == 200
        asyncio.run(step("9999_since_9998"))
        assert get(port, "/ready").status_code == 503
        asyncio.run(step("0000"))
        assert get(port, "/ready").status_code == 503
    asyncio.run(step("9999"))
    with running(tmp_path / "log", *arguments) as process:
        wait_until_ready(port, process)
    asyncio.run(step("9999_since_9998"))
    with running(tmp_path / "log", *arguments) as process:
        assert process.wait(60) == 2
    assert "install a newer one" in (tmp_path / "log").read_text()


def test_a_bot_worker_with_a_port_answers_to_whoever_runs_it(tmp_path, sqlite, port):
    with running(tmp_path / "log", "work", "--database", sqlite, "--port", str(port)) as process:
        wait_until_ready(port, process)
        assert "tessella_bot_jobs 0" in get(port, "/metrics").text
        assert get(port, "/api/titles").status_code == 404
        process.terminate()
        assert process.wait(60) == 0


def test_the_browser_opens_when_the_server_is_ready(tmp_path, sqlite, port):
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    with serving(tmp_path / "log", sqlite, port, "--open", BROWSER=str(browser)):
        wait_for(opened.exists)
    assert opened.read_text().strip() == f"http://127.0.0.1:{port}"


def test_a_port_that_is_taken_is_reported_in_one_line(tmp_path, sqlite, port):
    with serving(tmp_path / "one", sqlite, port):
        command = ("serve", "--database", sqlite, "--port", str(port))
        with running(tmp_path / "two", *command) as second:
            assert second.wait(60) == 2
    said = (tmp_path / "two").read_text()
    assert said == f"tessella: cannot listen on 127.0.0.1 port {port}: Address already in use\n"


@pytest.mark.parametrize(
    ("library", "extra", "arguments"),
    [
        ("uvicorn", "server", ["serve"]),
        ("asyncpg", "scale", ["admin", "list", "--database", "postgresql://127.0.0.1/x"]),
        ("nats", "scale", ["serve", "--bus", "nats://127.0.0.1:4222"]),
    ],
)
def test_a_missing_extra_is_named_in_a_sentence(tmp_path, library, extra, arguments):
    command = (sys.executable, "-c", f"import sys\nsys.modules[{library!r}] = None\n{MAIN}")
    with running(tmp_path / "log", *arguments, command=command, XDG_DATA_HOME=str(tmp_path)) as process:
        assert process.wait(120) == 2
    assert (tmp_path / "log").read_text().splitlines()[-1] == (
        f"tessella: {library} is not installed; install it with: pip install 'tessella[{extra}]'"
    )


def test_a_signal_that_comes_before_the_server_runs_ends_it(tmp_path, sqlite, port):
    early = "os.kill(os.getpid(), signal.SIGTERM)"
    program = (
        "import os, signal\nfrom tessella.server.serve import Server\n"
        f"run = Server.run; Server.run = lambda self, sockets: ({early}, run(self, sockets))\n{MAIN}"
    )
    arguments = ("serve", "--database", sqlite, "--port", str(port))
    with running(tmp_path / "log", *arguments, command=(sys.executable, "-c", program)) as process:
        assert process.wait(60) == 0


def test_games_in_a_file_need_neither_postgresql_nor_nats(tmp_path, sqlite, port):
    blocked = "for name in ('asyncpg', 'nats', 'greenlet', 'pyarrow'): sys.modules[name] = None\n"
    with serving(tmp_path / "log", sqlite, port, command=(sys.executable, "-c", f"import sys\n{blocked}{MAIN}")):
        pass


async def test_a_worker_does_not_pause_for_garbage_whenever_many_clients_arrive():
    usual = gc.get_threshold()
    collector = asyncio.create_task(serve._collect_garbage())
    try:
        await asyncio.sleep(0)
        assert gc.get_threshold()[2] == serve.GC_THRESHOLDS[2]
        assert gc.get_freeze_count() > 10_000
    finally:
        collector.cancel()
        gc.unfreeze()
        gc.set_threshold(*usual)


@pytest.mark.parametrize("command", ["serve", *nightly("work")])
def test_a_second_server_on_one_sqlite_file_is_refused(tmp_path, sqlite, port, command):
    with serving(tmp_path / "log", sqlite, port, "--bots", "0") as process:
        with running(tmp_path / "second", command, "--database", sqlite, "--port", str(free_port())) as second:
            assert second.wait(60) == 2
        refused = f"another server already uses {sqlite}; stop it, or use PostgreSQL"
        assert refused in (tmp_path / "second").read_text()
        assert cli.main(["admin", "list", "--database", sqlite]) == 0
        process.kill()
        process.wait(60)
    with serving(tmp_path / "log", sqlite, port, "--bots", "0"):
        pass


def test_an_installed_game_that_is_broken_is_logged_once_and_left_out(tmp_path, sqlite, port):
    package = tmp_path / "site" / "acme_games-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-games\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[tessella.games]\nacme = acme_games\n")
    (tmp_path / "site" / "acme_games.py").write_text("1 / 0\n")
    path = os.pathsep.join([str(tmp_path / "site"), *filter(None, [os.environ.get("PYTHONPATH")])])
    with serving(tmp_path / "log", sqlite, port, "--bots", "0", "--log", "json", PYTHONPATH=path):
        titles = get(port, "/api/titles").json()["titles"]
    assert "acme" not in [title["title"] for title in titles]
    (said,) = [line for line in lines(tmp_path / "log") if "acme" in str(line)]
    assert (said["event"], said["title"]) == ("installed game cannot be played", "acme")
    assert said["reason"] == "ZeroDivisionError: division by zero (package acme-games)"
