"""Run Tessella without what Windows lacks: `python -m tests.like_windows` and a command; without one, load all modules.

The standard library and the libraries of others are loaded first, as they are for this system. Then the modules,
functions, signals and abilities of the event loop that Windows does not have are taken away, and ours are loaded anew.
"""

import asyncio
import importlib
import os
import pkgutil
import signal
import sys
from collections.abc import Sequence

MODULES = ("curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty", "uvloop")
SIGNALS = ("SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGPROF", "SIGQUIT", "SIGUSR1", "SIGUSR2")
FUNCTIONS = {
    signal: ("alarm", "setitimer", "pthread_sigmask", "ITIMER_PROF"),
    os: ("chown", "fork", "geteuid", "getpgid", "getuid", "killpg", "nice", "sched_getaffinity", "setsid", "sysconf"),
}
OPTIONAL = ("mcp", "opentelemetry", "pyspiel", "ray")
"""Libraries of extras that a developer may not have."""
COMPILED = "tessella.fast"
"""Compiled modules cannot be loaded twice in one process."""


class WindowsLoop(asyncio.SelectorEventLoop):
    """Refuses what the loop of Windows refuses."""

    def add_signal_handler(self, *_: object) -> None:
        raise NotImplementedError

    def add_reader(self, *_: object) -> None:
        raise NotImplementedError

    def remove_reader(self, *_: object) -> bool:
        raise NotImplementedError


def modules() -> list[str]:
    """Return the names of all our modules, but for programs that run when they are imported, and migrations."""
    import tessella  # noqa: PLC0415  it is loaded anew

    found = pkgutil.walk_packages(tessella.__path__, "tessella.")
    return [each.name for each in found if not each.name.endswith("__main__") and ".migrations." not in each.name]


def load(names: Sequence[str]) -> int:
    """Import modules, but for those that need a library of an extra; return how many were."""
    loaded = 0
    for name in names:
        try:
            importlib.import_module(name)
            loaded += 1
        except ModuleNotFoundError as exc:
            if (exc.name or "").partition(".")[0] not in OPTIONAL:
                raise
    return loaded


def take_away(names: Sequence[str]) -> None:
    """Take away what Windows lacks, and forget our modules."""
    for name in names:
        if not name.startswith(COMPILED):
            sys.modules.pop(name, None)
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for name in SIGNALS:
        delattr(signal, name)
    for module, functions in FUNCTIONS.items():
        for function in functions:
            delattr(module, function)
    asyncio.ProactorEventLoop = WindowsLoop  # type: ignore[attr-defined]
    asyncio.events.new_event_loop = WindowsLoop
    sys.platform = "win32"


def main(arguments: Sequence[str]) -> int:
    names = modules()
    load(names)
    take_away(names)
    if arguments:
        from tessella.cli import main as tessella  # noqa: PLC0415  not before anything was taken away

        return tessella(arguments)
    sys.stdout.write(f"{load(names)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
