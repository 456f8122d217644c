"""The words in the terminal and the browser: none is missing, none is left over, and what is short is explained."""

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest

from tessella.text.i18n import LANGUAGES, catalogue

ROOT = Path(__file__).parents[2]
CODE = ROOT / "src" / "tessella"
SAYS = [path for room in ("cli", "coach", "svg", "terminal", "text") for path in sorted((CODE / room).rglob("*.py"))]
NOTES = tomllib.loads((ROOT / "docs" / "notes-for-translators.toml").read_text("utf-8"))


def browser(language: str) -> dict[str, str | dict[str, str]]:
    parts = sorted((ROOT / "web" / "src" / "locales" / language).glob("*.json"))
    return {key: text for part in parts for key, text in json.loads(part.read_text("utf-8")).items()}


def said(paths: list[Path]) -> tuple[set[str], set[str]]:
    """The texts that stand in the code, and the beginnings of those that are put together."""
    whole: set[str] = set()
    begun: set[str] = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole.add(node.value)
            if isinstance(node, ast.JoinedStr) and isinstance(first := node.values[0], ast.Constant):
                begun.add(str(first.value))
    return whole, {text for text in begun if re.fullmatch(r"[a-z_]+\.([a-z_.]+)?", text)}


def left_over(keys: set[str], paths: list[Path]) -> list[str]:
    whole, begun = said(paths)
    return sorted(key for key in keys if key not in whole and not key.startswith(tuple(begun)))


def test_the_terminal_has_no_words_that_nobody_says():
    assert left_over(set(catalogue("en")), SAYS) == []


def test_words_that_nobody_says_would_be_found(tmp_path):
    code = tmp_path / "code.py"
    code.write_text('texts("azul.taken"), texts(f"azul.colour.{letter}"), f"{who}: "')
    assert left_over({"azul.taken", "azul.colour.b", "azul.spilt"}, [code]) == ["azul.spilt"]


def test_whatever_the_terminal_says_is_a_word():
    for path in SAYS:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args or not isinstance(key := node.args[0], ast.Constant):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called == "texts":
                assert key.value in catalogue("en"), (path.name, key.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_that_depends_on_a_number_has_both_forms(language):
    for texts in (catalogue(language), browser(language)):
        pairs = {key: text for key, text in texts.items() if isinstance(text, dict)}
        assert pairs
        for key, text in pairs.items():
            assert text.keys() == {"one", "other"}, key
            one, other = (set(re.findall(r"\{\w+\}", text[form])) for form in ("one", "other"))
            assert one <= other, key


def noted(key: str) -> bool:
    return key in NOTES or any(key.startswith(note) for note in NOTES if note.endswith("."))


@pytest.mark.parametrize("texts", [catalogue("en"), browser("en")], ids=["terminal", "browser"])
def test_a_text_of_one_word_is_explained_to_translators(texts):
    short = [key for key, text in texts.items() if isinstance(text, str) and re.fullmatch(r"[^\s{]+", text)]
    assert len(short) > 40
    assert [key for key in short if not noted(key)] == []


def test_every_note_explains_something():
    keys = {*catalogue("en"), *browser("en")}
    assert [note for note in NOTES if not any(key == note or key.startswith(note) for key in keys)] == []
