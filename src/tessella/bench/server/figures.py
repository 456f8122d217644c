"""What is measured of the server, and what we are content with."""

import json
from collections.abc import Sequence
from statistics import median
from typing import Protocol

from msgspec import Struct

GATES = {
    "sqlite_path": 1.6,
    "postgres_path": 1.6,
    "framework": 1.4,
    "durable_vs_pgbench": 0.6,
    "view_encode": 1.5,
    "idle_socket_kib": 40.0,
}
"""How much of its yardstick each thing may cost; memory in KiB."""

AT_LEAST = ("durable_vs_pgbench",)
"""Where more is better."""


class Figure(Struct, frozen=True):
    """One thing that was measured: its value, and ours and the yardstick's cost in words."""

    name: str
    value: float
    ours: float
    yardstick: float
    words: str

    @property
    def gate(self) -> float:
        """What we are content with."""
        return GATES[self.name]

    @property
    def passed(self) -> bool:
        """Whether the gate was reached."""
        return self.value >= self.gate if self.name in AT_LEAST else self.value <= self.gate

    def __str__(self) -> str:
        gate = f"{'≥' if self.name in AT_LEAST else '≤'} {self.gate:g}"
        verdict = "" if self.passed else "  MISSED"
        return f"{self.name:<20}{self.value:>8.2f}   {gate:<8}{self.words.format(self.ours, self.yardstick)}{verdict}"


class Report(Struct, frozen=True):
    """Everything that was measured."""

    figures: tuple[Figure, ...]

    @property
    def passed(self) -> bool:
        """Whether all gates were reached."""
        return all(figure.passed for figure in self.figures)

    def __str__(self) -> str:
        head = f"{'':<20}{'measured':>8}   {'gate':<8}"
        return "\n".join([head.rstrip(), *map(str, self.figures)])

    def json(self) -> str:
        """One line for programs."""
        values = {figure.name: round(figure.value, 3) for figure in self.figures}
        idle = values.pop("idle_socket_kib")
        absolute = {figure.name: [round(figure.ours, 1), round(figure.yardstick, 1)] for figure in self.figures}
        return json.dumps({"ratios": values, "idle_socket_kib": idle, "absolute": absolute})


class Pair:
    """Ours and a yardstick, measured in turn."""

    def __init__(self) -> None:
        self._slices: list[tuple[float, float]] = []

    def add(self, ours: float, yardstick: float) -> None:
        """Two slices that followed each other."""
        self._slices.append((ours, yardstick))

    def figure(self, name: str, words: str) -> Figure:
        """What the median slices say."""
        ours, yardsticks = zip(*self._slices, strict=True)
        ratio = median(mine / yardstick for mine, yardstick in self._slices)
        return Figure(name, ratio, median(ours), median(yardsticks), words)


class Part(Protocol):
    """One of the things that are measured in turn."""

    async def measure(self, number: int) -> None:
        """Measure a slice of ours and one of the yardstick; the slices are numbered."""
        ...

    def figures(self) -> Sequence[Figure]:
        """What came of it."""
        ...
