"""The mutants: what the operators make, that planted texts still occur, and a sample that the tests must kill."""

from hashlib import sha256

import pytest
from msgspec.structs import replace

from proofs.mutation import process
from proofs.mutation.__main__ import summarize
from proofs.mutation.lists import controls, equivalents, planted_in
from proofs.mutation.mutant import ROOT, Mutant
from proofs.mutation.operators import mutants_of
from proofs.mutation.reach import Reach, reach_of
from proofs.mutation.results import Results, generated, sample
from proofs.mutation.targets import ASKED_ONLY, NOT_ASKED, TARGETS, Target, files_of, files_of_tests, may_kill

SAMPLE = 6

# The operators


def changes(source: str) -> set[str]:
    """The changed lines of all mutants of a source."""
    return {mutant.after for mutant in mutants_of("rules.py", source.encode())}


@pytest.mark.parametrize(
    ("line", "mutated"),
    [
        ("return a < b", {"return a <= b", "return a >= b"}),
        ("return a in b", {"return a not in b"}),
        ("return a is not b", {"return a is b"}),
        ("return a + b", {"return a - b"}),
        ("return a and b", {"return a or b"}),
        ("return not a", {"return a"}),
        ("return min(a, b)", {"return max(a, b)"}),
        ("return any(a)", {"return all(a)"}),
        ("return 4", {"return 5", "return 3"}),
        ("return a if b else c", {"return a if True else c", "return a if False else c"}),
        ("return a[b:c]", {"return a[:c]", "return a[b:]"}),
        ("return replace(a, b=c, d=e)", {"return replace(a, d=e)", "return replace(a, b=c)"}),
        ("a += b", {"a -= b", "pass"}),
        ("yield a", {"yield from ()"}),
        ('raise IllegalMove("AZ14", "the line is full")', {"pass", 'raise IllegalMove("AZ99", "the line is full")'}),
        ('return "bk"', {"return 'kb'"}),
    ],
)
def test_each_operator_makes_its_mutants(line, mutated):
    assert changes(f"def rule(a, b, c, e):\n    {line}\n") == mutated


@pytest.mark.parametrize(
    "source",
    [
        '"""There are 5 lines."""\n',
        "from a import b\n",
        "def rule(a: Literal[5]) -> Literal[6]:\n    return a\n",
        "Rule: TypeAlias = Literal[5]\n",
        "class Rule(Struct, frozen=True):\n    a: int\n",
        'def rule(a):\n    assert a > 5, "no"\n',
        '__all__ = ["a"]\n',
        "COLOUR_NAMES = {}\n",
    ],
)
def test_what_no_rule_depends_on_stays_as_it_is(source):
    assert changes(source) == set()


def test_a_mutant_keeps_every_other_byte():
    file = "src/tessella/games/azul/scoring.py"
    source = (ROOT / file).read_text()
    texts = [mutant.source for mutant in read_mutants(file)]
    assert source.replace("COLUMN_BONUS = 7", "COLUMN_BONUS = 8") in texts
    assert source.replace("while first > 0", "while first >= 0") in texts
    assert all(sum(map(str.__ne__, text.splitlines(), source.splitlines())) == 1 for text in texts)


def test_equal_changes_of_equal_lines_are_different_mutants():
    source = b"def rule(a):\n    a += 1\n    a += 1\n"
    mutants = mutants_of("rules.py", source)
    assert len({mutant.key for mutant in mutants}) == len(mutants) == 2 * 4


# The lists


@pytest.mark.parametrize("name", TARGETS)
def test_every_planted_text_occurs_once(name):
    mutants = planted_in(name)
    assert len({mutant.planted for mutant in mutants}) == len(mutants)
    assert all(mutant.source != (ROOT / mutant.file).read_text() for mutant in mutants)


def test_every_equivalent_is_a_mutant_and_has_a_reason():
    """An entry that names no mutant is left over from code that has changed."""
    made = [mutant for file in {each.file for each in equivalents()} for mutant in read_mutants(file)]
    known = {(mutant.file, mutant.scope, mutant.before, mutant.after) for mutant in made}
    listed = [(each.file, each.scope, each.before, each.after) for each in equivalents()]
    assert [each for each in listed if each not in known] == []
    assert len({*listed}) == len(listed)
    assert all(len(each.reason) > 20 for each in equivalents())
    planted = {mutant.planted for name in TARGETS for mutant in planted_in(name)}
    assert {*controls()} <= planted


def read_mutants(file: str) -> list[Mutant]:
    return mutants_of(file, (ROOT / file).read_bytes())


def test_the_tests_that_are_named_exist_and_pinned_outcomes_may_not_kill():
    assert not may_kill("tests/fast/test_equal.py::test_perft_files_agree[plain]")
    assert may_kill("tests/games/azul/test_tiling.py::test_any")
    assert [test for test in (*NOT_ASKED, *ASKED_ONLY) if not (ROOT / test.partition("::")[0]).exists()] == []
    assert not [path for target in TARGETS.values() for path in files_of_tests(target) if "records" in path.name]
    with pytest.raises(ValueError, match="no such tests: tests/gone"):
        files_of_tests(Target((), ("tests/gone", "tests/core")))


# Limits


@pytest.mark.parametrize(("spend", "how"), [("while True: pass", "looped"), ("import time; time.sleep(60)", "waited")])
def test_a_test_that_loops_or_waits_too_long_is_stopped(monkeypatch, spend, how):
    monkeypatch.setattr(process, "IMPORT_SECONDS", 0.3)

    def work(answer):
        process.Chosen(process.Job("", "", {}), answer)
        exec(spend)

    outcome = process.fork(work, process.Outcome, 60)
    assert outcome is not None
    assert outcome.how == how


# A sample


SCORING = Target(
    ("games/blockers/pieces.py", "games/blockers/scoring.py", "games/blockers/state.py"),
    ("tests/games/blockers/test_rules.py", "tests/games/blockers/test_scoring.py"),
)
"""The scoring of Blockers!, what the controls change, and the tests of both: a fifth of the work of the whole game."""


@pytest.fixture(scope="module")
def results():
    """Verdicts of a part of Blockers!, none of them known before, and kept nowhere else."""
    return Results("blockers", SCORING, reach_of("scoring", SCORING), kept=False)


def planted(name: str) -> Mutant:
    return next(mutant for mutant in planted_in("blockers") if mutant.planted == name)


@pytest.mark.heavy
def test_a_sample_of_mutants_is_killed_and_the_controls_are_judged_right(results):
    """Which mutants depends on the sources, so every change of the rules has a sample of its own."""
    mutants = [mutant for mutant in generated(SCORING) if mutant.file.endswith("scoring.py")]
    seed = sha256(b"".join((ROOT / file).read_bytes() for file in files_of(SCORING))).hexdigest()
    chosen = sample(mutants, SAMPLE, seed)
    *verdicts, (_, bad), (_, harmless) = results.judge_all([*chosen, planted("B01"), planted("B17")])
    assert bad.killed
    assert not harmless.killed
    report = summarize(verdicts, len(chosen))
    assert report.passed, str(report)


def test_the_report_fails_for_a_survivor_and_for_an_equivalent_that_is_killed(results):
    mutant = planted("B01")
    unreached = Results("blockers", TARGETS["blockers"], Reach(), kept=False).judge(mutant)
    killed = replace(mutant, planted="B17"), results.judge(mutant)
    for judged, words in (((mutant, unreached), "survived"), (killed, "listed as equivalent, but killed")):
        report = summarize([judged], 1)
        assert report.passed is False
        assert report.failures[0].startswith(words)
    assert summarize([], 3).passed is None
