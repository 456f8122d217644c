"""The guides for hosts, followed word by word on a bare Debian in containers; used by scripts/container-check --guides.

The commands are read out of the code blocks of the pages and typed one after the other. A checkout is stood in for by
a folder whose `pip install .` installs the wheel that is there; systemd by tests/package/containers/systemctl.
"""

import re
import secrets
import shutil
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from clean_room import ROOT, Failed, Steps
from containers import IMAGES, STAND_INS, Podman, index

GUIDES = ROOT / "docs" / "guides"
BARE = "tessella-check/guides"
RETRY = "--silent --fail --retry 30 --retry-delay 1 --retry-all-errors"
LOW_PORTS = ("--sysctl", "net.ipv4.ip_unprivileged_port_start=0")
"""Instead of the capability that systemd gives to Caddy."""
STAYS = ("bash", "-c", "while sleep 1; do :; done")
"""Unlike sleep alone, bash takes leave of processes that ended."""
UNTIL_READY = """\
for _ in $(seq 120); do curl --silent --fail http://127.0.0.1:{}/ready && exit; sleep 1; done
cat /var/log/*.log; exit 1
"""
STOP = """\
for process in $(pgrep --full '[b]in/tessella (serve|work)'); do
    kill -TERM $process
    while [ -e /proc/$process ]; do sleep 0.2; done
done
"""
OWNER = "postgresql://tessella:PASSWORD@db/tessella"
BACKEND = """\
[build-system]
requires = []
build-backend = "ready_wheel"
backend-path = ["."]
"""
PLAY = """\
import sys; sys.path.insert(0, "/scripts")
from clean_room import Guest
ann, bob = Guest(8642, "Ann", 10), Guest(8642, "Bob", 10)
table = ann.set_table(bob)
for _ in range(3):
    ann.move(table), bob.move(table)
print(table.rpartition("/")[2], ann.ask("GET", table)["number"])
"""
NUMBER = """\
import json, sys, urllib.request as u
print(json.load(u.urlopen(f"http://127.0.0.1:8642/api/games/{sys.argv[1]}"))["number"])
"""


def lines_of(page: str, heading: str = "") -> list[str]:
    """The lines of the shell blocks of a page, or of one of its parts; continued lines are joined."""
    text = (GUIDES / f"{page}.md").read_text("utf-8")
    if heading:
        text = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)).replace("\\\n", " ").splitlines()
    if not lines:
        raise Failed(f"{page} has no commands under {heading!r}")
    return lines


class Machine:
    """A bare Debian, and somebody who types at it."""

    def __init__(self, podman: Podman, name: str, folder: Path) -> None:
        self.podman, self.name, self.folder = podman, name, folder
        self.set: dict[str, str] = {}
        """What was exported, and lasts from line to line."""

    def type(self, line: str, **more: str) -> str:
        """Type one line and wait for its end; what it prints is the reason if it fails."""
        if found := re.match(r"export (\w+)=(\S+)", line):
            self.set[found[1]] = found[2]
            return ""
        variables = [option for name, value in {**self.set, **more}.items() for option in ("--env", f"{name}={value}")]
        return self.podman("exec", *variables, "--workdir", "/checkout", self.name, "bash", "-c", line)

    def start(self, line: str) -> None:
        """Type a line that runs on, as in a window of its own, and wait until it is ready."""
        found = re.search(r"--port (\d+)", line)
        self.type(f"nohup {line.partition('#')[0].strip()} > /var/log/{time.monotonic_ns()}.log 2>&1 &", BROWSER="true")
        self.wait_until_ready(found[1] if found else "8642")

    def wait_until_ready(self, port: str = "8642") -> None:
        """Wait until a worker is ready."""
        self.type(UNTIL_READY.format(port))

    def stop(self) -> None:
        """End what runs on in other windows."""
        self.type(STOP)

    def follow(self, lines: list[str]) -> None:
        """Type line after line; what serves runs on, and a second server takes the place of the first."""
        for line in lines:
            if re.match(r"tessella (serve|work)\b", line):
                if line.startswith("tessella serve"):
                    self.stop()
                self.start(line)
            else:
                self.type(line)

    def play(self) -> tuple[str, int]:
        """Let two guests begin a game; return its id and the number of its last entry."""
        game, number = self.podman("exec", self.name, "python3", "-c", PLAY).split()
        return game, int(number)

    def number_of(self, game: str) -> int:
        """The number of the last entry of a game."""
        return int(self.podman("exec", self.name, "python3", "-c", NUMBER, game))

    def install(self, wheel: Path) -> None:
        """Let `pip install .` in the checkout install this wheel."""
        for old in (self.folder / "dist").glob("*.whl"):
            old.unlink()
        shutil.copy(wheel, self.folder / "dist")


@contextmanager
def machine(podman: Podman, folder: Path, *options: str) -> Generator[Machine]:
    """A fresh machine with a checkout, for as long as the block."""
    checkout, name = folder / "checkout", f"tessella-guide-{secrets.token_hex(4)}"
    shutil.copytree(ROOT / "deploy", checkout / "deploy")
    (folder / "dist").mkdir()
    (checkout / "pyproject.toml").write_text(BACKEND)
    shutil.copy(STAND_INS / "ready_wheel.py", checkout)
    (checkout / "scripts").mkdir()
    (checkout / "scripts" / "web-build").write_text("#!/bin/sh\n# the wheel has the pages\n")
    (checkout / "scripts" / "web-build").chmod(0o755)
    mounts = (f"{checkout}:/checkout", f"{folder / 'dist'}:/dist:ro", f"{ROOT / 'scripts'}:/scripts:ro")
    volumes = [option for mount in mounts for option in ("--volume", mount)]
    with index() as settings:
        podman("run", "--detach", "--name", name, *volumes, *settings, *LOW_PORTS, *options, BARE, *STAYS)
        try:
            yield Machine(podman, name, folder)
        finally:
            podman("rm", "--force", "--time", "2", name)


def with_environment(pc: Machine) -> None:
    """An environment of one's own, as everybody has one on Debian before `pip install`."""
    pc.type("python3 -m venv /env")
    pc.set["PATH"] = "/env/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def at_home(steps: Steps, podman: Podman, folder: Path, wheel: Path) -> None:
    """Install, serve, invite, look after it, and restore the backup on a new machine."""
    with machine(podman, folder) as pc:
        pc.install(wheel)
        with_environment(pc)
        lines = lines_of("host-at-home")
        restore = next(place for place, line in enumerate(lines) if "admin restore" in line)
        steps("at home: install, serve, invite", lambda: pc.follow(lines[:4]))
        game, number = pc.play()
        steps("at home: look after it", lambda: pc.follow(lines[4:restore]))
        pc.stop()
        pc.set["XDG_DATA_HOME"] = "/root/a-new-machine"
        steps("at home: restore on a new machine", lambda: pc.follow([*lines[restore:], "tessella serve"]))
        _expect(pc.number_of(game), number, "the restored game")


def for_a_club(steps: Steps, podman: Podman, folder: Path, wheel: Path, previous: Path) -> Path:
    """Install the previous version, back up, update to this one, restore; return the file of the club."""
    with machine(podman, folder) as pc:
        pc.install(previous)
        *install, ready = lines_of("host-for-a-club", "Install")
        steps(
            "club: install the previous version",
            lambda: pc.follow([line.replace("apt install", "apt-get install -y") for line in install]),
        )
        pc.wait_until_ready()
        pc.follow([ready])
        game, number = pc.play()
        pc.type(
            "sed -i 's/^play.example.org/http:\\/\\/play.example.org/' deploy/Caddyfile"
        )  # nobody certifies this name
        steps("club: Caddy", lambda: pc.follow(lines_of("host-for-a-club", "TLS")))
        pc.type(f"curl {RETRY} --header 'Host: play.example.org' http://127.0.0.1/api/titles")
        pc.install(wheel)
        steps("club: update, with its migrations", lambda: pc.follow(lines_of("host-for-a-club", "Update")))
        pc.wait_until_ready()
        _expect(pc.number_of(game), number, "the game after the update")
        copy, *restore = lines_of("host-for-a-club", "Backup")
        pc.follow([copy])
        steps("club: the backup of the night", lambda: _run_cron(pc))
        pc.play()
        steps("club: restore", lambda: pc.follow(restore))
        pc.wait_until_ready()
        _expect(pc.number_of(game), number, "the restored game")
        steps("club: monitor", lambda: pc.follow(lines_of("host-for-a-club", "Monitor")))
        pc.podman("cp", f"{pc.name}:/var/lib/tessella/backup-Fri.sqlite3", str(folder / "club.sqlite3"))
    return folder / "club.sqlite3"


def _run_cron(pc: Machine) -> None:
    """Run what the crontab says, as cron does: its variables, its user, its command. It is Friday."""
    text = (ROOT / "deploy" / "tessella.cron").read_text()
    variables = re.findall(r"^\w+=\S+$", text, re.MULTILINE)
    for user, command in re.findall(r"^[\d*]+ \S+ \S+ \S+ \S+ +(\w+) +(.+)$", text, re.MULTILINE):
        said = command.replace("\\%", "%").replace("$(date +%a)", "Fri")
        pc.type(f"sudo -u {user} env {' '.join(variables)} sh -c '{said}'")


def at_scale(steps: Steps, podman: Podman, folder: Path, wheel: Path, club: Path) -> None:
    """By hand with PostgreSQL and NATS; roles; the club moves in; backup and restore."""
    network = f"tessella-guide-{secrets.token_hex(4)}"
    podman("network", "create", network)
    variables = {"POSTGRES_USER": "tessella", "POSTGRES_DB": "tessella", "POSTGRES_PASSWORD": "PASSWORD"}
    given = [option for name, value in variables.items() for option in ("--env", f"{name}={value}")]
    db = podman("run", "--detach", "--network", network, "--network-alias", "db", *given, IMAGES["postgres"])
    bus = podman("run", "--detach", "--network", network, "--network-alias", "bus", IMAGES["nats"])
    try:
        with machine(podman, folder, "--network", network) as pc:
            pc.install(wheel)
            with_environment(pc)
            pc.set["OWNER"] = OWNER
            pc.type(f"until psql {OWNER} -c 'SELECT 1'; do sleep 1; done")
            lines = lines_of("host-at-scale", "By hand")
            roles = next(place for place, line in enumerate(lines) if line.startswith("psql"))
            move = next(place for place, line in enumerate(lines) if "club.sqlite3" in line)
            steps("scale: by hand", lambda: pc.follow(lines[:roles]))
            pc.play()
            steps(
                "scale: workers that own nothing",
                lambda: pc.follow([*lines[roles:move], lines[roles - 2], lines[roles - 1]]),
            )
            game, _ = pc.play()
            backup, restore = lines_of("host-at-scale", "Backup")
            psql = "psql postgresql://tessella:PASSWORD@db/postgres"
            pc.type(f"{psql} -c 'CREATE DATABASE an_empty_one'")
            elsewhere = OWNER.replace("db/tessella", "db/an_empty_one")
            steps(
                "scale: backup and restore",
                lambda: pc.follow([backup, restore.replace("postgresql://…/an_empty_one", elsewhere)]),
            )
            pc.stop()
            pc.type(f"{psql} -c 'DROP DATABASE tessella WITH (FORCE)' -c 'CREATE DATABASE tessella'")
            pc.type("mkdir -p /var/lib/tessella")
            pc.podman("cp", str(club), f"{pc.name}:/var/lib/tessella/tessella.sqlite3")
            steps("scale: the club moves from SQLite to PostgreSQL", lambda: pc.follow(lines[move:]))
            pc.type(f"tessella admin verify --all --database {elsewhere}")
            pc.type(f"tessella admin show {game} --database {elsewhere}")
    finally:
        podman("rm", "--force", "--volumes", "--time", "2", db, bus)
        podman("network", "rm", network)


def _expect(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise Failed(f"{what}: {found}, not {wanted}")


def follow_guides(steps: Steps, podman: Podman, folder: Path, wheel: Path, previous: Path) -> None:
    """All guides for hosts, one after the other."""
    podman.make_stand_in("guides")
    for name in ("home", "club", "scale"):
        (folder / name).mkdir()
    at_home(steps, podman, folder / "home", wheel)
    club = for_a_club(steps, podman, folder / "club", wheel, previous)
    at_scale(steps, podman, folder / "scale", wheel, club)
