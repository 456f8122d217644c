"""The page of the standard is whole; and what it says of the client is so."""

import re
from pathlib import Path

import pytest

from proofs import Ask, asvs

WEB = Path(__file__).parents[2] / "web" / "src"


def test_every_row_is_answered():
    report = asvs.prove(Ask(size=1))
    assert report.passed, str(report)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| 1.1.1–1.1.2 |", "| 1.1.1 |"),
        ("| 3.4.2 |", "| 3.4.3 |"),
        ("`prove canary`", "`prove nothing`"),
        ("test_statements_run_together_or_not_at_all", "test_that_nobody_wrote"),
        ("Not applicable: no XML is read.", "Not applicable: "),
    ],
)
def test_a_page_with_a_gap_is_refused(tmp_path, monkeypatch, old, new):
    page = asvs.PAGE.read_text()
    assert old in page
    monkeypatch.setattr(asvs, "PAGE", tmp_path / "asvs.md")
    asvs.PAGE.write_text(page.replace(old, new, 1))
    assert asvs.prove(Ask(size=1)).failures


def test_a_test_that_is_held_back_does_not_count(tmp_path):
    path = tmp_path / "test_it.py"
    path.write_text("@pytest.mark.slow\ndef test_slow(): ...\n\nasync def test_quick(): ...\n")
    assert asvs._tests_in(path) == {"test_quick"}


def sources() -> list[str]:
    found = [path.read_text() for path in WEB.rglob("*") if path.suffix in (".svelte", ".ts")]
    assert found
    return found


def test_the_client_writes_text_never_html():
    assert not [text for text in sources() if re.search(r"\{@html|innerHTML|insertAdjacentHTML|document\.write", text)]


def test_fields_for_passwords_hide_them_and_let_managers_help():
    fields = [field for text in sources() for field in re.findall(r"<input[^>]*password[^>]*>", text)]
    assert fields
    for field in fields:
        assert 'type="password"' in field
        assert "autocomplete=" in field
        assert "onpaste" not in field
