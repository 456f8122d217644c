"""A comparison in numbers: games and positions played, differences found, and how often each rule was exercised."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from msgspec import Struct

from tessella.progress import progress
from tests.oracles.compare import (
    RANDOM_POSITIONS,
    TITLES,
    Difference,
    compare_from,
    compare_game,
    compare_position,
)
from tests.oracles.positions import POSITIONS

MOST_DIFFERENCES = 20
"""A comparison stops after this many."""


class Agreement(Struct, frozen=True):
    """The result of a comparison."""

    name: str
    games: int
    positions: int
    differences: tuple[str, ...]
    exercised: Counter[str]

    @property
    def missing(self) -> list[str]:
        """The rules and clauses that were never exercised."""
        title = TITLES[self.name]
        return [key for key in (*title.rules(), *title.oracle.CLAUSES) if not self.exercised[key]]

    @property
    def unknown(self) -> list[str]:
        """What was counted but is no rule or clause of the list."""
        title = TITLES[self.name]
        return sorted({*self.exercised} - {*title.rules(), *title.oracle.CLAUSES})

    @property
    def passed(self) -> bool:
        """Whether the engines agreed and every rule was exercised."""
        return not (self.differences or self.missing or self.unknown)

    def __str__(self) -> str:
        differences, missing = len(self.differences), len(self.missing)
        head = f"{self.name}: {self.games:,} games, {self.positions:,} positions, {differences} differences"
        failures = [f"FAILED  {difference}" for difference in self.differences]
        failures += [f"FAILED  {rule} was never exercised" for rule in self.missing]
        failures += [f"FAILED  {rule} is not in the list" for rule in self.unknown]
        return "\n".join([f"{head}, {missing} rules or clauses not exercised", *self._table(), *failures])

    def _table(self) -> Iterator[str]:
        """Yield how often each rule was exercised, and below it each of its clauses."""
        title = TITLES[self.name]
        for rule, name in title.rules().items():
            yield f"{rule}  {name:<44}{self.exercised[rule]:>12,}"
            for clause in title.oracle.CLAUSES:
                if clause.startswith(f"{rule} "):
                    yield f"        {clause.removeprefix(f'{rule} '):<42}{self.exercised[clause]:>12,}"

    def figures(self) -> dict[str, Any]:
        """Return the result for JSON."""
        return {
            "games": self.games,
            "positions": self.positions,
            "differences": self.differences,
            "missing": self.missing,
            "exercised": {rule: self.exercised[rule] for rule in sorted(self.exercised)},
            "passed": self.passed,
        }


def compare(name: str, games: int, first: int = 0) -> Agreement:
    """Compare this many games, all set-up positions, and as many random positions of each kind as games."""
    title = TITLES[name]
    runs: list[Callable[[], Counter[str]]] = [
        partial(compare_game, title, number) for number in range(first, first + games)
    ]
    runs += [partial(compare_position, position, first) for position in POSITIONS[name]]
    runs += [
        partial(compare_from, name, make, seed)
        for make in RANDOM_POSITIONS[name]
        for seed in range(first, first + games)
    ]
    exercised: Counter[str] = Counter()
    differences: list[str] = []
    for run in progress(runs, name):
        try:
            exercised.update(run())
        except Difference as exc:
            differences.append(str(exc))
            if len(differences) == MOST_DIFFERENCES:
                break
    return Agreement(name, games, len(runs) - games, tuple(differences), exercised)
