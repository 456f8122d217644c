"""How long an answer takes must tell nothing either: two worlds, each planted twice, and a stopwatch.

Four tables can be taken for two pairs in three ways. If time tells nothing, the true way shows the greatest difference
in one case of three, whatever else the machine does meanwhile; if it tells something, in nearly all.
"""

import time
from collections.abc import Mapping, Sequence
from math import comb
from random import Random
from statistics import median

from msgspec import Struct, field

from tessella.prove import Figure
from tessella.prove.tap import Call, Tap

MOST_TIMED = 60
"""So many pairs of each game are timed: enough to find what tells two worlds apart more often than not."""

ROUNDS = 5
"""So often each question is asked at each table; the quickest answer counts, for nothing makes an answer too quick."""

GATE = 1e-6
"""How seldom equal times may look as different as these."""

FAIR_SHARE = 1 / 3


class Channel(Struct):
    """What was measured of one kind of question, in seconds."""

    timed: int = 0
    told: int = 0
    between: list[float] = field(default_factory=list[float])
    """How far two worlds were apart."""
    within: list[float] = field(default_factory=list[float])
    """How far two tables of one world were."""

    def note(self, here: Sequence[float], there: Sequence[float]) -> None:
        """The times of two tables in each world."""
        true = abs(sum(here) - sum(there))
        crossed = (
            abs(here[0] + there[0] - here[1] - there[1]),
            abs(here[0] + there[1] - here[1] - there[0]),
        )
        self.timed += 1
        self.told += true > max(crossed)
        self.between.append(true / 2)
        self.within.append(abs(here[0] - here[1]))

    @property
    def chance(self) -> float:
        """How often equal times would tell at least as much."""
        return at_least(self.told, self.timed, FAIR_SHARE)


class Stopwatch:
    """All channels of all games."""

    def __init__(self, seed: int) -> None:
        self.channels: dict[str, Channel] = {}
        self._rng = Random(f"stopwatch {seed}")

    async def measure(self, tap: Tap, asked: Mapping[str, Mapping[str, Call]], worlds: Mapping[str, int]) -> None:
        """Ask at each table of `worlds` what is `asked` there, in any order, and keep the quickest answers."""
        quickest: dict[str, dict[str, float]] = {}
        for _ in range(ROUNDS):
            tap.now += 60.0  # nobody asks too much at once
            for name in next(iter(asked.values())):
                times = quickest.setdefault(name, {})
                for table in self._rng.sample(sorted(worlds), len(worlds)):
                    began = time.perf_counter()
                    await tap.ask(asked[table][name])
                    times[table] = min(times.get(table, 1e9), time.perf_counter() - began)
        for name, times in quickest.items():
            here, there = ([times[table] for table in worlds if worlds[table] == world] for world in (0, 1))
            self.channels.setdefault(name, Channel()).note(here, there)

    def order(self, tables: Sequence[int]) -> list[int]:
        """The same tables in any order."""
        return self._rng.sample(tables, len(tables))

    def figures(self) -> list[Figure]:
        """What the most telling channel tells, and how far times are apart."""
        name, worst = min(self.channels.items(), key=lambda each: each[1].chance)
        between, within = (
            1e6 * median(gap for channel in self.channels.values() for gap in getattr(channel, kind))
            for kind in ("between", "within")
        )
        chance = min(1.0, worst.chance * len(self.channels))
        words = f"most telling: {name}, right {worst.told} times of {worst.timed}; a third is luck"
        return [
            Figure("time_tells", chance, at_least=GATE, words=f"chance of such times if they tell nothing; {words}"),
            Figure("time_between_us", between, words="by which answers of two worlds are apart, median"),
            Figure("time_within_us", within, words="by which two answers of one world are"),
        ]


def at_least(successes: int, tries: int, chance: float) -> float:
    """How likely it is to succeed at least so often.

    >>> round(at_least(3, 3, 1 / 3), 4), at_least(0, 5, 0.5), round(at_least(60, 100, 0.5), 4)
    (0.037, 1.0, 0.0284)
    """
    return sum(comb(tries, n) * chance**n * (1 - chance) ** (tries - n) for n in range(successes, tries + 1))
