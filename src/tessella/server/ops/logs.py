"""Log lines without personal data: JSON for programs, text for a terminal.

A line has an event, which is a fixed phrase of ours, and the fields listed here. Anything else (message arguments,
the text of an exception, messages of libraries) may contain a name, an address or a secret, so only the types of an
exception and its places in the source are written; they are enough to find the cause.
"""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from math import inf
from pathlib import Path

from tessella.server.settings import Settings

FIELDS = (
    "game",
    "chore",
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
    "title",
    "reason",
)
"""The allowed fields besides time, level and event; none identifies a person.

`reason` is why an installed game cannot be loaded, which is known before the server has any request.
"""

OWN_LOGGER = "tessella"
MOST_FRAMES = 8
REPEAT_SECONDS = 60.0
MOST_REMEMBERED = 1_000
"""How many different messages of libraries are remembered."""


def configure(settings: Settings) -> None:
    """Write the logs of this process to standard error, in the format and from the level of the settings."""
    is_text = settings.log == "text" or (settings.log == "auto" and sys.stderr.isatty())
    handler = logging.StreamHandler()
    handler.setFormatter(TextFormatter() if is_text else JsonFormatter())
    handler.addFilter(OncePerMinute())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger(OWN_LOGGER).setLevel(settings.log_level.upper())


class OncePerMinute(logging.Filter):
    """Drop messages that a library repeats within a minute; the next one written has their number as `count`.

    An event loop that cannot accept connections logs that thousands of times per second. Our own lines always pass.
    """

    def __init__(self) -> None:
        super().__init__()
        self._written: dict[str, tuple[float, int]] = {}
        """By message: when it was last written, and how many were dropped since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write this record."""
        if _is_own(record):
            return True
        key = f"{_event(record)} {fields_of(record).get('error')}"
        since, dropped = self._written.get(key, (-inf, 0))
        if record.created - since < REPEAT_SECONDS:
            self._written[key] = (since, dropped + 1)
            return False
        if len(self._written) >= MOST_REMEMBERED:
            self._written.clear()
        self._written[key] = (record.created, 0)
        if dropped:
            record.__dict__["count"] = dropped + 1
        return True


class JsonFormatter(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        time = _time(record).isoformat(timespec="milliseconds")
        where = _where(record)
        return json.dumps({"time": time, **fields_of(record), **({"where": where} if where else {})})


class TextFormatter(logging.Formatter):
    """Time, level, event and fields on one line; the places of an exception below it."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines."""
        fields = fields_of(record)
        level, event = fields.pop("level"), fields.pop("event")
        rest = "  ".join(f"{name}={value}" for name, value in fields.items())
        head = f"{_time(record).astimezone():%H:%M:%S}  {level:<7}  {event}  {rest}".rstrip()
        return "\n    ".join([head, *_where(record)])


def fields_of(record: logging.LogRecord) -> dict[str, object]:
    """Return the level, the event and the allowed fields of a record, and the types of its exception."""
    fields: dict[str, object] = {"level": record.levelname.lower(), "event": _event(record)}
    fields |= {name: record.__dict__[name] for name in FIELDS if name in record.__dict__}
    exc = _exception(record)
    return fields if exc is None else {**fields, "error": _types(exc)}


def _exception(record: logging.LogRecord) -> BaseException | None:
    return record.exc_info[1] if record.exc_info else None


def _event(record: logging.LogRecord) -> str:
    """Return our own phrase, or where in the source of a library a message comes from."""
    return str(record.msg) if _is_own(record) else f"{record.name} {record.funcName} {record.lineno}"


def _is_own(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] == OWN_LOGGER


def _types(exc: BaseException) -> str:
    """Return the type of an exception and the types of its causes, without their texts."""
    types = [f"{type(exc).__module__}.{type(exc).__qualname__}".removeprefix("builtins.")]
    cause = exc.__cause__ or (None if exc.__suppress_context__ else exc.__context__)
    return " from ".join(types + ([_types(cause)] if cause else []))


def _where(record: logging.LogRecord) -> list[str]:
    exc = _exception(record)
    frames = traceback.extract_tb(exc.__traceback__)[-MOST_FRAMES:] if exc else []
    return [f"{'/'.join(Path(frame.filename).parts[-2:])}:{frame.lineno} {frame.name}" for frame in frames]


def _time(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)
