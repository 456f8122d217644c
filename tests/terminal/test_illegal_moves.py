"""Why a move is not allowed, in the language of the reader: the same sentence in the browser and in the terminal."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tessella.core.game import IllegalMove
from tessella.text.i18n import LANGUAGES, Translations, catalogue
from tessella.text.illegal_moves import COLOUR_CODES, illegal_text

ROOT = Path(__file__).parents[2]
TITLES = ("azul", "blockers", "duel")
DEALS = {"_draw_start", "_draw_tiles", "_require_drawable", "_require_dealable"}


def messages(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield each text that looks like a reason in a module, with the function that gives it."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        written = {
            node.targets[0].id: node.value.value
            for node in ast.walk(function)
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(function):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "IllegalMove" or len(node.args) < 2:
                continue
            match node.args[1]:
                case ast.Constant(value=str(reason)):
                    yield function.name, reason
                case ast.Name(id=name):
                    yield function.name, str(written[name])
                case _:  # a deal that cannot be, which only records and programs write
                    pass


def reasons(title: str) -> set[str]:
    found = {
        reason
        for path in sorted((ROOT / "src" / "tessella" / "games" / title).glob("*.py"))
        if path.name != "chance.py"
        for function, reason in messages(ast.parse(path.read_text("utf-8")))
        if function not in DEALS
    }
    if title == "duel":
        from tessella.games.duel.rules import WRONG_PHASE  # noqa: PLC0415

        found |= {reason for _, reason in WRONG_PHASE.values()}
    return found


@pytest.mark.parametrize("title", TITLES)
def test_every_reason_of_the_rules_has_a_sentence(title):
    prefix = f"illegal.{title}."
    assert {key.removeprefix(prefix) for key in catalogue("en") if key.startswith(prefix)} == reasons(title)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", TITLES)
def test_the_browser_says_the_same_as_the_terminal(title, language):
    browser = json.loads((ROOT / "web" / "src" / "locales" / language / f"{title}.json").read_text("utf-8"))
    texts = catalogue(language)
    for reason in reasons(title):
        assert browser[f"{title}.no.{reason}"] == texts[f"illegal.{title}.{reason}"]


def test_colours_and_places_are_translated_and_a_game_without_translations_gives_its_reason():
    assert illegal_text("nim", IllegalMove("NI01", "take {n} at most", n=3), Translations("nl")) == "Take 3 at most."
    taken = IllegalMove("AZ15", "row {line} of the wall already has a {colour} tile", line=2, colour="blue")
    assert illegal_text("azul", taken, Translations("nl")) == "Rij 2 van je muur heeft de kleur blauw al."
    reason = "{face} belongs in {home}, which does not contain {cell}"
    homes = {face: IllegalMove("BL10", reason, face=face, home="", cell="A1") for face in "D7m"}
    said = {face: illegal_text("blockers", error, Translations("fr")) for face, error in homes.items()}
    assert said == {
        "D": "Sa place : rangée D ; A1 est ailleurs.",
        "7": "Sa place : colonne 7 ; A1 est ailleurs.",
        "m": "Sa place : bloc lune ; A1 est ailleurs.",
    }


@pytest.mark.parametrize("title", TITLES)
def test_every_colour_has_its_letter(title):
    pieces = __import__(f"tessella.games.{title}.pieces", fromlist=["COLOUR_NAMES"])
    for letter, name in pieces.COLOUR_NAMES.items():
        assert COLOUR_CODES[name] == letter
