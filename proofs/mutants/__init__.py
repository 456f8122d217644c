"""A proof that cannot fail proves nothing: switch guards off one by one, and require that a proof fails each time.

Each mutant is a small change of the running program, made in a process of its own; the proof that should catch it runs
there.
"""

import json
import subprocess
import sys
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from proofs import Ask, Figure, Report, proving
from proofs.mutants import access, data_rights, dice, durability, events, limits, sealing, secrecy
from proofs.mutants.mutant import Mutant
from tessella.progress import progress
from tessella.server.rooms.history import UnreadableGame

MIN_GUARDS = 15
TIMEOUT_SECONDS = 1_800.0
"""Time for a proof to catch a mutant."""

MUTANTS: Mapping[str, Mutant] = {
    **durability.MUTANTS,
    **secrecy.MUTANTS,
    **dice.MUTANTS,
    **access.MUTANTS,
    **limits.MUTANTS,
    **data_rights.MUTANTS,
    **events.MUTANTS,
    **sealing.MUTANTS,
}


class Verdict(Struct):
    """The result of a proof that ran against a mutant."""

    passed: bool | None
    failures: list[str]
    not_judged: list[str] = []


def prove(ask: Ask) -> Report:
    """Plant the first `ask.size` mutants, each in a process of its own."""
    names = list(MUTANTS)[: ask.size]
    verdicts = {name: _run(name, ask) for name in progress(names, "mutants")}
    escaped = [name for name, verdict in verdicts.items() if verdict is None or verdict.passed]
    unjudged = {
        name: f"{MUTANTS[name].proof} did not judge {', '.join(verdict.not_judged)}"
        for name, verdict in verdicts.items()
        if verdict and verdict.passed is None
    }
    return Report(
        (
            Figure("guards", len(names), at_least=min(ask.size, MIN_GUARDS), note="switched off in turn"),
            Figure("caught", len(names) - len(escaped) - len(unjudged), note="by the proof that covers them"),
            Figure("escaped", len(escaped), at_most=0, note="mutants that no proof noticed"),
        ),
        tuple(f"{MUTANTS[name].proof} does not notice: {MUTANTS[name].guard} ({name})" for name in escaped),
        unjudged,
    )


def _run(name: str, ask: Ask) -> Verdict | None:
    """Run the proof against the mutant; None if it ended without a verdict."""
    program = "import sys; from proofs.mutants import run_mutant; run_mutant(*sys.argv[1:])"
    arguments = [sys.executable, "-c", program, name, str(ask.seed), ask.database, ask.bus]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS)  # noqa: S603
    *_, last = done.stdout.splitlines() or [""]
    try:
        return msgspec.json.decode(last, type=Verdict)
    except msgspec.DecodeError:
        sys.stderr.write(done.stderr)
        return None


def run_mutant(name: str, seed: str, database: str, bus: str) -> None:
    """Switch the guard off in this process, run the proof, and write the verdict to stdout."""
    mutant = MUTANTS[name]
    mutant.plant()
    try:
        report = proving(mutant.proof)(Ask(mutant.size, int(seed), database, bus))
    except (UnreadableGame, ValueError, AssertionError) as exc:  # the proof stumbled over what the mutant left behind
        report = Report((), (repr(exc),))
    verdict = {"passed": report.passed, "failures": report.failures[:3], "not_judged": [*report.gates.not_judged]}
    sys.stdout.write(json.dumps(verdict) + "\n")
