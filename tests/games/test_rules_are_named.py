"""Every numbered rule of every game has a test that is named after it, and no test names a rule that is not there."""

import ast
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tessella.text.i18n import LANGUAGES

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.parent.name for path in (ROOT / "src" / "tessella" / "games").glob("*/__init__.py"))


def rules_of(page: str) -> list[str]:
    """The ids of the rules on a page, in order: `- **AZ01** *Title.* Text`."""
    return re.findall(r"^- \*\*([A-Z]{2}[0-9]{2})\*\* \*", page, re.MULTILINE)


def rules_named(code: str) -> set[str]:
    """The ids in the names of the test functions of a file: AZ15 in `test_AZ15_a_colour_on_the_wall…`."""
    functions = [node.name for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef)]
    tests = [name for name in functions if name.startswith("test_")]
    return {rule for name in tests for rule in re.findall("(?<=_)[A-Z]{2}[0-9]{2}(?=_)", name)}


def faults(pages: Mapping[str, Sequence[str]], named: set[str]) -> list[str]:
    """What is wrong with the rules of a game in its languages and the rules that its tests name."""
    english = list(pages["en"])
    wrong = [] if english else ["there are no rules"]
    wrong += [f"{rule} is there twice" for rule in sorted(set(english)) if english.count(rule) > 1]
    wrong += [f"{language} has other rules than en" for language in pages if list(pages[language]) != english]
    wrong += [f"{rule} is named by no test" for rule in english if rule not in named]
    return wrong + [f"{rule} is named by a test and is no rule" for rule in sorted(named - set(english))]


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_named_by_a_test(game):
    pages: dict[str, list[str]] = {
        language: rules_of((ROOT / "docs" / "rules" / f"{game}.{language}.md").read_text()) for language in LANGUAGES
    }
    tests = (ROOT / "tests" / "games" / game).rglob("test_*.py")
    assert faults(pages, set().union(*(rules_named(path.read_text()) for path in tests))) == []


# The check can fail


PAGE = """# A game

- **XY01** *Players.* Two play; see **XY02**.
- **XY02** *Turns.* They take turns.
"""

CODE = """
def test_XY01_two_play(): ...
class TestTurns:
    def test_XY02_XY03_turns_and_ends(self): ...
def test_nothing(): ...
def helper_XY04_is_no_test(): ...
# test_XY05_is_a_comment
"""


def test_rules_are_found_on_a_page_and_in_names():
    assert rules_of(PAGE) == ["XY01", "XY02"]
    assert rules_named(CODE) == {"XY01", "XY02", "XY03"}


@pytest.mark.parametrize(
    ("en", "nl", "named", "found"),
    [
        (["XY01", "XY02"], ["XY01", "XY02"], {"XY01", "XY02"}, []),
        (["XY01", "XY02"], ["XY01", "XY02"], {"XY01"}, ["XY02 is named by no test"]),
        (["XY01"], ["XY01"], {"XY01", "XY09"}, ["XY09 is named by a test and is no rule"]),
        (["XY01", "XY02"], ["XY01"], {"XY01", "XY02"}, ["nl has other rules than en"]),
        (["XY01", "XY02"], ["XY02", "XY01"], {"XY01", "XY02"}, ["nl has other rules than en"]),
        (["XY01", "XY01"], ["XY01", "XY01"], {"XY01"}, ["XY01 is there twice"]),
        ([], [], set(), ["there are no rules"]),
    ],
)
def test_a_fault_is_found(en, nl, named, found):
    assert faults({"en": en, "nl": nl}, named) == found
