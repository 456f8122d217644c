"""Forked processes in which chosen tests run up to the first that fails.

Hypothesis tries few examples, always the same ones. CPU time and memory are limited, since a mutant may loop.
"""

import gc
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Generator, Sequence
from types import FrameType
from typing import NoReturn, TypeVar

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
"""A test is stopped after `TEST_SECONDS` plus this multiple of its CPU time while lines were counted, which is slow."""
MEMORY_BYTES = 3 * 2**30

UNUSED = ("cacheprovider", "capture", "logging", "terminal", "unraisableexception", "threadexception")
OPTIONS = [
    *("-o", "addopts=", "--import-mode=importlib", "--assert=plain", "-m", "not slow", "--maxfail=1", "-W", "ignore"),
    *(part for plugin in UNUSED for part in ("-p", f"no:{plugin}")),
]
"""Bare pytest: nothing is printed, rewritten or remembered."""

A = TypeVar("A", bound=Struct)


class Outcome(Struct, frozen=True):
    """What the tests said: the first one that failed, and how."""

    killer: str = ""
    how: str = ""
    """Empty if every test passed; otherwise failed, looped, crashed or not imported."""
    ran: int = 0
    """The number of tests that passed before."""


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


class Chosen:
    """A plugin of pytest: run the tests of a job in their order, and answer at the first failure."""

    def __init__(self, job: Job, answer: Callable[[Outcome], NoReturn]) -> None:
        self._job = job
        self._answer = answer
        self._test = ""
        self.ran = 0
        signal.signal(signal.SIGPROF, self._looped)
        signal.setitimer(signal.ITIMER_PROF, IMPORT_SECONDS)

    def _looped(self, _signal: int, _frame: FrameType | None) -> None:
        self._answer(Outcome(self._test, "looped", self.ran))

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
        """Limit the CPU time of a test."""
        self._test = item.nodeid
        signal.setitimer(signal.ITIMER_PROF, TEST_SECONDS + TIMES_SLOWER * self._job.tests[item.nodeid])
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Answer at the first failure."""
        if report.failed:
            self._answer(Outcome(report.nodeid, "failed", self.ran))
        self.ran += report.when == "teardown"
