"""OWASP ASVS 5.0 level 2, row by row: docs/measurements/asvs.md answers every row, with a test, a proof or a reason.

The page is checked: every row appears once; every test that it names exists and always runs; every proof that it names
is in `PROOFS`. A size of 2 runs the named tests too.
"""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from proofs import PROOFS, Ask, Figure, Report

SOURCES = Path(__file__).parents[1]
PAGE = SOURCES / "docs" / "measurements" / "asvs.md"

SECTIONS: Mapping[int, Sequence[int]] = {
    1: (2, 9, 11, 3, 2),
    2: (3, 3, 4, 1),
    3: (0, 2, 4, 6, 5, 0, 2),
    4: (3, 1, 2, 4),
    5: (1, 3, 2, 3),
    6: (3, 12, 4, 4, 5, 3, 0, 4),
    7: (3, 4, 2, 5, 2, 2),
    8: (2, 3, 1, 1),
    9: (3, 4),
    10: (2, 2, 4, 11, 5, 2, 3),
    11: (2, 3, 3, 4, 1, 1, 0),
    12: (3, 2, 4),
    13: (1, 5, 2, 5),
    14: (2, 4, 3),
    15: (3, 3, 7, 0),
    16: (1, 5, 4, 3, 3),
    17: (1, 4, 2),
}
"""Number of rows of levels 1 and 2 in each section of each chapter; rows are numbered from 1."""

REASONS = ("Not applicable: ", "Decided: ")


class Answer(Struct, frozen=True):
    """One line of the page."""

    rows: tuple[str, ...]
    text: str

    @property
    def tests(self) -> list[str]:
        """Return the tests that it names."""
        return re.findall(r"`(tests/[^`]+)`", self.text)

    @property
    def proofs(self) -> list[str]:
        """Return the proofs that it names."""
        return re.findall(r"`prove ([a-z-]+)`", self.text)

    @property
    def is_reason(self) -> bool:
        """Whether it gives a reason instead of a test."""
        return any(self.text.startswith(start) and len(self.text) > len(start) + 10 for start in REASONS)


def prove(ask: Ask) -> Report:
    """Check the page; with a size of 2 also run its tests."""
    if not PAGE.exists():
        return Report((), (f"{PAGE.name} is part of the sources, and these are not here",))
    answers = list(_read(PAGE.read_text("utf-8")))
    failures = [*_wrong_rows(answers), *_wrong_answers(answers), *(_run(answers) if ask.size > 1 else ())]
    tested = sum(len(answer.rows) for answer in answers if answer.tests or answer.proofs)
    decided = sum(len(answer.rows) for answer in answers if answer.text.startswith("Decided"))
    rows = sum(len(answer.rows) for answer in answers)
    return Report(
        (
            Figure("rows", rows, at_least=len(all_rows()), note="of levels 1 and 2"),
            Figure("tested", tested, note="answered by a test or a proof"),
            Figure("not_applicable", rows - tested - decided, note="answered by a reason why not"),
            Figure("decided", decided, note="answered by the host's duty, or by our reason to do otherwise"),
            Figure("wrong", len(failures), at_most=0, note="rows without an answer, answers without a test"),
        ),
        tuple(failures),
    )


def all_rows() -> list[str]:
    """Return the numbers of all rows.

    >>> len(all_rows()), all_rows()[0], all_rows()[-1]
    (253, '1.1.1', '17.3.2')
    """
    return [
        f"{chapter}.{section}.{row}"
        for chapter, sections in SECTIONS.items()
        for section, rows in enumerate(sections, 1)
        for row in range(1, rows + 1)
    ]


def _read(page: str) -> Iterator[Answer]:
    for first, last, text in re.findall(r"^\| ([\d.]+)(?:–([\d.]+))? \| [^|]+ \| (.+) \|$", page, re.MULTILINE):
        section, _, number = first.rpartition(".")
        until = int((last or first).rpartition(".")[2])
        yield Answer(tuple(f"{section}.{row}" for row in range(int(number), until + 1)), text)


def _wrong_rows(answers: Sequence[Answer]) -> Iterator[str]:
    counted = Counter(row for answer in answers for row in answer.rows)
    yield from (f"row {row} is answered {counted[row]} times" for row in all_rows() if counted[row] != 1)
    yield from (f"there is no row {row}" for row in sorted(counted.keys() - set(all_rows())))


def _wrong_answers(answers: Sequence[Answer]) -> Iterator[str]:
    for answer in answers:
        where = f"row {answer.rows[0]}"
        if not (answer.tests or answer.proofs or answer.is_reason):
            yield f"{where} has neither a test nor a reason"
        yield from (f"{where}: there is no proof {name}" for name in answer.proofs if name not in PROOFS)
        yield from (f"{where}: {test} does not run every time" for test in answer.tests if not _runs(test))


def _runs(test: str) -> bool:
    """Whether the test exists and is neither skipped nor slow."""
    path, _, name = test.partition("::")
    return name in _tests_in(SOURCES / path)


@cache
def _tests_in(path: Path) -> frozenset[str]:
    if not path.exists():
        return frozenset()
    tests = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, tests)]
    held_back = ("pytest.mark.slow", "pytest.mark.skip", "pytest.mark.xfail")
    return frozenset(
        function.name
        for function in functions
        if not any(ast.unparse(mark).startswith(held_back) for mark in function.decorator_list)
    )


def _run(answers: Sequence[Answer]) -> list[str]:
    """Run every named test."""
    tests = sorted({test for answer in answers for test in answer.tests})
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not slow", *tests]
    done = subprocess.run(command, cwd=SOURCES, capture_output=True, text=True, check=False)  # noqa: S603
    return [] if done.returncode == 0 else [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
