"""Real programs for the proofs: our own PostgreSQL and NATS servers, which may be killed, and our workers.

Everything is started by us, in its own folder, on this machine only, and ended by its process id.
"""

import asyncio
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from random import SystemRandom
from tempfile import mkdtemp

import asyncpg

PORTS = range(19_500, 19_700)
TIMEOUT_SECONDS = 120.0
"""Time for a program to start, or to end."""

_chosen: set[int] = set()


def free_port() -> int:
    """Return a free port that was not returned before."""
    for port in SystemRandom().sample(PORTS, len(PORTS)):
        with socket.socket() as probe:
            if port not in _chosen and probe.connect_ex(("127.0.0.1", port)):
                _chosen.add(port)
                return port
    raise OSError("all ports are taken")


@asynccontextmanager
async def a_small_disk(folder: Path, megabytes: int) -> AsyncGenerator[Path | None]:
    """Mount a small disk that can be filled; None where we may not mount one."""
    place = folder / "small"
    place.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m,mode=711", "tessella-prove", str(place)]
    if not await _succeeds("mount", *options):
        yield None
        return
    try:
        yield place
    finally:
        await _succeeds("umount", "--lazy", str(place))


async def _succeeds(*words: str) -> bool:
    if shutil.which(words[0]) is None:
        return False
    done = await asyncio.to_thread(subprocess.run, words, check=False, capture_output=True, timeout=TIMEOUT_SECONDS)
    return done.returncode == 0


async def answers(port: int) -> None:
    """Wait until a program listens on a port."""
    for _ in range(int(TIMEOUT_SECONDS / 0.05)):
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                return
        await asyncio.sleep(0.05)
    raise TimeoutError(f"nobody listens on port {port}")


def find(program: str) -> str:
    """Return the path of a program; Debian keeps those of PostgreSQL beside the server."""
    beside = map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
    found = shutil.which(program) or max(beside, default=None)
    if found is None:
        raise FileNotFoundError(f"{program} is not installed")
    return found


@asynccontextmanager
async def a_folder() -> AsyncGenerator[Path]:
    """Create a temporary folder on the disk; PostgreSQL's own user may read it."""
    disk = "/var/tmp" if Path("/var/tmp").is_dir() else None  # noqa: S108  where /tmp may be kept in memory
    folder = Path(mkdtemp(prefix="tessella-prove-", dir=disk))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Program:
    """A process that can be killed, stopped and started again."""

    def __init__(self, log: Path, command: Sequence[str], user: str | None = None) -> None:
        self.environment: dict[str, str] = {}
        """Variables added to our own environment."""
        self._log = log
        self._command = command
        self.user = user
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, or start again; its output goes to its log."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TESSELLA_")}
        with self._log.open("ab") as said:
            self.process = subprocess.Popen(  # noqa: S603
                self._command, stdout=said, stderr=said, env=kept | self.environment, user=self.user, cwd="/"
            )

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it still runs."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    async def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        """Kill it, and wait until it has ended."""
        self.send_signal(signal.SIGCONT)
        self.send_signal(number)
        await self.ended()

    async def ended(self) -> None:
        """Wait until it has ended, if it was ever started."""
        if self.process is not None:
            await asyncio.to_thread(self.process.wait, TIMEOUT_SECONDS)

    @property
    def resident_kib(self) -> float:
        """Return its resident memory."""
        assert self.process is not None
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1024

    @property
    def cpu_seconds(self) -> float:
        """Return the CPU time that it has used."""
        assert self.process is not None
        return time.clock_gettime((~self.process.pid << 3) | 2)


class Worker(Program):
    """One of our web or bot workers."""

    def __init__(self, folder: Path, command: str, database: str, bus: str, port: int, bots: int) -> None:
        given = {"database": database, "bus": bus, "port": port, "bots": bots, "log-level": "warning"}
        options = [part for name, value in given.items() for part in (f"--{name}", str(value))]
        super().__init__(folder / f"{command}-{port}.log", [sys.executable, "-m", "tessella", command, *options])
        self.port = port

    async def get_ready(self) -> None:
        """Start, and wait until it is ready for players; until then, a failing store keeps it from starting."""
        self.start()
        await answers(self.port)
        for _ in range(int(TIMEOUT_SECONDS / 0.1)):
            if await self.readiness() == HTTPStatus.OK:
                return
            await asyncio.sleep(0.1)
        raise TimeoutError(f"the worker on port {self.port} does not get ready")

    async def readiness(self) -> int:
        """Return the status of its readiness check; 0 without an answer."""
        return await asyncio.to_thread(_ask, f"http://127.0.0.1:{self.port}/ready")


def _ask(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310  our own address
            return int(answer.status)
    except urllib.error.HTTPError as exc:
        return exc.code
    except OSError:
        return 0


class Postgres(Program):
    """Our own PostgreSQL, which may crash; commits are fully durable."""

    def __init__(self, folder: Path, *settings: str, tables: Path | None = None) -> None:
        self.port = free_port()
        self.folder = (tables or folder) / "postgres"
        self._log_folder = folder / "wal"
        """Apart from the tables, which may be on another disk."""
        user = None if os.geteuid() else _another_user()
        options = ["-D", str(self.folder), "-p", str(self.port), "-h", "127.0.0.1", "-k", ""]
        more = [part for setting in ("max_connections=200", *settings) for part in ("-c", setting)]
        super().__init__(folder / "postgres.log", [find("postgres"), *options, *more], user)
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    async def make(self) -> None:
        """Create an empty cluster."""
        for folder in (self.folder, self._log_folder):
            folder.mkdir(mode=0o700)
            if self.user:
                shutil.chown(folder, self.user)
        words = [find("initdb"), "-D", str(self.folder), "-X", str(self._log_folder)]
        words += ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
        await asyncio.to_thread(
            subprocess.run, words, check=True, stdout=subprocess.DEVNULL, user=self.user, cwd="/", timeout=120
        )

    async def get_ready(self) -> None:
        """Start, and wait until it answers."""
        self.start()
        for _ in range(int(TIMEOUT_SECONDS / 0.05)):
            try:
                connection = await asyncpg.connect(self.url)
            except (OSError, asyncpg.PostgresError):
                await asyncio.sleep(0.05)
            else:
                await connection.close()
                return
        raise TimeoutError("PostgreSQL does not answer")

    async def crash(self) -> None:
        """Stop at once without a checkpoint: it must recover when it starts again."""
        await self.kill(signal.SIGQUIT)


def _another_user() -> str:
    """Return the user to run as, because PostgreSQL does not run as root."""
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise OSError("PostgreSQL does not run as root, and there is no other user here")


class Nats(Program):
    """Our own NATS server."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        super().__init__(folder / "nats.log", [find("nats-server"), "-a", "127.0.0.1", "-p", str(self.port)])

    async def get_ready(self) -> None:
        """Start, and wait until it listens."""
        self.start()
        await answers(self.port)
