"""Running a worker as a process: it listens, tells when it is ready, and goes quietly when it is told to."""

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
import time
import urllib.request
import webbrowser
from contextlib import suppress

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from tessella.server import logs
from tessella.server.app import LARGEST_FRAME, make_app
from tessella.server.host import Host
from tessella.server.metrics import Metrics
from tessella.server.settings import Settings
from tessella.server.sockets import Socket
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.worker import make_work_app, working

FINISH_SECONDS = 1.0
"""How long entries that are being written may take before the sockets are closed."""

LINGER_SECONDS = 1
"""How long answers on their way may take after that."""

LONGEST_GOODBYE = 4.5
"""Then the process ends, whatever still runs: what was confirmed is stored."""


SWEEP_SECONDS = 600.0
"""How often a worker looks through all its memory for what nobody holds any more."""

YOUNG, MIDDLE, NEVER = 2_500, 4, 1_000_000


class CannotStart(RuntimeError):
    """Why a worker cannot start, in a sentence."""


def serve(settings: Settings) -> int:
    """Run a web worker until it is told to stop."""
    os.umask(0o077)
    logs.begin(settings)
    listener = _listen(settings)
    url = _url(settings, listener)
    if settings.open or (settings.open is None and sys.stdout.isatty()):
        threading.Thread(target=_open, args=(url,), daemon=True).start()
    if sys.stdout.isatty():
        sys.stdout.write(f"Tessella is at {url} – Ctrl+C ends it.\n")
    _run(settings, make_app(settings), listener)
    return 0


def work(settings: Settings) -> int:
    """Run a bot worker until it is told to stop; if it has a port, it answers there to whoever runs it."""
    os.umask(0o077)
    logs.begin(settings)
    if settings.port:
        _run(settings, make_work_app(settings), _listen(settings))
    else:
        asyncio.run(_work(settings))
    return 0


async def _work(settings: Settings) -> None:
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    try:
        async with working(settings, Metrics()):
            await told.wait()
            _end_soon()
    except (*STORE_ERRORS, SQLAlchemyError) as wrong:
        raise CannotStart(_why(wrong)) from wrong


# Listening


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    try:
        return socket.create_server((settings.address, settings.port), family=family, backlog=2048)
    except OSError as wrong:
        why = os.strerror(wrong.errno or 0)
        raise CannotStart(f"cannot listen on {settings.address} port {settings.port}: {why}") from None


def _url(settings: Settings, listener: socket.socket) -> str:
    anywhere = settings.address in ("0.0.0.0", "::")  # noqa: S104  compared with, not listened on
    name = "127.0.0.1" if anywhere else settings.address
    return f"http://{f'[{name}]' if ':' in name else name}:{listener.getsockname()[1]}"


def _open(url: str) -> None:
    """Open the browser as soon as the server is ready."""
    for _ in range(150):
        with suppress(OSError), urllib.request.urlopen(f"{url}/ready", timeout=1):  # noqa: S310  our own address
            webbrowser.open(url)
            return
        time.sleep(0.1)


# The server


class Server(uvicorn.Server):
    """Goes in this order: nobody new, entries written, sockets closed with 1012, answers sent, process ended."""

    def __init__(self, settings: Settings, app: Starlette) -> None:
        super().__init__(_config(settings, self._remember))
        self.app = app
        self.error: Exception | None = None
        self._sweeping: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Come."""
        await super().startup(sockets)
        self._sweeping = asyncio.create_task(_sweep())

    async def _remember(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application; if it cannot start, we want to know why."""
        try:
            await self.app(scope, receive, send)
        except Exception as wrong:
            self.error = wrong if scope["type"] == "lifespan" else None
            raise

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Go."""
        _end_soon()
        for listener in self.servers:
            listener.close()
        began = time.monotonic()
        while time.monotonic() - began < FINISH_SECONDS and is_writing(self.app.state.host):
            await asyncio.sleep(0.01)
        await super().shutdown(sockets)


async def _sweep() -> None:
    """Look for cycles of dead objects now and then, not whenever many were made.

    With thousands of sockets a full search takes a quarter of a second, in which nobody is answered; left alone it
    comes back with every crowd that arrives. What was loaded at the start is not looked at again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        gc.collect()


def is_writing(host: Host) -> bool:
    """Whether an entry of any table here is on its way to the store."""
    return any(room.lock.locked() for room in host.rooms.values())


def _end_soon() -> None:
    """End the process even if something does not let go, such as a bot that thinks."""
    clock = threading.Timer(LONGEST_GOODBYE, os._exit, [0])
    clock.daemon = True
    clock.start()


def _run(settings: Settings, app: Starlette, listener: socket.socket) -> None:
    server = Server(settings, app)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _ignore)  # uvicorn sends itself the signal again when all is done
    try:
        server.run([listener])
    except SystemExit:
        if isinstance(server.error, ModuleNotFoundError):
            raise server.error from None
        raise CannotStart(_why(server.error)) from server.error


def _why(error: Exception | None) -> str:
    return f"cannot start: {error}".partition("\n")[0]


def _ignore(*_: object) -> None:
    """The signal has been heard already."""


def _config(settings: Settings, app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        ws=Socket,
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        lifespan="on",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=settings.proxies,
        timeout_keep_alive=65,
        timeout_graceful_shutdown=LINGER_SECONDS,
    )
