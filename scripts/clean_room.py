"""Clean environments in which a wheel is tried as its users would, with the seconds that each step took.

Used by scripts/package-check and scripts/first-time; needs Python only.
"""

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
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13")
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

    def tessella(self, *arguments: str) -> str:
        """Run our command and give what it said."""
        return self.run(str(self.folder / "bin" / "tessella"), *arguments)

    def run(self, *command: str) -> str:
        """Run a program far away from this checkout."""
        return run(command, cwd=self.folder, env=bare())

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


def build(out: Path) -> tuple[Path, Path]:
    """The source distribution, and the wheel that is built from it alone; both with the pages for browsers."""
    if not (ROOT / "src" / "tessella" / "server" / "static" / "index.html").exists():
        raise Failed("scripts/web-build must build the pages for browsers first")
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if uv is None:
        raise Failed("uv is missing; scripts/setup brings it")
    with tempfile.TemporaryDirectory() as folder:
        copy_source(Path(folder))
        how = ["--quiet", "--offline", "--no-build-isolation", "--python", sys.executable]
        run([uv, "build", *how, "--out-dir", str(out), folder])
    return built(out)


def copy_source(folder: Path) -> None:
    """What is released is built from, without anything that was built in this checkout."""
    leave = shutil.ignore_patterns("__pycache__", "*.so", "*.egg-info")
    for name in ("src", "docs/rules", "docs/reference"):
        shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=leave)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)


def built(folder: Path) -> tuple[Path, Path]:
    """The source distribution and the wheel that lie in a folder."""
    (sdist,), (wheel,) = folder.glob("tessella-*.tar.gz"), folder.glob("tessella-*.whl")
    return sdist, wheel
