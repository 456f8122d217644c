"""Forked processes in which chosen tests run up to the first that fails.

Hypothesis tries few examples, always the same ones. CPU time, idle time and memory are limited, since a mutant may
loop, or wait for what never comes.
"""

import gc
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn, TypeVar, cast

import hypothesis
import msgspec
import pytest
from msgspec import Struct

from proofs.mutation.mutant import ROOT

EXAMPLES = 30
"""Examples that Hypothesis tries."""
RELOADED = {"tessella", "tests", "bench"}
"""Packages that a child imports again."""

IMPORT_SECONDS = 20.0
TEST_SECONDS = 2.0
TIMES_SLOWER = 3.0
"""A test is stopped once its CPU time or its idle time exceeds `TEST_SECONDS` plus this multiple of both together
while lines were counted, which is slow."""
LOOK_SECONDS = 0.25
"""How often idle time is measured."""
MEMORY_BYTES = 3 * 2**30

UNUSED = ("cacheprovider", "capture", "terminal", "unraisableexception", "threadexception")
OPTIONS = [
    *("-o", "addopts=", "--import-mode=importlib", "--assert=plain", "-m", "not slow", "--maxfail=1", "-W", "ignore"),
    *("-o", "tmp_path_retention_policy=none"),
    *(part for plugin in UNUSED for part in ("-p", f"no:{plugin}")),
]
"""Bare pytest: nothing is printed, rewritten or remembered."""

SERVICES = {"postgres", "bare_postgres", "nats"}
"""Fixtures that need a running service."""
SET_UP_ONCE = {"sqlite", "migrated_sqlite"}
"""Fixtures of a database that is copied from one made once per session."""

A = TypeVar("A", bound=Struct)


class Outcome(Struct, frozen=True):
    """What the tests said: the first one that failed, and how."""

    killer: str = ""
    how: str = ""
    """Empty if every test passed; otherwise failed, looped, waited, crashed or not imported."""
    ran: int = 0
    """The number of tests that passed before."""


BY_LIMIT = {"looped", "waited"}
"""The outcomes of a test that spent too much CPU time, or too much time with nothing to do."""

NOT_RUN = "not run"
"""Some tests were not found: no verdict."""


class Job(Struct, frozen=True):
    """Tests to run in this order, with their seconds, and the source to run them with."""

    file: str
    source: str
    tests: dict[str, float]

    @property
    def seconds(self) -> float:
        """Wall-clock time after which the child is stopped, on however busy a machine."""
        return 10 * (IMPORT_SECONDS + sum(TEST_SECONDS + TIMES_SLOWER * seconds for seconds in self.tests.values()))


# Processes


def fork(work: Callable[[Callable[[A], NoReturn]], NoReturn], kind: type[A], seconds: float) -> A | None:
    """Return what a forked process answers; None if it ends or takes too long without an answer."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        gc.disable()
        work(lambda answer: _answer(writing, answer))
    os.close(writing)
    raw = _read(reading, time.monotonic() + seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return msgspec.json.decode(raw[:-1], type=kind) if raw.endswith(b"\n") else None


def _answer(writing: int, answer: Struct) -> NoReturn:
    raw = msgspec.json.encode(answer) + b"\n"
    while raw:
        raw = raw[os.write(writing, raw) :]
    os._exit(0)


def _read(reading: int, deadline: float) -> bytes:
    raw = b""
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while not raw.endswith(b"\n") and select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
            part = pipe.read(2**16)
            if not part:
                break
            raw += part
    return raw


class IdleClock:
    """Counts the seconds in which this process neither runs nor waits for a core, however busy the machine is.

    Where the system does not say how long a thread waits for a core, that counts as idle time, too.
    """

    def __init__(self) -> None:
        self._delays: dict[str, int] = {}
        """How long each thread has waited for a core, in nanoseconds; also those that have ended."""

    def __call__(self) -> float:
        """Return the idle time so far; only differences mean anything."""
        for path in Path("/proc/self/task").glob("*/schedstat"):
            with suppress(OSError):  # the thread has just ended
                self._delays[path.parent.name] = int(path.read_text().split()[1])
        return time.monotonic() - time.process_time() - sum(self._delays.values()) / 1e9


def begin() -> None:
    """Make a child quiet and limited, and free of Tessella."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT / "src"), str(ROOT)]
    for name in [name for name in sys.modules if name.partition(".")[0] in RELOADED]:
        del sys.modules[name]
    hypothesis.settings.register_profile(
        "mutation",
        derandomize=True,
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.settings.load_profile("mutation")


def run_pytest(files: Sequence[str], plugin: object) -> int:
    """Run pytest in this process."""
    return int(pytest.main([*OPTIONS, *files], plugins=[plugin]))


# Tests


def needs_service(item: pytest.Item) -> bool:
    """Return whether a test needs a service that must be running, like a database server."""
    return not SERVICES.isdisjoint(_wanted(item))


def _wanted(item: pytest.Item) -> set[str]:
    """Return the fixtures that a test names, also as a parameter."""
    call = getattr(item, "callspec", None)
    return {*getattr(item, "fixturenames", ()), *(map(str, call.params.values()) if call else ())}


def set_up_session(session: pytest.Session) -> None:
    """Run one test with a database, so that no other test pays for setting it up."""
    first = next((item for item in session.items if not SET_UP_ONCE.isdisjoint(_wanted(item))), None)
    if first is not None:
        first.ihook.pytest_runtest_protocol(item=first, nextitem=cast("pytest.Item", session))


def run_tests(items: Sequence[pytest.Item]) -> None:
    """Run tests one after the other; they share what is set up once for a session or a module."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)


class Chosen:
    """A plugin of pytest: run the tests of a job in their order, and answer at the first failure."""

    def __init__(self, job: Job, answer: Callable[[Outcome], NoReturn]) -> None:
        self._job = job
        self._answer = answer
        self._test = ""
        self.ran = 0
        self._idle = IdleClock()
        self._may_idle_until = self._idle() + IMPORT_SECONDS
        signal.signal(signal.SIGPROF, self._looped)
        signal.setitimer(signal.ITIMER_PROF, IMPORT_SECONDS)
        signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)

    def _looped(self, _signal: int, _frame: FrameType | None) -> None:
        self._answer(Outcome(self._test, "looped", self.ran))

    def _look(self, _signal: int, _frame: FrameType | None) -> None:
        if self._idle() > self._may_idle_until:
            self._answer(Outcome(self._test, "waited", self.ran))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the chosen tests, in the chosen order."""
        items[:] = self.order(items)

    def order(self, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """Return the items of the chosen tests, in the chosen order."""
        by_name = {item.nodeid: item for item in items}
        return [by_name[test] for test in self._job.tests if test in by_name]

    @property
    def outcome(self) -> Outcome:
        """The outcome after all tests have passed; a test that did not run would have been asked in vain."""
        if self.ran != len(self._job.tests):
            return Outcome(how=NOT_RUN, ran=self.ran)
        return Outcome(ran=self.ran)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Answer if a test file cannot be imported."""
        if report.failed:
            self._answer(Outcome(report.nodeid, "not imported"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Limit the CPU time and the idle time of a test."""
        self._test = item.nodeid
        most = TEST_SECONDS + TIMES_SLOWER * self._job.tests[item.nodeid]
        self._may_idle_until = self._idle() + most
        signal.setitimer(signal.ITIMER_PROF, most)
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Answer at the first failure."""
        if report.failed:
            self._answer(Outcome(report.nodeid, "failed", self.ran))
        self.ran += report.when == "teardown"
