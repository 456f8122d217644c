"""Clean environments in which a wheel is tried as its users would, with the seconds that each step took.

Used by scripts/package-check, scripts/first-time and scripts/container-check; needs Python only.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from http.client import HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13")
PAGES = Path("src", "tessella", "server", "static")
FILES = ("README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "SECURITY.md", "compose.yaml")
"""Files of the root that are in the source distribution."""
MIGRATIONS = "src/tessella/server/store/migrations/versions/[0-9]*.py"
ANSWER_SECONDS = 20.0
UNAVAILABLE = (502, 503, 504)
"""What a proxy answers while no worker does."""
PROMPT = "your move (? for help): "
"""What the terminal says when it waits for a move."""
T = TypeVar("T")


class Failed(RuntimeError):
    """A step did not do what it must, in a sentence."""


class Steps:
    """What was done, and how long it took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def __call__(self, what: str, do: Callable[[], T]) -> T:
        """Do it and say how long it took."""
        began = time.monotonic()
        done = do()
        self.seconds[what] = round(time.monotonic() - began, 1)
        print(f"{self.seconds[what]:7.1f} s  {what}", flush=True)
        return done


class Environment:
    """A virtual environment with nothing but what is installed into it."""

    def __init__(self, folder: Path, python: str = sys.executable) -> None:
        run([python, "-m", "venv", "--without-pip", str(folder)])
        self.folder = folder
        self.python = folder / "bin" / "python"

    def install(self, *wanted: str) -> None:
        """Install with pip, from wherever pip is told to look."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "--disable-pip-version-check"]
        run([*pip, "install", "--quiet", "--no-compile", *wanted], env=bare())

    def distributions(self) -> list[str]:
        """The names of what is installed."""
        code = "from importlib.metadata import distributions; print(*{each.name.lower() for each in distributions()})"
        return sorted(self.run(str(self.python), "-c", code).split())

    def tessella(self, *arguments: str, **more: str) -> str:
        """Run our command and give what it said."""
        return self.run(str(self.folder / "bin" / "tessella"), *arguments, **more)

    def run(self, *command: str, **more: str) -> str:
        """Run a program far away from this checkout, with these settings of its environment."""
        return run(command, cwd=self.folder, env=bare(**more))

    @contextmanager
    def running(self, *arguments: str, **more: str) -> Generator[subprocess.Popen[str]]:
        """Our command as a process with pipes, ended with the block."""
        command = [str(self.folder / "bin" / "tessella"), *arguments]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        process = subprocess.Popen(command, text=True, cwd=self.folder, env=bare(**more), **pipes)  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()


def read_until_asked(process: "subprocess.Popen[str]") -> str:
    """What a game in the terminal says until it asks for a move, or to its end."""
    assert process.stdout is not None
    said = ""
    while not said.endswith(PROMPT) and (letter := process.stdout.read(1)):
        said += letter
    return said


def bare(**more: str) -> dict[str, str]:
    """The environment without anything of ours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TESSELLA_", "PYTHON"))}
    return kept | {"LC_ALL": "C.UTF-8"} | more


def run(command: Sequence[str], cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Run a program to its end; what it said is the reason if it fails."""
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=cwd, env=env, timeout=1200)
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def find_python(wanted: str) -> str | None:
    """An interpreter of that version: the running one, one on the path, or one that pyenv keeps."""
    if wanted == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    kept = sorted((Path.home() / ".pyenv" / "versions").glob(f"{wanted}.*/bin/python"))
    system = Path("/usr/bin") / f"python{wanted}"
    return str(kept[-1]) if kept else str(system) if system.exists() else None


def free_port() -> int:
    """A port of this machine that nobody listens on, below those that clients get by chance."""
    for port in range(20_000 + os.getpid() % 10_000, 32_000):
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)):
                return port
    raise Failed("no port is free")


def wait_until_ready(port: int, process: subprocess.Popen[str], seconds: float = 60) -> None:
    """Wait until a server says that players may come."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if process.poll() is not None:
            raise Failed(f"the server ended: {process.stdout.read() if process.stdout else ''}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.05)
    raise Failed("the server does not get ready")


class Guest:
    """Somebody with a browser of their own, at a worker or a proxy."""

    def __init__(self, port: int, name: str, patience: float = 0) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.patience = patience
        """For how many seconds a request is repeated while nobody answers it."""
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.ask("POST", "/api/session", {"name": name})

    def ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401
        """Return the answer; wait if the server says so."""
        data = None if body is None else json.dumps(body).encode()
        about = {"content-type": "application/json"}
        request = urllib.request.Request(self.url + path, data, about, method=method)  # noqa: S310
        until = time.monotonic() + self.patience
        while True:
            try:
                with self.opener.open(request, timeout=ANSWER_SECONDS) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as exc:
                away = exc.code in UNAVAILABLE and time.monotonic() < until
                if exc.code != 429 and not away:
                    raise Failed(f"{method} {path}: {exc.code} {exc.read().decode()}") from None
                time.sleep(float(exc.headers.get("retry-after") or (0.1 if away else 1)))
            except (OSError, HTTPException):
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def set_table(self, other: "Guest") -> str:
        """Set a table of Azul, give the link to another guest, and start; return the path of the table."""
        made = self.ask("POST", "/api/games", {"title": "azul", "seats": [{"kind": "me"}, {"kind": "open"}]})
        table = f"/api/games/{made['id']}"
        other.ask("POST", f"{table}/join", {"secret": made["invitations"][0]["secret"]})
        self.start(table)
        return table

    def start(self, table: str) -> None:
        """Start the game at a table whose seats are taken."""
        self.ask("POST", f"{table}/act", {"request": {"type": "command", "key": "start-the-game", "action": "start"}})

    def move(self, table: str) -> tuple[int, str] | None:
        """Play the first legal move if it is our turn; return the number of the confirmed entry and the move."""
        seen = self.ask("GET", table)
        if not seen["moves"]:
            return None
        key = f"move-no-{seen['number']:04}"
        request = {"type": "play", "key": key, "number": seen["number"], "move": seen["moves"][0]}
        return int(self.ask("POST", f"{table}/act", {"request": request})["number"]), str(seen["moves"][0])


def build(out: Path, source: Path = ROOT) -> tuple[Path, Path]:
    """The source distribution, and the wheel that is built from it alone; both with the pages for browsers."""
    if not (ROOT / PAGES / "index.html").exists():
        raise Failed("scripts/web-build must build the pages for browsers first")
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if uv is None:
        raise Failed("uv is missing; scripts/setup brings it")
    with tempfile.TemporaryDirectory() as folder:
        copy_source(source, Path(folder))
        how = ["--quiet", "--offline", "--no-build-isolation", "--python", sys.executable]
        run([uv, "build", *how, "--out-dir", str(out), folder])
    return built(out)


def build_previous(out: Path) -> tuple[Path, Path]:
    """The same of the version before the newest migration, taken from the history, with the pages of now."""
    newest = run(["git", "log", "-1", "--diff-filter=A", "--format=%H", "--", MIGRATIONS], cwd=ROOT).strip()
    if not newest:
        raise Failed("the history is not here: this checkout must be whole, not shallow")
    with tempfile.TemporaryDirectory() as folder:
        archive, source = Path(folder) / "source.tar", Path(folder) / "source"
        run(["git", "archive", "--output", str(archive), f"{newest}^"], cwd=ROOT)
        shutil.unpack_archive(archive, source)
        shutil.copytree(ROOT / PAGES, source / PAGES)
        return build(out, source)


def copy_source(source: Path, folder: Path) -> None:
    """What is released is built from, without anything that was built in this checkout."""
    leave = shutil.ignore_patterns("__pycache__", "*.so", "*.egg-info")
    for name in ("src", "docs/rules", "docs/reference", "deploy", "records"):
        shutil.copytree(source / name, folder / name, symlinks=True, ignore=leave)
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", *FILES):
        if (source / name).exists():  # an earlier version may lack one
            shutil.copy(source / name, folder)


def built(folder: Path) -> tuple[Path, Path]:
    """The source distribution and the wheel that lie in a folder."""
    (sdist,), (wheel,) = folder.glob("tessella-*.tar.gz"), folder.glob("tessella-*.whl")
    return sdist, wheel
