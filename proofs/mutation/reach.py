"""Which test runs which line: found once per state of the sources and tests, and kept in `.mutation`."""

import time
from collections.abc import Callable, Generator, Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import coverage
import msgspec
import pytest
from msgspec import Struct

from proofs.mutation.mutant import ROOT, Mutant
from proofs.mutation.process import IdleClock, begin, fork, needs_service, run_pytest, set_up_session
from proofs.mutation.targets import (
    SOURCE,
    Target,
    digest,
    files_of,
    files_of_tests,
    helpers_of,
    is_asked_about,
    may_kill,
    modules_of,
)
from tessella.progress import progress

COLLECTION = "collection"
"""What runs while test files are imported, and between tests."""

CACHE = ROOT / ".mutation"
MOST_SECONDS = 3_600.0
"""Time for one test file."""


class Reach(Struct, frozen=True):
    """The tests of a target, quickest first with their seconds (of CPU and idle), and those that run each line."""

    seconds: dict[str, float] = {}
    lines: dict[str, dict[int, list[str]]] = {}
    """By file and line; the empty name stands for the import of the program."""
    failed: list[str] = []

    def tests_for(self, mutant: Mutant) -> dict[str, float]:
        """Return the tests that run a changed line, quickest first; all of them if it is run by the import."""
        found = self.seconds if self.at_import(mutant) else self._reached(mutant)
        asked = {test for test in found if is_asked_about(test, mutant.file)}
        return {test: seconds for test, seconds in self.seconds.items() if test in asked}

    def at_import(self, mutant: Mutant) -> bool:
        """Return whether a changed line is run by an import, so that changing functions afterwards is too late.

        Positions that a test file makes while it is imported do not count, if some test runs the line as well: they
        are what the tests begin with.
        """
        found = self._reached(mutant)
        return "" in found or found == {COLLECTION}

    def _reached(self, mutant: Mutant) -> set[str]:
        reached = self.lines.get(mutant.file, {})
        first, last = mutant.lines
        return {test for line in range(first, last + 1) for test in reached.get(line, ())}


def reach_of(name: str, target: Target) -> Reach:
    """Return which test runs which line; raise `ValueError` if a test fails without any mutant.

    Each test file is measured by itself, so only those that changed are measured again.
    """
    sources = [path for room in target.rooms for path in (ROOT / SOURCE / room).rglob("*.py")]
    common = digest([*sources, *helpers_of(target)])
    folder = CACHE / f"reach-{name}"
    wanted = {folder / f"{path.stem}-{common}-{digest([path])}.json": path for path in files_of_tests(target)}
    for old in {*folder.glob("*.json")} - {*wanted}:
        old.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    measured = [_reach_of_file(kept, path, target) for kept, path in progress(wanted.items(), "test files")]
    return _joined(measured)


def _reach_of_file(kept: Path, path: Path, target: Target) -> Reach:
    if kept.exists():
        return msgspec.json.decode(kept.read_bytes(), type=Reach)
    file = str(path.relative_to(ROOT))
    found = fork(lambda answer: _measure(target, file, answer), Reach, MOST_SECONDS)
    if found is None or found.failed:
        raise ValueError(f"without any mutant {file} fails: {', '.join(found.failed) if found else 'crashed'}")
    kept.write_bytes(msgspec.json.encode(found))
    return found


def _joined(parts: Sequence[Reach]) -> Reach:
    seconds = {test: time for part in parts for test, time in part.seconds.items()}
    lines: dict[str, dict[int, list[str]]] = {}
    for part in parts:
        for file, reached in part.lines.items():
            for line, tests in reached.items():
                lines.setdefault(file, {}).setdefault(line, []).extend(tests)
    return Reach(dict(sorted(seconds.items(), key=lambda item: item[1])), lines)


def _measure(target: Target, file: str, answer: Callable[[Reach], NoReturn]) -> NoReturn:
    begin()
    include = [str(ROOT / source) for source in files_of(target)]
    measured = coverage.Coverage(data_file=None, config_file=False, include=include)
    measured.start()
    for module in modules_of(target):
        import_module(module)
    measured.switch_context(COLLECTION)
    timed = _Timed(measured)
    run_pytest([file], timed)
    measured.stop()
    data = measured.get_data()
    reached = {source: data.contexts_by_lineno(str(ROOT / source)) for source in files_of(target)}
    answer(Reach(timed.seconds, {source: lines for source, lines in reached.items() if lines}, timed.failed))


class _Timed:
    """A plugin of pytest: time every test that may kill, and note which lines it runs."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self._measured = measured
        self._idle = IdleClock()
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the tests that may not kill, and those that need more than this process."""
        items[:] = [item for item in items if may_kill(item.nodeid) and not needs_service(item)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Set up the session first, so that no test is charged for it."""
        set_up_session(session)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a test file that cannot be imported."""
        if report.failed:
            self.failed.append(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Time a test."""
        self._measured.switch_context(item.nodeid)
        idle, busy = self._idle(), time.process_time()
        result = yield
        spent = time.process_time() - busy + max(0.0, self._idle() - idle)
        self.seconds[item.nodeid] = round(spent, 4)
        self._measured.switch_context(COLLECTION)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails or is skipped."""
        if report.failed:
            self.failed.append(report.nodeid)
