"""The command `scripts/mutate`."""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence

from proofs import Figure, Report
from proofs.databases import folder_in_memory
from proofs.mutation.lists import reasons_for
from proofs.mutation.mutant import Mutant
from proofs.mutation.process import BY_LIMIT
from proofs.mutation.reach import reach_of
from proofs.mutation.report import write_page
from proofs.mutation.results import Results, Verdict, all_mutants, sample
from proofs.mutation.targets import TARGETS
from tessella.progress import progress

ALL = "all"
NONE = "none"


def main(arguments: Sequence[str] | None = None) -> int:
    """Mutate one part of the program, or all of them; the exit code is 1 if a mutant survives that is not listed."""
    options = parser().parse_args(arguments)
    names = {ALL: list(TARGETS), NONE: []}.get(options.target, [options.target])
    with folder_in_memory() as folder:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        codes = [_mutate(name, options) for name in names]
    if options.write_docs:
        write_page()
    return max(codes, default=0)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    whole = argparse.ArgumentParser(
        prog="scripts/mutate", description="Change the program in small ways; some test must notice each change."
    )
    whole.add_argument("target", choices=[*TARGETS, ALL, NONE], help="what to change; none: with --write-docs")
    whole.add_argument("--size", type=int, help="judge the planted mutants and N generated ones (all)")
    whole.add_argument("--seed", default="", help="with --size: choose other mutants")
    whole.add_argument("--only", default="", help="judge only mutants whose description contains this text")
    whole.add_argument("--minutes", type=float, help="stop after this time; the next run goes on from there")
    whole.add_argument("--fresh", action="store_true", help="forget the verdicts of earlier runs")
    whole.add_argument(
        "--write-docs", action="store_true", help="write docs/measurements/mutation.md from the verdicts"
    )
    whole.add_argument("--json", action="store_true", help="end with one line of JSON per part")
    return whole


def _mutate(name: str, options: argparse.Namespace) -> int:
    until = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")
    mutants = [mutant for mutant in all_mutants(name, TARGETS[name]) if options.only in str(mutant)]
    if options.size is not None:
        mutants = [mutant for mutant in mutants if mutant.planted] + sample(
            [mutant for mutant in mutants if not mutant.planted], options.size, options.seed
        )
    results = Results(name, TARGETS[name], reach_of(name, TARGETS[name]), fresh=options.fresh)
    verdicts = list(_in_time(results, mutants, until))
    report = summarize(verdicts, len(mutants))
    print(f"{name}: {len(mutants):,} mutants")
    print(report)
    if options.json:
        print(report.json(f"mutate {name}"))
    return 1 if report.passed is False else 0


def _in_time(results: Results, mutants: Sequence[Mutant], until: float) -> Iterator[tuple[Mutant, Verdict]]:
    for judged in results.judge_all(progress(mutants, "mutants")):
        yield judged
        if time.monotonic() > until:
            return


def summarize(verdicts: Sequence[tuple[Mutant, Verdict]], wanted: int) -> Report:
    """Return the report: how many mutants were killed, which are listed as equivalent, and which survived."""
    reasons = reasons_for(mutant for mutant, _ in verdicts)
    survivors = [mutant for mutant, verdict in verdicts if not verdict.killed]
    unlisted = [mutant for mutant in survivors if mutant.key not in reasons]
    wrong = [mutant for mutant, verdict in verdicts if verdict.killed and mutant.key in reasons]
    looped = sum(verdict.outcome.how in BY_LIMIT for _, verdict in verdicts)
    return Report(
        (
            Figure("killed", len(verdicts) - len(survivors), note=f"{looped} of them by a time limit"),
            Figure("equivalent", len(survivors) - len(unlisted), note="survived, and listed with the reason"),
            Figure("survived", len(unlisted), at_most=0, note="no test noticed"),
        ),
        tuple(
            [f"survived  {mutant}" for mutant in unlisted]
            + [f"listed as equivalent, but killed  {mutant}" for mutant in wrong]
        ),
        {"mutants": f"{wanted - len(verdicts)} are left for the next run"} if len(verdicts) < wanted else {},
    )


if __name__ == "__main__":
    sys.exit(main())
