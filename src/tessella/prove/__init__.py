"""The promises that Tessella makes, each behind a command that can fail: `tessella prove NAME`.

`PROOFS` is the one table. A proof is a module of this room of the same name, with one function

    def prove(ask: Ask) -> Report

that uses only the public faces of the other rooms. What was lost, doubled, wrong or leaked is always judged; how long
something took is judged only when the machine has nothing else to do.
"""

import json
import os
from collections.abc import Mapping
from importlib import import_module
from typing import Protocol, cast

from msgspec import Struct

QUIET_LOAD = 3.0
"""A machine with a greater load average is too busy to be timed."""

MOST_FAILURES_SHOWN = 10

POSTGRES = "postgresql://postgres@127.0.0.1:5432/postgres"
NATS = "nats://127.0.0.1:4222"


class Ask(Struct, frozen=True):
    """What somebody wants proved: how much of it, from which seed, and with which machinery."""

    size: int
    seed: int = 1
    database: str = POSTGRES
    """A PostgreSQL beside which databases may be made for a while."""
    bus: str = NATS


class Figure(Struct, frozen=True):
    """One thing that was counted or measured; without a gate it is only told."""

    name: str
    value: float
    at_most: float | None = None
    at_least: float | None = None
    words: str = ""
    """What the figure is, for a person."""
    timed: bool = False
    """Whether it says how fast the machine was: judged only on a quiet one."""

    @property
    def passed(self) -> bool:
        """Whether the gate was reached, as far as it can be judged now."""
        if self.timed and not is_quiet():
            return True
        high = self.at_most is None or self.value <= self.at_most
        return high and (self.at_least is None or self.value >= self.at_least)

    def __str__(self) -> str:
        bounds = [f"≥ {self.at_least:g}"] if self.at_least is not None else []
        bounds += [f"≤ {self.at_most:g}"] if self.at_most is not None else []
        verdict = "" if self.passed else "  MISSED"
        return f"{self.name:<28}{self.value:>12,.6g}   {' '.join(bounds):<12}{self.words}{verdict}".rstrip()


class Report(Struct, frozen=True):
    """What a proof has found. A failure is a sentence that says what went wrong and how to see it again."""

    figures: tuple[Figure, ...]
    failures: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the promise held."""
        return not self.failures and all(figure.passed for figure in self.figures)

    def __str__(self) -> str:
        shown = self.failures[:MOST_FAILURES_SHOWN]
        rest = [f"FAILED  and {len(self.failures) - len(shown)} more"] if len(self.failures) > len(shown) else []
        return "\n".join([*map(str, self.figures), *(f"FAILED  {failure}" for failure in shown), *rest])

    def json(self, name: str) -> str:
        """One line for programs."""
        values = {figure.name: round(figure.value, 6) for figure in self.figures}
        told = {"proof": name, "passed": self.passed, "figures": values, "failures": self.failures}
        return json.dumps(told, ensure_ascii=False)


def is_quiet() -> bool:
    """Whether the machine has little else to do, so that time can be measured."""
    return os.getloadavg()[0] < QUIET_LOAD


class Proving(Protocol):
    """The one function of a proof."""

    def __call__(self, ask: Ask, /) -> Report:
        """Try to break a promise, and tell what came of it."""
        ...


class Proof(Struct, frozen=True):
    """A promise, and how much is tried to break it: every time, and at length."""

    promise: str
    usual: int
    full: int
    unit: str
    """What the size counts."""


PROOFS: Mapping[str, Proof] = {
    "mutants": Proof("every guard is watched: without it some proof fails", 100, 100, "guards at most"),
    "noninterference": Proof("nobody is sent a byte that depends on what is hidden", 500, 10_000, "pairs of each game"),
    "canary": Proof("no secret is in any byte that leaves", 30, 1_000, "tables of each game"),
    "bot-blind": Proof("computer players know no more than a person in their seat", 60, 1_000, "pairs of each game"),
    "shuffle": Proof("the deals were fixed before play, and are fair", 10_000, 1_000_000, "games"),
    "replay": Proof("every stored game replays to the same result", 5, 200, "new games of each title"),
    "privacy": Proof("your data: see it, take it, delete it", 3, 200, "people in each kind of database"),
    "asvs": Proof("OWASP ASVS 5.0 level 2, row by row", 1, 2, "looks: the first reads, the second runs the tests"),
    "abuse": Proof("what is forged, guessed or too much harms nobody", 300, 10_000, "guesses"),
    "sim": Proof("a move that was confirmed is never lost, doubled or changed", 300, 10_000, "invented worlds"),
    "faults": Proof("the same while real programs are killed and cut off", 60, 1_000, "games"),
    "race": Proof("of many who act at once, one is confirmed and the others are told", 300, 5_000, "raced acts"),
    "clocks": Proof("downtime and wrong clocks cost nobody time", 60, 1_000, "moves at their deadline"),
    "leavers": Proof("a bot plays on for who leaves, and who comes back has the seat", 12, 300, "games with leavers"),
    "deploy": Proof("a new version costs nobody a game", 20, 200, "live games"),
    "restore": Proof("what was backed up can be restored", 6, 100, "games of each kind"),
    "load": Proof("the whole path of a move keeps up with the database", 60, 1_000, "games"),
    "sockets": Proof("two cores carry 2,000 live tables", 40, 2_000, "live tables"),
}


def proving(name: str) -> Proving:
    """The function of the proof of this name; what it needs is imported only now."""
    return cast("Proving", import_module(f"tessella.prove.{name.replace('-', '_')}").prove)
