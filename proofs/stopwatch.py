"""Response times must reveal nothing either: two states, each planted twice, and a stopwatch.

Four tables can be split into two pairs in three ways. If time reveals nothing, the true split shows the greatest
difference in one case of three, whatever else the machine does meanwhile; if it reveals something, in nearly all.
"""

import time
from collections.abc import Mapping, Sequence
from math import comb
from random import Random
from statistics import median

from msgspec import Struct, field

from proofs import Figure
from proofs.in_process_server import Call, InProcessServer

MOST_TIMED = 60
"""Timed pairs of each game: enough to find a difference that shows more often than not."""

ROUNDS = 5
"""Times that each question is asked at each table; the fastest answer counts, because nothing makes one too fast."""

GATE = 1e-6
"""How seldom equal times may look as different as these."""

FAIR_SHARE = 1 / 3


class Channel(Struct):
    """Measurements of one kind of question, in seconds."""

    timed: int = 0
    told: int = 0
    between: list[float] = field(default_factory=list[float])
    """Differences between two states."""
    within: list[float] = field(default_factory=list[float])
    """Differences between two tables of one state."""

    def note(self, here: Sequence[float], there: Sequence[float]) -> None:
        """Add the times of two tables in each state."""
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
        """Return how often equal times would look at least as different."""
        return at_least(self.told, self.timed, FAIR_SHARE)


class Stopwatch:
    """All channels of all games."""

    def __init__(self, seed: int) -> None:
        self.channels: dict[str, Channel] = {}
        self._rng = Random(f"stopwatch {seed}")

    async def measure(
        self, server: InProcessServer, asked: Mapping[str, Mapping[str, Call]], worlds: Mapping[str, int]
    ) -> None:
        """Ask at each table of `worlds` what is `asked` there, in random order, and keep the fastest answers."""
        quickest: dict[str, dict[str, float]] = {}
        for _ in range(ROUNDS):
            server.now += 60.0  # nobody asks too much at once
            for name in next(iter(asked.values())):
                times = quickest.setdefault(name, {})
                for table in self._rng.sample(sorted(worlds), len(worlds)):
                    began = time.perf_counter()
                    await server.ask(asked[table][name])
                    times[table] = min(times.get(table, 1e9), time.perf_counter() - began)
        for name, times in quickest.items():
            here, there = ([times[table] for table in worlds if worlds[table] == world] for world in (0, 1))
            self.channels.setdefault(name, Channel()).note(here, there)

    def order(self, tables: Sequence[int]) -> list[int]:
        """Return the tables in random order."""
        return self._rng.sample(tables, len(tables))

    def figures(self) -> list[Figure]:
        """Return how much the most revealing channel reveals, and how far times are apart."""
        name, worst = min(self.channels.items(), key=lambda each: each[1].chance)
        between, within = (
            1e6 * median(gap for channel in self.channels.values() for gap in getattr(channel, kind))
            for kind in ("between", "within")
        )
        chance = min(1.0, worst.chance * len(self.channels))
        words = f"most telling: {name}, right {worst.told} times of {worst.timed}; a third is luck"
        return [
            Figure("time_tells", chance, at_least=GATE, note=f"chance of such times if they reveal nothing; {words}"),
            Figure("time_between_us", between, note="median difference between answers in two states"),
            Figure("time_within_us", within, note="median difference between two answers in one state"),
        ]


def at_least(successes: int, tries: int, chance: float) -> float:
    """Return the probability of at least this many successes.

    >>> round(at_least(3, 3, 1 / 3), 4), at_least(0, 5, 0.5), round(at_least(60, 100, 0.5), 4)
    (0.037, 1.0, 0.0284)
    """
    return sum(comb(tries, n) * chance**n * (1 - chance) ** (tries - n) for n in range(successes, tries + 1))
