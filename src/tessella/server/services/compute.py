"""Computes expensive answers in child processes, so that moves never wait for them.

The queue is bounded and fair: askers take turns, so each waits only behind its own requests. When the queue is full,
the latest request of the asker with the most requests is rejected. A computation has a deadline; a child that misses
it is killed, and the next request starts another. A child starts with the first request and ends when it is idle.
"""

import asyncio
import logging
import os
import sys
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, Protocol, Self

import msgspec
from msgspec import Struct

from tessella.core.game import Public
from tessella.core.wire import Encoded
from tessella.server.services.expensive import HEAD_BYTES, Outcome, frame, perform
from tessella.server.settings import PREFIX
from tessella.table.table import Refused

log = logging.getLogger(__name__)

DEADLINE_SECONDS = 30.0
"""For one computation, which takes 0.1 s on an idle machine; the first one includes the start of its process."""

IDLE_SECONDS = 300.0
"""A child that has been idle for this long ends, to free its memory."""

MOST_WAITING = 64
MOST_WAITING_EACH = 8
"""Requests in the queue: in total, and per asker."""

P = ParamSpec("P")


class Busy(Exception):
    """The queue is full, or the computation took too long."""


class Failed(RuntimeError):
    """A task raised an unexpected exception."""


class Compute(Protocol):
    """Runs tasks of `expensive`."""

    async def run(self, asker: str, task: Callable[P, Public], *arguments: P.args, **none: P.kwargs) -> Encoded:
        """Return the JSON of a task's answer; raise `Refused` or `Busy`."""
        ...


class InThread:
    """Computes in a thread of this process: for tests, and for hosts that allow no child process."""

    async def run(self, asker: str, task: Callable[P, Public], *arguments: P.args, **none: P.kwargs) -> Encoded:  # noqa: ARG002
        """Return the JSON of a task's answer; raise `Refused`."""
        return _answer(await asyncio.to_thread(perform, task.__name__, arguments))


def _answer(outcome: Outcome) -> Encoded:
    if outcome.place:
        log.error("expensive request failed", extra={"rule": outcome.place})
        raise Failed(outcome.place)
    if outcome.rule:
        raise Refused(outcome.rule, outcome.message)
    return Encoded(outcome.data)


# The queue


class Waiting(Struct, frozen=True, eq=False):
    """A request in the queue."""

    asker: str
    request: bytes
    outcome: "asyncio.Future[Outcome]"


class FairQueue:
    """Requests by asker: askers take turns, each with at most one running request."""

    def __init__(self, most: int = MOST_WAITING, most_each: int = MOST_WAITING_EACH) -> None:
        self._most, self._most_each = most, most_each
        self._lanes: OrderedDict[str, deque[Waiting]] = OrderedDict()
        self._running: set[str] = set()
        self._changed = asyncio.Event()

    def __len__(self) -> int:
        return sum(map(len, self._lanes.values()))

    def put(self, item: Waiting) -> None:
        """Queue a request or raise `Busy`. An asker without a name, a program on this machine, may fill the queue."""
        lane = self._lanes.get(item.asker, ())
        if item.asker and len(lane) >= self._most_each:
            raise Busy
        if len(self) >= self._most:
            self._make_room(len(lane))
        self._lanes.setdefault(item.asker, deque()).append(item)
        self._changed.set()

    def _make_room(self, least: int) -> None:
        """Reject the latest request of the asker with the most, or raise `Busy` if that would not be fairer."""
        longest = max(self._lanes.values(), key=len)
        if len(longest) <= least + 1:
            raise Busy
        _reject(longest.pop())

    async def take(self) -> Waiting:
        """Return the next request, once there is one."""
        while (item := self._next()) is None:
            self._changed.clear()
            await self._changed.wait()
        return item

    def _next(self) -> Waiting | None:
        asker = next((each for each in self._lanes if each not in self._running), None)
        if asker is None:
            return None
        lane = self._lanes.pop(asker)
        item = lane.popleft()
        if lane:
            self._lanes[asker] = lane  # behind the others
        self._running.add(asker)
        return item

    def done(self, item: Waiting) -> None:
        """Mark a request as answered, so that its asker gets another turn."""
        self._running.discard(item.asker)
        self._changed.set()

    def close(self) -> None:
        """Reject all queued requests."""
        for lane in self._lanes.values():
            for item in lane:
                _reject(item)
        self._lanes.clear()


def _reject(item: Waiting) -> None:
    if not item.outcome.done():
        item.outcome.set_exception(Busy())


# The processes


class Child:
    """A process that runs one task at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> Self:
        """Start a process with our module path but without our settings, which may contain passwords."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        kept["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-P", "-m", "tessella.server.services.expensive"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=kept,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    async def ask(self, request: bytes) -> Outcome:
        """Send a request and return its outcome; raise OSError or EOFError if the process has ended."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(request)
        await stdin.drain()
        length = int.from_bytes(await stdout.readexactly(HEAD_BYTES))
        return msgspec.msgpack.decode(await stdout.readexactly(length), type=Outcome)

    async def end(self) -> None:
        """Kill the process and wait for its end."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


class Pool:
    """A few child processes and their queue."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._queue = FairQueue()
        self._runners: list[asyncio.Task[None]] = []
        self.children: set[Child] = set()
        """The running ones."""

    async def __aenter__(self) -> Self:
        """Return the pool; children start with the first requests."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Reject queued requests and end all children."""
        self._queue.close()
        for runner in self._runners:
            runner.cancel()
        await asyncio.gather(*self._runners, return_exceptions=True)

    async def run(self, asker: str, task: Callable[P, Public], *arguments: P.args, **none: P.kwargs) -> Encoded:  # noqa: ARG002
        """Return the JSON of a task's answer once it is this asker's turn; raise `Refused` or `Busy`."""
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._queue.put(Waiting(asker, frame((task.__name__, arguments)), outcome))
        if len(self._runners) < self._processes:
            self._runners.append(asyncio.create_task(self._serve()))
        return _answer(await outcome)

    async def _serve(self) -> None:
        """Feed one child with requests, one after the other."""
        child: Child | None = None
        try:
            while True:
                try:
                    async with asyncio.timeout(IDLE_SECONDS if child else None):
                        item = await self._queue.take()
                except TimeoutError:
                    await self._end(child)
                    child = None
                    continue
                try:
                    child = await self._compute(child, item)
                finally:
                    self._queue.done(item)
                    _reject(item)  # unless it was answered
        finally:
            await self._end(child)

    async def _compute(self, child: Child | None, item: Waiting) -> Child | None:
        """Answer a request; return the child that did so, or None if it has ended."""
        if item.outcome.done():  # the asker has gone
            return child
        try:
            if child is None:
                child = await Child.start()
                self.children.add(child)
            async with asyncio.timeout(DEADLINE_SECONDS):
                outcome = await child.ask(item.request)
        except (OSError, EOFError, TimeoutError) as exc:
            log.warning("compute process lost", extra={"rule": type(exc).__name__})
            await self._end(child)
            return None
        if not item.outcome.done():
            item.outcome.set_result(outcome)
        return child

    async def _end(self, child: Child | None) -> None:
        if child is not None:
            self.children.discard(child)
            await child.end()
