"""Clients that keep connections open and say little: they are disconnected in time, and hold up nobody else."""

import contextlib
import re
import resource
import socket
import sys
import time
from pathlib import Path

import pytest

from tests.server.clients import Person, hear
from tests.server.processes import get, lines, running, wait_until_ready
from tests.server.waiting import until
from tests.tiers import nightly

DESCRIPTORS = 1_024
ATTACKERS = 1_100
HALF_A_HEAD = b"GET /api/titles HTTP/1.1\r\nHost: tessella.test\r\nX-Slow: "
HALF_A_BODY = b"POST /api/session HTTP/1.1\r\nHost: tessella.test\r\nContent-Length: 500\r\n\r\n{"
FEW_LINES = 30

LIMITED = f"import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, ({DESCRIPTORS}, {DESCRIPTORS}))\n"
PROGRAM = "import sys\nfrom tessella.cli import main\nsys.exit(main(sys.argv[1:]))"
WITHOUT = "import sys\nsys.modules['uvloop'] = sys.modules['httptools'] = None\n"
COMMANDS = {
    "uvloop and httptools": (sys.executable, "-c", LIMITED + PROGRAM),
    "asyncio and h11": (sys.executable, "-c", LIMITED + WITHOUT + PROGRAM),
}


@pytest.fixture(params=["uvloop and httptools", *nightly("asyncio and h11")])
def process(request, tmp_path, sqlite, port):
    """A real server with 1,024 descriptors; its log is in `log`."""
    arguments = ("serve", "--database", sqlite, "--port", str(port), "--bots", "0", "--log", "json")
    with running(tmp_path / "log", *arguments, command=COMMANDS[request.param]) as process:
        wait_until_ready(port, process, seconds=90)
        yield process


@pytest.fixture(autouse=True)
def _enough_descriptors():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8_192), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextlib.contextmanager
def attackers(port, said, source="127.0.0.2", number=ATTACKERS):
    """Connections that say this much and wait; one that is refused at once is counted as open."""
    with contextlib.ExitStack() as stack:
        sockets = []
        for _ in range(number):
            attacker = stack.enter_context(socket.socket())
            attacker.settimeout(10)
            attacker.bind((source, 0))
            with contextlib.suppress(OSError):
                attacker.connect(("127.0.0.1", port))
                attacker.sendall(said)
            attacker.setblocking(False)
            sockets.append(attacker)
        yield sockets


def is_open(attacker):
    try:
        return bool(attacker.recv(4_096))
    except BlockingIOError:
        return True
    except OSError:
        return False


async def live(port):
    """Another person comes, sets a table, and sits at it."""
    for _ in range(5):
        assert (await Person(port).http.get("/api/titles")).status_code == 200
    ann = await Person.arrive(port, "Ann")
    async with ann.connect((await ann.set_table())["id"]) as table:
        await hear(table, "presence")
    await Person.all_go_home()


def descriptors_of(port):
    metrics = get(port, "/metrics").text
    return int(re.findall(r"^process_open_fds (\d+)\.0$", metrics, re.MULTILINE)[0])


@pytest.mark.parametrize(
    ("said", "source"),
    [(HALF_A_HEAD, "127.0.0.2"), (HALF_A_BODY, "127.0.0.2"), (b"", "127.0.0.1")],
    ids=["heads", "bodies", "silence from the same address"],
)
async def test_half_sent_requests_keep_nobody_else_out(process, port, tmp_path, said, source):
    await live(port)
    before = descriptors_of(port)
    with attackers(port, said, source) as sockets:
        for _ in range(3):
            await live(port)
        assert descriptors_of(port) < DESCRIPTORS - 50
        await until(lambda: not any(map(is_open, sockets)), 120)  # disconnected although they say nothing more
    await until(lambda: descriptors_of(port) <= before + 5)
    log = lines(tmp_path / "log")
    assert len(log) < FEW_LINES, log[:FEW_LINES]


def test_a_server_without_descriptors_says_so_once(process, port, tmp_path):
    used = len(list(Path(f"/proc/{process.pid}/fd").iterdir()))
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (used, DESCRIPTORS))
    with attackers(port, HALF_A_HEAD, number=100):
        time.sleep(3)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
        wait_until_ready(port, process, seconds=90)
    assert len((tmp_path / "log").read_text().splitlines()) < FEW_LINES
