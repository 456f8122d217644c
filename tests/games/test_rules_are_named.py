"""Every numbered rule of every game has a test that is named after it, and no test names a rule that is not there."""

import re
from pathlib import Path

import pytest

from tessella.text.i18n import LANGUAGES

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.parent.name for path in (ROOT / "src" / "tessella" / "games").glob("*/__init__.py"))


def rules_of(game: str, language: str) -> list[str]:
    """The ids of the rules on a page, in order: `- **AZ01** *Title.* Text`."""
    page = (ROOT / "docs" / "rules" / f"{game}.{language}.md").read_text()
    return re.findall(r"^- \*\*([A-Z]{2}[0-9]{2})\*\* \*", page, re.MULTILINE)


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_named_by_a_test(game):
    files = (ROOT / "tests" / "games" / game).rglob("test_*.py")
    tests = re.findall(r"^def test_(\w+)", "\n".join(path.read_text() for path in files), re.MULTILINE)
    rules = rules_of(game, "en")
    assert {rule for test in tests for rule in re.findall("[A-Z]{2}[0-9]{2}(?=_)", test)} == {*rules}
    assert len({*rules}) == len(rules) > 0
    assert all(rules_of(game, language) == rules for language in LANGUAGES)
