"""Measurements of the server, and their gates."""

import json
from collections.abc import Sequence
from statistics import median
from typing import Protocol

from msgspec import Struct

from bench.gates import GateResults

GATES = {
    "sqlite_path": 1.6,
    "postgres_path": 1.6,
    "framework": 1.4,
    "durable_vs_pgbench": 0.6,
    "view_encode": 1.5,
    "idle_socket_kib": 40.0,
}
"""Maximum cost relative to the yardstick; memory in KiB."""

AT_LEAST = ("durable_vs_pgbench",)
"""Where more is better."""


class Figure(Struct, frozen=True):
    """One measurement: its value, and a description of our cost and the yardstick's."""

    name: str
    value: float
    ours: float
    yardstick: float
    words: str

    @property
    def gate(self) -> float:
        """The gate."""
        return GATES[self.name]

    @property
    def passed(self) -> bool:
        """Whether the gate was reached."""
        return self.value >= self.gate if self.name in AT_LEAST else self.value <= self.gate

    def __str__(self) -> str:
        gate = f"{'≥' if self.name in AT_LEAST else '≤'} {self.gate:g}"
        return f"{self.name:<20}{self.value:>8.2f}   {gate:<8}{self.words.format(self.ours, self.yardstick)}"


class Report(Struct, frozen=True):
    """Everything that was measured."""

    figures: tuple[Figure, ...]

    @property
    def gates(self) -> GateResults:
        """Return which gates were missed; all are judged, because they compare costs at the same moments."""
        return GateResults(tuple(figure.name for figure in self.figures if not figure.passed))

    def __str__(self) -> str:
        head = f"{'':<20}{'measured':>8}   {'gate':<8}"
        gates = self.gates
        return "\n".join([head.rstrip(), *(f"{figure}{gates.mark(figure.name)}" for figure in self.figures)])

    def json(self) -> str:
        """Return the report as one line of JSON."""
        values = {figure.name: round(figure.value, 3) for figure in self.figures}
        idle = values.pop("idle_socket_kib")
        absolute = {figure.name: [round(figure.ours, 1), round(figure.yardstick, 1)] for figure in self.figures}
        told = {"ratios": values, "idle_socket_kib": idle, "absolute": absolute}
        return json.dumps({**told, **self.gates.json_fields()})


class Pair:
    """Ours and a yardstick, measured alternately."""

    def __init__(self) -> None:
        self._slices: list[tuple[float, float]] = []

    def add(self, ours: float, yardstick: float) -> None:
        """Add two successive slices."""
        self._slices.append((ours, yardstick))

    def figure(self, name: str, words: str) -> Figure:
        """Return the figure of the median slices."""
        ours, yardsticks = zip(*self._slices, strict=True)
        ratio = median(mine / yardstick for mine, yardstick in self._slices)
        return Figure(name, ratio, median(ours), median(yardsticks), words)


class Part(Protocol):
    """One of the things that are measured alternately."""

    async def measure(self, number: int) -> None:
        """Measure a slice of ours and one of the yardstick; the slices are numbered."""
        ...

    def figures(self) -> Sequence[Figure]:
        """Return the results."""
        ...
