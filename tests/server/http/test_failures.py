"""Unhandled exceptions: answered as 500 by us, counted, and logged once without the text of the exception."""

import re
import sqlite3

import httpx
import pytest
import websockets
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from proofs.in_process_server import Call, Connection
from tessella.server.http.middleware import observing
from tessella.server.metrics import Metrics
from tessella.server.settings import Settings
from tests.pages import ROOT
from tests.server.clients import Person, close_code, hear, key, say
from tests.server.processes import get, lines, running, wait_until_ready
from tests.server.test_metrics import read

ALARM = re.compile(r'increase\((tessella_requests_total\{status="500"\})\[5m\]\) > 0')
SECRET = "the secret of the exception"


def drop(sqlite, table):
    with sqlite3.connect(sqlite.removeprefix("sqlite:")) as stored:
        stored.execute(f"DROP TABLE {table}")
    stored.close()


def test_the_alert_for_failures_has_a_metric_that_counts_them(tmp_path, sqlite, port):
    """The metric of the very expression of the alert, read from a real worker; it is there before the first failure."""
    (metric,) = ALARM.findall((ROOT / "deploy/prometheus/alerts.yml").read_text())
    log = tmp_path / "log"

    def count():
        return read(get(port, "/metrics").text)[metric]

    with running(log, "serve", "--database", sqlite, "--port", str(port), "--access-log") as process:
        wait_until_ready(port, process)
        assert count() == 0
        drop(sqlite, "people")
        answer = httpx.post(f"http://127.0.0.1:{port}/api/session", json={"name": "Ann"}, timeout=60)
        assert answer.status_code == 500
        assert set(answer.json()) == {"rule", "message"}
        assert "people" not in answer.text
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert count() == 1
    errors = [line for line in lines(log) if line["level"] == "error"]
    assert [(line["event"], line["route"]) for line in errors] == [("request failed", "/api/session")]
    assert errors[0]["error"].startswith("sqlite3.OperationalError")
    assert any("people.py" in place for place in errors[0]["where"])
    assert "no such table" not in log.read_text()
    requests = [line["status"] for line in lines(log) if line.get("route") == "/api/session" and "seconds" in line]
    assert requests == [500]


async def test_a_socket_that_fails_is_closed_and_counted(tmp_path, sqlite, port):
    log = tmp_path / "log"
    with running(log, "serve", "--database", sqlite, "--port", str(port), "--access-log", "--bots", "0") as process:
        wait_until_ready(port, process)
        ann = await Person.arrive(port, "Ann")
        game = (await ann.set_table())["id"]
        async with ann.connect(game) as socket:
            await hear(socket, "presence")
            drop(sqlite, "entries")
            await say(socket, type="command", key=key(), action="start")
            assert await close_code(socket) == 1011
        drop(sqlite, "sessions")
        with pytest.raises(websockets.InvalidStatus) as refused:
            await ann.connect(game).__aenter__()
        assert refused.value.response.status_code == 500
        metrics = read((await ann.http.get("/metrics")).text)
    assert metrics['tessella_requests_total{status="500"}'] == 2
    assert metrics["tessella_sockets"] == 0
    assert [line["status"] for line in lines(log) if line.get("method") == "SOCKET" and "seconds" in line] == [500, 500]
    failed = lines(log, "request failed")
    assert [line["error"].partition(" ")[0] for line in failed] == ["sqlite3.OperationalError"] * 2
    assert "run_asgi" not in " ".join(line["event"] for line in lines(log))


def surrounded(routes):
    """An application with what stands around ours."""
    metrics = Metrics()
    app = Starlette(routes=routes, middleware=observing(Settings(access_log=True), metrics))
    return app, metrics


def answers_of(metrics):
    """The number of answers by status."""
    return {
        int(sample.labels["status"]): sample.value for each in metrics.requests.collect() for sample in each.samples
    }


async def test_a_stream_that_fails_is_counted_and_cut_off():
    async def stream(_):
        async def pieces():
            yield b"one"
            raise RuntimeError(SECRET)

        return StreamingResponse(pieces())

    app, metrics = surrounded([Route("/", stream)])
    connection = Connection(app, Call("GET", "/").scope("http"))
    await connection.leave()
    assert answers_of(metrics) == {200: 1, 500: 1}
    assert not any(message.get("more_body") is False for message in connection.heard)  # so the server cuts it off


async def test_a_client_that_leaves_is_no_failure(caplog):
    async def body(request: Request):
        await request.body()

    async def gone():
        return {"type": "http.disconnect"}

    async def send(message):
        raise AssertionError(message)

    app, metrics = surrounded([Route("/", body, methods=["POST"])])
    caplog.set_level("INFO", "tessella")
    await app(Call("POST", "/").scope("http"), gone, send)
    assert answers_of(metrics) == {500: 0}
    assert [(record.getMessage(), record.__dict__["status"]) for record in caplog.records] == [("request", 499)]
