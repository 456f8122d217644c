"""The mutants: what the operators make, that planted texts still occur, and a sample that the tests must kill."""

from hashlib import sha256

import pytest
from msgspec.structs import replace

from proofs.mutation.__main__ import summarize
from proofs.mutation.lists import controls, equivalents, planted_in
from proofs.mutation.mutant import ROOT, Mutant
from proofs.mutation.operators import mutants_of
from proofs.mutation.reach import Reach, reach_of
from proofs.mutation.results import Results, all_mutants, generated, sample
from proofs.mutation.targets import NOT_ASKED, TARGETS, Target, files_of, files_of_tests, may_kill

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


@pytest.mark.parametrize("name", ["azul", "blockers", "duel"])
def test_every_game_has_at_least_300_generated_mutants(name):
    mutants = [mutant for file in files_of(TARGETS[name]) for mutant in read_mutants(file)]
    assert len(mutants) >= 300
    assert len({mutant.key for mutant in mutants}) == len(mutants)


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


def test_pinned_outcomes_may_not_kill():
    assert not may_kill("tests/test_records.py::test_any")
    assert not may_kill("tests/fast/test_equal.py::test_perft_files_agree[plain]")
    assert may_kill("tests/games/azul/test_tiling.py::test_any")
    assert all((ROOT / test.partition("::")[0]).exists() for test in NOT_ASKED)
    assert not [path for target in TARGETS.values() for path in files_of_tests(target) if "records" in path.name]


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
    judge_a_sample(results, SCORING, [each for each in generated(SCORING) if each.file.endswith("scoring.py")])


@pytest.mark.nightly
def test_a_sample_of_all_mutants_of_blockers_is_killed():
    target = TARGETS["blockers"]
    results = Results("blockers", target, reach_of("blockers", target), kept=False)
    judge_a_sample(results, target, all_mutants("blockers", target))


def judge_a_sample(results, target, mutants):
    seed = sha256(b"".join((ROOT / file).read_bytes() for file in files_of(target))).hexdigest()
    chosen = sample(mutants, SAMPLE, seed)
    verdicts = {
        mutant.key: (mutant, verdict)
        for mutant, verdict in results.judge_all([*chosen, planted("B01"), planted("B17")])
    }
    assert verdicts["B01"][1].killed, "the control that breaks a rule"
    assert not verdicts["B17"][1].killed, "the control that breaks nothing"
    report = summarize([verdicts[mutant.key] for mutant in chosen], len(chosen))
    assert report.passed, str(report)


def test_a_mutant_that_no_test_reaches_survives():
    mutant = planted("B01")
    verdict = Results("blockers", TARGETS["blockers"], Reach(), kept=False).judge(mutant)
    assert not verdict.killed
    report = summarize([(mutant, verdict)], 1)
    assert report.passed is False
    assert "B01" in report.failures[0]


def test_a_mutant_that_is_listed_as_equivalent_but_killed_fails(results):
    mutant = planted("B01")
    verdict = results.judge(mutant)
    report = summarize([(replace(mutant, planted="B17"), verdict)], 1)
    assert report.failures[0].startswith("listed as equivalent, but killed")
