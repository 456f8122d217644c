"""The alerts and the dashboard for hosts: each alert fires for its fault, and both use metrics that exist."""

import contextlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import asyncpg
import httpx
import pytest
import yaml

from tessella.server.metrics import Metrics
from tests.server.conftest import POSTGRES, free_port
from tests.server.helpers import run
from tests.server.processes import running, wait_until_ready
from tests.server.waiting import wait_for

ROOT = Path(__file__).parents[2]
ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
CONFIGURATION = ROOT / "deploy" / "prometheus" / "prometheus.yml"
DASHBOARD = ROOT / "deploy" / "grafana" / "tessella.json"
CASES = ROOT / "tests" / "server" / "alerts_test.yml"
GUIDE = ROOT / "docs" / "guides" / "watch-over-it.md"
RULES = [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]
NAMES = {rule["alert"] for rule in RULES}

needs_prometheus = pytest.mark.skipif(
    not (shutil.which("promtool") and shutil.which("prometheus")), reason="needs Debian's package prometheus"
)


def existing_metrics():
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", Metrics().text().decode(), re.MULTILINE))
    histograms = [name for name, kind in kinds.items() if kind == "histogram"]
    return kinds.keys() | {f"{name}_{part}" for name in histograms for part in ("bucket", "sum", "count")}


def metrics_in(text):
    return set(re.findall(r"\b(?:tessella|process)_[a-z_]+", text))


def dashboard_expressions():
    whole = json.loads(DASHBOARD.read_text())
    asked = [target["expr"] for panel in whole["panels"] for target in panel["targets"]]
    return asked + [variable["query"] for variable in whole["templating"]["list"]]


def test_alerts_and_dashboard_use_metrics_that_the_server_has():
    used = metrics_in(" ".join(rule["expr"] for rule in RULES)) | metrics_in(" ".join(dashboard_expressions()))
    assert len(used) > 20
    assert used <= existing_metrics()


def test_the_dashboard_shows_every_metric_of_ours():
    shown = {re.sub("_bucket$", "", name) for name in metrics_in(" ".join(dashboard_expressions()))}
    ours = {name for name in existing_metrics() if name.startswith("tessella_")}
    ours = {name for name in ours if not re.search("_(bucket|sum|count)$", name)}
    assert ours - shown == {"tessella_bot_jobs_done_total", "tessella_messages_sent_total"}, "of these one is enough"


def test_every_panel_has_a_title_a_reason_and_a_place_of_its_own():
    panels = json.loads(DASHBOARD.read_text())["panels"]
    assert all(panel["title"] and panel["description"].endswith(".") for panel in panels)
    assert len({(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}) == len(panels)
    assert len({panel["id"] for panel in panels}) == len(panels)


def test_every_alert_is_tried_with_its_fault_and_without_and_is_explained():
    tried = [case for test in yaml.safe_load(CASES.read_text())["tests"] for case in test["alert_rule_test"]]
    assert {case["alertname"] for case in tried if case.get("exp_alerts")} == NAMES
    assert {case["alertname"] for case in tried if not case.get("exp_alerts")} == NAMES
    guide = GUIDE.read_text()
    assert all(f"`{name}`" in guide for name in NAMES)


@needs_prometheus
def test_prometheus_accepts_the_rules_and_the_configuration():
    for command in (("check", "rules", ALERTS), ("check", "config", CONFIGURATION), ("test", "rules", CASES)):
        done = subprocess.run(["promtool", *command], capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def watched(postgres, tmp_path):
    """A worker with a bus and without bots, and a Prometheus that asks it every second; alerts do not wait."""
    ports = {name: free_port() for name in ("nats", "worker", "prometheus")}
    (tmp_path / "alerts.yml").write_text(re.sub(r"^ +for: .*\n", "", ALERTS.read_text(), flags=re.MULTILINE))
    text = (
        CONFIGURATION.read_text()
        .replace("15s", "1s\n  evaluation_interval: 1s")
        .replace(":8642", f":{ports['worker']}")
    )
    (tmp_path / "prometheus.yml").write_text(text)
    nats = shutil.which("nats-server", path="/usr/sbin:/usr/bin:/usr/local/bin")
    assert nats, "apt-get install nats-server"
    serve = ("serve", "--database", postgres, "--bus", f"nats://127.0.0.1:{ports['nats']}", "--bots", "0", "--no-open")
    watch = (f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/tsdb")
    with contextlib.ExitStack() as stack:
        bus = running(tmp_path / "nats.log", "-a", "127.0.0.1", "-p", str(ports["nats"]), command=(nats,))
        started = {"bus": stack.enter_context(bus)}
        started["worker"] = stack.enter_context(
            running(tmp_path / "worker.log", *serve, "--port", str(ports["worker"]))
        )
        wait_until_ready(ports["worker"], started["worker"])
        address = f"--web.listen-address=127.0.0.1:{ports['prometheus']}"
        stack.enter_context(running(tmp_path / "prometheus.log", *watch, address, command=("prometheus",)))
        yield ports, started


def asked(port, what, **parameters):
    """What Prometheus answers, if it does."""
    with contextlib.suppress(httpx.TransportError):
        answer = httpx.get(f"http://127.0.0.1:{port}/api/v1/{what}", params=parameters, timeout=60)
        return answer.json()["data"] if answer.status_code == 200 else None
    return None


def firing(port):
    if (data := asked(port, "alerts")) is None:
        return None
    return {alert["labels"]["alertname"] for alert in data["alerts"]} - {"TessellaSlowStore"}  # it may really be slow


def is_scraped(port):
    data = asked(port, "query", query="tessella_bus_connected == 1")
    return data is not None and bool(data["result"])


async def cut_off(database):
    """Let nobody connect to a database any more."""
    name = database.rpartition("/")[2]
    connection = await asyncpg.connect(f"{POSTGRES}/postgres")
    await connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    await connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
    await connection.close()


@pytest.mark.slow
@needs_prometheus
def test_real_faults_make_real_alerts_fire(watched, postgres):
    ports, started = watched
    url = f"http://127.0.0.1:{ports['worker']}"

    def fires(*names):
        wait_for(lambda: set(names) <= (firing(ports["prometheus"]) or set()))

    wait_for(lambda: is_scraped(ports["prometheus"]))
    wait_for(lambda: firing(ports["prometheus"]) == set())
    with httpx.Client(base_url=url, headers={"origin": url}, timeout=30) as ann:
        assert ann.post("/api/session", json={"name": "Ann"}).status_code == 201
        seats = [{"kind": "bot", "level": "greedy"}, {"kind": "me"}]
        game = ann.post("/api/games", json={"title": "azul", "seats": seats}).json()["id"]
        start = {"request": {"type": "command", "key": "start-the-game", "action": "start"}}
        assert ann.post(f"/api/games/{game}/act", json=start).status_code == 200
        started["bus"].terminate()
        fires("TessellaBusUnavailable", "TessellaBotsLate")
        assert firing(ports["prometheus"]) == {"TessellaBusUnavailable", "TessellaBotsLate"}, "and no others"
        run(cut_off(postgres))
        assert ann.get("/api/me/games").status_code >= 500
    fires("TessellaWorkerNotReady", "TessellaNobodyReady", "TessellaErrors")
    started["worker"].terminate()
    fires("TessellaWorkerDown", "TessellaNobodyReady")
