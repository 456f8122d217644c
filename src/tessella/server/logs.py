"""What a server says of itself: lines of JSON for programs, or text for a person at a terminal. Never who plays.

Only our own fixed words and the fields named here are written. Whatever else a message carries (its arguments, the
text of an exception, all that a library says) may hold a name, an address or a secret: of that a line tells the kind
of the error and the places in the program, which are enough to find the cause.
"""

import json
import logging
import sys
import time
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tessella.server.settings import Settings

FIELDS = (
    "game",
    "number",
    "rule",
    "method",
    "route",
    "status",
    "seconds",
    "worker",
    "count",
    "version",
    "database",
    "bus",
    "port",
)
"""What a line may say besides its time, level and event: nothing that tells who somebody is."""

log = logging.getLogger(__name__)

OURS = "tessella"
FRAMES = 8


def begin(settings: Settings, stream: TextIO | None = None) -> None:
    """From now on everything that is logged in this process is written as the settings say."""
    target = stream or sys.stderr
    is_text = settings.log == "text" or (settings.log == "auto" and target.isatty())
    handler = logging.StreamHandler(target)
    handler.setFormatter(Text() if is_text else Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(OURS).setLevel(settings.log_level.upper())


class Lines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        when = _time(record).isoformat(timespec="milliseconds")
        where = _where(record)
        return json.dumps({"time": when, **facts(record), **({"where": where} if where else {})})


class Text(logging.Formatter):
    """Time, level and event, then the rest."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, and below it where it went wrong."""
        told = facts(record)
        level, event = told.pop("level"), told.pop("event")
        rest = "  ".join(f"{name}={value}" for name, value in told.items())
        head = f"{_time(record).astimezone():%H:%M:%S}  {level:<7}  {event}  {rest}".rstrip()
        return "\n    ".join([head, *_where(record)])


def facts(record: logging.LogRecord) -> dict[str, object]:
    """What may be told of a message."""
    told: dict[str, object] = {"level": record.levelname.lower(), "event": _event(record)}
    told |= {name: record.__dict__[name] for name in FIELDS if name in record.__dict__}
    error = _error(record)
    return told if error is None else {**told, "error": _kinds(error)}


def _error(record: logging.LogRecord) -> BaseException | None:
    return record.exc_info[1] if record.exc_info else None


def _event(record: logging.LogRecord) -> str:
    """Our own words; of a library's message only where in its program it comes from."""
    is_ours = record.name.partition(".")[0] == OURS
    return str(record.msg) if is_ours else f"{record.name} {record.funcName} {record.lineno}"


def _kinds(error: BaseException) -> str:
    """The kind of an error and of what caused it, without a word of their texts."""
    kinds = [f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")]
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return " from ".join(kinds + ([_kinds(cause)] if cause else []))


def _where(record: logging.LogRecord) -> list[str]:
    error = _error(record)
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:] if error else []
    return [f"{'/'.join(Path(frame.filename).parts[-2:])}:{frame.lineno} {frame.name}" for frame in frames]


def _time(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


class Access:
    """Tell of each request when it is answered: what was asked for and how long it took, never by whom."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass; a socket is one, too."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        statuses: list[int] = []

        async def listening(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                statuses.append(message.get("status", 101))
            await send(message)

        try:
            await self._app(scope, receive, listening)
        finally:
            log.info("request", extra=_request(scope, *statuses, seconds=time.perf_counter() - began))


def _request(scope: Scope, status: int = 403, *, seconds: float) -> dict[str, object]:
    """A path may hold a secret, so only the pattern that it fits is told, and the game if there is such a game."""
    route = getattr(scope.get("route"), "path", "none")
    said: dict[str, object] = {"method": scope.get("method", "SOCKET"), "route": route, "status": status}
    said["seconds"] = round(seconds, 4)
    if status < 400 and route.startswith("/api/games/{id}"):
        said["game"] = scope["path_params"]["id"]
    return said
