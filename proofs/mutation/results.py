"""Judge mutants, and keep each verdict in `.mutation` for as long as it holds.

A kill holds while the mutated file, the test that failed and what its file shares among tests stay as they are; a
survival holds while the mutated file and all tests that run the changed line do. Other files of the program are not
part of the key: after a change of them only `--fresh` is the whole truth, and the nightly run starts without verdicts.
"""

import ast
import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from proofs.mutation.lists import planted_in
from proofs.mutation.mutant import ROOT, Mutant
from proofs.mutation.operators import compiles, mutants_of
from proofs.mutation.plant import NOT_PLANTED, Planter, run_reloaded
from proofs.mutation.process import NOT_RUN, Job, Outcome
from proofs.mutation.reach import CACHE, Reach
from proofs.mutation.targets import Target, digest, files_of, helpers_of

SLOW_SECONDS = 1.0
"""A test that takes longer must fail twice."""
MOST_REPEATS = 3


class Verdict(Struct, frozen=True):
    """Whether the tests noticed a mutant, and what the verdict depends on."""

    key: str
    outcome: Outcome
    source: str
    """The digest of the mutated file."""
    tests: str
    """The digest of the tests that decided."""

    @property
    def killed(self) -> bool:
        """Whether a test noticed."""
        return self.outcome.how != ""


def generated(target: Target) -> list[Mutant]:
    """Return the generated mutants of a target, all of them or its sample, in an order that mixes the files."""
    made = [mutant for file in files_of(target) for mutant in mutants_of(file, (ROOT / file).read_bytes())]
    chosen = sample(made, len(made) if target.sample is None else target.sample)
    return [mutant for mutant in chosen if compiles(mutant)]


def sample(mutants: Iterable[Mutant], size: int, seed: str = "") -> list[Mutant]:
    """Return some mutants; which ones depends on the seed and on their own text, not on other lines."""
    order = sorted(mutants, key=lambda mutant: sha256((seed + mutant.key).encode()).digest())
    return order[:size]


def all_mutants(name: str, target: Target) -> list[Mutant]:
    """Return the planted and the generated mutants of a target."""
    return [*planted_in(name), *generated(target)]


def path_of(name: str) -> Path:
    """Return the file that keeps the verdicts of a target."""
    return CACHE / f"results-{name}.jsonl"


class Results:
    """The verdicts of one target, kept in a file unless `kept` is False."""

    def __init__(self, name: str, target: Target, reach: Reach, *, fresh: bool = False, kept: bool = True) -> None:
        self._path = path_of(name) if kept else Path(os.devnull)
        self._target = target
        self._reach = reach
        self._planter: Planter | None = None
        self._parts: dict[str, dict[str, str]] = {}
        self._helpers = digest(helpers_of(target))
        if fresh and kept:
            self._path.unlink(missing_ok=True)
        lines = self._path.read_bytes().splitlines() if self._path.exists() else []
        verdicts = [msgspec.json.decode(line, type=Verdict) for line in lines]
        self._verdicts = {verdict.key: verdict for verdict in verdicts}

    def known(self, mutant: Mutant) -> Verdict | None:
        """Return the verdict of an earlier run, if it still holds."""
        verdict = self._verdicts.get(mutant.key)
        if verdict is None or verdict.source != _digest_text(mutant.source):
            return None
        return verdict if verdict.tests == self._digest_deciding(mutant, verdict.outcome) else None

    def judge(self, mutant: Mutant) -> Verdict:
        """Run the tests that reach a mutant, unless its verdict is known."""
        if (known := self.known(mutant)) is not None:
            return known
        tests = self._reach.tests_for(mutant)
        outcome = self._judge(mutant, tests) if tests else Outcome()
        if outcome.how == NOT_RUN:
            raise RuntimeError(f"only {outcome.ran} of {len(tests)} tests were run with {mutant}")
        verdict = Verdict(mutant.key, outcome, _digest_text(mutant.source), self._digest_deciding(mutant, outcome))
        self._verdicts[mutant.key] = verdict
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(verdict) + b"\n")
        return verdict

    def _judge(self, mutant: Mutant, tests: dict[str, float]) -> Outcome:
        """Run tests; one that takes long must fail twice, since on a busy machine a client may time out."""
        outcome = self._run(mutant, tests)
        for _ in range(MOST_REPEATS):
            slow = outcome.killer if tests.get(outcome.killer, 0.0) > SLOW_SECONDS else ""
            if not slow or self._run(mutant, {slow: tests[slow]}).how:
                break
            outcome = self._run(mutant, tests)
        return outcome

    def _run(self, mutant: Mutant, tests: dict[str, float]) -> Outcome:
        job = Job(mutant.file, mutant.source, tests)
        if self._reach.at_import(mutant):
            return run_reloaded(job)
        if self._planter is None:
            self._planter = Planter(self._target.tests)
        outcome = self._planter.run(job)
        return run_reloaded(job) if outcome.how == NOT_PLANTED else outcome

    def judge_all(self, mutants: Iterable[Mutant]) -> Iterator[tuple[Mutant, Verdict]]:
        """Yield each mutant with its verdict."""
        try:
            for mutant in mutants:
                yield mutant, self.judge(mutant)
        finally:
            if self._planter is not None:
                self._planter.close()
                self._planter = None

    def _digest_deciding(self, mutant: Mutant, outcome: Outcome) -> str:
        """Return the digest of the test that killed, or of all tests that reach the mutant."""
        tests = [outcome.killer] if outcome.killer else list(self._reach.tests_for(mutant))
        return _digest_text(self._helpers + "".join(sorted(map(self._digest_test, tests))))

    def _digest_test(self, test: str) -> str:
        """Return the digest of a test and of what its file shares among tests; other tests may change."""
        file, _, name = test.partition("::")
        if file not in self._parts:
            self._parts[file] = _parts_of(ROOT / file)
        parts = self._parts[file]
        return test + parts.get("", "") + parts.get(name.partition("[")[0], "")


def _parts_of(path: Path) -> dict[str, str]:
    """Return the digest of each test function of a file; the empty name stands for everything else."""
    if not path.exists():
        return {}
    body = ast.parse(path.read_bytes()).body
    tests = {node.name: node for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
    rest = [node for node in body if node not in tests.values()]
    digests = {name: _digest_text(ast.dump(node)) for name, node in tests.items()}
    return {"": _digest_text("".join(map(ast.dump, rest))), **digests}


def _digest_text(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
