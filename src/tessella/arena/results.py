"""Results in a CSV file, one line per game, so that a run can be stopped, continued and extended.

A game is identified by its rules, seed, deal and seating; games already in the file are not played again.
"""

import csv
import io
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tessella.arena.contest import Fixture
from tessella.arena.play import Result
from tessella.core.game import BadNotation

COLUMNS = (
    "rules",
    "seed",
    "deal",
    "players",
    "places",
    "scores",
    "first",
    "moves",
    "deals",
    "forfeit",
    "why",
    "microseconds",
)


class ResultFile:
    """The results so far, and the file, if any, that stores them."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._results: dict[Fixture, Result] = {}
        if path is not None and path.exists():
            self._read(path)

    def __getitem__(self, fixture: Fixture) -> Result:
        return self._results[fixture]

    def __contains__(self, fixture: Fixture) -> bool:
        return fixture in self._results

    def add(self, results: Iterable[Result]) -> None:
        """Store new results, and append them to the file at once."""
        new = [result for result in results if result.fixture not in self._results]
        self._results.update({result.fixture: result for result in new})
        if self.path is not None and new:
            with self.path.open("a", encoding="utf-8", newline="") as file:
                file.write(write(new, head=not self.path.stat().st_size))

    def _read(self, path: Path) -> None:
        """Read the file; an incomplete last line is removed, and its game played again."""
        text = path.read_text("utf-8")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            path.write_text(whole, "utf-8")
        self._results = {result.fixture: result for result in read(whole)}


def write(results: Sequence[Result], *, head: bool) -> str:
    """Return results as comma-separated values."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([COLUMNS] if head else [])
    writer.writerows(map(_row, results))
    return text.getvalue()


def read(text: str) -> list[Result]:
    """Parse what `write` wrote; raise `BadNotation` if it is something else."""
    rows = csv.DictReader(io.StringIO(text))
    if text and tuple(rows.fieldnames or ()) != COLUMNS:
        raise BadNotation(f"not a file of arena results: expected the columns {', '.join(COLUMNS)}")
    try:
        return [_result(row) for row in rows]
    except (ValueError, TypeError, AttributeError):
        raise BadNotation(f"line {rows.line_num} is not an arena result") from None


def _row(result: Result) -> list[object]:
    fixture = result.fixture
    forfeit = "" if result.forfeit is None else result.forfeit
    return [
        fixture.rules,
        fixture.seed,
        fixture.deal,
        shlex.join(fixture.players),
        _join(result.places),
        _join(result.scores),
        result.first,
        result.moves,
        result.deals,
        forfeit,
        " ".join(result.why.split()),
        ";".join(map(_join, result.times)),
    ]


def _result(row: Mapping[str, str]) -> Result:
    return Result(
        Fixture(row["rules"], int(row["seed"]), int(row["deal"]), tuple(shlex.split(row["players"]))),
        places=_numbers(row["places"]),
        scores=_numbers(row["scores"]),
        first=int(row["first"]),
        moves=int(row["moves"]),
        deals=int(row["deals"]),
        times=tuple(map(_numbers, row["microseconds"].split(";"))),
        forfeit=int(row["forfeit"]) if row["forfeit"] else None,
        why=row["why"],
    )


def _join(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))
