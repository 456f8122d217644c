"""Two ways to run tests against a mutant.

`Planter` has imported the tests once: each of its children gives the functions of one file other code and runs some of
the tests, which takes milliseconds. `run_reloaded` imports everything again from the changed file; it is slower, and
needed where the change is run by the import.
"""

import gc
import inspect
import os
from collections.abc import Callable, Sequence
from importlib.machinery import SourceFileLoader
from types import CodeType, FunctionType
from typing import BinaryIO, NoReturn

import msgspec
import pytest

from proofs.mutation.mutant import ROOT
from proofs.mutation.process import Chosen, Job, Outcome, begin, fork, run_pytest, run_tests, set_up_session

NOT_PLANTED = "not planted"
"""No live function has the changed code: the file must be imported again."""

# Import everything again


def run_reloaded(job: Job) -> Outcome:
    """Run the tests up to the first that fails, with everything imported again from the changed file."""

    def work(answer: Callable[[Outcome], NoReturn]) -> NoReturn:
        begin()
        _replace_source(str(ROOT / job.file), job.source)
        chosen = Chosen(job, answer)
        run_pytest(list(dict.fromkeys(test.partition("::")[0] for test in job.tests)), chosen)
        answer(chosen.outcome)

    return fork(work, Outcome, job.seconds) or Outcome(how="crashed")


def _replace_source(path: str, source: str) -> None:
    """Load this source whenever the file is imported, under whatever name."""
    load = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        return compile(source, path, "exec", dont_inherit=True) if self.path == path else load(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]


# Change functions in place


class Planter:
    """A process that has imported the tests, and forks a child per job."""

    def __init__(self, folders: Sequence[str]) -> None:
        jobs, self._jobs = _pipe()
        self._outcomes, outcomes = _pipe()
        self._child = os.fork()
        if self._child == 0:
            self._jobs.close()
            begin()
            run_pytest(list(folders), _Server(jobs, outcomes))
            os._exit(0)
        jobs.close()
        outcomes.close()

    def run(self, job: Job) -> Outcome:
        """Run the tests up to the first that fails, with the functions of the changed file."""
        _send(self._jobs, job)
        return msgspec.json.decode(self._outcomes.readline(), type=Outcome)

    def close(self) -> None:
        """End the process."""
        self._jobs.close()
        os.waitpid(self._child, 0)
        self._outcomes.close()


def _pipe() -> tuple[BinaryIO, BinaryIO]:
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb"), os.fdopen(writing, "wb")


def _send(pipe: BinaryIO, message: msgspec.Struct) -> None:
    pipe.write(msgspec.json.encode(message) + b"\n")
    pipe.flush()


class _Server:
    """A plugin of pytest: once the tests are collected, run jobs instead of the tests."""

    def __init__(self, jobs: BinaryIO, outcomes: BinaryIO) -> None:
        self._jobs = jobs
        self._outcomes = outcomes

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Serve until the other side closes."""
        set_up_session(session)
        functions = [each for each in gc.get_objects() if isinstance(each, FunctionType)]
        gc.freeze()  # only now: frozen objects are no longer listed
        for line in self._jobs:
            _send(self._outcomes, _run_planted(session, functions, msgspec.json.decode(line, type=Job)))
        return True


def _run_planted(session: pytest.Session, functions: Sequence[FunctionType], job: Job) -> Outcome:
    def work(answer: Callable[[Outcome], NoReturn]) -> NoReturn:
        if not _swap_code(functions, str(ROOT / job.file), job.source):
            answer(Outcome(how=NOT_PLANTED))
        chosen = Chosen(job, answer)
        session.config.pluginmanager.register(chosen)
        run_tests(chosen.order(session.items))
        answer(chosen.outcome)

    return fork(work, Outcome, job.seconds) or Outcome(how="crashed")


def _swap_code(functions: Sequence[FunctionType], path: str, source: str) -> bool:
    """Give the functions of a file the code that they have in this source; return whether any is different now."""
    codes = _codes(compile(source, path, "exec", dont_inherit=True))
    changed = False
    for function in functions:
        old = function.__code__
        if old.co_filename == path and old.co_qualname in codes:
            function.__code__ = codes[old.co_qualname]
            changed = changed or function.__code__ != old
    return changed


def _codes(module: CodeType) -> dict[str, CodeType]:
    """Return the code of functions and methods by their qualified name; of nested ones the outermost."""
    found: dict[str, CodeType] = {}
    for code in module.co_consts:
        if not isinstance(code, CodeType) or "<" in code.co_name:
            continue
        if code.co_flags & inspect.CO_OPTIMIZED:
            found[code.co_qualname] = code
        else:
            found |= _codes(code)
    return found
