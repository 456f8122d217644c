"""What a worker counts, in the text format of Prometheus. Numbers of things and times, never of persons."""

import os
import platform
import time
from bisect import bisect_left
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tessella.server.bus import Bus
from tessella.server.entries import Opened, Played
from tessella.server.host import Decision, Host, Room, Stored
from tessella.server.sockets import Write, offer, writing_at_once
from tessella.server.store import Job
from tessella.server.table import Refused
from tessella.server.thinker import Thinker

BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds that divide the histogram."""


def sample(name: str, value: float, **labels: str) -> str:
    r"""One line.

    >>> sample("tessella_refused_total", 3, rule='say "no"')
    'tessella_refused_total{rule="say \\"no\\""} 3'
    """
    inner = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
    return f"{name}{{{inner}}} {value:.15g}" if inner else f"{name} {value:.15g}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def family(kind: str, name: str, words: str, lines: Sequence[str]) -> str:
    """All lines of one name, with what they mean."""
    return "\n".join([f"# HELP {name} {words}", f"# TYPE {name} {kind}", *lines])


class Histogram:
    """How long things took."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS) + 1)
        self._sum = 0.0

    def see(self, seconds: float) -> None:
        """One more that took so long."""
        self._counts[bisect_left(BOUNDS, seconds)] += 1
        self._sum += seconds

    def lines(self, name: str) -> Iterator[str]:
        """What was seen."""
        total = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self._counts, strict=True):
            total += count
            yield sample(f"{name}_bucket", total, le=bound)
        yield sample(f"{name}_sum", self._sum)
        yield sample(f"{name}_count", total)


class Metrics:
    """The counts of one worker since it started."""

    def __init__(self) -> None:
        self.began = time.time()
        self.entries: Tally[str] = Tally()
        self.refused: Tally[str] = Tally()
        self.append_seconds = Histogram()
        self.bot_moves = 0
        self.bot_jobs_done = 0
        self.hints_sent = 0
        self.hints_heard = 0
        self.sockets = 0
        self.messages = 0
        self.bytes_sent = 0
        self.requests: Tally[int] = Tally()

    def stored(self, stored: Stored, room: Room, seconds: float) -> None:
        """An entry is stored; a wish that was stored before counts once."""
        if stored.entry is None:
            return
        self.entries[str(stored.entry.__struct_config__.tag)] += 1
        self.append_seconds.see(seconds)
        if isinstance(stored.entry, Played) and room.table.chairs[stored.entry.seat].level:
            self.bot_moves += 1

    def text(self, host: Host, waiting: Sequence[float], now: float) -> str:
        """Everything, with the tables of this worker and when the bot jobs that wait were made."""
        parts = [*self._moves(), *self._bots(waiting, now), *self._traffic(host), *_about_the_process(self.began)]
        return "\n".join(parts) + "\n"

    def _moves(self) -> Iterator[str]:
        seconds = "tessella_append_seconds"
        yield _labelled("entries_total", "Entries appended here.", "kind", self.entries)
        yield _labelled("refused_total", "Wishes refused here, by rule.", "rule", self.refused)
        yield family("histogram", seconds, "From a wish to its entry.", list(self.append_seconds.lines(seconds)))

    def _bots(self, waiting: Sequence[float], now: float) -> Iterator[str]:
        age = max(0.0, now - min(waiting, default=now))
        yield _one("counter", "bot_moves_total", "Moves that bots made here.", self.bot_moves)
        yield _one("counter", "bot_jobs_done_total", "Jobs that bots did here.", self.bot_jobs_done)
        yield _one("gauge", "bot_jobs", "Games in which a bot is to move, everywhere.", len(waiting))
        yield _one("gauge", "bot_job_age_seconds", "How long the oldest of them waits.", age)

    def _traffic(self, host: Host) -> Iterator[str]:
        away = sum(gap.ended - gap.began for gap in host.outages)
        yield _one("counter", "hints_sent_total", "Hints given to the bus.", self.hints_sent)
        yield _one("counter", "hints_heard_total", "Hints heard from other workers.", self.hints_heard)
        yield _one("gauge", "sockets", "Sockets open here.", self.sockets)
        yield _one("gauge", "rooms", "Tables loaded here.", len(host.rooms))
        yield _one("counter", "messages_sent_total", "Messages sent through sockets.", self.messages)
        yield _one("counter", "bytes_sent_total", "Bytes of messages and answers.", self.bytes_sent)
        yield _labelled("requests_total", "HTTP requests answered.", "status", self.requests)
        yield _one("gauge", "outages", "Times at which no worker was there, in the last months.", len(host.outages))
        yield _one("gauge", "outage_seconds", "How long they were, together.", away)


def _one(kind: str, name: str, words: str, value: float) -> str:
    return family(kind, f"tessella_{name}", words, [sample(f"tessella_{name}", value)])


def _labelled(name: str, words: str, label: str, tally: "Tally[str] | Tally[int]") -> str:
    lines = [sample(f"tessella_{name}", count, **{label: str(key)}) for key, count in sorted(tally.items())]
    return family("counter", f"tessella_{name}", words, lines)


def _about_the_process(began: float) -> Iterator[str]:
    build = sample("tessella_build_info", 1, version=version("tessella"), python=platform.python_version())
    yield family("gauge", "tessella_build_info", "Which program this is.", [build])
    yield _process("gauge", "start_time_seconds", "When the worker started.", began)
    yield _process("counter", "cpu_seconds_total", "Processor time used.", time.process_time())
    if Path("/proc/self/statm").exists():
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        yield _process("gauge", "resident_memory_bytes", "Memory used.", pages * os.sysconf("SC_PAGE_SIZE"))
        yield _process("gauge", "open_fds", "Files and connections open.", len(list(Path("/proc/self/fd").iterdir())))


def _process(kind: str, name: str, words: str, value: float) -> str:
    return family(kind, f"process_{name}", words, [sample(f"process_{name}", value)])


# Where it is counted


class CountedBus:
    """A bus that counts what it is given."""

    def __init__(self, bus: Bus, metrics: Metrics) -> None:
        self._bus = bus
        self._metrics = metrics

    def hint(self, topic: str, news: str) -> None:
        """Tell the other workers, soon."""
        self._metrics.hints_sent += 1
        self._bus.hint(topic, news)

    async def close(self) -> None:
        """Stop listening."""
        await self._bus.close()


class CountedHost(Host):
    """A worker that counts what is stored, refused and heard."""

    metrics: Metrics

    async def open(self, game_id: str, opened: Opened, seed: bytes, *, listed: bool, match: str = "") -> Room:
        """Set a new table."""
        room = await super().open(game_id, opened, seed, listed=listed, match=match)
        self.metrics.entries["opened"] += 1
        return room

    async def append(self, room: Room, key: str, decide: Decision) -> Stored:
        """Decide on a wish and store it, or raise `Refused`."""
        began = time.perf_counter()
        try:
            stored = await super().append(room, key, decide)
        except Refused as wrong:
            self.metrics.refused[wrong.rule] += 1
            raise
        self.metrics.stored(stored, room, time.perf_counter() - began)
        return stored

    def hear(self, topic: str, news: str) -> None:
        """A hint from another worker."""
        self.metrics.hints_heard += 1
        super().hear(topic, news)


class CountedThinker(Thinker):
    """A bot at work that counts its jobs."""

    async def move(self, job: Job) -> None:
        """Make the moves of all bots that are to move in a game."""
        await super().move(job)
        assert isinstance(self.host, CountedHost)
        self.host.metrics.bot_jobs_done += 1


class Counted:
    """The outermost layer of the application: counts sockets, messages, answers and bytes."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request or a socket pass, and count."""
        match scope["type"]:
            case "websocket":
                self._metrics.sockets += 1
                offer(scope, partial(self._write_message, writing_at_once(scope)))
                try:
                    await self._app(scope, receive, partial(self._send_message, send))
                finally:
                    self._metrics.sockets -= 1
            case "http":
                await self._app(scope, receive, partial(self._send_answer, send))
            case _:
                await self._app(scope, receive, send)

    async def _send_message(self, send: Send, message: Message) -> None:
        if message["type"] == "websocket.send":
            self._metrics.messages += 1
            self._metrics.bytes_sent += len(message.get("text") or message.get("bytes") or "")
        await send(message)

    def _write_message(self, write: Write, text: bytes) -> bool:
        written = write(text)
        self._metrics.messages += written
        self._metrics.bytes_sent += len(text) if written else 0
        return written

    async def _send_answer(self, send: Send, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._metrics.requests[message["status"]] += 1
        self._metrics.bytes_sent += len(message.get("body", b""))
        await send(message)
