"""Every command for hosts in the documentation is run, in the order of its page, with real processes and databases.

A page names addresses, folders and roles that are the reader's own; `stand_ins` says what takes their place here. What
a page starts (`serve`, `work`) is ready before the next command, and runs on beside it as it would for the reader.
"""

import os
import random
import subprocess
from contextlib import ExitStack

import asyncpg
import httpx
import pytest

from tests.pages import ROOT, WITH_COMMANDS, is_ours, lines_of, read_line
from tests.server.conftest import NATS, POSTGRES, free_port
from tests.server.helpers import run
from tests.server.processes import TESSELLA, environment, running, wait_until_ready

COMMANDS = ("admin", "serve", "work")
ROLES = {role: f"tessella_{role}_{random.getrandbits(32):x}" for role in ("worker", "bots")}


def is_for_hosts(words):
    return is_ours(words) and words[1] in COMMANDS


PATHS = [path for path in WITH_COMMANDS if any(is_for_hosts(read_line(line)[1]) for line in lines_of(path))]


async def sql(url, *statements):
    connection = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


@pytest.fixture
def roles(postgres):
    """The roles that a page makes with psql, under names that nobody else has."""
    run(sql(f"{POSTGRES}/postgres", *(f"CREATE ROLE {role} LOGIN" for role in ROLES.values())))
    yield ROLES
    run(sql(postgres, *(f"DROP OWNED BY {role}" for role in ROLES.values())))
    run(sql(f"{POSTGRES}/postgres", *(f"DROP ROLE {role}" for role in ROLES.values())))


@pytest.fixture
def stand_ins(tmp_path, postgres, roles):
    """What a page says, and what takes its place here: whole words first, then parts of them."""
    return {
        "$OWNER": postgres,
        "postgresql://tessella:PASSWORD@db/tessella": postgres,
        "postgresql://worker:…@db/tessella": postgres.replace("postgres@", f"{roles['worker']}@"),
        "nats://bus:4222": NATS,
        "/var/lib/tessella": str(tmp_path),
        **roles,
    }


class Reader:
    """Somebody who types what a page says, one line after the other."""

    def __init__(self, folder, stand_ins, stack):
        self.folder, self.stand_ins, self.stack = folder, stand_ins, stack
        self.server = None
        self.set = {"TESSELLA_DATABASE": f"sqlite:{folder / 'tessella.sqlite3'}", "XDG_DATA_HOME": str(folder)}

    def put(self, word):
        """The word, with what stands in for what the page says."""
        if word in self.stand_ins:
            return self.stand_ins[word]
        for said, here in self.stand_ins.items():
            if said.startswith("/"):
                word = word.replace(said, here)
        return word

    def type(self, line):
        variables, words = read_line(line)
        if words[:1] == ["export"]:
            self.set |= {name: self.put(value) for name, _, value in (word.partition("=") for word in words[1:])}
        elif is_for_hosts(words):
            variables = self.set | {name: self.put(value) for name, value in variables.items()}
            arguments = [self.put(word) for word in words[1:]]
            (self.start if arguments[0] in ("serve", "work") else self.finish)(arguments, variables)

    def start(self, arguments, variables):
        """Start a server or a worker, which stays; a second server takes the place of the first."""
        if arguments[0] == "serve" and self.server:
            self.server.close()
        port, stack = free_port(), self.stack.enter_context(ExitStack())
        quiet = ["--no-open"] if arguments[0] == "serve" else []
        log = self.folder / f"{arguments[0]}.log"
        process = stack.enter_context(running(log, *arguments, *quiet, "--port", str(port), **variables))
        wait_until_ready(port, process)
        if arguments[0] == "serve":
            self.server = stack
            self.set_a_table(port)

    def set_a_table(self, port):
        """So that there is something to list, to keep and to check."""
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"origin": f"http://127.0.0.1:{port}"}) as guest:
            assert guest.post("/api/session", json={"name": "Ann"}).status_code == 201
            seats = [{"kind": "me"}, {"kind": "open"}]
            assert guest.post("/api/games", json={"title": "azul", "seats": seats}).status_code == 201

    def finish(self, arguments, variables):
        """Run a command to its end. What is restored is restored into an empty place, as the pages say."""
        if arguments[:2] == ["admin", "restore"]:
            arguments, variables = self.to_an_empty_place(arguments, variables)
        command = [*TESSELLA, *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=environment(**variables), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (arguments, done.stderr)

    def to_an_empty_place(self, arguments, variables):
        if "--database" in arguments:
            name = f"tessella_test_{random.getrandbits(48):x}"
            run(sql(f"{POSTGRES}/postgres", f"CREATE DATABASE {name}"))
            self.stack.callback(lambda: run(sql(f"{POSTGRES}/postgres", f"DROP DATABASE {name} WITH (FORCE)")))
            return [*arguments[:-1], f"{POSTGRES}/{name}"], variables
        return arguments, variables | {"TESSELLA_DATABASE": f"sqlite:{self.folder / 'empty.sqlite3'}"}


def prepare(path, reader):
    """What a page takes for granted: a file of games that has been kept before."""
    if path.name in ("host-at-scale.md", "host-for-a-club.md"):
        reader.finish(["admin", "migrate"], reader.set)
        reader.finish(["admin", "backup", "backup-Fri.sqlite3"], reader.set)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_every_command_for_hosts_runs(path, tmp_path, stand_ins):
    with ExitStack() as stack:
        reader = Reader(tmp_path, stand_ins, stack)
        prepare(path, reader)
        for line in lines_of(path):
            reader.type(line)


def test_pages_for_hosts_are_found():
    names = {str(path.relative_to(ROOT)).replace(os.sep, "/") for path in PATHS}
    assert {"README.md", "docs/guides/host-at-home.md", "docs/guides/host-at-scale.md"} <= names
