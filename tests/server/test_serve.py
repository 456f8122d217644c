"""Workers as processes: they start, say what they do without saying who plays, and go quietly."""

import asyncio
import contextlib
import gc
import json
import os
import secrets
import signal
import sqlite3
import subprocess
import sys
import time

import asyncpg
import httpx
import pytest
import websockets

from tessella.server import serve
from tests.server.clients import Person, hear, key, say
from tests.server.conftest import free_port
from tests.server.processes import environment, running, wait_until_ready
from tests.tiers import nightly


def run(coroutine):
    async def main():
        try:
            return await coroutine
        finally:
            await Person.all_go_home()

    return asyncio.run(asyncio.wait_for(main(), 60))


def lines(log):
    return [json.loads(line) for line in log.read_text().splitlines()]


def serving(log, sqlite, port, *arguments, **more):
    return running(log, "serve", "--database", sqlite, "--port", str(port), *arguments, **more)


def test_the_shutdown_is_in_order(tmp_path, sqlite, port):
    async def use(process):
        ann, bob = [await Person.arrive(port, name) for name in ("Ann", "Bob")]
        table = await ann.set_table()
        await bob.join(table)
        async with (
            ann.connect(table["id"]) as socket,
            bob.http.stream("GET", f"/api/games/{table['id']}/stream") as read,
        ):
            streamed = read.aiter_lines()
            await anext(streamed)
            await say(socket, type="hello")
            await hear(socket, "update")
            await say(socket, type="command", key=(first := key()), action="start")
            told = time.monotonic()
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(httpx.TransportError):
                async for _ in streamed:
                    pass
            with pytest.raises(websockets.ConnectionClosed) as closed:
                while (heard := json.loads(await socket.recv()))["type"] != "ack":
                    pass
                assert heard["key"] == first  # what was on its way was written
                while True:
                    await socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        assert process.wait(10) == 0
        assert time.monotonic() - told < 5
        return table["id"]

    with serving(tmp_path / "log", sqlite, port) as process:
        wait_until_ready(port, process)
        game = run(use(process))
    stored = sqlite3.connect(sqlite.removeprefix("sqlite:"))
    assert "started" in [
        json.loads(body)["type"] for (body,) in stored.execute("SELECT body FROM entries WHERE game = ?", [game])
    ]
    stored.close()
    assert [line["event"] for line in lines(tmp_path / "log") if line["level"] == "info"] == ["started", "stopped"]


def test_the_log_tells_no_names_addresses_or_secrets(tmp_path, sqlite, port):
    canary = f"Canary{secrets.token_hex(4)}"
    hidden = [canary]

    async def use():
        ann = await Person.arrive(port, canary)
        bob = await Person.arrive(port, canary + " B")
        cookies = {"cookie": f"tessella={canary}"}
        table = await ann.set_table()
        hidden.extend([table["invitations"][0]["secret"], *ann.http.cookies.values()])
        await bob.join(table)
        await ann.http.post("/api/session", json={"name": canary, "more": canary})
        await ann.http.get(f"/api/games/{canary}")
        await ann.http.get(f"/{canary}?{canary}=1", headers={"authorization": f"Bearer {canary}", **cookies})
        await ann.http.post("/api/games", content=canary * 3000, headers={"origin": f"https://{canary}"})
        with pytest.raises(websockets.InvalidStatus):
            await ann.connect(canary).__aenter__()
        async with ann.connect(table["id"]) as socket:
            await say(socket, type="command", key=key(), action="start")
            await say(socket, type="play", key=key(), number=1, move=canary)
            await socket.send(canary)
            await hear(socket, "ack")
        return table["id"]

    log = tmp_path / "log"
    options = ("--access-log", "--log-level", "debug")
    with serving(log, sqlite, port, *options) as process:
        wait_until_ready(port, process)
        game = run(use())
    text = log.read_text()
    for secret in [*hidden, "127.0.0.1"]:
        assert secret not in text
    told = lines(log)
    assert all({"time", "level", "event"} <= line.keys() for line in told)
    requests = [line for line in told if line["event"] == "request"]
    assert {"method": "POST", "route": "/api/games/{id}/join", "status": 200, "game": game}.items() <= next(
        line.items() for line in requests if line["route"].endswith("/join")
    )
    assert any(line["method"] == "SOCKET" and line["status"] == 101 for line in requests)


def test_an_error_tells_where_it_happened_and_nothing_of_its_text(tmp_path, sqlite, port):
    log = tmp_path / "log"
    with serving(log, sqlite, port) as process:
        wait_until_ready(port, process)
        stored = sqlite3.connect(sqlite.removeprefix("sqlite:"))
        stored.execute("DROP TABLE people")
        stored.commit()
        stored.close()
        assert httpx.post(f"http://127.0.0.1:{port}/api/session", json={"name": "Ann"}).status_code == 500
    wrong = next(line for line in lines(log) if line["level"] == "error")
    assert wrong["error"].startswith("sqlite3.OperationalError")
    assert any("people.py" in place for place in wrong["where"])
    assert "no such table" not in log.read_text()


def test_it_is_ready_when_the_store_answers(tmp_path, sqlite, port):
    def status(path):
        return httpx.get(f"http://127.0.0.1:{port}{path}", timeout=10).status_code

    with serving(tmp_path / "log", sqlite, port) as process:
        wait_until_ready(port, process)
        other = sqlite3.connect(sqlite.removeprefix("sqlite:"), isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        assert status("/ready") == 503
        assert time.monotonic() - began < 3
        assert status("/health") == 200
        other.execute("ROLLBACK")
        other.close()
        wait_until_ready(port, process)


def test_an_older_worker_goes_on_with_newer_tables_that_fit(tmp_path, postgres, port):
    async def step(number):
        connection = await asyncpg.connect(postgres)
        await connection.execute("UPDATE alembic_version SET version_num = $1", number)
        await connection.close()

    def status():
        return httpx.get(f"http://127.0.0.1:{port}/ready", timeout=10).status_code

    arguments = ("serve", "--database", postgres, "--bus", postgres, "--port", str(port))
    with running(tmp_path / "log", *arguments) as process:
        wait_until_ready(port, process)
        asyncio.run(step("9999"))
        assert status() == 200
        asyncio.run(step("9999_since_9998"))
        assert status() == 503
        asyncio.run(step("0000"))
        assert status() == 503
    asyncio.run(step("9999"))
    with running(tmp_path / "log", *arguments) as process:
        wait_until_ready(port, process)
    asyncio.run(step("9999_since_9998"))
    with running(tmp_path / "log", *arguments) as process:
        assert process.wait(20) == 2
    assert "install a newer one" in (tmp_path / "log").read_text()


def test_bots_move_in_a_process_of_their_own(tmp_path, postgres, nats, port):
    common = ("--database", postgres, "--bus", nats)

    async def use():
        ann = await Person.arrive(port, "Ann")
        table = await ann.set_table(seats=("me", "greedy"))
        async with ann.connect(table["id"]) as socket:
            await say(socket, type="command", key=key(), action="start")
            await say(socket, type="hello")
            while not (step := await hear(socket, "update"))["table"]["moves"]:
                pass
            number = step["table"]["number"]
            await say(socket, type="play", key=key(), number=number, move=step["table"]["moves"][0])
            while (step := await hear(socket, "update"))["table"]["number"] < number + 2:
                pass

    with (
        running(tmp_path / "web", "serve", *common, "--port", str(port), "--bots", "0") as web,
        running(tmp_path / "bots", "work", *common, "--bots", "2") as bots,
    ):
        wait_until_ready(port, web)
        run(use())
        bots.terminate()
        assert bots.wait(10) == 0
    assert [line["event"] for line in lines(tmp_path / "bots")] == ["bus connected", "started", "stopped"]


def test_a_bot_worker_with_a_port_answers_to_whoever_runs_it(tmp_path, sqlite, port):
    with running(tmp_path / "log", "work", "--database", sqlite, "--port", str(port)) as process:
        wait_until_ready(port, process)
        assert "tessella_bot_jobs 0" in httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert httpx.get(f"http://127.0.0.1:{port}/api/titles").status_code == 404
        process.terminate()
        assert process.wait(10) == 0


def test_the_browser_opens_when_the_server_is_ready(tmp_path, sqlite, port):
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    with serving(tmp_path / "log", sqlite, port, "--open", BROWSER=str(browser)) as process:
        wait_until_ready(port, process)
        until = time.monotonic() + 10
        while not opened.exists() and time.monotonic() < until:
            time.sleep(0.05)
    assert opened.read_text().strip() == f"http://127.0.0.1:{port}"


def test_a_port_that_is_taken_is_reported_in_one_line(tmp_path, sqlite, port):
    with serving(tmp_path / "one", sqlite, port) as process:
        wait_until_ready(port, process)
        with serving(tmp_path / "two", sqlite, port) as second:
            assert second.wait(20) == 2
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
    """As if the library were not there."""
    program = (
        f"import sys; sys.modules[{library!r}] = None; from tessella.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=environment(XDG_DATA_HOME=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2
    assert (
        done.stderr.splitlines()[-1]
        == f"tessella: {library} is not installed; install it with: pip install 'tessella[{extra}]'"
    )


def test_17_8_a_signal_that_comes_before_the_server_runs_ends_it(tmp_path, sqlite, port):
    early = "os.kill(os.getpid(), signal.SIGTERM)"
    program = (
        "import os, signal, sys; from tessella.server.serve import Server; from tessella.cli import main\n"
        f"run = Server.run; Server.run = lambda self, sockets: ({early}, run(self, sockets))\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    with serving(tmp_path / "log", sqlite, port, command=(sys.executable, "-c", program)) as process:
        assert process.wait(30) == 0


def test_games_in_a_file_need_neither_postgresql_nor_nats(tmp_path, sqlite, port):
    blocked = "for name in ('asyncpg', 'nats', 'greenlet', 'pyarrow'): sys.modules[name] = None\n"
    program = f"import sys\n{blocked}from tessella.cli import main\nsys.exit(main(sys.argv[1:]))"
    command = (sys.executable, "-c", program)
    with serving(tmp_path / "log", sqlite, port, command=command) as process:
        wait_until_ready(port, process)


def test_a_worker_does_not_pause_for_garbage_whenever_many_clients_arrive():
    async def main():
        collector = asyncio.create_task(serve._collect_garbage())
        await asyncio.sleep(0)
        assert gc.get_threshold()[2] == serve.GC_THRESHOLDS[2]
        assert gc.get_freeze_count() > 10_000
        collector.cancel()

    usual = gc.get_threshold()
    try:
        asyncio.run(main())
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)


@pytest.mark.parametrize("command", ["serve", *nightly("work")])
def test_a_second_server_on_one_sqlite_file_is_refused(tmp_path, sqlite, port, command):
    with serving(tmp_path / "log", sqlite, port, "--bots", "0") as process:
        wait_until_ready(port, process)
        words = [sys.executable, "-m", "tessella", command, "--database", sqlite, "--port", str(free_port())]
        second = subprocess.run(words, check=False, capture_output=True, text=True, env=environment(), timeout=60)
        assert second.returncode == 2
        assert f"another server already uses {sqlite}; stop it, or use PostgreSQL" in second.stderr
        listed = [sys.executable, "-m", "tessella", "admin", "list", "--database", sqlite]
        subprocess.run(listed, check=True, capture_output=True, env=environment(), timeout=60)
        process.kill()
        process.wait(10)
    with serving(tmp_path / "log", sqlite, port, "--bots", "0") as process:
        wait_until_ready(port, process)


def test_an_installed_game_that_is_broken_is_logged_once_and_left_out(tmp_path, sqlite, port):
    package = tmp_path / "site" / "acme_games-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-games\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[tessella.games]\nacme = acme_games\n")
    (tmp_path / "site" / "acme_games.py").write_text("1 / 0\n")
    path = os.pathsep.join([str(tmp_path / "site"), *filter(None, [os.environ.get("PYTHONPATH")])])
    with serving(tmp_path / "log", sqlite, port, "--bots", "0", "--log", "json", PYTHONPATH=path) as process:
        wait_until_ready(port, process)
        titles = httpx.get(f"http://127.0.0.1:{port}/api/titles").json()["titles"]
    assert "acme" not in [title["title"] for title in titles]
    (said,) = [line for line in lines(tmp_path / "log") if "acme" in str(line)]
    assert (said["event"], said["title"]) == ("installed game cannot be played", "acme")
    assert said["reason"] == "ZeroDivisionError: division by zero (package acme-games)"
