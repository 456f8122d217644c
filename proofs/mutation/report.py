"""The page `docs/measurements/mutation.md`: the figures and the lists, written from the verdicts of earlier runs."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from proofs.mutation.lists import reasons_for
from proofs.mutation.mutant import ROOT, Mutant
from proofs.mutation.process import BY_LIMIT
from proofs.mutation.reach import reach_of
from proofs.mutation.results import Results, Verdict, all_mutants, path_of
from proofs.mutation.targets import NOT_ASKED, TARGETS

PAGE = ROOT / "docs" / "measurements" / "mutation.md"

INTRODUCTION = """# Mutation testing: last figures

Written by `scripts/mutate all --write-docs` from the verdicts of its runs;
[the proofs page](../concepts/proofs.md#mutation-testing) says how it works.

A mutant is the program with one small change: *planted* ones were chosen by hand, *generated* ones are all that the
operators make (in `fast`, `table` and `rooms` a sample). *Killed* means that a test failed, or exceeded its time limit.
*Equivalent* ones behave like the program and are listed below. *Not judged* ones have no verdict for the present files
yet.
"""


class Summary(Struct, frozen=True):
    """The mutants of a target with the verdicts that hold."""

    name: str
    mutants: list[Mutant]
    verdicts: dict[str, Verdict]
    reasons: dict[str, str]

    @property
    def survivors(self) -> list[Mutant]:
        """The mutants that no test noticed, equivalent or not."""
        judged = [mutant for mutant in self.mutants if mutant.key in self.verdicts]
        return [mutant for mutant in judged if not self.verdicts[mutant.key].killed]


def summary_of(name: str) -> Summary:
    """Return what is known about a target; no mutant is run."""
    target = TARGETS[name]
    mutants = all_mutants(name, target)
    verdicts: dict[str, Verdict] = {}
    if path_of(name).exists():
        results = Results(name, target, reach_of(name, target))
        known = ((mutant.key, results.known(mutant)) for mutant in mutants)
        verdicts = {key: verdict for key, verdict in known if verdict is not None}
    return Summary(name, mutants, verdicts, reasons_for(mutants))


def write_page() -> None:
    """Write the page."""
    PAGE.write_text(page([summary_of(name) for name in TARGETS]))


def page(summaries: Sequence[Summary]) -> str:
    """Return the text of the page."""
    parts = [INTRODUCTION, _figures(summaries), _operators(summaries), _survivors(summaries), _equivalents(summaries)]
    return "\n".join([*parts, _not_asked(), _planted(summaries)])


def _figures(summaries: Iterable[Summary]) -> str:
    head = ["part", "planted", "generated", "killed", "of them by a time limit", "equivalent", "survived", "not judged"]
    return _table(head, map(_row, summaries))


def _row(summary: Summary) -> list[str]:
    planted = sum(mutant.planted != "" for mutant in summary.mutants)
    killed = [verdict for verdict in summary.verdicts.values() if verdict.killed]
    looped = sum(verdict.outcome.how in BY_LIMIT for verdict in killed)
    equivalent = sum(mutant.key in summary.reasons for mutant in summary.survivors)
    left = len({mutant.key for mutant in summary.mutants} - {*summary.verdicts})
    numbers = [planted, len(summary.mutants) - planted, len(killed), looped, equivalent]
    numbers += [len(summary.survivors) - equivalent, left]
    return [f"`{summary.name}`", *(f"{number:,}" for number in numbers)]


def _operators(summaries: Sequence[Summary]) -> str:
    made = [Counter(mutant.operator for mutant in summary.mutants) for summary in summaries]
    rows = [
        [name, *(f"{count[name]:,}" for count in made)] for name in sorted({name for count in made for name in count})
    ]
    return "\n## By operator\n\n" + _table(["operator", *(f"`{summary.name}`" for summary in summaries)], rows)


def _survivors(summaries: Iterable[Summary]) -> str:
    left = [mutant for summary in summaries for mutant in summary.survivors if mutant.key not in summary.reasons]
    listed = "".join(f"- `{_place(mutant)}`: {_change(mutant)}\n" for mutant in left) or "None.\n"
    return f"\n## Survivors\n\n{listed}"


def _equivalents(summaries: Iterable[Summary]) -> str:
    found = [
        (mutant, summary.reasons[mutant.key])
        for summary in summaries
        for mutant in summary.mutants
        if mutant.key in summary.reasons
    ]
    rows = [[f"`{_place(mutant)}`", _change(mutant), reason] for mutant, reason in found]
    return "\n## Equivalents\n\n" + _table(["where", "change", "why no test can notice"], rows)


def _not_asked() -> str:
    rows = [[f"`{test}`", reason] for test, reason in NOT_ASKED.items()]
    return "\n## Tests that may not kill\n\n" + _table(["test", "why"], rows)


def _planted(summaries: Iterable[Summary]) -> str:
    rows = [
        [mutant.planted, f"`{_place(mutant)}`", mutant.breaks, _verdict(summary.verdicts.get(mutant.key))]
        for summary in summaries
        for mutant in summary.mutants
        if mutant.planted
    ]
    return "\n## Planted changes\n\n" + _table(["id", "where", "what it breaks", "noticed by"], rows)


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None:
        return "not judged"
    return f"`{verdict.outcome.killer.rpartition('::')[2] or verdict.outcome.how}`" if verdict.killed else "no test"


def _place(mutant: Mutant) -> str:
    where = mutant.file.removeprefix("src/tessella/")
    return f"{where} {mutant.scope}".rstrip()


def _change(mutant: Mutant) -> str:
    change = mutant.breaks or f"`{mutant.before}` → `{mutant.after}`"
    return change.replace("](", "] (")  # a call of an item would look like a link


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)
