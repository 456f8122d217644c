"""The promises that Tessella makes, each behind a command that can fail: `scripts/prove NAME`.

`PROOFS` lists them. A proof is a module of the same name in this package, with one function

    def prove(ask: Ask) -> Report

that uses only public interfaces of the program. Lost, duplicated, wrong or leaked data always fails a proof. Durations
are judged only on an idle machine; the report names what was not judged.
"""

import json
from collections.abc import Mapping
from importlib import import_module
from typing import Protocol, cast

from msgspec import Struct, field
from msgspec.structs import replace

from bench.gates import GateResults, load_average, too_busy

MOST_FAILURES_SHOWN = 10

POSTGRES = "postgresql://postgres@127.0.0.1:5432/postgres"
NATS = "nats://127.0.0.1:4222"


class Ask(Struct, frozen=True):
    """How a proof is run: its size, its seed, and the services to use."""

    size: int
    seed: int = 1
    database: str = POSTGRES
    """A PostgreSQL server on which temporary databases may be created."""
    bus: str = NATS


class Figure(Struct, frozen=True):
    """One count or measurement; without a gate it is only reported."""

    name: str
    value: float
    at_most: float | None = None
    at_least: float | None = None
    note: str = ""
    """A description for people."""
    timed: bool = False
    """Whether it depends on the speed of the machine: judged only on an idle one."""

    @property
    def passed(self) -> bool:
        """Whether the value is within the gate. The report decides whether the gate is judged at all."""
        high = self.at_most is None or self.value <= self.at_most
        return high and (self.at_least is None or self.value >= self.at_least)

    @property
    def needs_quiet(self) -> bool:
        """Whether it has a gate that cannot be judged on a busy machine."""
        return self.timed and (self.at_most, self.at_least) != (None, None)

    def __str__(self) -> str:
        bounds = [f"≥ {self.at_least:g}"] if self.at_least is not None else []
        bounds += [f"≤ {self.at_most:g}"] if self.at_most is not None else []
        return f"{self.name:<28}{self.value:>12,.6g}   {' '.join(bounds):<12}{self.note}".rstrip()


class Report(Struct, frozen=True):
    """The result of a proof. A failure is a sentence that says what went wrong and how to reproduce it."""

    figures: tuple[Figure, ...]
    failures: tuple[str, ...] = ()
    not_judged: Mapping[str, str] = {}
    """Further gates that could not be judged, with the reason; timed gates on a busy machine are added."""
    load: float = field(default_factory=load_average)
    """The load average when the proof began or when the report was made, whichever is greater."""

    @property
    def gates(self) -> GateResults:
        """Return which gates were missed, and which were not judged at this load."""
        busy = too_busy(self.load)
        unjudged = {figure.name: busy for figure in self.figures if busy and figure.needs_quiet}
        unjudged |= self.not_judged
        missed = [figure.name for figure in self.figures if not figure.passed and figure.name not in unjudged]
        return GateResults(tuple(missed), unjudged)

    @property
    def passed(self) -> bool | None:
        """Whether the promise held; None if nothing failed but something was not judged."""
        return False if self.failures else self.gates.passed

    def __str__(self) -> str:
        gates = self.gates
        shown = self.failures[:MOST_FAILURES_SHOWN]
        rest = [f"FAILED  and {len(self.failures) - len(shown)} more"] if len(self.failures) > len(shown) else []
        figures = [f"{figure}{gates.mark(figure.name)}" for figure in self.figures]
        return "\n".join([*figures, *(f"FAILED  {failure}" for failure in shown), *rest, *gates.explain()])

    def json(self, name: str) -> str:
        """Return the report as one line of JSON."""
        values = {figure.name: round(figure.value, 6) for figure in self.figures}
        verdict = {**self.gates.json_fields(), "passed": self.passed, "load": round(self.load, 2)}
        return json.dumps({"proof": name, **verdict, "figures": values, "failures": self.failures}, ensure_ascii=False)


class Proving(Protocol):
    """The one function of a proof."""

    def __call__(self, ask: Ask, /) -> Report:
        """Try to break a promise, and return the report."""
        ...


class Proof(Struct, frozen=True):
    """A promise, with the usual and the full size of the attempt to break it."""

    promise: str
    usual: int
    full: int
    unit: str
    """What the size counts."""


PROOFS: Mapping[str, Proof] = {
    "mutants": Proof("every guard is covered: without it some proof fails", 100, 100, "guards at most"),
    "noninterference": Proof("no byte sent depends on what is hidden", 500, 10_000, "pairs of each game"),
    "canary": Proof("no secret is in any byte that leaves", 30, 1_000, "tables of each game"),
    "bot-blind": Proof("bots know no more than a person in their seat", 60, 1_000, "pairs of each game"),
    "shuffle": Proof("the deals were fixed before play, and are fair", 10_000, 1_000_000, "games"),
    "replay": Proof("every stored game replays to the same result", 5, 200, "new games of each title"),
    "privacy": Proof("your data: see it, take it, delete it", 3, 200, "people in each kind of database"),
    "asvs": Proof("OWASP ASVS 5.0 level 2, row by row", 1, 2, "passes: the first reads, the second runs the tests"),
    "abuse": Proof("forged, guessed and excessive requests harm no player", 300, 10_000, "guesses"),
    "sim": Proof("a confirmed move is never lost, duplicated or changed", 300, 10_000, "simulated worlds"),
    "soak": Proof("nothing grows without bound", 45, 90, "simulated days"),
    "bot-workers": Proof("a second bot worker does other work than the first", 10, 60, "seconds each"),
    "faults": Proof("the same while real programs are killed and disconnected", 60, 1_000, "games"),
    "race": Proof("of concurrent acts one is confirmed, and the others get an error", 300, 5_000, "raced acts"),
    "clocks": Proof("downtime and wrong clocks cost no player time", 60, 1_000, "moves at their deadline"),
    "leavers": Proof("a bot replaces a player who leaves until they return", 12, 300, "games with leavers"),
    "notifications": Proof(
        "news of a turn arrives once and on time, or is given up visibly", 200, 10_000, "turns due at once"
    ),
    "skill": Proof("strength by points needs fewer games than plain results, and says the same", 20, 1_000, "deals"),
    "solver": Proof("the end of Azul is solved exactly, and every value confirmed", 5, 200, "last rounds"),
    "tournaments": Proof(
        "every result of a tournament counts once, though workers die", 8, 64, "players of a duplicate Swiss"
    ),
    "seal": Proof(
        "finished games become small, and are read as before", 1_000, 10_000, "finished games, sealed while people play"
    ),
    "deploy": Proof("a new version costs no player a game", 20, 200, "live games"),
    "restore": Proof("what was backed up can be restored", 6, 100, "games of each kind"),
    "load": Proof("the whole path of a move keeps up with the database", 60, 1_000, "games"),
    "capacity": Proof(
        "a move costs little more than storing and sending it", 4, 14, "rates of moves, each 1.4 times the one before"
    ),
    "sockets": Proof("two cores carry 2,000 live tables", 40, 2_000, "live tables"),
}


def proving(name: str) -> Proving:
    """Return the function that runs a proof; its module is imported only now.

    The load average is sampled before the proof begins and when its report is made.
    """
    prove = cast("Proving", import_module(f"proofs.{name.replace('-', '_')}").prove)

    def sampled(ask: Ask, /) -> Report:
        before = load_average()
        report = prove(ask)
        return replace(report, load=max(before, report.load))

    return sampled
