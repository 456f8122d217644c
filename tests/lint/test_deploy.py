"""What we hand to hosts: the compose file, the image, the proxy, the service. Checked against what they must do."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from tessella import cli
from tessella.server import settings
from tessella.server.http.app import make_app
from tessella.server.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
WEB = ("web1", "web2", "web3")


@pytest.fixture(scope="module")
def services():
    return yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]


def test_workers_start_after_the_migration_which_starts_after_the_database(services):
    assert services["migrate"]["command"] == ["admin", "migrate"]
    assert services["migrate"]["depends_on"] == {"db": {"condition": "service_healthy"}}
    assert services["db"]["healthcheck"]["test"][1] == "pg_isready"
    for name in (*WEB, "bots"):
        assert services[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_every_command_and_variable_is_one_of_ours(services):
    for name in ("migrate", *WEB, "bots"):
        command, environment = services[name]["command"], services[name]["environment"]
        options = vars(cli.parser().parse_args(command))
        given = {key: re.sub(r"\$\{\w+:?[-?]?[^}]*\}", "secret", value) for key, value in environment.items()}
        assert all(key.removeprefix("TESSELLA_").lower() in Settings.__struct_fields__ for key in given)
        found = settings.read(command[0], options, given)
        assert found.database.startswith("postgresql://tessella:secret@db:5432/")
        assert found.bus == "nats://bus:4222"


def test_only_the_proxy_can_be_reached_and_no_password_is_written_down(services):
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    outside = {name for name, service in services.items() if "outside" in service["networks"]}
    assert outside == {"proxy", *WEB}, "push services and mail servers are called by web workers"
    assert yaml.safe_load((ROOT / "compose.yaml").read_text())["networks"]["inside"] == {"internal": True}
    text = (ROOT / "compose.yaml").read_text()
    passwords = re.findall(r"(?:POSTGRES_PASSWORD:|tessella:)\s*(\S+)", text.partition("services:")[2])
    assert all(found.startswith("${") for found in passwords)
    assert all(not tag.endswith(":latest") for tag in re.findall(r"image: (\S+)", text))


def test_games_survive_the_containers_and_workers_can_do_little(services):
    assert services["db"]["volumes"] == ["games:/var/lib/postgresql/data"]
    assert "synchronous_commit=on" in services["db"]["command"]
    for name in ("migrate", *WEB, "bots"):
        service = services[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["stop_grace_period"] == "10s"


def test_the_proxy_hashes_on_the_game_and_knows_every_web_worker(services):
    text = (DEPLOY / "haproxy.cfg").read_text()
    backends = dict(re.findall(r"^backend (\w+)\n((?:    .*\n|\n)+)", text, re.MULTILINE))
    assert set(backends) == {"sockets", "tables", "anywhere"}
    for backend in backends.values():
        assert re.findall(r"^    server (\w+) (\S+)", backend, re.MULTILINE) == [(name, f"{name}:8642") for name in WEB]
    (usual,) = re.findall(r"^defaults\n((?:    .*\n)+)", text, re.MULTILINE)
    assert "option httpchk GET /ready" in usual, "for every backend"
    assert "default-server check " in usual
    assert not re.findall(r"httpchk|default-server| no-check", "".join(backends.values())), "none has its own idea"
    hashes = [re.findall(r"^    (?:balance|hash).*", backends[name], re.MULTILINE) for name in ("sockets", "tables")]
    assert hashes[0] == hashes[1], "a table's sockets are where its moves are"
    field = int(re.findall(r"balance hash path,field\((\d+),/\)", backends["tables"])[0])
    assert "hash-type consistent" in backends["tables"]
    paths = [getattr(route, "path", "") for route in make_app(Settings()).routes]
    tables = [path for path in paths if path.startswith("/api/games/{id}")]
    assert len(tables) > 4
    assert {path.split("/")[field - 1] for path in tables} == {"{id}"}
    assert services["proxy"]["volumes"] == ["./deploy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro"]


def test_the_proxy_believes_nobody_and_shows_no_metrics():
    text = (DEPLOY / "haproxy.cfg").read_text()
    assert "http-request set-header X-Forwarded-For %[src]" in text
    assert "http-request del-header Forwarded" in text
    assert "deny deny_status 404 if { path /health /ready /metrics }" in text
    assert "timeout tunnel 1h" in text


def test_what_the_image_is_built_from_is_there_and_let_in():
    text, let_in = (ROOT / "Dockerfile").read_text(), (ROOT / ".dockerignore").read_text().splitlines()
    sources = re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE)
    for source in " ".join(sources).split():
        assert (ROOT / source).exists(), source
        assert any(f"!{source}/".startswith(f"{line}/") for line in let_in if line.startswith("!")), source


def test_the_image_is_built_in_stages_with_the_pages_in_it_and_runs_as_nobody_special():
    text = (ROOT / "Dockerfile").read_text()
    web, wheel, venv, last = text.split("\nFROM ")[1:]
    assert "RUN scripts/web-build" in web, "with the Python of the tab"
    assert "COPY --from=web /source/src src" in wheel
    assert "--require-hashes --requirement requirements/build.txt" in wheel
    assert "--require-hashes --requirement /server.txt" in venv
    assert "pip" not in last
    user = re.findall(r"^USER (\d+)$", last, re.MULTILINE)
    assert user
    assert user[0] != "0"
    assert "HEALTHCHECK" in last
    assert "/health" in last
    variables = dict(re.findall(r"(TESSELLA_\w+)=(\S+)", last))
    assert settings.read("serve", {}, variables).database == "sqlite:/data/tessella.sqlite3"
    assert settings.read("work", {}, variables).port == 8642  # so that its health can be asked for


def test_base_images_are_arguments_and_no_registry_is_named():
    text = (ROOT / "Dockerfile").read_text()
    assert dict(re.findall(r"^ARG (\w+)=(\S+)$", text, re.MULTILINE)) == {
        "PYTHON": "python:3.13-slim",
        "NODE": "node:22-slim",
    }
    assert set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)) == {"${PYTHON}", "${NODE}"}
    assert "://" not in re.sub(r"http://127\.0\.0\.1:8642/health", "", text)


def pins(name):
    return dict(re.findall(r"^([\w.-]+)(?:\[.+?\])?==(\S+)", (ROOT / "requirements" / name).read_text(), re.MULTILINE))


def test_the_image_installs_what_a_server_needs_by_hash_and_no_more():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    locked = pins("server.txt")
    brought = ("server", "accounts", "scale", "pictures", "traces")
    wanted = {re.split(r"[>=;\[]", one)[0] for name in brought for one in extras[name]}
    assert wanted - {"tessella"} <= locked.keys()
    assert not {"numpy", "pyarrow", "textual", "gymnasium", "pettingzoo", "ray", "pytest", "pip"} & locked.keys()


@pytest.mark.parametrize("name", ["build.txt", "server.txt"])
def test_every_lock_agrees_with_that_of_development(name):
    assert pins(name).items() <= pins("dev.txt").items()
    text = (ROOT / "requirements" / name).read_text().replace("\\\n", " ")
    pinned = re.findall(r"^\S+==.*$", text, re.MULTILINE)
    assert pinned
    assert all("--hash=sha256:" in line for line in pinned)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd")
def test_the_service_is_one_that_systemd_understands(tmp_path):
    program = tmp_path / "tessella"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "tessella.service"
    unit.write_text((DEPLOY / "tessella.service").read_text().replace("/opt/tessella/bin/tessella", str(program)))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False, timeout=60)
    assert "tessella.service:" not in done.stderr
