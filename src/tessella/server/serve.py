"""Runs a worker as a process: listening, start-up and graceful shutdown."""

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from tessella.games import GAMES
from tessella.server import tracing
from tessella.server.http.app import make_app, make_work_app
from tessella.server.http.connections import ACCEPTED_AT_ONCE, Connections, bounded_http, descriptor_limit
from tessella.server.http.sockets import LARGEST_FRAME_BYTES
from tessella.server.http.uvicorn_socket import Socket
from tessella.server.metrics import Metrics
from tessella.server.ops import logs
from tessella.server.rooms.host import Host
from tessella.server.settings import Settings
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.worker import working

log = logging.getLogger(__name__)

FINISH_SECONDS = 1.0
"""For entries that are being written, before the sockets are closed."""

DRAIN_SECONDS = 1
"""For answers in progress, after that."""

EXIT_SECONDS = 4.5
"""From the signal to the end of the process, whatever still runs; confirmed entries are stored."""


BACKLOG = 2_048
"""Connections that the system queues until we accept them."""

GC_SECONDS = 600.0
"""Interval of full garbage collections."""

GC_THRESHOLDS = (2_500, 4, 1_000_000)
"""Thresholds of the three generations; the last one is never reached."""


class CannotStart(RuntimeError):
    """A worker cannot start; the message says why."""


def serve(settings: Settings) -> int:
    """Run a web worker until SIGTERM or SIGINT; return the exit code."""
    os.umask(0o077)
    _observe(settings)
    listener = _listen(settings)
    url = _url(settings, listener)
    if settings.open or (settings.open is None and sys.stdout.isatty()):
        threading.Thread(target=_open, args=(url,), daemon=True).start()
    if sys.stdout.isatty():
        sys.stdout.write(f"Tessella is at {url} – Ctrl+C ends it.\n")
    with _only_server(settings.database):
        _run(settings, make_app(settings), listener)
    return 0


def work(settings: Settings) -> int:
    """Run a bot worker until SIGTERM or SIGINT; with a port it answers /health, /ready and /metrics there."""
    os.umask(0o077)
    _observe(settings)
    with _only_server(settings.database):
        if settings.port:
            _run(settings, make_work_app(settings), _listen(settings))
        else:
            asyncio.run(_work(settings))
    return 0


def _observe(settings: Settings) -> None:
    """Configure the logs of this process, and its traces; log which installed games cannot be played."""
    logs.configure(settings)
    if settings.traces:
        tracing.configure()
    for name, reason in GAMES.broken.items():
        log.warning("installed game cannot be played", extra={"title": name, "reason": reason})


@contextmanager
def _only_server(database: str) -> Generator[None]:
    """Lock a SQLite file against other servers while the block runs; raise `CannotStart` if there is one.

    The lock is on a file next to it and ends with the process. `tessella admin` does not need it.
    """
    if not database.startswith("sqlite:") or sys.platform == "win32":
        yield
        return
    import fcntl  # noqa: PLC0415  Windows has none

    path = Path(f"{database.removeprefix('sqlite:')}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotStart(
                f"another server already uses {database}; stop it, or use PostgreSQL, which is for several workers"
            ) from None
        yield


async def _work(settings: Settings) -> None:
    stop = asyncio.Event()
    stop_on_signals(stop.set)
    try:
        async with working(settings, Metrics()):
            await stop.wait()
            _exit_after_deadline()
    except (*STORE_ERRORS, SQLAlchemyError) as exc:
        raise CannotStart(_reason(exc)) from exc


def stop_on_signals(stop: Callable[[], None]) -> None:
    """Call a function in this event loop on SIGTERM and SIGINT; the loop of Windows handles no signals itself."""
    loop = asyncio.get_running_loop()

    def handle(_number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(stop)

    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stop)
        except NotImplementedError:
            signal.signal(number, handle)


# Listening


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    try:
        return socket.create_server((settings.address, settings.port), family=family, backlog=BACKLOG)
    except OSError as exc:
        reason = os.strerror(exc.errno or 0)
        raise CannotStart(f"cannot listen on {settings.address} port {settings.port}: {reason}") from None


def _url(settings: Settings, listener: socket.socket) -> str:
    anywhere = settings.address in ("0.0.0.0", "::")  # noqa: S104  compared with, not listened on
    name = "127.0.0.1" if anywhere else settings.address
    return f"http://{f'[{name}]' if ':' in name else name}:{listener.getsockname()[1]}"


def _open(url: str) -> None:
    """Open the browser once the server is ready."""
    for _ in range(150):
        with suppress(OSError), urllib.request.urlopen(f"{url}/ready", timeout=1):  # noqa: S310  our own address
            webbrowser.open(url)
            return
        time.sleep(0.1)


# The server


class Server(uvicorn.Server):
    """Shuts down in this order: stop accepting, write entries, close sockets with 1012, finish answers, exit."""

    def __init__(self, settings: Settings, app: Starlette) -> None:
        super().__init__(_config(settings, self._call_app))
        self.app = app
        self.error: Exception | None = None
        self._collector: asyncio.Task[None] | None = None

    def stop(self, *_: object) -> None:
        """Exit soon, also if the server has not started yet."""
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and collect garbage in the background."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(BACKLOG)  # uvicorn has set it to ACCEPTED_AT_ONCE
        self._collector = asyncio.create_task(_collect_garbage())

    async def _call_app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application, and remember why it cannot start."""
        try:
            await self.app(scope, receive, send)
        except Exception as exc:
            self.error = exc if scope["type"] == "lifespan" else None
            raise

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down gracefully."""
        _exit_after_deadline()
        for listener in self.servers:
            listener.close()
        began = time.monotonic()
        while time.monotonic() - began < FINISH_SECONDS and is_writing(self.app.state.host):
            await asyncio.sleep(0.01)
        await super().shutdown(sockets)


async def _collect_garbage() -> None:
    """Run full garbage collections at a fixed interval instead of after many allocations; never return.

    With thousands of sockets a full collection blocks the worker for a quarter of a second, and by default it happens
    with every wave of new clients. What was loaded at the start is frozen.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    while True:
        await asyncio.sleep(GC_SECONDS)
        gc.collect()


def is_writing(host: Host) -> bool:
    """Return whether an entry of any table here is being written."""
    return any(room.lock.locked() for room in host.rooms.values())


def _exit_after_deadline() -> None:
    """Exit after `EXIT_SECONDS` even if something still runs, such as a search in a thread."""
    timer = threading.Timer(EXIT_SECONDS, os._exit, [0])
    timer.daemon = True
    timer.start()


def _run(settings: Settings, app: Starlette, listener: socket.socket) -> None:
    server = Server(settings, app)
    for number in (signal.SIGTERM, signal.SIGINT):
        # before uvicorn handles signals itself, and when it raises them again after the shutdown
        signal.signal(number, server.stop)
    try:
        server.run([listener])
    except SystemExit:
        if isinstance(server.error, ModuleNotFoundError):
            raise server.error from None
        raise CannotStart(_reason(server.error)) from server.error


def _reason(error: Exception | None) -> str:
    return f"cannot start: {error}".partition("\n")[0]


def _config(settings: Settings, app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=bounded_http(Connections(descriptor_limit())),
        backlog=ACCEPTED_AT_ONCE,
        ws=Socket,
        ws_max_size=LARGEST_FRAME_BYTES,
        ws_per_message_deflate=False,
        lifespan="on",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=settings.proxies,
        timeout_keep_alive=65,
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )
